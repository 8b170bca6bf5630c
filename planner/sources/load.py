"""Loads tasks from PDDL files, .sas files or names of puzzles; `fsplan.planner.sources` has the sources."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fsplan.planner.sources.registry import task_source

if TYPE_CHECKING:
    from fsplan.planner.base.limits import Limits
    from fsplan.planner.tasks.task import Task


def load(
    task: str | os.PathLike[str], problem: str | os.PathLike[str] | None = None, *, reader: str = "fsplan"
) -> Task:
    """Loads a task: a PDDL domain and problem, a problem beside its domain, a .sas file or a puzzle.

    Domain and problem may also be given as PDDL text.

    >>> import fsplan
    >>> task = fsplan.load(fsplan.example("blocks-8-0"))
    >>> len(task.actions), task.actions[0]
    (128, 'pick-up h')
    """
    arguments = [os.fspath(task)] if problem is None else [os.fspath(task), os.fspath(problem)]
    return load_arguments(arguments, reader=reader)


def ensure_loaded(task: Any) -> Any:
    """Returns the task; loads it if it is given as a path, a name, or a pair of domain and problem."""
    if isinstance(task, (str, os.PathLike)):
        return load(task)
    return load(*task) if isinstance(task, tuple) else task


def load_arguments(arguments: Sequence[str], *, reader: str = "fsplan", limits: Limits | None = None) -> Task:
    """Loads the task that command-line arguments name; grounding stops at the limits."""
    load_from = task_source(arguments).load
    assert load_from is not None, "a source that accepts arguments can load them"
    task = load_from(arguments, reader, limits)
    task.words = tuple(os.path.abspath(word) if os.path.exists(word) else word for word in arguments)
    task.reader = reader
    task.recipe = task.recipe or (load_arguments, (task.words,))
    return task


def example(name: str) -> str:
    """Returns the path of a bundled problem; its domain is in the same folder.

    >>> example("blocks-8-0").endswith("probBLOCKS-8-0.pddl")
    True
    """
    from fsplan.pddl.tasks import path

    return path(name)
