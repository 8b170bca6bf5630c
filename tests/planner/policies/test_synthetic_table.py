"""Scores and accuracy of synthetic policies on graphs given as arrays."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from policy_graphs import ToyGraph, grid

from fsplan.planner import _core

GRID = grid(60)


def make(graph: ToyGraph = GRID, accuracy: float = 0.8, **options: Any) -> _core.SyntheticPolicy:
    return _core.SyntheticPolicy(**graph.arrays(), accuracy=accuracy, **options)


def scores(policy: _core.Policy, graph: ToyGraph = GRID) -> npt.NDArray[np.float32]:
    return np.asarray(_core.policy_scores(policy, graph.values, graph.begin, graph.actions))


def best_edges(graph: ToyGraph, log_probabilities: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
    """The first best edge of every state."""
    begin = graph.begin.astype(np.int64)
    return np.array([b + np.argmax(log_probabilities[b:e]) for b, e in pairwise(begin)])


def masked_accuracy(graph: ToyGraph, log_probabilities: npt.NDArray[np.float32]) -> float:
    return float(graph.optimal[best_edges(graph, log_probabilities)][graph.decides].mean())


@pytest.mark.parametrize("accuracy", [0.0, 0.3, 0.7, 0.9, 1.0])
@pytest.mark.parametrize("support", ["all", "applicable"])
@pytest.mark.parametrize("shared", [True, False])
def test_the_measured_accuracy_agrees_with_the_scores(accuracy: float, support: str, shared: bool) -> None:
    policy = make(accuracy=accuracy, support=support, shared=shared, seed=3)
    assert policy.decisions == GRID.decides.sum()
    assert policy.masked_correct / policy.decisions == masked_accuracy(GRID, scores(policy))
    if support == "applicable":
        assert policy.literal_correct == policy.masked_correct


def test_the_drawn_action_is_optimal_as_often_as_requested() -> None:
    """If a state has only one optimal action, the accuracy over all actions is the target; otherwise it is greater."""
    edges = [[(0, 1, 0), (1, 1, i)] if i else [] for i in range(20_000)]
    single = ToyGraph([[i] for i in range(20_000)], [20_000], edges, {0}, 2)
    for accuracy in (0.2, 0.7, 0.95):
        policy = make(single, accuracy)
        assert policy.literal_correct / policy.decisions == pytest.approx(accuracy, abs=0.015)
    policy = make(accuracy=0.7)
    second = float(np.add.reduceat(GRID.optimal, GRID.begin[:-1])[GRID.decides].mean()) - 1
    assert policy.literal_correct / policy.decisions == pytest.approx(0.7 + 0.3 * second / 4, abs=0.03)


def test_all_states_have_the_same_scores_in_different_orders() -> None:
    policy = make(masked=False)
    listed = np.array(policy.scores(1))
    assert len(listed) == GRID.action_count
    assert (np.diff(listed) < 0).all()
    assert np.exp(listed).sum() == pytest.approx(1, abs=1e-6)
    ours = scores(policy)
    assert np.isin(ours, listed.astype(np.float32)).all()
    for begin, end in zip(GRID.begin[:-1], GRID.begin[1:], strict=True):
        assert len(set(ours[begin:end])) == end - begin


def test_a_wrong_drawn_action_gets_high_scores_more_often() -> None:
    """If the drawn action does not get the highest score y_1, it gets y_j, j ≥ 2, with a probability ∝ y_j."""
    edges = [[(a, 1, 0 if a == 0 else i) for a in range(4)] if i else [] for i in range(40_000)]
    star = ToyGraph([[i] for i in range(40_000)], [40_000], edges, {0}, 4)
    policy = make(star, 0.25, masked=False, seed=9)
    listed = np.array(policy.scores(4), dtype=np.float32)
    drawn = scores(policy, star)[star.actions == 0]
    y = np.exp(listed.astype(np.float64))
    expected = np.concatenate([[0.25], 0.75 * y[1:] / y[1:].sum()])
    found = np.array([(drawn == score).mean() for score in listed])
    assert found == pytest.approx(expected, abs=0.01)
    other = scores(policy, star)[star.actions == 2]
    rest = (1 - expected) / 3
    assert np.array([(other == score).mean() for score in listed]) == pytest.approx(rest, abs=0.01)


def test_masking_renormalises_over_applicable_actions() -> None:
    masked, literal = scores(make(masked=True)), scores(make(masked=False))
    sums = np.add.reduceat(np.exp(masked.astype(np.float64)), GRID.begin[:-1])
    assert sums == pytest.approx(1, abs=1e-5)
    assert (np.add.reduceat(np.exp(literal.astype(np.float64)), GRID.begin[:-1]) < 1).any()
    assert (best_edges(GRID, masked) == best_edges(GRID, literal)).all()


def test_pure_function_of_seed_and_state() -> None:
    first, again, other = (scores(make(seed=seed)) for seed in (5, 5, 6))
    assert (first == again).all()
    assert (first != other).any()
    order = np.random.default_rng(0).permutation(len(GRID.values))
    policy = make(seed=5)
    alone = [
        np.asarray(
            _core.policy_scores(
                policy,
                GRID.values[i : i + 1],
                np.array([0, GRID.begin[i + 1] - GRID.begin[i]], dtype=np.uint32),
                GRID.actions[GRID.begin[i] : GRID.begin[i + 1]],
            )
        )
        for i in order[:200]
    ]
    for i, found in zip(order[:200], alone, strict=True):
        assert (found == first[GRID.begin[i] : GRID.begin[i + 1]]).all()


@pytest.mark.parametrize("distribution", ["normal", "uniform", "exponential"])
def test_distribution_and_scale_shape_the_list(distribution: str) -> None:
    def spread(scale: float) -> float:
        listed = make(distribution=distribution, scale=scale).scores(1)
        return listed[0] - listed[-1]

    assert spread(2.0) == pytest.approx(2 * spread(1.0), rel=1e-4)
    assert make(distribution=distribution).decisions == make().decisions


def test_accuracy_state_by_state() -> None:
    wanted = np.where(GRID.distance > 60, 0.0, 1.0).astype(np.float32)
    right = GRID.optimal[best_edges(GRID, scores(make(accuracies=wanted, support="applicable")))]
    assert right[GRID.decides & (GRID.distance <= 60)].all()
    assert right[GRID.decides & (GRID.distance > 60)].mean() < 0.5


def test_dead_ends_and_goals_are_left_out_of_the_accuracy() -> None:
    graph = grid(2)
    assert graph.decides.tolist() == [False, True, True, True, False]
    policy = make(graph, 1.0)
    assert (policy.decisions, policy.masked_correct, policy.literal_correct) == (3, 3, 3)
    assert np.isfinite(scores(policy, graph)).all()


def test_memory_is_a_small_multiple_of_the_states() -> None:
    assert make().bytes < 60 * len(GRID.values)


def test_impossible_parameters_are_refused() -> None:
    for options, reason in (
        ({"accuracy": 1.1}, "accuracy"),
        ({"accuracy": math.nan}, "accuracy"),
        ({"scale": 0.0}, "scale"),
        ({"distribution": "cauchy"}, "'cauchy' is unknown; choose one of: normal, uniform, exponential"),
        ({"support": "none"}, "support 'none'"),
        ({"accuracies": np.ones(3, dtype=np.float32)}, "one entry per state"),
    ):
        with pytest.raises(ValueError, match=reason):
            make(**options)
    policy, begin, action = make(), np.array([0, 1], np.uint32), np.zeros(1, np.uint32)
    with pytest.raises(IndexError, match="outside the graph"):
        _core.policy_scores(policy, np.array([[1, 1, 1]], np.int32), begin, action)
    with pytest.raises(IndexError, match="outside the graph"):
        _core.policy_scores(policy, np.array([[1, 99, 0]], np.int32), begin, action)
    with pytest.raises(ValueError, match="another task"):
        _core.policy_scores(policy, np.array([[1, 1]], np.int32), begin, action)
    broken = GRID.arrays() | {"targets": GRID.targets + 10**6}
    with pytest.raises(ValueError, match="leaves the graph"):
        _core.SyntheticPolicy(**broken, accuracy=0.5)
