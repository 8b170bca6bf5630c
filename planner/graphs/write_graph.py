"""Writes search graphs as GraphML, DOT or JSON files; `draw_graph` draws small graphs."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from fsplan.planner.base.files import CONTROLS, replace

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from fsplan.planner.graphs.explore import SearchGraph

# Limits on the number of states of a graph that is written or drawn.
MAX_WRITTEN_STATES = 1_000_000
MAX_DRAWN_STATES = 600
DRAWINGS = ("svg", "png", "pdf")


class GraphTooLarge(ValueError):
    """The graph has more states than the limit of the format; the message names the limit."""


def write(graph: SearchGraph, path: str, format: str | None, plan: list[str] | None) -> None:
    """See `fsplan.planner.graphs.explore.write_graph`."""
    name = (format or os.path.splitext(path)[1].lstrip(".")).lower()
    if name not in WRITERS and name not in DRAWINGS:
        known = ", ".join((*WRITERS, *DRAWINGS))
        raise ValueError(f"{path}: no graph format '{name}'; choose one of {known}")
    limit = MAX_DRAWN_STATES if name in DRAWINGS else MAX_WRITTEN_STATES
    if len(graph) > limit:
        what = "a drawing shows" if name in DRAWINGS else f"{name} holds"
        raise GraphTooLarge(
            f"the graph has {len(graph)} states and {graph.edge_count} edges; {what} at most {limit} states"
        )
    edges = set(graph.follow(plan)) if plan else set()

    def fill(place: str) -> None:
        if name in DRAWINGS:
            from fsplan.planner.graphs.draw_graph import draw

            draw(graph, place, name, edges)
            return
        with open(place, "w", encoding="utf-8") as file:
            WRITERS[name](graph, file, edges)

    replace(path, fill)


def _write_graphml(graph: SearchGraph, file: TextIO, plan: set[int]) -> None:
    nodes = graph.node_columns()
    keys = [("node", key, "string" if key == "name" else "boolean" if key == "goal" else "int") for key in nodes]
    keys += [
        ("edge", "name", "string"),
        ("edge", "action", "int"),
        ("edge", "cost", "int"),
        ("edge", "plan", "boolean"),
    ]
    file.write('<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for owner, key, kind in keys:
        file.write(f'<key id="{owner}_{key}" for="{owner}" attr.name="{key}" attr.type="{kind}"/>\n')
    file.write('<graph edgedefault="directed">\n')

    def data(owner: str, attributes: dict[str, object]) -> str:
        texts = (
            (key, str(value).lower() if isinstance(value, bool) else escape(str(value).translate(CONTROLS)))
            for key, value in attributes.items()
            if value is not None
        )
        return "".join(f'<data key="{owner}_{key}">{text}</data>' for key, text in texts)

    for state, attributes in enumerate(graph.nodes()):
        file.write(f'<node id="{state}">{data("node", attributes)}</node>\n')
    for number, (source, target, attributes) in enumerate(graph.edges()):
        attributes = {**attributes, "plan": number in plan}
        file.write(f'<edge source="{source}" target="{target}">{data("edge", attributes)}</edge>\n')
    file.write("</graph>\n</graphml>\n")


def _write_dot(graph: SearchGraph, file: TextIO, plan: set[int]) -> None:
    def quote(text: object) -> str:
        return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'

    file.write("digraph search {\n")
    for state, attributes in enumerate(graph.nodes()):
        shape = "doublecircle" if attributes["goal"] else "circle"
        h_star = "dead end" if attributes["h_star"] is None else f"h* {attributes['h_star']}"
        file.write(f"  {state} [shape={shape}, tooltip={quote(attributes['name'])}, label={quote(h_star)}];\n")
    for number, (source, target, attributes) in enumerate(graph.edges()):
        style = ", color=red, penwidth=3" if number in plan else ""
        label = f"{attributes['name']} ({attributes['cost']})"
        file.write(f"  {source} -> {target} [label={quote(label)}{style}];\n")
    file.write("}\n")


def _write_json(graph: SearchGraph, file: TextIO, plan: set[int]) -> None:
    nodes = [{"id": state, **attributes} for state, attributes in enumerate(graph.nodes())]
    edges = [
        {"source": source, "target": target, **attributes, "plan": number in plan}
        for number, (source, target, attributes) in enumerate(graph.edges())
    ]
    json.dump({"start": 0, "nodes": nodes, "edges": edges}, file)
    file.write("\n")


WRITERS: dict[str, Callable[[SearchGraph, TextIO, set[int]], None]] = {
    "graphml": _write_graphml,
    "dot": _write_dot,
    "json": _write_json,
}
