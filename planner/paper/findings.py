"""Tests of claims in one cell: a combination of domain, w and accuracy. A cell without the data has no finding.

Each test has two interpretations. The strict one compares means exactly, and an order of magnitude is a factor of 10.
In the tolerant one, means within 1 % of each other are equal, and an order of magnitude is a factor of 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from fsplan.planner.experiments.style import title
from fsplan.planner.experiments.tables import show
from fsplan.planner.paper.sweep import PAPER_ORDERS, Sweep

TIE = 1.01  # means within this factor count as equal, because at accuracy 1 several orders expand the same nodes
METRIC_TITLES = {"expansions": "expansions", "seconds": "search seconds", "suboptimality": "cost / optimal cost"}
Means = Sequence[tuple[float, str]]
Findings = Iterator["Finding"]


@dataclass(frozen=True)
class Finding:
    """Whether a claim holds in one cell, in the strict and in the tolerant interpretation, with the numbers."""

    where: str
    strict: bool
    tolerant: bool
    numbers: str


@dataclass(frozen=True)
class Cell:
    """A combination of domain, w and accuracy; the accuracy is None if the policy is not synthetic."""

    sweep: Sweep
    domain: str
    w: float
    accuracy: float | None

    def __str__(self) -> str:
        return f"w {self.w:g}" + ("" if self.accuracy is None else f", accuracy {self.accuracy:g}")

    def mean(self, series: str, metric: str) -> float | None:
        return self.sweep.mean(self.domain, self.w, self.accuracy, series, metric)

    def ranked(self, metric: str, series: Iterable[str]) -> list[tuple[float, str]]:
        """The known means of the series in ascending order."""
        known = [(self.mean(name, metric), name) for name in series]
        return sorted((value, name) for value, name in known if value is not None)

    def shown(self, metric: str, value: float, series: str) -> str:
        """The text of a mean with its 95 % confidence interval."""
        band = self.sweep.interval(self.domain, self.w, self.accuracy, series, metric)
        return f"{title(series)} {show(float(value))}" + (f" [{show(band[0])}, {show(band[1])}]" if band else "")

    def finding(self, metric: str, strict: bool, tolerant: bool, means: Means, what: str = "") -> Finding:
        numbers = ", ".join(self.shown(metric, value, name) for value, name in means)
        return Finding(f"{what}{METRIC_TITLES[metric]}, {self}", strict, tolerant, numbers)

    def gain(self, series: Sequence[str], rival: str, metric: str) -> float | None:
        """The mean of the rival divided by that of the best of the series."""
        ranking, other = self.ranked(metric, series), self.mean(rival, metric)
        return other / ranking[0][0] if ranking and other and ranking[0][0] else None


@dataclass(frozen=True)
class Group:
    """The cells of one domain, for claims that compare cells."""

    sweep: Sweep
    domain: str

    @cached_property
    def cells(self) -> list[Cell]:
        return cells(self.sweep, self.domain)

    def by_accuracy(self) -> list[list[Cell]]:
        """For each w, a list of its cells in the order of accuracy."""
        return [[cell for cell in self.cells if cell.w == w] for w in self.sweep.ws]


def cells(sweep: Sweep, domain: str, ws: Sequence[float] | None = None) -> list[Cell]:
    chosen = sweep.ws if ws is None else ws
    return [Cell(sweep, domain, w, accuracy) for w in chosen for accuracy in sweep.accuracies or [None]]


def leads(cell: Cell, leaders: Sequence[str], metric: str, among: Sequence[str] = PAPER_ORDERS) -> Findings:
    """Tests that one of the leaders has a smaller mean than all others."""
    ranking = cell.ranked(metric, among)
    best = min((value for value, name in ranking if name in leaders), default=None)
    others = [value for value, name in ranking if name not in leaders]
    if best is not None and others:
        yield cell.finding(metric, best < min(others), best <= TIE * min(others), ranking)


def trails(cell: Cell, losers: Sequence[str], metric: str) -> Findings:
    """Tests that each of the losers has a larger mean than all others; tolerantly, that one of them does."""
    ranking = cell.ranked(metric, PAPER_ORDERS)
    mine = [value for value, name in ranking if name in losers]
    others = [value for value, name in ranking if name not in losers]
    if mine and others:
        yield cell.finding(metric, min(mine) > max(others), max(mine) > max(others) * TIE, ranking)


def beat(
    cell: Cell, better: Sequence[str], worse: str, metric: str, factor: float = 1.0, tolerant: float = 1 / TIE
) -> Findings:
    """Tests that the mean of each series in `better`, multiplied by the factor, is less than that of `worse`."""
    rival, ranking = cell.mean(worse, metric), cell.ranked(metric, better)
    if rival is not None and ranking:
        most = ranking[-1][0]
        yield cell.finding(metric, most * factor < rival, most * tolerant <= rival, [*ranking, (rival, worse)])


def alone_beats(cell: Cell, series: str, rival: str, metric: str) -> Findings:
    """Tests that this series alone has a smaller mean than the rival; tolerantly, that it has the smallest mean."""
    value, ranking = cell.mean(rival, metric), cell.ranked(metric, PAPER_ORDERS)
    if value is not None and ranking:
        better = [name for mean, name in ranking if mean < value]
        yield cell.finding(metric, better == [series], better[:1] == [series], [*ranking, (value, rival)])


def keeps_up(cell: Cell, series: str, rivals: Sequence[str], metric: str, factor: float) -> Findings:
    """Tests that the mean of the series is at most that of the best rival; tolerantly, at most `factor` times it."""
    mine, ranking = cell.mean(series, metric), cell.ranked(metric, rivals)
    if mine is not None and ranking:
        best = ranking[0]
        yield cell.finding(metric, mine <= best[0], mine <= factor * best[0], [(mine, series), best])


def similar(cell: Cell, pair: Sequence[str], metric: str, strict: float, tolerant: float) -> Findings:
    """Tests that the two means differ by at most the factor `strict`; tolerantly, by at most `tolerant`."""
    ranking = cell.ranked(metric, pair)
    if len(ranking) == 2 and ranking[0][0]:
        ratio = ranking[1][0] / ranking[0][0]
        yield cell.finding(metric, ratio <= strict, ratio <= tolerant, ranking)


def is_more(cell: Cell, series: str, rivals: Sequence[str], metric: str) -> Findings:
    """Tests that the series has a larger mean than every rival; tolerantly, than the best rival."""
    mine, ranking = cell.mean(series, metric), cell.ranked(metric, rivals)
    if mine is not None and ranking:
        yield cell.finding(metric, mine > ranking[-1][0], mine > ranking[0][0], [(mine, series), *ranking])


def near_the_bound(cell: Cell, names: Sequence[str], strict: float, tolerant: float) -> Findings:
    """Tests that the mean of cost / optimal - 1 is at least this share of w - 1, the maximum that w allows."""
    for value, name in cell.ranked("suboptimality", names):
        share = (value - 1) / (cell.w - 1)
        numbers = f"{cell.shown('suboptimality', value, name)} of {cell.w:g}"
        where = f"{title(name)}, {METRIC_TITLES['suboptimality']}, {cell}"
        yield Finding(where, share >= strict, share >= tolerant, numbers)


def within_w(cell: Cell, series: str, strict: float, tolerant: float) -> Findings:
    """Tests that less than this share of the plans cost at most w times the optimal cost."""
    share = cell.sweep.share_within(cell.domain, cell.w, cell.accuracy, series)
    if share is not None:
        yield Finding(str(cell), share < strict, share < tolerant, f"{100 * share:.1f} % of the plans are within w")


def slower_per_expansion(cell: Cell, series: str, rival: str, strict: float, tolerant: float) -> Findings:
    rates = []
    for name in (series, rival):
        seconds, expansions = cell.mean(name, "seconds"), cell.mean(name, "expansions")
        if not seconds or not expansions:
            return
        rates.append(seconds / expansions * 1e6)
    ratio = rates[0] / rates[1]
    text = f"{title(series)} {rates[0]:.2f} µs, {title(rival)} {rates[1]:.2f} µs per expansion: factor {ratio:.1f}"
    yield Finding(str(cell), ratio >= strict, ratio >= tolerant, text)


def falls_with_accuracy(group: Group, series: str, metric: str) -> Findings:
    """Tests that the mean decreases from each accuracy to the next; tolerantly, from the first to the last."""
    for row in group.by_accuracy():
        known = [(cell, cell.mean(series, metric)) for cell in row]
        values = [value for _, value in known if value is not None]
        if len(values) > 1:
            strict, tolerant = all(a > b for a, b in pairwise(values)), values[0] > values[-1]
            numbers = ", ".join(f"{c.accuracy:g}: {c.shown(metric, v, series)}" for c, v in known if v is not None)
            yield Finding(f"{METRIC_TITLES[metric]}, w {row[0].w:g}", strict, tolerant, numbers)


def gains_with_accuracy(group: Group, series: Sequence[str], rival: str, metric: str) -> Findings:
    """Tests that the gain over the rival grows with each accuracy; tolerantly, from the first to the last."""
    for row in group.by_accuracy():
        gains = [(cell, gain) for cell in row if (gain := cell.gain(series, rival, metric)) is not None]
        values = [gain for _, gain in gains]
        if len(values) > 1:
            numbers = ", ".join(f"{cell.accuracy:g}: {gain:.3g}×" for cell, gain in gains)
            strict = all(a < b for a, b in pairwise(values))
            yield Finding(f"{METRIC_TITLES[metric]}, w {row[0].w:g}", strict, values[0] < values[-1], numbers)


def gains_less_at_small_w(group: Group, series: Sequence[str], rival: str, metric: str) -> Findings:
    """Tests that the gain over the rival grows with each w; tolerantly, from the smallest w to the largest."""
    sweep = group.sweep
    ws = [*sweep.low_ws, *sweep.ws]
    for accuracy in sweep.accuracies if sweep.low_ws else []:
        gains = [(w, Cell(sweep, group.domain, w, accuracy).gain(series, rival, metric)) for w in ws]
        values = [gain for _, gain in gains if gain is not None]
        if len(values) > 1:
            numbers = ", ".join(f"w {w:g}: {gain:.3g}×" for w, gain in gains if gain is not None)
            strict = all(a < b for a, b in pairwise(values))
            where = f"{METRIC_TITLES[metric]}, accuracy {accuracy:g}"
            yield Finding(where, strict, values[0] < values[-1], numbers)


def first_are_optimal(group: Group, series: str, count: int) -> Findings:
    """Tests that the plans of the first `count` tasks are optimal; tolerantly, at least half of them."""
    costs = {row["task"]: row["suboptimality"] for row in group.sweep.rows_of(group.domain, series)}
    first = sorted((task for task in costs if task.rpartition("/")[2].isdecimal()), key=_number)[:count]
    if len(first) == count:
        optimal = [task for task in first if costs[task] is not None and costs[task] <= 1]
        numbers = f"{len(optimal)} of {count} optimal: {', '.join(map(str, map(_number, optimal))) or 'none'}"
        yield Finding(title(series), len(optimal) == count, 2 * len(optimal) >= count, numbers)


def _number(task: str) -> int:
    return int(task.rpartition("/")[2])
