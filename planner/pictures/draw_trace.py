"""Drawings of what a search explored: the tree of its expansions, with their order, g, h, f and the plan.

The tree grows downwards. A state that was expanded several times is drawn at its last expansion. States of the plan
are drawn even if they were not expanded: most searches end at a goal without expanding it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fsplan.planner.graphs.draw_graph import BOX, COLOURS, EDGE_COLOUR, LETTER_WIDTH, PLAN_COLOUR, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fsplan.planner.pictures.trace import Trace

FORMATS = ("svg", "png", "pdf")
MOST_LABELLED = 60  # expansions; in larger trees a node shows only its expansion number
MOST_DRAWN = 1500
_WIDTH, _HEIGHT, _FONT = 1.0, 0.75, 6  # node size in inches, font size in points
_HALF_NODE = 0.17  # distance from a node's middle to its border, as a share of the row height
_GOAL = -1  # states of the plan that were not expanded get negative numbers


class _Node(NamedTuple):
    parent: int | None
    action: str
    cost: Any  # cost of the action that leads to the node; None if it is not known
    text: str
    short: str


def draw_trace(trace: Trace, path: str, format: str) -> None:
    """Draws the explored tree; raises ValueError if it is too large to be readable."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if len({line["state"] for line in trace.expansions}) > MOST_DRAWN:
        count = f"{len(trace.expansions):,} expansions"
        raise ValueError(f"a drawing shows at most {MOST_DRAWN:,} states, and this trace has {count}: fsplan replay")
    nodes = _expanded(trace)
    plan = _add_plan(nodes, trace.result)
    places = _places(nodes)
    is_labelled = len(nodes) <= MOST_LABELLED
    has_unit_costs = all(node.cost in (None, 1) for node in nodes.values())
    if has_unit_costs:
        nodes = {state: node._replace(cost=None) for state, node in nodes.items()}
    letters = max((len(_label(node)) for node in nodes.values()), default=0)
    width = max(_WIDTH, letters * LETTER_WIDTH + 0.15) if is_labelled else 0.4
    columns, rows = 1 + max(x for x, _ in places.values()), 1 - min(y for _, y in places.values())
    figure = Figure(figsize=(width * columns, (_HEIGHT if is_labelled else 0.35) * rows))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(-0.5, columns - 0.5), ylim=(0.5 - rows, 0.5))
    axes.axis("off")
    for state in nodes:
        _draw_edge(axes, nodes, places, state, state in plan, is_labelled)
        _draw_node(axes, nodes[state], places[state], state, state in plan, is_labelled)
    _draw_legend(axes, trace, nodes, is_labelled, has_unit_costs)
    save(figure, path, format)


def _expanded(trace: Trace) -> dict[int, _Node]:
    """Returns the node of every expanded state, with the values of its last expansion."""
    nodes: dict[int, _Node] = {}
    g: dict[int, Any] = {}
    for line in trace.expansions:
        state, parent = line["state"], line.get("parent")
        parent = parent if parent in g and parent != state else None
        g[state], h = line["g"], line.get("h")
        sums = f"\n{line['g']} + {h} = {_rounded(line['g'] + h)}" if h is not None else f"\n{line['g']} + ?"
        cost = None if parent is None else _rounded(line["g"] - g[parent])
        nodes[state] = _Node(parent, line.get("action") or "", cost, f"{line['n']}{sums}", str(line["n"]))
    return nodes


def _rounded(cost: Any) -> Any:
    """Removes the rounding error of a sum of floats: 0.30000000000000004 becomes 0.3."""
    return int(cost) if cost == int(cost) else round(cost, 9)


def _add_plan(nodes: dict[int, _Node], result: dict[str, Any]) -> set[int]:
    """Returns the states of the plan; adds nodes for those that were not expanded, with the plan's cost at the goal."""
    plan = result.get("plan") or []
    by_step = {(node.parent, node.action): state for state, node in nodes.items()}
    state = next((state for state, node in nodes.items() if node.parent is None), 0)
    passed, missing = {state}, 0
    for number, step in enumerate(plan, 1):
        following = by_step.get((state, step))
        if following is None:
            missing += 1
            following = _GOAL - (len(plan) - number)
            text = f"goal\n{result['cost']} + 0 = {result['cost']}" if following == _GOAL else ""
            nodes[following] = _Node(state, step, None, text, "goal" if text else "")
        state = following
        passed.add(state)
    if missing == 1:
        nodes[_GOAL] = nodes[_GOAL]._replace(cost=_last_cost(nodes[_GOAL], nodes, result["cost"]))
    return passed


def _last_cost(goal: _Node, nodes: dict[int, _Node], cost: Any) -> Any:
    """Returns the cost of the plan's last step: the plan's cost minus the g-value of the last node's parent."""
    state, others = goal.parent, 0
    while state is not None and (node := nodes[state]).parent is not None:
        others, state = others + node.cost, node.parent
    return _rounded(cost - others)


def _places(nodes: dict[int, _Node]) -> dict[int, tuple[float, float]]:
    """Returns positions: leaves are placed side by side, a parent above the middle of its children."""
    children: dict[int | None, list[int]] = {}
    for state, node in nodes.items():
        children.setdefault(node.parent, []).append(state)
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


def _label(node: _Node) -> str:
    return node.action if node.cost is None else f"{node.action}: {node.cost}"


def _draw_edge(
    axes: Axes,
    nodes: dict[int, _Node],
    places: dict[int, tuple[float, float]],
    state: int,
    on_plan: bool,
    is_labelled: bool,
) -> None:
    node = nodes[state]
    if node.parent is None:
        return
    (x, y), above = places[state], places[node.parent]
    colour, width = (PLAN_COLOUR, 1.6) if on_plan else (EDGE_COLOUR, 0.6)
    size = 9 if is_labelled else 5
    arrow = {"arrowstyle": "-|>", "color": colour, "lw": width, "shrinkA": 0, "shrinkB": 0, "mutation_scale": size}
    axes.annotate("", (x, y + _HALF_NODE), (above[0], above[1] - _HALF_NODE), arrowprops=arrow, zorder=1)
    if is_labelled:
        # The label is below the middle of the edge, so that labels of siblings do not overlap.
        near = (x + 0.35 * (above[0] - x), y + 0.45 * (above[1] - y))
        axes.annotate(_label(node), near, fontsize=_FONT, color=colour, ha="center", va="center", **BOX)


def _draw_node(
    axes: Axes, node: _Node, place: tuple[float, float], state: int, on_plan: bool, is_labelled: bool
) -> None:
    width = 1.4 if on_plan or node.parent is None else 0.5
    box = {
        "boxstyle": "round",
        "facecolor": COLOURS["goal" if state == _GOAL else "state"],
        "edgecolor": PLAN_COLOUR if on_plan else "black",
        "linewidth": width,
    }
    text, size = (node.text, _FONT) if is_labelled else (node.short, 4)
    axes.text(*place, text, fontsize=size, ha="center", va="center", bbox=box, zorder=3)


def _draw_legend(axes: Axes, trace: Trace, nodes: dict[int, _Node], is_labelled: bool, has_unit_costs: bool) -> None:
    from matplotlib.lines import Line2D

    result = trace.result
    found = "no plan" if result["cost"] is None else f"plan of cost {result['cost']}"
    about = f"{found}, lower bound {result['lower_bound']}, {result['expanded']} expanded"
    inside = "number of the expansion" + (", g + h = f" if is_labelled else "")
    what = "action: its cost" if is_labelled and not has_unit_costs else "action"
    if has_unit_costs:
        what += " (each costs 1)"
    entries = [
        Line2D([], [], ls="", label=f"in a state: {inside}"),
        Line2D([], [], color=EDGE_COLOUR, lw=0.8, label=what),
    ]
    if result.get("plan"):
        entries.append(Line2D([], [], color=PLAN_COLOUR, lw=1.6, label="plan"))
    if _GOAL in nodes:
        goal: dict[str, Any] = {"marker": "s", "ms": 8, "mfc": COLOURS["goal"], "mec": PLAN_COLOUR}
        entries.append(Line2D([], [], ls="", label="goal, not expanded", **goal))
    legend = axes.legend(
        handles=entries,
        title=f"{trace.task}: {result['search']}\n{about}",
        title_fontsize=8,
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        ncols=len(entries) if is_labelled else 2,
        fontsize=8,
        frameon=False,
        handlelength=1.2,
    )
    legend.get_title().set_multialignment("center")
