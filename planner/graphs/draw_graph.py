"""Drawings of small search graphs; column i has the states that are i steps from the initial state.

A state is a circle with its h and h*, and its name below. All positions are in inches, so that there is room for the
names. An edge is an arrow that is bent to the right, so that it does not cover an edge in the opposite direction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fsplan.planner.base.files import CONTROLS
from fsplan.planner.graphs.explore import DEAD_END

if TYPE_CHECKING:
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fsplan.planner.graphs.explore import SearchGraph

# In larger graphs names and numbers are unreadable, so they are left out.
MAX_LABELLED_STATES = 40
_FONT = 6
_LINE_HEIGHT, LETTER_WIDTH = 0.105, 0.05  # in inches, for this font size
# Bend of an arrow, as a share of its length. Within a column it is larger, so that the arrow passes states in between.
_BEND, _BEND_IN_COLUMN = 0.12, 0.4
# Colours that red-green colour-blind readers can distinguish.
COLOURS = {"state": "#d5e3f0", "goal": "#8fd18f", "dead end": "#bdbdbd"}
PLAN_COLOUR, EDGE_COLOUR = "#c1272d", "#777777"


class _Place(NamedTuple):
    x: float
    y: float


class _Layout:
    """Positions and sizes of the drawn states."""

    def __init__(self, graph: SearchGraph) -> None:
        self.labelled = len(graph) <= MAX_LABELLED_STATES
        self.names = [_in_lines(graph.state_name(state)) for state in range(len(graph))] if self.labelled else []
        self.radius = 0.17 if self.labelled else 0.05
        lines = max((name.count("\n") + 1 for name in self.names), default=0)
        letters = max((len(line) for name in self.names for line in name.split("\n")), default=0)
        actions = (
            [graph.state_space.action_name(a) for a in range(graph.state_space.action_count())] if self.labelled else []
        )
        self.name_height = lines * _LINE_HEIGHT
        self.row_height = 2 * self.radius + self.name_height + (0.25 if self.labelled else 0.06)
        label = max((len(action) for action in actions), default=0) + 4
        self.column_width = max(1.0, letters * LETTER_WIDTH + 0.3, label * LETTER_WIDTH + 0.8)
        self.places = self._columns(_depths(graph))

    def _columns(self, depths: list[int]) -> list[_Place]:
        sizes = [depths.count(depth) for depth in range(max(depths) + 1)]
        seen, places = [0] * len(sizes), []
        for depth in depths:
            middle = (max(sizes) - sizes[depth]) / 2
            places.append(_Place(depth * self.column_width, -(middle + seen[depth]) * self.row_height))
            seen[depth] += 1
        return places

    def box(self) -> tuple[float, float, float, float]:
        """Returns left, right, bottom and top of the area that all states and their names cover."""
        xs, ys = zip(*self.places, strict=True)
        side = self.radius + 0.3 * self.column_width
        return min(xs) - side, max(xs) + side, min(ys) - self.radius - self.name_height - 0.1, max(ys) + 2 * self.radius


class _Room:
    """Occupied rectangles; labels are placed outside them, so that they do not overlap."""

    def __init__(self, layout: _Layout) -> None:
        self.taken = [_box(place, 2 * layout.radius, 2 * layout.radius) for place in layout.places]
        for place, name in zip(layout.places, layout.names, strict=False):
            height = (name.count("\n") + 1) * _LINE_HEIGHT
            below = _Place(place.x, place.y - layout.radius - 0.03 - height / 2)
            self.taken.append(_box(below, max(map(len, name.split("\n"))) * LETTER_WIDTH, height))

    def best(self, places: list[_Place], letters: int) -> _Place:
        """Chooses the first of the places where a line of text overlaps least, and marks it as occupied."""
        boxes = [_box(place, letters * LETTER_WIDTH + 0.04, _LINE_HEIGHT) for place in places]
        overlaps = [sum(_overlap(box, other) for other in self.taken) for box in boxes]
        chosen = overlaps.index(min(overlaps))
        self.taken.append(boxes[chosen])
        return places[chosen]


_Box = tuple[float, float, float, float]  # left, right, bottom, top


def _box(centre: _Place, width: float, height: float) -> _Box:
    return centre.x - width / 2, centre.x + width / 2, centre.y - height / 2, centre.y + height / 2


def _overlap(one: _Box, other: _Box) -> float:
    """The area that two rectangles share."""
    width = min(one[1], other[1]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[2], other[2])
    return max(0.0, width) * max(0.0, height)


def draw(graph: SearchGraph, path: str, format: str, plan: set[int]) -> None:
    """Draws the graph with the edges of a plan in red."""
    save(picture(graph, plan), path, format)


def picture(graph: SearchGraph, plan: set[int]) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    layout = _Layout(graph)
    left, right, bottom, top = layout.box()
    figure = Figure(figsize=(right - left, top - bottom))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(left, right), ylim=(bottom, top))
    axes.axis("off")
    _draw_edges(axes, graph, layout, plan)
    _draw_states(axes, graph, layout)
    _draw_legend(axes, graph, layout, bool(plan))
    return figure


def save(figure: Figure, path: str, format: str) -> None:
    """Saves a figure. Control characters, which SVG forbids, are written as escapes; `$` does not begin a formula."""
    from matplotlib import rc_context
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_text(text.get_text().translate(CONTROLS))
        text.set_parse_math(False)
    with rc_context({"svg.fonttype": "none"}):  # letters as text instead of outlines: smaller and searchable
        figure.savefig(path, format=format, bbox_inches="tight", pad_inches=0.15, dpi=200)


def _depths(graph: SearchGraph) -> list[int]:
    """Returns each state's distance from the initial state in steps; states are numbered in breadth-first order."""
    depth = [0] * len(graph)
    for source, target in zip(graph.edge_sources().tolist(), graph.target.tolist(), strict=True):
        if target != 0 and depth[target] == 0:
            depth[target] = depth[source] + 1
    return depth


def _in_lines(name: str) -> str:
    """Returns a state's name with line breaks: one atom, or one row of a board, per line."""
    return name.replace("), ", ")\n").replace(" / ", "\n")


def _draw_states(axes: Axes, graph: SearchGraph, layout: _Layout) -> None:
    from matplotlib.patches import Circle

    kinds = [_kind(graph, state) for state in range(len(graph))]
    for state, (place, kind) in enumerate(zip(layout.places, kinds, strict=True)):
        width = 2.0 if state == 0 else 0.6
        axes.add_patch(Circle(place, layout.radius, facecolor=COLOURS[kind], edgecolor="black", lw=width, zorder=3))
        if layout.labelled:
            axes.text(place.x, place.y, _numbers(graph, state), fontsize=_FONT, ha="center", va="center", zorder=4)
            below = place.y - layout.radius - 0.03
            axes.text(place.x, below, layout.names[state], fontsize=_FONT, ha="center", va="top", zorder=4, **BOX)


BOX: dict[str, Any] = {"bbox": {"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.85}}


def _kind(graph: SearchGraph, state: int) -> str:
    if graph.goal[state]:
        return "goal"
    return "dead end" if graph.h_star[state] == DEAD_END else "state"


def _numbers(graph: SearchGraph, state: int) -> str:
    """Returns the text "h / h*", or h* alone if no heuristic was computed."""
    numbers = [graph.h[state]] if len(graph.h) else []
    return " / ".join("∞" if number == DEAD_END else str(number) for number in [*numbers, graph.h_star[state]])


def _draw_edges(axes: Axes, graph: SearchGraph, layout: _Layout, plan: set[int]) -> None:
    from matplotlib.patches import FancyArrowPatch

    unit_cost = bool((graph.cost == 1).all())
    points, room = 72 * layout.radius, _Room(layout)
    for number, (source, target, attributes) in enumerate(graph.edges()):
        if source == target:
            continue
        on_plan = number in plan
        here, there = layout.places[source], layout.places[target]
        bend = _BEND_IN_COLUMN if here.x == there.x else _BEND
        colour, width = (PLAN_COLOUR, 1.8) if on_plan else (EDGE_COLOUR, 0.7 if layout.labelled else 0.35)
        arrow = FancyArrowPatch(
            here,
            there,
            connectionstyle=f"arc3,rad={bend}",
            arrowstyle="-|>",
            mutation_scale=9 if layout.labelled or on_plan else 3.5,
            shrinkA=points,
            shrinkB=points,
            color=colour,
            linewidth=width,
            zorder=2 if on_plan else 1,
        )
        axes.add_patch(arrow)
        if layout.labelled or on_plan:
            name = attributes["name"] if unit_cost else f"{attributes['name']}: {attributes['cost']}"
            on_arrow = [_on_arrow(here, there, bend, along) for along in _ALONG]
            beside = [_Place(x, y + shift) for shift in (0.06, -0.06) for x, y in on_arrow]
            x, y = room.best(on_arrow + beside, len(name))
            axes.text(x, y, name, fontsize=_FONT, color=colour, ha="center", va="center", zorder=5, **BOX)


# Candidate positions of an arrow's label, as shares of its length, the best first. It is nearer to the source, so that
# labels of opposite edges do not overlap.
_ALONG = sorted((0.14 + 0.02 * step for step in range(36)), key=lambda along: abs(along - 0.36))


def _on_arrow(here: _Place, there: _Place, bend: float, along: float) -> _Place:
    x, y = here.x + (there.x - here.x) * along, here.y + (there.y - here.y) * along
    bulge = bend * 2 * along * (1 - along)  # distance of the quadratic curve from the straight line at that point
    return _Place(x + bulge * (there.y - here.y), y - bulge * (there.x - here.x))


def _draw_legend(axes: Axes, graph: SearchGraph, layout: _Layout, with_plan: bool) -> None:
    from matplotlib.lines import Line2D

    def dot(colour: str, label: str, width: float = 0.6) -> Line2D:
        return Line2D([], [], ls="", marker="o", ms=8, mfc=colour, mec="black", mew=width, label=label)

    kinds = {_kind(graph, state) for state in range(len(graph))}
    entries = [dot(COLOURS["goal" if graph.goal[0] else "state"], "start", 2.0)]
    entries += [dot(COLOURS[kind], kind) for kind in ("goal", "dead end") if kind in kinds]
    if with_plan:
        entries.append(Line2D([], [], color=PLAN_COLOUR, lw=1.8, label="plan"))
    if layout.labelled:
        name = "h" if graph.heuristic == "task" else graph.heuristic
        what = f"{name} / h*" if len(graph.h) else "h*"
        entries.append(Line2D([], [], ls="", label=f"in a state: {what}"))
        cost = "every action costs 1" if (graph.cost == 1).all() else "on an arrow: action: cost"
        entries.append(Line2D([], [], ls="", label=cost))
    axes.legend(
        handles=entries,
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        ncols=3,
        fontsize=8,
        frameon=False,
        handlelength=1.2,
    )
