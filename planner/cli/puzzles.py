"""`fsplan export` and `fsplan dataset`: puzzles as PDDL, and examples to learn from."""

from __future__ import annotations

import sys

from fsplan.planner.cli.progress import ProgressLine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Note:
    """A line of text where a ProgressLine expects the state of a search."""

    __slots__ = ("note",)

    def __init__(self, note: str) -> None:
        self.note = note


def export(puzzle: str, pddl: str) -> int:
    from fsplan.domains.export import export

    for path in export(puzzle, pddl):
        print(path)
    return 0


def dataset(
    domain: str,
    output: str,
    traces: int,
    seed: int,
    heuristic: str | None,
    threads: int | None,
    quiet: bool,
) -> int:
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
