"""Exact arithmetic for costs that are not integers.

The searches add integers. For a task with the costs 2.5 and 0.75 they count in hundredths: its `cost_denominator` is
100, and every cost and bound is divided by 100 before it is shown or returned.

>>> print(from_units(325, 100), from_units(300, 100), from_units(7, 1))
3.25 3 7
>>> in_units("0.75", 100)
75
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

Cost = int | Fraction

LARGEST = 2**31 - 2  # maximum of a single cost, in units


class ExactCost(Fraction):
    """A fraction that is printed as a decimal number if it has a finite decimal expansion."""

    __slots__ = ()

    def __str__(self) -> str:
        decimal = Decimal(self.numerator) / Decimal(self.denominator)
        return format(decimal, "f") if Fraction(decimal) == self else super().__str__()

    def __repr__(self) -> str:
        return str(self)

    def __format__(self, form: str) -> str:
        return format(float(self), form) if form else str(self)


def exact(value: Any) -> int | ExactCost:
    """Returns the value as an int if it is an integer, else as an ExactCost. The float 0.1 means exactly 1/10."""
    fraction = Fraction(repr(value) if isinstance(value, float) else value)
    return fraction.numerator if fraction.denominator == 1 else ExactCost(fraction)


def from_units(units: int | None, denominator: int) -> Any:
    """Converts units to a cost; None stays None."""
    return units if units is None or denominator == 1 else exact(Fraction(units, denominator))


def in_units(cost: Any, denominator: int) -> int:
    """Converts a cost to units; raises ValueError if the result is not an integer."""
    units = exact(cost) * denominator
    if units != int(units):
        needed = exact(cost).denominator
        raise ValueError(f"a cost of {cost} needs a cost_denominator that {needed} divides; the task has {denominator}")
    return int(units)


def plain(cost: Any) -> Any:
    """Returns the cost for JSON: an int, or the float that prints as the same decimal number."""
    return float(cost) if isinstance(cost, Fraction) else cost


class InUnits:
    """Wraps a Python task whose costs are multiples of 1 / `cost_denominator` and gives its costs in units."""

    def __init__(self, task: Any) -> None:
        self.task, self.denominator = task, task.cost_denominator
        if not isinstance(self.denominator, int) or self.denominator < 1:
            raise ValueError(f"cost_denominator is a whole number of at least 1, not {self.denominator!r}")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.task, name)

    def successors(self, state: Any) -> Iterator[tuple[Hashable, int, Hashable]]:
        for action, cost, successor in self.task.successors(state):
            yield action, in_units(cost, self.denominator), successor


def heuristic_in_units(function: Callable[[Any], Any], denominator: int) -> Callable[[Any], Any]:
    """Returns the heuristic in units; values are rounded down so that it stays admissible."""

    def evaluate(state: Any) -> int | None:
        h = function(state)
        return None if h is None or h == float("inf") else int(exact(h) * denominator)

    evaluate.admissible = getattr(function, "admissible", True)  # type: ignore[attr-defined]
    return evaluate


class TrueProgress:
    """A progress report of a search whose costs are converted from units to the task's costs."""

    __slots__ = ("_denominator", "_now")

    def __init__(self, now: Any, denominator: int) -> None:
        self._now, self._denominator = now, denominator

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._now, name)
        return from_units(value, self._denominator) if name in ("f_min", "lower_bound", "incumbent") else value
