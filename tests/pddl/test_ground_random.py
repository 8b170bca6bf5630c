"""Grounding preserves the optimal costs of random tasks."""

from __future__ import annotations

import heapq
from dataclasses import fields
from itertools import count
from random import Random

import pytest
from ground_view import cheapest
from lifted_oracle import Oracle
from random_tasks import Features, random_task

from fsplan.pddl.syntax import Problem
from fsplan.planner.tasks.ground import ground

MOST_STATES = 300


def cheapest_by_oracle(problem: Problem) -> int | None:
    """Dijkstra over the plain semantics of the PDDL tree."""
    oracle = Oracle(problem)
    start, order = oracle.start(), count()
    best, queue = {start: 0}, [(0, next(order), start)]
    while queue:
        cost, _, state = heapq.heappop(queue)
        if cost > best[state]:
            continue
        if oracle.is_goal(state):
            return cost
        for action, binding in oracle.applicable(state):
            after = oracle.successor(state, action, binding)
            reached = cost + oracle.cost(action, binding)
            if reached < best.get(after, reached + 1):
                best[after] = reached
                heapq.heappush(queue, (reached, next(order), after))
        if len(best) > MOST_STATES:
            pytest.skip("too many states")
    return None


@pytest.mark.parametrize("seed", range(120))
def test_cheapest_plan(seed: int) -> None:
    random = Random(seed)
    problem = random_task(seed, Features(*[random.random() < 0.7 for _ in fields(Features)]))
    expected = cheapest_by_oracle(problem)
    task = ground(problem)
    assert cheapest(task) == expected
    if expected is not None:
        assert task.solvable_relaxed
