"""How the gap between a plan's cost and the lower bound closes while a search runs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from time import perf_counter
from typing import Any, NamedTuple

from fsplan.pddl.costs import from_units, plain
from fsplan.planner.search.result import proven_ratio


class GapPoint(NamedTuple):
    """The best plan's `cost` (None without a plan) and the proven `lower_bound` at a point in time.

    `part` is the search, or the part of `auto`, that found this plan or bound. `work` is the work of all parts of
    `auto` up to then, counted in expansions and evaluations; None for other searches.
    """

    seconds: float
    work: int | None
    cost: int | Fraction | None
    lower_bound: int | Fraction
    part: str

    @property
    def ratio(self) -> float | None:
        """cost / lower_bound: the plan is proven to cost at most this factor times the optimum."""
        return proven_ratio(self.cost, self.lower_bound)

    def to_json(self) -> dict[str, Any]:
        """Returns the point as plain values.

        >>> GapPoint(0.5, 1200, 67, 50, "preferred").to_json()["ratio"]
        1.34
        """
        costs = {"cost": plain(self.cost), "lower_bound": plain(self.lower_bound)}
        return {**self._asdict(), **costs, "seconds": round(self.seconds, 6), "ratio": self.ratio}


class GapLog:
    """Records every better plan and every greater lower bound once. It receives costs in units of 1/denominator."""

    def __init__(self, on_change: Callable[[GapPoint], None] | None = None, denominator: int = 1) -> None:
        self.on_change, self.denominator = on_change, denominator
        self.points: list[GapPoint] = []
        self.started = perf_counter()
        self.cost: int | None = None
        self.lower_bound = -1

    def note(self, cost: int | None, lower_bound: int | None, part: str, work: int | None = None) -> None:
        """Records a plan or bound if it is better than before. A lower bound of None (unsolvable) is not recorded."""
        cheaper = cost is not None and (self.cost is None or cost < self.cost)
        if lower_bound is None or not (cheaper or lower_bound > self.lower_bound):
            return
        self.cost = cost if cheaper else self.cost
        self.lower_bound = max(lower_bound, self.lower_bound)
        costs = from_units(self.cost, self.denominator), from_units(self.lower_bound, self.denominator)
        self.points.append(GapPoint(perf_counter() - self.started, work, *costs, part))
        if self.on_change is not None:
            self.on_change(self.points[-1])
