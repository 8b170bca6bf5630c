"""Reading a written ground task gives the same task, and Fast Downward finds the same optimal cost."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from random import Random

import pytest
from benchmark_tasks import tasks
from downward_oracle import optimal_cost, translate
from random_tasks import Features, random_task
from support import BENCHMARKS, ROOT, known, seeds
from support import fsplan as command

import fsplan
from fsplan.planner.graphs.explore import TooManyStates, explore
from fsplan.planner.proofs.check_sas import SasGround
from fsplan.planner.sources.pddl import from_pddl
from fsplan.planner.tasks.sas import parse_sas
from fsplan.planner.tasks.task import Task, from_ground
from fsplan.planner.tasks.write_pddl import pddl_texts
from fsplan.planner.tasks.write_task import sas_text

EXAMPLES = ROOT / "docs" / "examples"
MOST_STATES = 100_000
BOTH = """(define (domain d) (:requirements :conditional-effects) (:predicates (p) (q) (r) (done))
  (:action go :effect (and (when (p) (not (q))) (when (r) (q)) (done)))
  (:action swap :effect (and (when (p) (not (p))) (when (not (p)) (p)) (when (r) (not (r))) (when (q) (r)))))"""
GOAL = "(define (problem x) (:domain d) (:init (q) (p) (r)) (:goal (and (done) (not (q)) (not (r)) (p))))"


def shape(task: Task) -> tuple[list[int], int] | None:
    """Returns the goal distances of all states and the number of edges; None if the task has very many states."""
    try:
        graph = explore(task, MOST_STATES, heuristic=None)
    except TooManyStates:
        return None
    return sorted(graph.h_star.tolist()), graph.edge_count


def random_pddl(seed: int) -> Task:
    random = Random(seed)
    return from_pddl(random_task(seed, Features(*[random.random() < 0.7 for _ in fields(Features)])))


def check_round_trip(task: Task) -> None:
    text = sas_text(task)
    SasGround(text)  # refuses effects that give a variable two values
    assert shape(from_ground(parse_sas(text), "again")) == shape(task)


@seeds(60, 2000)
def test_a_written_task_reads_back_as_the_same_task(seeds: range) -> None:
    for seed in seeds:
        check_round_trip(random_pddl(seed))


def test_effects_on_one_variable_exclude_each_other() -> None:
    task = fsplan.load(BOTH, GOAL)
    check_round_trip(task)
    result = fsplan.astar(from_ground(parse_sas(sas_text(task)), "again"))
    assert result.cost == fsplan.astar(task).cost


def check_optimum(task: Task, folder: Path) -> None:
    task.to_sas(folder / "task.sas")
    ground = task.state_space.task  # type: ignore[attr-defined]
    heuristic = "blind()" if ground.has_derived() or ground.has_conditional_effects() else "lmcut()"
    assert optimal_cost(folder / "task.sas", heuristic) == fsplan.astar(task).cost


@pytest.mark.parametrize("seed", [1, 4])
def test_fast_downward_finds_the_same_optimum(seed: int, tmp_path: Path) -> None:
    check_optimum(random_pddl(seed), tmp_path)


def test_fast_downward_finds_the_same_optimum_of_the_example(tmp_path: Path) -> None:
    check_optimum(fsplan.load(EXAMPLES / "domain.pddl", EXAMPLES / "problem.pddl"), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 200))
def test_fast_downward_finds_the_same_optimum_of_random_tasks(seed: int, tmp_path: Path) -> None:
    task = random_pddl(seed)
    check_optimum(task, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    ["blocks", "gripper", "miconic", "miconic-fulladl", "movie", "openstacks-opt08-adl", "pegsol-opt11-strips",
     "philosophers", "psr-middle", "psr-small", "rovers", "zenotravel"],
)  # fmt: skip
def test_fast_downward_finds_the_same_optimum_of_benchmarks(name: str, tmp_path: Path) -> None:
    if not BENCHMARKS.is_dir():
        pytest.skip(f"no benchmark tasks at {BENCHMARKS}")
    smallest = min(tasks(BENCHMARKS / name), key=lambda files: files[1].stat().st_size)
    check_optimum(fsplan.load(*smallest), tmp_path)


@seeds(60, 2000)
def test_ground_pddl_reads_back_to_the_same_optimum(seeds: range) -> None:
    for seed in seeds:
        task = random_pddl(seed)
        again = fsplan.load(*pddl_texts(task))
        assert fsplan.astar(again).cost == fsplan.astar(task).cost, seed


@pytest.mark.parametrize("seed", [1, 4, 7])
def test_fast_downward_reads_ground_pddl(seed: int, tmp_path: Path) -> None:
    task = random_pddl(seed)
    task.to_pddl(tmp_path / "task.pddl")
    sas = translate(tmp_path / "task-domain.pddl", tmp_path / "task.pddl", tmp_path)
    assert optimal_cost(sas, "blind()") == fsplan.astar(task).cost


def test_ground_pddl_of_the_example(tmp_path: Path) -> None:
    task = fsplan.load(EXAMPLES / "domain.pddl", EXAMPLES / "problem.pddl")
    task.to_pddl(tmp_path / "task.pddl")
    result = fsplan.astar(tmp_path / "task.pddl")  # the domain is found beside it
    assert result.cost == 30
    domain = (tmp_path / "task-domain.pddl").read_text()
    steps = [domain.partition(f"(:action {step}\n")[0].rpartition("; ")[2].strip() for step in result.plan]
    assert fsplan.validate(task, "\n".join(steps)).cost == 30
    assert all("?" not in line for line in domain.splitlines())


def test_tasks_without_a_goal_or_a_plan_are_written(tmp_path: Path) -> None:
    domain = "(define (domain d) (:predicates (p) (q)) (:action a :precondition (p) :effect (q)))"
    for init, cost in (("(q)", 0), ("", None)):
        task = fsplan.load(domain, f"(define (problem x) (:domain d) (:init {init}) (:goal (q)))")
        check_optimum(task, tmp_path)
        assert optimal_cost(tmp_path / "task.sas") == cost
        assert fsplan.astar(fsplan.load(*pddl_texts(task))).cost == cost


def test_the_command_writes_every_format(tmp_path: Path) -> None:
    words = ("ground", EXAMPLES / "domain.pddl", EXAMPLES / "problem.pddl", "-o")
    for name in ("task.sas", "task.json", "task.pddl"):
        assert command(*words, tmp_path / name).returncode == 0
    assert fsplan.astar(tmp_path / "task.sas").cost == fsplan.astar(tmp_path / "task.pddl").cost == 30
    document = json.loads((tmp_path / "task.json").read_text())
    task = fsplan.load(EXAMPLES / "domain.pddl", EXAMPLES / "problem.pddl")
    assert document["schema"] == "fsplan-task-1"
    assert [action["name"] for action in document["actions"]] == list(task.actions)
    assert [action["cost"] for action in document["actions"]] == [task.action(n).cost for n in range(len(task.actions))]
    done = command(*words, tmp_path / "task.txt")
    assert done.returncode == 36
    assert "ends in .sas" in done.stderr
    assert "only PDDL tasks" in command("ground", "tiles8:random/1", "-o", tmp_path / "task.sas").stderr


def test_plans_of_sas_files_are_validated_and_judged(tmp_path: Path) -> None:
    path = tmp_path / "task.sas"
    fsplan.load(EXAMPLES / "domain.pddl", EXAMPLES / "problem.pddl").to_sas(path)
    plan = known(fsplan.astar(path).plan)
    assert fsplan.validate(path, plan).cost == 30
    assert fsplan.validate(path, [*plan[:-1], plan[-1].upper()]).valid
    short = fsplan.validate(path, plan[:-1])
    _, vehicle, item, place = plan[-1].split()
    assert (short.valid, short.condition) == (False, f"at({item}, {place})")
    wrong = fsplan.validate(path, [*plan[:-1], plan[-1], plan[-1]])
    assert (wrong.valid, wrong.step) == (False, len(plan) + 1)
    assert wrong.message.endswith(f"({plan[-1]}): in({item}, {vehicle}) is false")
    assert "did you mean" in fsplan.validate(path, ["laod" + plan[0][4:]]).message
    assert fsplan.judge(path, plan, w=1).excess == 0
    (tmp_path / "plan").write_text("\n".join(f"({step})" for step in plan))
    assert "plan valid" in command("validate", path, tmp_path / "plan").stdout
    assert "which is optimal" in command("judge", path, tmp_path / "plan", "--w", "1").stderr


def test_plans_of_puzzles_are_validated() -> None:
    result = fsplan.astar("tiles8:random/3")
    assert result.plan is not None
    assert fsplan.validate("tiles8:random/3", result.plan).cost == result.cost
    assert "not reached" in fsplan.validate("tiles8:random/3", result.plan[:-1]).message
