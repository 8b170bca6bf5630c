"""The explored part of a search as a still picture: the tree of its expansions, with order, g, h, f and the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fsplan.planner.trace import Trace

FORMATS = ("svg", "png", "pdf")
MOST_LABELLED = 60  # expansions; with more, only the order is written
MOST_DRAWN = 1500
_PLAN, _EDGE, _NODE = "#c1272d", "#777777", "#d5e3f0"
_WIDTH, _HEIGHT, _FONT = 1.15, 0.75, 6  # inches per node


def draw_trace(trace: Trace, path: str, format: str) -> None:
    """Draws the tree; a state that was expanded again stands where it was expanded last."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    nodes = {line["state"]: line for line in trace.expansions}
    if len(nodes) > MOST_DRAWN:
        raise ValueError(f"{len(nodes):,} states were expanded, and at most {MOST_DRAWN:,} can be drawn; -o page.html")
    places = _places(nodes)
    size = 1.0 if len(nodes) <= MOST_LABELLED else 0.35
    columns, rows = max(x for x, _ in places.values()) + 1, 2 - min(y for _, y in places.values())
    figure = Figure(figsize=(_WIDTH * size * columns, _HEIGHT * size * rows))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.axis("off")
    _draw(axes, nodes, places, _on_plan(nodes, trace.result.get("plan") or []))
    axes.set_title(_title(trace), fontsize=8)
    with rc_context({"svg.fonttype": "none"}):
        figure.savefig(path, format=format, bbox_inches="tight", pad_inches=0.15, dpi=150)


def _title(trace: Trace) -> str:
    result = trace.result
    found = "no plan" if result["cost"] is None else f"plan of cost {result['cost']}"
    about = f"{found}, lower bound {result['lower_bound']}, {result['expanded']} expansions"
    legend = "in a node: order of expansion, g + h = f; on an arrow: action; red: the plan"
    return f"{trace.task}: {result['search']}; {about}\n{legend}"


def _places(nodes: dict[int, dict[str, Any]]) -> dict[int, tuple[float, float]]:
    """Leaves beside each other, a parent above the middle of its children."""
    children: dict[int | None, list[int]] = {}
    for state, line in nodes.items():
        parent = line["parent"] if line["parent"] in nodes and line["parent"] != state else None
        children.setdefault(parent, []).append(state)
    places: dict[int, tuple[float, float]] = {}
    leaves = 0
    stack = [(root, 0, False) for root in reversed(children.get(None, []))]
    while stack:
        state, depth, is_done = stack.pop()
        below = children.get(state, [])
        if not below:
            places[state] = (float(leaves), -float(depth))
            leaves += 1
        elif is_done:
            places[state] = ((places[below[0]][0] + places[below[-1]][0]) / 2, -float(depth))
        else:
            stack.append((state, depth, True))
            stack += [(child, depth + 1, False) for child in reversed(below)]
    return places


def _on_plan(nodes: dict[int, dict[str, Any]], plan: list[str]) -> set[int]:
    """The expanded states that the plan's first steps lead to along the tree."""
    by_step = {(line["parent"], line["action"]): state for state, line in nodes.items()}
    state, passed = 0, {0}
    for step in plan:
        if (state, step) not in by_step:
            break
        state = by_step[state, step]
        passed.add(state)
    return passed


def _draw(
    axes: Axes, nodes: dict[int, dict[str, Any]], places: dict[int, tuple[float, float]], on_plan: set[int]
) -> None:
    is_labelled = len(nodes) <= MOST_LABELLED
    for state, line in nodes.items():
        x, y = places[state]
        if line["parent"] in places and line["parent"] != state:
            colour = _PLAN if state in on_plan else _EDGE
            arrow = {
                "arrowstyle": "-|>",
                "color": colour,
                "shrinkA": 9,
                "shrinkB": 9,
                "lw": 1.6 if colour == _PLAN else 0.6,
            }
            axes.annotate("", (x, y), places[line["parent"]], arrowprops=arrow, zorder=1)
            if is_labelled:
                above = places[line["parent"]]
                near = (x + 0.35 * (above[0] - x), y + 0.45 * (above[1] - y))  # labels of siblings are apart
                axes.annotate(line["action"], near, fontsize=_FONT, color=colour, ha="center", va="center", **_BOX)
        text = f"{line['n']}\n{line['g']} + {line['h']} = {line['g'] + line['h']}" if is_labelled else str(line["n"])
        edge = _PLAN if state in on_plan else "black"
        box = {"boxstyle": "round", "facecolor": _NODE, "edgecolor": edge, "linewidth": 1.4 if edge == _PLAN else 0.5}
        axes.text(x, y, text, fontsize=_FONT if is_labelled else 4, ha="center", va="center", bbox=box, zorder=3)
    xs, ys = zip(*places.values(), strict=True)
    axes.set_xlim(min(xs) - 0.6, max(xs) + 0.6)
    axes.set_ylim(min(ys) - 0.6, max(ys) + 0.6)


_BOX: dict[str, Any] = {"bbox": {"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.85}}
