"""Plan improvement: makes a plan cheaper without searching the whole state space again.

Four steps are repeated until the work budget is used up or no step improves the plan:

1. Action elimination: steps that no other step and no goal needs are removed.
2. Neighbourhood: the plan is replaced by a cheapest path through the states near the plan.
3. Regrouping: the steps are reordered so that related steps are next to each other.
4. Windows: consecutive steps are replaced by a cheapest path from the state before them to a state in which the
   later steps are applicable. A window is a planning task of its own, with the same actions and heuristics.

Neighbourhoods and windows grow when small ones give no improvement. Work is counted in operations, not seconds, so the
result does not depend on the speed of the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter

from fsplan.planner._core import Budget, GroundStateSpace, Progress, SearchOptions
from fsplan.planner.base.quantities import LONGEST

OnProgress = Callable[[Progress], bool | None] | None

SMALLEST_WINDOW = 6
GROWTH = 6
LARGEST_WINDOW = 40
WINDOW_EXPANSIONS, LARGEST_EXPANSIONS = 1000, 64_000
NEIGHBOURHOOD, LARGEST_NEIGHBOURHOOD = 5000, 320_000  # limits on expanded states
WORK_PER_STATE = 2000  # counted work per state expanded in a neighbourhood
WORK_PER_ACTION = 100  # counted work per action of the task for preparing the search of a window


class Improver:
    """Improves one plan of a ground task; each call of `run` continues where the previous one stopped.

    >>> import fsplan
    >>> task = fsplan.load(fsplan.example("blocks-8-0"))
    >>> greedy = fsplan.gbfs(task, heuristic="goalcount", uncertified=True)
    >>> improver = Improver(task.state_space, [task.actions.number(name) for name in greedy.plan])
    >>> improver.run(10_000_000)
    True
    >>> greedy.cost > improver.cost >= 18
    True
    """

    def __init__(
        self,
        space: GroundStateSpace,
        plan: Sequence[int],
        seed: int = 0,
        on_progress: OnProgress = None,
        memory_limit: int | None = None,
    ) -> None:
        self._space, self._seed, self._on_progress, self._memory_limit = space, seed, on_progress, memory_limit
        self._costs = space.task.cost
        self.plan = list(plan)
        self.cost = self._cost_of(self.plan)
        self.expanded = 0
        self.work = 0  # counted as in core/contract/request.hpp
        self.interrupted = self.exhausted = False
        self._deadline = float("inf")
        self._neighbourhood = NEIGHBOURHOOD
        self._steps = self._improvements()

    def run(self, work: int, seconds: float = LONGEST) -> bool:
        """Continues for about this much work; returns whether the plan has become cheaper."""
        self._deadline = perf_counter() + seconds
        before, allowed = self.cost, self.work + work
        while self.work < allowed and not self._is_over():
            self.exhausted = next(self._steps, None) is None
        return self.cost < before

    def _is_over(self) -> bool:
        return self.interrupted or self.exhausted or perf_counter() >= self._deadline

    def _seconds_left(self) -> float:
        return max(1e-3, min(self._deadline - perf_counter(), LONGEST))

    def _improvements(self) -> Iterator[bool]:
        """Tries one change per iteration. After the largest windows, sizes restart with twice the expansion limit."""
        self._take(self._space.without_unnecessary(self.plan))
        yield self._search_nearby()
        size, limit = SMALLEST_WINDOW, WINDOW_EXPANSIONS
        while limit <= LARGEST_EXPANSIONS:
            before = self.cost
            self.plan = self._space.regrouped(self.plan, self._seed)
            self._seed += 1
            yield from self._windows(size, limit)
            yield self._search_nearby()
            self._take(self._space.without_unnecessary(self.plan))
            if self.cost < before:
                continue
            size, limit = (size + GROWTH, limit) if size < LARGEST_WINDOW else (SMALLEST_WINDOW, 2 * limit)

    def _search_nearby(self) -> bool:
        """Searches the neighbourhood of the plan; doubles its size for the next time if it gives no improvement."""
        most = max(self._neighbourhood, 2 * len(self.plan))
        watch = Budget(self._seconds_left(), self._memory_limit or 0)
        try:
            found, expanded = self._space.cheapest_nearby(self.plan, most, watch)
        except TimeoutError:
            return False
        except MemoryError:  # windows may still fit into memory, so only this step is given up
            self.work += most * WORK_PER_STATE
            return False
        except KeyboardInterrupt:
            self.interrupted = True
            return False
        self.work += max(1, expanded * WORK_PER_STATE)
        if self._take(found):
            return True
        self._neighbourhood = min(2 * self._neighbourhood, LARGEST_NEIGHBOURHOOD)
        return False

    def _windows(self, size: int, limit: int) -> Iterator[bool]:
        first = 0
        while first < len(self.plan):
            last = min(first + size, len(self.plan))
            yield self._improve_window(first, last, limit)
            if last == len(self.plan):
                return
            first += size // 2

    def _improve_window(self, first: int, last: int, limit: int) -> bool:
        options = SearchOptions(
            search="astar",
            heuristic="lmcut",
            expansion_limit=limit,
            time_limit=self._seconds_left(),
            memory_limit=self._memory_limit,
        )
        options.set_defaults(True)
        window = self._space.window(self.plan, first, last)
        steps = self.plan[first:last]
        found = window.search(options, known_plan=(steps, self._cost_of(steps)), on_progress=self._on_progress)
        self.interrupted = found.status == "interrupted"
        self.expanded += found.statistics["expanded"]
        self.work += WORK_PER_ACTION * len(self._costs) + found.work
        if found.plan is None:
            return False
        return self._take([*self.plan[:first], *found.plan, *self.plan[last:]])

    def _take(self, plan: list[int]) -> bool:
        cost = self._cost_of(plan)
        if (cost, len(plan)) >= (self.cost, len(self.plan)):
            return False
        self.plan, self.cost = plan, cost
        return True

    def _cost_of(self, plan: Sequence[int]) -> int:
        return sum(self._costs[action] for action in plan)
