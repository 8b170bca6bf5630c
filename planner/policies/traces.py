"""Optimal traces: what policies learn from where the graph does not fit in memory."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import numpy as np

from fsplan.planner.search import astar

from .examples import Examples

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fsplan.planner._core import Source
    from fsplan.planner.task import Task


class Trace:
    """The states of a plan, what is applicable in each, what is done, the cost that is left, and where it ends."""

    __slots__ = ("actions", "applicable", "distances", "end", "states")

    def __init__(
        self,
        states: list[list[int]],
        applicable: list[list[int]],
        actions: list[int],
        distances: list[int],
        end: list[int],
    ) -> None:
        self.states, self.applicable, self.actions, self.distances = states, applicable, actions, distances
        self.end = end


def follow(source: Source, start: Sequence[int], plan: Sequence[str]) -> Trace:
    """The trace of a plan; ValueError names a step that is not applicable."""
    states, applicable, actions, costs = [], [], [], []
    state = list(start)
    for number, name in enumerate(plan, start=1):
        edges = source.successors(state)
        taken = next((edge for edge in edges if source.action_name(edge[0]) == name), None)
        if taken is None:
            raise ValueError(f"step {number}: ({name}) is not applicable")
        states.append(state)
        applicable.append([action for action, _, _ in edges])
        actions.append(taken[0])
        costs.append(taken[1])
        state = taken[2]
    return Trace(states, applicable, actions, np.cumsum(costs[::-1])[::-1].tolist(), state)


def is_goal(source: Source, state: Sequence[int]) -> bool:
    """Whether A* needs no step from there."""
    return astar(source.at(list(state)), heuristic="blind", expansion_limit=1).plan == []


def random_walk(source: Source, steps: int, generator: random.Random) -> list[int]:
    """Where so many random steps lead from the start."""
    state = source.start_values()
    for _ in range(steps):
        edges = source.successors(state)
        if not edges:
            break
        state = generator.choice(edges)[2]
    return state


def optimal_plan(source: Source, heuristic: str, seconds: float) -> list[str] | None:
    """An optimal plan by A*, None if there is none or it is not found in time."""
    answer = astar(source, heuristic=heuristic, time_limit=seconds)
    return answer.plan if answer.status == "solved" else None


def optimal_cost(source: Source, state: Sequence[int], heuristic: str, seconds: float) -> float | None:
    """h* of a state: infinity at a dead end, None if A* does not say in time."""
    answer = astar(source.at(list(state)), heuristic=heuristic, time_limit=seconds)
    if answer.status == "unsolvable":
        return math.inf
    return answer.cost if answer.status == "solved" else None


def best_heuristic(source: Source) -> str:
    """LM-cut where there is one, else the source's own default."""
    names = source.heuristics()
    return "lmcut" if "lmcut" in names else names[0]


def optimal_traces(
    task: Task, count: int, *, seed: int = 0, walk: int = 100, heuristic: str | None = None, seconds_each: float = 10.0
) -> Iterator[Trace]:
    """Up to `count` optimal traces: the first from the start, the others from where random walks of up to `walk` steps
    end. Starts that are solved, hopeless or too hard for `seconds_each` are passed over."""
    generator = random.Random(seed)
    source, name = task.source, heuristic or best_heuristic(task.source)
    for number in range(count):
        state = random_walk(source, generator.randint(1, walk) if number else 0, generator)
        plan = optimal_plan(source.at(state), name, seconds_each)
        if plan:
            yield follow(source, state, plan)


def trace_examples(task: Task, traces: Iterable[Trace]) -> Examples:
    """The steps of optimal traces as examples, a group for each trace."""
    kept = list(traces)
    if not kept:
        raise ValueError("no optimal trace was found: give more seconds, or shorter walks")
    rows = [row for trace in kept for row in trace.applicable]
    chosen = [action for trace in kept for action in trace.actions]
    return Examples(
        np.array([state for trace in kept for state in trace.states], dtype=np.int32),
        task.source.domain_sizes(),
        task.source.action_count(),
        np.cumsum([0, *map(len, rows)]),
        np.array([action for row in rows for action in row], dtype=np.int64),
        np.array([action == best for row, best in zip(rows, chosen, strict=True) for action in row], dtype=np.bool_),
        np.repeat(np.arange(len(kept)), [len(trace.actions) for trace in kept]),
        np.array([distance for trace in kept for distance in trace.distances], dtype=np.int64),
    )
