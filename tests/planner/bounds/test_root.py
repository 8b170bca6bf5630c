"""Lower bounds without a search never exceed the optimal cost of the initial state."""

from __future__ import annotations

import os
from time import perf_counter

import pytest
from random_ground_tasks import KINDS, random_ground_task
from random_tasks import random_task
from support import seeds

import fsplan
from fsplan.planner import _core
from fsplan.planner.bounds.allowance import Allowance
from fsplan.planner.bounds.root import bound, steps
from fsplan.planner.graphs.explore import DEAD_END

TASKS_PER_KIND = int(os.environ.get("FSPLAN_BOUND_TASKS", "100"))


def in_a_minute() -> Allowance:
    return Allowance(perf_counter() + 60)


def check(space: _core.GroundStateSpace, what: object) -> float:
    """Asserts that no bound exceeds the optimal cost; returns the ratio of the best bound to the optimal cost."""
    optimal = int(_core.explore(space, "", 100_000).h_star[0])
    solvable = optimal != DEAD_END
    best = 0
    for step in [*steps(space, in_a_minute), *steps(space, in_a_minute, prune=False)]:
        assert step.value is not None or not solvable, (what, step)
        assert not solvable or (step.value is not None and step.value <= optimal), (what, step, optimal)
        best = max(best, step.value or 0)
    return best / optimal if solvable and optimal else 1.0


@seeds(10, TASKS_PER_KIND, parts=4)
@pytest.mark.parametrize("kind", KINDS)
def test_bounds_of_ground_tasks_are_valid_and_not_too_low(kind: str, seeds: range) -> None:
    shares = []
    for seed in seeds:
        task = random_ground_task(seed, **KINDS[kind])
        shares.append(check(_core.GroundStateSpace(task), (kind, seed)))
    assert sum(shares) / len(shares) > 0.6


@seeds(10, TASKS_PER_KIND, parts=4)
def test_bounds_of_pddl_tasks_are_valid(seeds: range) -> None:
    for seed in seeds:
        space = fsplan.from_pddl(random_task(seed)).state_space
        assert isinstance(space, _core.GroundStateSpace)
        check(space, seed)


def test_bounds_refer_to_the_initial_state_of_the_state_space() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    successor = task.state_space.successors(task.state_space.start_values())[0]
    assert bound(task).value == 18
    elsewhere = fsplan.Task("elsewhere", task.state_space.at(successor[2]), task.actions)
    assert bound(elsewhere).value in (17, 18, 19)


def test_no_further_method_runs_once_the_bound_is_enough() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    assert [each.method for each in bound(task, enough=13).methods] == ["lmcut"]


@pytest.mark.long
def test_bounds_are_deterministic() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    first, second = bound(task, time_limit=300), bound(task, time_limit=300)
    assert [(each.method, each.value, each.rows) for each in first.methods] == [
        (each.method, each.value, each.rows) for each in second.methods
    ]


def test_puzzles_are_refused() -> None:
    with pytest.raises(ValueError, match="PDDL"):
        bound(fsplan.load("tiles8:random/1"))
