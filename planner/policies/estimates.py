"""What a search knows about the successors of a state, for policies that read it: `ff` ranks by relaxed plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fsplan.planner import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy.typing as npt

    from fsplan.planner.explore import SearchGraph

    # h, the guide (h_FF), and the helpful actions of a state.
    Evaluated = tuple[int, int, list[int]]

_DEAD_END = 2**31 - 1


class EdgeEstimates(NamedTuple):
    """Per edge: its cost, h and guide of the successor, and whether the action is helpful."""

    costs: npt.NDArray[np.int32]
    heuristics: npt.NDArray[np.int32]
    guides: npt.NDArray[np.int32]
    helpful: npt.NDArray[np.uint8]


def read_by(policy: Any) -> bool:
    """Whether a policy reads estimates."""
    return isinstance(policy, _core.Policy) and policy.needs_guide()


def evaluate(space: _core.StateSpace, values: list[int]) -> Evaluated:
    """h, guide and helpful actions by the default heuristic of a grounded task."""
    if not isinstance(space, _core.GroundStateSpace):
        raise ValueError("this policy reads relaxed plans, which single states of this kind of task do not have")
    h, guide, helpful = space.evaluate(space.heuristics()[0], values)
    return _DEAD_END if h is None else h, _DEAD_END if guide is None else guide, helpful


def of_edges(rows: Iterable[tuple[list[int], Iterable[tuple[int, int, Evaluated]]]]) -> EdgeEstimates:
    """From each state's helpful actions and (action, cost, successor's evaluation) of each edge."""
    edges = [(cost, found[0], found[1], action in helpful) for helpful, row in rows for action, cost, found in row]
    columns = list(zip(*edges, strict=True)) or [()] * 4
    costs, heuristics, guides = (np.array(column, dtype=np.int32) for column in columns[:3])
    return EdgeEstimates(costs, heuristics, guides, np.array(columns[3], dtype=np.uint8))


def of_graph(graph: SearchGraph, states: npt.NDArray[np.int64]) -> EdgeEstimates:
    """Of the edges of some states of an explored graph; without relaxed plans h is the guide, as in a search."""
    begin = graph.edges_begin.astype(np.int64)
    evaluated = _evaluations(graph)
    rows = []
    for state in states.tolist():
        edges = range(begin[state], begin[state + 1])
        row = [(int(graph.action[e]), int(graph.cost[e]), evaluated(int(graph.target[e]))) for e in edges]
        rows.append((evaluated(state)[2], row))
    return of_edges(rows)


def _evaluations(graph: SearchGraph) -> Callable[[int], Evaluated]:
    """State -> its evaluation, computed once."""
    from functools import cache

    if not isinstance(graph.state_space, _core.GroundStateSpace):
        if not len(graph.h):
            raise ValueError("this policy reads h: explore the graph with a heuristic")
        return lambda state: (int(graph.h[state]), int(graph.h[state]), [])

    @cache
    def evaluated(state: int) -> Evaluated:
        return evaluate(graph.state_space, graph.values(state, state + 1)[0].tolist())

    return evaluated
