"""Source of tasks written in Python, named my.module:Task; `fsplan.SearchTask` documents the required methods."""

from __future__ import annotations

from os.path import exists
from typing import TYPE_CHECKING, Any

from fsplan.planner.base.imports import import_named, names_object
from fsplan.planner.sources.source import TaskSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fsplan.planner.base.limits import Limits
    from fsplan.planner.tasks.task import Task


def accepts(arguments: Sequence[str]) -> bool:
    return len(arguments) == 1 and names_object(arguments[0]) and not exists(arguments[0])


def import_task(name: str) -> Any:
    """The task with the given name; if the name refers to a class or function, the result of calling it."""
    found = import_named(name)
    if isinstance(found, type) or not hasattr(found, "successors"):
        if not callable(found):
            raise ValueError(f"{name} is no task: it has no `successors`, and cannot be called to make one")
        found = found()
    return found


def load(arguments: Sequence[str], reader: str, limits: Limits | None) -> Task:
    from fsplan.planner.tasks.python_task import PythonTask

    return PythonTask(arguments[0], import_task(arguments[0]))


SOURCE = TaskSource(
    "python",
    "a task written in Python: any object with `start`, `is_goal` and `successors`; in Python fsplan.solve(task)",
    example="my.module:Task",
    accepts=accepts,
    load=load,
)
