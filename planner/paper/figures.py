"""Draws the paper's figures with matplotlib (`fsplan[plot]`) as PNG, SVG and PDF, for print: two columns wide, 7 pt.

At most five series are highlighted; the others are grey. A panel in which all series coincide has a sentence instead of
lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Any

from fsplan.planner.experiments.names import is_weighted
from fsplan.planner.experiments.records import Row
from fsplan.planner.experiments.style import title
from fsplan.planner.experiments.summary import draw_values, interval, solved
from fsplan.planner.experiments.tables import show, show_seconds
from fsplan.planner.paper.sweep import Sweep, alike, domain_title

FORMATS = ("png", "svg", "pdf")
MISSING = "the figures were not drawn: pip install 'fsplan[plot]'"
WIDTH = 7.0  # inches: the two columns of a page
TYPE = 7  # points
HIGHLIGHTED = ("score1", "score3", "disc2", "disc3", "wastar", "disc1", "prefastar")
MOST_HIGHLIGHTED = 5
METRICS = {"expansions": "expansions", "seconds": "search time", "suboptimality": "cost / optimal cost"}
SUM = "Σ (cost / optimal − 1)"
INTERVALS = "geometric means (cost: arithmetic) with 95 % bootstrap intervals"


@dataclass(frozen=True)
class Drawn:
    """A figure that was drawn: its files, its name and its caption."""

    paths: list[Path]
    name: str
    caption: str


def available() -> bool:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def accuracy_figures(rows: Iterable[Row], folder: Path) -> list[Drawn]:
    """Draws a figure per domain, with a row per w: expansions, time and suboptimality against accuracy."""
    return _domain_figures(rows, folder, "accuracy", _accuracy_panel, f"; {INTERVALS}.")


def solved_figures(rows: Iterable[Row], folder: Path) -> list[Drawn]:
    """Draws a figure per domain, with a row per w: expansions, time and suboptimality against solved tasks."""
    note = ". Expansions and times are sorted; costs are summed over the tasks in the order of time."
    return _domain_figures(rows, folder, "solved", _solved_panel, note)


def _domain_figures(
    rows: Iterable[Row], folder: Path, kind: str, draw_panel: Callable[..., None], note: str
) -> list[Drawn]:
    sweep = Sweep(rows)
    drawn = []
    for domain in sweep.domains:
        panels = [(w, metric) for w in sweep.ws for metric in METRICS]

        def draw(axes: Any, panel: tuple[float, str], domain: str = domain) -> None:
            draw_panel(axes, sweep, domain, *panel, f"w = {panel[0]:g}")

        caption = f"{domain_title(domain)}. {_number(sweep, domain)}{note}"
        path = folder / f"{kind}-{file_name(domain)}"
        drawn.append(_figure(panels, 3, draw, sweep, path, domain_title(domain), caption))
    return drawn


def variant_figures(rows: Sequence[Row], folder: Path, groups: Mapping[str, Sequence[str]]) -> list[Drawn]:
    """Draws a figure per group of variants: expansions against accuracy for each domain and variant, at the largest w.

    All panels use the same initial states and draws, namely those of the variants.
    """
    drawn = []
    for name, variants in groups.items():
        chosen = alike(row for row in rows if not row["variant"] or row["variant"] in variants)
        sweeps = {variant: Sweep(chosen, variant) for variant in ("", *variants)}
        present = [variant for variant in ("", *variants) if sweeps[variant].rows]
        if len(present) < 2:
            continue
        base = sweeps[""]
        w = base.ws[-1]
        columns = 5 if len(present) == 5 else min(4, len(present))
        blanks = [None] * (-len(present) % columns)
        panels = [panel for domain in base.domains for panel in [*((domain, each) for each in present), *blanks]]

        def draw(axes: Any, panel: tuple[str, str], sweeps: dict[str, Sweep] = sweeps, w: float = w) -> None:
            domain, variant = panel
            _accuracy_panel(axes, sweeps[variant], domain, w, "expansions", variant or "default")
            axes.set_ylabel(f"{short_title(domain)}: expansions", labelpad=1)

        numbers = "; ".join(f"{short_title(domain)}: {_number(base, domain)}" for domain in base.domains)
        heading = f"Expansions and {name}, w = {w:g}"
        caption = f"{heading}. {numbers}. Geometric means with 95 % bootstrap intervals."
        path = folder / file_name(name)
        drawn.append(
            _figure(panels, columns, draw, base, path, heading, caption, lines_shared=-(-len(present) // columns))
        )
    return drawn


def short_title(domain: str) -> str:
    """The name of a domain without its heuristic.

    >>> short_title("tiles8"), short_title("blocks")
    ('8-puzzle', 'blocks world')
    """
    return domain_title(domain).partition(",")[0].partition(" (")[0]


def _number(sweep: Sweep, domain: str) -> str:
    here = [row for row in sweep.rows if row["domain"] == domain]
    tasks, draws = {row["task"] for row in here}, {row["draw"] for row in here if row["accuracy"] is not None}
    return f"n = {len(tasks)} initial states" + (f", {len(draws)} draws of the policy" if draws else "")


def _figure(
    panels: Sequence[Any],
    columns: int,
    draw: Callable[..., None],
    sweep: Sweep,
    stem: Path,
    name: str,
    caption: str,
    lines_shared: int = 0,
) -> Drawn:
    """Draws the panels row by row; None leaves a gap. Groups of `lines_shared` rows share the scale of the y-axes."""
    import matplotlib
    from matplotlib.figure import Figure

    lines = -(-len(panels) // columns)
    sizes = {"font.size": TYPE, "axes.titlesize": TYPE, "axes.labelsize": TYPE, "xtick.labelsize": TYPE}
    looks = {"ytick.labelsize": TYPE, "legend.fontsize": TYPE, "axes.linewidth": 0.5, "svg.fonttype": "none"}
    with matplotlib.rc_context({**sizes, **looks, "svg.hashsalt": stem.name, "pdf.fonttype": 42}):
        figure = Figure(figsize=(WIDTH, 1.45 * lines + 0.35), layout="constrained")
        grid = figure.subplots(lines, columns, squeeze=False)
        for axes, panel in zip(grid.flat, panels, strict=True):
            if panel is None:
                axes.set_axis_off()
            else:
                draw(axes, panel)
        for first in range(0, lines if lines_shared else 0, lines_shared or 1):
            _share(grid[first : first + lines_shared])
        for axes in grid[:-1].flat:
            axes.set_xlabel("")
        _legend(figure, sweep)
        paths = [stem.with_name(f"{stem.name}.{kind}") for kind in FORMATS]
        dated: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "Title": name}}
        for path, kind in zip(paths, FORMATS, strict=True):
            figure.savefig(path, format=kind, dpi=300, metadata=dated.get(kind))
    return Drawn(paths, name, caption)


def _share(grid: Any) -> None:
    """Gives the panels the same limits, and labels only to those in the first column."""
    shown = [axes for axes in grid.flat if axes.lines]
    low, high = (pick(axes.get_ylim()[end] for axes in shown) for end, pick in enumerate((min, max)))
    for axes in shown:
        axes.set_ylim(low, high)
    for axes in grid[:, 1:].flat:
        axes.set_ylabel("")
        axes.tick_params(labelleft=False)


def highlighted(sweep: Sweep) -> list[str]:
    """The series that are drawn in colour, in the order of the legend."""
    known = [name for name in HIGHLIGHTED if name in sweep.series]
    chosen = [*known, *(name for name in sweep.series if name not in known)][:MOST_HIGHLIGHTED]
    return [name for name in sweep.series if name in chosen]


def _back_to_front(sweep: Sweep) -> list[str]:
    chosen = highlighted(sweep)
    return [*(name for name in sweep.series if name not in chosen), *chosen]


def _style(sweep: Sweep, series: str, *, marked: bool = True) -> dict[str, Any]:
    if series not in highlighted(sweep):
        return {"color": "#c4c4c4", "linewidth": 0.6}
    look = sweep.looks[series].for_figure()
    size = {"markersize": 3.2, "markeredgecolor": "white", "markeredgewidth": 0.3}
    return {**look, "linewidth": 1.0, **(size if marked else {"marker": ""})}


def _legend(figure: Any, sweep: Sweep) -> None:
    from matplotlib.lines import Line2D

    chosen = highlighted(sweep)
    lines = [Line2D([], [], **_style(sweep, series)) for series in chosen]
    rest = [title(series) for series in sweep.series if series not in chosen]
    if rest:
        lines.append(Line2D([], [], color="#c4c4c4", linewidth=0.8, label=", ".join(rest)))
    figure.legend(handles=lines, loc="outside upper center", ncols=len(lines), frameon=False, handlelength=2.2)


def _accuracy_panel(axes: Any, sweep: Sweep, domain: str, w: float, metric: str, name: str) -> None:
    """Draws lines against accuracy, each shifted a little, so that their intervals do not overlap."""
    chosen, points = highlighted(sweep), {}
    for series in _back_to_front(sweep):
        found = [_point(sweep, domain, w, accuracy, series, metric) for accuracy in sweep.accuracies]
        if known := [(place, *point) for place, point in enumerate(found) if point]:
            points[series] = known
    heights = [point[1] for known in points.values() for point in known]
    if not heights or max(heights) - min(heights) < 1e-3 * min(heights):
        axes.set_axis_off()
        text = f"all searches: {show(round(heights[0], 3))}" if heights else "not run"
        axes.text(0.5, 0.5, f"{name}\n{METRICS[metric]}\n{text}", ha="center", va="center", transform=axes.transAxes)
        return
    for series, known in points.items():
        places, values, lows, highs = zip(*known, strict=True)
        aside = 0.06 * (chosen.index(series) - 2) if series in chosen else 0.0
        moved = [place + aside for place in places]
        axes.plot(moved, values, **_style(sweep, series))
        if series in chosen:
            axes.vlines(moved, lows, highs, color=sweep.looks[series].colours[0], linewidth=0.7, alpha=0.8)
    axes.set_xticks(range(len(sweep.accuracies)), [f"{each:g}".lstrip("0") for each in sweep.accuracies])
    _label(axes, name, "target accuracy", METRICS[metric], log_scale=metric != "suboptimality")


def _solved_panel(axes: Any, sweep: Sweep, domain: str, w: float, metric: str, name: str) -> None:
    for series in _back_to_front(sweep):
        chosen = [row for row in sweep.rows_of(domain, series) if solved(row)]
        heights = cumulated([row for row in chosen if row["w"] == w or not is_weighted(row["search"])], metric)
        if heights:
            axes.plot(range(1, len(heights) + 1), heights, **_style(sweep, series, marked=False))
    label = SUM if metric == "suboptimality" else METRICS[metric]
    _label(axes, name, "solved tasks", label, log_scale=metric != "suboptimality")


def _point(
    sweep: Sweep, domain: str, w: float, accuracy: float, series: str, metric: str
) -> tuple[float, float, float] | None:
    """The mean and its interval: geometric, but arithmetic for the cost ratio, whose values are all near 1."""
    units = draw_values(sweep.cell(domain, w, accuracy, series), metric)
    if not units:
        return None
    is_log = metric != "suboptimality"
    numbers = [[log(max(value, 1e-9)) if is_log else value for value in unit] for unit in units]
    mean = sum(map(sum, numbers)) / sum(map(len, numbers))
    low, high = interval(numbers) or (mean, mean)
    return (exp(mean), exp(low), exp(high)) if is_log else (mean, low, high)


def _label(axes: Any, name: str, x: str, y: str, *, log_scale: bool) -> None:
    axes.set_title(name, pad=3)
    axes.set_xlabel(x, labelpad=1)
    axes.set_ylabel(y, labelpad=1)
    axes.tick_params(length=2, width=0.5, pad=1.5)
    axes.grid(True, which="major", color="#e8e8e8", linewidth=0.4)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if log_scale and axes.lines:
        from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

        axes.set_yscale("log")
        low, high = axes.get_ylim()
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 50 * low else (1,), numticks=8))
        written = show_seconds if y == METRICS["seconds"] else show
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: written(value)))
        axes.yaxis.set_minor_formatter(NullFormatter())


def file_name(domain: str) -> str:
    """The name of a domain with characters replaced that are unsafe in file names.

    >>> file_name("tiles15 with mine"), file_name("dec/p01")
    ('tiles15-with-mine', 'dec-p01')
    """
    return re.sub(r"[^\w.-]+", "-", domain)


def cumulated(rows: Sequence[Row], metric: str) -> list[float]:
    """The sorted values of the runs; for suboptimality, the sum of cost / optimal - 1 over the k fastest runs."""
    if metric != "suboptimality":
        return sorted(float(row[metric]) for row in rows if row[metric] is not None)
    known = sorted((row for row in rows if row[metric] is not None), key=lambda row: float(row["seconds"]))
    total, heights = 0.0, []
    for row in known:
        total += row[metric] - 1
        heights.append(total)
    return heights
