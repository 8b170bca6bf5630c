"""`fsplan reproduce`: repeats the paper's experiments."""

from __future__ import annotations

from typing import Any

import click

from fsplan.planner.cli.commands.study import print_outputs
from fsplan.planner.cli.parameters import (
    Command,
    file_option,
    option,
    quiet_option,
    scheduler_option,
    workers_option,
)


@click.command("reproduce", cls=Command)
@click.argument("what", metavar="small|tiles15")
@file_option("--output", "-o", metavar="DIR", help="The folder for everything; the same command resumes.")
@option("--quick", is_flag=True, help="Smaller experiments of the same shape, in a minute or two.")
@option("--variants", metavar="LIST", help="small: other readings of the paper: all, none, or names.")
@option("--policy", metavar="P", help="tiles15: another policy than the shipped one.")
@option("--report", is_flag=True, help="Run nothing: make figures, verdicts and the report of the stored results.")
@workers_option
@scheduler_option
@quiet_option
def command(what: str, output: str | None, variants: str | None, report: bool, quiet: bool, **options: Any) -> int:
    """Repeats the paper's experiments, `small` or `tiles15`: figures, tables, and which of its claims hold."""
    from fsplan.planner.paper.reproduce import reproduce

    folder = output or f"reproduce-{what}"
    notes = reproduce(
        what,
        folder,
        variants=None if variants is None else _variants(variants),
        stored_only=report,
        quiet=quiet,
        **options,
    )
    print_outputs(folder, notes, quiet)
    return 0


def _variants(text: str) -> list[str]:
    from fsplan.planner.paper.settings import VARIANTS

    if text in ("all", "none"):
        return list(VARIANTS) if text == "all" else []
    return [word.strip().replace("-", " ") for word in text.split(",")]
