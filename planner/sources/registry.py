"""All sources of tasks, and which of them the words of a command line mean.

>>> task_source(["tiles15:korf/1"]).name, task_source(["domain.pddl", "problem.pddl"]).name
('tiles', 'pddl')
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from .source import TaskSource

# The first source that accepts the words loads the task; PDDL takes whatever no other source accepts.
_FILES = (
    "tiles",
    "pancake",
    "sas",
    "python",
    "tarski",
    "pddl",
)
SOURCES: tuple[TaskSource, ...] = tuple(import_module(f"{__package__}.{file}").SOURCE for file in _FILES)


def task_source(words: Sequence[str]) -> TaskSource:
    """The source that loads the task named by the words."""
    return next(source for source in SOURCES if source.accepts(words))


def is_whole_task(word: str) -> bool:
    """Whether one word names a task, as puzzles and .sas files do; a PDDL task also needs a domain.

    >>> is_whole_task("tiles15:korf/1"), is_whole_task("output.sas"), is_whole_task("problem.pddl")
    (True, True, False)
    """
    return task_source([word]).name != "pddl"
