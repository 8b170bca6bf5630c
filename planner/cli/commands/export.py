"""`fsplan export`: writes puzzles as PDDL."""

from __future__ import annotations

import click

from fsplan.planner.cli.parameters import Command, option


@click.command("export", cls=Command)
@click.argument("puzzle")
@option("--pddl", type=click.Path(), default=".", show_default=True, metavar="DIR", help="The folder to write to.")
def command(puzzle: str, pddl: str) -> int:
    """Writes a puzzle such as tiles15:korf/1 as PDDL: domain.pddl and problem.pddl."""
    from fsplan.domains.export import export

    for path in export(puzzle, pddl):
        print(path)
    return 0
