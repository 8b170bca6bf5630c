"""The rows of a sweep, grouped by domain, w, accuracy and series for the figures and claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from statistics import fmean, linear_regression
from typing import Any

from fsplan.planner.experiments.names import is_weighted
from fsplan.planner.experiments.records import Row
from fsplan.planner.experiments.style import styles
from fsplan.planner.experiments.summary import group_by, search_name, solved

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
        self.logs: dict[tuple[Any, ...], Mapping[str, float]] = {}  # cache of `Cell.logs`
        self._draws: dict[tuple[str, str], set[int]] = {}
        for row in self.rows:
            if row["accuracy"] is not None:
                self._draws.setdefault((row["domain"], row["task"]), set()).add(row["draw"])
        self.domains = list(dict.fromkeys(row["domain"] for row in self.rows))
        self.ws, self.low_ws = self._weights()
        self.accuracies = sorted({row["accuracy"] for row in self.rows if row["accuracy"] is not None})
        present = {search_name(row) for row in self.rows}
        self.looks = styles((name, name) for name in present)
        self.series = list(self.looks)

    def _weights(self) -> tuple[list[float], list[float]]:
        """The weights w with which all series were run, and the weights, near 1, with which only some were run."""
        weighted = group_by([row for row in self.rows if is_weighted(row["search"])], lambda row: row["w"])
        counts = {w: len({search_name(row) for row in rows}) for w, rows in sorted(weighted.items())}
        most = max(counts.values(), default=0)
        return [w for w in counts if counts[w] == most], [w for w in counts if counts[w] < most]

    def _shared_with_default(self, listed: list[Row]) -> list[Row]:
        left_out = {search_name(row) for row in self.rows}
        tasks = {row["task"] for row in self.rows}
        drawn = {(row["task"], row["draw"]) for row in self.rows}
        return [
            row
            for row in listed
            if not row["variant"]
            and search_name(row) not in left_out
            and ((row["task"], row["draw"]) in drawn or (row["accuracy"] is None and row["task"] in tasks))
        ]

    def cell(self, domain: str, w: float, accuracy: float | None, series: str) -> list[Row]:
        keys = product([domain], [w, None], [accuracy, None], [series])
        return next((self._cells[key] for key in keys if key in self._cells), [])

    def mean(self, domain: str, w: float, accuracy: float | None, series: str, metric: str) -> float | None:
        """The mean over initial states and draws; runs without a plan are included."""
        values = [row[metric] for row in self.cell(domain, w, accuracy, series) if row[metric] is not None]
        return fmean(values) if values else None

    def units(self, domain: str, values: Mapping[str, float]) -> list[list[float]]:
        """Values by initial state, grouped into independent units: by draw of the policy, or one per initial state.

        Values of initial states with the same draws are dependent, so they form one unit. If all initial states have
        the same draws, each is a unit of its own: the statistics then hold for these draws only.
        """
        groups: dict[frozenset[int], list[float]] = {}
        for task, value in values.items():
            groups.setdefault(frozenset(self._draws.get((domain, task), ())), []).append(value)
        return list(groups.values()) if len(groups) > 1 else [[value] for value in values.values()]

    @cache  # noqa: B019, a sweep is short-lived
    def kappa(self, domain: str) -> float | None:
        """The time of a policy call divided by that of an expansion, in our program: measured on Disc-2 and WA*."""
        guided, plain = (_seconds_per_expansion(self.rows_of(domain, series)) for series in ("disc2", "wastar"))
        return max(0.0, guided / plain - 1) if guided and plain else None

    def rows_of(self, domain: str, series: str) -> list[Row]:
        return [row for row in self.rows if row["domain"] == domain and search_name(row) == series]

    def rows_as_base(self) -> list[Row]:
        """The rows, marked as rows of the default instead of this variant."""
        return [{**row, "variant": ""} for row in self.rows]

    def unsolved(self) -> list[Row]:
        return [row for row in self.rows if not solved(row)]


def _seconds_per_expansion(rows: list[Row]) -> float | None:
    """The slope of the times against the expansions; the time of the preparation is the intercept."""
    known = [(row["expansions"], row["seconds"]) for row in rows if row["seconds"] and row["expansions"]]
    if len({expansions for expansions, _ in known}) < 2:
        return None
    return max(0.0, linear_regression(*zip(*known, strict=True)).slope)


def _cell(row: Row) -> tuple[Any, ...]:
    return row["domain"], row["w"] if is_weighted(row["search"]) else None, row["accuracy"], search_name(row)
