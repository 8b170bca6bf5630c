"""Pruning preserves the goal distance of every reachable state from which the goal is reachable."""

from __future__ import annotations

import os

import pytest
from random_ground_tasks import KINDS, random_ground_task
from random_tasks import random_task

import fsplan
from fsplan.planner._core import Budget, GroundStateSpace, GroundTask, explore, pruned_task
from fsplan.planner.graphs.explore import DEAD_END

TASKS_PER_KIND = int(os.environ.get("FSPLAN_PRUNED_TASKS", "60"))


def costs_to_go(space: GroundStateSpace) -> dict[tuple[int, ...], int]:
    """Goal distance of every reachable state from which the goal can be reached."""
    graph = explore(space, "", 100_000)
    values = graph.values(0, len(graph.h_star))
    return {tuple(map(int, row)): int(h) for row, h in zip(values, graph.h_star, strict=True) if h != DEAD_END}


def effect_count(task: GroundTask) -> int:
    return sum(len(row) for row in task.effects)


def check(space: GroundStateSpace, what: object) -> int:
    """Asserts that pruning preserves goal distances; returns the number of removed effects."""
    task = pruned_task(space, Budget())
    before, after = costs_to_go(space), costs_to_go(GroundStateSpace(task))
    assert {state: after.get(state) for state in before} == before, what
    return effect_count(space.task) - effect_count(task)


@pytest.mark.parametrize("kind", KINDS)
def test_ground_tasks(kind: str) -> None:
    left_out = [
        check(GroundStateSpace(random_ground_task(seed, **KINDS[kind])), (kind, seed)) for seed in range(TASKS_PER_KIND)
    ]
    assert sum(count > 0 for count in left_out) > TASKS_PER_KIND / 4


def test_pddl_tasks() -> None:
    for seed in range(TASKS_PER_KIND):
        space = fsplan.from_pddl(random_task(seed)).state_space
        assert isinstance(space, GroundStateSpace)
        check(space, seed)


def test_another_start() -> None:
    space = GroundStateSpace(random_ground_task(3, conditional=True, derived=True))
    for successor in space.successors(space.start_values()):
        elsewhere = space.at(successor[2])
        assert isinstance(elsewhere, GroundStateSpace)
        check(elsewhere, successor)
