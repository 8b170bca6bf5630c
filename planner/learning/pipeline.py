"""Training of policies from tasks or a data set: collect examples, fit, report, write the policy file.

Each kind of training is a module in `trainers`, listed in KINDS below. It implements how examples are collected and
fitted and how the policy is written. This module contains the parts that all kinds share.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from fsplan.planner.base.quantities import seconds
from fsplan.planner.sources.load import ensure_loaded, load_arguments
from fsplan.planner.sources.pddl import read_problem
from fsplan.planner.sources.registry import is_whole_task

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fsplan.planner.policies.report import Epoch, Step
    from fsplan.planner.tasks.task import Task, TaskName

    AnyTasks = Task | TaskName | list[Task | TaskName] | list[Task] | list[str]

Data = TypeVar("Data")


class Progress(NamedTuple):
    """Callbacks for the progress of a training.

    `epoch(done)` is called after each epoch and may return False to stop the training, `step(now)` about ten times per
    second, and `note(text)` in other phases.
    """

    epoch: Callable[[Epoch], bool | None] | None = None
    step: Callable[[Step], None] | None = None
    note: Callable[[str], None] | None = None


class Report(Protocol):
    """The report of a training; `interrupted` is True if Ctrl-C ended it, in which case the best policy is kept."""

    interrupted: bool

    def text(self) -> str: ...
    def draw(self, path: str | os.PathLike[str]) -> None: ...


class Fitted(Protocol):
    """A trained policy and the report of its training."""

    @property
    def report(self) -> Any: ...
    def write(self, path: str | os.PathLike[str]) -> None: ...


class Trainer(Protocol[Data]):
    """A training with fixed options, split into two steps: `collect` and `fit`."""

    def collect(self) -> Data: ...
    def fit(self, data: Data, progress: Progress) -> Fitted: ...


class TrainingKind(NamedTuple):
    """A kind of training.

    trainer   trainer(arguments, options): the trainer for the arguments and options of a command line
    reads     names of the options that it uses, in addition to those that all kinds use
    ending    suffix of its policy files
    of_tasks  of_tasks(tasks, options): the trainer for given tasks and keyword options, used from Python
    """

    name: str
    summary: str
    reads: tuple[str, ...]
    ending: str
    trainer: Callable[[Sequence[str], Mapping[str, Any]], Trainer[Any]]
    of_tasks: Callable[[Sequence[Task], Mapping[str, Any]], Trainer[Any]]


KINDS = (
    "network",
    "relational",
)


def kind_named(name: str) -> TrainingKind:
    """The kind of training with this name; imports only its own module. Raises ValueError for an unknown name."""
    if name not in KINDS:
        raise ValueError(f"no kind of training is called {name!r}; there are {', '.join(KINDS)}")
    kind: TrainingKind = import_module(f"{__package__}.trainers.{name}").KIND
    return kind


def fitting_kind(arguments: Sequence[str], output: str | None, reader: str = "fsplan") -> str:
    """The name of the kind of training for the arguments of a command line.

    It depends on the suffix of the output file. Without an output file it is "relational" if the arguments are a domain
    and problems with different objects, else "network".
    """
    if output is not None:
        return "relational" if output.endswith(".policy") else "network"

    if len(arguments) < 3 or any(is_whole_task(word) for word in arguments):
        return "network"

    problems = [read_problem((arguments[0], word), reader) for word in arguments[1:]]
    objects = [{name: typed.types for name, typed in problem.objects.items()} for problem in problems]
    return "network" if all(each == objects[0] for each in objects) else "relational"


def load_tasks(arguments: Sequence[str], reader: str = "fsplan") -> list[Task]:
    """Loads the tasks of a command line: DOMAIN PROBLEM…, or one argument per task for puzzles and .sas files."""
    if len(arguments) == 1 or all(is_whole_task(word) for word in arguments):
        return [load_arguments((word,), reader=reader) for word in arguments]
    domain, *problems = arguments
    return [load_arguments((domain, problem), reader=reader) for problem in problems]


def train_policy(
    trainer: Trainer[Any],
    output: str | os.PathLike[str],
    *,
    curve: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Any:
    """Trains a policy, writes it to `output` and returns the report; draws the learning curve to the file `curve`."""
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

    tasks       one task or several, loaded tasks or arguments of `load`
    output      path of the policy file; the suffix .policy means a policy for the whole domain, any other suffix a
                network for these tasks
    kind        "relational" or "network"; by default the suffix of the file decides
    time_limit  in seconds, or a text such as "1m"
    curve       path of a picture of the learning curve (networks only)
    progress    callbacks for progress
    options     for a network, the options of `TrainingOptions` and `ExampleOptions` (epochs, hidden, seed, …); for a
                domain policy, the options of `LearnOptions` (states, generate, seed, …)

    report = fsplan.train([fsplan.load("domain.pddl", path) for path in small], "courier.policy", time_limit="1m")
    fsplan.focal("problem.pddl", policy="courier.policy")
    """
    listed = list(tasks) if isinstance(tasks, (list, set, frozenset)) else [tasks]
    name = kind or ("relational" if os.fspath(output).endswith(".policy") else "network")
    if time_limit is not None:
        options["seconds"] = seconds(time_limit) if isinstance(time_limit, str) else time_limit
    trainer = kind_named(name).of_tasks([ensure_loaded(task) for task in listed], options)
    return train_policy(trainer, output, curve=curve, progress=progress)
