"""The operator-counting linear program: minimise Σ cost · count, subject to count ≥ 0 and rows that hold for plans."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsplan.planner.bounds.allowance import Allowance
from fsplan.planner.bounds.exact import proven_value, proves_infeasible
from fsplan.planner.bounds.rows import Integers, NewRows, Rows, product


class NoSolver(ImportError):
    """Raised if the LP solver highspy is not installed."""


def highs() -> Any:
    """The module highspy, which is imported only if a bound is computed."""
    try:
        import highspy
    except ImportError as error:
        raise NoSolver("bounds by linear programs need the solver HiGHS: pip install highspy") from error
    return highspy


class CountingProgram:
    """An operator-counting program that is solved again, starting from the previous basis, after rows were added.

    After `solve`, `counts` is the solution and `objective` its cost; `reduced` holds the reduced cost of each action;
    `value` is the proven lower bound, which never decreases; `infeasible` is True if it is proven that no plan exists.
    """

    def __init__(self, costs: Integers) -> None:
        solver = highs()
        self.costs = costs
        self.rows = Rows(len(costs))
        self.value = Fraction(0)
        self.objective = 0.0
        self.infeasible = False
        self.counts = np.zeros(len(costs))
        self.reduced = costs.astype(np.float64)
        self._infinity: float = solver.kHighsInf
        self._optimal = solver.HighsModelStatus.kOptimal
        self._infeasible = solver.HighsModelStatus.kInfeasible
        self._highs = solver.Highs()
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("threads", 1)
        self._highs.addVars(len(costs), np.zeros(len(costs)), np.full(len(costs), self._infinity))
        self._highs.changeColsCost(len(costs), np.arange(len(costs), dtype=np.int32), self.reduced)

    def add(self, new: NewRows) -> int:
        """Adds the rows and returns their number."""
        if len(new) == 0:
            return 0
        self.rows.add(new)
        self._highs.addRows(
            len(new),
            new.lower.astype(np.float64),
            np.full(len(new), self._infinity),
            len(new.action),
            new.begin[:-1].astype(np.int32),
            new.action.astype(np.int32),
            new.coefficient.astype(np.float64),
        )
        return len(new)

    def solve(self, allowance: Allowance) -> bool:
        """Solves the program; False if the allowance ran out, in which case the dual values still prove a bound."""
        self._run(allowance)
        solution = self._highs.getSolution()
        if solution.dual_valid:
            self.value = max(self.value, proven_value(self.rows, self.costs, np.array(solution.row_dual)))
            self.reduced = np.maximum(np.array(solution.col_dual), 0.0)
        if solution.value_valid:
            self.counts = np.maximum(np.array(solution.col_value), 0.0)
            self.objective = product(self.costs, self.counts)
        status = self._highs.getModelStatus()
        if status == self._infeasible:
            self.infeasible = self._has_ray()
        return bool(status == self._optimal)

    def solve_branch(self, at_least: dict[int, int], at_most: dict[int, int], allowance: Allowance) -> Fraction | None:
        """A lower bound for plans whose operator counts are within the limits; None if no such plan exists."""
        limited = sorted({*at_least, *at_most})
        for action in limited:
            upper = float(at_most.get(action, self._infinity))
            self._highs.changeColBounds(action, float(at_least.get(action, 0)), upper)
        self._run(allowance)
        rows = self.rows.with_limits(at_least, at_most)
        solution, infeasible = self._highs.getSolution(), self._highs.getModelStatus() == self._infeasible
        proven: Fraction | None = Fraction(0)
        if infeasible:
            _, exists, ray = self._highs.getDualRay()
            if exists and proves_infeasible(rows, self._with_limits(np.asarray(ray, np.float64), 0, at_least, at_most)):
                proven = None
        elif solution.dual_valid:
            duals = self._with_limits(np.array(solution.row_dual), self.costs, at_least, at_most)
            proven = proven_value(rows, self.costs, duals)
        if solution.value_valid and not infeasible:
            self.counts = np.maximum(np.array(solution.col_value), 0.0)
            self.reduced = np.maximum(np.array(solution.col_dual), 0.0)
        for action in limited:
            self._highs.changeColBounds(action, 0.0, self._infinity)
        return proven

    def _with_limits(
        self, multipliers: NDArray[np.float64], costs: Integers | int, at_least: dict[int, int], at_most: dict[int, int]
    ) -> NDArray[np.float64]:
        """The multipliers, extended by those of the branching limits.

        The multiplier of a limit is max(r, 0) for `at_least` and max(-r, 0) for `at_most`, where r is the reduced cost
        of the action: its cost (0 for a ray) minus its coefficient in the weighted sum of the rows.
        """
        weights = self.rows.coefficient * multipliers[self.rows.row_of_term]
        excess = np.bincount(self.rows.action, weights, len(self.costs)) - costs
        return np.concatenate([multipliers, np.maximum(-excess[[*at_least]], 0), np.maximum(excess[[*at_most]], 0)])

    def _run(self, allowance: Allowance) -> None:
        size = len(self.rows) + len(self.costs)
        self._highs.setOptionValue("simplex_iteration_limit", allowance.iterations(size))
        self._highs.setOptionValue("time_limit", self._highs.getRunTime() + allowance.seconds_left)
        self._highs.run()
        allowance.spend_iterations(max(0, self._highs.getInfo().simplex_iteration_count), size)

    def _has_ray(self) -> bool:
        _, exists, ray = self._highs.getDualRay()
        return bool(exists) and proves_infeasible(self.rows, np.asarray(ray, np.float64))
