"""The searches as functions, one each, with the options that it reads.

Written by scripts/stubs from the declarations of searches and options; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from fsplan.planner.search import solve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fsplan.planner._core import OrderStep, Policy
    from fsplan.planner.result import Result
    from fsplan.planner.search import OnGap, OnIncumbent, OnProgress, PythonPolicy
    from fsplan.planner.task import AnyTask
    from fsplan.planner.weights import Weight

    class Options(TypedDict, total=False):
        """What `solve` reads beyond search, order and w."""

        heuristic: str | Callable[[Any], float | None] | None
        policy: str | Policy | PythonPolicy | None
        accuracy: float | None
        anytime: bool | None
        paper: bool | None
        threads: int | None
        seed: int | None
        time_limit: float | str | Callable[[], float | None] | None
        memory_limit: int | str | None
        expansion_limit: int | None
        alpha: str | None
        masked: bool | None
        ties: str | Sequence[str] | None
        reopen: bool | None
        uncertified: bool | None
        preferred: str | None
        alternate: bool | None
        lookahead: int | None
        k_focal: int | None
        lazy: bool | None
        fresh: bool | None
        hedge: bool | None
        prove: int | None
        deepen: int | None
        probability: float | None
        width: int | None
        normalise: str | None
        sample: bool | None
        steps: int | None
        samples: int | None


__all__ = [
    "astar",
    "auto",
    "beam",
    "bfws",
    "dps",
    "ees",
    "focal",
    "follow",
    "gbfs",
    "idastar",
    "ios",
    "lama",
    "lds",
    "levin",
    "optimistic",
    "pfs",
    "phs",
    "prefastar",
    "qstar",
    "rr_d",
    "unroll",
    "wastar",
    "xdp",
    "xup",
]


def focal(
    task: AnyTask,
    order: str | Callable[[OrderStep], float] | None = None,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    policy: str | Policy | PythonPolicy | None = None,
    accuracy: float | None = None,
    anytime: bool | None = None,
    paper: bool | None = None,
    seed: int | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    alpha: str | None = None,
    masked: bool | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    lookahead: int | None = None,
    k_focal: int | None = None,
    lazy: bool | None = None,
    fresh: bool | None = None,
    hedge: bool | None = None,
    prove: int | None = None,
    deepen: int | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Focal search: of the open nodes with f <= w times the bound, first what the policy's order prefers."""
    return solve(
        task,
        "focal",
        order=order,
        w=w,
        heuristic=heuristic,
        policy=policy,
        accuracy=accuracy,
        anytime=anytime,
        paper=paper,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        alpha=alpha,
        masked=masked,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        lookahead=lookahead,
        k_focal=k_focal,
        lazy=lazy,
        fresh=fresh,
        hedge=hedge,
        prove=prove,
        deepen=deepen,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def astar(
    task: AnyTask,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    anytime: bool | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """A*: a plan of least cost."""
    return solve(
        task,
        "astar",
        heuristic=heuristic,
        anytime=anytime,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def wastar(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    anytime: bool | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Weighted A*: f = g + w·h, with re-opening."""
    return solve(
        task,
        "wastar",
        w=w,
        heuristic=heuristic,
        anytime=anytime,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def gbfs(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    anytime: bool | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Greedy best-first search: least h first; certified only if the open nodes happen to prove w."""
    return solve(
        task,
        "gbfs",
        w=w,
        heuristic=heuristic,
        anytime=anytime,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def prefastar(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    policy: str | Policy | PythonPolicy | None = None,
    anytime: bool | None = None,
    seed: int | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    masked: bool | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    preferred: str | None = None,
    alternate: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """A* with preferred operators: fast with a good policy; certified only if the open nodes happen to prove w."""
    return solve(
        task,
        "prefastar",
        w=w,
        heuristic=heuristic,
        policy=policy,
        anytime=anytime,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        masked=masked,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        preferred=preferred,
        alternate=alternate,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def idastar(
    task: AnyTask,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """IDA*, for puzzles and explicit graphs: a plan of least cost without memory of states."""
    return solve(
        task,
        "idastar",
        heuristic=heuristic,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def unroll(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    policy: str | Policy | PythonPolicy | None = None,
    seed: int | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    masked: bool | None = None,
    sample: bool | None = None,
    steps: int | None = None,
    samples: int | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Follows the policy to a goal, a state seen before or a limit."""
    return solve(
        task,
        "unroll",
        w=w,
        heuristic=heuristic,
        policy=policy,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        masked=masked,
        sample=sample,
        steps=steps,
        samples=samples,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def follow(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    policy: str | Policy | PythonPolicy | None = None,
    seed: int | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Follows the policy without visiting a state twice, and steps back where it cannot go on."""
    return solve(
        task,
        "follow",
        w=w,
        heuristic=heuristic,
        policy=policy,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def optimistic(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    policy: str | Policy | PythonPolicy | None = None,
    anytime: bool | None = None,
    seed: int | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """A quick plan first, then whatever proves it, or a better one, to be within w."""
    return solve(
        task,
        "optimistic",
        w=w,
        heuristic=heuristic,
        policy=policy,
        anytime=anytime,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def rr_d(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    anytime: bool | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """RR-d: turns of the fewest steps to go, of the least estimated cost and of the least f."""
    return solve(
        task,
        "rr-d",
        w=w,
        heuristic=heuristic,
        anytime=anytime,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def dps(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    anytime: bool | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Dynamic potential search: the greatest (w·f_min - g) / h first."""
    return solve(
        task,
        "dps",
        w=w,
        heuristic=heuristic,
        anytime=anytime,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def ees(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    anytime: bool | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Explicit estimation search: what seems nearest to a goal among what seems cheap enough."""
    return solve(
        task,
        "ees",
        w=w,
        heuristic=heuristic,
        anytime=anytime,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def xdp(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    anytime: bool | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Best-first by a convex key: precise near the start, greedy near the goal."""
    return solve(
        task,
        "xdp",
        w=w,
        heuristic=heuristic,
        anytime=anytime,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def xup(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    anytime: bool | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Best-first by a convex key: greedy near the start, precise near the goal."""
    return solve(
        task,
        "xup",
        w=w,
        heuristic=heuristic,
        anytime=anytime,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def levin(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    policy: str | Policy | PythonPolicy | None = None,
    anytime: bool | None = None,
    seed: int | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    masked: bool | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """LevinTS: the least path length over the path's likelihood under the policy first."""
    return solve(
        task,
        "levin",
        w=w,
        heuristic=heuristic,
        policy=policy,
        anytime=anytime,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        masked=masked,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def phs(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    policy: str | Policy | PythonPolicy | None = None,
    anytime: bool | None = None,
    seed: int | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    masked: bool | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """PHS*: as levin, with f for the length, and with how likely the rest of the path is by h."""
    return solve(
        task,
        "phs",
        w=w,
        heuristic=heuristic,
        policy=policy,
        anytime=anytime,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        masked=masked,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def pfs(
    task: AnyTask,
    order: str | Callable[[OrderStep], float] | None = None,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    policy: str | Policy | PythonPolicy | None = None,
    accuracy: float | None = None,
    anytime: bool | None = None,
    seed: int | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    alpha: str | None = None,
    masked: bool | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    lookahead: int | None = None,
    probability: float | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Probabilistic focal search: by a coin, the order's choice from FOCAL or the least f."""
    return solve(
        task,
        "pfs",
        order=order,
        w=w,
        heuristic=heuristic,
        policy=policy,
        accuracy=accuracy,
        anytime=anytime,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        alpha=alpha,
        masked=masked,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        lookahead=lookahead,
        probability=probability,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def ios(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    anytime: bool | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    ties: str | Sequence[str] | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Improved optimistic search: a plan by weight 2w-1, then least f first until it is proven."""
    return solve(
        task,
        "ios",
        w=w,
        heuristic=heuristic,
        anytime=anytime,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        ties=ties,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def lds(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    policy: str | Policy | PythonPolicy | None = None,
    anytime: bool | None = None,
    seed: int | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    masked: bool | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Limited discrepancy search: the fewest actions against the policy's first choice, depth-first."""
    return solve(
        task,
        "lds",
        w=w,
        heuristic=heuristic,
        policy=policy,
        anytime=anytime,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        masked=masked,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def beam(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    policy: str | Policy | PythonPolicy | None = None,
    anytime: bool | None = None,
    seed: int | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    masked: bool | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    width: int | None = None,
    normalise: str | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Beam search: layer by layer, the states whose paths the policy likes best."""
    return solve(
        task,
        "beam",
        w=w,
        heuristic=heuristic,
        policy=policy,
        anytime=anytime,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        masked=masked,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        width=width,
        normalise=normalise,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def qstar(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    policy: str | Policy | PythonPolicy | None = None,
    anytime: bool | None = None,
    seed: int | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    masked: bool | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Q*: the least g + w·Q(s, a) by one call of the policy per state; successors are evaluated when they surface."""
    return solve(
        task,
        "qstar",
        w=w,
        heuristic=heuristic,
        policy=policy,
        anytime=anytime,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        masked=masked,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def lama(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    anytime: bool | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """LAMA: lazy greedy search by h and by the guide, helpful actions first; anytime: restarts with weights."""
    return solve(
        task,
        "lama",
        w=w,
        heuristic=heuristic,
        anytime=anytime,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def bfws(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    anytime: bool | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    ties: str | Sequence[str] | None = None,
    reopen: bool | None = None,
    uncertified: bool | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Best-first width search: states with a fact, or a pair, that none of equal estimates had come first."""
    return solve(
        task,
        "bfws",
        w=w,
        heuristic=heuristic,
        anytime=anytime,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        ties=ties,
        reopen=reopen,
        uncertified=uncertified,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )


def auto(
    task: AnyTask,
    w: Weight | None = None,
    *,
    heuristic: str | Callable[[Any], float | None] | None = None,
    policy: str | Policy | PythonPolicy | None = None,
    anytime: bool | None = None,
    threads: int | None = None,
    seed: int | None = None,
    time_limit: float | str | Callable[[], float | None] | None = None,
    memory_limit: int | str | None = None,
    expansion_limit: int | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
    lower_bound: int = 0,
    incumbent: tuple[Sequence[str], int] | None = None,
) -> Result:
    """Several searches, root bounds and plan improvement share plans and bounds until w is proven."""
    return solve(
        task,
        "auto",
        w=w,
        heuristic=heuristic,
        policy=policy,
        anytime=anytime,
        threads=threads,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        expansion_limit=expansion_limit,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        lower_bound=lower_bound,
        incumbent=incumbent,
    )
