"""`fsplan graph`: the reachable search graph as a file or a picture."""

from __future__ import annotations

import sys

import click

from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.parameters import Command, file_option, number_option, reader_option, task_argument


@click.command("graph", cls=Command)
@task_argument
@file_option("--output", "-o", help="The file to write; its ending chooses the format.")
@file_option("--plan", section="Options", help="Highlight the plan in this file.")
@number_option("--max-states", default=5_000_000, help="Refuse a larger graph.")
@reader_option()
def command(task: tuple[str, ...], output: str | None, max_states: int, plan: str | None, reader: str) -> int:
    """Enumerates the reachable search graph; writes GraphML, DOT or JSON, or draws it as SVG, PNG or PDF.

    Without -o it prints how many states, edges and goals there are. Drawing needs pip install 'fsplan[graph,plot]'.
    """
    from fsplan.planner.explore import explore, write_graph
    from fsplan.planner.load import load_words
    from fsplan.planner.plans import read_steps

    loaded = load_words(task, reader=reader)
    graph = explore(loaded, max_states=max_states)
    if output is None:
        if plan:
            raise UsageError("--plan highlights a plan in a drawing: name the file with -o graph.svg")
        print(graph.summary())
        return 0
    write_graph(graph, output, plan=read_steps(plan) if plan else None)
    print(f"{output}: {len(graph)} states, {graph.edge_count} edges", file=sys.stderr)
    return 0
