"""Search graphs as files: GraphML, DOT, JSON, and drawings of small ones."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fsplan.planner.files import replace

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TextIO

    from fsplan.planner.explore import SearchGraph

# Beyond these a file or a drawing helps nobody.
MAX_WRITTEN_STATES = 1_000_000
MAX_DRAWN_STATES = 600
MAX_LABELLED_STATES = 40
DRAWINGS = ("svg", "png", "pdf")


class GraphTooLarge(ValueError):
    """The graph has more states than the format can carry; the message says how many."""


def write(graph: SearchGraph, path: str, format: str | None, plan: list[str] | None) -> None:
    """See `fsplan.planner.explore.write_graph`."""
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
            _draw(graph, place, name, edges)
            return
        with open(place, "w", encoding="utf-8") as file:
            WRITERS[name](graph, file, edges)

    replace(path, fill)


def _write_graphml(graph: SearchGraph, file: TextIO, plan: set[int]) -> None:
    from xml.sax.saxutils import escape

    nodes, edges = graph.nodes(), graph.edges()
    keys = [("node", key, "string" if key == "name" else "boolean" if key == "goal" else "int") for key in nodes[0]]
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
            (key, str(value).lower() if isinstance(value, bool) else escape(str(value)))
            for key, value in attributes.items()
            if value is not None
        )
        return "".join(f'<data key="{owner}_{key}">{text}</data>' for key, text in texts)

    for state, attributes in enumerate(nodes):
        file.write(f'<node id="{state}">{data("node", attributes)}</node>\n')
    for number, (source, target, attributes) in enumerate(edges):
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
    import json

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


def _draw(graph: SearchGraph, path: str, format: str, plan: set[int]) -> None:
    """States in columns by their distance from the start; goals green, dead ends grey, the plan red."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure

    from fsplan.planner.explore import DEAD_END

    places = _places(graph)
    figure = Figure(figsize=(min(40, 2 + max(x for x, _ in places)), min(40, 2 + 3 * max(y for _, y in places))))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.axis("off")
    ends = list(zip(graph.edge_sources().tolist(), graph.target.tolist(), strict=True))
    lines = [(places[source], places[target]) for source, target in ends]
    on_plan = [number in plan for number in range(len(lines))]
    colours = ["red" if hit else "0.7" for hit in on_plan]
    axes.add_collection(
        LineCollection(lines, colors=colours, linewidths=[3 if hit else 0.6 for hit in on_plan], zorder=1)
    )
    colour = [
        "tab:green" if goal else "0.5" if h_star == DEAD_END else "tab:blue"
        for goal, h_star in zip(graph.goal.tolist(), graph.h_star.tolist(), strict=True)
    ]
    sizes = [160 if state == 0 else 60 for state in range(len(graph))]
    axes.scatter([x for x, _ in places], [y for _, y in places], s=sizes, c=colour, zorder=2)
    _label(graph, axes, places, plan)
    figure.savefig(path, format=format, bbox_inches="tight")


def _places(graph: SearchGraph) -> list[tuple[float, float]]:
    """Columns by breadth-first depth, rows centred."""
    depth = [0] * len(graph)
    for source, target in zip(graph.edge_sources().tolist(), graph.target.tolist(), strict=True):
        if target != 0 and depth[target] == 0:
            depth[target] = depth[source] + 1
    height = [0] * (max(depth) + 1)
    row = []
    for level in depth:
        row.append(height[level])
        height[level] += 1
    tallest = max(height)
    return [(2.0 * d, 0.5 * (tallest - height[d]) / 2 + 0.5 * r) for d, r in zip(depth, row, strict=True)]


def _label(graph: SearchGraph, axes: object, places: list[tuple[float, float]], plan: set[int]) -> None:
    from matplotlib.axes import Axes

    assert isinstance(axes, Axes)
    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
    readable: dict[str, Any] = {"fontsize": 5, "ha": "center", "bbox": box}
    if len(graph) <= MAX_LABELLED_STATES:
        for state, (x, y) in enumerate(places):
            name = graph.state_name(state).replace("), ", ")\n")
            axes.annotate(name, (x, y), (0, -6), textcoords="offset points", va="top", zorder=3, **readable)
    for number, (source, target, attributes) in enumerate(graph.edges()):
        if number in plan or len(graph) <= MAX_LABELLED_STATES:
            (x, y), (u, v) = places[source], places[target]  # a third of the way: the edge back has its own label
            colour = "red" if number in plan else "0.35"
            place = ((2 * x + u) / 3, (2 * y + v) / 3)
            axes.annotate(attributes["name"], place, va="center", color=colour, zorder=4, **readable)
