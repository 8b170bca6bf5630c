"""Small graphs on which searches are known to go wrong."""

from __future__ import annotations

from fsplan.planner import _core
from fsplan.planner.search import solve

EDGES = [(0, 1, 1), (0, 6, 3), (1, 7, 11), (6, 7, 1), (7, 8, 1), (7, 12, 6), (8, 9, 2), (12, 9, 5)]
PREFERENCE = [9, 0, 12, 8, 7, 1, 6]


def preference_graph() -> tuple[_core.Source, _core.TablePolicy]:
    """The graph of EDGES, one action per edge, and a policy that makes Score-3 order FOCAL by PREFERENCE."""
    actions = len(EDGES)
    edges = [(start, action, cost, end) for action, (start, end, cost) in enumerate(EDGES)]
    h = [1 if state == 6 else 0 for state in range(13)]
    table = [-700.0] * (13 * actions)
    for start, action, _, end in edges:
        table[start * actions + action] = -float(PREFERENCE.index(end))
    return _core.ExplicitSource(13, actions, 0, [9], edges, h), _core.TablePolicy(table, actions)


def test_without_reopening_the_bound_breaks_and_is_not_certified() -> None:
    task, policy = preference_graph()
    result = solve(task, order="score3", w=3, policy=policy, reopen=False)
    assert (result.cost, result.certified) == (23, False)
    assert result.lower_bound is not None
    assert result.lower_bound <= 7


def test_with_reopening_the_bound_holds() -> None:
    task, policy = preference_graph()
    result = solve(task, order="score3", w=3, policy=policy)
    assert result.cost is not None
    assert result.cost <= 21
    assert result.certified
    assert solve(task, "astar").cost == 7
