"""The search `plans` of `fsplan compare`: it finds several plans of a task, as `fsplan plan --plans` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any

from fsplan.pddl.costs import plain
from fsplan.planner.base.spelling import spelt
from fsplan.planner.experiments.execute import command, known_optimum, loaded
from fsplan.planner.search.several import plans
from fsplan.planner.search.several.enumerations import ENUMERATIONS

if TYPE_CHECKING:
    from fsplan.planner.experiments.records import Run
    from fsplan.planner.search.several import Plans

SEARCH = "plans"
EXECUTOR = "fsplan.planner.experiments.several:prepare"
READS = ("w", "k", "different")
DEFAULTS = {"k": 10, "different": "sequences"}


def value_of(option: str, text: str) -> Any:
    """The value of `k` or `different`, converted from text."""
    if option == "different":
        return spelt("difference", text, list(ENUMERATIONS))
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


def prepare(shared: Mapping[str, Any]) -> Callable[[Run], Mapping[str, Any]]:
    return run_plans


def run_plans(run: Run) -> dict[str, Any]:
    """Loads the task and looks for several plans, each of which is validated; the cost is that of the cheapest."""
    task, words, limits = loaded(run)
    options = {**DEFAULTS, **run.options}
    begin = perf_counter()
    found = plans(task, w=run.w, time_limit=limits.seconds_left(), memory_limit=run.memory_limit, **options)
    listed = list(found)
    return {
        **_measured(found),
        "plan": listed[0].plan if listed else None,
        "valid": True if listed else None,
        "seconds": perf_counter() - begin,
        "total_seconds": limits.used(),
        "optimal_cost": known_optimum(run.task),
        "repeat": command(words, {"w": run.w, "plans": options["k"], "different": options["different"]}),
    }


def _measured(found: Plans) -> dict[str, Any]:
    best = found.found[0] if found.found else None
    ended = {"exhausted": "solved" if best else "unsolvable", "enough": "solved"}
    return {
        "status": ended.get(found.status, found.status),
        "cost": None if best is None else plain(best.cost),
        "lower_bound": None if best is None else plain(found.lower_bound),
        "ratio": None if best is None else best.proven_ratio,
        "certified": best is not None,
        "plan_length": None if best is None else len(best.plan),
        "plans": len(found.found),
        "all_plans": found.status == "exhausted",
    }
