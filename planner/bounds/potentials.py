"""Weights of facts for potential heuristics (core/bounds/potentials.hpp), computed by linear programs.

All programs have the same constraints, one inequality per action, and differ in the objective: the sum of the h-values
of some states. A solution stays feasible when the objective changes, so the primal simplex method starts each program
from the solution of the previous one. The objectives are, in this order: the h-value of the initial state; the average
over sampled states; then single sampled states, where the state whose h-value has increased least since the second
program comes first. A potential that increases the h-value of no sampled state is discarded.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsplan.planner.bounds.exact import whole_multipliers
from fsplan.planner.bounds.program import highs
from fsplan.planner.bounds.rows import Integers, NewRows, Rows

Floats = NDArray[np.float64]

LARGEST = 1e5  # largest weight, in units of the greatest cost; without it the h-values of dead ends are unbounded
POTENTIALS = 8  # the native code evaluates this many potentials at once
TRIALS = 40  # maximal number of objectives that are the h-value of a single sampled state
ITERATIONS = 30_000  # limit of simplex iterations in total; counting work instead of seconds makes runs repeatable


class PotentialProgram:
    """Linear program: max Σ objective(f) · y(f) subject to Σ change(a, f) · y(f) ≤ cost(a) per action a, and y ≥ 0."""

    def __init__(self, changes: NewRows, costs: Integers, deadline: float) -> None:
        self.costs, self.deadline = costs, deadline
        self.rows = Rows(len(costs))
        self.rows.add(changes)
        self.iterations = 0
        solver = highs()
        self._highs = solver.Highs()
        for name, value in {"output_flag": False, "threads": 1, "solver": "simplex", "simplex_strategy": 4}.items():
            self._highs.setOptionValue(name, value)
        count = len(self.rows)
        bound = LARGEST * max(1, int(costs.max(initial=1)))
        # Derived facts and facts that no action changes have weight 0.
        changed = np.bincount(self.rows.row_of_term, minlength=count) > 0
        self._highs.addVars(count, np.zeros(count), np.where(changed, bound, 0.0))
        self._highs.changeObjectiveSense(solver.ObjSense.kMaximize)
        self._add_inequalities(solver.kHighsInf)

    def _add_inequalities(self, infinity: float) -> None:
        order = np.argsort(self.rows.action, kind="stable")
        begin = np.searchsorted(self.rows.action[order], np.arange(len(self.costs)))
        self._highs.addRows(
            len(self.costs),
            np.full(len(self.costs), -infinity),
            self.costs.astype(np.float64),
            len(order),
            begin.astype(np.int32),
            self.rows.row_of_term[order].astype(np.int32),
            self.rows.coefficient[order].astype(np.float64),
        )

    def solve(self, objective: Floats) -> Floats | None:
        """Feasible weights of the facts, optimal unless a limit was reached; None if no iterations or time are left."""
        left = self.deadline - perf_counter()
        if self.iterations >= ITERATIONS or left <= 0:
            return None
        facts = np.arange(len(objective), dtype=np.int32)
        self._highs.changeColsCost(len(objective), facts, objective)
        self._highs.setOptionValue("simplex_iteration_limit", ITERATIONS - self.iterations)
        self._highs.setOptionValue("time_limit", self._highs.getRunTime() + left)
        self._highs.run()
        self.iterations += max(1, self._highs.getInfo().simplex_iteration_count)
        solution = self._highs.getSolution()
        return np.array(solution.col_value) if solution.value_valid else None


def potentials(
    changes: NewRows, costs: NDArray[Any], goal: NDArray[Any], states: NDArray[Any], seconds: float
) -> list[tuple[Integers, int]]:
    """Potentials, each as integer weights of the facts and their common denominator.

    `goal` lists the goal facts. `states` has a row per state, the initial state first, and a column per variable. An
    entry is the number of the fact that holds, or -1 for a derived variable.
    """
    program = PotentialProgram(changes, costs.astype(np.int64), perf_counter() + seconds)
    fact_count = len(program.rows)
    truth = np.zeros((len(states), fact_count))
    np.put_along_axis(truth, states[:, states[0] >= 0], 1.0, axis=1)
    goals = np.zeros(fact_count)
    goals[goal] = 1.0
    worth = goals - truth  # h of state s is worth[s] · y
    best = np.full(len(states), -np.inf)
    found: list[tuple[Integers, int]] = []
    for objective in _objectives(worth, best):
        weights = program.solve(objective)
        if weights is None or len(found) == POTENTIALS:
            break
        whole, denominator = whole_multipliers(program.rows, program.costs, weights)
        # The operator @ would start threads, as in `rows.product`.
        values = np.ceil(np.einsum("sf,f->s", worth, whole) / denominator - 1e-9)
        if not found or (values > best).any():
            found.append((whole, denominator))
        np.maximum(best, values, out=best)
    return found


def _objectives(worth: Floats, best: Floats) -> Iterator[Floats]:
    """The objectives, in the order given at the top; the caller updates `best`, the largest h-value of each state."""
    yield worth[0]
    yield worth.mean(axis=0)
    first, tried = best.copy(), np.arange(len(worth)) == 0
    for _ in range(min(TRIALS, len(worth) - 1)):
        state = int(np.argmin(np.where(tried, np.inf, best - first)))
        tried[state] = True
        yield worth[state]
