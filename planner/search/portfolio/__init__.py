"""`auto`, the default search of ground tasks: several parts share one incumbent and one lower bound.

The run ends as soon as the cheapest plan costs at most w times the greatest lower bound, whichever parts found them.
table.py declares the parts: the purpose of each, when it may run, and whether its bounds are proven. If the user's time
limit allows it, a last improvement of the plan follows.

Parts run in turns, called slices. The choice of the next part is a bandit problem: it is not known in advance which
part will find the next plan or bound, but a part that found one is likely to find another. The rule is stride
scheduling with shares that depend on success:

    next part    the one with the smallest clock; its clock then grows by work / (weight · share). So over time every
                 part gets work in proportion to its weight, which the table declares, and to its share.
    new parts    a part that becomes ready, for instance because there is a plan now, starts with the smallest clock of
                 the others, and its slice is as long as theirs. It does not make up for their work so far.
    success      a slice that finds a better plan doubles the part's share. A better bound does so, too, but only up to
                 SHARE_OF_BOUND, because some parts raise the bound a little in every slice; and only if a plan is
                 known, because without a plan no bound can end the run.
    failure      any other slice halves the share.
    limits       shares stay between LEAST_SHARE and LARGEST_SHARE. So with k parts of equal weight, each gets at least
                 LEAST / (LEAST + (k - 1) LARGEST) of the work, even if it never succeeds: a search that needs long for
                 its first plan, which may be the best one, is slowed down but not starved.

Work is counted in operations and not in seconds (core/contract/request.hpp), so a run with one thread is reproducible.
The shares are fair only if operations of all parts take about the same time, and if everything is counted, also the
preparation of a heuristic. A part may do more work than its slice allows if it cannot be interrupted, but it is charged
for all of it, and then waits for the others. With more threads, parts run in parallel. `scripts/bench.py regret`
compares `auto` with its parts.

Memory: searches without proven bounds end when the process has used the share GUIDANCE_MEMORY of the memory
limit; the rest is reserved for optimistic search. When optimistic search runs out of memory, it ends, its memory is
freed, and A* continues to raise the lower bound. A* needs less memory: it has no inadmissible heuristics, one queue
instead of three, and generates only the nodes that its bound requires. When A* runs out of memory, it continues
depth-first below its frontier (core/search/below_frontier.hpp).

run.py has the state that the parts share, parts.py the kinds of parts, table.py their table, spread.py runs them on a
cluster, this file has the schedule.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from threading import Condition
from typing import TYPE_CHECKING

from fsplan.pddl.costs import plain
from fsplan.planner.search.portfolio.run import Answer, Portfolio, Turn, next_turn
from fsplan.planner.search.portfolio.table import parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fsplan.planner import _core
    from fsplan.planner.search.gap import GapLog
    from fsplan.planner.search.portfolio.parts import Part
    from fsplan.planner.search.request import Request
    from fsplan.planner.tasks.task import Task

__all__ = ["Answer", "search"]

SWITCH = 2e-4


def search(
    request: Request,
    on_progress: Callable[[_core.Progress], bool | None] | None = None,
    on_incumbent: Callable[[_core.Incumbent], None] | None = None,
    known_bound: int = 0,
    known_plan: tuple[list[int], int] | None = None,
    gap: GapLog | None = None,
    cluster: tuple[Task, str] | None = None,
    learner: Callable[[Portfolio], Part] | None = None,
) -> Answer:
    """Runs the parts until w is proven, the task is proven unsolvable, or a limit is reached.

    `cluster` is the task and the address of a Dask scheduler whose workers run the parts (spread.py). `learner` makes a
    further part, which learns; it is not in the table, because learning uses searches and not the other way round.
    """
    run = Portfolio(request, on_progress, on_incumbent, gap)
    run.offer(known_plan, known_bound)
    elsewhere = []
    if cluster is not None:
        from fsplan.planner.search.portfolio.spread import spread

        elsewhere = spread(run, *cluster)
        if run.is_over():
            return run.answer([], elsewhere)
    turns = [Turn(*row) for row in parts(run, request.policy)]
    if learner is not None:
        turns.append(Turn(learner(run)))
    _run_turns(run, turns)
    _improve_last(run, turns)
    return run.answer(turns, elsewhere)


def _run_turns(run: Portfolio, turns: list[Turn]) -> None:
    if run.threads > 1:
        return _run_in_threads(run, turns)
    while not run.is_over() and (turn := next_turn(turns)) is not None:
        run.take(turn)
    return None


def _improve_last(run: Portfolio, turns: list[Turn]) -> None:
    """Runs the parts that find cheaper plans after w is proven, for run.last_work() units of work.

    A cheaper plan needs no new bound: w stays proven.
    """
    proven = run.gap.points[-1:]
    run.begin_last()
    _run_turns(run, [turn for turn in turns if not turn.proves])
    if run.gap.points[-1:] != proven:
        run.improved_from = plain(proven[0].cost)


def _run_in_threads(run: Portfolio, turns: list[Turn]) -> None:
    """Runs slices in several threads; a part runs in at most one thread at a time."""
    from concurrent.futures import ThreadPoolExecutor

    changed = Condition()

    def work() -> None:
        while True:
            with changed:
                while not run.is_over() and (turn := next_turn(turns)) is None and any(each.running for each in turns):
                    changed.wait()
                if run.is_over() or turn is None:
                    return
                turn.running = True
            try:
                run.take(turn)
            finally:
                with changed:
                    turn.running = False
                    changed.notify_all()

    with _short_waits(), ThreadPoolExecutor(run.threads) as pool:
        for future in [pool.submit(work) for _ in range(run.threads)]:
            future.result()


@contextmanager
def _short_waits() -> Iterator[None]:
    """Lets Python switch threads every SWITCH seconds, so that others begin slices while one computes bounds."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
