"""The JSON document that explains why a task has no plan, or why a command failed (`fsplan-explanation-1`)."""

from __future__ import annotations

from typing import Any

from fsplan.pddl.errors import PddlError, UnsupportedError
from fsplan.planner.base.limits import Limits
from fsplan.planner.search.solve import solve
from fsplan.planner.search.suggestions import empty_types, suggestions
from fsplan.planner.search.unsolvable import unreachable_goals, why_unsolvable
from fsplan.planner.tasks.task import Task

SCHEMA = "fsplan-explanation-1"  # the number increases when a field changes its name or meaning
WEIGHT = 100  # w of the search; a large one, because any plan shows that the task is solvable
NO_PLAN = "there is no plan"


def explanation(verdict: str, message: str, **fields: Any) -> dict[str, Any]:
    """Returns a document of the schema `fsplan-explanation-1`."""
    nothing: dict[str, Any] = {
        "faults": [],
        "validation": None,
        "status": None,
        "unreachable_goals": None,
        "empty_types": {},
        "suggestions": [],
    }
    return {"schema": SCHEMA, "verdict": verdict, "message": message, **nothing, **fields}


def explain_faults(error: PddlError) -> dict[str, Any]:
    """Returns the faults of a PDDL text with their positions."""
    names = ("file", "line", "column", "message", "excerpt")
    faults = [{name: getattr(fault, name) for name in names} for fault in error.faults]
    verdict = "unsupported_pddl" if isinstance(error, UnsupportedError) else "wrong_pddl"
    return explanation(verdict, str(error.faults[0]).partition("\n")[0], faults=faults)


def explain_task(task: Task, limits: Limits) -> dict[str, Any]:
    """Searches for a plan; if none is found, names the goals that cannot be reached and suggests additions to the task.

    The search gets half of the remaining time, and the suggestions the rest.
    """
    assert task.problem is not None
    seconds = limits.begin_search()
    half = None if seconds is None else seconds / 2
    result = solve(task, "auto", w=WEIGHT, time_limit=half, memory_limit=limits.bytes)
    if result.plan is not None:
        message = f"there is a plan of cost {result.cost}, and no plan costs less than {result.lower_bound}"
        return explanation("plan_exists", message, status=result.status, empty_types=empty_types(task.problem))
    goals = unreachable_goals(task, result, limits)
    verdict = "unknown" if goals is None else "no_plan"
    message = f"no plan was found, and none is excluded ({result.status})"
    return explanation(
        verdict,
        message if goals is None else f"{NO_PLAN}: {why_unsolvable(goals, result)}",
        status=result.status,
        unreachable_goals=goals,
        empty_types=empty_types(task.problem),
        suggestions=[each.to_json() for each in suggestions(task.problem, limits.seconds_left() or 30.0, limits.bytes)],
    )
