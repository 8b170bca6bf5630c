"""State spaces of tasks, and the heuristics that they support."""

from __future__ import annotations

from typing import Any

from fsplan.pddl.costs import InUnits, heuristic_in_units
from fsplan.planner import _core
from fsplan.planner._core import GroundStateSpace, StateSpace
from fsplan.planner.base.spelling import spelt
from fsplan.planner.tasks.states import TaskHeuristic, on_values
from fsplan.planner.tasks.task import Task

OWN_HEURISTIC = "task"  # value of the option `heuristic` that selects the method `heuristic` of a Python task


def state_space_of(task: Any, heuristic: object = None) -> StateSpace:
    """Returns the state space of a task; that of a Python task calls the task's methods.

    The heuristic of a Python task is `heuristic`, or by default the task's method of that name, if it has one.
    """
    if isinstance(task, Task):
        return task.state_space
    if isinstance(task, _core.StateSpace):
        return task
    for member in ("start", "successors", "is_goal"):
        if not hasattr(task, member):
            raise TypeError(f"a task needs `start`, `successors` and `is_goal`; {type(task).__name__} lacks `{member}`")
    function = getattr(task, "heuristic", None) if heuristic in (None, OWN_HEURISTIC) else heuristic
    if heuristic == "blind":
        function = None
    if function is not None and not callable(function):
        raise ValueError(f"a Python task's heuristic is a callable or 'blind', not {function!r}")
    if getattr(task, "cost_denominator", 1) == 1:
        return _core.PythonStateSpace(task, function)

    return _core.PythonStateSpace(InUnits(task), function and heuristic_in_units(function, task.cost_denominator))


def heuristic_function(task: Any, heuristic: object) -> Any:
    """Returns a user's heuristic for a ground task as a function of a state's values; None for native heuristics."""
    if not callable(heuristic) or not isinstance(task, Task) or not isinstance(task.state_space, GroundStateSpace):
        return None

    return None if isinstance(heuristic, TaskHeuristic) else on_values(heuristic, task.walker)


def attach_files(space: StateSpace, heuristic: str, on_progress: Any = None) -> None:
    """Attaches the pattern databases that the heuristic needs to a puzzle."""
    if heuristic.startswith("pdb"):
        from fsplan.planner.tasks.pattern_databases import attach

        attach(space, heuristic, on_progress)


def heuristic_name(space: StateSpace, heuristic: object, *, strongest: bool) -> str:
    """Returns the heuristic's name in this state space; the default is its strongest or its first heuristic."""
    legal = space.heuristics()
    if heuristic is None:
        return space.strongest_heuristic() if strongest else legal[0]
    if legal == [OWN_HEURISTIC] or (callable(heuristic) and isinstance(space, GroundStateSpace)):
        return label(heuristic) or ""
    if not isinstance(heuristic, str):
        raise ValueError(f"this task's heuristic is one of: {', '.join(legal)}")
    return spelt("heuristic", heuristic, legal, f"for this kind of task choose one of: {', '.join(legal)}")


def label(part: object) -> str | None:
    """Returns the name of a policy, order, heuristic or task for the record; it may be an object."""
    if part is None or isinstance(part, str):
        return part
    return str(getattr(part, "name", None) or getattr(part, "__name__", None) or type(part).__name__)
