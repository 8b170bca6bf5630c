"""Small graphs on which searches with certain errors give wrong results; random graphs do not show these errors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fsplan.planner import _core
from fsplan.planner.search.solve import solve


def graph(
    edges: Sequence[tuple[int, int, int]],
    goals: list[int],
    h: dict[int, int | None] | None = None,
    guides: list[int | None] | None = None,
) -> _core.ExplicitStateSpace:
    """A state space with the edges (from, to, cost); the action of an edge is its index in the list."""
    states = 1 + max(max(start, end) for start, end, _ in edges)
    table = [(h or {}).get(state, 0) for state in range(states)]
    numbered = [(start, action, cost, end) for action, (start, end, cost) in enumerate(edges)]
    return _core.ExplicitStateSpace(states, len(edges), 0, goals, numbered, table, guides or [], [])


def preferring(edges: Sequence[tuple[int, int, int]], states: list[int]) -> _core.TablePolicy:
    """A policy with which Score-3 expands nodes in the order of their states in the list."""
    count = len(edges)
    table = [-700.0] * (count * (1 + max(max(start, end) for start, end, _ in edges)))
    for action, (start, end, _) in enumerate(edges):
        table[start * count + action] = -float(states.index(end))
    return _core.TablePolicy(table, count)


REOPENING = [(0, 1, 1), (0, 6, 3), (1, 7, 11), (6, 7, 1), (7, 8, 1), (7, 12, 6), (8, 9, 2), (12, 9, 5)]
PREFERENCE = [9, 0, 12, 8, 7, 1, 6]


def test_without_reopening_the_bound_breaks_and_is_not_certified() -> None:
    space, policy = graph(REOPENING, [9], {6: 1}), preferring(REOPENING, PREFERENCE)
    result = solve(space, order="score3", paper=True, w=3, policy=policy, reopen=False)
    assert (result.cost, result.certified, result.proven_ratio) == (23, False, None)
    assert result.lower_bound is not None
    assert result.lower_bound <= 7


def test_dead_ends_are_pruned_by_h_and_never_by_the_focal_key() -> None:
    """The only plan begins with an action of probability 0, and the guide (h_FF) is infinite in its successor."""
    space = graph([(0, 1, 1), (0, 2, 1), (1, 3, 1)], [3], {2: None}, guides=[0, None, 0, 0])
    for order in ("score1", "score2", "score3", "score4", "disc2", "disc3"):
        result = solve(space, order=order, paper=True, policy=_core.TablePolicy([-math.inf] * 12, 3))
        assert (result.status, result.plan) == ("solved", ["0", "2"])
        assert result.statistics["dead_ends"] == 1
        assert solve(space, order=order, paper=True, policy="ff").plan == ["0", "2"]


def test_a_node_that_enters_focal_later_keeps_its_g() -> None:
    """State 2 (f = 5) is outside FOCAL until the bound is 3; the goal (f = 4) must be expanded before it."""
    edges = [(0, 1, 3), (0, 2, 5), (1, 3, 1), (2, 3, 0)]

    def by_f(step: _core.OrderStep) -> float:
        return step.f

    result = solve(graph(edges, [3]), order=by_f, paper=True, w=2)
    assert (result.plan, result.cost, result.statistics["expanded"]) == (["0", "2"], 4, 2)


def test_w_is_exact() -> None:
    """With w = 1.15 and a bound of 100, f = 115 is allowed, although 1.15 * 100 = 114.99999 in floating point."""
    edges = [(0, 1, 115), (0, 2, 100), (2, 1, 0)]
    space, policy = graph(edges, [1], {0: 100}), preferring(edges, [0, 1, 2])
    assert 1.15 * 100 < 115
    for w in ("1.15", 1.15, "23/20"):
        result = solve(space, order="score3", paper=True, w=w, policy=policy)
        assert (result.cost, result.lower_bound, result.certified) == (115, 100, True)
    assert solve(space, order="score3", paper=True, w="1.1499", policy=policy).cost == 100


def test_weights_with_many_digits_keep_their_bound() -> None:
    space = graph([(0, 1, 3), (0, 2, 1), (2, 1, 1)], [1], {0: 2})
    for w in (4 / 3, "1.0000000000000001", 10**15):
        for search in ("wastar", "focal", "optimistic"):
            result = solve(space, search, w=w)
            assert result.certified
            assert result.cost in (2, 3)


def test_path_likelihoods_do_not_underflow() -> None:
    """The plan has 3000 steps of probability 1e-300 each. Score-1 uses logarithms, so the product does not become 0."""
    steps = 3000
    edges = [(state, state + 1, 1) for state in range(steps)]
    table = _core.TablePolicy([-690.0] * (steps * (steps + 1)), steps)
    for order in ("score1", "score2"):
        result = solve(graph(edges, [steps]), order=order, paper=True, w=2, policy=table)
        assert (result.cost, result.statistics["expanded"]) == (steps, steps)
