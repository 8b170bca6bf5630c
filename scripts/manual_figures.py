"""Draws the pictures of docs/focal-search.md from real searches: python scripts/manual_figures.py [FOLDER]

The searches are deterministic, so the same version of fsplan draws the same pictures; a test compares them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import fsplan
from fsplan.planner.experiments.style import BLACK, BLUE, GREEN, GREY, ORANGE, RED

matplotlib.use("Agg")
matplotlib.rcParams.update(
    {
        "svg.fonttype": "none",
        "svg.hashsalt": "fsplan",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
)
FOLDER = Path(__file__).parent.parent / "docs" / "figures"
Cell = tuple[int, int]
WAYS = {"left": (-1, 0), "up": (0, -1), "right": (1, 0), "down": (0, 1)}
MAP = """
........................
........................
............########....
...................#....
...................#....
...................#....
..S................#..G.
...................#....
...................#....
............########....
........................
........................
"""


class Grid:
    """Path finding on a map; the heuristic ignores the walls. The goal test is done when a node is expanded."""

    actions = tuple(WAYS)

    def __init__(self) -> None:
        self.rows = MAP.split()
        cells = {(x, y): sign for y, row in enumerate(self.rows) for x, sign in enumerate(row)}
        self.free = {cell for cell, sign in cells.items() if sign != "#"}
        self.start, self.goal = (next(cell for cell, sign in cells.items() if sign == wanted) for wanted in "SG")
        self.expanded: dict[Cell, int] = {}

    def is_goal(self, state: Cell) -> bool:
        self.expanded.setdefault(state, len(self.expanded))
        return state == self.goal

    def successors(self, state: Cell) -> Iterator[tuple[str, int, Cell]]:
        for name, (dx, dy) in WAYS.items():
            if (there := (state[0] + dx, state[1] + dy)) in self.free:
                yield name, 1, there

    def heuristic(self, state: Cell) -> int:
        return abs(state[0] - self.goal[0]) + abs(state[1] - self.goal[1])


class Guide:
    """A policy that is right in most cells: it leads around the wall, but is wrong in the rows below the wall."""

    def __init__(self, grid: Grid) -> None:
        self.distance = {grid.goal: 0}
        layer = [grid.goal]
        for cell in layer:
            for _, _, there in grid.successors(cell):
                if there not in self.distance:
                    self.distance[there] = self.distance[cell] + 1
                    layer.append(there)

    def scores(self, states: list[Cell], actions: list[list[str]]) -> list[list[float]]:
        return [[self.score(state, name) for name in names] for state, names in zip(states, actions, strict=True)]

    def score(self, state: Cell, name: str) -> float:
        (x, y), (dx, dy) = state, WAYS[name]
        if y > 9:
            return {"right": -0.2}.get(name, -2.0)
        return -0.2 if self.distance[x + dx, y + dy] < self.distance[state] else -2.0


def draw_grids() -> Figure:
    """Draws the cells that three searches expand, coloured by the order of expansion."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 2.5), layout="constrained")
    runs = {"A*": {"search": "astar"}, "WA*, w = 2": {"search": "wastar", "w": 2}}
    for number, name in enumerate((*runs, "focal disc2, w = 2"), start=1):
        grid = Grid()
        guided = {"order": "disc2", "w": 2, "policy": Guide(grid), "paper": True}
        result = fsplan.solve(grid, **runs.get(name, guided))
        axes = figure.add_subplot(1, 3, number)
        draw_grid(axes, grid, result.plan or [])
        axes.set_title(f"{name}: {result.statistics['expanded']} expanded, cost {result.cost}", fontsize=9)
    return figure


def draw_grid(axes: Axes, grid: Grid, plan: list[str]) -> None:
    from matplotlib.patches import Rectangle

    for y, row in enumerate(grid.rows):
        for x, _ in enumerate(row):
            colour = BLACK[0] if (x, y) not in grid.free else "#f4f4f4"
            axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor="white", lw=0.5))
    for (x, y), rank in grid.expanded.items():
        shade = 0.25 + 0.65 * (1 - rank / len(grid.expanded))
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=BLUE[0], alpha=shade, edgecolor="white", lw=0.5))
    path = [grid.start]
    for name in plan:
        path.append((path[-1][0] + WAYS[name][0], path[-1][1] + WAYS[name][1]))
    axes.plot([x + 0.5 for x, _ in path], [y + 0.5 for _, y in path], color=RED[0], lw=1.8)
    for (x, y), letter in ((grid.start, "s"), (grid.goal, "g")):
        axes.text(x + 0.5, y + 0.55, letter, ha="center", va="center", fontweight="bold")
    axes.set(xlim=(0, len(grid.rows[0])), ylim=(len(grid.rows), 0), aspect="equal")
    axes.axis("off")


# Open nodes of the sketch: f-value and number of discrepancies.
OPEN = [(10, 3), (10, 2), (11, 4), (11, 1), (12, 2), (13, 0), (14, 1), (14, 3), (15, 2), (16, 0), (17, 1), (18, 0)]


def draw_focal() -> Figure:
    """Draws OPEN sorted by f, and FOCAL, its part with f at most w times f_min, sorted by discrepancies."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 2.6), layout="constrained")
    axes = figure.add_subplot()
    axes.axvspan(9.7, 15.3, color=ORANGE[0], alpha=0.18, lw=0)
    for f, key in OPEN:
        inside, best = f <= 15, (f, key) == (13, 0)
        colour = RED[0] if best else BLUE[0] if inside else GREY[0]
        axes.plot(f, key, "o", color=colour, ms=9 if best else 7)
    axes.axvline(10, color=BLACK[0], lw=1, ls="--")
    axes.axvline(15, color=BLACK[0], lw=1, ls="--")
    axes.annotate("expanded next", (12.9, 0), (10.3, -0.1), fontsize=9, arrowprops={"arrowstyle": "->"})
    axes.text(10, 4.75, "f_min = 10", ha="center")
    axes.text(15, 4.75, "w · f_min = 15", ha="center")
    axes.text(12.5, 4.2, "FOCAL", ha="center", color=ORANGE[0], fontweight="bold")
    axes.text(17, 4.2, "waits", ha="center", color=GREY[0])
    axes.set(xlabel="f = g + h", ylabel="discrepancies", xlim=(9, 19), ylim=(-0.5, 5.2), yticks=range(5))
    return figure


def draw_bounds(expansions: int = 24_000, points: int = 24) -> Figure:
    """Draws the lower bound over the expansions of focal search, with and without expansions that raise the bound."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 2.8), layout="constrained")
    axes = figure.add_subplot()
    task = fsplan.load(fsplan.example("blocks-8-0"))
    styles = {"Algorithm 1": (BLUE[0], 0), "with --prove 1": (GREEN[0], 1)}
    for name, (colour, prove) in styles.items():
        options = {"order": "disc2", "w": 1.5, "heuristic": "hmax", "paper": True, "prove": prove}
        full = fsplan.solve(task, **options)
        total = full.statistics["expanded"]
        limits = sorted({*range(1, total, expansions // points), total})
        bounds = [fsplan.solve(task, **options, expansion_limit=limit).lower_bound for limit in limits]
        axes.step(limits, bounds, where="post", color=colour, label=f"{name}: {total:,} expanded, cost {full.cost}")
    axes.axhline(12, color=GREY[0], lw=0.8, ls="--")
    axes.text(200, 12.15, "cost / w = 18 / 1.5", color=GREY[0], fontsize=8)
    axes.set(xlabel="nodes expanded", ylabel="lower bound", ylim=(0, 14))
    axes.legend(frameon=False, loc="lower right", fontsize=8)
    return figure


FIGURES = {"focal-open.svg": draw_focal, "focal-grid.svg": draw_grids, "focal-bound.svg": draw_bounds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="where the SVG files go")
    folder = parser.parse_args().folder
    for name, draw in FIGURES.items():
        draw().savefig(folder / name, metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
