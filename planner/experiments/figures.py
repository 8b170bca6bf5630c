"""The paper's figures, drawn with matplotlib (`fsplan[plot]`) as PNG, SVG and PDF."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from fsplan.planner.experiments.names import is_weighted
from fsplan.planner.experiments.records import Row
from fsplan.planner.experiments.style import STYLES
from fsplan.planner.experiments.summary import interval, solved
from fsplan.planner.experiments.sweep import DOMAIN_TITLES, Sweep, series_of
from fsplan.planner.experiments.tables import show, show_seconds

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
    """A figure for each domain, with a row for each w: runtime, expansions and suboptimality against accuracy."""
    sweep = Sweep(rows)
    return [path for domain in sweep.domains for path in _accuracy_figure(sweep, domain, folder, note)]


def _accuracy_figure(sweep: Sweep, domain: str, folder: Path, note: str) -> list[Path]:
    figure, grid = _grid(len(sweep.ws))
    for axes_row, w in zip(grid, sweep.ws, strict=True):
        for axes, (metric, label, log) in zip(axes_row, ACCURACY_METRICS, strict=True):
            for series in sweep.series:
                _accuracy_line(axes, sweep, domain, w, series, metric)
            _label(axes, f"w = {w:g}", "target accuracy of the policy", label, log)
            axes.set_xticks(sweep.accuracies)
            if metric == "suboptimality":
                axes.axhline(w, color="#999999", linewidth=0.8, linestyle=(0, (1, 2)))
    return _save(figure, grid, DOMAIN_TITLES.get(domain, domain), folder / f"accuracy-{domain}", note)


def _accuracy_line(axes: Any, sweep: Sweep, domain: str, w: float, series: str, metric: str) -> None:
    points = []
    for accuracy in sweep.accuracies:
        mean = sweep.mean(domain, w, accuracy, series, metric)
        if mean is not None:
            band = interval(sweep.draws(domain, w, accuracy, series, metric))
            points.append((accuracy, mean, *(band or (mean, mean))))
    if points:
        x, y, low, high = zip(*points, strict=True)
        axes.plot(x, y, **_line(series))
        axes.fill_between(x, low, high, color=STYLES[series].colours[0], alpha=0.1, linewidth=0)


def _line(series: str) -> dict[str, Any]:
    return {**STYLES[series].for_figure(), "markersize": 4.5, "linewidth": 1.4, "markeredgewidth": 0}


def solved_figures(rows: Iterable[Row], folder: Path, note: str) -> list[Path]:
    """A row for each w: runtime, expansions and accumulated suboptimality against solved tasks."""
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
        paths += _save(figure, grid, DOMAIN_TITLES.get(domain, domain), folder / f"solved-{domain}", note)
    return paths


def _solved_line(axes: Any, sweep: Sweep, domain: str, w: float, series: str, metric: str) -> None:
    rows = [row for row in sweep.rows if series_of(row) == series and row["domain"] == domain and solved(row)]
    heights = cumulated([row for row in rows if row["w"] == w or not is_weighted(row["search"])], metric)
    if heights:
        axes.plot(range(1, len(heights) + 1), heights, markevery=0.12, **_line(series))


def cumulated(rows: Sequence[Row], metric: str) -> list[float]:
    """What the k-th easiest run needs; for suboptimality the sum of cost / optimal - 1 over the k fastest runs."""
    if metric != "suboptimality":
        return sorted(float(row[metric]) for row in rows if row[metric] is not None)
    known = sorted((row for row in rows if row[metric] is not None), key=lambda row: float(row["seconds"]))
    total, heights = 0.0, []
    for row in known:
        total += row[metric] - 1
        heights.append(total)
    return heights


def variant_figures(rows: Sequence[Row], folder: Path, note: str) -> list[Path]:
    """Expansions against accuracy for each domain under every variant, at the largest w."""
    variants = list(dict.fromkeys(str(row["variant"] or "") for row in rows))
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
        title = f"{DOMAIN_TITLES.get(domain, domain).partition(',')[0]}: {variant or 'default reading'}"
        _label(axes, title, "target accuracy", "expansions", log=True)
        axes.set_xticks(base.accuracies)
    return _save(figure, grid, f"Which conclusions are sturdy? Expansions, w = {w:g}", folder / "variants", note)


def _grid(rows: int, columns: int = 3, width: float = 4.6) -> tuple[Any, Any]:
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
        heights = [height for line in axes.lines for height in line.get_ydata() if height > 0]
        low, high = min(heights), max(heights)  # the intervals may be cut off: the lines are what one compares
        margin = max(high / low, 1.2) ** 0.06
        axes.set_ylim(low / margin, high * margin)
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 300 * low else (1,)))
        written = show_seconds if y == TIME else show
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: written(value)))
        axes.yaxis.set_minor_formatter(NullFormatter())


def _save(figure: Any, grid: Any, title: str, stem: Path, note: str) -> list[Path]:
    import matplotlib

    named: dict[str, Any] = {}
    for axes in grid.flat:
        handles, labels = axes.get_legend_handles_labels()
        named |= dict(zip(labels, handles, strict=True))
    ordered = [style.title for style in STYLES.values() if style.title in named]
    figure.suptitle(title, fontsize=12)
    legend = figure.legend(
        [named[label] for label in ordered], ordered, loc="outside lower center", ncols=5, fontsize=9
    )
    legend.set_title(note, prop={"size": 6})
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # laid out once, not again for each format
    paths = [stem.with_name(f"{stem.name}.{kind}") for kind in FORMATS]
    with matplotlib.rc_context({"svg.hashsalt": stem.name, "svg.fonttype": "none"}):
        for path, kind in zip(paths, FORMATS, strict=True):
            dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
            figure.savefig(path, format=kind, dpi=130, metadata=dated.get(kind))
    return paths
