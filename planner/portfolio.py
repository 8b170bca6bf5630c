"""`auto`, the default search of ground tasks: several parts share one incumbent and one lower bound.

Any plan counts and any bound counts, whichever part found it: the run ends as soon as the cheapest plan costs at most
w times the greatest bound. The parts are

    dive         LAMA's greedy search by landmark counts and h_FF, every action counting one: a first plan
    novelty      best-first width search, while there is no plan: cheap nodes, at their best where h_FF has plateaus
    greedy       greedy best-first search with h_FF, while there is no plan: it solves some tasks that the others miss
    optimistic   a quick plan, then its proof, with an admissible heuristic
    preferred    A* with h_FF and preferred operators, which prunes by the incumbent: cheaper plans, no bounds
    restarts     LAMA's restarts with decreasing weights, with costs: cheaper plans
    bounds       bounds of the start without a search: linear programs over operator counts
    improvement  the states around the incumbent are searched, windows of it are solved again
    policy       a learned policy is followed, then guides focal search
    proof        A*, once optimistic search has used up the memory

A part works in slices. The next slice goes to the part whose work so far, divided by its share, is least. A slice that
brings a better plan, or a better bound once there is a plan, doubles the part's share, any other halves it: before there
is a plan a bound ends nothing. Work is counted in expansions and evaluations and multiplied by the part's price, so with
one thread a run can be repeated exactly. The more actions a task has, the longer an evaluation takes and the smaller
slices are. With more threads parts run at the same time.

Memory. Searches that prove nothing end when the process has used GUIDANCE_MEMORY of what is allowed, and leave the rest
to optimistic search. When it has used up that, it ends, too, and the bound goes on rising by A* in the memory that has
become free: A* keeps no guides, has one queue instead of three, and generates only what its bound needs.
"""

from __future__ import annotations

import signal
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fsplan.planner import _core
from fsplan.planner.gap import GapLog
from fsplan.planner.limits import available_cores, interruptible
from fsplan.planner.weights import parse_weight

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    from fsplan.planner._core import GroundStateSpace, Incumbents
    from fsplan.planner.bounds.root import Bound
    from fsplan.planner.improve import Improver
    from fsplan.planner.request import Request

    class Part(Protocol):
        """`price` is the work that one expansion or evaluation stands for."""

        name: str
        price: float

        def is_ready(self) -> bool:
            """Whether a slice can do anything now."""
            ...

        def run(self, work: int) -> int:
            """Works about this much; returns what it took, 0 if the part has ended."""
            ...

        def statistics(self) -> dict[str, Any]: ...


FIRST_SLICE, LARGEST_SLICE, GROWTH = 500, 50_000, 1.5  # of tasks with up to SMALL_TASK actions
SMALL_TASK, SMALLEST_SHARE_OF_SLICE = 1000, 0.04
GUIDANCE_MEMORY = 0.6
BOUNDS_FIRST = 2000.0  # work that goes into bounds before others look for cheaper plans, where a good plan is at hand
# Of a search without relaxed plans: evaluations take longer where there are more facts, whatever the number of actions.
PRICE_OF_STATE, SMALL_STATE = 0.01, 1000
LEAST_SHARE, LARGEST_SHARE = 1 / 8, 4.0
SLICES_BETWEEN = 4  # before a method of bounds that was cut short goes on
SHORTEST = 1e-3  # seconds
MEMORY_OF_SOLVER = 10**9  # bytes: numpy's libraries end a process that they cannot have their buffers in
COUNTS = ("expanded", "generated", "evaluated", "reopened", "dead_ends", "deepened", "policy_evaluations",
          "policy_calls", "registered")  # fmt: skip


class Answer(NamedTuple):
    """What a native search also answers, and who found the plan and proved the bound."""

    status: str
    plan: list[int] | None
    cost: int | None
    lower_bound: int | None
    certified: bool
    statistics: dict[str, Any]


class SearchPart:
    """A native search in slices, on a graph of its own."""

    def __init__(
        self,
        name: str,
        run: Portfolio,
        price: float,
        policy: Any = None,
        when: Callable[[], bool] = lambda: True,
        **options: Any,
    ) -> None:
        self.name, self.price, self._run, self._policy, self._when = name, price, run, policy, when
        self._options = {"memory_limit": run.options.memory_limit, **options}
        self._search: _core.SlicedSearch | None = None
        self._result: _core.SearchResult | None = None
        self._space = run.state_space()

    def begins_when(self, when: Callable[[], bool]) -> None:
        self._when = when

    def is_ready(self) -> bool:
        return self._result is None and self._when()

    def run(self, work: int) -> int:
        if self._search is None:
            self._search = self._start()
        before = self._search.work
        goes_on = self._search.run_for(work)
        done = max(1, self._search.work - before)
        if not goes_on:
            self._result, self._search = self._search.finish(), None
            self._run.ended(self.name, self._result)
        return done

    def _start(self) -> _core.SlicedSearch:
        options = _core.SearchOptions(time_limit=self._run.seconds_left(), **self._options)
        options.set_defaults(True)
        return self._space.start(
            options,
            policy=self._policy,
            incumbents=self._run.incumbents,
            on_progress=self._run.on_progress,
        )

    def statistics(self) -> dict[str, Any]:
        if self._search is not None:
            self._result, self._search = self._search.finish(), None
        return {} if self._result is None else dict(self._result.statistics)


class BoundsPart:
    """One method after the other; none where numpy or the solver is not installed.

    The first slice has FIRST methods, since the first two seldom prove more than the searches do at their start; every
    other slice has one, or goes on with one whose time was short. Later methods take longer. WORK is what the others
    may do before the next method: most tasks are solved before the last two, large projections and branching, have
    their turn. A method that goes on waits for SLICES_BETWEEN slices. Each slice of a method gets at most half of the
    time that is left, and half of the time that the run has taken, or SHORTEST seconds if that is more; all of them
    together LONGEST seconds. A bound ends a run only together with a plan, so the searches for a plan go first: the
    methods wait for it, or for WORK_WITHOUT_PLAN of all parts together.
    """

    name, price, LONGEST, FIRST, WORK_WITHOUT_PLAN = "bounds", 1.0, 20.0, 3, 40_000
    WORK: Final = {"landmarks": 1200, "pairs": 1000, "triples": 10_000, "refined": 10_000}  # after these methods
    WORK_OF_LAST, SHORTEST = 200_000, 1.5

    def __init__(self, run: Portfolio) -> None:
        self._run, self._ended, self._slices, self._seconds = run, False, 0, 0.0
        self._method, self._finished = "", True
        self._steps: Iterator[Bound] | None = None

    def is_ready(self) -> bool:
        return not self._ended and (self._run.has_plan() or self._run.effort >= self.WORK_WITHOUT_PLAN)

    def run(self, work: int) -> int:
        for _ in range(1 if self._slices else self.FIRST):
            if not (self._ended or self._run.is_over()):
                self._take_step()
        self._slices += 1
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
            # Where a handler has noted the wish to stop, the next search's progress report ends the run.
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                self._run.status = "interrupted"
        self._ended = step is None
        if step is not None:
            self._method, self._finished = step.method, step.finished
            self._run.incumbents.offer_bound(step.value)
        self._seconds += perf_counter() - begin

    def _deadline(self) -> float:
        now = perf_counter()
        so_far = max(self.SHORTEST, (now - self._run.started) / 2)
        return now + min(self.LONGEST - self._seconds, self._run.seconds_left() / 2, so_far)

    def _next_step(self) -> Bound | None:
        if self._steps is None:
            from fsplan.planner.bounds.root import steps

            self._steps = steps(self._run.state_space(), self._deadline, memory_limit=self._run.options.memory_limit)
        return next(self._steps, None)

    def statistics(self) -> dict[str, Any]:
        return {}


class ImprovementPart:
    """Starts anew whenever another part has found a cheaper plan."""

    name, price = "improvement", 1.0

    def __init__(self, run: Portfolio) -> None:
        self._run, self._space = run, run.state_space()
        self._improver: Improver | None = None
        self._expanded = 0

    def is_ready(self) -> bool:
        best = self._run.incumbents.best()
        done = self._improver is not None and self._improver.exhausted and best.cost >= self._improver.cost
        return bool(best.plan) and not done

    def run(self, work: int) -> int:
        improver = self._current()
        expanded, done = improver.expanded, improver.work
        if improver.run(work, self._run.seconds_left()):
            self._run.incumbents.offer_plan(improver.plan, improver.cost)
        if improver.interrupted:
            self._run.status = "interrupted"
        self._expanded += improver.expanded - expanded
        return max(1, improver.work - done)

    def _current(self) -> Improver:
        from fsplan.planner.improve import Improver

        best = self._run.incumbents.best()
        if self._improver is None or best.cost < self._improver.cost:
            self._improver = Improver(self._space, best.plan, on_progress=self._run.on_progress)
        return self._improver

    def statistics(self) -> dict[str, Any]:
        return {"expanded": self._expanded}


class Turn:
    """A part and its place in the schedule; `scale` is that of its slices."""

    def __init__(self, part: Part, scale: float = 1.0, clock: float = 0.0) -> None:
        self.part, self.scale = part, scale
        self.clock = clock  # work so far over its share; the least is next
        self.share, self.slice, self.work = 1.0, float(FIRST_SLICE), 0
        self.running = False
        self.ended = False  # for lack of memory

    def account(self, work: int, paid: bool) -> None:
        self.work += work
        self.clock += work * self.part.price / self.share
        self.share = min(LARGEST_SHARE, self.share * 2) if paid else max(LEAST_SHARE, self.share / 2)
        self.slice = min(LARGEST_SLICE, self.slice * GROWTH)


class Portfolio:
    """One run of `auto`."""

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
        self.started = perf_counter()
        self.status: str | None = None
        self.plan_by: str | None = None
        self.bound_by: str | None = None
        self.work = 0
        self.effort = 0.0  # the same at the parts' prices, and relative to slices of this task: about 5,000 per second
        self._lacks_memory = False

    @property
    def options(self) -> _core.SearchOptions:
        return self.request.options

    @property
    def task(self) -> _core.GroundTask:
        own = self.request.state_space
        assert isinstance(own, _core.GroundStateSpace)
        return own.task

    def state_space(self) -> GroundStateSpace:
        """Parts that run side by side each have a state space of their own."""
        return _core.GroundStateSpace(self.task)

    def seconds_left(self) -> float:
        limit = self.options.time_limit or 1e9
        return max(SHORTEST, limit - (perf_counter() - self.started))

    def has_plan(self) -> bool:
        return self.incumbents.cost is not None

    def lacks_memory(self) -> bool:
        """Whether the search that proves bounds had to end for lack of it."""
        return self._lacks_memory

    def ended(self, part: str, result: _core.SearchResult) -> None:
        """The run ends with the search that proves bounds, and with any part that time or the user has stopped."""
        self._lacks_memory |= part == "optimistic" and result.status == "memout"
        if result.status in ("timeout", "interrupted") or (part == "optimistic" and result.status != "memout"):
            self.status = result.status

    def is_over(self) -> bool:
        self._check_limits()
        cost, bound = self.incumbents.cost, self.incumbents.lower_bound
        if bound is None or self.status is not None:
            return True
        return cost is not None and (cost <= bound or (not self.options.anytime and self._within(cost, bound)))

    def _check_limits(self) -> None:
        if self.status is None and self.options.time_limit and self.seconds_left() <= SHORTEST:
            self.status = "timeout"

    def _within(self, cost: int, bound: int) -> bool:
        numerator, denominator = parse_weight(self.options.w)
        return cost * denominator <= numerator * bound

    def take(self, turn: Turn) -> None:
        """One slice; notes what it brought."""
        before = self.incumbents.cost, self.incumbents.lower_bound
        try:
            work = turn.part.run(max(1, int(turn.slice * turn.scale / turn.part.price)))
        except MemoryError:
            turn.ended, work = True, 0
        after = self.incumbents.cost, self.incumbents.lower_bound
        self.work += work
        self.effort += work * turn.part.price / turn.scale
        self._credit(turn.part.name, before, after)
        turn.account(work, paid=after != before and after[0] is not None)

    def _credit(self, name: str, before: tuple[Any, Any], after: tuple[Any, Any]) -> None:
        self.gap.note(*after, name, self.work)
        if after[1] != before[1]:
            self.bound_by = name
        if after[0] == before[0]:
            return
        self.plan_by = name
        if self.on_incumbent is not None and after[0] is not None:
            self.on_incumbent(self.incumbents.best())

    def answer(self, turns: list[Turn]) -> Answer:
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
            self._statistics(turns),
        )

    def _status(self, cost: int | None, bound: int | None, certified: bool) -> str:
        if certified or (cost is not None and self.status in (None, "solved")):
            return "solved"
        if bound is None:
            return "unsolvable"
        return self.status or "memout"

    def _statistics(self, turns: list[Turn]) -> dict[str, Any]:
        parts = [turn.part.statistics() for turn in turns]
        total = {name: sum(part.get(name, 0) for part in parts) for name in COUNTS}
        total["search_seconds"] = perf_counter() - self.started
        for name in ("peak_memory_bytes", "node_bytes"):
            total[name] = max((part.get(name, 0) for part in parts), default=0)
        total |= {"plan_by": self.plan_by, "bound_by": self.bound_by}
        return {**total, "work": {turn.part.name: turn.work for turn in turns}}


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
    scale = _scale(len(run.task.cost))
    turns = [Turn(part, scale, clock) for part, clock in _parts(run, request.policy, scale)]
    _run_turns(run, turns, _thread_count(request.options.threads))
    return run.answer(turns)


def _parts(run: Portfolio, policy: Any, scale: float) -> Iterator[tuple[Part, float]]:
    """In the order of the opening, with the clock that each begins at."""
    asked = run.options.to_dict()
    options = {name: asked[name] for name in ("w", "heuristic", "anytime")}
    guidance: dict[str, Any] = {"uncertified": True}
    if run.options.memory_limit:
        guidance["memory_limit"] = int(GUIDANCE_MEMORY * run.options.memory_limit)
    dive = SearchPart("dive", run, 0.05, search="lama", heuristic="lmcount", **guidance)
    optimistic = SearchPart("optimistic", run, 1.0, search="optimistic", **options)
    price = _price_of_state(run.task) * scale
    novelty = SearchPart("novelty", run, price, search="bfws", heuristic="progress", **guidance)
    novelty.begins_when(lambda: not run.has_plan())
    greedy = SearchPart("greedy", run, 0.05, search="gbfs", heuristic="hff", **guidance)
    greedy.begins_when(lambda: not run.has_plan())
    searches = _searches_for_plans(run, guidance)
    bounds = [] if 0 < (run.options.memory_limit or 0) < MEMORY_OF_SOLVER else [BoundsPart(run)]
    begin = 0.0
    if policy is None and not run.has_plan():
        opening: list[Part] = [dive, optimistic, novelty, greedy, *searches, *bounds]
    else:
        # A plan that a good policy leads to only lacks its proof: bounds come next, a dive only where there is no plan.
        dive.begins_when(lambda: not run.has_plan())
        follow = SearchPart("follow", run, 0.5, policy, search="follow", heuristic="hmax")
        opening = [*([follow] if policy is not None else []), optimistic, dive, novelty, greedy, *bounds]
        begin = BOUNDS_FIRST
    yield from ((part, 0.0) for part in opening)
    yield from ((part, begin) for part in searches if part not in opening)
    yield ImprovementPart(run), begin
    if policy is not None:
        yield SearchPart("policy", run, 1.0, policy, search="focal", order="disc2", **options), begin
    yield SearchPart("proof", run, 1.0, when=run.lacks_memory, search="astar", heuristic=options["heuristic"]), 0.0


def _searches_for_plans(run: Portfolio, guidance: dict[str, Any]) -> list[Part]:
    return [
        SearchPart("preferred", run, 0.1, when=run.has_plan, search="prefastar", heuristic="hff", preferred="ff",
                   alternate=True, anytime=True, **guidance),
        SearchPart("restarts", run, 0.1, when=run.has_plan, search="lama", heuristic="lmcost", anytime=True,
                   **guidance),
    ]  # fmt: skip


def _scale(actions: int) -> float:
    return min(1.0, max(SMALLEST_SHARE_OF_SLICE, SMALL_TASK / max(1, actions)))


def _price_of_state(task: _core.GroundTask) -> float:
    return PRICE_OF_STATE * max(1.0, sum(task.domain_size) / SMALL_STATE)


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
