"""Follow, then prove: the plan that a policy leads to, for a bounded search to start from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fsplan.planner.search import solve

if TYPE_CHECKING:
    from fsplan.planner.costs import Cost
    from fsplan.planner.task import Task


def follow(task: Task, policy: Any, seconds: float = 5.0) -> tuple[list[str], Cost] | None:
    """The plan that following a policy finds within the time, and its cost; None if it finds none."""
    result = solve(task, "follow", policy=policy, time_limit=seconds)
    return None if result.plan is None or result.cost is None else (result.plan, result.cost)
