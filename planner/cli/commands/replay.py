"""`fsplan replay`: makes an HTML page that replays a search trace."""

from __future__ import annotations

import sys

import click

from fsplan.planner.cli.parameters import Command, file_option, quiet_option


@click.command("replay", cls=Command)
@click.argument("traces", nargs=-1, required=True, type=click.Path())
@file_option("--output", "-o", default="replay.html", show_default=True, help="The page.")
@quiet_option
def command(traces: tuple[str, ...], output: str, quiet: bool) -> int:
    """Makes one page that plays a search trace (fsplan plan --trace); two traces run side by side.

    fsplan graph --trace TRACE -o explored.svg draws what one search explored as a picture.
    """
    from fsplan.planner.pictures.replay import replay

    replay(traces, output)
    if not quiet:
        print(f"{output}: open it in a browser", file=sys.stderr)
    return 0
