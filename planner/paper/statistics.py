"""Statistics of paired comparisons. The bootstrap intervals are in `fsplan.planner.experiments.summary`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb


def sign_test(wins: int, losses: int) -> float:
    """The two-sided p-value of the exact sign test; ties are not counted.

    >>> sign_test(1, 9) == 2 * (1 + 10) / 2**10, sign_test(5, 5), sign_test(0, 0)
    (True, 1.0, 1.0)
    """
    n, least = wins + losses, min(wins, losses)
    tail = sum(comb(n, k) for k in range(least + 1))
    return min(1.0, float(2 * tail / 2**n))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values after Holm's step-down correction for the number of tests.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted, largest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def at_least(wanted: int, p_values: Iterable[float]) -> float:
    """The p-value of the hypothesis that fewer than `wanted` of the effects are real (partial conjunction).

    If so, at least n - wanted + 1 null hypotheses are true, and Bonferroni's correction for these is enough.

    >>> at_least(2, [0.01, 0.5, 0.02]), at_least(3, [0.01, 0.5, 0.02]), at_least(1, [])
    (0.04, 0.5, 1.0)
    """
    ranked = sorted(p_values)
    return min(1.0, (len(ranked) - wanted + 1) * ranked[wanted - 1]) if 0 < wanted <= len(ranked) else 1.0


def slope(values: Sequence[float]) -> float:
    """The least-squares slope of the values against their positions.

    >>> slope([1, 3, 5]), slope([2, 2])
    (2.0, 0.0)
    """
    centre, mean = (len(values) - 1) / 2, sum(values) / len(values)
    rise = sum((place - centre) * (value - mean) for place, value in enumerate(values))
    return rise / sum((place - centre) ** 2 for place in range(len(values)))
