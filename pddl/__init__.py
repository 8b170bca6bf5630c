"""Reading, normalising and writing PDDL.

>>> from fsplan.pddl import read_task
>>> problem = read_task("domain.pddl", "problem.pddl")  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fsplan.pddl.errors import FileError, PddlError, UnsupportedError
    from fsplan.pddl.reader import (
        parse_domain,
        parse_problem,
        parse_task,
        read_domain,
        read_problem,
        read_task,
    )
    from fsplan.pddl.writer import write_domain, write_problem

__all__ = [
    "FileError",
    "PddlError",
    "UnsupportedError",
    "parse_domain",
    "parse_problem",
    "parse_task",
    "read_domain",
    "read_problem",
    "read_task",
    "write_domain",
    "write_problem",
]

# Module of each public name. Modules are imported on first use, so that `import fsplan.pddl` is fast.
_HOMES = {
    "FileError": "errors",
    "PddlError": "errors",
    "UnsupportedError": "errors",
    "parse_domain": "reader",
    "parse_problem": "reader",
    "parse_task": "reader",
    "read_domain": "reader",
    "read_problem": "reader",
    "read_task": "reader",
    "write_domain": "writer",
    "write_problem": "writer",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
