"""Whole state spaces are enumerated and compared with figures that were computed independently."""

from __future__ import annotations

import eight_puzzle
import numpy as np
import pytest
from support import known

from fsplan.domains import specs
from fsplan.domains.generators import is_solvable
from fsplan.planner._core import StateSpace
from fsplan.planner.graphs.explore import SearchGraph, TooManyStates, explore
from fsplan.planner.search.solve import solve

PANCAKES_BY_DEPTH = [1, 8, 56, 391, 2278, 10666, 38015, 93585, 132697, 79379, 5804]


@pytest.fixture(scope="module")
def tiles() -> SearchGraph:
    return explore(specs.state_space("tiles8:random/1"), heuristic="linear_conflict")


@pytest.fixture(scope="module")
def pancakes() -> SearchGraph:
    return explore(specs.state_space("pancake9:random/1"), heuristic="gap")


def mean_optimal_actions(graph: SearchGraph) -> float:
    return float(graph.optimal_edges().sum() / (len(graph) - graph.goal.sum()))


def is_consistent(graph: SearchGraph) -> bool:
    h = graph.h
    return bool((h[graph.edge_sources()] <= graph.cost + h[graph.target]).all() and (h[graph.goal == 1] == 0).all())


def test_eight_puzzle(tiles: SearchGraph) -> None:
    assert len(tiles) == 181_440
    assert tiles.h_star.max() == 31
    assert tiles.h_star.mean() == pytest.approx(21.9724, abs=5e-5)
    assert tiles.edge_count / len(tiles) == pytest.approx(2.6667, abs=5e-5)
    assert mean_optimal_actions(tiles) == pytest.approx(1.3333, abs=5e-5)
    assert tiles.h.mean() == pytest.approx(15.1190, abs=5e-5)
    assert (tiles.h <= tiles.h_star).all()
    assert is_consistent(tiles)


def test_eight_puzzle_state_by_state(tiles: SearchGraph) -> None:
    known = eight_puzzle.distances()
    values = tiles.values()
    assert all(known[tuple(row)] == h for row, h in zip(values.tolist(), tiles.h_star.tolist(), strict=True))
    for state in range(0, len(tiles), 997):
        row = slice(int(tiles.edges_begin[state]), int(tiles.edges_begin[state + 1]))
        children = [tuple(values[target].tolist()) for target in tiles.target[row]]
        assert list(zip(tiles.action[row].tolist(), children, strict=True)) == eight_puzzle.moves(
            tuple(values[state].tolist())
        )


def test_nine_pancakes(pancakes: SearchGraph) -> None:
    assert len(pancakes) == 362_880
    assert np.bincount(pancakes.h_star).tolist() == PANCAKES_BY_DEPTH
    assert pancakes.h_star.mean() == pytest.approx(7.6635, abs=5e-5)
    assert pancakes.edge_count == 8 * len(pancakes)
    assert mean_optimal_actions(pancakes) == pytest.approx(2.2226, abs=5e-5)
    assert pancakes.h.mean() == pytest.approx(7.1111, abs=5e-5)
    assert (pancakes.h <= pancakes.h_star).all()
    assert is_consistent(pancakes)


@pytest.mark.parametrize("spec", ["tiles2x4:random/1", "tiles3x2:random/1", "tiles8:random/1"])
@pytest.mark.parametrize("heuristic", ["linear_conflict", "manhattan", "blind"])
def test_heuristics_are_consistent(spec: str, heuristic: str) -> None:
    graph = explore(specs.state_space(spec), heuristic=heuristic)
    assert len(graph) == {"tiles2x4": 20160, "tiles3x2": 360, "tiles8": 181_440}[spec.split(":")[0]]
    assert (graph.h <= graph.h_star).all()
    assert is_consistent(graph)


def test_a_pattern_database_of_all_tiles_gives_the_goal_distances(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fsplan.planner.tasks.pattern_databases import attach

    monkeypatch.setenv("FSPLAN_CACHE", str(tmp_path_factory.mktemp("cache")))
    space = specs.state_space("tiles8:random/1")
    attach(space, "pdb8")
    graph = explore(space, heuristic="pdb8")
    assert np.array_equal(graph.h, graph.h_star)


def test_enumerating_more_states_than_allowed_raises_an_error() -> None:
    with pytest.raises(TooManyStates):
        explore(specs.state_space("tiles15:korf/1"), max_states=1000)


def test_states_have_names(tiles: SearchGraph) -> None:
    goal = int(np.flatnonzero(tiles.goal)[0])
    assert tiles.state_name(goal) == "_ 1 2 / 3 4 5 / 6 7 8"
    assert explore(specs.state_space("pancake:2,1,3")).state_name(0) == "2 1 3"


@pytest.mark.parametrize(("row", "conflict"), [([3, 2, 1], 4), ([2, 3, 1], 2), ([1, 2, 3], 0)])
def test_linear_conflict_counts_tiles_not_pairs(row: list[int], conflict: int) -> None:
    """Linear conflict adds 2 per tile that must leave its row (two in 3 2 1, one in 2 3 1), not per reversed pair."""
    board = [*row, 0, *range(4, 16)]
    if not is_solvable(board, 4):
        board[5], board[10] = board[10], board[5]
    space = specs.state_space("tiles15:" + ",".join(map(str, board)))
    assert start_h(space, "linear_conflict") - start_h(space, "manhattan") == conflict


def test_heuristics_of_korf() -> None:
    sources = [specs.state_space(f"tiles15:korf/{number}") for number in range(1, 101)]
    assert sum(start_h(space, "manhattan") for space in sources) == 3705
    assert sum(start_h(space, "linear_conflict") for space in sources) == 3909


def start_h(space: StateSpace, heuristic: str) -> int:
    """The h-value of the initial state: the lower bound of A* if it is stopped before its first expansion."""
    return known(solve(space, "astar", heuristic=heuristic, time_limit=1e-9).lower_bound)
