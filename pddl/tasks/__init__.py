"""Bundled tasks, for examples and first steps."""

from __future__ import annotations

import os

# Problem by name; its domain lies beside it as domain.pddl.
TASKS = {"blocks-8-0": "blocks/probBLOCKS-8-0.pddl"}


def path(name: str) -> str:
    """The file of a bundled problem.

    >>> path("blocks-8-0").endswith("probBLOCKS-8-0.pddl")
    True
    """
    if name not in TASKS:
        raise ValueError(f"no bundled task '{name}'; there is {', '.join(TASKS)}")
    return os.path.join(os.path.dirname(__file__), *TASKS[name].split("/"))
