"""The report of a training run: accuracy with confidence intervals and by goal distance, and the learning curve."""

from __future__ import annotations

import math
import os
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


def wilson(hits: int, count: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's confidence interval for a proportion; z = 1.96 gives 95 % confidence.

    >>> [round(bound, 3) for bound in wilson(90, 100)]
    [0.826, 0.945]
    """
    if count == 0:
        return 0.0, 1.0
    p, square = hits / count, z * z / count
    centre = p + square / 2
    spread = z * math.sqrt(p * (1 - p) / count + square / (4 * count))
    return max(0.0, (centre - spread) / (1 + square)), min(1.0, (centre + spread) / (1 + square))


class Accuracy:
    """The number of right decisions in a set of states; `by_distance` maps goal distances to (states, right ones)."""

    __slots__ = ("by_distance", "count", "hits")

    def __init__(self, hits: int, count: int, by_distance: dict[int, tuple[int, int]] | None = None) -> None:
        self.hits, self.count, self.by_distance = hits, count, by_distance or {}

    @classmethod
    def of(cls, hits: npt.NDArray[np.bool_], distance: npt.NDArray[Any]) -> Accuracy:
        """The accuracy from one flag and one goal distance per state; negative distances are unknown."""
        values, member = np.unique(distance, return_inverse=True)
        counts = np.bincount(member, minlength=len(values))
        right = np.bincount(member, weights=hits, minlength=len(values))
        table = {int(d): (int(n), int(r)) for d, n, r in zip(values, counts, right, strict=True) if d >= 0}
        return cls(int(hits.sum()), len(hits), table)

    def __repr__(self) -> str:
        return f"<Accuracy {self.value:.4f} on {self.count:,} states>"

    @property
    def value(self) -> float:
        return self.hits / self.count if self.count else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.hits, self.count)


class Step(NamedTuple):
    """Progress within an epoch: the finished share (`done`), and loss and accuracy so far."""

    epoch: int
    epochs: int
    done: float
    loss: float
    accuracy: float


class Epoch(NamedTuple):
    """The results of one pass over the training examples."""

    number: int
    epochs: int
    loss: float
    accuracy: float
    validation_loss: float
    validation_accuracy: float
    seconds: float = 0.0


UNTESTED = "nothing was held out to test on"


class TrainingReport:
    """The report of training a network.

    accuracies   for "train", "validation" and "test" examples
    unroll       (states from which following the policy reaches a goal, states tried)
    test_name    "trace_action" if only the optimal action of the trace is known; agreement with it is not the accuracy
                 of Eq. 1, which counts all optimal actions
    agreement    share of test states in which the policy prefers the action of the trace, if all optimal actions are
                 known, too
    left_out     number of held-out states that also occur in training, so that they are used for neither
    interrupted  True if Ctrl-C ended the training; the best network so far is kept
    """

    def __init__(
        self, accuracies: dict[str, Accuracy], history: list[Epoch], options: dict[str, Any], seconds: float
    ) -> None:
        self.accuracies, self.history, self.options, self.seconds = accuracies, history, options, seconds
        self.unroll: tuple[int, int] | None = None
        self.agreement: Accuracy | None = None
        self.left_out, self.interrupted = 0, False
        self.test_name = "test"

    def __repr__(self) -> str:
        return f"<TrainingReport: test accuracy {self.test_accuracy:.4f}, {len(self.history)} epochs>"

    @property
    def test_accuracy(self) -> float:
        return self.accuracies["test"].value

    def accuracy_json(self) -> dict[str, Any]:
        """The `accuracy` section of a policy file, without parts that have no states."""
        document: dict[str, Any] = {name: round(part.value, 6) for name, part in self._named() if part.count}
        document["test_states"] = self.accuracies["test"].count
        if self.left_out:
            document["left_out"] = self.left_out
        if not document["test_states"]:
            document["note"] = UNTESTED
        by_distance = self.accuracies["test"].by_distance
        document["test_by_distance"] = {str(d): round(right / n, 4) for d, (n, right) in by_distance.items()}
        if self.unroll is not None:
            document["unroll"] = list(self.unroll)
        return document

    def _named(self) -> list[tuple[str, Accuracy]]:
        parts = [(self.test_name if name == "test" else name, part) for name, part in self.accuracies.items()]
        return parts if self.agreement is None else [*parts, ("trace_action", self.agreement)]

    def training_json(self) -> dict[str, Any]:
        """The `training` section of a policy file."""
        return {
            **self.options,
            "examples": sum(part.count for part in self.accuracies.values()),
            "epochs_run": len(self.history),
            "seconds": round(self.seconds, 1),
            "torch": _torch_version(),
        }

    def text(self) -> str:
        """The report as text."""
        lines = []
        for name, part in self._named():
            if part.count:
                low, high = part.interval
                lines.append(f"{name:12}  {part.value:.4f}  [{low:.4f}, {high:.4f}]  {part.count:,} states")
        if not self.accuracies["test"].count:
            lines.append(f"{'test':12}  {UNTESTED}")
        if self.left_out:
            lines.append(f"{'left out':12}  {self.left_out:,} held-out states that also occur in training")
        table = self.accuracies["test"].by_distance
        if table:
            lines.append(f"{self.test_name} accuracy by distance to the goal:")
            lines += [f"  {d:>6}  {right / n:.4f}  {n:,} states" for d, (n, right) in sorted(table.items())]
        if self.interrupted:
            lines.append(f"interrupted: this is the best network of the first {len(self.history)} epochs")
        if self.unroll is not None:
            solved, starts = self.unroll
            lines.append(f"following the policy alone reaches the goal from {solved:,} of {starts:,} states")
        return "\n".join(lines)

    def draw(self, path: str | os.PathLike[str]) -> None:
        """Draws the learning curve and, if known, the accuracy by goal distance; needs matplotlib."""
        from matplotlib.figure import Figure

        table = sorted(self.accuracies["test"].by_distance.items())
        panels = 2 if table else 1
        figure = Figure(figsize=(5 * panels, 4), layout="constrained")
        curve, *rest = figure.subplots(1, panels, squeeze=False)[0]
        self._draw_curve(curve)
        for distance in rest:
            distance.bar([d for d, _ in table], [right / n for _, (n, right) in table])
            distance.set(xlabel="distance to the goal", ylabel="test accuracy", title="accuracy by distance")
        figure.savefig(path)

    def _draw_curve(self, axes: Any) -> None:
        """Draws accuracies and losses; each line is labelled with its name, at one of its ends."""
        numbers = [epoch.number for epoch in self.history]
        losses = axes.twinx()
        lines = (
            (axes, "train", [epoch.accuracy for epoch in self.history], "C0-", -1),
            (axes, "validation", [epoch.validation_accuracy for epoch in self.history], "C1-", -1),
            (axes, self.test_name, [self.test_accuracy] * len(numbers), "C2:", 0),
            (losses, "validation loss", [epoch.validation_loss for epoch in self.history], "k--", 0),
        )
        for where, name, values, style, end in lines:
            where.plot(numbers, values, style, linewidth=1)
            side = {"xytext": (0, 4), "textcoords": "offset points", "ha": "left" if end == 0 else "right"}
            where.annotate(name, (numbers[end], values[end]), color=style[:-1].rstrip("-"), fontsize=8, **side)
        axes.margins(y=0.1)
        losses.margins(y=0.1)
        axes.set(xlabel="epoch", ylabel="accuracy", title="learning curve")
        losses.set_ylabel("loss")


def _torch_version() -> str:
    import torch

    return str(torch.__version__)
