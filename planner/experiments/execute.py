"""Executors of our own searches: one run of a task, and many runs on a space that is explored once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fsplan.planner.experiments.records import Run

if TYPE_CHECKING:
    from fsplan.pddl.syntax import Problem
    from fsplan.planner.result import Result

SOLVE = "fsplan.planner.experiments.execute:prepare"
REPEATS = 3
_FEW_EXPANSIONS = 20_000
_STATISTICS = {
    "expansions": "expanded",
    "generated": "generated",
    "evaluated": "evaluated",
    "reopened": "reopened",
    "policy_evaluations": "policy_evaluations",
    "seconds": "search_seconds",
    "memory": "peak_memory_bytes",
}
# What `Result.record` says beyond the columns of a row, kept with the certificate.
_REPEAT = (
    "masked",
    "ties",
    "alpha",
    "reopen",
    "preferred",
    "alternate",
    "k_focal",
    "lazy",
    "fresh",
    "hedge",
    "prove",
    "deepen",
)


def measured(result: Result) -> dict[str, Any]:
    """The columns of a row that a result fills."""
    statistics = result.statistics
    record = result.to_json()
    return {
        "status": result.status,
        "cost": result.cost,
        "lower_bound": result.lower_bound,
        "ratio": result.proven_ratio,
        "certified": result.certified,
        "plan_length": None if result.plan is None else len(result.plan),
        **{column: statistics.get(name) for column, name in _STATISTICS.items()},
        "repeat": {name: record[name] for name in _REPEAT if name in record},
    }


def arguments(run: Run) -> dict[str, Any]:
    """The keyword arguments of `fsplan.solve` that a run stands for."""
    given = {
        "search": run.search,
        "order": run.order,
        "w": run.w,
        "heuristic": run.heuristic,
        "policy": run.policy,
        "seed": run.seed,
        **run.options,
    }
    return {name: value for name, value in given.items() if value is not None}


def shortest(search: Callable[[], Result]) -> Result:
    """The result in the shortest of several times, for searches of few expansions.

    One interruption by the system outweighs a search of microseconds.
    """
    result = search()
    for _ in range(REPEATS - 1):
        if result.statistics["expanded"] < _FEW_EXPANSIONS:
            result = min(result, search(), key=lambda each: float(each.statistics["search_seconds"]))
    return result


def prepare(shared: Mapping[str, Any]) -> Callable[[Run], Mapping[str, Any]]:
    return solve_run


def solve_run(run: Run) -> dict[str, Any]:
    """Loads the task, searches, and has the plan checked; the time limit is for all of it."""
    from fsplan.planner.limits import Limits
    from fsplan.planner.load import load_words
    from fsplan.planner.search import solve

    limits = Limits(run.time_limit, run.memory_limit)
    task = load_words(run.files or (run.task,), limits=limits)
    given = {"time_limit": limits.seconds_left, "memory_limit": run.memory_limit, **arguments(run)}
    result = solve(task, **given)
    row = {**measured(result), "optimal_cost": known_optimum(run.task)}
    row["total_seconds"] = limits.used()
    if result.plan is not None and result.cost is not None:
        row["plan"] = result.plan
        if task.problem is not None:
            row |= check(task.problem, result.plan, result.cost)
    return row


def known_optimum(task: str) -> int | None:
    """The optimal cost, where it is bundled."""
    domain, _, number = task.partition("/")
    if domain != "tiles15:korf" or not number.isdecimal():
        return None
    from fsplan.domains.instances import korf_cost

    return korf_cost(int(number))


def check(problem: Problem, plan: list[str], cost: int) -> dict[str, Any]:
    """Whether the validator, which knows nothing of grounder and search, accepts a plan at this cost."""
    from fsplan.planner.validate import validate

    verdict = validate(problem, plan)
    if verdict.valid and verdict.cost == cost:
        return {"valid": True}
    return {"valid": False, "message": verdict.message if not verdict.valid else f"the plan costs {verdict.cost}"}
