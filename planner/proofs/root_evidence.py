"""Converts the initial state's bound by linear programs to evidence for a proof: weights, landmarks and tables.

The bound of a linear program over operator counts (bounds/exact.py) is a sum of its constraints (rows) with integer
multipliers. The checker can verify each row (docs/proofs.md): a row of the state equation is a weight of a fact, a
landmark is a cut, a row of a projection is a table of distances. So the bound is a sum of such parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from fsplan.planner import _core
from fsplan.planner.bounds.allowance import Allowance
from fsplan.planner.bounds.exact import round_up, whole_multipliers
from fsplan.planner.bounds.program import CountingProgram
from fsplan.planner.bounds.root import Bound, RootProgram

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from fsplan.planner.bounds.rows import NewRows

    Integers = NDArray[np.int64]


@dataclass(frozen=True)
class LinearEvidence:
    """Parts of a bound with integer shares; together they charge each action at most its cost times `denominator`.

    weights     multiplier of each fact's row of the state equation
    landmarks   disjunctive action landmarks of the delete relaxation, each with its share
    pair_cuts   cuts that consist of facts and pairs of facts, each with its share
    tables      patterns, each with the costs of the actions in its projection and its share

    With the denominator 0 all action costs are 0, so a positive sum proves that there is no plan; `value` is None then.
    """

    denominator: int
    weights: Integers
    landmarks: list[tuple[list[int], int]]
    pair_cuts: list[tuple[list[list[int]], int]]
    tables: list[tuple[list[int], Integers, int]]
    value: int | None

    def is_small(self) -> bool:
        """Whether the sum of all weights and shares fits into a native integer."""
        return sum(map(int, self.weights)) + sum(share for _, share in self.landmarks) < 2**62


class RecordedProgram(CountingProgram):
    """A linear program that stores the multipliers (dual values) of its greatest bound."""

    def __init__(self, costs: Integers) -> None:
        super().__init__(costs)
        self.best_multipliers = self.ray = np.zeros(0)

    def solve(self, allowance: Allowance) -> bool:
        before = self.value
        is_optimal = super().solve(allowance)
        if self.value > before:
            self.best_multipliers = np.array(self._highs.getSolution().row_dual)
        return is_optimal

    def _has_ray(self) -> bool:
        _, exists, ray = self._highs.getDualRay()
        if exists:  # the ray is scaled, because rounding is relative to the largest entry
            self.ray = np.asarray(ray, np.float64) / max(float(np.max(np.abs(ray), initial=0.0)), 1e-300)
        return super()._has_ray()


class RecordedRoot(RootProgram):
    """A linear program that records the origin of its rows: the state equation, then projections to `patterns`."""

    facts: Integers
    patterns: dict[int, list[int]]
    rows_of_pairs = range(0)  # rows of the landmarks of the relaxation with pairs of facts
    without_path: list[list[int]]  # at most one pattern, whose projection has no path to the goal

    def state_equation(self) -> Bound:
        begin = perf_counter()
        self.program = RecordedProgram(self.costs)
        rows = _core.state_equation(self.state_space, self.watch)
        self.facts, self.patterns, self.without_path = facts_of_rows(self.state_space), {}, []
        if len(self.facts) != len(rows):
            raise ValueError("the rows of the state equation are not those expected")
        self.program.add(rows)
        self.program.solve(self.allowance)
        return self._bound("state-equation", begin)

    def pair_landmarks(self) -> Bound:
        first = len(self._program().rows)
        found = super().pair_landmarks()
        self.rows_of_pairs = range(first, len(self._program().rows))
        return found

    def _note_dead_end(self, projections: _core.Abstractions) -> None:
        self.without_path = [pattern for pattern in projections.patterns() if pattern]

    def _add_partition(self, projections: _core.Abstractions, rows: NewRows) -> int:
        first = len(self._program().rows)
        self.patterns.update(enumerate(projections.patterns(), first))
        return super()._add_partition(projections, rows)

    def evidence(self) -> LinearEvidence:
        """Returns the evidence for the greatest bound so far."""
        program = self._program()
        assert isinstance(program, RecordedProgram)
        if self.without_path:
            free = [(pattern, np.zeros_like(program.costs), 1) for pattern in self.without_path]
            return LinearEvidence(0, np.zeros(self.state_space.task.fact_count(), np.int64), [], [], free, None)
        suggested = np.zeros(len(program.rows))
        multipliers = program.ray if program.infeasible else program.best_multipliers
        suggested[: len(multipliers)] = multipliers
        own_costs = np.zeros_like(program.costs) if program.infeasible else program.costs
        whole, denominator = whole_multipliers(program.rows, own_costs, suggested)
        weights = np.zeros(self.state_space.task.fact_count(), np.int64)
        weights[self.facts] = whole[: len(self.facts)]
        landmarks, pair_cuts, tables = [], [], []
        begin = np.searchsorted(program.rows.row_of_term, np.arange(len(program.rows) + 1))
        for row in (np.flatnonzero(whole[len(self.facts) :]) + len(self.facts)).tolist():
            terms = slice(begin[row], begin[row + 1])
            if row in self.patterns:
                costs = np.zeros(len(program.costs), np.int64)
                costs[program.rows.action[terms]] = program.rows.coefficient[terms]
                tables.append((self.patterns[row], costs, int(whole[row])))
            else:
                actions = program.rows.action[terms].tolist()
                if row in self.rows_of_pairs:
                    pair_cuts.append((self.landmark_finder.pair_cut(actions, self.watch), int(whole[row])))
                else:
                    landmarks.append((actions, int(whole[row])))
        if program.infeasible:
            return LinearEvidence(0, weights, landmarks, pair_cuts, tables, None)
        value = Fraction(int(program.rows.lower @ whole), denominator)
        bound = max(0, round_up(value, program.costs))
        return LinearEvidence(denominator, weights, landmarks, pair_cuts, tables, bound)


def facts_of_rows(space: _core.GroundStateSpace) -> Integers:
    """The fact of each row of the state equation, in the order of the rows. Rows that always hold are left out."""
    task, changes = space.task, _core.changes_of_facts(space)
    lower = np.zeros(task.fact_count(), np.int64)
    first = np.array(task.first_fact[: task.variable_count()], np.int64)
    lower[first + np.array(space.start_values(), np.int64)] -= 1
    lower[np.array(task.goal, np.int64)] += 1
    is_lost = np.zeros(task.fact_count(), bool)
    rows = np.repeat(np.arange(task.fact_count()), np.diff(changes.begin))
    is_lost[rows[changes.coefficient < 0]] = True
    is_derived = np.repeat(np.array(task.layer, np.int64) >= 0, np.array(task.domain_size, np.int64))
    return np.flatnonzero(((lower > 0) | is_lost) & ~is_derived)


def root_evidence(
    space: _core.GroundStateSpace, enough: float, deadline: float, memory_limit: int | None = None
) -> Iterator[LinearEvidence]:
    """Yields evidence for increasing bounds of the initial state up to `enough`; nothing without the LP solver."""
    root = RecordedRoot(space, Allowance(deadline), 0, memory_limit, prune=False)
    best = 0.0
    try:
        root.landmark_cuts()
        methods = (root.state_equation, root.landmarks, root.pair_landmarks, root.pairs, root.triples, root.large)
        for method in methods:
            if root.unsolvable or perf_counter() >= deadline:
                return
            value = inf if (bound := method()).value is None else bound.value
            if value > best or method == root.landmarks:
                best = value
                yield root.evidence()
            if best >= enough:
                return
    except (TimeoutError, MemoryError, ImportError):
        return
