"""Published bounded-suboptimal searches: on every kind of task, plans are within w and lower bounds are correct."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest
from support import known, read_by

import fsplan
from fsplan.planner import _core

BOUNDED = ["rr-d", "dps", "ees", "xdp", "xup", "dswa", "rlts-focal", "pfs", "ios"]


class Grid:
    """A Python task: walk through a grid whose cells have different costs of entering."""

    start = (0, 0)
    actions = ("east", "west", "north", "south")

    def __init__(self, size: int) -> None:
        random = Random(size)
        self.size = size
        self.price = {(x, y): random.randint(1, 5) for x in range(size) for y in range(size)}

    def successors(self, state: tuple[int, int]) -> list[tuple[str, int, tuple[int, int]]]:
        x, y = state
        steps = {"east": (x + 1, y), "west": (x - 1, y), "north": (x, y + 1), "south": (x, y - 1)}
        return [(name, self.price[cell], cell) for name, cell in steps.items() if cell in self.price]

    def is_goal(self, state: tuple[int, int]) -> bool:
        return state == (self.size - 1, self.size - 1)

    def heuristic(self, state: tuple[int, int]) -> int:
        return 2 * (self.size - 1) - sum(state)


@pytest.mark.parametrize(
    "task", ["tiles8:random/3", "pancake8:random/3", Grid(30)], ids=["tiles", "pancakes", "python"]
)
@pytest.mark.parametrize("search", [*BOUNDED, "levin", "phs", "rlts", "lds", "beam", "qstar"])
def test_plans_and_bounds_of_puzzles_and_python_tasks_are_true(search: str, task: Any) -> None:
    """The oracles compare these searches on graphs (test_search_oracle.py) and PDDL tasks (test_differential.py)."""
    best = known(fsplan.solve(task, "astar").cost)
    for w in ("1", "1.15", "2"):
        found = fsplan.solve(task, search, **read_by(search, w=w, policy="uniform"))
        assert known(found.lower_bound) <= best <= known(found.cost)
        assert found.certified or search not in BOUNDED


def test_with_a_good_policy_the_likeliest_path_needs_few_expansions() -> None:
    """LevinTS expands at most (depth / likelihood of the plan) nodes; a perfect policy leads straight to the goal."""
    edges = [(state, action, 1, 2 * state + 1 + action) for state in range(63) for action in (0, 1)]
    space = _core.ExplicitStateSpace(127, 2, 0, [126], edges, [0] * 127, [], [])
    certain = _core.TablePolicy([-20.0, -1e-9] * 127, 2)
    assert fsplan.solve(space, "levin", policy=certain).statistics["expanded"] == 6
    even = _core.TablePolicy([math.log(0.5)] * 254, 2)
    found = fsplan.solve(space, "levin", policy=even).statistics["expanded"]
    assert 6 <= found <= 7 * 2**6


@pytest.mark.parametrize("search", BOUNDED)
def test_a_plan_given_in_advance_is_improved_or_proven(search: str) -> None:
    task = Grid(12)
    detour = ["east"] * 11 + ["north"] * 11
    best = fsplan.solve(task, "astar").cost
    cost = sum(task.price[(x, 0)] for x in range(1, 12)) + sum(task.price[(11, y)] for y in range(1, 12))
    assert best is not None
    assert best < cost
    found = fsplan.solve(task, search, w=1, incumbent=(detour, cost))
    assert (found.cost, found.lower_bound) == (best, best)


def test_dps_sorts_its_open_list_again_if_no_node_is_within_the_old_limit() -> None:
    """DPS sorts its open list again when the limit has risen by 1/256, or when no node is within the old limit.

    On this task the costs are so large that the second case occurs.
    """
    task = Grid(25)
    task.price = {cell: 1000 * price + sum(cell) for cell, price in task.price.items()}
    best = fsplan.solve(task, "astar").cost
    found = fsplan.solve(task, "dps", w="1.01")
    assert best is not None
    assert found.cost is not None
    assert found.certified
    assert found.lower_bound <= best <= found.cost
