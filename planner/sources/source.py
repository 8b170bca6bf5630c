"""The declaration of a source of tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fsplan.planner.base.limits import Limits
    from fsplan.planner.tasks.task import Task


class TaskSource(NamedTuple):
    """A source of tasks.

    example   example of a task of this source on the command line, or of the Python call that creates one
    accepts   accepts(arguments): True if these command-line arguments name a task of this source
    load      load(arguments, reader, limits): the task that they name; None for sources that are used from Python only
    reads     names of the options that affect loading
    """

    name: str
    summary: str
    example: str
    accepts: Callable[[Sequence[str]], bool] = lambda arguments: False
    load: Callable[[Sequence[str], str, Limits | None], Task] | None = None
    reads: tuple[str, ...] = ()
