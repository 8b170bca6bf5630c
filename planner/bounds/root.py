"""Lower bounds of a task's start, from cheap to expensive, each proven exactly.

    for step in steps(task.state_space, allowance): …

The steps share one linear program over operator counts (program.py): it has the state equation, then LM-cut's
landmarks, then further landmarks found where its own solution violates them, then rows from projections to two and to
three variables, then from Cartesian abstractions, then from few projections to many variables, of which only reachable
states are kept. At last the counts are made integers by branching. Work is counted (allowance.py), so that a run can be
repeated.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from fsplan.planner._core import (
    Abstractions,
    GroundStateSpace,
    Landmarks,
    WorkWatch,
    action_costs,
    pruned_task,
    state_equation,
)
from fsplan.planner.bounds.allowance import Allowance
from fsplan.planner.bounds.branching import raise_bound
from fsplan.planner.bounds.exact import round_up
from fsplan.planner.bounds.program import CountingProgram
from fsplan.planner.costs import from_units, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from numpy.typing import NDArray

    from fsplan.planner._core import StateSpace
    from fsplan.planner.bounds.rows import Integers, NewRows
    from fsplan.planner.task import Task, TaskName

DEFAULT_SECONDS = 3.0
ROUNDS = 200
LANDMARKS_PER_ROUND = 4
ROUNDS_WITHOUT_GAIN = 8
LEAST_GAIN = 1e-6
LARGEST_PROJECTION, LARGEST_OF_LARGE = 20_000, 100_000  # states
WORK_OF_PAIRS, WORK_OF_TRIPLES, WORK_OF_LARGE = (
    300_000,
    1_500_000,
    30_000_000,
)  # transitions, actions, states: all together
VARIABLES_OF_LARGE = 30
LARGEST_REFINED, WORK_OF_REFINED = 1_000, 10_000_000  # states, transitions
UNITS = 60  # units per cost of 1, where reduced costs are made integers: thirds and quarters stay exact
LARGEST_COST = 2**20  # in units


@dataclass(frozen=True)
class Bound:
    """What one method proves of the start: no plan costs less than `value`; None: there is no plan at all.

    Not `finished`: the method would prove more with more time.
    """

    method: str
    value: int | None
    seconds: float
    rows: int = 0
    finished: bool = True

    def to_json(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "lower_bound": plain(self.value),
            "seconds": round(self.seconds, 6),
            "rows": self.rows,
        }


@dataclass(frozen=True)
class RootBound:
    """The best of several methods. `unsolvable` is proven, and then `value` is None."""

    value: int | None
    method: str
    seconds: float
    methods: tuple[Bound, ...]

    @property
    def unsolvable(self) -> bool:
        return self.value is None

    def to_json(self) -> dict[str, Any]:
        return {
            "lower_bound": plain(self.value),
            "unsolvable": self.unsolvable,
            "method": self.method,
            "seconds": round(self.seconds, 6),
            "methods": [each.to_json() for each in self.methods],
        }


def bound(
    task: Task | TaskName,
    *,
    time_limit: float = DEFAULT_SECONDS,
    memory_limit: int | None = None,
    enough: int | None = None,
    prune: bool = True,
    seed: int = 0,
    on_method: Callable[[Bound], None] | None = None,
) -> RootBound:
    """The best lower bound on the cost of the task's plans that is found in this time without a search.

    `memory_limit` is in bytes, of the whole process. Methods after the first that proves `enough` are left out.
    With `prune` what no plan can use is left out first, by pairs of facts that exclude each other. `on_method` is
    called with the bound of every method as soon as it is proven.

    >>> import fsplan
    >>> bound(fsplan.load(fsplan.example("blocks-8-0"))).value
    14
    """
    from fsplan.planner.load import opened

    loaded: Task = opened(task)
    space, denominator = loaded.state_space, loaded.cost_denominator
    begin = perf_counter()
    found: list[Bound] = []
    allowance = Allowance(begin + time_limit)
    for step in steps(space, lambda: allowance, seed, memory_limit, prune):
        step = replace(step, value=from_units(step.value, denominator))
        found.append(step)
        if on_method is not None:
            on_method(step)
        if step.value is None or (enough is not None and step.value >= enough):
            break
    best = max(found, key=_strength, default=Bound("none", 0, 0.0))
    return RootBound(best.value, best.method, perf_counter() - begin, tuple(found))


def _strength(step: Bound) -> float:
    return float("inf") if step.value is None else step.value


def steps(
    space: StateSpace,
    allowance: Callable[[], Allowance],
    seed: int = 0,
    memory_limit: int | None = None,
    prune: bool = True,
) -> Iterator[Bound]:
    """The methods one after the other; those that the deadline or the memory leaves no room for are missing.

    `allowance` is called before each method, so that a caller who does other work between two methods can give each its
    own. A method for which that was too little is repeated with the next; landmarks go on from where they were.
    """
    if not isinstance(space, GroundStateSpace):
        raise ValueError("bounds without a search are for grounded tasks: PDDL or .sas")
    root = RootProgram(space, allowance(), seed, memory_limit, prune)
    methods = [
        root.landmark_cuts,
        root.state_equation,
        root.landmarks,
        root.pairs,
        root.triples,
        root.refined,
        root.large,
        root.branching,
    ]
    while methods:
        root.allow(allowance())
        try:
            found = methods[0]()
        except MemoryError:
            return
        except TimeoutError:
            if allowance().is_used_up:
                return
            found = Bound(methods[0].__name__, 0, 0.0, finished=False)
        if found.finished:
            methods.pop(0)
        yield found
        if root.unsolvable or allowance().is_used_up:
            return


class RootProgram:
    """The linear program of a start and what has been proven by it."""

    def __init__(
        self,
        space: GroundStateSpace,
        allowance: Allowance,
        seed: int = 0,
        memory_limit: int | None = None,
        prune: bool = True,
    ) -> None:
        self.state_space, self.prune, self._memory_limit = space, prune, memory_limit or 0
        self.allow(allowance)
        self.random = np.random.default_rng(seed)
        self.costs: Integers = action_costs(space).astype(np.int64)
        self.program: CountingProgram | None = None
        self.unsolvable = False
        self._has_landmarks = False

    def allow(self, allowance: Allowance) -> None:
        self.allowance = allowance
        self.watch = WorkWatch(allowance.seconds_left, self._memory_limit)

    def landmark_cuts(self) -> Bound:
        begin = perf_counter()
        if self.prune:
            self._prune_task()
        self.landmark_finder = Landmarks(self.state_space, self.watch)
        value, self.first_landmarks = self.landmark_finder.cuts(self.costs.astype(np.int32), self.watch)
        self.unsolvable = value is None
        return Bound("lmcut", value, perf_counter() - begin)

    def _prune_task(self) -> None:
        """Leaves the task as it is where pruning would take more than half of the time."""
        half = WorkWatch(self.allowance.seconds_left / 2, self._memory_limit)
        with suppress(TimeoutError):
            self.state_space = GroundStateSpace(pruned_task(self.state_space, half))

    def state_equation(self) -> Bound:
        begin = perf_counter()
        self.program = CountingProgram(self.costs)
        self.program.add(state_equation(self.state_space, self.watch))
        self.program.solve(self.allowance)
        return self._bound("state-equation", begin)

    def landmarks(self) -> Bound:
        """With landmarks that the solutions so far violate, in rounds while they raise the bound."""
        begin = perf_counter()
        if not self._has_landmarks:
            self._program().add(self.first_landmarks)
            self._has_landmarks = True
        if self._program().solve(self.allowance):
            self._add_landmarks()
        return replace(self._bound("landmarks", begin), finished=not self.allowance.is_used_up)

    def pairs(self) -> Bound:
        return self._abstractions("pairs", "small", 2, LARGEST_PROJECTION, WORK_OF_PAIRS)

    def triples(self) -> Bound:
        return self._abstractions("triples", "small", 3, LARGEST_PROJECTION, WORK_OF_TRIPLES)

    def large(self) -> Bound:
        return self._abstractions("large", "large", VARIABLES_OF_LARGE, LARGEST_OF_LARGE, WORK_OF_LARGE)

    def refined(self) -> Bound:
        return self._abstractions("refined", "refined", 0, LARGEST_REFINED, WORK_OF_REFINED)

    def branching(self) -> Bound:
        """The counts are integers; see branching.py."""
        begin = perf_counter()
        program = self._program()
        program.solve(self.allowance)
        value = raise_bound(program, self._separate, self.allowance)
        return Bound("branching", value, perf_counter() - begin, len(program.rows))

    def _separate(self) -> int:
        return self._add_last_of(next(self._orders(self._program())))

    def _add_last_of(self, order: NDArray[np.uint32]) -> int:
        before = self.landmark_finder.work
        rows = self.landmark_finder.last_of(order, self.watch)
        self.allowance.spend(self.landmark_finder.work - before)
        return self._program().add(rows)

    def _abstractions(self, method: str, kind: str, variables: int, states: int, work: int) -> Bound:
        """With rows of abstractions: at first a saturated cost partitioning of the costs, then of the reduced costs.

        The reduced costs are what the program does not use of the costs. What a partitioning of them gives the start is
        added to the bound, and where it is more than nothing the next one begins from what is left then.
        """
        begin = perf_counter()
        abstractions = Abstractions(self.state_space, kind, variables, states, work, self.watch)
        program = self._program()
        costs = self.costs.astype(np.int32)
        units = max(1, min(UNITS, LARGEST_COST // max(1, int(self.costs.max(initial=0)))))
        for _ in range(ROUNDS):
            try:
                value, rows = abstractions.partition(costs, self.watch)
            except TimeoutError:
                break
            if value is None:
                program.infeasible = True
                self._note_dead_end(abstractions)
                break
            before = program.objective
            if self._add_partition(abstractions, rows) == 0 or not program.solve(self.allowance) or program.infeasible:
                break
            if program.objective <= before + LEAST_GAIN and not self._add_landmarks():
                break
            costs = np.floor(program.reduced * units + LEAST_GAIN).astype(np.int32)
        return self._bound(method, begin)

    def _note_dead_end(self, _abstractions: Abstractions) -> None:
        """One of the abstractions has no path to the goal."""

    def _add_partition(self, _abstractions: Abstractions, rows: NewRows) -> int:
        return self._program().add(rows)

    def _add_landmarks(self) -> bool:
        """Whether they raised the bound."""
        program = self._program()
        first = best = program.objective
        without_gain = 0
        for _ in range(ROUNDS):
            if program.infeasible or without_gain == ROUNDS_WITHOUT_GAIN or self.allowance.is_used_up:
                break
            try:
                added = sum(self._add_last_of(order) for order in self._orders(program))
            except TimeoutError:
                break  # what was added before is proven already
            if added == 0:
                without_gain += 1
                continue
            if not program.solve(self.allowance):
                break
            without_gain = 0 if program.objective > best + LEAST_GAIN else without_gain + 1
            best = max(best, program.objective)
        return best > first + LEAST_GAIN

    def _program(self) -> CountingProgram:
        assert self.program is not None
        return self.program

    def _orders(self, program: CountingProgram) -> Iterator[NDArray[np.uint32]]:
        """Orders of the actions in which the last are those of a landmark that the program lacks.

        Actions that the solution uses come first: a landmark without any of them is violated. Then those of small
        reduced costs: a landmark of the others raises the bound by the least of their reduced costs.
        """
        for number in range(LANDMARKS_PER_ROUND):
            counts, reduced = program.counts, program.reduced
            if number > 0:
                counts = counts * self.random.uniform(0.5, 1.5, len(counts))
                reduced = reduced * self.random.uniform(0.5, 1.5, len(reduced))
            noise = self.random.random(len(counts))
            yield np.lexsort((noise, np.round(reduced, 6), -np.round(counts, 6))).astype(np.uint32)

    def _bound(self, method: str, begin: float) -> Bound:
        program = self._program()
        self.unsolvable = program.infeasible
        value = None if program.infeasible else round_up(program.value, self.costs)
        return Bound(method, value, perf_counter() - begin, len(program.rows))
