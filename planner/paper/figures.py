"""Draws the paper's figures with matplotlib (`fsplan[plot]`) as PNG, SVG and PDF."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from fsplan.planner.experiments.names import is_weighted
from fsplan.planner.experiments.records import Row
from fsplan.planner.experiments.style import Style
from fsplan.planner.experiments.summary import solved
from fsplan.planner.experiments.tables import show, show_seconds
from fsplan.planner.paper.sweep import Sweep, alike, domain_title

FORMATS = ("png", "svg", "pdf")
MISSING = "the figures were not drawn: pip install 'fsplan[plot]'"
TIME = "search time"
ACCURACY_METRICS = (
    ("seconds", TIME, True),
    ("expansions", "expansions", True),
    ("suboptimality", "cost / optimal cost", False),
)
SOLVED_METRICS = (
    ("seconds", TIME, True),
    ("expansions", "expansions", True),
    ("suboptimality", "Σ (cost / optimal cost - 1)", False),
)


def available() -> bool:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def accuracy_figures(rows: Iterable[Row], folder: Path, note: str) -> list[Path]:
    """Draws a figure per domain, with a row per w: runtime, expansions and suboptimality against accuracy."""
    sweep = Sweep(rows)
    return [path for domain in sweep.domains for path in _accuracy_figure(sweep, domain, folder, note)]


def _accuracy_figure(sweep: Sweep, domain: str, folder: Path, note: str) -> list[Path]:
    figure, grid = _grid(len(sweep.ws))
    for axes_row, w in zip(grid, sweep.ws, strict=True):
        for axes, (metric, label, log) in zip(axes_row, ACCURACY_METRICS, strict=True):
            for series in sweep.series:
                _accuracy_line(axes, sweep, domain, w, series, metric)
            _label(axes, f"w = {w:g}", "target accuracy of the policy", label, log)
            _accuracy_ticks(axes, sweep)
            if metric == "suboptimality":
                _show_bound(axes, w)
            _name_lines(axes)
    return _save(figure, domain_title(domain), folder / f"accuracy-{file_name(domain)}", note)


def _accuracy_ticks(axes: Any, sweep: Sweep) -> None:
    """Sets ticks for the accuracies at equal distances, because .90, .95 and 1 would overlap on a linear scale."""
    axes.set_xticks(range(len(sweep.accuracies)), [f"{accuracy:g}" for accuracy in sweep.accuracies])


def _show_bound(axes: Any, w: float) -> None:
    """Draws a horizontal line at w if the means are near it; otherwise the line would compress the other lines."""
    heights = [height for line in axes.lines for height in line.get_ydata()]
    if heights and w <= 1 + 1.5 * (max(heights) - 1):
        axes.axhline(w, color="#777777", linewidth=0.8, linestyle=(0, (1, 2)), label="_w")
    elif heights:
        margin = 0.05 * (max(heights) - 1) or 0.001
        axes.set_ylim(min(heights) - margin, max(heights) + margin)


def _accuracy_line(axes: Any, sweep: Sweep, domain: str, w: float, series: str, metric: str) -> None:
    """Draws a line with confidence intervals as bars, shifted a little so that the bars of lines do not overlap."""
    points = []
    for place, accuracy in enumerate(sweep.accuracies):
        mean = sweep.mean(domain, w, accuracy, series, metric)
        if mean is not None:
            low, high = sweep.interval(domain, w, accuracy, series, metric) or (mean, mean)
            points.append((place, mean, max(0.0, mean - low), max(0.0, high - mean)))
    if points:
        x, y, below, above = zip(*points, strict=True)
        look, aside = sweep.looks[series], 0.03 * (sweep.series.index(series) - len(sweep.series) / 2)
        axes.plot(x, y, **_line(look))
        moved = [place + aside for place in x]
        axes.errorbar(moved, y, [below, above], fmt="none", ecolor=look.colours[0], elinewidth=0.7, alpha=0.7)


def _line(look: Style) -> dict[str, Any]:
    return {**look.for_figure(), "markersize": 5, "linewidth": 1.3, "markeredgecolor": "white", "markeredgewidth": 0.5}


def solved_figures(rows: Iterable[Row], folder: Path, note: str) -> list[Path]:
    """Draws a figure per domain, with a row per w: runtime, expansions and suboptimality against solved tasks."""
    sweep = Sweep(rows)
    paths = []
    for domain in sweep.domains:
        figure, grid = _grid(len(sweep.ws))
        for axes_row, w in zip(grid, sweep.ws, strict=True):
            for axes, (metric, label, log) in zip(axes_row, SOLVED_METRICS, strict=True):
                for series in sweep.series:
                    _solved_line(axes, sweep, domain, w, series, metric)
                _label(axes, f"w = {w:g}", "solved tasks", label, log)
                axes.xaxis.get_major_locator().set_params(integer=True)
                _name_lines(axes)
        paths += _save(figure, domain_title(domain), folder / f"solved-{file_name(domain)}", note)
    return paths


def _solved_line(axes: Any, sweep: Sweep, domain: str, w: float, series: str, metric: str) -> None:
    rows = [row for row in sweep.rows_of(domain, series) if solved(row)]
    heights = cumulated([row for row in rows if row["w"] == w or not is_weighted(row["search"])], metric)
    if heights:
        axes.plot(range(1, len(heights) + 1), heights, markevery=0.12, **_line(sweep.looks[series]))


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


def variant_figures(rows: Sequence[Row], folder: Path, note: str) -> list[Path]:
    """Draws expansions against accuracy for each domain and variant, at the largest w.

    All panels use the same initial states and policy draws, namely those of the variants.
    """
    rows = alike(rows)
    variants = sorted(dict.fromkeys(str(row["variant"] or "") for row in rows), key=bool)
    if len(variants) < 2:
        return []
    sweeps = {variant: Sweep(rows, variant) for variant in variants}
    base = sweeps.get("", next(iter(sweeps.values())))
    w = base.ws[-1]
    panels = [(domain, variant) for domain in base.domains for variant in variants]
    columns = min(4, len(variants))
    figure, grid = _grid(-(-len(panels) // columns), columns, width=3.8)
    for axes in grid.flat[len(panels) :]:
        axes.set_axis_off()
    for axes, (domain, variant) in zip(grid.flat, panels, strict=False):
        for series in sweeps[variant].series:
            _accuracy_line(axes, sweeps[variant], domain, w, series, "expansions")
        title = f"{domain_title(domain).partition(',')[0]}: {variant or 'default reading'}"
        _label(axes, title, "target accuracy", "expansions", log=True)
        _accuracy_ticks(axes, base)
        _name_lines(axes)
    return _save(figure, f"Which conclusions are sturdy? Expansions, w = {w:g}", folder / "variants", note)


def _grid(rows: int, columns: int = 3, width: float = 5.0) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width * columns, 3.4 * rows + 1.1), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False)


def _label(axes: Any, title: str, x: str, y: str, log: bool) -> None:
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(True, which="major", color="#e4e4e4", linewidth=0.6)
    axes.set_axisbelow(True)
    if log and axes.lines:
        from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

        axes.set_yscale("log")
        lines = [line for line in axes.lines if not line.get_label().startswith("_")]
        heights = [height for line in lines for height in line.get_ydata() if height > 0]
        low, high = min(heights), max(heights)  # limits of the lines; intervals may be cut off
        margin = max(high / low, 1.2) ** 0.06
        axes.set_ylim(low / margin, high * margin)
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 300 * low else (1,)))
        written = show_seconds if y == TIME else show
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: written(value)))
        axes.yaxis.set_minor_formatter(NullFormatter())


def _name_lines(axes: Any) -> None:
    """Writes the name of each line at its right end, in its colour; overlapping names are moved apart."""
    import numpy as np

    lines = [line for line in axes.lines if not line.get_label().startswith("_") and len(line.get_xdata())]
    if not lines:
        return
    axes.autoscale_view()  # matplotlib computes limits lazily, and transforming points does not trigger that
    to_axes = axes.transData + axes.transAxes.inverted()
    ends = [to_axes.transform((line.get_xdata()[-1], line.get_ydata()[-1])) for line in lines]
    order = np.argsort([end[1] for end in ends], kind="stable")
    for place, height in zip(order, spread([min(1.0, ends[k][1]) for k in order]), strict=True):
        line = lines[place]
        axes.annotate(
            line.get_label(),
            xy=(min(1.0, ends[place][0]), min(1.0, ends[place][1])),
            xytext=(1.05, height),
            xycoords="axes fraction",
            textcoords="axes fraction",
            fontsize=7.5,
            color=line.get_color(),
            verticalalignment="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": line.get_color(), "linewidth": 0.5, "alpha": 0.6},
        )


def spread(heights: Sequence[float], gap: float = 0.062) -> list[float]:
    """Moves ascending heights apart to at least the gap, as little as possible, and within 0 and 1 if they fit.

    >>> [round(height, 2) for height in spread([0.5, 0.5, 0.9], 0.1)]
    [0.45, 0.55, 0.9]
    """
    groups: list[list[float]] = []  # groups of adjacent heights, as [sum of the original heights, number]
    for height in heights:
        groups.append([height, 1.0])
        while len(groups) > 1 and _top(groups[-2], gap) > _bottom(groups[-1], gap):
            total, count = groups.pop()
            groups[-1][0] += total
            groups[-1][1] += count
    return [_bottom(group, gap) + gap * (k + 0.5) for group in groups for k in range(int(group[1]))]


def _bottom(group: Sequence[float], gap: float) -> float:
    """The lower end of a group, which is centred at the mean of its original heights, but kept between 0 and 1."""
    centre, size = group[0] / group[1], gap * group[1]
    return max(min(centre - size / 2, 1 + gap / 2 - size), -gap / 2)


def _top(group: Sequence[float], gap: float) -> float:
    return _bottom(group, gap) + gap * group[1]


def _save(figure: Any, title: str, stem: Path, note: str) -> list[Path]:
    import matplotlib

    figure.suptitle(title, fontsize=12)
    figure.supxlabel(note, fontsize=6, color="#555555")
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # the layout is computed only once, not for each format
    paths = [stem.with_name(f"{stem.name}.{kind}") for kind in FORMATS]
    with matplotlib.rc_context({"svg.hashsalt": stem.name, "svg.fonttype": "none"}):
        for path, kind in zip(paths, FORMATS, strict=True):
            dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
            figure.savefig(path, format=kind, dpi=130, bbox_inches="tight", metadata=dated.get(kind))
    return paths
