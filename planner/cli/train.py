"""`fsplan train`: from PDDL problems to a measured, stored policy."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

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
    from fsplan.planner.policies.report import Epoch, Step

WIDTH = 24


class TrainingLine:
    """On a terminal one line that fills up, then one line per epoch; elsewhere only the latter, or nothing."""

    def __init__(self, shown: bool) -> None:
        self.shown, self.is_live = shown, shown and sys.stderr.isatty()

    def step(self, now: Step) -> None:
        if self.is_live:
            bar = "━" * round(WIDTH * now.done)
            text = f"epoch {now.epoch}/{now.epochs} {bar:{WIDTH}} loss {now.loss:.4f}  accuracy {now.accuracy:.4f}"
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
@number_option(
    "--epochs", section="Training", help="Passes over the examples, at most; if not given 40, or 2 million examples."
)
@number_option("--batch", section="Training", help="Examples per step; 1024, for a data set 4096.")
@number_option(
    "--learning-rate", type=float, metavar="R", section="Training", help="The largest one; 0.002, for a data set 0.004."
)
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
    from fsplan.planner.policies.pipeline import Progress, kinds, train_policy

    line = TrainingLine(not quiet)
    report = train_policy(
        kinds()["network"].trainer(task, options),
        output,
        curve=curve_file(options["curve"], output, quiet),
        progress=Progress(line.epoch, line.step),
    )
    if not quiet:
        print(report.text())
        print(f"written to {output}", file=sys.stderr)
    return 130 if report.interrupted else 0


def curve_file(asked: str | None, output: str, quiet: bool) -> str | None:
    """Where the learning curve goes; nowhere if it was not asked for and matplotlib is missing."""
    from importlib.util import find_spec

    if asked or find_spec("matplotlib"):
        return asked or f"{os.path.splitext(output)[0]}.png"
    if not quiet:
        print("no learning curve is drawn: that needs matplotlib, pip install 'fsplan[plot]'", file=sys.stderr)
    return None
