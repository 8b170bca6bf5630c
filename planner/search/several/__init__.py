"""Several plans of one task, cheapest first, each proven to cost at most w times the optimum.

Method. The region of states with g + h up to a level c contains all plans of cost at most c (region.py). They are
enumerated by cost, or by cost and set of actions (`enumerations`). The level rises from the known lower bound; the
first level with a plan gives the optimum C*, and the enumeration is complete once the level is w · C*.

>>> import fsplan
>>> found = plans(fsplan.example("blocks-8-0"), w=1, different="actions")
>>> [(each.cost, each.proven_ratio) for each in found], found.status
([(18, 1.0), (18, 1.0), (18, 1.0), (18, 1.0)], 'exhausted')
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from fsplan.pddl.costs import from_units, plain
from fsplan.planner.base.spelling import spelt
from fsplan.planner.base.weights import parse_weight
from fsplan.planner.plans.plan_files import check_plan
from fsplan.planner.search.result import EXIT_CODES, EXIT_CODES_WITH_PLAN, proven_ratio
from fsplan.planner.search.several.enumerations import ENUMERATIONS
from fsplan.planner.search.several.region import Region, graph_of
from fsplan.planner.search.solve import solve
from fsplan.planner.sources.load import ensure_loaded
from fsplan.planner.tasks.python_task import PythonTask
from fsplan.planner.tasks.task import Task

if TYPE_CHECKING:
    from fsplan.planner.base.weights import Weight
    from fsplan.planner.search.several.region import Steps
    from fsplan.planner.tasks.task import AnyTask

SCHEMA = "fsplan-several-plans-1"  # the number increases when a field changes its name or meaning
SHARE_OF_FIRST = 0.5  # share of the time limit for the first plan and bound
SHARE_OF_ALL = 0.85  # of the time limit; then the explored states are freed, which takes up to a tenth of the time


@dataclass(frozen=True)
class FoundPlan:
    """A validated plan, its cost, and a proven lower bound on the cost of every plan."""

    plan: list[str]
    cost: Any
    lower_bound: Any

    @property
    def proven_ratio(self) -> float | None:
        return proven_ratio(self.cost, self.lower_bound)

    def to_json(self) -> dict[str, Any]:
        return {"cost": plain(self.cost), "proven_ratio": self.proven_ratio, "plan": self.plan}


class Plans(Iterator[FoundPlan]):
    """Iterates over different plans. `status` says how the iteration ended:

    exhausted    there are no other plans within w of the optimum (proven)
    enough       k plans were found; there may be more
    timeout      the time limit stopped the search for more plans; likewise `memout` and `interrupted`
    running      it has not ended

    `lower_bound` holds for every plan. All plans that cost at most `complete_to` were found; None if that is not known.
    """

    def __init__(
        self, task: Task, k: int | None, w: Weight, different: str, time: float | None, memory: int | None
    ) -> None:
        self.task, self.k, self.weight, self.different = task, k, parse_weight(w), different
        self.status, self.found = "running", list[FoundPlan]()
        self._deadline = None if time is None else perf_counter() + SHARE_OF_ALL * time
        self._memory = memory
        self._bound = 0  # in units
        self._complete_to: int | None = None  # in units
        self._spare: list[tuple[Steps, Any]] = []  # plans of the first search; used if the enumeration is stopped
        self._chosen = ENUMERATIONS[different]()
        self._plans = self._enumerate()

    @property
    def lower_bound(self) -> Any:
        return from_units(self._bound, self.task.cost_denominator)

    @property
    def complete_to(self) -> Any:
        to = self._complete_to
        return None if to is None else from_units(to, self.task.cost_denominator)

    @property
    def exit_code(self) -> int:
        """Exit code of the command line, as for a single plan; exhausted without a plan means unsolvable."""
        status = {"exhausted": "solved" if self.found else "unsolvable", "enough": "solved"}.get(self.status)
        if status is not None:
            return EXIT_CODES[status]
        return (self.found and EXIT_CODES_WITH_PLAN.get(self.status)) or EXIT_CODES[self.status]

    def __next__(self) -> FoundPlan:
        if self.k is not None and len(self.found) >= self.k:
            self.stop("enough")
        while self.status == "running":
            try:
                steps, cost = next(self._plans)
            except StopIteration:
                self.stop("exhausted")
            except TimeoutError:
                self.stop("timeout")
            except MemoryError:
                self.stop("memout")
            else:
                return self._add(steps, from_units(cost, self.task.cost_denominator))
        while self._spare and (self.k is None or len(self.found) < self.k):
            steps, cost = self._spare.pop(0)
            if self._chosen.accept(steps):
                return self._add(steps, cost)
        raise StopIteration

    def stop(self, status: str) -> None:
        """Ends the enumeration. If it is not complete, the plans of the first search are returned after those found."""
        if self.status == "running":
            self.status = status
            over, under = self.weight
            within = [spare for spare in self._spare if spare[1] * under <= over * self.lower_bound]
            self._spare = [] if status in ("exhausted", "enough") else sorted(within, key=lambda spare: spare[1])

    def _add(self, steps: Steps, cost: Any) -> FoundPlan:
        check_plan(self.task, steps, cost)
        self.found.append(FoundPlan(list(steps), cost, self.lower_bound))
        return self.found[-1]

    def _enumerate(self) -> Iterator[tuple[Steps, int]]:
        """Yields different plans with their costs in units, level by level."""
        if self._first() == "unsolvable":
            return
        region = Region(graph_of(self.task), self._check_time)
        limit: int | None = None
        level: int | None = max(self._bound, region.next_level() or 0)
        while level is not None:
            region.explore(level)
            distance = region.distances()
            if limit is None and region.start in distance:
                self._bound = distance[region.start]
                limit = self._bound * self.weight[0] // self.weight[1]
            elif limit is None:
                self._bound = level
            for steps, cost in self._chosen.plans(region, distance, level):
                if self._chosen.accept(steps):
                    yield steps, cost
            self._complete_to = level
            level = _level_after(level, region.next_level(), limit)

    def _first(self) -> str:
        """Runs the default search for a bound and for plans to return in case the enumeration does not end in time."""

        def note(steps: list[str], cost: int, _bound: int) -> None:
            self._spare.append((tuple(steps), cost))

        seconds = None if self._deadline is None else SHARE_OF_FIRST * max(self._deadline - perf_counter(), 0.01)
        over, under = self.weight
        result = solve(
            self.task,
            w=f"{over}/{under}",
            time_limit=seconds,
            memory_limit=self._memory,
            on_incumbent=note,
        )
        if result.plan is not None:
            note(result.plan, result.cost, 0)  # type: ignore[arg-type]
        if result.lower_bound is not None:
            self._bound = int(result.lower_bound * self.task.cost_denominator)
        if result.status == "memout":
            raise MemoryError
        return result.status

    def _check_time(self) -> None:
        if self._deadline is not None and perf_counter() > self._deadline:
            raise TimeoutError

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "status": self.status,
            "different": self.different,
            "w": self.weight[0] / self.weight[1],
            "lower_bound": plain(self.lower_bound),
            "complete_to": plain(self.complete_to),
            "plans": [each.to_json() for each in self.found],
        }


def plans(
    task: AnyTask,
    k: int | None = None,
    w: Weight = 1.5,
    *,
    different: str = "sequences",
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Plans:
    """Returns an iterator over at most k different plans that cost at most w times the optimum, cheapest first.

    different   "sequences": plans that visit no state twice and reach a goal only at their end; two of them differ in
                some step. "actions": sets of actions; a plan is left out if another plan, which is not more expensive,
                uses a subset of its actions, so neither the order of steps nor unnecessary actions make a difference
    time_limit  seconds for the whole iteration, from the first plan on

    Every plan is validated. Only if the iterator's `status` is "exhausted" at the end, there are no other plans; states
    are compared, and actions considered, as they are in the ground task, without parts irrelevant to the goal.
    """
    if k is not None and k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    loaded = ensure_loaded(task)
    if not isinstance(loaded, Task):
        loaded = PythonTask(type(loaded).__name__, loaded)
    return Plans(loaded, k, w, spelt("difference", different, list(ENUMERATIONS)), time_limit, memory_limit)


def _level_after(level: int, least_f: int | None, limit: int | None) -> int | None:
    """Returns the next level: the least f of the open states, at most the limit; None after the last level.

    >>> _level_after(5, 7, None), _level_after(5, 7, 6), _level_after(5, None, 6), _level_after(6, 7, 6)
    (7, 6, 6, None)
    """
    if limit is None:
        return least_f
    return None if level == limit else min(limit, limit if least_f is None else least_f)
