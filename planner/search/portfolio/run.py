"""State that the parts of `auto` share (incumbent, lower bound, limits), and the scheduling data of each part."""

from __future__ import annotations

from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from fsplan.planner import _core
from fsplan.planner.base.limits import available_cores
from fsplan.planner.base.weights import parse_weight
from fsplan.planner.search.gap import GapLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fsplan.planner._core import GroundStateSpace, Incumbents
    from fsplan.planner.search.portfolio.parts import Part
    from fsplan.planner.search.request import Request

# Work of a slice: its first and its largest value (about 0.003 and 0.3 seconds), and the factor by which it grows.
FIRST_SLICE, LARGEST_SLICE, GROWTH = 1_000_000, 100_000_000, 1.5
# With several threads slices run in pieces (about 0.06 seconds): the run ends only when all threads have ended theirs.
PIECE = 20_000_000
LEAST_SHARE, LARGEST_SHARE = 1 / 4, 2.0  # parts of equal weight: none gets more than eight times the work of another
SHARE_OF_BOUND = 1.0  # largest share of a part that finds bounds only
# If w is proven before the time limit, the plan is improved further. The work for this is LAST_SHARE of the work so
# far, but at least LEAST_LAST_WORK and at most MOST_LAST_WORK (about 0.01 and 1 second). Without a time limit it is 0.
LAST_SHARE, LEAST_LAST_WORK, MOST_LAST_WORK = 0.5, 2_000_000, 300_000_000
# Work of the run after which the policy's plan prunes the other searches, too, as if one of them had found it.
TRIAL_OF_POLICY = 1e9
SHORTEST = 1e-3  # minimum of the remaining time in seconds
COUNTS = ("expanded", "generated", "evaluated", "reopened", "dead_ends", "deepened", "policy_evaluations",
          "policy_calls", "registered")  # fmt: skip


class Answer(NamedTuple):
    """The result of a run, with the fields of a native search's result; `statistics` names the parts that found it."""

    status: str
    plan: list[int] | None
    cost: int | None
    lower_bound: int | None
    certified: bool
    statistics: dict[str, Any]


class Turn:
    """A part and its scheduling data.

    A part does not make up for the work of the others while it was not ready: its clock then starts at the smallest
    clock of the others, plus its initial clock if it has not been ready before. Its slice is at least that of the part
    with this smallest clock: after many slices that are too short for a success its share would be small.
    """

    def __init__(self, part: Part, clock: float = 0.0, proves: bool = False, weight: float = 1.0) -> None:
        self.part, self.proves, self.weight = part, proves, weight
        self.clock = clock  # sum of work / (weight · share); the part with the smallest clock runs next
        self._delay, self.was_ready = clock, False
        self.share, self.slice, self.work = 1.0, float(FIRST_SLICE), 0
        self.running = False
        self.ended = False  # True once the part has run out of memory

    def account(self, work: int, *, cheaper: bool, bound: bool) -> None:
        """Advances the clock by a slice; doubles the share for a cheaper plan or better bound, otherwise halves it."""
        self.work += work
        self.clock += work / (self.weight * self.share)
        if cheaper or bound:
            self.share = max(self.share, min(LARGEST_SHARE if cheaper else SHARE_OF_BOUND, self.share * 2))
        else:
            self.share = max(LEAST_SHARE, self.share / 2)
        self.slice = min(LARGEST_SLICE, self.slice * GROWTH)

    def join(self, others: list[Turn]) -> None:
        """Sets the clock of a part that has become ready; `others` are the parts that were ready before."""
        if others:
            first = min(others, key=lambda turn: turn.clock)
            self.clock = max(self.clock, first.clock + self._delay)
            self.slice = max(self.slice, first.slice)
        self._delay = 0.0


def next_turn(turns: list[Turn]) -> Turn | None:
    """Returns the part with the smallest clock among those that are ready."""
    waiting = [turn for turn in turns if not turn.running]
    ready = [turn for turn in waiting if not turn.ended and turn.part.is_ready()]
    others = [turn for turn in ready if turn.was_ready]
    for turn in ready:
        if not turn.was_ready:
            turn.join(others)
    for turn in waiting:
        turn.was_ready = turn in ready
    return min(ready, key=lambda turn: turn.clock, default=None)


def _pass_on(source: Incumbents, target: Incumbents, *, plan: bool) -> None:
    target.offer_bound(source.lower_bound)
    if plan and source.cost is not None and (target.cost is None or source.cost < target.cost):
        target.offer_plan(source.best().plan, source.cost)


class Portfolio:
    """One run of `auto`.

    `incumbents` has the best plan and bound of all parts. `search_incumbents` has those that searches without a policy
    use; it is the same object unless there is a policy. A poor plan of the policy would prune the searches, and plan
    improvement that starts from it may end in a local optimum, so the run could end with a worse plan than without the
    policy. Therefore the searches do not see plans of the policy during its trial, the first TRIAL_OF_POLICY units of
    work; during the trial they find the same plans as without a policy. Bounds are exchanged at once.
    """

    def __init__(
        self,
        request: Request,
        on_progress: Callable[[_core.Progress], bool | None] | None = None,
        on_incumbent: Callable[[_core.Incumbent], None] | None = None,
        gap: GapLog | None = None,
    ) -> None:
        self.request, self.on_progress, self.on_incumbent = request, on_progress, on_incumbent
        self.gap = gap or GapLog()
        self.incumbents: Incumbents = _core.Incumbents()
        self.search_incumbents = self.incumbents if request.policy is None else _core.Incumbents()
        self.started = perf_counter()
        self.threads = request.options.threads or available_cores()
        self.status: str | None = None
        self.plan_by: str | None = None
        self.bound_by: str | None = None
        self.work = 0
        self.improved_from: int | float | None = None  # cost of the plan when w was proven, if improved later
        self._lacks_memory = False
        self._end_of_last: int | None = None  # the work at which the last improvement ends, once it has begun

    @property
    def options(self) -> _core.SearchOptions:
        return self.request.options

    @property
    def task(self) -> _core.GroundTask:
        own = self.request.state_space
        assert isinstance(own, _core.GroundStateSpace)
        return own.task

    def state_space(self) -> GroundStateSpace:
        """Returns a new state space: parts may run in parallel, so each has its own."""
        return _core.GroundStateSpace(self.task)

    def seconds_left(self) -> float:
        limit = self.options.time_limit or 1e9
        return max(SHORTEST, limit - (perf_counter() - self.started))

    def has_plan(self) -> bool:
        return self.incumbents.cost is not None

    def has_plan_of_search(self) -> bool:
        """Whether a search without the policy has found a plan, or the trial of the policy's plan is over."""
        return self.search_incumbents.cost is not None

    def offer(self, plan: tuple[list[int], int] | None, bound: int | None) -> None:
        """Offers all parts a plan and a bound that another process found."""
        for known in (self.incumbents, self.search_incumbents):
            known.offer_bound(bound)
            if plan is not None:
                known.offer_plan(*plan)

    def _exchange(self) -> None:
        """Passes on plans and bounds between searches with and without the policy."""
        everything, searches = self.incumbents, self.search_incumbents
        if everything is searches:
            return
        _pass_on(searches, everything, plan=True)
        _pass_on(everything, searches, plan=self.work >= TRIAL_OF_POLICY)

    def lacks_memory(self) -> bool:
        """Whether the part whose end also ends the run (`decides` in table.py) has run out of memory."""
        return self._lacks_memory

    def note_end(self, status: str, *, decides: bool) -> None:
        """Records the end of a search.

        The run ends after a timeout or an interrupt, and when the deciding part ends, unless it ran out of memory.
        """
        if status in ("timeout", "interrupted") or (decides and status != "memout"):
            self.status = status
        self._lacks_memory |= decides and status == "memout"

    def is_over(self) -> bool:
        self._check_limits()
        if self._end_of_last is not None:
            return self.work >= self._end_of_last or not self.last_work()
        cost, bound = self.incumbents.cost, self.incumbents.lower_bound
        if bound is None or self.status is not None:
            return True
        return cost is not None and (cost <= bound or (not self.options.anytime and self._within(cost, bound)))

    def begin_last(self) -> None:
        """Begins the last improvement: from now on the run is over when its work is done."""
        self._end_of_last = self.work + self.last_work()

    def last_work(self) -> int:
        """Returns the work that may be spent on a cheaper plan after w is proven; 0 without a time limit."""
        cost, bound = self.incumbents.cost, self.incumbents.lower_bound
        is_allowed = (
            bool(self.options.time_limit) and self.status in (None, "solved") and self.seconds_left() > SHORTEST
        )
        if not is_allowed or cost is None or bound is None or cost <= bound:
            return 0
        return int(min(max(LAST_SHARE * self.work, LEAST_LAST_WORK), MOST_LAST_WORK))

    def _check_limits(self) -> None:
        if self.status is None and self.options.time_limit and self.seconds_left() <= SHORTEST:
            self.status = "timeout"

    def _within(self, cost: int, bound: int) -> bool:
        numerator, denominator = parse_weight(self.options.w)
        return cost * denominator <= numerator * bound

    def take(self, turn: Turn) -> None:
        """Runs one slice of a part and records its plans, bounds and work."""
        before = self._known()
        try:
            work = turn.part.run(self._slice_of(turn))
        except MemoryError:
            turn.ended, work = True, 0
        self.work += work
        self._exchange()
        after = self._known()
        self.credit(turn.part.name, before[:2], after[:2])
        cheaper = (before[0], before[2]) != (after[0], after[2])
        turn.account(work, cheaper=cheaper, bound=after[1] != before[1] and after[0] is not None)

    def _slice_of(self, turn: Turn) -> int:
        """Returns the work of the part's next slice."""
        left = inf if self._end_of_last is None else self._end_of_last - self.work
        return max(1, int(min(turn.slice, left)))

    def pieces(self, work: int) -> Iterator[int]:
        """Yields the work of the pieces of a slice, until the run is over: one piece if there is only one thread."""
        piece = work if self.threads == 1 else PIECE
        for done in range(0, work, piece):
            yield min(piece, work - done)
            if self.is_over():
                return

    def _known(self) -> tuple[int | None, int | None, int | None]:
        return self.incumbents.cost, self.incumbents.lower_bound, self.search_incumbents.cost

    def credit(self, name: str, before: tuple[Any, Any], after: tuple[Any, Any]) -> None:
        """Records this part as the finder of the plan or the bound that has changed."""
        self.gap.note(*after, name, self.work)
        if after[1] != before[1]:
            self.bound_by = name
        if after[0] == before[0]:
            return
        self.plan_by = name
        if self.on_incumbent is not None and after[0] is not None:
            self.on_incumbent(self.incumbents.best())

    def answer(self, turns: list[Turn], elsewhere: Sequence[dict[str, Any]] = ()) -> Answer:
        """Returns the result; `elsewhere` are the statistics of parts that ran in other processes."""
        cost, bound = self.incumbents.cost, self.incumbents.lower_bound
        certified = cost is not None and (bound is None or self._within(cost, bound))
        if cost is not None and bound is None:
            bound = cost
        return Answer(
            self._status(cost, bound, certified),
            self.incumbents.best_plan(),
            cost,
            bound,
            certified,
            self._statistics(turns, elsewhere),
        )

    def _status(self, cost: int | None, bound: int | None, certified: bool) -> str:
        if certified or (cost is not None and self.status in (None, "solved")):
            return "solved"
        if bound is None:
            return "unsolvable"
        return self.status or "memout"

    def _statistics(self, turns: list[Turn], elsewhere: Sequence[dict[str, Any]]) -> dict[str, Any]:
        parts = [*(turn.part.statistics() for turn in turns), *elsewhere]
        total = {name: sum(part.get(name, 0) for part in parts) for name in COUNTS}
        total["search_seconds"] = perf_counter() - self.started
        for name in ("peak_memory_bytes", "node_bytes"):
            total[name] = max((part.get(name, 0) for part in parts), default=0)
        total |= {"plan_by": self.plan_by, "bound_by": self.bound_by, "improved_from": self.improved_from}
        total |= {"learned": next((part["learned"] for part in parts if "learned" in part), None)}
        work = {name: done for each in elsewhere for name, done in each["work"].items()}
        return {
            **total,
            "work": {**work, **{turn.part.name: work.get(turn.part.name, 0) + turn.work for turn in turns}},
        }
