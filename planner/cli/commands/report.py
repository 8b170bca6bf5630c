"""`fsplan report`: makes an HTML page of experiment results."""

from __future__ import annotations

import sys

import click

from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.parameters import Command, file_option, option, quiet_option


@click.command("report", cls=Command)
@click.argument("results", nargs=-1, required=True, type=click.Path())
@file_option("--output", "-o", default="report.html", show_default=True, help="The page.")
@option("--title", metavar="TEXT", help="The page's title.")
@quiet_option
def command(results: tuple[str, ...], output: str, title: str | None, quiet: bool) -> int:
    """Makes one page of a results file or folder; with two, side by side."""
    from fsplan.planner.experiments.report import report

    if len(results) > 2:
        raise UsageError(f"a report shows one result set, or two side by side; found {len(results)}")
    page = report(results[0], output, results[1] if len(results) > 1 else None, title)
    if not quiet:
        print(f"{page}: open it in a browser", file=sys.stderr)
    return 0
