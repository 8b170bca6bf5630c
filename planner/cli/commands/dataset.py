"""`fsplan dataset`: writes training examples, states with their optimal actions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from fsplan.planner.base.files import check_writable
from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.parameters import Command, file_option, number_option, option, quiet_option, seed_option
from fsplan.planner.cli.progress import Note, ProgressLine


@click.command("dataset", cls=Command)
@click.argument("domain")
@click.argument("problems", metavar="[PROBLEM]...", nargs=-1)
@file_option("--output", "-o", default="data.npz", show_default=True, help="The file to write.")
@number_option("--traces", default=30_367, section="Puzzles", help="How many puzzles to solve.")
@option(
    "--heuristic", metavar="H", section="Puzzles", help="Pattern databases to solve with: pdb663, pdb78 (15-puzzle)."
)
@number_option("--threads", section="Puzzles", help="Threads; as many as there are cores if not given.")
@number_option("--states", default=160, section="PDDL", help="States per task, half of them along optimal plans.")
@number_option("--max-states", default=50_000, section="PDDL", help="Leave out tasks with more reachable states.")
@seed_option()
@quiet_option
def command(domain: str, problems: tuple[str, ...], output: str, quiet: bool, **options: Any) -> int:
    """Writes states and optimal actions (NPZ).

    \b
    fsplan dataset tiles15                  random puzzles, solved: for `fsplan train`; run it again to resume
    fsplan dataset DOMAIN PROBLEM...        states of PDDL tasks with all their optimal actions, costs to go, objects
                                            and atoms: for training programs of your own
    """
    refuse_unread(click.get_current_context(), PUZZLE_OPTIONS if problems else PDDL_OPTIONS, bool(problems))
    make = write_relations if problems else write_traces
    line = ProgressLine(not quiet)
    summary = make(domain, problems, output, line, options)
    line.clear()
    if not quiet:
        print(f"{summary} written to {output}", file=sys.stderr)
    return 0


PUZZLE_OPTIONS = ("traces", "heuristic", "threads")
PDDL_OPTIONS = ("states", "max_states")


def refuse_unread(ctx: click.Context, names: tuple[str, ...], is_pddl: bool) -> None:
    for name in names:
        if ctx.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE:
            kind = "PDDL tasks" if is_pddl else "puzzles"
            raise UsageError(f"--{name.replace('_', '-')} is not read for {kind}")


def write_relations(
    domain: str, problems: tuple[str, ...], output: str, line: ProgressLine, options: dict[str, Any]
) -> str:
    from fsplan.planner.learning.pipeline import load_tasks
    from fsplan.planner.learning.relational.dataset import collect, write

    check_writable(output)
    tasks = load_tasks([domain, *problems])
    chosen = {name: options[name] for name in ("states", "max_states", "seed")}
    parts = collect(tasks, **chosen, note=lambda text: line(Note(text)))
    write(output, parts)
    return f"{sum(len(part.batch) for part in parts):,} states of {len(parts)} of {len(tasks)} tasks"


def write_traces(
    domain: str, problems: tuple[str, ...], output: str, line: ProgressLine, options: dict[str, Any]
) -> str:
    from fsplan.domains.dataset import generate, load

    traces = options["traces"]
    generate(
        domain,
        traces,
        output,
        seed=options["seed"],
        heuristic=options["heuristic"],
        threads=options["threads"],
        progress=lambda finished, total: line(Note(f"{finished:,} of {total:,} traces")),
        build_progress=build_progress(line),
    )
    return f"{len(load(output).actions):,} states of {traces:,} traces"


def build_progress(line: ProgressLine) -> Callable[[Sequence[int], int, int, int], bool]:
    def show(tiles: Sequence[int], level: int, finished: int, placements: int) -> bool:
        share = f"{finished / placements:4.0%}"
        return line(Note(f"building the database of tiles {', '.join(map(str, tiles))}: {share}"))

    return show
