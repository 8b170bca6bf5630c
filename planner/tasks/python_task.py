"""Tasks written in Python that were loaded by their names (module:name), like puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fsplan.pddl.costs import exact
from fsplan.planner.tasks.actions import ActionIndex
from fsplan.planner.tasks.spaces import state_space_of
from fsplan.planner.tasks.task import Task


class PythonTask(Task):
    """A task that was loaded by name; searches run on `python_object`, the object that the user wrote."""

    __slots__ = ("python_object",)

    def __init__(self, name: str, python_object: Any) -> None:
        actions = ActionIndex(str(action) for action in getattr(python_object, "actions", ()))
        super().__init__(name, state_space_of(python_object), actions, unit_cost=False)
        self.python_object = python_object
        self.cost_denominator = getattr(python_object, "cost_denominator", 1)

    def execute(self, plan: Sequence[str]) -> list[tuple[Any, bool]]:
        reached: set[tuple[Any, Any]] = {(0, self.python_object.start)}
        for number, step in enumerate(plan, 1):
            reached = {
                (cost + exact(more), successor)
                for cost, state in reached
                for action, more, successor in self.python_object.successors(state)
                if str(action) == step
            }
            if not reached:
                raise ValueError(f"step {number}, {step}, is not applicable")
        return [(cost, bool(self.python_object.is_goal(state))) for cost, state in reached]
