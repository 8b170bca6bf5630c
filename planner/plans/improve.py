"""Plan improvement: makes a plan cheaper without searching the whole state space again.

Four steps are repeated until the work budget is used up or no step improves the plan:

1. Action elimination: steps that no other step and no goal needs are removed.
2. Neighbourhood: the plan is replaced by a cheapest path through the states near the plan.
3. Regrouping: the steps are reordered so that related steps are next to each other.
4. Windows: consecutive steps are replaced by a cheapest path from the state before them to a state in which the
   later steps are applicable. A window is a planning task of its own, with the same actions and heuristics.

Neighbourhoods and windows grow when small ones give no improvement. Work is counted in operations, not seconds, so the
result does not depend on the speed of the machine. A neighbourhood or window that takes longer than a call of `run` may
is continued in the next call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter

from fsplan.planner._core import Budget, GroundStateSpace, Incumbents, Progress, SearchOptions, SlicedSearch
from fsplan.planner.base.quantities import LONGEST

OnProgress = Callable[[Progress], bool | None] | None

SMALLEST_WINDOW = 6
GROWTH = 6
LARGEST_WINDOW = 40
WINDOW_WORK, LARGEST_WORK = 10_000_000, 640_000_000  # work for the search of a window, at first and at most
NEIGHBOURHOOD, LARGEST_NEIGHBOURHOOD = 5000, 320_000  # number of expanded states, at first and at most
WORK_WITHOUT_MEMORY = 10_000_000  # work charged for a neighbourhood that does not fit into memory


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
        self._work_of_windows, self._work_before = 0, space.work_of_improvement
        self._end_of_slice = 0
        self.interrupted = self.exhausted = False
        self._deadline = float("inf")
        self._neighbourhood = NEIGHBOURHOOD
        self._steps = self._improvements()

    def run(self, work: int, seconds: float = LONGEST) -> bool:
        """Continues for about this much work; returns whether the plan has become cheaper."""
        self._deadline = perf_counter() + seconds
        before, self._end_of_slice = self.cost, self.work + work
        while self.work < self._end_of_slice and not self._is_over():
            self.exhausted = next(self._steps, None) is None
        return self.cost < before

    @property
    def work(self) -> int:
        """The work so far, counted as in core/contract/request.hpp."""
        return self._work_of_windows + self._space.work_of_improvement - self._work_before

    def _work_left(self) -> int:
        return max(1, self._end_of_slice - self.work)

    def _is_over(self) -> bool:
        return self.interrupted or self.exhausted or perf_counter() >= self._deadline

    def _seconds_left(self) -> float:
        return max(1e-3, min(self._deadline - perf_counter(), LONGEST))

    def _improvements(self) -> Iterator[bool]:
        """Yields after bounded work. The largest windows are followed by the smallest, with twice the work limit."""
        self._take(self._space.without_unnecessary(self.plan))
        yield from self._search_nearby()
        size, limit = SMALLEST_WINDOW, WINDOW_WORK
        while limit <= LARGEST_WORK:
            before = self.cost
            self.plan = self._space.regrouped(self.plan, self._seed)
            self._seed += 1
            yield from self._windows(size, limit)
            yield from self._search_nearby()
            self._take(self._space.without_unnecessary(self.plan))
            if self.cost < before:
                continue
            size, limit = (size + GROWTH, limit) if size < LARGEST_WINDOW else (SMALLEST_WINDOW, 2 * limit)

    def _search_nearby(self) -> Iterator[bool]:
        """Searches the neighbourhood of the plan; doubles its size for the next time if it gives no improvement."""
        most = max(self._neighbourhood, 2 * len(self.plan))
        watch = Budget(self._seconds_left(), self._memory_limit or 0)
        try:
            near = self._space.neighbourhood(self.plan, most)
            while near.expand_for(self._work_left(), watch):
                yield False
            if not self._take(near.cheapest_path(watch)):
                self._neighbourhood = min(2 * self._neighbourhood, LARGEST_NEIGHBOURHOOD)
        except TimeoutError:
            pass
        except MemoryError:  # windows may still fit into memory, so only this step is given up
            self._work_of_windows += WORK_WITHOUT_MEMORY
        except KeyboardInterrupt:
            self.interrupted = True
        yield True

    def _windows(self, size: int, limit: int) -> Iterator[bool]:
        first = 0
        while first < len(self.plan):
            last = min(first + size, len(self.plan))
            yield from self._improve_window(first, last, limit)
            if last == len(self.plan):
                return
            first += size // 2

    def _improve_window(self, first: int, last: int, limit: int) -> Iterator[bool]:
        steps = self.plan[first:last]
        known = Incumbents()
        known.offer_plan(steps, self._cost_of(steps))
        search = self._start_search(first, last, known)
        counted, end = 0, search.work + limit
        goes_on = True
        while goes_on and search.work < end:
            goes_on = search.run_for(min(self._work_left(), end - search.work))
            self._work_of_windows += search.work - counted
            counted = search.work
            yield goes_on
        result = search.finish()
        self.interrupted = result.status == "interrupted"
        self.expanded += result.statistics["expanded"]
        self._take([*self.plan[:first], *known.best().plan, *self.plan[last:]])

    def _start_search(self, first: int, last: int, known: Incumbents) -> SlicedSearch:
        options = SearchOptions(
            search="astar", heuristic="lmcut", time_limit=self._seconds_left(), memory_limit=self._memory_limit
        )
        options.set_defaults(True)
        window = self._space.window(self.plan, first, last)
        return window.start(options, incumbents=known, on_progress=self._on_progress, ends_without_memory=True)

    def _take(self, plan: list[int]) -> bool:
        cost = self._cost_of(plan)
        if (cost, len(plan)) >= (self.cost, len(self.plan)):
            return False
        self.plan, self.cost = plan, cost
        return True

    def _cost_of(self, plan: Sequence[int]) -> int:
        return sum(self._costs[action] for action in plan)
