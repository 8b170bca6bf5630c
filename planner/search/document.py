"""The JSON document of a run (`fsplan-result-1`): the result, and notes and figures on the task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fsplan.pddl.syntax import Increase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fsplan.planner.base.limits import Limits
    from fsplan.planner.search.result import Result
    from fsplan.planner.tasks.task import Task


def record(task: Task, result: Result, limits: Limits, unreachable: list[tuple[str, ...]] | None) -> dict[str, Any]:
    """Returns the result as JSON, with notes on the task, unreachable goals, sizes of the task, and total seconds."""
    found = result.to_dict() | {"unreachable_goals": unreachable, "notes": list(notes(task))}
    found["statistics"] |= {"total_seconds": round(limits.used(), 6), **task.sizes()}
    return found


def notes(task: Task) -> Iterator[str]:
    """Yields warnings about probable mistakes in the task."""
    problem = task.problem
    if not task.is_grounded:
        yield "the task was not grounded, so no lower bound is proven"
    if problem is not None and not problem.use_costs and _has_costs(problem):
        yield "the problem has no (:metric minimize (total-cost)), so every action counts as 1"


def _has_costs(problem: Any) -> bool:
    actions = problem.domain.actions.values()
    return any(isinstance(effect, Increase) for action in actions for effect in action.effects)
