"""The native network ranks actions like torch on every instruction set of the processor."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from fsplan.planner import _core

torch = pytest.importorskip("torch")

STATES = 100_000
TILES = 16


def make_layers(sizes: list[int], seed: int) -> list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]:
    """Random weights of the same magnitude as those of a trained network."""
    generator = np.random.default_rng(seed)
    return [
        (
            (generator.normal(size=(outputs, inputs)) * math.sqrt(2 / inputs)).astype(np.float32),
            (generator.normal(size=outputs) * 0.1).astype(np.float32),
        )
        for inputs, outputs in pairwise(sizes)
    ]


def torch_logits(
    layers: list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]], inputs: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    with torch.no_grad():
        x = torch.from_numpy(inputs)
        for number, (weight, bias) in enumerate(layers):
            x = torch.nn.functional.linear(x, torch.from_numpy(weight), torch.from_numpy(bias))
            if number + 1 < len(layers):
                x = torch.relu(x)
    return np.asarray(x.numpy(), dtype=np.float32)


def random_states(count: int, seed: int) -> npt.NDArray[np.int32]:
    generator = np.random.default_rng(seed)
    return np.argsort(generator.random((count, TILES)), axis=1).astype(np.int32)


def one_hot(values: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
    return np.asarray(values[:, :, None] == np.arange(TILES), dtype=np.float32).reshape(len(values), TILES * TILES)


def random_actions(count: int, actions: int, each: int, seed: int) -> npt.NDArray[np.uint32]:
    generator = np.random.default_rng(seed)
    start = generator.integers(0, actions, (count, 1))
    return np.sort((start + np.arange(each) * 7) % actions, axis=1).astype(np.uint32)


def log_softmax(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    x = x - x.max(axis=1, keepdims=True)
    return np.asarray(x - np.log(np.exp(x).sum(axis=1, keepdims=True)), dtype=np.float32)


def native_scores(
    layers: list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]],
    values: npt.NDArray[np.int32],
    actions: npt.NDArray[np.uint32],
    masked: bool,
    instruction_set: str,
    reading: str = "log-probabilities",
) -> npt.NDArray[np.float32]:
    policy = _core.MlpPolicy(
        [(weight.tobytes(), bias.tobytes()) for weight, bias in layers],
        TILES * TILES,
        [TILES] * TILES,
        masked=masked,
        instruction_set=instruction_set,
    )
    assert policy.instruction_set == instruction_set
    begin = np.arange(0, actions.size + 1, actions.shape[1], dtype=np.uint32)
    scores = _core.policy_scores(policy, values, begin, actions.ravel(), reading)
    return np.asarray(scores).reshape(actions.shape)


def assert_same_decisions(ours: npt.NDArray[np.float32], theirs: npt.NDArray[np.float32]) -> None:
    """Asserts that scores differ by less than 1e-5, and that pairs of scores further apart have the same order."""
    assert np.abs(ours - theirs).max() < 1e-5
    gap = theirs[:, :, None] - theirs[:, None, :]
    clear = np.abs(gap) > 1e-5
    assert clear.mean() > 0.4
    assert (np.sign(gap)[clear] == np.sign(ours[:, :, None] - ours[:, None, :])[clear]).all()
    best = np.sort(theirs, axis=1)
    clear_best = best[:, -1] - best[:, -2] > 1e-5
    assert (ours.argmax(axis=1) == theirs.argmax(axis=1))[clear_best].all()


@pytest.mark.parametrize("instruction_set", _core.instruction_sets())
@pytest.mark.parametrize("sizes", [[256, 160, 80, 16, 4], [256, 33, 130]], ids=["paper", "wide"])
def test_decisions_over_many_states(sizes: list[int], instruction_set: str) -> None:
    layers, values = make_layers(sizes, 1), random_states(STATES, 2)
    actions = random_actions(STATES, sizes[-1], 4, 3)
    theirs = np.take_along_axis(torch_logits(layers, one_hot(values)), actions.astype(np.int64), axis=1)
    ours = native_scores(layers, values, actions, True, instruction_set)
    assert_same_decisions(ours, log_softmax(theirs))


@pytest.mark.parametrize("instruction_set", _core.instruction_sets())
@pytest.mark.parametrize(
    "sizes",
    [[256, 1], [256, 5], [256, 100], [256, 17, 31, 65], [256, 200, 3], [256, 16, 240, 250, 8]],
    ids=str,
)
@pytest.mark.parametrize("masked", [True, False])
def test_every_shape(sizes: list[int], masked: bool, instruction_set: str) -> None:
    layers, values = make_layers(sizes, 4), random_states(300, 5)
    actions = random_actions(300, sizes[-1], min(3, sizes[-1]), 6)
    logits = torch_logits(layers, one_hot(values))
    chosen = np.take_along_axis(logits if masked else log_softmax(logits), actions.astype(np.int64), axis=1)
    ours = native_scores(layers, values, actions, masked, instruction_set)
    assert np.abs(ours - (log_softmax(chosen) if masked else chosen)).max() < 1e-5


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("sizes", [[256, 160, 80, 16, 4], [256, 33, 19, 40], [256, 33, 130]], ids=str)
def test_approximate_scores_rank_actions_like_exact_ones(sizes: list[int], masked: bool) -> None:
    """If a search needs only ranks, the network computes approximate scores; the ranks must not depend on that."""
    layers, values = make_layers(sizes, 7), random_states(20_000, 8)
    actions = random_actions(20_000, sizes[-1], 4, 9)
    exact = native_scores(layers, values, actions, masked, "portable")
    for reading in ("ranks", "first-choice"):
        answers = [
            native_scores(layers, values, actions, masked, name, reading).argsort(axis=1, kind="stable")
            for name in _core.instruction_sets()
        ]
        for answer in answers:
            assert (answer[:, -1] == exact.argsort(axis=1, kind="stable")[:, -1]).all()
            if reading == "ranks":
                assert (answer == exact.argsort(axis=1, kind="stable")).all()


def test_approximate_scores_are_used_for_networks_with_few_outputs() -> None:
    """Approximate scores differ from log-probabilities: the first choice has the score 0, not less than 0."""
    actions = random_actions(1000, 4, 4, 11)
    for sizes, quick in ([256, 160, 80, 16, 4], True), ([256, 33, 130], False):
        scores = native_scores(
            make_layers(sizes, 7), random_states(1000, 10), actions, True, _core.instruction_sets()[0], "first-choice"
        )
        assert bool((scores.max(axis=1) == 0).mean() > 0.8) is quick
    with pytest.raises(ValueError, match="reading 'thoughts' is unknown; choose one of: log-probabilities"):
        native_scores(make_layers([256, 4], 7), random_states(1, 1), actions[:1], True, "portable", "thoughts")


def test_the_portable_code_is_always_available() -> None:
    assert _core.instruction_sets()[-1] == "portable"
    with pytest.raises(ValueError, match="abacus is not available"):
        native_scores(make_layers([256, 2], 1), random_states(1, 1), random_actions(1, 2, 2, 1), True, "abacus")


def linear_policy(masked: bool = True, encoding: list[int] | None = None) -> _core.MlpPolicy:
    """A network for two variables with two values each; the logit of action i is input i."""
    weight, bias = np.eye(4, dtype=np.float32), np.zeros(4, dtype=np.float32)
    return _core.MlpPolicy([(weight.tobytes(), bias.tobytes())], 4, [2, 2], encoding or [], masked)


def scores_of(policy: _core.MlpPolicy, values: list[list[int]], actions: list[list[int]]) -> list[float]:
    begin = np.cumsum([0, *map(len, actions)]).astype(np.uint32)
    flat = np.array([a for row in actions for a in row], dtype=np.uint32)
    return [float(x) for x in _core.policy_scores(policy, np.array(values, dtype=np.int32), begin, flat)]


def test_masked_and_literal_reading() -> None:
    e = math.e
    assert scores_of(linear_policy(), [[0, 1]], [[0, 1, 2]]) == pytest.approx(
        [math.log(e / (e + 2)), math.log(1 / (e + 2)), math.log(1 / (e + 2))]
    )
    assert scores_of(linear_policy(masked=False), [[0, 1]], [[0, 1, 2]]) == pytest.approx(
        [math.log(e / (2 * e + 2)), math.log(1 / (2 * e + 2)), math.log(1 / (2 * e + 2))]
    )


def test_ragged_batches_and_states_without_actions() -> None:
    scores = scores_of(linear_policy(), [[0, 0], [1, 1], [1, 0]], [[3], [], [0, 1]])
    assert scores == pytest.approx([0, math.log(1 / (1 + math.e)), math.log(math.e / (1 + math.e))])


def test_fact_bits_leave_values_out() -> None:
    policy = linear_policy(encoding=[-1, 0, 3, -1])
    assert scores_of(policy, [[0, 1]], [[0, 1, 2, 3]]) == pytest.approx([math.log(0.25)] * 4)
    on = scores_of(policy, [[1, 0]], [[0, 1, 2, 3]])
    assert on[0] == pytest.approx(on[3])
    assert on[1] == pytest.approx(on[2])
    assert on[0] - on[1] == pytest.approx(1)


def test_scores_stay_finite() -> None:
    weight = np.array([[1e30, 0], [0, 0]], dtype=np.float32)
    policy = _core.MlpPolicy([(weight.tobytes(), bytes(8))], 2, [2])
    scores = scores_of(policy, [[0]], [[0, 1]])
    assert scores == [0, -700]


def test_states_actions_and_arrays_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="2 integers, these have 3"):
        scores_of(linear_policy(), [[0, 0, 0]], [[0]])
    with pytest.raises(IndexError, match="value 2 of integer 1"):
        scores_of(linear_policy(), [[0, 2]], [[0]])
    with pytest.raises(IndexError, match="value -1 of integer 0"):
        scores_of(linear_policy(), [[-1, 0]], [[0]])
    with pytest.raises(IndexError, match="action 4"):
        scores_of(linear_policy(), [[0, 0]], [[4]])
    values, zero = np.zeros((1, 2), np.int32), np.zeros(1, np.uint32)
    for begin in ([0], [0, 2], [1, 1], [0, 1, 1]):
        with pytest.raises(ValueError, match="edges_begin"):
            _core.policy_scores(linear_policy(), values, np.array(begin, np.uint32), zero)
    with pytest.raises(ValueError, match="shape of the layer"):
        _core.MlpPolicy([(bytes(12), bytes(8))], 2, [2])
    with pytest.raises(ValueError, match="input 4, the network has 4"):
        linear_policy(encoding=[0, 1, 2, 4])
    with pytest.raises(ValueError, match="not finite"):
        _core.MlpPolicy([(np.array([np.nan], np.float32).tobytes(), bytes(4))], 1, [1])
