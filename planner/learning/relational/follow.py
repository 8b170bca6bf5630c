"""Follows a policy to a plan, which a bounded-suboptimal search then uses as its incumbent."""

from __future__ import annotations

from typing import Any

from fsplan.pddl.costs import Cost
from fsplan.planner.search.solve import solve
from fsplan.planner.tasks.task import Task


def follow(task: Task, policy: Any, seconds: float = 5.0) -> tuple[list[str], Cost] | None:
    """The plan that results from following the policy, and its cost; None if no goal is reached in time."""
    result = solve(task, "follow", policy=policy, time_limit=seconds)
    return None if result.plan is None or result.cost is None else (result.plan, result.cost)
