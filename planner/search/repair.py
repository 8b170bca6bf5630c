"""Repairs a plan that no longer fits its task: applicable steps are kept, and a search adds the missing ones.

>>> import fsplan
>>> task = fsplan.load(fsplan.example("blocks-8-0"))
>>> plan = fsplan.solve(task, w=1).plan
>>> repaired = repair(task, [*plan[:4], "pick-up a", *plan[4:-2]])
>>> task.execute(repaired)[0][1]
True
"""

from __future__ import annotations

from collections.abc import Sequence

from fsplan.planner.search.solve import solve
from fsplan.planner.tasks.task import Task


def repair(task: Task, steps: Sequence[str], time_limit: float | None = None) -> list[str] | None:
    """Returns a plan made of the applicable steps, completed by a search if needed; None if none was found in time.

    Inapplicable steps and steps after a goal are left out. No bound is proven; `solve` accepts the plan as incumbent.
    """
    state, kept = task.start, list[str]()
    for step in steps:
        if task.is_goal(state):
            return kept
        following = [successor for action, _, successor in task.successors(state) if action.name == step]
        if following:
            state = following[0]
            kept.append(step)
    if task.is_goal(state):
        return kept
    rest = solve(task.state_space.at(state), w=10, time_limit=time_limit).plan
    return None if rest is None else kept + rest
