"""`auto`, the default search of ground tasks: several parts share one incumbent and one lower bound.

The run ends as soon as the cheapest plan costs at most w times the greatest lower bound, whichever parts found them.
table.py declares the parts: the purpose of each, when it may run, and whether its bounds are proven.

Parts run in turns, called slices. The next slice goes to the part with the smallest clock, which is its work divided by
its share. A slice that finds a better plan doubles the part's share, and so does a better bound if a plan is known
(without a plan no bound can end the run). Any other slice halves the share. Work is counted in operations and not in
seconds (core/contract/request.hpp), so a run with one thread is reproducible. With more threads, parts run in parallel.

Memory: searches without proven bounds end when the process has used the share GUIDANCE_MEMORY of the memory
limit; the rest is reserved for optimistic search. When optimistic search runs out of memory, it ends, its memory is
freed, and A* continues to raise the lower bound. A* needs less memory: it has no inadmissible heuristics, one queue
instead of three, and generates only the nodes that its bound requires. When A* runs out of memory, it continues
depth-first below its frontier (core/search/below_frontier.hpp).

run.py has the state that the parts share, parts.py the kinds of parts, table.py their table, this file the schedule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsplan.planner.base.limits import available_cores
from fsplan.planner.search.portfolio.run import Answer, Portfolio, Turn
from fsplan.planner.search.portfolio.table import parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from fsplan.planner import _core
    from fsplan.planner.search.gap import GapLog
    from fsplan.planner.search.request import Request

__all__ = ["Answer", "search"]


def search(
    request: Request,
    on_progress: Callable[[_core.Progress], bool | None] | None = None,
    on_incumbent: Callable[[_core.Incumbent], None] | None = None,
    known_bound: int = 0,
    known_plan: tuple[list[int], int] | None = None,
    gap: GapLog | None = None,
) -> Answer:
    """Runs the parts until w is proven, the task is proven unsolvable, or a limit is reached."""
    run = Portfolio(request, on_progress, on_incumbent, gap)
    run.incumbents.offer_bound(known_bound)
    if known_plan is not None:
        run.incumbents.offer_plan(*known_plan)
    turns = [Turn(part, clock) for part, clock in parts(run, request.policy)]
    _run_turns(run, turns, _thread_count(request.options.threads))
    return run.answer(turns)


def _run_turns(run: Portfolio, turns: list[Turn], threads: int) -> None:
    if threads > 1:
        return _run_in_threads(run, turns, threads)
    while not run.is_over() and (turn := _next(turns)) is not None:
        run.take(turn)
    return None


def _next(turns: list[Turn]) -> Turn | None:
    ready = [turn for turn in turns if not (turn.running or turn.ended) and turn.part.is_ready()]
    return min(ready, key=lambda turn: turn.clock, default=None)


def _run_in_threads(run: Portfolio, turns: list[Turn], threads: int) -> None:
    """Runs slices in several threads; a part runs in at most one thread at a time."""
    from concurrent.futures import ThreadPoolExecutor
    from threading import Condition

    changed = Condition()

    def work() -> None:
        while True:
            with changed:
                while not run.is_over() and (turn := _next(turns)) is None and any(each.running for each in turns):
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

    with ThreadPoolExecutor(threads) as pool:
        for future in [pool.submit(work) for _ in range(threads)]:
            future.result()


def _thread_count(asked: int) -> int:
    return asked or available_cores()
