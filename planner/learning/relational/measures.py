"""The report of learning a domain policy: the tasks that it solves if it is followed, its accuracy on held-out
tasks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fsplan.planner.policies.report import Accuracy

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import numpy.typing as npt

    from fsplan.planner.learning.relational.gather import Gathered
    from fsplan.planner.learning.relational.labels import Labelled
    from fsplan.planner.learning.relational.trials import Trial

# Of candidates whose plans are equally good, those are preferred whose accuracy is within this tolerance of the best.
# The tolerance is small, because a small difference on small tasks may be a large one on large tasks.
ACCURACY_TOLERANCE = 0.001
# Following a policy is not recommended if it reaches the goals of less than this share of the trials, or if its plans
# cost more than this many times those of a search.
ENOUGH_FOLLOWED, TOO_MUCH = 0.5, 2


# Quality of a trial that a candidate could not finish in its time, relative to its mean quality in other trials.
TIMED_OUT = 0.5


class Followed(NamedTuple):
    """The result of following a policy from the initial state; cost and plan are None if no goal was reached."""

    name: str
    size: int
    cost: float | None
    plan: list[str] | None = None
    timed_out: bool = False


class LearningReport:
    """The report of learning a domain policy.

    `followed` maps each candidate to its results on the trials, from small to large, as far as it was followed;
    `chosen` is the selected candidate. `recall` is the share of states on followed plans in which the shortlist of the
    policy contains its best action; None without a shortlist.
    """

    def __init__(self, gathered: Gathered, trials: Sequence[Trial] = ()) -> None:
        self.gathered, self.trials = gathered, list(trials)
        self.followed: dict[str, list[Followed]] = {}
        self.accuracies: dict[str, float] = {}  # accuracy of each candidate on held-out tasks
        self.prices: dict[str, int] = {}  # the position of each candidate in the order from cheap to expensive
        self.relabelled = 0  # number of states that were labelled because a candidate failed near them
        self.chosen = ""
        self.plain = ""  # the candidate for tasks that are too large to ground, unless it is `chosen`
        self.seconds = 0.0
        self.interrupted = False
        self.recall: float | None = None
        self.accuracy = Accuracy(0, 0)
        self.by_size: dict[int, tuple[int, int]] = {}
        self.test_tasks = 0

    def __repr__(self) -> str:
        return f"<LearningReport: {self.headline}; {self.chosen}>"

    @property
    def tasks(self) -> int:
        return len(self.gathered.labelled)

    @property
    def generated(self) -> int:
        return self.gathered.generated

    @property
    def states(self) -> int:
        return sum(len(part.examples) for part in self.gathered.labelled)

    def best_cost(self, number: int) -> float | None:
        """The least cost of a known plan of a trial, by any candidate or by the quick search."""
        rows = [rows[number].cost for rows in self.followed.values() if number < len(rows)]
        return min((cost for cost in [*rows, self.trials[number].cost] if cost is not None), default=None)

    @property
    def known(self) -> list[int]:
        """The numbers of the trials with a known plan; only these are used to compare candidates."""
        return [number for number in range(len(self.trials)) if self.best_cost(number) is not None]

    def costs(self, name: str) -> list[float | None]:
        """The cost of the candidate's plan for each trial; None if it reached no goal or was not followed."""
        rows = [row.cost for row in self.followed[name]]
        return rows + [None] * (len(self.trials) - len(rows))

    def solved(self, name: str) -> int:
        return sum(cost is not None for cost in self.costs(name))

    def quality(self, name: str, first: int | None = None) -> float:
        """The sum over the first trials, or all, of the best known cost divided by this candidate's; 0 if unsolved.

        A trial that ran out of time is weak evidence, because the machine may have been busy: it counts half of the
        mean of the others.
        """
        rows = self.followed[name][:first]
        known = [(best, row) for i, row in enumerate(rows) if (best := self.best_cost(i)) is not None]
        finished = [(best, row.cost) for best, row in known if not row.timed_out]
        total = sum((best + 1) / (cost + 1) for best, cost in finished if cost is not None)
        return total + (len(known) - len(finished)) * TIMED_OUT * total / max(1, len(finished))

    def best(self, tolerance: float) -> str:
        """The name of the candidate to choose.

        Candidates whose quality is below the best quality by more than the tolerance per task are excluded, so one that
        misses a goal loses. Of the others, the cheapest whose accuracy is nearly the best is chosen.
        """
        names = sorted(self.followed, key=lambda name: self.prices.get(name, len(self.followed)))
        qualities = {name: self.quality(name) for name in names}
        enough = max(qualities.values()) - tolerance * len(self.known)
        good = {name: self.accuracies.get(name, 0.0) for name, quality in qualities.items() if quality >= enough}
        return next(name for name, accuracy in good.items() if accuracy >= max(good.values()) - ACCURACY_TOLERANCE)

    def ranked(self) -> list[str]:
        """The names of the candidates, the best quality first."""
        return sorted(self.followed, key=self.quality, reverse=True)

    def drop_unfollowed_trials(self) -> None:
        """Removes the largest trials if there was no time for any candidate to be followed on them."""
        del self.trials[max(map(len, self.followed.values())) :]

    def learn_cost(self, number: int, cost: float | None) -> None:
        """Lowers the known cost of a trial if a cheaper plan was found."""
        known = self.trials[number].cost
        if cost is not None and (known is None or cost < known):
            self.trials[number] = self.trials[number]._replace(cost=cost)

    def best_plan(self, number: int) -> list[str] | None:
        """The cheapest plan that a candidate has found for a trial; None if there is none."""
        rows = [rows[number] for rows in self.followed.values() if number < len(rows)]
        found = [(row.cost, row.plan) for row in rows if row.cost is not None]
        return min(found, key=lambda row: row[0])[1] if found else None

    def failures(self, name: str, too_expensive: float) -> list[int]:
        """The trials in which the candidate found no plan, or one that costs too many times the best known cost."""
        costs = self.costs(name)
        best = {number: self.best_cost(number) or 0 for number in self.known}
        return [i for i, cost in best.items() if (now := costs[i]) is None or now > too_expensive * cost]

    def measure(self, name: str, parts: list[tuple[Labelled, npt.NDArray[np.float32]]]) -> None:
        """Stores the accuracy of the chosen candidate on held-out tasks, also by goal distance and by task size."""
        self.chosen, self.test_tasks = name, len(parts)
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
            "test_tasks": self.test_tasks,
            "test_by_distance": {str(d): round(right / n, 4) for d, (n, right) in self.accuracy.by_distance.items()},
            "test_by_size": {str(size): round(right / n, 4) for size, (n, right) in self.by_size.items()},
        }

    def training_json(self) -> dict[str, Any]:
        """The `training` section of a policy file."""
        return {
            "chosen": self.chosen,
            **({"chosen_without_grounding": self.plain} if self.plain else {}),
            "following": self.headline.removeprefix("following: "),
            "why_not_to_follow": self.why_not_to_follow,
            "tasks": self.tasks,
            "generated": self.generated,
            "states": self.states,
            "seconds": round(self.seconds, 1),
            "followed": {row.name: row.cost for row in self.followed[self.chosen]},
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

    @property
    def headline(self) -> str:
        """One line: the number of trials in which following the policy reaches a goal, and their sizes."""
        if not self.known:
            return "following: reached no goal, and no other plan of these tasks is known"
        sizes = [self.trials[number].size for number in self.known]
        reached = f"following: reached the goal of {self.solved(self.chosen)} of {len(self.known)} tasks"
        late = sum(row.timed_out for row in self.followed[self.chosen])
        return f"{reached}, of {min(sizes)} to {max(sizes)} objects" + (f" ({late} ran out of time)" if late else "")

    @property
    def reaches_no_goal(self) -> bool:
        return self.solved(self.chosen) == 0

    @property
    def why_not_to_follow(self) -> str:
        """The reason why following the policy is not recommended; empty if it is recommended."""
        if self.solved(self.chosen) < max(1, ENOUGH_FOLLOWED * len(self.known)):
            return "it reaches less than half of the goals"
        pair = self.cost_against_search()
        return f"its plans cost {pair[0]:.1f} times those of a search" if pair and pair[0] > TOO_MUCH else ""

    def cost_against_search(self) -> tuple[float, int] | None:
        return mean_ratio(self.costs(self.chosen), [trial.cost for trial in self.trials])

    def text(self) -> str:
        """The report as text: following first, then the data that it was learned from, accuracy, candidates."""
        return "\n".join([*self.following_lines(), *self.data_lines(), *self.accuracy_lines(), *self.candidate_lines()])

    def following_lines(self) -> list[str]:
        lines = [self.headline, f"chosen: {self.chosen}"]
        if self.why_not_to_follow:
            lines.insert(1, f"do not follow this policy: {self.why_not_to_follow}; focal search may still use it")
        best = mean_ratio(self.costs(self.chosen), [self.best_cost(number) for number in range(len(self.trials))])
        for text, pair in (
            ("the best plan known of each task", best),
            ("the plan of a search", self.cost_against_search()),
        ):
            if pair is not None:
                lines.append(f"cost relative to {text}: {pair[0]:.3f} (geometric mean of {pair[1]} tasks)")
        lines += self.size_lines()
        if self.plain:
            reached = f"reached the goal of {self.solved(self.plain)} of {len(self.known)} tasks"
            lines.append(f"for tasks too large to ground: {self.plain}, {reached}")
        if self.recall is not None:
            lines.append(f"shortlist: contains the best action in {self.recall:.2%} of the states on these plans")
        return lines

    def size_lines(self) -> list[str]:
        """A line per trial: its objects, the cost of the followed plan, the best known cost."""
        lines = ["  objects  cost  best known"]
        for number, cost in enumerate(self.costs(self.chosen)):
            best, trial = self.best_cost(number), self.trials[number]
            shown = [f"{value:g}" if value is not None else "-" for value in (cost, best)]
            lines.append(f"  {trial.size:>7}  {shown[0]:>4}  {shown[1]:>10}  {trial.task.name}")
        return lines

    def data_lines(self) -> list[str]:
        lines = [
            f"learned from {self.tasks} tasks ({self.generated} of them generated), {self.states:,} states, "
            f"in {self.seconds:.1f}s"
        ]
        if self.relabelled:
            lines.append(f"{self.relabelled:,} more states labelled by plans where candidates failed")
        if self.gathered.why_none_generated:
            lines.append(f"none generated: {self.gathered.why_none_generated}")
        for reason, names in self.gathered.skipped.items():
            some = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
            lines.append(f"not learned from {len(names)} given tasks, {reason}: {some}")
        return lines

    def accuracy_lines(self) -> list[str]:
        if not self.accuracy.count:
            return []
        low, high = self.accuracy.interval
        return [
            f"accuracy on held-out tasks  {self.accuracy.value:.4f}  [{low:.4f}, {high:.4f}]  "
            f"{self.accuracy.count:,} states of {self.test_tasks} tasks",
            *_table("by distance to the goal", self.accuracy.by_distance),
            *_table("by number of objects", self.by_size),
        ]

    def candidate_lines(self) -> list[str]:
        count = len(self.known)
        lines = ["candidates: goals reached, quality against the best plan known, accuracy"]
        for name in self.followed:
            accuracy = f"{self.accuracies[name]:.4f}" if name in self.accuracies else "-"
            quality = self.quality(name) / max(count, 1)
            lines.append(f"  {self.solved(name):>3}/{count}  {quality:.3f}  {accuracy:6}  {name}")
        return lines


def mean_ratio(costs: Sequence[float | None], others: Sequence[float | None]) -> tuple[float, int] | None:
    """The geometric mean of the ratios of the costs, and their number; pairs with None or 0 are left out.

    >>> mean_ratio([4, 1, None], [1, 1, 5])
    (2.0, 2)
    """
    logs = [math.log(cost / other) for cost, other in zip(costs, others, strict=True) if cost and other]
    return (math.exp(sum(logs) / len(logs)), len(logs)) if logs else None


def _table(title: str, rows: dict[int, tuple[int, int]]) -> list[str]:
    return [title] + [f"  {key:>6}  {right / n:.4f}  {n:,} states" for key, (n, right) in sorted(rows.items())]
