"""The searches: typed functions from a task to a Result."""

from __future__ import annotations

from fsplan.planner.orders import ORDERS, check_accuracy
from fsplan.planner.quantities import LARGEST, LARGEST_SEED, seconds, size, whole
from fsplan.planner.result import Result
from fsplan.planner.task import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from decimal import Decimal
    from fractions import Fraction
    from typing import Any, Protocol, TypedDict

    from typing_extensions import Unpack

    from fsplan.planner._core import Incumbent, OrderStep, Policy, Progress, Source
    from fsplan.planner.task import SearchTask

    AnyTask = Task | SearchTask | Source
    Weight = str | int | float | Fraction | Decimal

    class PythonPolicy(Protocol):
        """One list of log-probabilities per state, one for each of its applicable actions.

        States are tuples of integers and actions numbers, or a Python task's own objects. `batch`, if there, says
        how many states a call should see; `accuracy` is used by Disc-1.
        """

        def scores(self, states: Sequence[Any], actions: Sequence[Sequence[Any]], /) -> Sequence[Sequence[float]]: ...

    class Options(TypedDict, total=False):
        heuristic: str | Callable[[Any], float | None] | None
        policy: str | Policy | PythonPolicy | None
        accuracy: float | None
        masked: bool
        seed: int
        ties: str | Sequence[str] | None
        reopen: bool
        preferred: str | None
        alternate: bool
        uncertified: bool
        anytime: bool
        lookahead: int | None
        k_focal: int
        fast: bool
        lazy: bool
        fresh: bool
        hedge: bool
        prove: int
        deepen: int
        alpha: str
        time_limit: float | str | None
        memory_limit: int | str | None
        expansion_limit: int | None
        on_progress: Callable[[Progress], bool | None] | None
        on_incumbent: Callable[[list[str], int, int], None] | None


SEARCHES = ("focal", "astar", "wastar", "gbfs", "prefastar", "idastar", "unroll", "follow", "optimistic")
TIES = ("f", "h", "newest", "oldest")
# What breaks ties between equal keys unless asked otherwise.
DEFAULT_TIES = {"focal": ("f", "h", "newest")}
FAST_TIES = ("h", "f", "newest")
# What Disc-1 takes the `ff` policy's accuracy to be where none is given.
RELAXED_PLAN_ACCURACY = 0.8
LARGEST_TERM = 2**63 - 1
LARGEST_SHARE = 1_000_000


def parse_weight(w: Weight) -> tuple[int, int]:
    """w as an exact fraction; decimal text and floats mean what they show.

    >>> parse_weight("1.15"), parse_weight(1.15), parse_weight("4/3"), parse_weight(2)
    ((23, 20), (23, 20), (4, 3), (2, 1))
    """
    from math import gcd
    from operator import index

    try:
        if isinstance(w, (str, float)):
            numerator, denominator = _parse_fraction(w if isinstance(w, str) else repr(float(w)))
        else:
            number: Any = w
            exact = number if hasattr(w, "as_integer_ratio") else index(number)  # as numpy's integers
            numerator, denominator = exact.as_integer_ratio()
    except (AttributeError, TypeError, ValueError, OverflowError, ArithmeticError):
        raise ValueError(f"w must be a number such as 1.5 or 3/2, not {w!r}") from None
    if denominator < 1 or numerator < denominator:
        raise ValueError(f"w must be at least 1, not {w}")
    common = gcd(numerator, denominator)
    numerator, denominator = numerator // common, denominator // common
    if numerator > LARGEST_TERM:
        raise ValueError(f"w has too many digits: {w}")
    return numerator, denominator


def _parse_fraction(text: str) -> tuple[int, int]:
    mantissa, _, exponent = text.lower().strip().partition("e")
    over, slash, under = mantissa.partition("/")
    if slash:
        if exponent:
            raise ValueError(text)
        return _digits(over), _digits(under)
    whole, _, decimals = over.partition(".")
    power = int(exponent or "0") - len(decimals)
    if abs(power) > 40:
        raise ValueError
    digits = _digits(whole + decimals)
    return (digits * 10**power, 1) if power >= 0 else (digits, 10**-power)


def _digits(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError
    return int(text)


def solve(
    task: AnyTask,
    search: str = "focal",
    order: str | Callable[[OrderStep], float] = "disc2",
    w: Weight = "1.5",
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    policy: str | Policy | PythonPolicy | None = None,
    accuracy: float | None = None,
    masked: bool = True,
    seed: int = 0,
    ties: str | Sequence[str] | None = None,
    reopen: bool = True,
    preferred: str | None = None,
    alternate: bool = False,
    uncertified: bool = False,
    anytime: bool = False,
    lookahead: int | None = None,
    k_focal: int = 1,
    fast: bool = False,
    lazy: bool = False,
    fresh: bool = False,
    hedge: bool = False,
    prove: int = 0,
    deepen: int = 0,
    alpha: str = "all",
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    on_progress: Callable[[Progress], bool | None] | None = None,
    on_incumbent: Callable[[list[str], int, int], None] | None = None,
) -> Result:
    """Searches for a plan whose cost is at most w times the least possible, and says what it has proven.

    search          focal, astar, wastar, gbfs, prefastar, idastar, unroll or optimistic
    order           how FOCAL is ordered: see `orders.ORDERS`, or a callable
    w               the bound, exact: 1.15 is 23/20
    heuristic       a name the task knows; for a Python task a callable
    policy          "ff" (the default where one is needed), "uniform", "synthetic:0.9", a policy file, a name or
                    module:factory (see `policies.registry`), or an object with a method `scores`
    accuracy        Disc-1's accuracy of the policy; the policy's own if it has one
    masked          policies are renormalised over the applicable actions; False: as they come, for named policies
    ties            what breaks ties between equal keys, in turn: f, h, then newest or oldest
    reopen          re-open states reached again more cheaply; without it the bound may break
    preferred       prefastar: "policy" (its first choice) or "ff" (helpful actions)
    alternate       prefastar: take turns between preferred and regular, as Fast Downward does
    uncertified     allow a heuristic that is not admissible, and so proves nothing
    anytime         after a plan go on, with smaller and smaller w, until it is proven optimal
    lookahead       how many states are scored in one call of the policy; expansions do not change
    k_focal         K-Focal: how many states leave FOCAL together
    fast            focal beyond the paper's: fresh, prove=1, ties h,f,newest, with LM-cut lazy and hedge
    lazy            focal: states are evaluated when they surface, not when they are generated
    fresh           focal: ranks count only actions that lead to states not yet reached so cheaply
    hedge           focal: the least g + w·h of FOCAL gets a turn for each one of the order
    prove           focal: how many states of least f are expanded, to raise the bound, for each one of the order
    deepen          focal, tasks with cheap states: depth-first nodes, for each expansion, that raise the bound
    alpha           Disc-1: "all" actions or the "applicable" ones
    time_limit      seconds, or a text such as "5m"; memory_limit: bytes of the process, or "4GB"
    expansion_limit expansions
    on_progress     called about ten times a second; False stops the search
    on_incumbent    called with each better plan, its cost and the lower bound

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
    _check("search", search, SEARCHES)
    numerator, denominator = parse_weight(w if search != "astar" and search != "idastar" else 1)
    whole("seed", seed, 0, LARGEST_SEED)
    source = _source(task, heuristic)
    if fast and search == "focal":
        informed = heuristic == "lmcut"  # and dear
        lazy, hedge, fresh, prove, ties = lazy or informed, hedge or informed, True, prove or 1, ties or FAST_TIES
    if policy is None:
        policy = _default_policy(task, search, preferred)
    chosen = _policy(policy, task, seed, masked)
    tie_rule = _ties(ties, search)
    by_order = order if search == "focal" else None
    if by_order == "disc1":
        accuracy = _accuracy(accuracy, chosen, alpha, source)
    name = _heuristic_name(source, heuristic)
    if name.startswith("pdb"):
        from fsplan.domains.pattern_databases import attach

        attach(source, name, on_progress)
    answer = source.search(
        algorithm=search,
        order=_order(by_order),
        numerator=numerator,
        denominator=denominator,
        heuristic=name,
        policy=chosen,
        accuracy=accuracy or 0.0,
        alpha=_check("alpha", alpha, ("all", "applicable")),
        preferred=_check("preferred", preferred or "policy", ("policy", "ff")),
        alternate=alternate,
        ties=tie_rule,
        reopen=reopen,
        uncertified=uncertified,
        anytime=anytime,
        lookahead=_positive("lookahead", lookahead),
        k_focal=_positive("k_focal", k_focal) or 1,
        lazy=lazy,
        fresh=fresh,
        hedge=hedge,
        prove=whole("prove", prove, 0, LARGEST_SHARE),
        deepen=whole("deepen", deepen, 0, LARGEST_SHARE),
        seed=seed,
        seconds=_positive("time_limit", _seconds(time_limit)),
        memory_bytes=_positive("memory_limit", size(memory_limit) if isinstance(memory_limit, str) else memory_limit),
        expansions=_positive("expansion_limit", expansion_limit),
        on_progress=on_progress,
        on_incumbent=_named_incumbent(on_incumbent, source),
    )
    record = {
        "w_exact": f"{numerator}/{denominator}",
        "search": search,
        "order": _label(by_order),
        "heuristic": name,
        "policy": _label(policy),
        "policy_details": getattr(chosen, "details", None),
        "accuracy": accuracy,
        "masked": bool(getattr(chosen, "masked", masked)),
        "seed": seed,
        "ties": tie_rule,
        "reopen": reopen,
        "anytime": anytime,
        "uncertified": uncertified,
        "alpha": alpha,
        "preferred": preferred,
        "alternate": alternate,
        "k_focal": k_focal,
        "lookahead": lookahead,
        "lazy": lazy,
        "fresh": fresh,
        "hedge": hedge,
        "prove": prove,
        "deepen": deepen,
        "version": _version(),
    }
    plan = None if answer.plan is None else [source.action_name(action) for action in answer.plan]
    if plan is not None and answer.cost is not None and isinstance(task, Task):
        from fsplan.planner.plans import check_plan

        check_plan(task, plan, answer.cost)
    return Result(
        answer.status,
        plan,
        answer.cost,
        answer.lower_bound,
        answer.certified,
        (numerator, denominator),
        record,
        answer.statistics,
    )


def focal(
    task: AnyTask,
    order: str | Callable[[OrderStep], float] = "disc2",
    w: Weight = "1.5",
    **options: Unpack[Options],
) -> Result:
    """Focal search with a policy; the cost is at most w times the least possible."""
    return solve(task, "focal", order, w, **options)


def astar(task: AnyTask, **options: Unpack[Options]) -> Result:
    """A*: a plan of least cost."""
    return solve(task, "astar", w=1, **options)


def wastar(task: AnyTask, w: Weight = "1.5", **options: Unpack[Options]) -> Result:
    """Weighted A*, f = g + w·h, with re-opening."""
    return solve(task, "wastar", w=w, **options)


def gbfs(task: AnyTask, w: Weight = "1.5", **options: Unpack[Options]) -> Result:
    """Greedy best-first search. Its plan is certified only if the states left open happen to prove w."""
    return solve(task, "gbfs", w=w, **options)


def prefastar(task: AnyTask, w: Weight = "1.5", **options: Unpack[Options]) -> Result:
    """A* with preferred operators: fast with a good policy. Certified only if the open states happen to prove w."""
    return solve(task, "prefastar", w=w, **options)


def idastar(task: AnyTask, **options: Unpack[Options]) -> Result:
    """IDA*, for puzzles and explicit graphs: a plan of least cost without memory of states."""
    return solve(task, "idastar", w=1, **options)


def unroll(task: AnyTask, w: Weight = "1.5", **options: Unpack[Options]) -> Result:
    """Follows the policy to a goal, a repetition or a limit."""
    return solve(task, "unroll", w=w, **options)


def optimistic(task: AnyTask, w: Weight = "1.5", **options: Unpack[Options]) -> Result:
    """A quick plan first, then whatever proves it, or a better one, to be within w."""
    return solve(task, "optimistic", w=w, **options)


def _check(what: str, value: str, legal: Sequence[str]) -> str:
    if value not in legal:
        raise ValueError(f"{what} {value!r} is unknown; choose one of: {', '.join(legal)}")
    return value


def _positive(what: str, value: Any) -> Any:
    if value is None:
        return 0
    if not value > 0:
        raise ValueError(f"{what} must be positive, not {value!r}")
    return min(value, LARGEST)


def _source(task: AnyTask, heuristic: object) -> Source:
    from fsplan.planner import _core

    if isinstance(task, Task):
        return task.source
    if isinstance(task, _core.Source):
        return task
    for member in ("start", "successors", "is_goal"):
        if not hasattr(task, member):
            raise TypeError(f"a task needs `start`, `successors` and `is_goal`; {type(task).__name__} lacks `{member}`")
    function = getattr(task, "heuristic", None) if heuristic is None else heuristic
    if heuristic == "blind":
        function = None
    if function is not None and not callable(function):
        raise ValueError(f"a Python task's heuristic is a callable or 'blind', not {heuristic!r}")
    return _core.PythonSource(task, function)


def _heuristic_name(source: Source, heuristic: object) -> str:
    legal = source.heuristics()
    if heuristic is None:
        return legal[0]
    if legal == ["task"]:
        return _label(heuristic) or ""
    if not isinstance(heuristic, str):
        raise ValueError(f"a native task's heuristic is one of: {', '.join(legal)}")
    return _check("heuristic", heuristic, legal)


def _seconds(limit: object) -> Any:
    """A limit may be a function: what is left once the policy is there, for a caller who keeps a budget."""
    limit = limit() if callable(limit) else limit
    return seconds(limit) if isinstance(limit, str) else limit


def _default_policy(task: AnyTask, search: str, preferred: str | None) -> str | None:
    """None where the search needs no policy."""
    if search not in ("focal", "unroll", "follow") and (search != "prefastar" or preferred == "ff"):
        return None
    from fsplan.planner.policies.registry import default_policy

    return default_policy(task)


def _policy(policy: str | Policy | PythonPolicy | None, task: AnyTask, seed: int, masked: bool) -> Any:
    if policy is None:
        return None
    from fsplan.planner.policies.registry import resolve

    return resolve(policy, task, seed=seed, masked=masked)


def _order(order: str | Callable[[OrderStep], float] | None) -> Any:
    if order is None:
        return "disc2"
    if isinstance(order, str):
        return _check("order", order, tuple(ORDERS))
    if not callable(order):
        raise ValueError(f"an order is a callable or one of: {', '.join(ORDERS)}")
    return order


def _ties(ties: str | Sequence[str] | None, search: str) -> list[str]:
    if ties is None:
        return list(DEFAULT_TIES.get(search, ("h", "newest")))
    rule = [part.strip() for part in ties.split(",")] if isinstance(ties, str) else list(ties)
    for tie in rule:
        _check("tie", tie, TIES)
    ends = [tie for tie in rule if tie in ("newest", "oldest")]
    if len(set(rule)) != len(rule) or len(ends) > 1 or (ends and rule[-1] != ends[0]):
        raise ValueError(f"ties are f and h in any order, then newest or oldest, not {', '.join(rule)}")
    return rule if ends else [*rule, "newest"]


def _accuracy(accuracy: float | None, policy: object, alpha: str, source: Source) -> float:
    known = _known_accuracy(policy) if accuracy is None else accuracy
    if known is None:
        raise ValueError("disc1 needs the policy's accuracy: give accuracy=…, or use disc2")
    check_accuracy(float(known), source.action_count() if alpha == "all" else 1)
    return float(known)


def _known_accuracy(policy: object) -> float | None:
    from fsplan.planner._core import RelaxedPlanPolicy

    if isinstance(policy, RelaxedPlanPolicy):
        return RELAXED_PLAN_ACCURACY
    known: float | None = getattr(policy, "accuracy", None)
    return known


def _named_incumbent(
    callback: Callable[[list[str], int, int], None] | None, source: Source
) -> Callable[[Incumbent], None] | None:
    if callback is None:
        return None

    def tell(found: Incumbent) -> None:
        callback([source.action_name(action) for action in found.plan], found.cost, found.lower_bound)

    return tell


def _label(part: object) -> str | None:
    if part is None or isinstance(part, str):
        return part
    return str(getattr(part, "name", None) or getattr(part, "__name__", None) or type(part).__name__)


def _version() -> str:
    from fsplan import __version__

    return __version__
