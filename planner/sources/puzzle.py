"""Functions shared by the sources of puzzles, whose tasks are named PUZZLE:INSTANCE."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fsplan.planner.base.limits import Limits
    from fsplan.planner.tasks.task import Task


def accepts_prefix(prefix: str) -> Callable[[Sequence[str]], bool]:
    """A function that tests for a single argument PREFIX…:INSTANCE that is not the name of a file."""

    def accepts(arguments: Sequence[str]) -> bool:
        return (
            len(arguments) == 1
            and ":" in arguments[0]
            and arguments[0].startswith(prefix)
            and not os.path.exists(arguments[0])
        )

    return accepts


def load_puzzle(arguments: Sequence[str], reader: str, limits: Limits | None) -> Task:
    from fsplan.domains.specs import load

    return load(arguments[0])
