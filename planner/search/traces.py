"""Optimal traces (plans with their states), the training data for tasks whose state graph does not fit in memory."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from fsplan.planner._core import StateSpace
from fsplan.planner.policies.examples import Examples
from fsplan.planner.search.named import astar
from fsplan.planner.search.result import Result
from fsplan.planner.search.solve import solve
from fsplan.planner.tasks.task import Task


class Trace(NamedTuple):
    """The states of a plan, with the applicable actions, the action taken and the remaining cost of each.

    `end` is the last state, which is not in `states`.
    """

    states: list[list[int]]
    applicable: list[list[int]]
    actions: list[int]
    distances: list[int]
    end: list[int]


def follow(space: StateSpace, start: Sequence[int], plan: Sequence[str]) -> Trace:
    """The trace of a plan; raises ValueError if a step is not applicable."""
    states, applicable, actions, costs = [], [], [], []
    state = list(start)
    for number, name in enumerate(plan, start=1):
        edges = space.successors(state)
        taken = next((edge for edge in edges if space.action_name(edge[0]) == name), None)
        if taken is None:
            raise ValueError(f"step {number}: ({name}) is not applicable")
        states.append(state)
        applicable.append([action for action, _, _ in edges])
        actions.append(taken[0])
        costs.append(taken[1])
        state = taken[2]
    return Trace(states, applicable, actions, np.cumsum(costs[::-1])[::-1].tolist(), state)


def random_walk(space: StateSpace, steps: int, generator: random.Random, start: list[int] | None = None) -> list[int]:
    """The last state of a random walk with this number of steps."""
    state = space.start_values() if start is None else start
    for _ in range(steps):
        edges = space.successors(state)
        if not edges:
            break
        state = generator.choice(edges)[2]
    return state


class Solver:
    """Solves a task optimally from any state by A*; `evaluated` is the number of states evaluated in all searches.

    `limit` applies to each search. If it is a limit on expansions, the results do not depend on the machine.
    """

    def __init__(self, task: Task, heuristic: str | None = None, **limit: float) -> None:
        self.task, self.heuristic = task, heuristic or task.state_space.strongest_heuristic()
        self.limit: dict[str, Any] = limit
        self.evaluated = 0

    def solve(self, state: Sequence[int]) -> Result:
        answer = astar(self.task.state_space.at(list(state)), heuristic=self.heuristic, **self.limit)
        self.evaluated += answer.statistics["evaluated"]
        return answer

    def trace(self, state: Sequence[int]) -> Trace | None:
        """An optimal trace from the state; None for a goal, for a dead end, or if the limit is reached."""
        answer = self.solve(state)
        return follow(self.task.state_space, state, answer.plan) if answer.status == "solved" and answer.plan else None

    def cost(self, state: Sequence[int]) -> float | None:
        """The goal distance h* of the state: infinity for a dead end, None if the limit is reached."""
        answer = self.solve(state)
        if answer.status == "unsolvable":
            return math.inf
        return float(answer.cost) if answer.status == "solved" and answer.cost is not None else None

    def is_optimal(self, action: int | None, trace: Trace, step: int) -> bool | None:
        """Whether the action is optimal in the given step of an optimal trace; None if the limit is reached."""
        if action == trace.actions[step]:
            return True
        for applicable, cost, successor in self.task.state_space.successors(trace.states[step]):
            if applicable == action:
                rest = self.cost(successor)
                return None if rest is None else cost + rest == trace.distances[step]
        return False


def optimal_traces(
    task: Task, count: int, *, seed: int = 0, walk: int = 100, heuristic: str | None = None, seconds_each: float = 10.0
) -> Iterator[Trace]:
    """Up to `count` optimal traces: the first from the initial state, the others from the ends of random walks.

    A random walk has at most `walk` steps. Its end is skipped if it is a goal or a dead end, or if A* needs more than
    `seconds_each`.
    """
    generator, solver = random.Random(seed), Solver(task, heuristic, time_limit=seconds_each)
    for number in range(count):
        trace = solver.trace(random_walk(task.state_space, generator.randint(1, walk) if number else 0, generator))
        if trace is not None:
            yield trace


def traces_around_a_plan(task: Task, solver: Solver, expansions: int, count: int, seed: int = 0) -> Iterator[Trace]:
    """Up to `count` optimal traces near a plan, for tasks that may be too hard for A*.

    A greedy search finds the plan within a number of expansions. A trace starts a few random steps away from a random
    state of the plan. If A* reaches its limit there, later traces start nearer to the goal.
    """
    space, generator = task.state_space, random.Random(seed)
    quick = solve(task, "gbfs", heuristic=_greedy_heuristic(space), uncertified=True, expansion_limit=expansions)
    if not quick.plan:
        return
    states = follow(space, space.start_values(), quick.plan).states
    farthest = len(states)
    for _ in range(count):
        back = generator.randint(1, farthest)
        start = random_walk(space, generator.randint(0, 3), generator, states[-back])
        answer = solver.solve(start)
        if answer.plan:
            yield follow(space, start, answer.plan)
        elif answer.status in ("timeout", "expansion_limit"):
            farthest = max(1, back - 1)


def _greedy_heuristic(space: StateSpace) -> str:
    names = space.heuristics()
    return "hff" if "hff" in names else names[0]


def trace_examples(task: Task, traces: Iterable[Trace]) -> Examples:
    """The examples for all steps of the traces; each trace is a group."""
    kept = list(traces)
    if not kept:
        raise ValueError("no optimal trace was found: give more seconds, or shorter walks")
    rows = [row for trace in kept for row in trace.applicable]
    chosen = [action for trace in kept for action in trace.actions]
    return Examples(
        np.array([state for trace in kept for state in trace.states], dtype=np.int32),
        task.state_space.domain_sizes(),
        task.state_space.action_count(),
        np.cumsum([0, *map(len, rows)]),
        np.array([action for row in rows for action in row], dtype=np.int64),
        np.array([action == best for row, best in zip(rows, chosen, strict=True) for action in row], dtype=np.bool_),
        np.repeat(np.arange(len(kept)), [len(trace.actions) for trace in kept]),
        np.array([distance for trace in kept for distance in trace.distances], dtype=np.int64),
        taken=np.array(chosen, dtype=np.int64),
        complete=False,
    )
