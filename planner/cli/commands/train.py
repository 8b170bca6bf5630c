"""`fsplan train`: trains a policy on PDDL problems, measures its accuracy and stores it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from fsplan.planner.base.extras import require
from fsplan.planner.base.files import check_writable, plain_name
from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.parameters import (
    Command,
    choice_option,
    file_option,
    max_states_option,
    number_option,
    option,
    quiet_option,
    reader_option,
    scheduler_option,
    seed_option,
    task_argument,
    time_limit_option,
    trace_limit_option,
    walk_option,
)

if TYPE_CHECKING:
    from fsplan.planner.policies.report import Epoch, Step

WIDTH = 24


class TrainingLine:
    """Prints the progress of a training: one line per epoch, and on a terminal also a progress line before that."""

    def __init__(self, shown: bool) -> None:
        self.shown, self.is_live = shown, shown and sys.stderr.isatty()

    def step(self, now: Step) -> None:
        if self.is_live:
            bar = "━" * round(WIDTH * now.done)
            text = f"epoch {now.epoch}/{now.epochs} {bar:{WIDTH}} loss {now.loss:.4f}  accuracy {now.accuracy:.4f}"
            print(end=f"\r{text}", file=sys.stderr, flush=True)

    def note(self, text: str) -> None:
        if self.is_live:
            print(end=f"\r{text:{WIDTH + 60}}", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.is_live:
            print(end=f"\r{'':{WIDTH + 60}}\r", file=sys.stderr, flush=True)

    def epoch(self, done: Epoch) -> None:
        self.clear()
        if self.shown:
            print(
                f"epoch {done.number}/{done.epochs}  loss {done.loss:.4f}  accuracy {done.accuracy:.4f}  "
                f"validation {done.validation_loss:.4f} {done.validation_accuracy:.4f}  {done.seconds:.1f}s",
                file=sys.stderr,
            )


@click.command("train", cls=Command)
@task_argument
@file_option(
    "--output", "-o", help="The policy file; if not given policy.safetensors, or for a domain policy DOMAIN.policy."
)
@option(
    "--kind",
    type=click.Choice(["network", "relational"]),
    help="A network for one task, or a policy for the whole domain; default: chosen by the output and the tasks.",
)
@option("--install", is_flag=True, section="Output", help="Use the policy from now on for every task of its domain.")
@option("--force", is_flag=True, section="Output", help="Install the policy even if following it reaches no goal.")
@option(
    "--generate/--no-generate",
    default=True,
    section="Examples",
    help="A policy for a domain: derive smaller tasks where too few are given, and grow larger ones to test it.",
)
@choice_option(
    "--examples",
    ("auto", "graph", "plans", "scramble"),
    section="Examples",
    help="Learn from the whole state space, from optimal plans, from random walks away from the goal of a puzzle "
    "(scramble; needs no solver), or (auto) from the state space where it fits, else from plans.",
)
@max_states_option
@number_option("--limit", section="Examples", help="Use at most this many states of the state space.")
@file_option("--plan", multiple=True, section="Examples", help="Learn from this plan file; repeatable.")
@number_option("--traces", default=200, section="Examples", help="Optimal traces per task, or walks.")
@walk_option
@trace_limit_option
@choice_option(
    "--labels",
    ("optimal", "trace"),
    section="Examples",
    help="Correct labels: all optimal actions, or the action of the trace only.",
)
@option(
    "--mirror/--no-mirror",
    default=True,
    section="Examples",
    help="A data set of a square board: learn from the mirrored boards, too.",
)
@option(
    "--net", metavar="MODULE:CLASS", section="Network", help="A torch module of your own, built with (inputs, outputs)."
)
@option(
    "--hidden", metavar="LIST", section="Network", help="Sizes of the hidden layers; 256,128, for a data set 160,80,16."
)
@choice_option(
    "--encoder",
    ("one-hot", "bits"),
    section="Network",
    help="One input per value of each variable, or one bit per atom.",
)
@choice_option(
    "--loss",
    ("masked", "unmasked"),
    section="Training",
    help="Cross-entropy over the applicable actions, or over all.",
)
@number_option(
    "--epochs", section="Training", help="Passes over the examples, at most; if not given 40, or 2 million examples."
)
@number_option("--batch", section="Training", help="Examples per step; 1024, for a data set 4096.")
@number_option(
    "--learning-rate", type=float, metavar="R", section="Training", help="Peak rate; 0.002, for data sets 0.004."
)
@number_option("--patience", default=10, section="Training", help="Stop after this many epochs without progress.")
@file_option("--checkpoint", section="Training", help="Save every epoch to this file, and resume from it.")
@file_option("--curve", help="Draw the learning curve here; if not given, as PNG beside the policy.")
@number_option("--threads", section="Training", help="Threads; if not given 1, for a domain policy one per core.")
@scheduler_option
@seed_option("Training")
@time_limit_option()
@reader_option()
@quiet_option
def command(
    task: tuple[str, ...],
    output: str | None,
    kind: str | None,
    install: bool,
    force: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Trains a policy for the tasks of a domain, for one task, or on a data set.

    \b
    fsplan train DOMAIN PROBLEM...      problems of a domain, with any objects
    fsplan train DOMAIN PROBLEM         one task, any initial state (needs torch: pip install 'fsplan[torch]')
    fsplan train tiles8:random/1        a puzzle (torch)
    fsplan train tiles15 DATA.npz       a data set that `fsplan dataset` wrote (torch)
    """
    from fsplan.planner.learning.pipeline import Progress, fitting_kind, kind_named, train_policy

    name = kind or fitting_kind(task, output, options["reader"])
    if name == "network":
        require("torch")
    chosen = kind_named(name)
    refuse_unread(click.get_current_context(), chosen.name, chosen.reads)
    if force and not install:
        raise UsageError("--force is for --install")
    if install and chosen.name != "relational":
        raise UsageError("--install is for policies of a domain: --kind relational")
    trainer = chosen.trainer(task, options)
    output = output or default_output(task, chosen.ending)
    check_writable(output)
    line = TrainingLine(not quiet)
    report = train_policy(
        trainer,
        output,
        curve=curve_file(chosen.name, options["curve"], output, quiet),
        progress=Progress(line.epoch, line.step, line.note),
    )
    line.clear()
    if not quiet:
        print(report.text(), flush=True)  # flushed so that it precedes the messages on stderr in a common log
        print(f"written to {output}", file=sys.stderr)
    if install and report.reaches_no_goal and not force:
        print(f"not installed: following {output} reaches no goal; --force installs it anyway", file=sys.stderr)
        return 12
    if install:
        from fsplan.planner.policies.relational import library, stored

        print(f"installed as {library.install(stored.read(output))}", file=sys.stderr)
    return 130 if report.interrupted else 0


READ_BY_ALL = ("task", "output", "kind", "install", "force", "quiet", "reader", "time_limit", "curve")


def refuse_unread(ctx: click.Context, kind: str, reads: tuple[str, ...]) -> None:
    """Raises a UsageError for an option that this kind of training does not read."""
    for name in ctx.params:
        given = ctx.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE
        if given and name not in reads and name not in READ_BY_ALL:
            raise UsageError(f"--{name.replace('_', '-')} is not read by the training of a {kind} policy")


def default_output(words: tuple[str, ...], ending: str) -> str:
    """Returns the default file name: policy.safetensors, or the domain's name for a policy of a whole domain."""
    if ending == ".safetensors":
        return f"policy{ending}"
    from fsplan.planner.sources.pddl import read_problem

    return f"{plain_name(read_problem(words[:2]).domain.name)}{ending}"


def curve_file(kind: str, asked: str | None, output: str, quiet: bool) -> str | None:
    """Returns the path of the learning curve; None if none is drawn."""
    from importlib.util import find_spec

    if kind == "relational":
        return asked
    if asked or find_spec("matplotlib"):
        return asked or f"{os.path.splitext(output)[0]}.png"
    if not quiet:
        print("no learning curve is drawn: that needs matplotlib, pip install 'fsplan[plot]'", file=sys.stderr)
    return None
