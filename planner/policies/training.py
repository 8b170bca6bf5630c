"""Training: examples in, a measured network out. Seeded, repeatable, resumable.

The loss is −log Σ_{a ∈ opt(s)} π(a, s), with π over the applicable actions: the cross-entropy where one optimal action
is known, and no preference among several.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from .encoders import Encoder
from .network import Mlp
from .report import Accuracy, Epoch, Step, TrainingReport

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    import numpy.typing as npt
    from torch import nn

    from .examples import Examples

    Builder = Callable[[int, int], nn.Module]


class TrainingOptions:
    """How to train. `hidden`: sizes of the hidden layers; `net`: builds another module from (inputs, outputs).

    Training stops after `epochs`, after `patience` epochs without a lower validation loss, after `seconds`, or when
    `on_progress` returns False; the weights with the lowest validation loss are kept. Sums depend on the number of
    threads: the same number gives the same network.
    """

    def __init__(
        self,
        *,
        hidden: tuple[int, ...] = (256, 128),
        net: Builder | None = None,
        epochs: int = 40,
        batch: int = 1024,
        learning_rate: float = 2e-3,
        weight_decay: float = 1e-4,
        patience: int = 10,
        validation: float = 0.05,
        test: float = 0.1,
        seconds: float = math.inf,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        if min(epochs, batch, patience, threads) < 1:
            raise ValueError("epochs, batch, patience and threads must be at least 1")
        if not (validation >= 0 and test >= 0 and validation + test < 1):
            raise ValueError("validation and test must be shares that leave something to train on")
        self.hidden, self.net, self.epochs, self.batch = tuple(hidden), net, epochs, batch
        self.learning_rate, self.weight_decay, self.patience = learning_rate, weight_decay, patience
        self.validation, self.test, self.seconds = validation, test, seconds
        self.seed, self.threads = seed, threads

    def to_json(self) -> dict[str, Any]:
        """What decides the result; `seconds` only decides when to stop."""
        return {name: value for name, value in vars(self).items() if name not in ("net", "seconds")} | {
            "hidden": list(self.hidden)
        }


def train(
    examples: Examples,
    options: TrainingOptions | None = None,
    *,
    encoder: Encoder | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    on_progress: Callable[[Epoch], bool | None] | None = None,
    on_step: Callable[[Step], None] | None = None,
) -> tuple[nn.Module, TrainingReport]:
    """Trains a network; returns it with the closing report. `on_step` is told about ten times a second.

    With `checkpoint`, every epoch is saved there, and an existing checkpoint of the same training is resumed: the
    result is the one an uninterrupted run gives.
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
    """Examples as torch tensors: a batch is a handful of indexing operations."""

    def __init__(self, examples: Examples, encoder: Encoder, sparse: bool) -> None:
        self.values = torch.from_numpy(examples.values)
        self.begin = torch.from_numpy(examples.edges_begin)
        self.actions = torch.from_numpy(examples.actions.astype(np.int32))
        self.optimal = torch.from_numpy(examples.optimal)
        self.first, self.inputs = torch.from_numpy(encoder.first), torch.from_numpy(encoder.inputs)
        self.input_count, self.sparse = encoder.input_count, sparse
        self.identity = encoder.kind == "one-hot"

    def encode(self, index: torch.Tensor) -> torch.Tensor:
        numbers = self.values[index].long() + self.first
        if not self.identity:
            numbers = self.inputs[numbers]
        if self.sparse:
            return numbers
        dense = torch.zeros(len(index), self.input_count + 1)
        return dense.scatter_(1, numbers, 1.0)[:, :-1]

    def edges(self, index: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions of each state, padded; which are applicable; which are optimal."""
        begin = self.begin[index]
        count = self.begin[index + 1] - begin
        column = torch.arange(int(count.max()))
        applicable = column < count[:, None]
        position = (begin[:, None] + column).clamp_(max=len(self.actions) - 1)
        return self.actions[position].long(), applicable, self.optimal[position] & applicable


_LOW = -1e30


def loss_and_hits(
    logits: torch.Tensor, actions: torch.Tensor, applicable: torch.Tensor, optimal: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """The loss, and for each state whether the best applicable action is optimal."""
    scores = logits.gather(1, actions).masked_fill(~applicable, _LOW)
    loss = torch.logsumexp(scores, 1) - torch.logsumexp(scores.masked_fill(~optimal, _LOW), 1)
    return loss.mean(), optimal.gather(1, scores.argmax(1, keepdim=True)).squeeze(1)


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
        self.batches = Batches(examples, encoder, isinstance(self.module, Mlp))
        self.optimizer = torch.optim.AdamW(
            self.module.parameters(), lr=options.learning_rate, weight_decay=options.weight_decay
        )
        self.steps_per_epoch = -(-len(self.train) // options.batch)
        self.history: list[Epoch] = []
        self.best = self.copy_weights()
        self.seconds = 0.0
        self.on_step: Callable[[Step], None] | None = None

    def copy_weights(self) -> dict[str, torch.Tensor]:
        return {name: tensor.detach().clone() for name, tensor in self.module.state_dict().items()}

    def learning_rate(self, step: int) -> float:
        """Warms up over the first 2 % of the steps, then falls as a cosine. A function of the step alone: resuming
        needs no state."""
        total = self.options.epochs * self.steps_per_epoch
        warm = max(1, total // 50)
        if step < warm:
            return self.options.learning_rate * (step + 1) / warm
        return self.options.learning_rate * 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, total - warm)))

    def run(
        self, checkpoint: str | os.PathLike[str] | None, on_progress: Callable[[Epoch], bool | None] | None
    ) -> None:
        while len(self.history) < self.options.epochs and not self.is_stale() and self.seconds < self.options.seconds:
            begin = time.perf_counter()
            epoch = self.one_epoch(len(self.history))
            if epoch.validation_loss <= min((past.validation_loss for past in self.history), default=math.inf):
                self.best = self.copy_weights()
            self.seconds += time.perf_counter() - begin
            epoch.seconds = self.seconds
            self.history.append(epoch)
            if checkpoint is not None:
                self.save(checkpoint)
            if on_progress is not None and on_progress(epoch) is False:
                break

    def is_stale(self) -> bool:
        losses = [epoch.validation_loss for epoch in self.history]
        return len(losses) - 1 - int(np.argmin(losses)) >= self.options.patience if losses else False

    def one_epoch(self, number: int) -> Epoch:
        # Order and any dropout depend on seed and epoch only, so that a resumed run repeats an uninterrupted one.
        torch.manual_seed(self.options.seed * 1_000_003 + number + 1)
        self.module.train()
        order = self.draw()
        total_loss = hits = told = 0.0
        for step, index in enumerate(torch.split(order, self.options.batch)):
            for group in self.optimizer.param_groups:
                group["lr"] = self.learning_rate(number * self.steps_per_epoch + step)
            loss, hit = loss_and_hits(self.module(self.batches.encode(index)), *self.batches.edges(index))
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()
            total_loss += float(loss.detach()) * len(index)
            hits += float(hit.sum())
            if self.on_step is not None and time.perf_counter() - told > 0.1:
                told = time.perf_counter()
                seen = min((step + 1) * self.options.batch, len(self.train))
                self.on_step(Step(number + 1, seen / len(self.train), total_loss / seen, hits / seen))
        if not math.isfinite(total_loss):
            raise ValueError("the loss is no longer finite: lower the learning rate")
        mean_loss, accuracy = total_loss / len(self.train), hits / len(self.train)
        validation = (mean_loss, accuracy)
        if len(self.validation):
            validation_loss, right = self.evaluate(self.validation)
            validation = (validation_loss, float(right.mean()))
        return Epoch(number + 1, self.options.epochs, mean_loss, accuracy, *validation)

    def draw(self) -> torch.Tensor:
        """The examples of an epoch: each once in random order, or by weight."""
        if self.examples.weights is None:
            return self.train[torch.randperm(len(self.train))]
        cumulative = torch.from_numpy(self.examples.weights)[self.train].cumsum(0)
        drawn = torch.rand(len(self.train), dtype=torch.float64) * cumulative[-1]
        return self.train[torch.searchsorted(cumulative, drawn).clamp_(max=len(self.train) - 1)]

    def evaluate(self, part: torch.Tensor) -> tuple[float, npt.NDArray[np.bool_]]:
        """The mean loss over part of the examples, which must not be empty, and which states are decided rightly."""
        self.module.eval()
        losses, hits = 0.0, []
        with torch.no_grad():
            for index in torch.split(part, 8192):
                loss, hit = loss_and_hits(self.module(self.batches.encode(index)), *self.batches.edges(index))
                losses += float(loss) * len(index)
                hits.append(hit.numpy())
        return losses / len(part), np.concatenate(hits)

    def finish(self) -> tuple[nn.Module, TrainingReport]:
        self.module.load_state_dict(self.best)
        accuracies = {}
        for name, part in (("train", self.train), ("validation", self.validation), ("test", self.test)):
            accuracies[name] = self.measure(part) if len(part) else Accuracy(0, 0)
        report = TrainingReport(accuracies, self.history, self.options.to_json(), self.seconds)
        report.left_out = len(self.examples) - sum(part.count for part in accuracies.values())
        return self.module.eval(), report

    def measure(self, part: torch.Tensor) -> Accuracy:
        return Accuracy.of(self.evaluate(part)[1], self.examples.distance[part.numpy()])

    def identity(self) -> dict[str, Any]:
        """What a checkpoint must agree with to be resumed."""
        import zlib

        numbers = zlib.crc32(self.examples.values.tobytes()) ^ zlib.crc32(self.examples.optimal.tobytes())
        return {"options": self.options.to_json(), "encoder": self.encoder.to_json(), "examples": numbers}

    def save(self, path: str | os.PathLike[str]) -> None:
        from .checkpoints import Checkpoint, save

        save(path, Checkpoint(self.module, self.optimizer, self.best, self.history, self.seconds, self.identity()))

    def resume(self, path: str | os.PathLike[str]) -> None:
        from .checkpoints import Checkpoint, resume

        state = Checkpoint(self.module, self.optimizer, self.best, self.history, self.seconds, self.identity())
        if resume(path, state):
            self.best, self.history, self.seconds = state.best, state.history, state.seconds
