"""Whether a claim holds, cell by cell: a cell is a domain, a w and an accuracy.

A claim holds if it does in every cell, does not if it does in none, and otherwise depends on where one looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fsplan.planner.experiments.sweep import TITLES, Sweep
from fsplan.planner.experiments.tables import show

PAPER_ORDERS = ("score1", "score2", "score3", "score4", "disc1", "disc2", "disc3")
# Means this close are as good as each other: at accuracy 1 several orders expand the same nodes.
TIE = 0.01
METRIC_TITLES = {"expansions": "expansions", "seconds": "search seconds", "suboptimality": "cost / optimal cost"}


@dataclass(frozen=True)
class Finding:
    """Whether a claim holds in one cell, and the numbers that say so."""

    where: str
    holds: bool
    numbers: str


@dataclass(frozen=True)
class Claim:
    text: str
    reading: str
    findings: list[Finding]

    @property
    def short(self) -> str:
        """The verdict as cells in which the claim holds."""
        return f"{sum(finding.holds for finding in self.findings)}/{len(self.findings)}" if self.findings else "-"

    @property
    def verdict(self) -> str:
        if not self.findings:
            return "not tested"
        held = sum(finding.holds for finding in self.findings)
        if held == len(self.findings):
            return "holds"
        return f"depends on where one looks ({held} of {len(self.findings)} cells)" if held else "does not hold"


class Cells:
    """The cells of one domain in a sweep, and comparisons within them."""

    def __init__(self, sweep: Sweep, domain: str) -> None:
        self.sweep, self.domain = sweep, domain

    def mean(self, w: float, accuracy: float | None, series: str, metric: str) -> float | None:
        return self.sweep.mean(self.domain, w, accuracy, series, metric)

    def each(self, accuracies: Callable[[float], bool] = lambda _: True) -> Iterator[tuple[float, float | None]]:
        chosen = [accuracy for accuracy in self.sweep.accuracies if accuracies(accuracy)]
        for w in self.sweep.ws:
            for accuracy in chosen if self.sweep.accuracies else [None]:
                yield w, accuracy

    def name(self, w: float, accuracy: float | None, metric: str) -> str:
        with_accuracy = "" if accuracy is None else f", accuracy {accuracy:g}"
        return f"{METRIC_TITLES[metric]}, w {w:g}{with_accuracy}"

    def ranked(self, w: float, accuracy: float | None, metric: str, series: Iterable[str]) -> list[tuple[float, str]]:
        known = [(self.mean(w, accuracy, name, metric), name) for name in series]
        return sorted((value, name) for value, name in known if value is not None)

    def leads(self, leaders: Sequence[str], metric: str, where: Iterable[tuple[float, float | None]]) -> list[Finding]:
        """One of the leaders has the smallest mean of all orders, or is as good as that."""
        found = []
        for w, accuracy in where:
            ranking = self.ranked(w, accuracy, metric, PAPER_ORDERS)
            if ranking:
                least = ranking[0][0] * (1 + TIE)
                holds = any(value <= least for value, name in ranking if name in leaders)
                found.append(self.finding(w, accuracy, metric, holds, ranking))
        return found

    def trails(self, losers: Sequence[str], metric: str, where: Iterable[tuple[float, float | None]]) -> list[Finding]:
        """The largest mean is one of theirs, and clearly so."""
        found = []
        for w, accuracy in where:
            ranking = self.ranked(w, accuracy, metric, PAPER_ORDERS)
            if ranking:
                others = [value for value, name in ranking if name not in losers]
                holds = bool(others) and ranking[-1][0] > max(others) * (1 + TIE)
                found.append(self.finding(w, accuracy, metric, holds, ranking))
        return found

    def beats(
        self,
        better: Sequence[str],
        worse: str,
        metric: str,
        where: Iterable[tuple[float, float | None]],
        factor: float = 1.0,
    ) -> list[Finding]:
        """Every one of `better` needs less than `worse` does, by at least the factor."""
        found = []
        for w, accuracy in where:
            rival = self.mean(w, accuracy, worse, metric)
            ranking = self.ranked(w, accuracy, metric, better)
            if rival is None or not ranking:
                continue
            holds = all(value * factor < rival for value, _ in ranking)
            found.append(self.finding(w, accuracy, metric, holds, [*ranking, (rival, worse)]))
        return found

    def finding(
        self, w: float, accuracy: float | None, metric: str, holds: bool, numbers: Sequence[tuple[float, str]]
    ) -> Finding:
        shown = ", ".join(f"{TITLES[name]} {show(float(value))}" for value, name in numbers)
        return Finding(self.name(w, accuracy, metric), holds, shown)
