"""`solve`, the main function: it searches for a plan of a task. Module `named` has a function for each search."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fsplan.pddl.costs import TrueProgress, from_units, in_units
from fsplan.planner._core import GroundStateSpace, PythonStateSpace
from fsplan.planner.base.limits import interrupting
from fsplan.planner.base.version import __version__
from fsplan.planner.base.weights import parse_weight
from fsplan.planner.plans.plan_files import check_plan
from fsplan.planner.search.gap import GapLog
from fsplan.planner.search.request import Request
from fsplan.planner.search.result import Result
from fsplan.planner.sources.load import ensure_loaded
from fsplan.planner.tasks.states import Walker
from fsplan.planner.tasks.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Protocol

    from typing_extensions import Unpack

    from fsplan.planner._core import Expansion, Incumbent, OrderStep, Progress, SearchResult, StateSpace
    from fsplan.planner.base.weights import Weight
    from fsplan.planner.search.gap import GapPoint
    from fsplan.planner.search.named import Options
    from fsplan.planner.search.portfolio import Answer
    from fsplan.planner.search.portfolio.parts import Part
    from fsplan.planner.search.portfolio.run import Portfolio
    from fsplan.planner.tasks.task import AnyTask

    OnProgress = Callable[[Progress], bool | None]
    OnIncumbent = Callable[[list[str], int, int], None]
    OnGap = Callable[[GapPoint], None]

    class PythonPolicy(Protocol):
        """A policy: returns for each state the log-probabilities of its applicable actions.

        States and actions are a Python task's own objects; those of other tasks are `fsplan.State` and `fsplan.Action`,
        which print as atoms and names; a State is also a tuple of integers and an Action also an integer. The
        optional attribute `batch` is the preferred number of states per call; `accuracy` is used by Disc-1.
        """

        def scores(self, states: Sequence[Any], actions: Sequence[Sequence[Any]], /) -> Sequence[Sequence[float]]: ...


def solve(
    task: AnyTask,
    search: str | None = None,
    order: str | Callable[[OrderStep], float] | None = None,
    w: Weight | None = None,
    *,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_expansion: Callable[[Expansion], None] | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
    scheduler: str | None = None,
    learner: Callable[[Portfolio], Part] | None = None,
    **options: Unpack[Options],
) -> Result:
    """Searches for a plan whose cost is at most w times the optimum, and returns it with a proven lower bound.

    task            a task, or its files: "problem.pddl" beside its domain, ("domain.pddl", "problem.pddl")
    search          a name of `catalogue.searches()`; the default is focal if an order is given, else auto
    order           how FOCAL is ordered: a name of `catalogue.orders()`, or a callable
    w               the weight (suboptimality factor); it is exact: 1.15 means 23/20
    on_progress     called about ten times per second; the search stops if it returns False
    on_incumbent    called with each better plan, its cost and the lower bound
    on_expansion    called before each expansion; not allowed with `auto`, which runs several searches
    on_gap          called with a GapPoint for each better plan and each greater lower bound
    lower_bound     a lower bound on the cost of all plans that the caller has proven
    incumbent       a known plan with its cost
    scheduler       address of a Dask scheduler, such as "tcp://10.0.0.1:8786": its workers run the parts of `auto`
    learner         makes a further part of `auto`, which learns (`planner/learning/relational/inside.py`)
    options         see `catalogue.options()`; an option that neither the search nor the order reads is an error

    >>> class Line:
    ...     start, actions = 0, ["left", "right"]
    ...     def successors(self, state):
    ...         return [("left", 1, state - 1), ("right", 1, state + 1)]
    ...     def is_goal(self, state):
    ...         return state == 3
    ...     def heuristic(self, state):
    ...         return abs(3 - state)
    >>> result = solve(Line(), order="disc1", accuracy=0.9, w=1.5)
    >>> result.plan, result.cost, result.lower_bound, result.certified
    (['right', 'right', 'right'], 3, 3, True)
    """
    if not isinstance(task, Task):
        task, search = (ensure_loaded((task, search)), None) if _is_pddl(search) else (ensure_loaded(task), search)
    on_progress, asked_to_stop = _remembering(on_progress)
    searched = getattr(task, "python_object", task)
    request = Request(searched, {"search": search, "order": order, "w": w, **options}, on_progress)
    space = request.state_space
    denominator = getattr(task, "cost_denominator", 1)
    known_plan = None if incumbent is None else (_numbered(incumbent[0], space), in_units(incumbent[1], denominator))
    gap = GapLog(on_gap, denominator)
    run = _portfolio if _is_portfolio(request) else _single
    if scheduler is not None:
        run = _spread(task, scheduler, run)
    elif learner is not None:
        if run is not _portfolio:
            raise ValueError("a learner is a part of the search auto, without an expansion limit, of a PDDL task")
        run = partial(_portfolio, learner=learner)
    callbacks: dict[str, Any] = {
        "on_progress": _true_progress(on_progress, denominator),
        "on_incumbent": _named_incumbent(on_incumbent, space, denominator),
    }
    if on_expansion is not None:
        callbacks["on_expansion"] = on_expansion
    with interrupting((request.options.time_limit or None) if run is _single else None):
        answer: Any = run(request, callbacks, in_units(lower_bound, denominator), known_plan, gap)
    gap.note(answer.cost, answer.lower_bound, request.options.search)
    result = _result(task, request, answer, gap, denominator)
    if result.status == "interrupted" and not asked_to_stop():
        raise Interrupted(result)
    return result


def _result(task: Any, request: Request, answer: Any, gap: GapLog, denominator: int) -> Result:
    """Returns the native search's result with costs converted from units. The plan of a loaded task is validated."""
    space = request.state_space
    plan = None if answer.plan is None else [space.action_name(action) for action in answer.plan]
    step_costs, cost = None, from_units(answer.cost, denominator)
    if plan is not None and cost is not None and isinstance(task, Task):
        step_costs = check_plan(task, plan, cost)
    record = {**request.record(), **_origin(task), "version": __version__}
    return Result(
        answer.status,
        plan,
        cost,
        from_units(answer.lower_bound, denominator),
        answer.certified,
        parse_weight(record["w_exact"]),
        record,
        answer.statistics,
        step_costs,
        gap.points,
        _actions(task, space, answer.plan or ()),
    )


def _actions(task: Any, space: StateSpace, plan: Sequence[int]) -> Callable[[], list[Any]]:
    """Returns a function that makes the Action objects of a plan lazily: most callers need only their names."""
    if isinstance(space, PythonStateSpace):
        return [space.action(number) for number in plan].copy

    return lambda: list(map((task.walker if isinstance(task, Task) else Walker(space)).action, plan))


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a search. `result` has the plan and the lower bound found until then."""

    def __init__(self, result: Result) -> None:
        super().__init__("the search was interrupted; what it found is the exception's .result")
        self.result = result


def _remembering(callback: OnProgress | None) -> tuple[OnProgress | None, Callable[[], bool]]:
    """Returns the callback, and a function that tells whether the callback has stopped the search."""
    if callback is None:
        return None, lambda: False
    answers: list[object] = [None]

    def report(now: Progress) -> bool | None:
        answers[0] = callback(now)
        return answers[0] is not False

    return report, lambda: answers[0] is False


def _is_pddl(word: str | None) -> bool:
    """Whether the second argument is a PDDL problem and not a search, as in `solve("domain.pddl", "problem.pddl")`."""
    return word is not None and (word.endswith(".pddl") or "(define" in word)


def _is_portfolio(request: Request) -> bool:
    """Whether `auto` runs its portfolio: only for ground tasks, without an expansion limit or a Python heuristic.

    Its parts start in the task's initial state, so a state space that starts elsewhere (`at`) is left to one search.
    """
    if request.options.search != "auto" or request.options.expansion_limit or request.heuristic is not None:
        return False
    space = request.state_space
    return isinstance(space, GroundStateSpace) and _starts_initially(space)


def _starts_initially(space: GroundStateSpace) -> bool:
    """Whether the space starts in its task's initial state; derived variables follow from the others."""
    values = zip(space.start_values(), space.task.initial, space.task.layer, strict=False)
    return all(value == initial for value, initial, layer in values if layer < 0)


def _single(
    request: Request, callbacks: dict[str, Any], known_bound: int, known_plan: Any, gap: GapLog
) -> SearchResult:
    name = request.options.search
    return request.state_space.search(
        request.options,
        policy=request.policy,
        order=request.order,
        heuristic=request.heuristic,
        **{
            **callbacks,
            "on_progress": _noting_progress(callbacks["on_progress"], gap, name),
            "on_incumbent": _noting_incumbent(callbacks["on_incumbent"], gap, name),
        },
        known_bound=known_bound,
        known_plan=known_plan,
        accuracy_profile=request.accuracy_profile,
    )


def _noting_progress(callback: OnProgress | None, gap: GapLog, name: str) -> OnProgress | None:
    """Returns a callback that also records lower bounds in the gap log; without a listener it is not installed."""
    if gap.on_change is None:
        return callback

    def report(now: Progress) -> bool | None:
        gap.note(now.incumbent, now.lower_bound, name)
        return None if callback is None else callback(now)

    return report


def _noting_incumbent(callback: Any, gap: GapLog, name: str) -> Callable[[Incumbent], None]:
    def report(found: Incumbent) -> None:
        gap.note(found.cost, found.lower_bound, name)
        if callback is not None:
            callback(found)

    return report


def _portfolio(
    request: Request,
    callbacks: dict[str, Any],
    known_bound: int,
    known_plan: Any,
    gap: GapLog,
    cluster: tuple[Task, str] | None = None,
    learner: Callable[[Portfolio], Part] | None = None,
) -> Answer:
    from fsplan.planner.search.portfolio import search

    if "on_expansion" in callbacks:
        raise ValueError("auto runs several searches; choose the one to watch: --search or --focal (search=…, order=…)")
    given = (known_bound, known_plan, gap, cluster, learner)
    return search(request, callbacks["on_progress"], callbacks["on_incumbent"], *given)


def _spread(task: AnyTask, scheduler: str, run: Any) -> Any:
    """Returns a function that runs `_portfolio` on a Dask cluster; raises ValueError if the run does not support it."""
    if run is not _portfolio or not isinstance(task, Task) or task.recipe is None:
        raise ValueError("only the search auto of a PDDL task runs on a cluster (scheduler=…, --scheduler)")
    return lambda *arguments: _portfolio(*arguments, cluster=(task, scheduler))


def _named_incumbent(
    callback: OnIncumbent | None, space: StateSpace, denominator: int
) -> Callable[[Incumbent], None] | None:
    if callback is None:
        return None

    def report(found: Incumbent) -> None:
        costs = (from_units(units, denominator) for units in (found.cost, found.lower_bound))
        callback([space.action_name(action) for action in found.plan], *costs)

    return report


def _true_progress(callback: OnProgress | None, denominator: int) -> Any:
    if callback is None or denominator == 1:
        return callback

    return lambda now: callback(TrueProgress(now, denominator))  # type: ignore[arg-type]


def _numbered(plan: Sequence[str], space: StateSpace) -> list[int]:
    """Returns the numbers of a plan's actions."""
    wanted, numbers = set(plan), dict[str, int]()
    for action in range(space.action_count()):
        if (name := space.action_name(action)) in wanted:
            numbers.setdefault(name, action)
    if missing := wanted - numbers.keys():
        raise ValueError(f"the incumbent's plan has actions that the task does not: {', '.join(sorted(missing))}")
    return [numbers[name] for name in plan]


def _origin(task: object) -> dict[str, Any]:
    """Returns the arguments from which the task can be loaded again, for the record."""
    words = getattr(task, "words", None)
    return {
        "task": None if words is None else list(words),
        "reader": getattr(task, "reader", None),
        "grounded": getattr(task, "is_grounded", True),
    }
