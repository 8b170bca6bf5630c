"""Which parts `auto` has, in the order of its opening, and their prices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fsplan.planner.portfolio.parts import BoundsPart, ImprovementPart, SearchPart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fsplan.planner import _core
    from fsplan.planner.portfolio.parts import Part
    from fsplan.planner.portfolio.run import Portfolio

SMALL_TASK, SMALLEST_SHARE_OF_SLICE = 1000, 0.04
GUIDANCE_MEMORY = 0.6
BOUNDS_FIRST = 2000.0  # work that goes into bounds before others look for cheaper plans, where a good plan is at hand
# Of a search without relaxed plans: evaluations take longer where there are more facts, whatever the number of actions.
PRICE_OF_STATE, SMALL_STATE = 0.01, 1000
MEMORY_OF_SOLVER = 10**9  # bytes: numpy's libraries end a process that they cannot have their buffers in


def parts(run: Portfolio, policy: Any, scale: float) -> Iterator[tuple[Part, float]]:
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
    proof = SearchPart("proof", run, 1.0, when=run.lacks_memory, ends_without_memory=False, search="astar",
                       heuristic=options["heuristic"])  # fmt: skip
    yield proof, 0.0


def _searches_for_plans(run: Portfolio, guidance: dict[str, Any]) -> list[Part]:
    return [
        SearchPart("preferred", run, 0.1, when=run.has_plan, search="prefastar", heuristic="hff", preferred="ff",
                   alternate=True, anytime=True, **guidance),
        SearchPart("restarts", run, 0.1, when=run.has_plan, search="lama", heuristic="lmcost", anytime=True,
                   **guidance),
    ]  # fmt: skip


def scale_of_slices(actions: int) -> float:
    return min(1.0, max(SMALLEST_SHARE_OF_SLICE, SMALL_TASK / max(1, actions)))


def _price_of_state(task: _core.GroundTask) -> float:
    return PRICE_OF_STATE * max(1.0, sum(task.domain_size) / SMALL_STATE)
