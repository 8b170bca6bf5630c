"""Heuristic estimates of successors, for policies that use them, such as `ff`, which ranks actions by relaxed plans."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fsplan.planner import _core
from fsplan.planner.graphs.explore import SearchGraph

# h-value, h_FF value (called guide) and helpful actions of a state.
Evaluated = tuple[int, int, list[int]]

_DEAD_END = 2**31 - 1


class EdgeEstimates(NamedTuple):
    """For each edge: its cost, h-value and h_FF value (guide) of the successor, and whether the action is helpful."""

    costs: npt.NDArray[np.int32]
    heuristics: npt.NDArray[np.int32]
    guides: npt.NDArray[np.int32]
    helpful: npt.NDArray[np.uint8]


def read_by(policy: Any) -> bool:
    """Whether the policy uses these estimates."""
    return isinstance(policy, _core.Policy) and policy.needs_guide()


def evaluate(space: _core.StateSpace, values: list[int]) -> Evaluated:
    """h-value, h_FF value and helpful actions of a state of a grounded task, by its default heuristic."""
    if not isinstance(space, _core.GroundStateSpace):
        raise ValueError("this policy reads relaxed plans, which single states of this kind of task do not have")
    h, guide, helpful = space.evaluate(space.heuristics()[0], values)
    return _DEAD_END if h is None else h, _DEAD_END if guide is None else guide, helpful


def of_edges(rows: Iterable[tuple[list[int], Iterable[tuple[int, int, Evaluated]]]]) -> EdgeEstimates:
    """The estimates of edges; each row has the helpful actions of a state and (action, cost, evaluation) per edge."""
    edges = [(cost, found[0], found[1], action in helpful) for helpful, row in rows for action, cost, found in row]
    columns = list(zip(*edges, strict=True)) or [()] * 4
    costs, heuristics, guides = (np.array(column, dtype=np.int32) for column in columns[:3])
    return EdgeEstimates(costs, heuristics, guides, np.array(columns[3], dtype=np.uint8))


def of_graph(graph: SearchGraph, states: npt.NDArray[np.int64]) -> EdgeEstimates:
    """The estimates of the edges of some states of a graph; for tasks without relaxed plans, h replaces h_FF."""
    begin = graph.edges_begin.astype(np.int64)
    evaluated = _evaluations(graph)
    rows = []
    for state in states.tolist():
        edges = range(begin[state], begin[state + 1])
        row = [(int(graph.action[e]), int(graph.cost[e]), evaluated(int(graph.target[e]))) for e in edges]
        rows.append((evaluated(state)[2], row))
    return of_edges(rows)


def _evaluations(graph: SearchGraph) -> Callable[[int], Evaluated]:
    """A function that returns the evaluation of a state; results are cached."""
    if not isinstance(graph.state_space, _core.GroundStateSpace):
        if not len(graph.h):
            raise ValueError("this policy reads h: explore the graph with a heuristic")
        return lambda state: (int(graph.h[state]), int(graph.h[state]), [])

    @cache
    def evaluated(state: int) -> Evaluated:
        return evaluate(graph.state_space, graph.values(state, state + 1)[0].tolist())

    return evaluated
