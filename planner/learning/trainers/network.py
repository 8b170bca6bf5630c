"""The training kind `network`: a network with one output per action, for tasks with the same variables and actions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import signature
from typing import Any, NamedTuple

from fsplan.planner.base.imports import import_named
from fsplan.planner.learning.collect import Collected, ExampleOptions, collect
from fsplan.planner.learning.pipeline import Progress, TrainingKind, load_tasks
from fsplan.planner.learning.puzzles import DEFAULTS, collect_data_set
from fsplan.planner.learning.training import TrainingOptions, train
from fsplan.planner.policies import files
from fsplan.planner.policies.encoders import Encoder
from fsplan.planner.policies.files import StoredPolicy
from fsplan.planner.policies.network import TorchPolicy, store_module
from fsplan.planner.policies.report import TrainingReport
from fsplan.planner.tasks.task import Task


class FittedNetwork(NamedTuple):
    stored: StoredPolicy
    report: TrainingReport

    def write(self, path: str | os.PathLike[str]) -> None:
        files.write(path, self.stored)


class NetworkTrainer:
    """Trains a network on the examples that `collect()` returns.

    `encoder` is "one-hot" or "bits". `net_name` is the name of `options.net` as module:class, which is stored in the
    policy file. `checkpoint` is a file in which every epoch is saved, and from which training is resumed.
    """

    def __init__(
        self,
        collect: Callable[[], Collected],
        options: TrainingOptions | None = None,
        *,
        encoder: str = "one-hot",
        net_name: str = "",
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        self.collect, self.options = collect, options or TrainingOptions()
        self.encoder, self.net_name, self.checkpoint = encoder, net_name, checkpoint

    @classmethod
    def of_tasks(cls, tasks: Sequence[Task], where: ExampleOptions | None = None, **rest: Any) -> NetworkTrainer:
        return cls(lambda: collect(tasks, where), **rest)

    def fit(self, data: Collected, progress: Progress) -> FittedNetwork:
        encoder, actions = make_encoder(data, self.encoder), data.signature.actions
        module, report = train(
            data.examples,
            self.options,
            encoder=encoder,
            checkpoint=self.checkpoint,
            on_progress=progress.epoch,
            on_step=progress.step,
        )
        stored = store_module(module, encoder, actions, self.net_name)
        if data.followed is not None:
            policy = stored.native() if stored.is_native else TorchPolicy(module, encoder, actions)
            report.unroll = data.followed(policy)
        stored.task = data.signature.as_task() | {"problems": data.problems}
        stored.accuracy = report.accuracy_json()
        stored.training = report.training_json() | data.record
        return FittedNetwork(stored, report)


def make_encoder(data: Collected, kind: str) -> Encoder:
    """The encoder of this kind: "one-hot" has one input per value of each variable, "bits" one input per atom."""
    if kind == "one-hot":
        return Encoder.one_hot(data.examples.domain_sizes)
    if kind != "bits":
        raise ValueError(f"encoder {kind!r} is unknown; choose one-hot or bits")
    if data.is_atom is None:
        raise ValueError("fact bits are for PDDL tasks: a puzzle's cells are encoded one-hot")
    return Encoder.bits(data.examples.domain_sizes, data.is_atom)


_TRAINING = ("epochs", "batch", "learning_rate", "patience", "threads", "seed", "labels", "loss")
_EXAMPLES = ("max_states", "limit", "traces", "walk", "seed")


def _trainer(arguments: Sequence[str], options: Mapping[str, Any]) -> NetworkTrainer:
    """The trainer for command-line arguments: a task as for `fsplan.load`, DOMAIN PROBLEM…, or PUZZLE DATASET."""
    rest = {name: options[name] for name in ("encoder", "checkpoint")} | {"net_name": options["net"] or ""}
    if len(arguments) == 2 and arguments[1].endswith(".npz"):
        puzzle, data = arguments
        collected = partial(collect_data_set, puzzle, data, options["mirror"])
        return NetworkTrainer(collected, _training_options(options, DEFAULTS), **rest)
    if not options["mirror"]:
        raise ValueError("--no-mirror is for data sets of puzzles: other examples are not mirrored")
    where = ExampleOptions(
        options["examples"],
        seconds_each=options["trace_limit"],
        plan_files=options["plan"],
        **{name: options[name] for name in _EXAMPLES},
    )
    tasks = load_tasks(arguments, reader=options["reader"])
    return NetworkTrainer.of_tasks(tasks, where, options=_training_options(options, {}), **rest)


def _training_options(options: Mapping[str, Any], defaults: Mapping[str, Any]) -> TrainingOptions:
    """The training options of a command line, with the given defaults for options that are not set."""
    chosen = {name: options[name] for name in _TRAINING if options[name] is not None}
    if options["time_limit"]:
        chosen["seconds"] = options["time_limit"]
    if options["net"]:
        chosen["net"] = import_named(options["net"])
    if options["hidden"] is not None:
        chosen["hidden"] = _sizes(options["hidden"])
    return TrainingOptions(**{**defaults, **chosen})


def _sizes(text: str) -> tuple[int, ...]:
    """The layer sizes in a comma-separated list.

    >>> _sizes("160,80,16")
    (160, 80, 16)
    """
    numbers = [word.strip() for word in text.split(",")] if text.strip() else []
    if not all(word.isascii() and word.isdigit() and 0 < int(word) <= 1 << 20 for word in numbers):
        raise ValueError(f"--hidden {text}: expected sizes joined by commas, such as 256,128")
    return tuple(map(int, numbers))


def _of_tasks(tasks: Sequence[Task], options: Mapping[str, Any]) -> NetworkTrainer:
    """The trainer for tasks and options from Python.

    The options are those of `ExampleOptions` (`kind` is called `examples` here), `TrainingOptions` and the trainer.
    """
    given = {"kind" if name == "examples" else name: value for name, value in options.items()}
    where = {name: given[name] for name in signature(ExampleOptions).parameters if name in given}
    own = {name: given[name] for name in ("encoder", "net_name", "checkpoint") if name in given}
    taken = (where.keys() | own.keys()) - {"seed"}
    training = {name: value for name, value in given.items() if name not in taken}
    return NetworkTrainer.of_tasks(tasks, ExampleOptions(**where), options=TrainingOptions(**training), **own)


KIND = TrainingKind(
    "network",
    "a network with one output per ground action: for one task, any initial state, or tasks that share their actions",
    reads=(
        *_TRAINING,
        *_EXAMPLES,
        "examples",
        "plan",
        "trace_limit",
        "net",
        "hidden",
        "encoder",
        "checkpoint",
        "mirror",
    ),
    ending=".safetensors",
    trainer=_trainer,
    of_tasks=_of_tasks,
)
