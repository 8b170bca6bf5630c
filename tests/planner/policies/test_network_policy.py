"""Torch modules as policies of a search. The batch size changes the number of calls and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from policy_graphs import ToyGraph, grid

from fsplan.planner import _core
from fsplan.planner.policies.encoders import Encoder
from fsplan.planner.search.named import focal, prefastar, unroll

torch = pytest.importorskip("torch")

from fsplan.planner.policies.network import TorchPolicy, store_module  # noqa: E402

ACTIONS = ["left", "right", "up", "down", "tunnel"]


def state_space_of(graph: ToyGraph, start: int) -> _core.ExplicitStateSpace:
    edges = [
        (int(source), int(action), int(cost), int(target))
        for source, action, cost, target in zip(graph.source, graph.actions, graph.costs, graph.targets, strict=True)
    ]
    h = [None if d == 2**31 - 1 else int(d) // 2 for d in graph.distance]
    return _core.ExplicitStateSpace(len(graph.values), graph.action_count, start, [0], edges, h)


class Counting(TorchPolicy):
    """Records the number of states in each call."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.calls: list[int] = []

    def logits(self, states: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
        self.calls.append(len(states))
        return super().logits(states)


def noisy_policy(graph: ToyGraph, batch: int, masked: bool = True) -> Counting:
    """A linear network over one-hot states that prefers an optimal action in most states."""
    torch.manual_seed(3)
    generator = np.random.default_rng(8)
    module = torch.nn.Linear(len(graph.values), graph.action_count)
    with torch.no_grad():
        for state, action in zip(graph.source[graph.optimal], graph.actions[graph.optimal], strict=True):
            module.weight[int(action), int(state)] += float(generator.normal(0.6, 1))
    return Counting(module, Encoder.one_hot([len(graph.values)]), ACTIONS, batch=batch, masked=masked, accuracy=0.7)


@pytest.mark.parametrize("order", ["disc1", "disc2", "disc3", "score1", "score3"])
@pytest.mark.parametrize("batch", [4, 64])
def test_batches_change_calls_and_nothing_else(order: str, batch: int) -> None:
    graph = grid(30, weights=True)
    space = state_space_of(graph, len(graph.values) - 2)
    one, many = noisy_policy(graph, 1), noisy_policy(graph, batch)
    single = focal(space, order=order, w="1.3", policy=one)
    batched = focal(space, order=order, w="1.3", policy=many)
    assert (single.plan, single.cost, single.lower_bound) == (batched.plan, batched.cost, batched.lower_bound)
    for count in ("expanded", "generated", "evaluated", "reopened"):
        assert single.statistics[count] == batched.statistics[count]
    assert set(one.calls) == {1}
    assert max(many.calls) <= batch
    assert single.statistics["expanded"] > 100
    assert len(many.calls) * 2 < len(one.calls)


def test_lookahead_overrides_the_policys_batch() -> None:
    graph = grid(20, weights=True)
    space = state_space_of(graph, len(graph.values) - 2)
    policy = noisy_policy(graph, 64)
    focal(space, w="1.2", policy=policy, lookahead=2)
    assert max(policy.calls) == 2


@pytest.mark.parametrize("masked", [True, False])
def test_a_search_is_the_same_with_torch_and_with_the_native_network(masked: bool) -> None:
    graph = grid(20, weights=True)
    space = state_space_of(graph, len(graph.values) - 2)
    policy = noisy_policy(graph, 1, masked)
    native = store_module(policy.module, Encoder.one_hot([len(graph.values)]), ACTIONS).native(masked)
    for search in (focal, prefastar, unroll):
        theirs, ours = search(space, policy=policy), search(space, policy=native)
        assert theirs.plan == ours.plan
        assert theirs.statistics["expanded"] == ours.statistics["expanded"]


def test_masked_scores_sum_to_one_and_literal_ones_to_less() -> None:
    graph = grid(5)
    for masked in (True, False):
        policy = noisy_policy(graph, 8, masked)
        scores = np.asarray(
            _core.policy_scores(policy, np.arange(26, dtype=np.int32)[:, None], graph.begin, graph.actions)
        )
        sums = np.add.reduceat(np.exp(scores.astype(np.float64)), graph.begin[:-1])
        assert (sums < 1 + 1e-5).all()
        assert (sums > 1 - 1e-5).all() == masked


def test_a_function_as_encoder() -> None:
    module = torch.nn.Linear(1, 5)

    def halves(states: npt.NDArray[np.int32]) -> Any:
        return torch.as_tensor(states[:, :1] / 2, dtype=torch.float32)

    policy = TorchPolicy(module, halves, ACTIONS)
    states = np.array([[3], [4]], dtype=np.int32)
    expected = module(torch.tensor([[1.5], [2.0]])).detach().numpy()
    assert policy.logits(states) == pytest.approx(expected)


def test_a_network_of_the_wrong_shape_is_reported() -> None:
    graph = grid(4)
    policy = TorchPolicy(torch.nn.Linear(17, 3), Encoder.one_hot([17]), ACTIONS)
    with pytest.raises(ValueError, match=r"the network gave \(1, 3\) numbers, expected \(1, 5\)"):
        focal(state_space_of(graph, 15), policy=policy, lookahead=1)


def test_an_array_policy_must_return_an_array() -> None:
    class Broken(_core.ArrayPolicy):
        def score_arrays(self, *arrays: Any) -> object:
            return [0.0]

    with pytest.raises(ValueError, match="must return 2 32-bit floats"):
        focal(state_space_of(grid(4), 3), policy=Broken(1))
