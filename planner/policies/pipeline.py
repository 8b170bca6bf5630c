"""One way from tasks or a data set to a policy file: collect examples, fit, select, report, write.

A kind of training is a file in `trainers` and a line here. It says how its examples are collected, fitted and written;
what is common (the order of these steps, progress, the learning curve, `fsplan train`) is written once.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fsplan.planner.task import Task, TaskName

    from .report import Epoch, Step

    AnyTasks = Task | TaskName | list[Task | TaskName] | list[Task] | list[str]

Data = TypeVar("Data")


class Progress:
    """What a training reports to: `epoch(done)` after each pass, which False ends; `step(now)` about ten times
    a second; `note(text)` in other phases."""

    def __init__(
        self,
        epoch: Callable[[Epoch], bool | None] | None = None,
        step: Callable[[Step], None] | None = None,
        note: Callable[[str], None] | None = None,
    ) -> None:
        self.epoch, self.step, self.note = epoch, step, note


class Report(Protocol):
    """What a training closes with; `interrupted` if it was ended by Ctrl-C and kept the best it had."""

    interrupted: bool

    def text(self) -> str: ...

    def draw(self, path: str | os.PathLike[str]) -> None: ...


class Fitted(Protocol):
    """A trained policy, measured."""

    @property
    def report(self) -> Any: ...

    def write(self, path: str | os.PathLike[str]) -> None: ...


class Trainer(Protocol[Data]):
    """A training that is ready to run."""

    def collect(self) -> Data: ...

    def fit(self, data: Data, progress: Progress) -> Fitted: ...


class TrainingKind:
    """A kind of policy that can be trained. `trainer(words, options)` makes the trainer for the words and options of a
    command line; `reads` names the options that it looks at, beyond those of all; its files end in `ending`.
    `of_tasks(tasks, options)` makes it for tasks and for those options of Python that are given."""

    __slots__ = ("ending", "name", "of_tasks", "reads", "summary", "trainer")

    def __init__(
        self,
        name: str,
        summary: str,
        *,
        reads: Sequence[str],
        ending: str,
        trainer: Callable[[Sequence[str], Mapping[str, Any]], Trainer[Any]],
        of_tasks: Callable[[Sequence[Task], Mapping[str, Any]], Trainer[Any]],
    ) -> None:
        self.name, self.summary, self.reads, self.trainer = name, summary, tuple(reads), trainer
        self.ending, self.of_tasks = ending, of_tasks


KINDS = (
    "network",
    "relational",
)


def kind_named(name: str) -> TrainingKind:
    """The kind of training with this name; ValueError lists the names. Only its own packages are imported."""
    if name not in KINDS:
        raise ValueError(f"no kind of training is called {name!r}; there are {', '.join(KINDS)}")
    kind: TrainingKind = import_module(f"{__package__}.trainers.{name}").KIND
    return kind


def fitting_kind(words: Sequence[str], output: str | None, reader: str = "fsplan") -> str:
    """The kind of training for the words of a command line: what the output's ending says, else relational where the
    words are problems of a domain with different objects."""
    if output is not None:
        return "relational" if output.endswith(".policy") else "network"
    from fsplan.planner.sources.registry import is_whole_task

    if len(words) < 3 or any(is_whole_task(word) for word in words):
        return "network"
    from fsplan.planner.sources.pddl import read_problem

    problems = [read_problem((words[0], word), reader) for word in words[1:]]
    objects = [{name: typed.types for name, typed in problem.objects.items()} for problem in problems]
    return "network" if all(each == objects[0] for each in objects) else "relational"


def load_tasks(words: Sequence[str], reader: str = "fsplan") -> list[Task]:
    """DOMAIN PROBLEM…; a single word is a whole task, and so is every word if they are puzzles or .sas files."""
    from fsplan.planner.load import load_words
    from fsplan.planner.sources.registry import is_whole_task

    if len(words) == 1 or all(is_whole_task(word) for word in words):
        return [load_words((word,), reader=reader) for word in words]
    domain, *problems = words
    return [load_words((domain, problem), reader=reader) for problem in problems]


def train_policy(
    trainer: Trainer[Any],
    output: str | os.PathLike[str],
    *,
    curve: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Any:
    """Trains a policy, writes it to `output` and returns the report; `curve` is where the learning curve is drawn."""
    fitted = trainer.fit(trainer.collect(), progress or Progress())
    fitted.write(output)
    if curve is not None:
        fitted.report.draw(curve)
    return fitted.report


def train(
    tasks: AnyTasks,
    output: str | os.PathLike[str],
    *,
    kind: str | None = None,
    time_limit: float | str | None = None,
    curve: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Any:
    """Trains a policy on tasks, writes it to a file that `policy=` reads, and returns the report of the training.

    tasks       a task or several, loaded or as `load` takes them
    output      the file; one that ends in .policy serves the whole domain, any other is a network for these tasks
    kind        "relational" or "network", if the file's ending shall not decide
    time_limit  in seconds, or such as "1m"
    curve       where to draw the learning curve of a network
    progress    reports what is being done
    options     of a network, those of `TrainingOptions` and `ExampleOptions` (epochs, hidden, seed, …); of a domain
                policy, those of `LearnOptions` (states, generate, seed, …)

    report = fsplan.train([fsplan.load("domain.pddl", path) for path in small], "courier.policy", time_limit="1m")
    fsplan.focal("problem.pddl", policy="courier.policy")
    """
    from fsplan.planner.load import opened
    from fsplan.planner.quantities import seconds

    listed = list(tasks) if isinstance(tasks, (list, set, frozenset)) else [tasks]
    name = kind or ("relational" if os.fspath(output).endswith(".policy") else "network")
    if time_limit is not None:
        options["seconds"] = seconds(time_limit) if isinstance(time_limit, str) else time_limit
    trainer = kind_named(name).of_tasks([opened(task) for task in listed], options)
    return train_policy(trainer, output, curve=curve, progress=progress)
