"""Ways to test a claim, cell by cell: a cell is a w and an accuracy on one domain.

Each way is a function that makes the test of a claim, for the tables in `claims`:

    leads(("disc2", "disc3"), "expansions", low)     tests whether one of the two is best where the accuracy is low
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fsplan.planner.experiments.style import title
from fsplan.planner.experiments.sweep import PAPER_ORDERS, Sweep
from fsplan.planner.experiments.tables import show

# Means this close count as equal: at accuracy 1 several orders expand the same nodes.
TIE = 0.01
METRIC_TITLES = {"expansions": "expansions", "seconds": "search seconds", "suboptimality": "cost / optimal cost"}
Means = Sequence[tuple[float, str]]


@dataclass(frozen=True)
class Finding:
    """Whether a claim holds in one cell, and the numbers that decide it."""

    where: str
    holds: bool
    numbers: str


@dataclass(frozen=True)
class Cell:
    """A w and an accuracy on a domain; accuracy None: the policy was not drawn."""

    sweep: Sweep
    domain: str
    w: float
    accuracy: float | None

    def __str__(self) -> str:
        return f"w {self.w:g}" + ("" if self.accuracy is None else f", accuracy {self.accuracy:g}")

    def mean(self, series: str, metric: str) -> float | None:
        return self.sweep.mean(self.domain, self.w, self.accuracy, series, metric)

    def ranked(self, metric: str, series: Iterable[str]) -> list[tuple[float, str]]:
        """The means that there are, smallest first."""
        known = [(self.mean(name, metric), name) for name in series]
        return sorted((value, name) for value, name in known if value is not None)

    def finding(self, metric: str, holds: bool, means: Means) -> Finding:
        numbers = ", ".join(f"{title(name)} {show(float(value))}" for value, name in means)
        return Finding(f"{METRIC_TITLES[metric]}, {self}", holds, numbers)


Test = Callable[[Cell], Iterator[Finding]]
Where = Callable[[Cell], bool]


def cells(sweep: Sweep, domain: str) -> list[Cell]:
    return [Cell(sweep, domain, w, accuracy) for w in sweep.ws for accuracy in sweep.accuracies or [None]]


def everywhere(cell: Cell) -> bool:
    return True


def at_w(w: float) -> Where:
    return lambda cell: cell.w == w


def smallest_w(cell: Cell) -> bool:
    """The smallest w of the sweep."""
    return cell.w == cell.sweep.ws[0]


def accuracy_within(least: float, most: float) -> Where:
    return lambda cell: cell.accuracy is None or least <= cell.accuracy <= most


def leads(leaders: Sequence[str], metric: str, where: Where = everywhere) -> Test:
    """One of the leaders has the smallest mean of all orders, or is within the tolerance of it."""

    def test(cell: Cell) -> Iterator[Finding]:
        ranking = cell.ranked(metric, PAPER_ORDERS) if where(cell) else []
        if ranking:
            least = ranking[0][0] * (1 + TIE)
            yield cell.finding(metric, any(value <= least for value, name in ranking if name in leaders), ranking)

    return test


def trails(losers: Sequence[str], metric: str, where: Where = everywhere) -> Test:
    """The largest mean of all orders is one of theirs, by more than the tolerance."""

    def test(cell: Cell) -> Iterator[Finding]:
        ranking = cell.ranked(metric, PAPER_ORDERS) if where(cell) else []
        if ranking:
            others = [value for value, name in ranking if name not in losers]
            yield cell.finding(metric, bool(others) and ranking[-1][0] > max(others) * (1 + TIE), ranking)

    return test


def beat(better: Sequence[str], worse: str, metric: str, where: Where = everywhere, factor: float = 1.0) -> Test:
    """Each of `better` needs less than `worse` does, by at least the factor."""

    def test(cell: Cell) -> Iterator[Finding]:
        rival, ranking = cell.mean(worse, metric), cell.ranked(metric, better)
        if where(cell) and rival is not None and ranking:
            yield cell.finding(metric, all(value * factor < rival for value, _ in ranking), [*ranking, (rival, worse)])

    return test


def keeps_up(series: str, rivals: Sequence[str], metric: str, where: Where, factor: float) -> Test:
    """The series needs at most the factor of what the best of its rivals needs."""

    def test(cell: Cell) -> Iterator[Finding]:
        mine, ranking = cell.mean(series, metric), cell.ranked(metric, rivals)
        if where(cell) and mine is not None and ranking:
            yield cell.finding(metric, mine <= factor * ranking[0][0], [(mine, series), ranking[0]])

    return test


def is_fastest(series: str, rivals: Sequence[str]) -> Test:
    def test(cell: Cell) -> Iterator[Finding]:
        ranking = cell.ranked("seconds", (*rivals, series))
        if series in [name for _, name in ranking]:
            yield cell.finding("seconds", ranking[0][1] == series, ranking[:3])

    return test


def alone_beats(series: str, rival: str, metric: str, where: Where) -> Test:
    """The series needs less than the rival, and no other order does."""

    def test(cell: Cell) -> Iterator[Finding]:
        value, ranking = cell.mean(rival, metric), cell.ranked(metric, PAPER_ORDERS)
        if where(cell) and value is not None and ranking:
            better = [name for mean, name in ranking if mean < value]
            yield cell.finding(metric, better == [series], [*ranking, (value, rival)])

    return test


def faster_with_more(series: str, rivals: Sequence[str]) -> Test:
    """Against each rival: the series takes less time, though it expands more."""

    def test(cell: Cell) -> Iterator[Finding]:
        for rival in rivals:
            means = {(name, metric): cell.mean(name, metric) for name in (series, rival) for metric in _EFFORT}
            known = {key: value for key, value in means.items() if value is not None}
            if len(known) == len(means):
                less = known[series, "seconds"] < known[rival, "seconds"]
                more = known[series, "expansions"] > known[rival, "expansions"]
                text = "; ".join(
                    f"{title(name)} {show(known[name, 'seconds'])} s, {show(known[name, 'expansions'])} expansions"
                    for name in (series, rival)
                )
                yield Finding(f"{title(rival)}, {cell}", less and more, text)

    return test


_EFFORT = ("seconds", "expansions")


def near_the_bound(names: Sequence[str], share: float) -> Test:
    """The mean excess over the optimum is at least this share of what w allows."""

    def test(cell: Cell) -> Iterator[Finding]:
        for value, name in cell.ranked("suboptimality", names):
            where = f"{title(name)}, {METRIC_TITLES['suboptimality']}, {cell}"
            yield Finding(where, value - 1 >= share * (cell.w - 1), f"{show(value)} of {cell.w:g}")

    return test


def within_w(series: str, below: float, where: Where = everywhere) -> Test:
    """Fewer of its plans than this share keep within w times the optimum."""

    def test(cell: Cell) -> Iterator[Finding]:
        share = cell.sweep.share_within(cell.domain, cell.w, cell.accuracy, series)
        if where(cell) and share is not None:
            yield Finding(
                str(cell), share < below, f"{100 * share:.1f} % of the plans cost at most w times the optimum"
            )

    return test


def slower_per_expansion(series: str, rival: str, factor: float) -> Test:
    def test(cell: Cell) -> Iterator[Finding]:
        rates = []
        for name in (series, rival):
            seconds, expansions = cell.mean(name, "seconds"), cell.mean(name, "expansions")
            if seconds and expansions:
                rates.append(seconds / expansions * 1e6)
        if len(rates) == 2:
            text = f"{title(series)} {rates[0]:.2f} µs, {title(rival)} {rates[1]:.2f} µs per expansion"
            yield Finding(str(cell), rates[0] >= factor * rates[1], f"{text}: factor {rates[0] / rates[1]:.1f}")

    return test
