"""A sweep's rows as the figures and claims read them: by domain, w, accuracy and series."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean
from typing import Any

from fsplan.planner.experiments.records import Row
from fsplan.planner.experiments.summary import group_by, solved

ORDERS = ("score1", "score2", "score3", "score4", "disc1", "disc2", "disc3", "disc3-last")
SERIES = (*ORDERS, "wastar", "prefastar")
TITLES = {
    **{name: f"Score-{name[-1]}" for name in ORDERS[:4]},
    **{name: f"Disc-{name[-1]}" for name in ORDERS[4:7]},
    "disc3-last": "Disc-3 (last rank)",
    "wastar": "WA*",
    "prefastar": "PrefA*",
}
DOMAIN_TITLES = {
    "tiles8": "8-puzzle, linear conflict",
    "pancake9": "9 pancakes, gap heuristic",
    "blocks": "blocks world (probBLOCKS-8-0), h_max",
    "tiles15": "15-puzzle (Korf's 100), trained policy",
}


def series_of(row: Row) -> str:
    return str(row["order"] if row["search"] == "focal" else row["search"])


class Sweep:
    """Rows of one variant, by cell. A search that has no w or no accuracy stands in every cell.

    What a variant does not run again because it would be the same (WA* has no policy to vary, most orders no alpha) is
    taken from the default, on the variant's tasks and draws. PrefA* would not be the same.
    """

    def __init__(self, rows: Iterable[Row], variant: str = "") -> None:
        listed = list(rows)
        self.rows = [row for row in listed if (row["variant"] or "") == variant]
        if variant:
            left_out = {series_of(row) for row in self.rows} | {"prefastar"}
            tasks = {row["task"] for row in self.rows}
            drawn = {(row["task"], row["draw"]) for row in self.rows}
            base = [row for row in listed if not row["variant"] and series_of(row) not in left_out]
            self.rows += [
                row
                for row in base
                if (row["task"], row["draw"]) in drawn or (row["accuracy"] is None and row["task"] in tasks)
            ]
        self._cells = group_by(self.rows, _cell)
        self.domains = list(dict.fromkeys(row["domain"] for row in self.rows))
        self.ws = sorted({row["w"] for row in self.rows if row["search"] in ("focal", "wastar")})
        self.accuracies = sorted({row["accuracy"] for row in self.rows if row["accuracy"] is not None})
        self.series = [name for name in SERIES if any(series_of(row) == name for row in self.rows)]

    def cell(self, domain: str, w: float, accuracy: float | None, series: str) -> list[Row]:
        bound = None if series == "prefastar" else w
        return self._cells.get((domain, bound, None if series == "wastar" else accuracy, series), [])

    def mean(self, domain: str, w: float, accuracy: float | None, series: str, metric: str) -> float | None:
        """The mean over draws of the means over starts; runs without a plan count what they spent."""
        means = [fmean(draw.values()) for draw in self.draws(domain, w, accuracy, series, metric)]
        return fmean(means) if means else None

    def draws(self, domain: str, w: float, accuracy: float | None, series: str, metric: str) -> list[dict[str, float]]:
        """For each draw of the policy, the number of each start."""
        by_draw = group_by(self.cell(domain, w, accuracy, series), lambda row: row["draw"])
        listed = [
            {row["task"]: float(row[metric]) for row in rows if row[metric] is not None} for rows in by_draw.values()
        ]
        return [draw for draw in listed if draw]

    def rows_as_base(self) -> list[Row]:
        """The rows as if this variant were the default."""
        return [{**row, "variant": ""} for row in self.rows]

    def unsolved(self) -> list[Row]:
        return [row for row in self.rows if not solved(row)]

    def optimal_share(self, domain: str, w: float, accuracy: float | None, series: str) -> float | None:
        """The share of plans that keep within w times the optimal cost."""
        known = [row for row in self.cell(domain, w, accuracy, series) if row["suboptimality"] is not None]
        return fmean(row["suboptimality"] <= w + 1e-9 for row in known) if known else None


def _cell(row: Row) -> tuple[Any, ...]:
    series = series_of(row)
    bound = None if series == "prefastar" else row["w"]
    return row["domain"], bound, row["accuracy"], series
