"""`fsplan train`: from PDDL problems to a measured, stored policy."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.parameters import (
    Command,
    file_option,
    max_states_option,
    number_option,
    option,
    quiet_option,
    reader_option,
    seed_option,
    task_argument,
    time_limit_option,
    trace_limit_option,
    walk_option,
)
from fsplan.planner.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable

    from fsplan.planner.policies.report import Epoch, Step
    from fsplan.planner.task import Task

WIDTH = 24


class TrainingLine:
    """On a terminal one line that fills up, then one line per epoch; elsewhere only the latter, or nothing."""

    def __init__(self, shown: bool, epochs: int) -> None:
        self.shown, self.epochs = shown, epochs
        self.is_live = shown and sys.stderr.isatty()

    def step(self, now: Step) -> None:
        if self.is_live:
            bar = "━" * round(WIDTH * now.done)
            text = f"epoch {now.epoch}/{self.epochs} {bar:{WIDTH}} loss {now.loss:.4f}  accuracy {now.accuracy:.4f}"
            print(end=f"\r{text}", file=sys.stderr, flush=True)

    def epoch(self, done: Epoch) -> None:
        if self.shown:
            clear = f"\r{'':{WIDTH + 60}}\r" if self.is_live else ""
            print(
                f"{clear}epoch {done.number}/{done.epochs}  loss {done.loss:.4f}  accuracy {done.accuracy:.4f}  "
                f"validation {done.validation_loss:.4f} {done.validation_accuracy:.4f}  {done.seconds:.1f}s",
                file=sys.stderr,
            )


@click.command("train", cls=Command)
@task_argument
@file_option("--output", "-o", default="policy.safetensors", show_default=True, help="The policy file.")
@option(
    "--examples",
    type=click.Choice(["auto", "graph", "plans"]),
    default="auto",
    show_default=True,
    section="Examples",
    help="Learn from the whole state space, from optimal plans, or (auto) from the state space where it fits.",
)
@max_states_option
@number_option("--limit", section="Examples", help="Use at most so many states of the state space.")
@file_option("--plan", multiple=True, section="Examples", help="Learn from this plan file; repeatable.")
@number_option("--traces", default=200, section="Examples", help="Optimal traces per task, where it does not fit.")
@walk_option
@trace_limit_option
@option(
    "--net", metavar="MODULE:CLASS", section="Network", help="A torch module of your own, built with (inputs, outputs)."
)
@option(
    "--hidden", metavar="LIST", section="Network", help="Sizes of the hidden layers; 256,128, for a data set 160,80,16."
)
@option(
    "--encoder",
    type=click.Choice(["one-hot", "bits"]),
    default="one-hot",
    show_default=True,
    section="Network",
    help="One input per value of each variable, or one bit per atom.",
)
@number_option("--epochs", default=40, section="Training", help="Passes over the examples, at most.")
@number_option("--batch", default=1024, section="Training", help="Examples per step.")
@number_option("--learning-rate", type=float, default=2e-3, metavar="R", section="Training", help="The largest one.")
@number_option("--patience", default=10, section="Training", help="Stop after so many epochs without progress.")
@file_option("--checkpoint", section="Training", help="Save every epoch to this file, and resume from it.")
@file_option("--curve", help="Draw the learning curve here; if not given, as PNG beside the policy.")
@number_option("--threads", default=1, section="Training", help="Threads; the same number gives the same network.")
@seed_option("Training")
@time_limit_option()
@reader_option()
@quiet_option
def command(task: tuple[str, ...], output: str, quiet: bool, **options: Any) -> int:
    """Trains a policy on problems with the same actions, or on a data set.

    \b
    fsplan train DOMAIN PROBLEM...      problems of a domain
    fsplan train tiles8:random/1        a puzzle
    fsplan train tiles15 DATA.npz       what `fsplan dataset` wrote

    Needs torch: pip install 'fsplan[torch]'.
    """
    require("torch")
    from fsplan.planner.policies.commands import ExampleOptions, train_policy

    if len(task) == 2 and task[1].endswith(".npz"):
        return train_on_data(task[0], task[1], output, quiet, options)
    tasks = load_tasks(task, options["reader"])
    line = TrainingLine(not quiet, options["epochs"])
    examples = ExampleOptions(
        options["examples"],
        max_states=options["max_states"],
        limit=options["limit"],
        traces=options["traces"],
        walk=options["walk"],
        seconds_each=options["trace_limit"],
        plan_files=options["plan"],
        seed=options["seed"],
    )
    report = train_policy(
        tasks,
        output,
        examples=examples,
        options=training_options(options),
        net_name=options["net"] or "",
        encoder=options["encoder"],
        checkpoint=options["checkpoint"],
        curve=curve_file(options["curve"], output),
        on_progress=line.epoch,
        on_step=line.step,
    )
    if not quiet:
        print(report.text())
        print(f"written to {output}", file=sys.stderr)
    return 0


def train_on_data(domain: str, data: str, output: str, quiet: bool, options: dict[str, Any]) -> int:
    """A data set of `fsplan dataset` instead of tasks."""
    from fsplan.domains.training import HIDDEN, default_options, train_tiles

    line = TrainingLine(not quiet, options["epochs"])
    chosen = training_options(options, HIDDEN, default_options)
    report = train_tiles(domain, data, output, chosen, checkpoint=options["checkpoint"], on_progress=line.epoch)
    if not quiet:
        print(report.text())
        print(f"written to {output}", file=sys.stderr)
    return 0


def load_tasks(words: tuple[str, ...], reader: str) -> list[Task]:
    """DOMAIN PROBLEM…; a single word is a whole task, and so is every word if they are puzzles."""
    from fsplan.planner.load import load_words
    from fsplan.planner.sources.registry import is_whole_task

    if len(words) == 1 or all(is_whole_task(word) for word in words):
        return [load_words((word,), reader=reader) for word in words]
    domain, *problems = words
    return [load_words((domain, problem), reader=reader) for problem in problems]


def training_options(
    options: dict[str, Any], hidden: tuple[int, ...] = (256, 128), build: Callable[..., Any] | None = None
) -> Any:
    """What the options ask for; `build` fills in the rest."""
    from fsplan.planner.policies.imports import import_named
    from fsplan.planner.policies.training import TrainingOptions

    chosen: dict[str, Any] = {
        name: options[name] for name in ("epochs", "batch", "learning_rate", "patience", "threads", "seed")
    }
    if options["time_limit"]:
        chosen["seconds"] = options["time_limit"]
    if options["net"]:
        chosen["net"] = import_named(options["net"])
    sizes = hidden if options["hidden"] is None else hidden_sizes(options["hidden"])
    return (build or TrainingOptions)(hidden=sizes, **chosen)


def hidden_sizes(text: str) -> tuple[int, ...]:
    """
    >>> hidden_sizes("160,80,16")
    (160, 80, 16)
    """
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    if not all(word.isascii() and word.isdigit() and 0 < int(word) <= 1 << 20 for word in words):
        raise UsageError(f"--hidden {text}: expected sizes joined by commas, such as 256,128")
    return tuple(map(int, words))


def curve_file(asked: str | None, output: str) -> str | None:
    """Where the learning curve goes; nowhere if it was not asked for and matplotlib is missing."""
    if asked:
        return asked
    from importlib.util import find_spec

    return f"{os.path.splitext(output)[0]}.png" if find_spec("matplotlib") else None
