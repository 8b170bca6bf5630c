"""Linear inequalities Σ coefficient · count(action) ≥ lower over operator counts, which hold for every plan."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def product(first: NDArray[Any], second: NDArray[Any]) -> float:
    """The scalar product. The operator @ would start threads for long arrays, which then keep cores busy."""
    return float(np.einsum("i,i->", first, second))


class NewRows(Protocol):
    """Rows in compressed form, as the native functions return them: row i has the terms begin[i] : begin[i + 1]."""

    def __len__(self) -> int: ...
    @property
    def begin(self) -> NDArray[np.int64]: ...
    @property
    def action(self) -> NDArray[np.uint32]: ...
    @property
    def coefficient(self) -> NDArray[np.int64]: ...
    @property
    def lower(self) -> NDArray[np.int64]: ...


class Rows:
    """A growing set of rows: flat integer arrays with one entry per term, and `lower` with one entry per row."""

    def __init__(self, action_count: int) -> None:
        self.action_count = action_count
        self.row_of_term = np.zeros(0, np.int64)
        self.action = np.zeros(0, np.int64)
        self.coefficient = np.zeros(0, np.int64)
        self.lower = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self.lower)

    def add(self, new: NewRows) -> None:
        numbers = np.repeat(np.arange(len(self), len(self) + len(new)), np.diff(new.begin))
        self.row_of_term = np.concatenate([self.row_of_term, numbers])
        self.action = np.concatenate([self.action, new.action.astype(np.int64)])
        self.coefficient = np.concatenate([self.coefficient, new.coefficient])
        self.lower = np.concatenate([self.lower, new.lower])

    def with_limits(self, at_least: dict[int, int], at_most: dict[int, int]) -> Rows:
        """These rows, then count ≥ lower for each action of `at_least`, then −count ≥ −upper for each of `at_most`."""
        new = Rows(self.action_count)
        extra = len(at_least) + len(at_most)
        signs = np.repeat(np.array([1, -1], np.int64), [len(at_least), len(at_most)])
        limits = np.array([*at_least.values(), *at_most.values()], np.int64)
        new.row_of_term = np.concatenate([self.row_of_term, np.arange(len(self), len(self) + extra)])
        new.action = np.concatenate([self.action, np.array([*at_least, *at_most], np.int64)])
        new.coefficient = np.concatenate([self.coefficient, signs])
        new.lower = np.concatenate([self.lower, signs * limits])
        return new

    def terms_of(self, row: int) -> slice:
        first, last = np.searchsorted(self.row_of_term, [row, row + 1])
        return slice(int(first), int(last))

    def load(self, multipliers: Integers) -> Integers:
        """The load of each action, Aᵀ · multipliers: its coefficient in the weighted sum of the rows."""
        result = np.zeros(self.action_count, np.int64)
        np.add.at(result, self.action, self.coefficient * multipliers[self.row_of_term])
        return result

    def largest_load(self, multipliers: NDArray[np.float64]) -> float:
        """An upper bound, up to rounding, on the partial sums that occur in `load` and in lower · multipliers."""
        terms = np.abs(self.coefficient) * multipliers[self.row_of_term]
        loads = np.bincount(self.action, terms, self.action_count)
        return max(float(loads.max(initial=0)), product(np.abs(self.lower), multipliers))
