"""`auto`, the default search of ground tasks: several parts share one incumbent and one lower bound.

Any plan counts and any bound counts, whichever part found it: the run ends as soon as the cheapest plan costs at most
w times the greatest bound. table.py declares the parts: what each is for, when it may run, and whether it proves.

A part works in slices. The next slice goes to the part whose work so far, divided by its share, is least. A slice that
brings a better plan doubles the part's share, and so does a better bound, once there is a plan (before, a bound ends
nothing). Any other slice halves it. Work is counted, not timed (core/contract/request.hpp), so with one thread a run
can be repeated exactly. With more threads parts run at the same time.

Memory. Searches that prove nothing end when the process has used GUIDANCE_MEMORY of what is allowed, and leave the rest
to optimistic search. When it has used up that, it ends, too, and the bound goes on rising by A* in the memory that has
become free: A* keeps no guides, has one queue instead of three, and generates only what its bound needs. When that is
not enough either, it goes on depth-first below its frontier (core/search/below_frontier.hpp).

run.py has what the parts share, parts.py the kinds of parts, table.py their table, and this file the schedule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsplan.planner.limits import available_cores
from fsplan.planner.portfolio.run import Answer, Portfolio, Turn
from fsplan.planner.portfolio.table import parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from fsplan.planner import _core
    from fsplan.planner.gap import GapLog
    from fsplan.planner.request import Request

__all__ = ["Answer", "search"]


def search(
    request: Request,
    on_progress: Callable[[_core.Progress], bool | None] | None = None,
    on_incumbent: Callable[[_core.Incumbent], None] | None = None,
    known_bound: int = 0,
    known_plan: tuple[list[int], int] | None = None,
    gap: GapLog | None = None,
) -> Answer:
    """Runs the parts until w is proven, there is no plan, or a limit is reached."""
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
    """Every thread takes the next slice that no other works on."""
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
