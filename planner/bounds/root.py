"""Lower bounds for the initial state of a task, by methods from cheap to expensive, each proven exactly.

    for step in steps(task.state_space, allowance): …

The steps share one linear program over operator counts (program.py). Its rows are, in this order: the state equation;
the landmarks of LM-cut; landmarks that the current LP solution violates, of the delete relaxation and then of the
relaxation with pairs of facts (core/bounds/pair_relaxation.hpp); cost partitionings over projections to two and
to three variables; over Cartesian abstractions; and over a few projections to many variables, restricted to reachable
abstract states. The last step branches on fractional counts (branching.py). Budgets are in counted work (allowance.py),
so that runs are repeatable.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from fsplan.pddl.costs import from_units, plain
from fsplan.planner._core import (
    Abstractions,
    Budget,
    GroundStateSpace,
    Landmarks,
    action_costs,
    pruned_task,
    state_equation,
)
from fsplan.planner.bounds.allowance import Allowance
from fsplan.planner.bounds.branching import raise_bound
from fsplan.planner.bounds.exact import round_up
from fsplan.planner.bounds.program import CountingProgram
from fsplan.planner.sources.load import ensure_loaded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from numpy.typing import NDArray

    from fsplan.planner._core import StateSpace
    from fsplan.planner.bounds.rows import Integers, NewRows
    from fsplan.planner.tasks.task import Task, TaskName

DEFAULT_SECONDS = 3.0
ROUNDS = 200
LANDMARKS_PER_ROUND = 4
ROUNDS_WITHOUT_GAIN, ROUNDS_OF_PAIRS_WITHOUT_GAIN = 8, 3
LEAST_GAIN = 1e-6
LARGEST_PROJECTION, LARGEST_OF_LARGE = 20_000, 100_000  # limits of abstract states per projection
WORK_OF_PAIRS, WORK_OF_TRIPLES, WORK_OF_LARGE = (
    300_000,
    1_500_000,
    30_000_000,
)  # limits of the total number of transitions, actions and states visited while abstractions are built
VARIABLES_OF_LARGE = 30
LARGEST_REFINED, WORK_OF_REFINED = 1_000, 10_000_000  # limits of states and transitions of a Cartesian abstraction
TERMS_OF_PAIRS = 10_000_000  # limit of the preconditions of the relaxation with pairs of facts
UNITS = 60  # reduced costs are rounded down to multiples of 1/60, which represents halves, thirds and quarters exactly
SCHEMA = "fsplan-bound-1"  # the number increases when a field changes its name or meaning
WORK_PER_ACTION = 2500  # work that is charged per action for pruning the task and computing LM-cut
LARGEST_COST = 2**20  # largest rounded cost in units; if costs are large, the unit is larger than 1 / UNITS


@dataclass(frozen=True)
class Bound:
    """The lower bound that one method proves for the initial state; `value` is None if the task has no plan.

    `finished` is False if the method stopped at a limit, so that more time might give a larger bound.
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
    """The best bound of several methods; `value` is None if the task is proven unsolvable."""

    value: int | None
    method: str
    seconds: float
    methods: tuple[Bound, ...]

    @property
    def unsolvable(self) -> bool:
        return self.value is None

    def to_json(self, task: list[str] | None = None) -> dict[str, Any]:
        """Returns a document of the schema `fsplan-bound-1`; `task` are the arguments from which the task was
        loaded."""
        return {
            "schema": SCHEMA,
            "task": task,
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
    """The best lower bound on the cost of the task's plans that is found within the time limit, without a search.

    `memory_limit` is the limit of the whole process in bytes. Once a method proves a bound of at least `enough`, the
    remaining methods are skipped. With `prune`, facts and actions that no plan can use are removed first, by means of
    mutex pairs. `on_method` is called with the bound of each method.

    >>> import fsplan
    >>> bound(fsplan.load(fsplan.example("blocks-8-0"))).value
    18
    """
    loaded: Task = ensure_loaded(task)
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
    """Yields the bound of one method after the other, until the deadline or the memory limit is reached.

    `allowance` is called before each method, so that a caller who does other work between two methods can give each
    its own budget. A method whose budget was too small is run again with the next budget; the landmark method then
    continues with the rows found so far.
    """
    if not isinstance(space, GroundStateSpace):
        raise ValueError("bounds without a search are for grounded tasks: PDDL or .sas")
    root = RootProgram(space, allowance(), seed, memory_limit, prune)
    methods = [
        root.landmark_cuts,
        root.state_equation,
        root.landmarks,
        root.pair_landmarks,
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


class Rounds:
    """Counts the latest consecutive rounds that have not increased the LP value."""

    def __init__(self, best: float = -inf, most_without_gain: int = ROUNDS_WITHOUT_GAIN) -> None:
        self.best, self.without_gain, self._most = best, 0, most_without_gain

    @property
    def are_over(self) -> bool:
        return self.without_gain >= self._most

    def note(self, objective: float) -> None:
        self.without_gain = 0 if objective > self.best + LEAST_GAIN else self.without_gain + 1
        self.best = max(self.best, objective)


class RootProgram:
    """The linear program of an initial state; each public method adds rows of one kind and returns the bound."""

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
        self._rounds = Rounds()  # kept, because a landmark method that used up its budget continues later
        self._pairs: int | None = None  # number of pairs of facts in the relaxation of `pair_landmarks`

    def allow(self, allowance: Allowance) -> None:
        self.allowance = allowance
        self.watch = Budget(allowance.seconds_left, self._memory_limit)

    def landmark_cuts(self) -> Bound:
        begin = perf_counter()
        self.allowance.spend(WORK_PER_ACTION * len(self.costs))
        if self.prune:
            self._prune_task()
        self.landmark_finder = Landmarks(self.state_space, self.watch)
        value, self.first_landmarks = self.landmark_finder.cuts(self.costs.astype(np.int32), self.watch)
        self.unsolvable = value is None
        return Bound("lmcut", value, perf_counter() - begin)

    def _prune_task(self) -> None:
        """Removes facts and actions that no plan can use, unless this takes more than half of the remaining time."""
        half = Budget(self.allowance.seconds_left / 2, self._memory_limit)
        with suppress(TimeoutError):
            self.state_space = GroundStateSpace(pruned_task(self.state_space, half))

    def state_equation(self) -> Bound:
        begin = perf_counter()
        self.program = CountingProgram(self.costs)
        self.program.add(state_equation(self.state_space, self.watch))
        self.program.solve(self.allowance)
        return self._bound("state-equation", begin)

    def landmarks(self) -> Bound:
        """The bound with landmarks that the LP solution violates, added in rounds until the bound stops increasing."""
        begin, program = perf_counter(), self._program()
        self.allowance.limit_to_slice()
        if not self._has_landmarks:
            program.add(self.first_landmarks)
            self._has_landmarks = True
        if program.solve(self.allowance):
            self._rounds.note(program.objective)
            self._add_landmarks(self._rounds)
        return replace(self._bound("landmarks", begin), finished=not self.allowance.is_used_up)

    def pair_landmarks(self) -> Bound:
        """The bound with violated landmarks of the relaxation with pairs of facts."""
        begin = perf_counter()
        self.allowance.limit_to_slice()
        if self._pairs is None:
            self._pairs = self._make_pairs()
            self._rounds = Rounds(self._program().objective, ROUNDS_OF_PAIRS_WITHOUT_GAIN)
        if self._pairs:
            self._add_landmarks(self._rounds, with_pairs=True)
        return replace(self._bound("pair-landmarks", begin), finished=not self.allowance.is_used_up)

    def _make_pairs(self) -> int:
        before = self.landmark_finder.work
        pairs = self.landmark_finder.make_pairs(TERMS_OF_PAIRS, self.watch)
        self.allowance.spend(self.landmark_finder.work - before)
        return pairs

    def pairs(self) -> Bound:
        return self._abstractions("pairs", "small", 2, LARGEST_PROJECTION, WORK_OF_PAIRS)

    def triples(self) -> Bound:
        return self._abstractions("triples", "small", 3, LARGEST_PROJECTION, WORK_OF_TRIPLES)

    def large(self) -> Bound:
        return self._abstractions("large", "large", VARIABLES_OF_LARGE, LARGEST_OF_LARGE, WORK_OF_LARGE)

    def refined(self) -> Bound:
        return self._abstractions("refined", "refined", 0, LARGEST_REFINED, WORK_OF_REFINED)

    def branching(self) -> Bound:
        """The bound for integer operator counts; see branching.py."""
        begin = perf_counter()
        program = self._program()
        program.solve(self.allowance)
        value = raise_bound(program, self._separate, self.allowance)
        return Bound("branching", value, perf_counter() - begin, len(program.rows))

    def _separate(self) -> int:
        return self._add_last_of(next(self._orders(self._program())))

    def _add_last_of(self, order: NDArray[np.uint32], with_pairs: bool = False) -> int:
        before = self.landmark_finder.work
        rows = self.landmark_finder.last_of(order, self.watch, with_pairs)
        self.allowance.spend(self.landmark_finder.work - before)
        return self._program().add(rows)

    def _abstractions(self, method: str, kind: str, variables: int, states: int, work: int) -> Bound:
        """The bound with rows from saturated cost partitionings over abstractions.

        The first partitioning distributes the action costs, each further one the reduced costs of the LP solution. The
        h-value of the initial state under reduced costs is a gain that adds to the bound. The loop ends when neither
        the rows nor further landmarks increase the bound.
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
            if program.objective <= before + LEAST_GAIN and not self._gains_by_landmarks():
                break
            costs = np.floor(program.reduced * units + LEAST_GAIN).astype(np.int32)
        return self._bound(method, begin)

    def _note_dead_end(self, _abstractions: Abstractions) -> None:
        """Hook for subclasses, called if one of the abstractions has no path from the initial state to the goal."""

    def _add_partition(self, _abstractions: Abstractions, rows: NewRows) -> int:
        return self._program().add(rows)

    def _gains_by_landmarks(self) -> bool:
        """Adds violated landmarks; True if they increased the LP value."""
        before = self._program().objective
        rounds = Rounds(before)
        self._add_landmarks(rounds)
        return rounds.best > before + LEAST_GAIN

    def _add_landmarks(self, rounds: Rounds, with_pairs: bool = False) -> None:
        """Adds violated landmarks in rounds, until several rounds in a row bring no gain."""
        program = self._program()
        for _ in range(ROUNDS):
            if program.infeasible or rounds.are_over or self.allowance.is_used_up:
                break
            try:
                added = sum(self._add_last_of(order, with_pairs) for order in self._orders(program))
            except TimeoutError:
                break  # the rows added so far are valid, and the bound proven with them stands
            if added and not program.solve(self.allowance):
                break
            rounds.note(program.objective)

    def _program(self) -> CountingProgram:
        assert self.program is not None
        return self.program

    def _orders(self, program: CountingProgram) -> Iterator[NDArray[np.uint32]]:
        """Orders of the actions, from which `_add_last_of` derives landmarks that consist of actions late in the order.

        Actions that the LP solution uses come first, because a landmark without any of them is violated. Then follow
        actions with small reduced costs, because a landmark of the remaining actions increases the bound by the least
        of their reduced costs. Every order but the first is perturbed at random.
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
