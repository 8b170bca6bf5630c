"""Tests of claims on one cell: a w and an accuracy on one domain. A cell without the numbers has no finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fsplan.planner.experiments.style import title
from fsplan.planner.experiments.sweep import PAPER_ORDERS, Sweep
from fsplan.planner.experiments.tables import show

# Means this close count as equal: at accuracy 1 several orders expand the same nodes.
TIE = 0.01
METRIC_TITLES = {"expansions": "expansions", "seconds": "search seconds", "suboptimality": "cost / optimal cost"}
Means = Sequence[tuple[float, str]]
Findings = Iterator["Finding"]


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

    def effort(self, series: str) -> tuple[float, float] | None:
        """Mean seconds and expansions; None where there are none."""
        seconds, expansions = self.mean(series, "seconds"), self.mean(series, "expansions")
        return (seconds, expansions) if seconds and expansions else None

    def finding(self, metric: str, holds: bool, means: Means) -> Finding:
        numbers = ", ".join(f"{title(name)} {show(float(value))}" for value, name in means)
        return Finding(f"{METRIC_TITLES[metric]}, {self}", holds, numbers)


def cells(sweep: Sweep, domain: str) -> list[Cell]:
    return [Cell(sweep, domain, w, accuracy) for w in sweep.ws for accuracy in sweep.accuracies or [None]]


def leads(cell: Cell, leaders: Sequence[str], metric: str) -> Findings:
    """One of the leaders has the smallest mean of all orders, or is within the tolerance of it."""
    ranking = cell.ranked(metric, PAPER_ORDERS)
    if ranking:
        least = ranking[0][0] * (1 + TIE)
        yield cell.finding(metric, any(value <= least for value, name in ranking if name in leaders), ranking)


def trails(cell: Cell, losers: Sequence[str], metric: str) -> Findings:
    """The largest mean of all orders is one of theirs, by more than the tolerance."""
    ranking = cell.ranked(metric, PAPER_ORDERS)
    if ranking:
        others = [value for value, name in ranking if name not in losers]
        yield cell.finding(metric, bool(others) and ranking[-1][0] > max(others) * (1 + TIE), ranking)


def beat(cell: Cell, better: Sequence[str], worse: str, metric: str, factor: float = 1.0) -> Findings:
    """Each of `better` needs less than `worse` does, by at least the factor."""
    rival, ranking = cell.mean(worse, metric), cell.ranked(metric, better)
    if rival is not None and ranking:
        yield cell.finding(metric, all(value * factor < rival for value, _ in ranking), [*ranking, (rival, worse)])


def alone_beats(cell: Cell, series: str, rival: str, metric: str) -> Findings:
    """The series needs less than the rival, and no other order does."""
    value, ranking = cell.mean(rival, metric), cell.ranked(metric, PAPER_ORDERS)
    if value is not None and ranking:
        better = [name for mean, name in ranking if mean < value]
        yield cell.finding(metric, better == [series], [*ranking, (value, rival)])


def keeps_up(cell: Cell, series: str, rivals: Sequence[str], metric: str, factor: float) -> Findings:
    """The series needs at most the factor of what the best of its rivals needs."""
    mine, ranking = cell.mean(series, metric), cell.ranked(metric, rivals)
    if mine is not None and ranking:
        yield cell.finding(metric, mine <= factor * ranking[0][0], [(mine, series), ranking[0]])


def is_fastest(cell: Cell, series: str, rivals: Sequence[str]) -> Findings:
    ranking = cell.ranked("seconds", (*rivals, series))
    if series in [name for _, name in ranking]:
        yield cell.finding("seconds", ranking[0][1] == series, ranking[:3])


def faster_with_more(cell: Cell, series: str, rivals: Sequence[str]) -> Findings:
    """Against each rival: the series takes less time, though it expands more."""
    mine = cell.effort(series)
    for rival in rivals:
        theirs = cell.effort(rival)
        if mine and theirs:
            numbers = "; ".join(
                f"{title(name)} {show(seconds)} s, {show(expansions)} expansions"
                for name, (seconds, expansions) in ((series, mine), (rival, theirs))
            )
            yield Finding(f"{title(rival)}, {cell}", mine[0] < theirs[0] and mine[1] > theirs[1], numbers)


def near_the_bound(cell: Cell, names: Sequence[str], share: float) -> Findings:
    """The mean excess over the optimum is at least this share of what w allows."""
    for value, name in cell.ranked("suboptimality", names):
        where = f"{title(name)}, {METRIC_TITLES['suboptimality']}, {cell}"
        yield Finding(where, value - 1 >= share * (cell.w - 1), f"{show(value)} of {cell.w:g}")


def rarely_within_w(cell: Cell, series: str, below: float) -> Findings:
    """Fewer of its plans than this share cost at most w times the optimum."""
    share = cell.sweep.share_within(cell.domain, cell.w, cell.accuracy, series)
    if share is not None:
        yield Finding(str(cell), share < below, f"{100 * share:.1f} % of the plans are within w")


def slower_per_expansion(cell: Cell, series: str, rival: str, factor: float) -> Findings:
    mine, other = cell.effort(series), cell.effort(rival)
    if mine and other:
        rates = [seconds / expansions * 1e6 for seconds, expansions in (mine, other)]
        text = f"{title(series)} {rates[0]:.2f} µs, {title(rival)} {rates[1]:.2f} µs per expansion"
        yield Finding(str(cell), rates[0] >= factor * rates[1], f"{text}: factor {rates[0] / rates[1]:.1f}")
