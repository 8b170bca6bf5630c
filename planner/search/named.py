"""The searches as functions, made from their declarations: `wastar(task, w=2)` is `solve(task, "wastar", w=2)`.

>>> astar.__doc__
'A*: a plan of least cost.'
>>> "w" in inspect.signature(wastar).parameters, "w" in inspect.signature(astar).parameters
(True, False)
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

from fsplan.planner.search import catalogue
from fsplan.planner.search.solve import solve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import Unpack

    from fsplan.planner._core import OrderStep, Policy
    from fsplan.planner.base.weights import Weight
    from fsplan.planner.search.result import Result
    from fsplan.planner.search.solve import OnGap, OnIncumbent, OnProgress, PythonPolicy
    from fsplan.planner.tasks.task import AnyTask

_POSITIONAL = ("order", "w")
_CALLBACKS = ("on_progress", "on_incumbent", "on_gap", "lower_bound", "incumbent")


class Options(TypedDict, total=False):
    """Options of `solve` beyond search, order and w; `catalogue.options()` describes them."""

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
    symmetry: bool | None
    hedge: bool | None
    prove: int | None
    deepen: int | None
    probability: float | None
    width: int | None
    normalise: str | None
    sample: bool | None
    steps: int | None
    samples: int | None


class AllOptions(Options, total=False):
    """Keyword arguments of the functions below."""

    order: str | Callable[[OrderStep], float] | None
    w: Weight | None
    on_progress: OnProgress | None
    on_incumbent: OnIncumbent | None
    on_gap: OnGap | None
    lower_bound: int
    incumbent: tuple[Sequence[str], int] | None


class NamedSearch(Protocol):
    """A search as a function of a task; `order` and `w` may be positional if the search reads them."""

    def __call__(self, task: AnyTask, *first: Any, **options: Unpack[AllOptions]) -> Result: ...


def identifier(name: str) -> str:
    """Returns the Python name of a search.

    >>> identifier("rr-d")
    'rr_d'
    """
    return name.replace("-", "_")


def _function(search: catalogue.Entry) -> NamedSearch:
    by_position = [name for name in _POSITIONAL if name in search.reads]

    def run(task: AnyTask, *first: Any, **options: Any) -> Result:
        if len(first) > len(by_position):
            raise TypeError(f"{search.name}: takes {' and '.join(['a task', *by_position])} by position, no more")
        return solve(task, search.name, **dict(zip(by_position, first, strict=False)), **options)

    run.__name__ = run.__qualname__ = identifier(search.name)
    run.__doc__ = search.summary
    run.__signature__ = _signature(search, by_position)  # type: ignore[attr-defined]
    return run


def _signature(search: catalogue.Entry, by_position: Sequence[str]) -> inspect.Signature:
    """Returns the signature: the task, the options that the search reads, and the callbacks of `solve`."""
    kind = inspect.Parameter
    read = [name for name in search.reads if name not in ("search", *_POSITIONAL)]
    return inspect.Signature(
        [
            kind("task", kind.POSITIONAL_OR_KEYWORD),
            *(kind(name, kind.POSITIONAL_OR_KEYWORD, default=None) for name in by_position),
            *(kind(name, kind.KEYWORD_ONLY, default=None) for name in (*read, *_CALLBACKS)),
        ]
    )


if TYPE_CHECKING:  # the names that type checkers know
    astar = auto = beam = bfws = dps = dswa = ees = focal = follow = gbfs = idastar = _function(catalogue.searches()[0])
    ios = lama = lds = levin = optimistic = pfs = phs = prefastar = qstar = rlts = rlts_focal = astar
    rr_d = unroll = wastar = xdp = xup = astar

NAMED = {identifier(search.name): _function(search) for search in catalogue.searches()}
__all__ = list(NAMED)
globals().update(NAMED)
