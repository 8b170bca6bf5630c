"""The budget of a bound method: a limit on counted work, which makes runs repeatable, and a deadline.

Units of work are those of core/contract/request.hpp. The LP solver limits iterations instead of work;
on average an iteration costs PER_ITERATION units of work for every row and every column.
"""

from __future__ import annotations

from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PER_ITERATION = 10
MOST_ITERATIONS = 2**31 - 1


class Allowance:
    """A work limit and a deadline, with the work that was spent so far.

    `of_slice` is the work limit of a method that continues with the next allowance where it stopped. No time is left
    once `is_over`, which other threads may cause.

    >>> allowance = Allowance(perf_counter() + 60, work=1000)
    >>> allowance.spend(400)
    >>> allowance.iterations(size=10), allowance.is_used_up
    (6, False)
    >>> allowance.spend_iterations(20, size=10)
    >>> allowance.is_used_up
    True
    >>> allowance = Allowance(perf_counter() + 60, work=1000, of_slice=100)
    >>> allowance.limit_to_slice()
    >>> allowance.spend(100)
    >>> allowance.is_used_up
    True
    """

    def __init__(
        self,
        deadline: float,
        work: float = inf,
        of_slice: float = inf,
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:
        self.deadline, self.spent, self._work, self._of_slice = deadline, 0.0, work, of_slice
        self._is_over = is_over

    def limit_to_slice(self) -> None:
        self._work = min(self._work, self.spent + self._of_slice)

    @property
    def is_used_up(self) -> bool:
        return self.spent >= self._work or self.seconds_left <= 0

    @property
    def seconds_left(self) -> float:
        return 0.0 if self._is_over() else max(0.0, self.deadline - perf_counter())

    def spend(self, work: float) -> None:
        self.spent += work

    def iterations(self, size: int) -> int:
        """The number of solver iterations that the remaining work allows; `size` is the number of rows and columns."""
        return int(min(max(0.0, self._work - self.spent) / (PER_ITERATION * max(1, size)), MOST_ITERATIONS))

    def spend_iterations(self, count: int, size: int) -> None:
        self.spend(PER_ITERATION * (count + 1) * size)
