"""The rows of a sweep, grouped by domain, w, accuracy and series for the figures and claims."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from statistics import fmean
from typing import Any

from fsplan.planner.experiments.names import is_weighted
from fsplan.planner.experiments.records import Row
from fsplan.planner.experiments.style import styles
from fsplan.planner.experiments.summary import draw_values, group_by, interval, search_name, solved

PAPER_ORDERS = ("score1", "score2", "score3", "score4", "disc1", "disc2", "disc3")
ORDERS = (*PAPER_ORDERS, "disc3-last")
DOMAIN_TITLES = {
    "tiles8": "8-puzzle, linear conflict",
    "pancake9": "9 pancakes, gap heuristic",
    "blocks": "blocks world (probBLOCKS-8-0), h_max",
    "tiles15": "15-puzzle (Korf's 100), trained policy",
}


def domain_title(domain: str) -> str:
    name, _, policy = domain.partition(" with ")
    return DOMAIN_TITLES.get(name, name) + (f" {policy}" if policy else "")


def series_of(row: Row) -> str:
    return search_name(row)


def alike(rows: Iterable[Row]) -> list[Row]:
    """The rows of all variants, and those rows of the default that have the initial states and draws of variants."""
    listed = list(rows)
    varied = [row for row in listed if row["variant"]]
    tasks = {(row["domain"], row["task"]) for row in varied}
    drawn = {(row["domain"], row["task"], row["draw"]) for row in varied}
    return varied + [
        row
        for row in listed
        if not row["variant"]
        and (
            (row["domain"], row["task"], row["draw"]) in drawn
            or (row["accuracy"] is None and (row["domain"], row["task"]) in tasks)
        )
    ]


class Sweep:
    """The rows of one variant, grouped by cell. A search that does not use w or a policy is in every cell.

    A variant does not repeat runs that it does not affect; for example, WA* uses no policy, and most orders no alpha.
    These runs are taken from the default, restricted to the tasks and draws of the variant.
    """

    def __init__(self, rows: Iterable[Row], variant: str = "") -> None:
        listed = list(rows)
        self.rows = [row for row in listed if (row["variant"] or "") == variant]
        if variant:
            self.rows += self._shared_with_default(listed)
        self._cells = group_by(self.rows, _cell)
        self.domains = list(dict.fromkeys(row["domain"] for row in self.rows))
        self.ws, self.low_ws = self._weights()
        self.accuracies = sorted({row["accuracy"] for row in self.rows if row["accuracy"] is not None})
        present = {series_of(row) for row in self.rows}
        self.looks = styles((name, name) for name in present)
        self.series = list(self.looks)

    def _weights(self) -> tuple[list[float], list[float]]:
        """The weights w with which all series were run, and the weights, near 1, with which only some were run."""
        weighted = group_by([row for row in self.rows if is_weighted(row["search"])], lambda row: row["w"])
        counts = {w: len({series_of(row) for row in rows}) for w, rows in sorted(weighted.items())}
        most = max(counts.values(), default=0)
        return [w for w in counts if counts[w] == most], [w for w in counts if counts[w] < most]

    def _shared_with_default(self, listed: list[Row]) -> list[Row]:
        left_out = {series_of(row) for row in self.rows}
        tasks = {row["task"] for row in self.rows}
        drawn = {(row["task"], row["draw"]) for row in self.rows}
        return [
            row
            for row in listed
            if not row["variant"]
            and series_of(row) not in left_out
            and ((row["task"], row["draw"]) in drawn or (row["accuracy"] is None and row["task"] in tasks))
        ]

    def cell(self, domain: str, w: float, accuracy: float | None, series: str) -> list[Row]:
        keys = product([domain], [w, None], [accuracy, None], [series])
        return next((self._cells[key] for key in keys if key in self._cells), [])

    def mean(self, domain: str, w: float, accuracy: float | None, series: str, metric: str) -> float | None:
        """The mean over policy draws of the means over initial states; runs without a plan are included."""
        means = [fmean(draw.values()) for draw in self.draws(domain, w, accuracy, series, metric)]
        return fmean(means) if means else None

    def draws(self, domain: str, w: float, accuracy: float | None, series: str, metric: str) -> list[dict[str, float]]:
        return draw_values(self.cell(domain, w, accuracy, series), metric)

    def interval(
        self, domain: str, w: float, accuracy: float | None, series: str, metric: str
    ) -> tuple[float, float] | None:
        """The 95 % confidence interval of the mean.

        For series without policy draws (WA*, a trained policy), only the initial states are resampled.
        """
        cell = self.cell(domain, w, accuracy, series)
        draws = draw_values(cell, metric)
        undrawn = len(draws) == 1 and len(draws[0]) > 2 and cell[0]["accuracy"] is None
        return interval(draws * 3 if undrawn else draws)

    def rows_of(self, domain: str, series: str) -> list[Row]:
        return [row for row in self.rows if row["domain"] == domain and series_of(row) == series]

    def rows_as_base(self) -> list[Row]:
        """The rows, marked as rows of the default instead of this variant."""
        return [{**row, "variant": ""} for row in self.rows]

    def unsolved(self) -> list[Row]:
        return [row for row in self.rows if not solved(row)]

    def share_within(self, domain: str, w: float, accuracy: float | None, series: str) -> float | None:
        """The share of plans that cost at most w times the optimal cost."""
        known = [row for row in self.cell(domain, w, accuracy, series) if row["suboptimality"] is not None]
        return fmean(row["suboptimality"] <= w + 1e-9 for row in known) if known else None


def _cell(row: Row) -> tuple[Any, ...]:
    return row["domain"], row["w"] if is_weighted(row["search"]) else None, row["accuracy"], series_of(row)
