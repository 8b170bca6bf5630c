"""The report of learning a domain policy: its accuracy on test tasks, and the tasks solved by following it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fsplan.planner.policies.report import Accuracy

if TYPE_CHECKING:
    import os

    import numpy.typing as npt

    from fsplan.planner.learning.relational.labels import Labelled

# A cheaper candidate is preferred if its accuracy is within this tolerance of the best. The tolerance is small, because
# a small difference on small tasks may be a large one on large tasks.
ACCURACY_TOLERANCE = 0.001


class Followed:
    """The result of following a policy from the initial state; `cost` is None if no goal was reached in time."""

    __slots__ = ("cost", "name", "size")

    def __init__(self, name: str, size: int, cost: float | None) -> None:
        self.name, self.size, self.cost = name, size, cost


class LearningReport:
    """The report of learning a domain policy.

    `followed` maps each candidate to its results on the largest tasks, and `chosen` is the selected candidate.
    """

    def __init__(self, tasks: int, generated: int, states: int) -> None:
        self.tasks, self.generated, self.states = tasks, generated, states
        self.followed: dict[str, list[Followed]] = {}
        self.accuracies: dict[str, float] = {}  # on held-out tasks
        self.chosen = ""
        self.seconds = 0.0
        self.interrupted = False
        self.accuracy = Accuracy(0, 0)
        self.by_size: dict[int, tuple[int, int]] = {}

    def __repr__(self) -> str:
        return f"<LearningReport: {self.chosen}, accuracy {self.accuracy.value:.4f} on held-out tasks>"

    def quality(self, name: str) -> float:
        """The sum over all tasks of the best known cost divided by this candidate's cost; 0 for unsolved tasks."""
        total = 0.0
        for number, task in enumerate(self.followed[name]):
            costs = [tasks[number].cost for tasks in self.followed.values()]
            best = min(cost for cost in [*costs, 2**31] if cost is not None)
            total += 0.0 if task.cost is None else (best + 1) / (task.cost + 1)
        return total

    def best(self, tolerance: float) -> str:
        """The name of the candidate to choose.

        Candidates whose quality is below the best quality by more than the tolerance per task are excluded. Of the
        others, which are sorted from cheap to expensive, the first whose accuracy is nearly the best is chosen.
        """
        qualities = {name: self.quality(name) for name in self.followed}
        enough = max(qualities.values()) - tolerance * len(next(iter(self.followed.values())))
        good = {name: self.accuracies.get(name, 0.0) for name, quality in qualities.items() if quality >= enough}
        return next(name for name, accuracy in good.items() if accuracy >= max(good.values()) - ACCURACY_TOLERANCE)

    def measure(self, name: str, parts: list[tuple[Labelled, npt.NDArray[np.float32]]]) -> None:
        """Stores the accuracy of the chosen candidate on test tasks, also by goal distance and by task size."""
        self.chosen = name
        if not parts:
            return
        chances = np.concatenate([chance for _, chance in parts])
        distance = np.concatenate([part.distance for part, _ in parts])
        sizes = np.concatenate([np.full(len(chance), part.size) for part, chance in parts])
        self.accuracy = Accuracy.of(chances, distance)
        self.by_size = Accuracy.of(chances, sizes).by_distance

    def accuracy_json(self) -> dict[str, Any]:
        """The `accuracy` section of a policy file."""
        if not self.accuracy.count:
            return {"note": "nothing was held out to test on"}
        return {
            "test": round(self.accuracy.value, 6),
            "test_states": self.accuracy.count,
            "test_by_distance": {str(d): round(right / n, 4) for d, (n, right) in self.accuracy.by_distance.items()},
            "test_by_size": {str(size): round(right / n, 4) for size, (n, right) in self.by_size.items()},
        }

    def training_json(self) -> dict[str, Any]:
        """The `training` section of a policy file."""
        followed = self.followed[self.chosen]
        return {
            "chosen": self.chosen,
            "tasks": self.tasks,
            "generated": self.generated,
            "states": self.states,
            "seconds": round(self.seconds, 1),
            "followed": {task.name: task.cost for task in followed},
            "qualities": {name: round(self.quality(name), 4) for name in self.followed},
        }

    def draw(self, path: str | os.PathLike[str]) -> None:
        """Draws the accuracy by goal distance and by task size; needs matplotlib."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(10, 4), layout="constrained")
        titles = ("distance to the goal", "number of objects")
        for axes, title, rows in zip(
            figure.subplots(1, 2), titles, (self.accuracy.by_distance, self.by_size), strict=True
        ):
            table = sorted(rows.items())
            axes.bar([key for key, _ in table], [right / n for _, (n, right) in table])
            axes.set(xlabel=title, ylabel="accuracy on held-out tasks")
        figure.savefig(path)

    def text(self) -> str:
        """The report as text."""
        lines = [
            f"learned from {self.tasks} tasks ({self.generated} of them generated), {self.states:,} states, "
            f"in {self.seconds:.1f}s",
            f"chosen: {self.chosen}",
        ]
        if self.accuracy.count:
            low, high = self.accuracy.interval
            lines.append(
                f"accuracy on held-out tasks  {self.accuracy.value:.4f}  [{low:.4f}, {high:.4f}]  "
                f"{self.accuracy.count:,} states"
            )
            lines += _table("by distance to the goal", self.accuracy.by_distance)
            lines += _table("by number of objects", self.by_size)
        count = len(self.followed[self.chosen])
        lines.append(f"following, on the {count} largest tasks: solved, quality against the best plan found, accuracy")
        for name, tasks in self.followed.items():
            solved = sum(task.cost is not None for task in tasks)
            accuracy = f"{self.accuracies[name]:.4f}" if name in self.accuracies else "-"
            lines.append(f"  {solved:>3}/{count}  {self.quality(name) / count:.3f}  {accuracy:6}  {name}")
        return "\n".join(lines)


def _table(title: str, rows: dict[int, tuple[int, int]]) -> list[str]:
    return [title] + [f"  {key:>6}  {right / n:.4f}  {n:,} states" for key, (n, right) in sorted(rows.items())]
