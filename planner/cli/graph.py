"""`fsplan graph`: the reachable search graph as a file or a picture."""

from __future__ import annotations

import sys

from fsplan.planner.cli.errors import UsageError
from fsplan.planner.load import load_words


def run(task: tuple[str, ...], output: str | None, max_states: int, plan: str | None, reader: str) -> int:
    from fsplan.planner.explore import explore, write_graph

    loaded = load_words(task, reader=reader)
    graph = explore(loaded, max_states=max_states)
    if output is None:
        if plan:
            raise UsageError("--plan highlights a plan in a drawing: name the file with -o graph.svg")
        print(graph.summary())
        return 0
    write_graph(graph, output, plan=_plan_names(plan) if plan else None)
    print(f"{output}: {len(graph)} states, {graph.edge_count} edges", file=sys.stderr)
    return 0


def _plan_names(path: str) -> list[str]:
    from fsplan.planner.plans import plan_text, read_plan

    return [str(step)[1:-1] for step in read_plan(plan_text(path)).steps]
