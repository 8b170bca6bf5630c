"""Costs that are not whole: held exactly as whole units, shown as what they are.

The searches add up whole numbers. A task with the costs 2.5 and 0.75 is planned for in hundredths, its
`cost_denominator` is 100, and every cost and bound is divided by that before anybody sees it.

>>> print(from_units(325, 100), from_units(300, 100), from_units(7, 1))
3.25 3 7
>>> in_units("0.75", 100)
75
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    Cost = int | Fraction

LARGEST = 2**31 - 2  # units that one cost may have


class ExactCost(Fraction):
    """A fraction that is shown as a decimal number wherever it has one."""

    __slots__ = ()

    def __str__(self) -> str:
        from decimal import Decimal

        decimal = Decimal(self.numerator) / Decimal(self.denominator)
        return format(decimal, "f") if Fraction(decimal) == self else super().__str__()

    def __repr__(self) -> str:
        return str(self)

    def __format__(self, form: str) -> str:
        return format(float(self), form) if form else str(self)


def exact(value: Any) -> int | ExactCost:
    """The value as an int where it is whole. A float stands for the decimal number that it is written as."""
    fraction = Fraction(repr(value) if isinstance(value, float) else value)
    return fraction.numerator if fraction.denominator == 1 else ExactCost(fraction)


def from_units(units: int | None, denominator: int) -> Any:
    """Converts units to a cost; None stays None."""
    return units if units is None or denominator == 1 else exact(Fraction(units, denominator))


def in_units(cost: Any, denominator: int) -> int:
    """The number of units in a cost; ValueError where that is not whole."""
    units = exact(cost) * denominator
    if units != int(units):
        needed = exact(cost).denominator
        raise ValueError(f"a cost of {cost} needs a cost_denominator that {needed} divides; the task has {denominator}")
    return int(units)


def plain(cost: Any) -> Any:
    """The cost as JSON has it: an int, or the float that is written like the exact decimal number."""
    return float(cost) if isinstance(cost, Fraction) else cost


class InUnits:
    """A task written in Python whose costs are multiples of 1 / `cost_denominator`, with its costs in units."""

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
    """The heuristic in units, rounded down, so that it stays a lower bound."""

    def evaluate(state: Any) -> int | None:
        h = function(state)
        return None if h is None or h == float("inf") else int(exact(h) * denominator)

    evaluate.admissible = getattr(function, "admissible", True)  # type: ignore[attr-defined]
    return evaluate


class TrueProgress:
    """The state of a search with its costs as they are, not in units."""

    __slots__ = ("_denominator", "_now")

    def __init__(self, now: Any, denominator: int) -> None:
        self._now, self._denominator = now, denominator

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._now, name)
        return from_units(value, self._denominator) if name in ("f_min", "lower_bound", "incumbent") else value
