"""Search graphs as HTML, for notebooks."""

from __future__ import annotations

import tempfile
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from fsplan.planner.base.html_pieces import table

if TYPE_CHECKING:
    from fsplan.planner.graphs.explore import SearchGraph

STATES_DRAWN = 300  # largest number of states of a graph that is drawn


def graph_html(graph: SearchGraph) -> str:
    """Returns a table of the graph's sizes, with a drawing if the graph is small and the packages are installed."""
    sizes = table({"states": len(graph), "edges": graph.edge_count, "goals": int(graph.goal.sum())})
    picture = _drawing(graph) if len(graph) <= STATES_DRAWN else ""
    return f"<div class='fsplan'>{picture}{sizes}</div>"


def _drawing(graph: SearchGraph) -> str:
    from fsplan.planner.graphs.explore import write_graph

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.svg"
        try:
            write_graph(graph, str(path))
        except ImportError as error:
            return f"<p>{escape(str(error))}</p>"
        return path.read_text(encoding="utf-8")
