"""The kinds of parts of `auto`: native searches, lower bounds, and plan improvement."""

from __future__ import annotations

import signal
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Protocol

from fsplan.planner import _core
from fsplan.planner.base.limits import interruptible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fsplan.planner.bounds.allowance import Allowance
    from fsplan.planner.bounds.root import Bound
    from fsplan.planner.plans.improve import Improver
    from fsplan.planner.search.portfolio.run import Portfolio

SLICES_BETWEEN = 4  # slices of other parts before an interrupted bound method continues


class Part(Protocol):
    """A part of the portfolio. Work is counted as in core/contract/request.hpp, 1 to 4 · 10^8 units per second."""

    name: str

    def is_ready(self) -> bool:
        """Whether the part can run a slice now."""
        ...

    def run(self, work: int) -> int:
        """Runs for about this much work; returns the work done, 0 if the part has ended."""
        ...

    def statistics(self) -> dict[str, Any]: ...


class SearchPart:
    """A native search that runs in slices, with its own search space."""

    def __init__(
        self,
        name: str,
        run: Portfolio,
        policy: Any = None,
        when: Callable[[], bool] = lambda: True,
        decides: bool = False,
        ends_without_memory: bool = True,
        **options: Any,
    ) -> None:
        self.name, self._run, self._policy, self._when = name, run, policy, when
        self._decides, self._ends_without_memory = decides, ends_without_memory
        self._options = {"memory_limit": run.options.memory_limit, **options}
        self._search: _core.SlicedSearch | None = None
        self._result: _core.SearchResult | None = None
        self._space = run.state_space()
        # A synthetic policy assigns probabilities to all applicable actions, so they must not be pruned.
        if not isinstance(policy, _core.SyntheticPolicy):
            self._space.take_safe_actions_first()

    def is_ready(self) -> bool:
        return self._result is None and self._when()

    def run(self, work: int) -> int:
        before = 0 if self._search is None else self._search.work  # starting a search is work, too
        if self._search is None:
            self._search = self._start()
        goes_on = self._run_slice(self._search, work)
        done = max(1, self._search.work - before)
        if not goes_on:
            self._result, self._search = self._search.finish(), None
            self._run.note_end(self._result.status, decides=self._decides)
        return done

    def _run_slice(self, search: _core.SlicedSearch, work: int) -> bool:
        """Runs until the work is done or a better plan is found; returns whether the search goes on."""
        for piece in self._run.pieces(work):
            end = search.work + piece
            if not search.run_for(piece):
                return False
            if search.work < end:
                return True
        return True

    def _start(self) -> _core.SlicedSearch:
        options = _core.SearchOptions(time_limit=self._run.seconds_left(), **self._options)
        options.set_defaults(True)
        return self._space.start(
            options,
            policy=self._policy,
            incumbents=self._run.search_incumbents if self._policy is None else self._run.incumbents,
            on_progress=self._run.on_progress,
            ends_without_memory=self._ends_without_memory,
        )

    def statistics(self) -> dict[str, Any]:
        if self._search is not None:
            self._result, self._search = self._search.finish(), None
        return {} if self._result is None else dict(self._result.statistics)


class BoundsPart:
    """Computes lower bounds of the initial state by a sequence of methods, from fast to slow.

    It does nothing if numpy or the LP solver is not installed.

    Start     A bound can end a run only together with a plan. So the part starts when there is a plan, or after
              WORK_WITHOUT_PLAN work of all parts together.
    Slices    The first slice runs FIRST methods, because the first two seldom prove more than the initial h-values of
              the searches. Every later slice runs one method, or continues a method that reached its work limit.
    Clock     A slice is charged WORK of its method, so that the other parts can do this much work before the next
              method: most tasks are solved before the last two methods, large projections and branching. A method that
              reached its limit is charged at most SLICES_BETWEEN slices. If the slice's own work is more than that, or
              if the run is over after it, this work is charged instead.
    Limits    A method gets half of the work that the run has done, at least LEAST_WORK; at most half of the remaining
              time; and all slices together get LONGEST seconds. The landmark methods, which can continue where they
              stopped, get the work of a slice, at least LEAST_OF_SLICE: a long slice would keep the other parts from
              improving the plan for seconds.
    """

    name, LONGEST, FIRST, WORK_WITHOUT_PLAN = "bounds", 20.0, 3, 800_000_000
    WORK: Final = {  # work charged for each method; for all others it is WORK_OF_LAST
        "landmarks": 24_000_000, "pair-landmarks": 40_000_000, "pairs": 20_000_000, "triples": 200_000_000,
        "refined": 200_000_000,
    }  # fmt: skip
    WORK_OF_LAST, LEAST_WORK, LEAST_OF_SLICE = 4_000_000_000, 150_000_000, 20_000_000

    def __init__(self, run: Portfolio) -> None:
        self._run, self._ended, self._slices, self._seconds = run, False, 0, 0.0
        self._work = 0  # work of the current slice
        self._method, self._finished = "", True
        self._steps: Iterator[Bound] | None = None
        self._allowances: list[Allowance] = []  # limits of the methods in the current slice

    def is_ready(self) -> bool:
        return not self._ended and (self._run.has_plan() or self._run.work >= self.WORK_WITHOUT_PLAN)

    def run(self, work: int) -> int:
        self._work = work
        for _ in range(1 if self._slices else self.FIRST):
            if not (self._ended or self._run.is_over()):
                self._take_step()
        self._slices += 1
        spent = sum(allowance.spent for allowance in self._allowances)
        self._allowances.clear()
        return max(0 if self._run.is_over() else self._work_until_next(work), int(spent), 1)

    def _work_until_next(self, work: int) -> int:
        work_of_method = self.WORK.get(self._method, self.WORK_OF_LAST)
        return work_of_method if self._finished else min(work_of_method, SLICES_BETWEEN * work)

    def _take_step(self) -> None:
        begin, step = perf_counter(), None
        try:
            with interruptible():
                step = self._next_step()
        except ImportError:
            pass
        except KeyboardInterrupt:
            # Python's default handler ends the run here; another one ends it in the next search's progress callback.
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                self._run.status = "interrupted"
        self._ended = step is None
        if step is not None:
            self._method, self._finished = step.method, step.finished
            self._run.incumbents.offer_bound(step.value)
        self._seconds += perf_counter() - begin

    def _allowance(self) -> Allowance:
        from fsplan.planner.bounds.allowance import Allowance

        seconds = min(self.LONGEST - self._seconds, self._run.seconds_left() / 2)
        of_slice = max(self.LEAST_OF_SLICE, self._work)
        limits = max(self.LEAST_WORK, self._run.work / 2), of_slice
        self._allowances.append(Allowance(perf_counter() + seconds, *limits, self._run.is_over))
        return self._allowances[-1]

    def _next_step(self) -> Bound | None:
        if self._steps is None:
            from fsplan.planner.bounds.root import steps

            self._steps = steps(self._run.state_space(), self._allowance, memory_limit=self._run.options.memory_limit)
        return next(self._steps, None)

    def statistics(self) -> dict[str, Any]:
        return {}


class ImprovementPart:
    """Improves the best plan of the searches; restarts whenever another part has found a cheaper plan.

    With `of_policy` it improves the policy's plan for as long as that is cheaper than the plan of the searches.
    """

    def __init__(self, run: Portfolio, name: str = "improvement", *, of_policy: bool = False) -> None:
        self.name, self._run, self._space, self._of_policy = name, run, run.state_space(), of_policy
        self._incumbents = run.incumbents if of_policy else run.search_incumbents
        self._improver: Improver | None = None
        self._expanded = 0

    def is_ready(self) -> bool:
        best = self._incumbents.best()
        done = self._improver is not None and self._improver.exhausted and best.cost >= self._improver.cost
        return bool(best.plan) and not done and not (self._of_policy and self._is_behind(best.cost))

    def _is_behind(self, cost: int) -> bool:
        other = self._run.search_incumbents.cost
        return other is not None and other <= cost

    def run(self, work: int) -> int:
        improver = self._current()
        expanded, done = improver.expanded, improver.work
        for piece in self._run.pieces(work):
            if improver.run(piece, self._run.seconds_left()):
                self._incumbents.offer_plan(improver.plan, improver.cost)
        if improver.interrupted:
            self._run.status = "interrupted"
        self._expanded += improver.expanded - expanded
        return max(1, improver.work - done)

    def _current(self) -> Improver:
        from fsplan.planner.plans.improve import Improver

        best = self._incumbents.best()
        if self._improver is None or best.cost < self._improver.cost:
            self._improver = Improver(
                self._space,
                best.plan,
                on_progress=self._run.on_progress,
                memory_limit=self._run.options.memory_limit,
            )
        return self._improver

    def statistics(self) -> dict[str, Any]:
        return {"expanded": self._expanded}
