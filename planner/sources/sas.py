"""Source of ground tasks in the SAS+ format of Fast Downward's translator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsplan.planner.sources.source import TaskSource

if TYPE_CHECKING:
    from fsplan.planner.base.limits import Limits
    from fsplan.planner.tasks.task import Task


def _load(arguments: Sequence[str], reader: str, limits: Limits | None) -> Task:
    from fsplan.planner.tasks.sas import read_sas
    from fsplan.planner.tasks.task import from_ground

    return from_ground(read_sas(arguments[0]), arguments[0])


SOURCE = TaskSource(
    "sas",
    "a ground task, as written by Fast Downward's translator (version 3)",
    example="output.sas",
    accepts=lambda arguments: len(arguments) == 1 and arguments[0].endswith(".sas"),
    load=_load,
)
