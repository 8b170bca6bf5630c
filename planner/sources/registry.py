"""All sources of tasks, and the choice of the source for the task arguments of a command line.

>>> task_source(["tiles15:korf/1"]).name, task_source(["domain.pddl", "problem.pddl"]).name
('tiles', 'pddl')
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from fsplan.planner.sources.source import TaskSource

# The first source that accepts the arguments loads the task. PDDL is last and accepts everything.
_FILES = (
    "tiles",
    "pancake",
    "sas",
    "python",
    "tarski",
    "pddl",
)
SOURCES: tuple[TaskSource, ...] = tuple(import_module(f"{__package__}.{file}").SOURCE for file in _FILES)


def task_source(arguments: Sequence[str]) -> TaskSource:
    """The source that loads the task named by the arguments."""
    return next(source for source in SOURCES if source.accepts(arguments))


def is_whole_task(word: str) -> bool:
    """Whether this single argument names a task, as for puzzles and .sas files; PDDL tasks also need a domain.

    >>> is_whole_task("tiles15:korf/1"), is_whole_task("output.sas"), is_whole_task("problem.pddl")
    (True, True, False)
    """
    return task_source([word]).name != "pddl"
