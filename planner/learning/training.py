"""Trains networks from examples and measures their accuracy. Runs are repeatable for a seed, and can be resumed.

The loss is −log Σ_{a ∈ opt(s)} π(a, s), where π is a distribution over the applicable actions. For a single optimal
action this is the cross-entropy; several optimal actions are treated alike. As in the paper, the action of the trace
can be the only label, and π can be a distribution over all actions.
"""

from __future__ import annotations

import math
import os
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from fsplan.planner.learning.checkpoints import Checkpoint, resume, save
from fsplan.planner.policies.encoders import Encoder
from fsplan.planner.policies.examples import Examples
from fsplan.planner.policies.network import Mlp
from fsplan.planner.policies.report import Accuracy, Epoch, Step, TrainingReport

Builder = Callable[[int, int], nn.Module]
Integers = npt.NDArray[np.int64]
# A function of states and the preferred edge of each, which returns True for right decisions.
Judge = Callable[[Integers, Integers], npt.NDArray[np.bool_]]

LABELS = ("optimal", "trace")
LOSSES = ("masked", "unmasked")


@dataclass(kw_only=True)
class TrainingOptions:
    """Options for training a network.

    `hidden` lists the sizes of the hidden layers; alternatively, `net` builds a module from (inputs, outputs). With
    `labels` "optimal", every optimal action is right, with "trace" only the action of the trace. With `loss` "masked",
    π is a distribution over the applicable actions, with "unmasked" over all actions.

    Training stops after `epochs` (see `default_epochs`), after three consecutive epochs in which all validation states
    are right, after `patience` epochs without a lower validation loss, after `seconds`, if `on_progress` returns False,
    or on Ctrl-C. The weights with the lowest validation loss are kept. Rounding errors depend on the number of threads,
    so a run is repeatable only with the same number.
    """

    hidden: tuple[int, ...] = (256, 128)
    net: Builder | None = None
    epochs: int | None = None
    batch: int = 1024
    learning_rate: float = 2e-3
    weight_decay: float = 1e-4
    patience: int = 10
    validation: float = 0.05
    test: float = 0.1
    seconds: float = math.inf
    seed: int = 0
    threads: int = 1
    labels: str = "optimal"
    loss: str = "masked"

    def __post_init__(self) -> None:
        if min(1 if self.epochs is None else self.epochs, self.batch, self.patience, self.threads) < 1:
            raise ValueError("epochs, batch, patience and threads must be at least 1")
        if not (self.validation >= 0 and self.test >= 0 and self.validation + self.test < 1):
            raise ValueError("validation and test must be shares that leave something to train on")
        for name, value, legal in (("labels", self.labels, LABELS), ("loss", self.loss, LOSSES)):
            if value not in legal:
                raise ValueError(f"{name} is one of {', '.join(legal)}, not {value!r}")
        self.hidden = tuple(self.hidden)

    def to_json(self) -> dict[str, Any]:
        """The options that determine the result, without `net` and `seconds`."""
        return {name: value for name, value in vars(self).items() if name not in ("net", "seconds")} | {
            "hidden": list(self.hidden)
        }


def default_epochs(examples: int) -> int:
    """The default number of epochs: about two million examples in total, but at least 2 and at most 40 epochs.

    >>> default_epochs(5_000), default_epochs(100_000), default_epochs(5_000_000)
    (40, 20, 2)
    """
    return max(2, min(40, 2_000_000 // max(1, examples)))


def train(
    examples: Examples,
    options: TrainingOptions | None = None,
    *,
    encoder: Encoder | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    on_progress: Callable[[Epoch], bool | None] | None = None,
    on_step: Callable[[Step], None] | None = None,
) -> tuple[nn.Module, TrainingReport]:
    """Trains a network and returns it with the report. `on_step` is called about ten times per second.

    With `checkpoint`, every epoch is saved in this file, and a checkpoint of the same training is resumed. The result
    is that of an uninterrupted run.
    """
    options = options or TrainingOptions()
    threads_before = torch.get_num_threads()
    torch.set_num_threads(options.threads)
    try:
        trainer = _Trainer(examples, options, encoder or Encoder.one_hot(examples.domain_sizes))
        if checkpoint is not None:
            trainer.resume(checkpoint)
        trainer.on_step = on_step
        trainer.run(checkpoint, on_progress)
        return trainer.finish()
    finally:
        torch.set_num_threads(threads_before)


class Batches:
    """Examples as torch tensors, from which batches are taken by indexing."""

    def __init__(self, examples: Examples, encoder: Encoder, sparse: bool, labels: str = "optimal") -> None:
        self.values, self.to_inputs = examples.values, encoder.sparse if sparse else encoder.dense
        self.begin = torch.from_numpy(examples.edges_begin)
        self.actions = torch.from_numpy(examples.actions.astype(np.int32))
        self.right = torch.from_numpy(examples.optimal if labels == "optimal" else taken_edges(examples))

    def encode(self, index: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(self.to_inputs(self.values[index.numpy()]))

    def edges(self, index: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """For each state in the batch: its actions, padded, a mask of the applicable ones, and of the right ones."""
        begin = self.begin[index]
        count = self.begin[index + 1] - begin
        column = torch.arange(int(count.max()))
        applicable = column < count[:, None]
        position = (begin[:, None] + column).clamp_(max=len(self.actions) - 1)
        return self.actions[position].long(), applicable, self.right[position] & applicable


def taken_edges(examples: Examples) -> npt.NDArray[np.bool_]:
    """A flag for each edge: True if the trace of the state takes it."""
    if examples.taken is None:
        raise ValueError("labels 'trace' need examples from traces")
    taken = np.repeat(examples.taken, np.diff(examples.edges_begin))
    return np.asarray(examples.actions == taken)


_LOW = -1e30
# Training ends after this many consecutive epochs in which all validation states are right.
_CERTAIN = 3


def loss_and_choice(
    logits: torch.Tensor, actions: torch.Tensor, applicable: torch.Tensor, right: torch.Tensor, masked: bool = True
) -> tuple[torch.Tensor, torch.Tensor]:
    """The loss, and for each state the column of the best applicable action."""
    scores = logits.gather(1, actions).masked_fill(~applicable, _LOW)
    loss = torch.logsumexp(scores if masked else logits, 1) - torch.logsumexp(scores.masked_fill(~right, _LOW), 1)
    return loss.mean(), scores.argmax(1)


class _Trainer:
    def __init__(self, examples: Examples, options: TrainingOptions, encoder: Encoder) -> None:
        if not len(examples):
            raise ValueError("no examples to train on")
        if encoder.domain_sizes != examples.domain_sizes:
            raise ValueError("encoder and examples disagree about the variables")
        self.examples, self.options, self.encoder = examples, options, encoder
        self.train, self.validation, self.test = (
            torch.from_numpy(part) for part in examples.split([options.validation, options.test], options.seed)
        )
        torch.manual_seed(options.seed)
        if options.net is None:
            sizes = [encoder.input_count, *options.hidden, examples.action_count]
            self.module: nn.Module = Mlp(sizes, examples.values.shape[1])
        else:
            self.module = options.net(encoder.input_count, examples.action_count)
        self.batches = Batches(examples, encoder, isinstance(self.module, Mlp), options.labels)
        self.masked = options.loss == "masked"
        self.optimizer = torch.optim.AdamW(
            self.module.parameters(), lr=options.learning_rate, weight_decay=options.weight_decay
        )
        self.epochs = options.epochs or default_epochs(len(self.train))
        self.steps_per_epoch = -(-len(self.train) // options.batch)
        self.history: list[Epoch] = []
        self.best = self.copy_weights()
        self.seconds, self.interrupted = 0.0, False
        self.on_step: Callable[[Step], None] | None = None

    def copy_weights(self) -> dict[str, torch.Tensor]:
        return {name: tensor.detach().clone() for name, tensor in self.module.state_dict().items()}

    def learning_rate(self, step: int) -> float:
        """The learning rate of a step: linear warm-up over the first 2 % of the steps, then cosine decay.

        It depends only on the number of the step, so that resuming a run needs no further state.
        """
        total = self.epochs * self.steps_per_epoch
        warm = max(1, total // 50)
        if step < warm:
            return self.options.learning_rate * (step + 1) / warm
        return self.options.learning_rate * 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, total - warm)))

    def run(
        self, checkpoint: str | os.PathLike[str] | None, on_progress: Callable[[Epoch], bool | None] | None
    ) -> None:
        while not self.is_finished():
            begin = time.perf_counter()
            try:
                epoch = self.one_epoch(len(self.history))
            except KeyboardInterrupt:
                if not self.history:
                    raise
                self.interrupted = True
                return
            if epoch.validation_loss <= min((past.validation_loss for past in self.history), default=math.inf):
                self.best = self.copy_weights()
            self.seconds += time.perf_counter() - begin
            epoch = epoch._replace(seconds=self.seconds)
            self.history.append(epoch)
            if checkpoint is not None:
                self.save(checkpoint)
            if on_progress is not None and on_progress(epoch) is False:
                break

    def is_finished(self) -> bool:
        if not self.history:
            return False
        losses = [epoch.validation_loss for epoch in self.history]
        is_stale = len(losses) - 1 - int(np.argmin(losses)) >= self.options.patience
        last = self.history[-_CERTAIN:]
        is_learned = len(last) == _CERTAIN and all(e.validation_accuracy == 1 and e.accuracy > 0.999 for e in last)
        return is_stale or is_learned or len(losses) >= self.epochs or self.seconds >= self.options.seconds

    def one_epoch(self, number: int) -> Epoch:
        # Random numbers depend only on seed and epoch, so that a resumed run gives the result of an uninterrupted one.
        torch.manual_seed(self.options.seed * 1_000_003 + number + 1)
        self.module.train()
        order = self.draw()
        total_loss = hits = reported = 0.0
        for step, index in enumerate(torch.split(order, self.options.batch)):
            for group in self.optimizer.param_groups:
                group["lr"] = self.learning_rate(number * self.steps_per_epoch + step)
            edges = self.batches.edges(index)
            loss, choice = loss_and_choice(self.module(self.batches.encode(index)), *edges, self.masked)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()
            total_loss += float(loss.detach()) * len(index)
            hits += float(edges[2].gather(1, choice[:, None]).sum())
            if self.on_step is not None and time.perf_counter() - reported > 0.1:
                reported = time.perf_counter()
                seen = min((step + 1) * self.options.batch, len(self.train))
                self.on_step(Step(number + 1, self.epochs, seen / len(self.train), total_loss / seen, hits / seen))
        if not math.isfinite(total_loss):
            raise ValueError("the loss is no longer finite: lower the learning rate")
        mean_loss, accuracy = total_loss / len(self.train), hits / len(self.train)
        validation = (mean_loss, accuracy)
        if len(self.validation):
            validation_loss, chosen = self.evaluate(self.validation)
            validation = (validation_loss, float(self.examples.optimal[chosen].mean()))
        return Epoch(number + 1, self.epochs, mean_loss, accuracy, *validation)

    def draw(self) -> torch.Tensor:
        """The training examples of an epoch: each once in random order, or drawn with probabilities by weight."""
        if self.examples.weights is None:
            return self.train[torch.randperm(len(self.train))]
        cumulative = torch.from_numpy(self.examples.weights)[self.train].cumsum(0)
        drawn = torch.rand(len(self.train), dtype=torch.float64) * cumulative[-1]
        return self.train[torch.searchsorted(cumulative, drawn).clamp_(max=len(self.train) - 1)]

    def evaluate(self, part: torch.Tensor) -> tuple[float, npt.NDArray[np.int64]]:
        """The mean loss over some examples (at least one), and the preferred edge of each of their states."""
        self.module.eval()
        losses, chosen = 0.0, []
        with torch.no_grad():
            for index in torch.split(part, 8192):
                logits = self.module(self.batches.encode(index))
                loss, choice = loss_and_choice(logits, *self.batches.edges(index), self.masked)
                losses += float(loss) * len(index)
                chosen.append((self.batches.begin[index] + choice).numpy())
        return losses / len(part), np.concatenate(chosen)

    def finish(self) -> tuple[nn.Module, TrainingReport]:
        self.module.load_state_dict(self.best)
        parts = {"train": self.train, "validation": self.validation, "test": self.test}
        options = self.options.to_json() | {"epochs": self.epochs}
        accuracies = {name: self.measure(part, self.is_optimal) for name, part in parts.items()}
        report = TrainingReport(accuracies, self.history, options, self.seconds)
        if not self.examples.complete:
            report.test_name = "trace_action"
        elif self.examples.taken is not None:
            report.agreement = self.measure(self.test, self.is_taken)
        used = torch.cat(list(parts.values())).numpy()
        report.left_out = int((~self.examples.copies).sum() - (~self.examples.copies[used]).sum())
        report.interrupted = self.interrupted
        return self.module.eval(), report

    def measure(self, part: torch.Tensor, is_right: Judge) -> Accuracy:
        """The accuracy on some examples (maybe none), where `is_right` decides which preferred edges are right."""
        states = part.numpy()
        chosen = self.evaluate(part)[1] if len(part) else np.zeros(0, dtype=np.int64)
        return Accuracy.of(is_right(states, chosen), self.examples.distance[states])

    def is_optimal(self, states: Integers, edges: Integers) -> npt.NDArray[np.bool_]:
        return np.asarray(self.examples.optimal[edges])

    def is_taken(self, states: Integers, edges: Integers) -> npt.NDArray[np.bool_]:
        assert self.examples.taken is not None
        return np.asarray(self.examples.actions[edges] == self.examples.taken[states])

    def identity(self) -> dict[str, Any]:
        """The identity of the run, which a checkpoint must match: options, encoder and a checksum of the examples."""
        numbers = zlib.crc32(self.examples.values.tobytes()) ^ zlib.crc32(self.examples.optimal.tobytes())
        return {"options": self.options.to_json(), "encoder": self.encoder.to_json(), "examples": numbers}

    def save(self, path: str | os.PathLike[str]) -> None:
        save(path, Checkpoint(self.module, self.optimizer, self.best, self.history, self.seconds, self.identity()))

    def resume(self, path: str | os.PathLike[str]) -> None:
        state = Checkpoint(self.module, self.optimizer, self.best, self.history, self.seconds, self.identity())
        if resume(path, state):
            self.best, self.history, self.seconds = state.best, state.history, state.seconds
