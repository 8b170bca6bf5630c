"""`fsplan graph`: writes or draws the reachable search graph, or the part that one search explored."""

from __future__ import annotations

import sys

import click

from fsplan.planner.base.extras import require
from fsplan.planner.base.files import replace
from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.parameters import Command, file_option, number_option, reader_option
from fsplan.planner.plans.plan_files import read_steps


@click.command("graph", cls=Command)
@click.argument("task", nargs=-1, type=click.Path(), metavar="[TASK...]")
@file_option("--output", "-o", help="The file to write; its ending chooses the format.")
@file_option("--plan", section="Options", help="Highlight the plan in this file.")
@file_option("--trace", section="Options", help="Draw what a search explored, as fsplan plan --trace has recorded it.")
@number_option("--max-states", default=5_000_000, help="Refuse a larger graph.")
@reader_option()
def command(
    task: tuple[str, ...], output: str | None, max_states: int, plan: str | None, trace: str | None, reader: str
) -> int:
    """Enumerates the reachable search graph; writes GraphML, DOT or JSON, or draws it as SVG, PNG or PDF.

    Without -o it prints how many states, edges and goals there are. With --trace instead of a task it draws the states
    that one search expanded, with their order, g, h and f. Drawing needs pip install 'fsplan[graph,plot]'.
    """
    if trace is not None:
        return _explored(trace, output, bool(task or plan))
    if not task:
        raise UsageError("name a task, or a trace to draw with --trace FILE")
    from fsplan.planner.graphs.explore import explore, write_graph
    from fsplan.planner.sources.load import load_arguments

    loaded = load_arguments(task, reader=reader)
    graph = explore(loaded, max_states=max_states)
    if output is None:
        if plan:
            raise UsageError("--plan highlights a plan in a drawing: name the file with -o graph.svg")
        print(graph.summary())
        return 0
    write_graph(graph, output, plan=read_steps(plan) if plan else None)
    print(f"{output}: {len(graph)} states, {graph.edge_count} edges", file=sys.stderr)
    return 0


def _explored(path: str, output: str | None, has_more: bool) -> int:
    from fsplan.planner.pictures.draw_trace import FORMATS, draw_trace
    from fsplan.planner.pictures.trace import read_trace

    if has_more:
        raise UsageError("--trace knows its task and its plan: leave out TASK and --plan")
    ending = (output or "").rpartition(".")[2].lower()
    if output is None or ending not in FORMATS:
        raise UsageError(f"--trace is drawn: name a file with -o that ends in {', '.join(FORMATS)}")
    require("matplotlib")
    trace = read_trace(path)
    replace(output, lambda place: draw_trace(trace, place, ending))
    print(f"{output}: {len(trace.expansions)} expansions", file=sys.stderr)
    return 0
