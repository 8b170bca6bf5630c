"""Grounding as a whole: IPC domains, limits, determinism, and agreement with Fast Downward's translator."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from benchmark_tasks import tasks
from fast_downward_translator import Instantiation
from support import BENCHMARKS

from fsplan.pddl import parse_task, read_task
from fsplan.pddl.normalise import normalise
from fsplan.pddl.tasks import path as example
from fsplan.planner._core import instantiate
from fsplan.planner.base.limits import LimitReached, Limits
from fsplan.planner.sources.pddl import domain_beside
from fsplan.planner.tasks.ground import ground, to_native

FOLDERS = sorted(folder.name for folder in BENCHMARKS.iterdir()) if BENCHMARKS.is_dir() else []
LIMIT = 2000  # file size in bytes; the translator instantiates such tasks in about a second

DIGEST = """
import hashlib, sys
from fsplan.pddl.reader import read_task
from fsplan.planner.tasks.ground import ground
digest = hashlib.sha256()
for domain, problem in zip(sys.argv[1::2], sys.argv[2::2]):
    task = ground(read_task(domain, problem))
    names = [task.fact_name(fact) for fact in range(task.fact_count())]
    digest.update(repr((names, task.action_names(), task.domain_size, task.initial, task.precondition, task.effects,
                        task.cost, task.rule_body, task.rule_head, task.layer, task.goal)).encode())
print(digest.hexdigest())
"""


def blocks() -> tuple[str, str]:
    problem = Path(example("blocks-8-0"))
    return str(problem.with_name("domain.pddl")), str(problem)


def test_blocks_has_128_actions() -> None:
    task = ground(read_task(*blocks()))
    assert task.action_count() == 128
    assert task.solvable_relaxed
    assert task.unit_cost


WIDE = """(define (domain wide) (:requirements :strips) (:constants {names}) (:predicates (p ?x) (q ?x) (done))
  (:action make :parameters (?x) :precondition () :effect (p ?x))
  (:action copy :parameters (?x) :precondition (and (p c0) (p ?x)) :effect (q ?x))
  (:action finish :parameters () :precondition (and {atoms}) :effect (done)))"""


def test_thousands_of_ground_preconditions_are_possible() -> None:
    """Ground preconditions are checked outside the join. Tasks that were already grounded have very many of them.

    If an atom is both a ground precondition and a match of a precondition with variables, then the action must be found
    only once.
    """
    count = 2000
    names = [f"c{number}" for number in range(count)]
    domain = WIDE.format(names=" ".join(names), atoms=" ".join(f"(p {name})" for name in names))
    task = ground(parse_task(domain, "(define (problem one) (:domain wide) (:init) (:goal (and (done) (q c1))))"))
    actions = task.action_names()
    assert len(actions) == len(set(actions))
    assert sum(name.startswith("make") for name in actions) == count
    assert "copy c1" in actions
    assert len(task.precondition[actions.index("finish")]) == count


@pytest.mark.parametrize("folder", FOLDERS)
def test_agrees_with_fast_downwards_translator(folder: str, benchmarks: Path) -> None:
    """Compares the first task of every benchmark domain, and the second one if it is small."""
    first, *others = tasks(benchmarks / folder)
    for domain, problem in [first, *(task for task in others[:1] if task[1].stat().st_size < LIMIT)]:
        ours = instantiate(to_native(normalise(read_task(domain, problem))))
        theirs = Instantiation(domain, problem)
        assert ours.goal_reachable == theirs.goal_reachable
        assert {atom for atom in ours.atoms if "@" not in atom} == theirs.facts
        assert set(ours.actions) == theirs.actions


@pytest.mark.parametrize("folder", FOLDERS)
def test_medium_task_of_every_shared_domain_grounds(folder: str, benchmarks: Path) -> None:
    chosen = sorted(tasks(benchmarks / folder), key=lambda task: (task[1].stat().st_size, task[1].name))
    task = ground(read_task(*chosen[len(chosen) // 2]))
    assert task.solvable_relaxed
    assert task.action_count() > 0
    facts = task.fact_count()
    for precondition, effects in zip(task.precondition, task.effects, strict=True):
        assert effects
        assert precondition == sorted(set(precondition))
        assert all(fact < facts for fact in precondition)
        assert all(fact < facts for fact, _ in effects)


@pytest.mark.parametrize("name", ["trucks", "miconic-fulladl", "airport-adl", "assembly", "openstacks-opt08-adl"])
def test_quantified_preconditions_need_no_derived_predicates(name: str, benchmarks: Path) -> None:
    domain, problem = tasks(benchmarks / name)[-1]
    assert ground(read_task(domain, problem)).rule_count() == 0


def test_ground_tasks_do_not_depend_on_the_hash_seed(benchmarks: Path) -> None:
    words: list[str] = []
    for name in ("blocks/probBLOCKS-8-0", "psr-middle/p01-s17-n2-l2-f30", "miconic-fulladl/f3-0", "pathways/p04",
                 "transport-opt11-strips/p01", "assembly/prob01"):  # fmt: skip
        problem = benchmarks / f"{name}.pddl"
        words += [domain_beside(str(problem)), str(problem)]
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST, *words],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            cwd="/",
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(digests) == 1


HUGE = (
    """(define (domain huge) (:predicates (p ?a) (q ?a ?b ?c ?d ?e ?f))
      (:action join :parameters (?a ?b ?c ?d ?e ?f) :precondition (and (p ?a) (p ?b) (p ?c) (p ?d) (p ?e) (p ?f))
       :effect (q ?a ?b ?c ?d ?e ?f)))""",
    f"""(define (problem huge) (:domain huge) (:objects {" ".join(f"o{i}" for i in range(60))})
      (:init {" ".join(f"(p o{i})" for i in range(60))}) (:goal (q o0 o1 o2 o3 o4 o5)))""",
)
FRUITLESS = (HUGE[0].replace("(and (p ?a)", "(and (not (= ?f ?f)) (p ?a)"), HUGE[1])


@pytest.mark.parametrize("task", [HUGE, FRUITLESS])
def test_time_limit(task: tuple[str, str]) -> None:
    with pytest.raises(LimitReached) as caught:
        ground(parse_task(*task), Limits(0.3))
    assert caught.value.what == "time"
    assert caught.value.exit_code == 21


def test_memory_limit() -> None:
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    with pytest.raises(LimitReached) as caught:
        ground(parse_task(*HUGE), Limits(60, resident + 50_000_000))
    assert caught.value.what == "memory"
    assert caught.value.exit_code == 20


def test_signals_interrupt_grounding() -> None:
    def handler(signum: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            ground(parse_task(*HUGE), Limits(60))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_join_orders_of_wide_preconditions_are_made_under_the_limits() -> None:
    """Every atom binds a further variable, so the join order is recomputed after each atom."""
    count = 2000
    variables = " ".join(f"?x{i}" for i in range(count + 1))
    atoms = " ".join(f"(p ?x{i} ?x{i + 1})" for i in range(count))
    domain = f"""(define (domain d) (:predicates (p ?x ?y) (q))
        (:action a :parameters ({variables}) :precondition (and {atoms}) :effect (and (q) (not (p ?x0 ?x1)))))"""
    problem = "(define (problem x) (:domain d) (:objects a b) (:init (p a b) (p b a)) (:goal (q)))"
    with pytest.raises(LimitReached, match="time ran out while grounding"):
        ground(parse_task(domain, problem), Limits(time=0.01))
