"""Training networks on arrays of examples: accuracy, reproducibility, resuming and the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from policy_graphs import ToyGraph, grid
from support import known

from fsplan.planner import _core
from fsplan.planner.policies import files
from fsplan.planner.policies.container import PolicyFileError
from fsplan.planner.policies.encoders import Encoder
from fsplan.planner.policies.examples import Examples

torch = pytest.importorskip("torch")

from fsplan.planner.learning.training import TrainingOptions, loss_and_choice, train  # noqa: E402
from fsplan.planner.policies.network import Mlp, TorchPolicy, load_module, store_module  # noqa: E402
from fsplan.planner.policies.report import Epoch, Step  # noqa: E402

ACTIONS = ["left", "right", "up", "down", "tunnel"]
OPTIONS: dict[str, Any] = {"hidden": (32, 16), "epochs": 25, "batch": 64, "learning_rate": 1e-2}


def examples_of(graph: ToyGraph) -> Examples:
    kept = graph.decides[graph.source]
    begin = np.concatenate([[0], np.cumsum(np.diff(graph.begin.astype(np.int64))[graph.decides])])
    return Examples(
        graph.values[graph.decides],
        graph.domain_sizes,
        graph.action_count,
        begin,
        graph.actions[kept],
        graph.optimal[kept],
        None,
        graph.distance[graph.decides],
    )


EXAMPLES = examples_of(grid(24, weights=True))


def weights(module: Any) -> dict[str, list[float]]:
    return {name: tensor.flatten().tolist() for name, tensor in module.state_dict().items()}


def traces_of(states: list[int], groups: list[int]) -> Examples:
    count = len(states)
    begin, ones = np.arange(count + 1), np.ones(count)
    return Examples(np.array(states)[:, None], [max(states) + 1], 1, begin, 0 * ones, ones, np.array(groups))


def test_no_held_out_state_is_trained_on() -> None:
    """The example: twenty traces with different first states that all continue with the states 1 and 0."""
    examples = traces_of(
        [state for n in range(20) for state in (n + 2, 1, 0)], [n for n in range(20) for _ in range(3)]
    )
    rest, validation, test = examples.split([0.1, 0.2], seed=3)
    assert (len(rest), len(validation), len(test)) == (42, 2, 4)
    held_out = examples.values[np.concatenate([validation, test])]
    assert not np.isin(held_out, examples.values[rest]).any()
    _, report = train(examples, TrainingOptions(hidden=(4,), epochs=1, validation=0.1, test=0.2, seed=3))
    assert report.accuracy_json()["left_out"] == 12
    assert "12 held-out states that also occur in training" in report.text()


def test_equal_states_of_several_problems_are_all_in_training_or_all_in_test() -> None:
    one, other = traces_of(list(range(50)), list(range(50))), traces_of(list(range(49, -1, -1)), list(range(50)))
    joined = Examples.join([one, other])
    rest, test = joined.split([0.2], seed=0)
    assert (len(rest), len(test)) == (80, 20)
    assert not np.isin(joined.values[test], joined.values[rest]).any()


def test_learns_an_easy_task_and_reports() -> None:
    seen: list[Epoch] = []
    module, report = train(EXAMPLES, TrainingOptions(**OPTIONS), on_progress=seen.append)
    assert report.test_accuracy > 0.9
    assert [epoch.number for epoch in seen] == list(range(1, len(seen) + 1))
    assert seen[-1].loss < seen[0].loss
    total = sum(part.count for part in report.accuracies.values())
    assert total == len(EXAMPLES)
    table = report.accuracies["test"].by_distance
    assert sum(n for n, _ in table.values()) == report.accuracies["test"].count
    assert sum(right for _, right in table.values()) == report.accuracies["test"].hits
    assert "by distance" in report.text()
    assert isinstance(module, Mlp)
    assert module.sizes == [50, 32, 16, 5]


def test_same_seed_same_network() -> None:
    options = {**OPTIONS, "epochs": 3}
    first, again = (train(EXAMPLES, TrainingOptions(**options, seed=4))[0] for _ in range(2))
    other, _ = train(EXAMPLES, TrainingOptions(**options, seed=5))
    assert weights(first) == weights(again)
    assert weights(first) != weights(other)


def test_a_resumed_run_ends_like_an_uninterrupted_one(tmp_path: Path) -> None:
    options = TrainingOptions(**{**OPTIONS, "epochs": 6})
    whole, whole_report = train(EXAMPLES, options)
    checkpoint = tmp_path / "c.safetensors"
    train(EXAMPLES, options, checkpoint=checkpoint, on_progress=lambda epoch: epoch.number < 3)
    resumed, report = train(EXAMPLES, options, checkpoint=checkpoint)
    assert weights(resumed) == weights(whole)
    assert [epoch.loss for epoch in report.history] == [epoch.loss for epoch in whole_report.history]
    with pytest.raises(PolicyFileError, match="another run"):
        train(EXAMPLES, TrainingOptions(**{**OPTIONS, "epochs": 7}), checkpoint=checkpoint)
    checkpoint.write_bytes(checkpoint.read_bytes()[:-5])
    with pytest.raises(PolicyFileError, match="truncated"):
        train(EXAMPLES, options, checkpoint=checkpoint)


def test_stops_when_validation_no_longer_improves() -> None:
    right = np.random.default_rng(0).integers(0, 2, 100)
    noise = Examples(
        np.arange(100)[:, None],
        [100],
        2,
        np.arange(0, 201, 2),
        np.tile([0, 1], 100),
        (np.arange(2) == right[:, None]).ravel(),
    )
    options = TrainingOptions(hidden=(16,), epochs=500, batch=32, patience=4, validation=0.3, learning_rate=0.1)
    _, report = train(noise, options)
    losses = [epoch.validation_loss for epoch in report.history]
    assert len(losses) < 100
    assert len(losses) - 1 - int(np.argmin(losses)) == 4


def easy() -> Examples:
    """Ten thousand states whose first value is the optimal action."""
    values = np.random.default_rng(0).integers(0, 4, (10_000, 2))
    optimal = np.arange(4) == values[:, :1]
    return Examples.from_masks(values, [4, 4], np.ones((10_000, 4), dtype=np.bool_), optimal)


def test_ends_when_nothing_is_left_to_learn() -> None:
    """Nothing is held out, so the validation states are the training states; training ends at accuracy 1."""
    _, report = train(easy(), TrainingOptions(hidden=(16,), batch=64, validation=0, test=0, learning_rate=1e-2))
    assert len(report.history) < 12
    assert [epoch.accuracy for epoch in report.history[-3:]] == [1.0, 1.0, 1.0]
    assert report.history[0].epochs == 40


def test_ctrl_c_keeps_the_best_network() -> None:
    def interrupt(step: Step) -> None:
        if step.epoch == 3:
            raise KeyboardInterrupt

    options = TrainingOptions(**OPTIONS)
    module, report = train(EXAMPLES, options, on_step=interrupt)
    assert report.interrupted
    assert "interrupted: this is the best network of the first 2 epochs" in report.text()
    stopped, _ = train(EXAMPLES, options, on_progress=lambda epoch: epoch.number < 2)
    assert weights(module) == weights(stopped)
    with pytest.raises(KeyboardInterrupt):
        train(EXAMPLES, options, on_step=lambda step: (_ for _ in ()).throw(KeyboardInterrupt()))


def test_copies_are_for_training_only_and_never_of_held_out_traces() -> None:
    groups = np.tile(np.repeat(np.arange(20), 5), 2)
    data = Examples(
        np.arange(200)[:, None],
        [200],
        2,
        np.arange(0, 401, 2),
        np.tile([0, 1], 200),
        np.tile([True, False], 200),
        groups,
        copies=np.arange(200) >= 100,
        taken=np.zeros(200),
    )
    rest, test = data.split([0.2], seed=0)
    assert (len(rest), len(test)) == (160, 20)
    assert data.copies[rest].sum() == 80
    _, report = train(data, TrainingOptions(hidden=(4,), epochs=1, validation=0, test=0.2))
    assert report.left_out == 0
    assert known(report.agreement).hits == report.accuracies["test"].hits


def test_the_native_network_is_the_trained_one(tmp_path: Path) -> None:
    module, report = train(EXAMPLES, TrainingOptions(**{**OPTIONS, "epochs": 2}))
    encoder = Encoder.one_hot(EXAMPLES.domain_sizes)
    path = tmp_path / "p.safetensors"
    files.write(path, store_module(module, encoder, ACTIONS, accuracy=report.accuracy_json()))
    stored = files.read(path)
    assert stored.measured_accuracy == pytest.approx(report.test_accuracy, abs=1e-6)
    values = EXAMPLES.values.astype(np.int32)
    begin = EXAMPLES.edges_begin.astype(np.uint32)
    native = np.asarray(_core.policy_scores(stored.native(), values, begin, EXAMPLES.actions.astype(np.uint32)))
    for network in (module, load_module(stored)):
        logits = TorchPolicy(network, encoder, ACTIONS).logits(values)
        for i in range(len(values)):
            row = logits[i, EXAMPLES.actions[begin[i] : begin[i + 1]]].astype(np.float64)
            expected = row - np.log(np.exp(row).sum())
            assert native[begin[i] : begin[i + 1]] == pytest.approx(expected, abs=1e-5)


def test_sequential_modules_are_stored_as_perceptrons_others_by_name() -> None:
    encoder = Encoder.one_hot([2, 3])
    sequential = torch.nn.Sequential(torch.nn.Linear(5, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2, bias=False))
    stored = store_module(sequential, encoder, ["a", "b"])
    assert stored.architecture == {"kind": "mlp", "layers": [5, 4, 2]}
    values = np.array([[1, 2], [0, 0]], dtype=np.int32)
    ours = TorchPolicy(load_module(stored), encoder, ["a", "b"]).logits(values)
    assert ours == pytest.approx(TorchPolicy(sequential, encoder, ["a", "b"]).logits(values), abs=1e-6)
    odd = torch.nn.Sequential(torch.nn.Linear(5, 2), torch.nn.Tanh())
    stored = store_module(odd, encoder, ["a", "b"])
    assert stored.architecture == {"kind": "module", "name": "torch.nn.modules.container:Sequential"}
    with pytest.raises(PolicyFileError, match="only torch runs"):
        stored.native()
    with pytest.raises(PolicyFileError, match="build it"):
        load_module(stored)
    fresh = torch.nn.Sequential(torch.nn.Linear(5, 2), torch.nn.Tanh())
    assert weights(load_module(stored, fresh)) == weights(odd)
    with pytest.raises(PolicyFileError, match="not those of this network"):
        load_module(stored, torch.nn.Linear(5, 2))


def test_a_network_of_ones_own_is_trained_on_dense_inputs() -> None:
    def build(inputs: int, outputs: int) -> Any:
        return torch.nn.Sequential(torch.nn.Linear(inputs, 24), torch.nn.Tanh(), torch.nn.Linear(24, outputs))

    _, report = train(EXAMPLES, TrainingOptions(net=build, epochs=15, batch=64, learning_rate=1e-2))
    assert report.test_accuracy > 0.8


def test_fact_bits_learn_too() -> None:
    sizes = EXAMPLES.domain_sizes
    is_atom = [value > 0 for size in sizes for value in range(size)]
    _, report = train(EXAMPLES, TrainingOptions(**OPTIONS), encoder=Encoder.bits(sizes, is_atom))
    assert report.test_accuracy > 0.85


def test_the_loss_is_the_log_of_the_optimal_share() -> None:
    logits = torch.tensor([[0.0, 1.0, 2.0, 5.0]])
    actions, applicable = torch.tensor([[0, 1, 2]]), torch.tensor([[True, True, True]])
    loss, choice = loss_and_choice(logits, actions, applicable, torch.tensor([[True, True, False]]))
    y = np.exp([0.0, 1.0, 2.0])
    assert float(loss) == pytest.approx(-np.log((y[0] + y[1]) / y.sum()), abs=1e-6)
    assert choice.tolist() == [2]
    loss, _ = loss_and_choice(logits, actions, applicable, applicable)
    assert float(loss) == pytest.approx(0, abs=1e-6)


def test_a_split_never_cuts_a_trace() -> None:
    groups = np.repeat(np.arange(50), 7)
    data = Examples(np.arange(350)[:, None], [350], 1, np.arange(351), np.zeros(350), np.ones(350), groups)
    rest, validation, test = data.split([0.1, 0.2], seed=1)
    assert [len(part) for part in (rest, validation, test)] == [245, 35, 70]
    assert sorted(np.concatenate([rest, validation, test]).tolist()) == list(range(350))
    for a, b in ((rest, validation), (rest, test), (validation, test)):
        assert not set(groups[a]) & set(groups[b])
    again = data.split([0.1, 0.2], seed=1)
    assert all((a == b).all() for a, b in zip(again, (rest, validation, test), strict=True))


def test_masks_and_joining() -> None:
    applicable = np.array([[True, False, True], [False, True, True]])
    optimal = np.array([[False, False, True], [False, True, True]])
    trace = {"groups": np.array([3, 3]), "distance": np.array([2, 1])}
    part = Examples.from_masks(np.array([[0], [1]]), [2], applicable, optimal, **trace)
    assert part.actions.tolist() == [0, 2, 1, 2]
    assert part.optimal.tolist() == [False, True, True, True]
    both = Examples.join([part, part])
    assert both.edges_begin.tolist() == [0, 2, 4, 6, 8]
    assert len(set(both.groups.tolist())) == 2
    assert both.distance.tolist() == [2, 1, 2, 1]
    other = Examples(np.zeros((1, 1)), [3], 3, np.array([0, 1]), np.zeros(1), np.ones(1))
    with pytest.raises(ValueError, match="different variables"):
        Examples.join([part, other])


def test_bad_examples_and_options_are_refused() -> None:
    one = np.ones(1)
    with pytest.raises(ValueError, match="no optimal action"):
        Examples(np.zeros((1, 1)), [1], 1, np.array([0, 1]), np.zeros(1), np.zeros(1))
    with pytest.raises(ValueError, match="outside its domain"):
        Examples(np.ones((1, 1)), [1], 1, np.array([0, 1]), np.zeros(1), one)
    with pytest.raises(ValueError, match="action 1 of 1"):
        Examples(np.zeros((1, 1)), [1], 1, np.array([0, 1]), one, one)
    with pytest.raises(ValueError, match="edges_begin"):
        Examples(np.zeros((1, 1)), [1], 1, np.array([0, 2]), np.zeros(1), one)
    with pytest.raises(ValueError, match="at least 1"):
        TrainingOptions(epochs=0)
    with pytest.raises(ValueError, match="shares"):
        TrainingOptions(validation=0.5, test=0.5)
    with pytest.raises(ValueError, match="disagree about the variables"):
        train(EXAMPLES, TrainingOptions(epochs=1), encoder=Encoder.one_hot([3]))


def test_the_learning_curve_is_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    _, report = train(EXAMPLES, TrainingOptions(**{**OPTIONS, "epochs": 2}))
    report.draw(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_labels_of_the_trace_and_a_loss_over_all_actions() -> None:
    """Two states have two optimal actions each, of which the trace contains the second one."""
    applicable = np.array([[True, True, False], [True, True, True]] * 20)
    examples = Examples.from_masks(
        np.arange(40)[:, None] % 2, [2], applicable, applicable & [True, True, False], taken=np.ones(40, dtype=int)
    )
    options = {"hidden": (8,), "epochs": 60, "batch": 8, "learning_rate": 0.05, "validation": 0.0, "test": 0.0}
    module, report = train(examples, TrainingOptions(labels="trace", loss="unmasked", **options))
    inputs = torch.from_numpy(Encoder.one_hot([2]).sparse(np.array([[0], [1]], dtype=np.uint8)))
    chances = torch.softmax(module(inputs), 1)
    assert bool((chances[:, 1] > 0.9).all())  # probabilities over all three actions, applicable or not
    assert report.options["labels"] == "trace"
    with pytest.raises(ValueError, match="labels is one of optimal, trace"):
        TrainingOptions(labels="all")
    plain = Examples.from_masks(np.arange(4)[:, None] % 2, [2], applicable[:4], applicable[:4])
    with pytest.raises(ValueError, match="need examples from traces"):
        train(plain, TrainingOptions(labels="trace", **options))
