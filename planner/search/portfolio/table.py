"""The table of the parts of `auto`: purpose, conditions, limits, and whether their bounds are proven.

The scheduler depends only on this table, not on names of parts: a new part needs only a new row.
"""

from __future__ import annotations

from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from fsplan.planner.search.portfolio.parts import BoundsPart, ImprovementPart, SearchPart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fsplan.planner.search.portfolio.parts import Part
    from fsplan.planner.search.portfolio.run import Portfolio

# Share of the memory limit for searches without proven bounds; the rest is reserved for searches with them.
GUIDANCE_MEMORY = 0.6
# Initial clocks, in units of work; a part runs its first slice when its clock is the smallest.
BOUNDS_FIRST = 40e6  # clock of parts for cheaper plans if a plan is given, so that bounds come first
PLANS_FIRST = 10e6  # clock of the part `bounds` if no plan is given: its first slice is long
TABLES_LATER = 120e6  # clock of the part `tables`: about the work of its preparation; most tasks are solved before
FIRST_WEIGHT = 3  # initial weight of weighted A* with h_FF
# On most tasks whose first plan takes long, `novelty` alone finds it in less time than any other part.
WEIGHT_OF_NOVELTY = 4.0
MEMORY_OF_SOLVER = 10**9  # bytes: with less, numpy's libraries abort the process when an allocation fails


class Declaration(NamedTuple):
    """One row of the table.

    purpose            what the part contributes
    search             options of the native search that the part runs; empty if `make` makes another kind of part
    make               makes a part that is not a search
    proves             whether its lower bounds are proven; a search that proves none gets the share GUIDANCE_MEMORY
                       of the memory
    follows            names of the user's options that the part uses, too
    with_policy        whether it needs a policy; without a policy it is left out
    when               condition on the run under which the part gets another slice
    clock              initial clock (see `portfolio`)
    clock_policy_given initial clock if a policy is given, but no plan
    clock_plan_given   initial clock if a plan is given
    weight             factor of the part's share of the work
    decides            whether the run ends when this part ends, unless memory ran out
    last_resort        whether it runs only after the deciding part has ended for lack of memory
    least_memory       bytes that it needs; with a lower memory limit it is left out
    """

    name: str
    purpose: str
    search: Mapping[str, Any] = MappingProxyType({})
    make: Callable[[Portfolio], Part] | None = None
    proves: bool = False
    follows: tuple[str, ...] = ()
    with_policy: bool = False
    when: Callable[[Portfolio], bool] = lambda run: True
    clock: float = 0.0
    clock_policy_given: float | None = None
    clock_plan_given: float = 0.0
    weight: float = 1.0
    decides: bool = False
    last_resort: bool = False
    least_memory: int = 0


def _has_plan(run: Portfolio) -> bool:
    return run.has_plan_of_search()


def _has_no_plan(run: Portfolio) -> bool:
    return not run.has_plan_of_search()


# Parts whose clocks are equal run in this order.
#
# Searches that prove bounds merge symmetric states, because a bound requires the expansion of all states with a smaller
# f; a first plan needs few states. The part `policy` does not merge states: a policy may be defined only for reachable
# states, and the representative of a reachable state may be unreachable.
TABLE = (
    Declaration(
        "follow",
        "a first plan: the policy's best action is taken in every state",
        {"search": "follow", "heuristic": "hmax"},
        with_policy=True,
    ),
    Declaration(
        "dive",
        "a first plan: LAMA's greedy search by landmark counts and h_FF, in which every action costs one",
        {"search": "lama", "heuristic": "lmcount"},
        when=_has_no_plan,
        clock_policy_given=1,
        clock_plan_given=1,
    ),
    Declaration(
        "optimistic",
        "a quick plan, then its proof, with an admissible heuristic",
        {"search": "optimistic"},
        proves=True,
        follows=("w", "heuristic", "anytime", "symmetry"),
        decides=True,
    ),
    Declaration(
        "novelty",
        "a first plan by best-first width search: its nodes are cheap, and it crosses plateaus of h_FF",
        {"search": "bfws", "heuristic": "progress"},
        when=_has_no_plan,
        weight=WEIGHT_OF_NOVELTY,
        clock_policy_given=2,
        clock_plan_given=2,
    ),
    Declaration(
        "greedy",
        "a first plan by greedy best-first search with h_FF: it solves some tasks that the others miss",
        {"search": "gbfs", "heuristic": "hff"},
        when=_has_no_plan,
        clock_policy_given=3,
        clock_plan_given=3,
    ),
    Declaration(
        "weighted",
        "cheaper plans: weighted A* with h_FF, whose weight falls with every plan",
        {"search": "wastar", "heuristic": "hff", "w": FIRST_WEIGHT, "anytime": True},
        when=_has_plan,
        clock_policy_given=4,
        clock_plan_given=BOUNDS_FIRST,
    ),
    Declaration(
        "preferred",
        "cheaper plans: A* with h_FF and helpful actions, pruned by the incumbent",
        {"search": "prefastar", "heuristic": "hff", "preferred": "ff", "alternate": True, "anytime": True},
        when=_has_plan,
        clock_policy_given=4,
        clock_plan_given=BOUNDS_FIRST,
    ),
    Declaration(
        "restarts",
        "a first plan and cheaper ones: LAMA's restarts with decreasing weights, with the actions' costs",
        {"search": "lama", "heuristic": "lmcost", "anytime": True},
        clock_policy_given=4,
        clock_plan_given=BOUNDS_FIRST,
    ),
    Declaration(
        "improvement",
        "cheaper plans: the states around the incumbent are searched, windows of it are solved again",
        make=ImprovementPart,
        clock_policy_given=4,
        clock_plan_given=BOUNDS_FIRST,
    ),
    Declaration(
        "polish",
        "cheaper plans: as improvement, around the policy's plan while it is the cheapest",
        make=lambda run: ImprovementPart(run, "polish", of_policy=True),
        with_policy=True,
        clock_policy_given=4,
        clock_plan_given=BOUNDS_FIRST,
    ),
    Declaration(
        "bounds",
        "bounds of the initial state without a search: linear programs over operator counts",
        make=BoundsPart,
        proves=True,
        clock=PLANS_FIRST,
        least_memory=MEMORY_OF_SOLVER,
    ),
    Declaration(
        "tables",
        "plans and bounds by improved optimistic search with table look-ups: a hundred times the states of LM-cut",
        {"search": "ios", "heuristic": "scp"},
        proves=True,
        follows=("w", "anytime", "symmetry"),
        clock=TABLES_LATER,
        clock_plan_given=TABLES_LATER,
    ),
    Declaration(
        "policy",
        "plans and bounds by focal search with the policy",
        {"search": "focal", "order": "disc2"},
        proves=True,
        follows=("w", "heuristic", "anytime"),
        with_policy=True,
        clock_policy_given=BOUNDS_FIRST,
        clock_plan_given=BOUNDS_FIRST,
    ),
    Declaration(
        "proof",
        "bounds by A*, which needs less memory per state than optimistic search",
        {"search": "astar"},
        proves=True,
        follows=("heuristic", "symmetry"),
        last_resort=True,
    ),
)


def parts(
    run: Portfolio, policy: Any, rows: tuple[Declaration, ...] | None = None
) -> Iterator[tuple[Part, float, bool, float]]:
    """Yields the parts of this run in the order of the rows, with the other arguments of their Turn."""
    memory = run.options.memory_limit or inf
    for row in TABLE if rows is None else rows:
        if (policy is not None or not row.with_policy) and memory >= row.least_memory:
            yield _made(row, run, policy), _clock(row, run, policy), row.proves, row.weight


def _clock(row: Declaration, run: Portfolio, policy: Any) -> float:
    if run.has_plan():
        return row.clock_plan_given
    if policy is not None and row.clock_policy_given is not None:
        return row.clock_policy_given
    return row.clock


def _made(row: Declaration, run: Portfolio, policy: Any) -> Part:
    if row.make is not None:
        return row.make(run)
    return SearchPart(
        row.name,
        run,
        policy if row.with_policy else None,
        when=run.lacks_memory if row.last_resort else lambda: row.when(run),
        decides=row.decides,
        ends_without_memory=not row.last_resort,
        **row.search,
        **_followed(row, run),
        **({} if row.proves else _guidance(run)),
    )


def _followed(row: Declaration, run: Portfolio) -> dict[str, Any]:
    asked = run.options.to_dict()
    return {name: asked[name] for name in row.follows}


def _guidance(run: Portfolio) -> dict[str, Any]:
    """Returns the options of a search without proven bounds."""
    if not run.options.memory_limit:
        return {"uncertified": True}
    return {"uncertified": True, "memory_limit": int(GUIDANCE_MEMORY * run.options.memory_limit)}
