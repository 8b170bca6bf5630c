"""Which parts `auto` has, in the order of its opening."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fsplan.planner.portfolio.parts import BoundsPart, ImprovementPart, SearchPart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fsplan.planner.portfolio.parts import Part
    from fsplan.planner.portfolio.run import Portfolio

GUIDANCE_MEMORY = 0.6
# Clocks at which parts begin.
BOUNDS_FIRST = 40e6  # of the search for cheaper plans, where a good plan is at hand
PLANS_FIRST = 10e6  # of the bounds elsewhere: their first slice takes longer than those of the searches
TABLES_LATER = 30e6  # preparing them takes a quarter of a second, in which most tasks are solved
FIRST_WEIGHT = 3  # of weighted A* with h_FF
MEMORY_OF_SOLVER = 10**9  # bytes: numpy's libraries end a process that they cannot have their buffers in


def parts(run: Portfolio, policy: Any) -> Iterator[tuple[Part, float]]:
    """In the order of the opening, with the clock that each begins at.

    A plan that is given, or that a good policy leads to, only lacks its proof: then bounds come first.
    """
    led = policy is not None or run.has_plan()
    if policy is not None:
        yield SearchPart("follow", run, policy, search="follow", heuristic="hmax"), 0.0
    for part in _first_plans(run, led):
        yield part, 0.0
    for part in _cheaper_plans(run):
        yield part, BOUNDS_FIRST if led else 0.0
    if not 0 < (run.options.memory_limit or 0) < MEMORY_OF_SOLVER:
        yield BoundsPart(run), 0.0 if led else PLANS_FIRST
    yield SearchPart("tables", run, search="ios", **{**_asked(run), "heuristic": "scp"}), TABLES_LATER
    if policy is not None:
        yield SearchPart("policy", run, policy, search="focal", order="disc2", **_asked(run)), BOUNDS_FIRST
    proof = SearchPart("proof", run, when=run.lacks_memory, ends_without_memory=False, search="astar",
                       heuristic=run.options.heuristic)  # fmt: skip
    yield proof, 0.0


def _first_plans(run: Portfolio, led: bool) -> Iterator[Part]:
    dive = SearchPart("dive", run, search="lama", heuristic="lmcount", **_guidance(run))
    optimistic = SearchPart("optimistic", run, search="optimistic", **_asked(run))
    novelty = SearchPart("novelty", run, search="bfws", heuristic="progress", **_guidance(run))
    greedy = SearchPart("greedy", run, search="gbfs", heuristic="hff", **_guidance(run))
    for part in (novelty, greedy, *([dive] if led else [])):
        part.begins_when(lambda: not run.has_plan())
    yield from (optimistic, dive, novelty, greedy) if led else (dive, optimistic, novelty, greedy)


def _cheaper_plans(run: Portfolio) -> Iterator[Part]:
    for name, options in (
        ("weighted", {"search": "wastar", "heuristic": "hff", "w": FIRST_WEIGHT}),
        ("preferred", {"search": "prefastar", "heuristic": "hff", "preferred": "ff", "alternate": True}),
        ("restarts", {"search": "lama", "heuristic": "lmcost"}),
    ):
        yield SearchPart(name, run, when=run.has_plan, anytime=True, **options, **_guidance(run))
    yield ImprovementPart(run)


def _asked(run: Portfolio) -> dict[str, Any]:
    asked = run.options.to_dict()
    return {name: asked[name] for name in ("w", "heuristic", "anytime")}


def _guidance(run: Portfolio) -> dict[str, Any]:
    """Of searches that prove nothing."""
    if not run.options.memory_limit:
        return {"uncertified": True}
    return {"uncertified": True, "memory_limit": int(GUIDANCE_MEMORY * run.options.memory_limit)}
