"""`fsplan study`: runs the paper's experiments on the user's tasks."""

from __future__ import annotations

import sys
from typing import Any

import click

from fsplan.planner.cli.names import heuristic_names, policy_names, search_names, split_policies, split_searches
from fsplan.planner.cli.parameters import (
    Command,
    file_option,
    memory_limit_option,
    number_option,
    quiet_option,
    scheduler_option,
    time_limit_option,
    words_option,
    workers_option,
)


@click.command("study", cls=Command)
@click.argument("tasks", nargs=-1, required=True, type=click.Path(), metavar="TASK...")
@words_option("--accuracies", names=list, help="Target accuracies of synthetic policies; .7,.8,.9,.95,1 if not given.")
@words_option(
    "--policies",
    names=policy_names,
    read=split_policies,
    help="Trained policies: solve all tasks with each, instead of one task from many initial states.",
)
@words_option(
    "--searches",
    names=search_names,
    read=split_searches,
    help="Searches joined by commas, the paper's if not given; an order of FOCAL is run as Algorithm 1.",
)
@words_option("-w", "--w", names=list, help="Values of w; default 1.2,1.5, with trained policies 1.5,2.")
@words_option("--heuristics", names=heuristic_names, help="Heuristics, each with figures of its own.")
@number_option("--starts", default=20, help="Initial states per task, drawn from its state space.")
@number_option("--draws", help="Draws of the synthetic policy for each accuracy; as many as starts if not given.")
@time_limit_option("Stop each run after this long; 60s if not given.")
@memory_limit_option()
@file_option("--output", "-o", metavar="DIR", help="The folder for everything; the same command resumes.")
@workers_option
@scheduler_option
@quiet_option
def command(
    tasks: tuple[str, ...],
    accuracies: list[str] | None,
    w: list[str] | None,
    output: str | None,
    workers: int | None,
    scheduler: str | None,
    quiet: bool,
    **options: Any,
) -> int:
    """Repeats the paper's experiments on other tasks: figures, tables, and which of its claims hold there.

    \b
    fsplan study DOMAIN PROBLEM...                 as in Figure 1: synthetic policies; the state space fits in memory
    fsplan study DOMAIN PROBLEM... --policies P    as in Figure 2: a trained policy, any tasks
    fsplan study tiles8:random/1 my.module:Task    puzzles and tasks written in Python
    """
    from fsplan.planner.paper.reproduce import carry_out_study
    from fsplan.planner.paper.study import study_settings

    given = {name: value for name, value in options.items() if value is not None}
    numbers = None if accuracies is None else [_accuracy(word) for word in accuracies]
    settings = study_settings(tasks, ws=w, accuracies=numbers, **given)
    folder = output or "study"
    print_outputs(folder, carry_out_study(settings, folder, workers=workers, scheduler=scheduler, quiet=quiet), quiet)
    return 0


def print_outputs(folder: str, notes: list[str], quiet: bool) -> None:
    """Prints the names of a study's files, and notes about files that could not be written."""
    from fsplan.planner.paper.figures import MISSING

    for note in notes:
        print(f"fsplan: {note}", file=sys.stderr)
    if not quiet:
        pages = "report.html" if MISSING in notes else "report.html, reproduction.pdf and figures"
        files = f"results.csv, claims.md and {pages}" if MISSING in notes else f"results.csv, claims.md, {pages}"
        print(f"{folder}: {files}", file=sys.stderr)


def _accuracy(word: str) -> float:
    try:
        accuracy = float(word)
    except ValueError:
        accuracy = -1.0
    if not 0 < accuracy <= 1:
        raise ValueError(f"--accuracies {word}: an accuracy is a number above 0 and at most 1")
    return accuracy
