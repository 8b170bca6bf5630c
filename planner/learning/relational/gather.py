"""Collects labelled states for learning, from the given tasks and from smaller tasks derived from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fsplan.planner._core import TooManyStates
from fsplan.planner.learning.relational.derive import Deriver
from fsplan.planner.learning.relational.labels import Labelled, label
from fsplan.planner.learning.relational.workers import Workers
from fsplan.planner.tasks.task import Task

# The limit of states of a derived task is that of a given task, divided by this number.
DERIVED_PART = 2
# After this many tasks that are too large, larger ones are not tried.
MOST_TOO_LARGE = 4
TOO_LARGE = "too many states to label all"
# The time limit for labelling a task is the remaining time, divided by this number.
TRIES = 4


class How(NamedTuple):
    """Options for labelling a task; see `labels.label`."""

    states: int
    max_states: int
    seed: int


class Gathered:
    """Labelled tasks, the number of them that were derived, and the given tasks that were skipped, by reason."""

    def __init__(self) -> None:
        self.labelled: list[Labelled] = []
        self.generated = 0
        self.skipped: dict[str, list[str]] = {}
        self.why_none_generated = ""


class Gatherer(Gathered):
    """Collects labelled states; `left()` returns the remaining seconds, `tell` reports progress."""

    def __init__(self, workers: Workers, how: How, left: Callable[[], float], tell: Callable[[str], None]) -> None:
        super().__init__()
        self.workers, self.how, self.left, self.tell = workers, how, left, tell

    def label_given(self, tasks: Sequence[Task]) -> None:
        """Labels the tasks, which are sorted by size, until too many are too large or the time is over."""
        too_large = 0
        count = self.workers.count
        for first in range(0, len(tasks), count):
            if too_large >= MOST_TOO_LARGE or self.left() <= 0:
                reason = (
                    "no time left" if self.left() <= 0 else f"larger than {MOST_TOO_LARGE} that have too many states"
                )
                self.skipped[reason] = [task.name for task in tasks[first:]]
                break
            batch = tasks[first : first + count]
            seconds = self.left() / TRIES
            answers = self.workers.map(label_task, batch, [self.how] * len(batch), [seconds] * len(batch))
            too_large += answers.count(TOO_LARGE)
            self.keep(answers)
            for task, answer in zip(batch, answers, strict=True):
                if isinstance(answer, str):
                    self.skipped.setdefault(answer, []).append(task.name)
            self.tell(f"labelled {len(self.labelled)} of {len(tasks)} tasks")

    def label_derived(self, derivers: Sequence[Deriver], wanted: int) -> None:
        """Labels derived tasks, drawn from the derivers in turn, until there are `wanted` labelled tasks."""
        how = self.how._replace(max_states=max(1, self.how.max_states // DERIVED_PART))
        ready: list[Deriver] = []
        draws = 0
        while len(self.labelled) < wanted and draws < 4 * wanted and self.left() > 0:
            count = min(self.workers.count, 4 * wanted - draws)
            numbers = range(draws, draws + count)
            if len(ready) < len(derivers):
                ready += self.workers.map(prepared, derivers[len(ready) : len(ready) + count])
            batch = [ready[number % len(ready)] for number in numbers]
            answers = self.workers.map(label_drawn, batch, numbers, [how] * count, [self.left()] * count)
            self.generated += self.keep(answers)
            draws += count
            self.tell(f"labelled {len(self.labelled)} tasks, {self.generated} of them generated")

    def keep(self, answers: Sequence[Labelled | str]) -> int:
        found = [answer for answer in answers if not isinstance(answer, str)]
        self.labelled += found
        return len(found)


def derivers_of(tasks: Sequence[Task], seed: int, seconds_each: float) -> list[Deriver]:
    """A Deriver for each PDDL task whose goal is a conjunction of atoms."""
    found = [
        Deriver(task.problem, seed + number, seconds_each)
        for number, task in enumerate(tasks)
        if task.problem is not None
    ]
    return [deriver for deriver in found if deriver.is_possible]


def prepared(deriver: Deriver) -> Deriver:
    """The deriver, after it has computed and cached the initial states of its tasks."""
    deriver.starts()
    return deriver


def label_task(task: Task, how: How, seconds: float) -> Labelled | str:
    """The labelled states of a task, or the reason why there are none."""
    try:
        return label(task, *how, seconds=max(seconds, 0.1)) or "no state with a choice and a plan"
    except (TooManyStates, TimeoutError):
        return TOO_LARGE


def label_drawn(deriver: Deriver, number: int, how: How, seconds: float) -> Labelled | str:
    task = deriver.draw(number)
    return "nothing drawn" if task is None else label_task(task, how, seconds)
