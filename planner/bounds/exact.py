"""Turns the floating-point dual solution of a linear program into a lower bound that holds exactly.

The operator counts x ≥ 0 of every plan satisfy A·x ≥ b. Therefore, for multipliers y ≥ 0 with Aᵀ·y ≤ c,
b·y ≤ y·(A·x) = (Aᵀ·y)·x ≤ c·x. Each such y proves the bound b·y, no matter how y was computed. So the solver's y is
only a suggestion. It is rounded to integers Y over a common denominator S, and two conditions are enforced:

1. Y ≥ 0, by clipping.
2. Aᵀ·Y ≤ S·c, in integers. The load of an action is its entry in Aᵀ·Y. If the load of an action with cost c > 0 is too
   large, S is increased, which scales down the whole proof. An action of cost 0 must have a load of at most 0, so the
   multipliers of the rows that load it are lowered.

The bound is b·Y / S, a fraction of integers. A wrong y (because of tolerances, an early stop or a bug) gives a weaker
bound, never a wrong one. Example: costs 1 and 1, rows x₁ + x₂ ≥ 1 twice, y = (0.5000001, 0.5). With S = 10⁷ both
actions have the load 10000001, so S becomes 10000001 and the bound is 1, not 1.0000001.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from fsplan.planner.bounds.rows import Integers, Rows

# A multiple of 1 to 16, so that the usual vertices of these programs (halves, thirds, …) are represented exactly.
DENOMINATOR = 720_720 * 1024
LARGEST_SUM = 2.0**61  # sums of 64-bit integers stay below 2^63, with room for the rounding of this estimate
REPAIRS = 10_000  # maximal number of multipliers lowered to unload the actions of cost 0 (condition 2)


def proven_value(rows: Rows, costs: Integers, multipliers: NDArray[np.float64]) -> Fraction:
    """A proven lower bound on c·x over all x ≥ 0 that satisfy the rows; at least 0."""
    whole, denominator = whole_multipliers(rows, costs, multipliers)
    return max(Fraction(0), Fraction(int(rows.lower @ whole), denominator))


def whole_multipliers(rows: Rows, costs: Integers, multipliers: NDArray[np.float64]) -> tuple[Integers, int]:
    """Integers Y ≥ 0 and S > 0 with Aᵀ·Y ≤ S·c and Y / S close to the given multipliers; if that fails, Y = 0."""
    trivial = np.zeros(len(rows), np.int64), 1
    suggested = np.clip(np.nan_to_num(multipliers, nan=0.0, posinf=0.0), 0.0, LARGEST_SUM)
    denominator = _denominator(rows, suggested)
    if denominator == 0:
        return trivial
    whole = np.rint(suggested * denominator).astype(np.int64)
    load = _unload_free_actions(rows, costs, whole)
    if load is None:
        return trivial
    priced = costs > 0
    needed = int(np.max(-(-load[priced] // costs[priced]), initial=0))
    return whole, max(denominator, needed)


def proves_infeasible(rows: Rows, ray: NDArray[np.float64]) -> bool:
    """Whether the multipliers show that no x ≥ 0 satisfies the rows: Aᵀ·y ≤ 0 and b·y > 0 (Farkas)."""
    largest = float(np.max(np.abs(ray), initial=0.0))
    if largest == 0.0 or not np.isfinite(largest):
        return False
    return proven_value(rows, np.zeros(rows.action_count, np.int64), ray / largest) > 0


def round_up(value: Fraction, costs: Integers) -> int:
    """The bound rounded up to a multiple of the greatest common divisor of the costs, as every plan cost is one."""
    step = max(1, int(np.gcd.reduce(costs, initial=0)))
    return -(-value.numerator // (value.denominator * step)) * step


def _denominator(rows: Rows, multipliers: NDArray[np.float64]) -> int:
    """The largest denominator for which no integer sum can overflow; 0 if there is none."""
    denominator = DENOMINATOR
    while denominator > 0 and rows.largest_load(multipliers * denominator + 1.0) >= LARGEST_SUM:
        denominator //= 1024
    return denominator


def _unload_free_actions(rows: Rows, costs: Integers, multipliers: Integers) -> Integers | None:
    """Lowers multipliers in place until no action of cost 0 has a positive load.

    Returns the load of every action, or None after too many steps. Lowering the multiplier of a row lowers the load of
    the actions with a positive coefficient in the row and raises the load of those with a negative one, which may
    become positive.
    """
    load = rows.load(multipliers)
    charged: list[int] = np.flatnonzero((load > 0) & (costs == 0)).tolist()  # an ascending list is a heap
    if not charged:
        return load
    charging = _ChargingTerms(rows, costs)
    for _ in range(REPAIRS):
        while charged and load[charged[0]] <= 0:
            heappop(charged)
        if not charged:
            return load
        action = charged[0]
        terms = charging.of(action)
        terms = terms[multipliers[rows.row_of_term[terms]] > 0]
        # The multiplier of the row with the smallest right-hand side b is lowered first, because this reduces the
        # bound b·Y least; if b < 0, it even increases the bound.
        term = terms[np.argmin(rows.lower[rows.row_of_term[terms]])]
        row = rows.row_of_term[term]
        amount = min(int(multipliers[row]), -(-int(load[action]) // int(rows.coefficient[term])))
        multipliers[row] -= amount
        changed = rows.terms_of(row)
        np.subtract.at(load, rows.action[changed], rows.coefficient[changed] * amount)
        for other in rows.action[changed][rows.coefficient[changed] < 0]:
            if costs[other] == 0 and load[other] > 0:
                heappush(charged, int(other))
    return None


class _ChargingTerms:
    """For each action of cost 0, the terms of the rows in which it has a positive coefficient."""

    def __init__(self, rows: Rows, costs: Integers) -> None:
        terms = np.flatnonzero((rows.coefficient > 0) & (costs[rows.action] == 0))
        self._terms = terms[np.argsort(rows.action[terms], kind="stable")]
        self._actions = rows.action[self._terms]

    def of(self, action: int) -> Integers:
        first, last = np.searchsorted(self._actions, [action, action + 1])
        return self._terms[first:last]
