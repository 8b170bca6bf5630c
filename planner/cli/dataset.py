"""`fsplan dataset`: examples of optimal play to learn from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fsplan.planner.cli.parameters import Command, file_option, number_option, option, quiet_option, seed_option
from fsplan.planner.cli.progress import Note, ProgressLine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@click.command("dataset", cls=Command)
@click.argument("domain")
@file_option("--output", "-o", default="data.npz", show_default=True, help="The file to write.")
@number_option("--traces", default=30_367, help="How many puzzles to solve.")
@option("--heuristic", metavar="H", help="Pattern databases to solve with: pdb663, pdb78 (15-puzzle).")
@number_option("--threads", help="Threads; as many as there are cores if not given.")
@seed_option()
@quiet_option
def command(
    domain: str,
    output: str,
    traces: int,
    seed: int,
    heuristic: str | None,
    threads: int | None,
    quiet: bool,
) -> int:
    """Solves random sliding-tile puzzles optimally: examples for `fsplan train`.

    DOMAIN is a board such as tiles15. Run the same command again to resume.
    """
    from fsplan.domains.dataset import generate, load

    line = ProgressLine(not quiet)
    generate(
        domain,
        traces,
        output,
        seed=seed,
        heuristic=heuristic,
        threads=threads,
        progress=lambda finished, total: line(Note(f"{finished:,} of {total:,} traces")),
        build_progress=build_progress(line),
    )
    line.clear()
    if not quiet:
        print(f"{len(load(output).actions):,} states of {traces:,} traces written to {output}", file=sys.stderr)
    return 0


def build_progress(line: ProgressLine) -> Callable[[Sequence[int], int, int, int], bool]:
    def show(tiles: Sequence[int], level: int, finished: int, placements: int) -> bool:
        share = f"{finished / placements:4.0%}"
        return line(Note(f"building the database of tiles {', '.join(map(str, tiles))}: {share}"))

    return show
