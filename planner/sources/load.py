"""Loads tasks from PDDL files, .sas files or names of puzzles; `fsplan.planner.sources` has the sources."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fsplan.planner.sources.pddl import load_pddl
from fsplan.planner.sources.registry import task_source

if TYPE_CHECKING:
    from fsplan.planner.base.limits import Limits
    from fsplan.planner.tasks.task import Task


def load(
    task: str | os.PathLike[str],
    problem: str | os.PathLike[str] | None = None,
    *,
    reader: str = "fsplan",
    grounding: str = "all",
) -> Task:
    """Loads a task: a PDDL domain and problem, a problem beside its domain, a .sas file or a puzzle.

    Domain and problem may also be given as PDDL text. With grounding="none", only the actions of visited states of a
    PDDL task are instantiated; such a task can only be followed, with a policy for its domain. "auto" does this for
    tasks with millions of actions.

    >>> import fsplan
    >>> task = fsplan.load(fsplan.example("blocks-8-0"))
    >>> len(task.actions), task.actions[0]
    (128, 'pick-up h')
    """
    arguments = [os.fspath(task)] if problem is None else [os.fspath(task), os.fspath(problem)]
    return load_arguments(arguments, reader=reader, grounding=grounding)


def ensure_loaded(task: Any) -> Any:
    """Returns the task; loads it if it is given as a path, a name, or a pair of domain and problem."""
    if isinstance(task, (str, os.PathLike)):
        return load(task)
    return load(*task) if isinstance(task, tuple) else task


def load_arguments(
    arguments: Sequence[str], *, reader: str = "fsplan", limits: Limits | None = None, grounding: str = "all"
) -> Task:
    """Loads the task that command-line arguments name; grounding stops at the limits.

    `grounding` is that of `sources.pddl.from_pddl`; sources other than PDDL have tasks that need none.
    """
    source = task_source(arguments)
    assert source.load is not None, "a source that accepts arguments can load them"
    if source.name == "pddl" and grounding != "all":
        task = load_pddl(arguments, reader, limits, grounding)
    else:
        task = source.load(arguments, reader, limits)
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
