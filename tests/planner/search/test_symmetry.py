"""Searches that merge states up to swaps of interchangeable objects find the same optima with fewer states."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from differential import compare
from support import GRIPPER_DOMAIN

import fsplan
from fsplan.planner._core import Budget, GroundStateSpace, Incumbents, SearchOptions
from fsplan.planner.proofs import check_sas
from fsplan.planner.proofs.check import Refuted, check
from fsplan.planner.proofs.writer import write_proof
from fsplan.planner.search import catalogue

# A template: boxes are painted, then packed. The placeholders are filled with differences between boxes.
BOXES = """
(define (domain boxes) (:requirements :adl :typing :derived-predicates :action-costs) (:types box - object red - box)
 (:constants {constants}) (:predicates (heavy ?b - box) (painted ?b - box) (packed ?b - box) (ready) (shown ?b - box))
 (:functions (price ?b - box) (total-cost))
 (:derived (ready) (or (painted k) {derived}))
 (:action paint :parameters (?b - box) :precondition (not (painted ?b))
  :effect (and (painted ?b) {effect} (increase (total-cost) (price ?b))))
 (:action lift :parameters (?b - box) :precondition (heavy ?b) :effect (shown ?b))
 (:action pack :parameters (?b - box) :precondition (and (painted ?b) (ready))
  :effect (and (packed ?b) (increase (total-cost) 1))))
"""
PROBLEM = """
(define (problem x) (:domain boxes) (:objects a - {type} b - box)
 (:init {init} (= (price a) {price}) (= (price b) 2) (= (price k) 1) (= (total-cost) 0))
 (:goal (and (packed a) (packed b) {goal})) (:metric minimize (total-cost)))
"""
PLAIN = {"constants": "k - box", "derived": "", "effect": "", "type": "box", "init": "", "price": "2", "goal": ""}
ASYMMETRIC = {
    "a type": {"type": "red", "goal": "(shown a)", "init": "(heavy a) (heavy b)"},
    "a constant in a rule": {"constants": "k a - box", "derived": "(painted a)"},
    "a constant in a conditional effect": {
        "constants": "k a - box",
        "effect": "(when (painted a) (not (packed k)))",
        "goal": "(packed k)",
    },
    "a static atom": {"init": "(heavy a)", "goal": "(or (shown a) (shown b))"},
    "a function value": {"price": "3"},
    "the goal": {"init": "(heavy a) (heavy b)", "goal": "(shown a)"},
}


# Each child eats its own dish: children can be swapped only together with their dishes.
DINNER = """
(define (domain dinner) (:requirements :typing) (:types child dish)
 (:predicates (likes ?c - child ?d - dish) (cooked ?d - dish) (fed ?c - child) (clean) )
 (:action wash :parameters () :precondition () :effect (clean))
 (:action cook :parameters (?d - dish) :precondition (clean) :effect (and (cooked ?d) (not (clean))))
 (:action eat :parameters (?c - child ?d - dish) :precondition (and (cooked ?d) (likes ?c ?d))
  :effect (and (fed ?c) (not (cooked ?d)))))
"""


def dinner_problem(children: int) -> str:
    numbers = range(children)
    return f"""(define (problem x) (:domain dinner)
     (:objects {" ".join(f"c{i}" for i in numbers)} - child {" ".join(f"d{i}" for i in numbers)} - dish)
     (:init {" ".join(f"(likes c{i} d{i})" for i in numbers)})
     (:goal (and {" ".join(f"(fed c{i})" for i in numbers)})))"""


def dinner(children: int) -> fsplan.Task:
    return fsplan.load(DINNER, dinner_problem(children))


def gripper(balls: int) -> fsplan.Task:
    names = [f"ball{number}" for number in range(balls)]
    problem = f"""(define (problem balls) (:domain gripper)
     (:objects a b - room {" ".join(names)} - ball left right - hand)
     (:init (at-robby a) (free left) (free right) {" ".join(f"(at {name} a)" for name in names)})
     (:goal (and {" ".join(f"(at {name} b)" for name in names)})))"""
    return fsplan.load(GRIPPER_DOMAIN, problem)


def swaps(task: fsplan.Task) -> list[tuple[str, str]]:
    assert isinstance(task.state_space, GroundStateSpace)
    return [(left, right) for left, right in task.state_space.swaps(Budget())]


def boxes(**parts: str) -> fsplan.Task:
    chosen = {**PLAIN, **parts}
    objects = PROBLEM.replace("a - {type} b", "b") if " a " in chosen["constants"] else PROBLEM
    return fsplan.load(BOXES.format(**chosen), objects.format(**chosen))


@pytest.mark.parametrize("seed", [28, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(20))])
def test_every_search_agrees_with_the_oracle_up_to_symmetry(seed: int, tmp_path: Path) -> None:
    assert list(compare(seed, tmp_path, Counter(), downward=False, symmetric=True)) == []


def test_the_random_tasks_have_interchangeable_objects(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    next(compare(28, tmp_path, counts, downward=False, symmetric=True), None)
    assert counts["tasks with swaps"] == 1


@pytest.mark.parametrize("search", ["astar", "wastar", "focal", "gbfs", "optimistic", "ios", "lama", "ees", "auto"])
def test_searches_need_few_states_of_a_task_with_interchangeable_balls(search: str) -> None:
    options = {"w": 1} if "w" in catalogue.search(search).reads else {}
    result = fsplan.solve(gripper(14), search, symmetry=True, **options)
    assert result.status == "solved"
    assert result.cost == 41 or search in ("gbfs", "lama")
    assert result.statistics["registered"] <= (84 if search != "auto" else 1000)


def test_auto_merges_symmetric_states_by_default() -> None:
    task = gripper(9)
    merged = fsplan.solve(task, w=1)
    plain = fsplan.solve(task, w=1, symmetry=False)
    assert merged.cost == plain.cost == merged.lower_bound == plain.lower_bound == 27
    assert 10 * merged.statistics["registered"] < plain.statistics["registered"]


def test_equal_boxes_are_interchangeable() -> None:
    assert swaps(boxes()) == [("a", "b")]


def test_objects_that_belong_together_are_swapped_together() -> None:
    task = dinner(4)
    assert isinstance(task.state_space, GroundStateSpace)
    assert task.state_space.swaps(Budget()) == [[f"c{i}", f"c{i + 1}", f"d{i}", f"d{i + 1}"] for i in range(3)]
    merged, plain = (fsplan.astar(dinner(9), heuristic="blind", symmetry=symmetry) for symmetry in (True, False))
    assert merged.cost == plain.cost == merged.lower_bound == 27
    assert merged.statistics["registered"] <= 300 < 400_000 < plain.statistics["registered"]


def test_a_proof_names_the_pairs_that_are_swapped_together(tmp_path: Path) -> None:
    written = write_proof(dinner(5), 15, tmp_path / "bound.proof")
    lines = (tmp_path / "bound.proof").read_text().splitlines(keepends=True)
    assert written.bound == 15
    assert "swap c0 c1 d0 d1\n" in lines
    assert len(lines) < 200
    texts = DINNER, dinner_problem(5)
    assert check(*texts, lines).bound == 15
    for wrong in ("swap c0 c1\n", "swap c0 c1 d0 d2\n", "swap c0 c1 d0\n", "swap c0 c1 c1 c2\n"):
        with pytest.raises(Refuted, match="the task changes"):
            check(*texts, [line if line != "swap c0 c1 d0 d1\n" else wrong for line in lines])


@pytest.mark.parametrize("difference", ASYMMETRIC)
def test_boxes_that_differ_are_not_interchangeable(difference: str) -> None:
    assert swaps(boxes(**ASYMMETRIC[difference])) == []


def test_without_interchangeable_objects_the_option_changes_nothing() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    assert swaps(task) == []
    plain, merged = (fsplan.astar(task, symmetry=symmetry) for symmetry in (False, True))
    assert plain.statistics["expanded"] == merged.statistics["expanded"]


def test_puzzles_have_no_objects() -> None:
    plain, merged = (fsplan.astar(fsplan.load("tiles8:random/1"), symmetry=symmetry) for symmetry in (False, True))
    assert plain.statistics["expanded"] == merged.statistics["expanded"]


def test_representatives_are_work() -> None:
    works = []
    for symmetry in (False, True):
        options = SearchOptions(search="astar", heuristic="blind", symmetry=symmetry)
        options.set_defaults(True)
        search = gripper(6).state_space.start(options, incumbents=Incumbents())
        before = search.work
        while search.run_for(10**9):
            pass
        works.append((search.work - before) / search.finish().statistics["generated"])
    assert works[1] > works[0] + 1


def test_proofs_of_sas_tasks_use_no_swaps(tmp_path: Path) -> None:
    """The actions of a .sas task name interchangeable objects, but its atoms do not: swaps would change no state."""
    path = tmp_path / "balls.sas"
    gripper(3).to_sas(path)
    task = fsplan.load(path)
    assert swaps(task)
    write_proof(task, 9, tmp_path / "bound.proof")
    lines = (tmp_path / "bound.proof").read_text().splitlines(keepends=True)
    assert check_sas.check(path.read_text(), lines).bound == 9
