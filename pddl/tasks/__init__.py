"""PDDL tasks that are part of the package, for examples."""

from __future__ import annotations

import os

# Path of each problem; its domain is the file domain.pddl in the same folder.
TASKS = {"blocks-8-0": "blocks/probBLOCKS-8-0.pddl"}


def path(name: str) -> str:
    """The path of a problem that is part of the package.

    >>> path("blocks-8-0").endswith("probBLOCKS-8-0.pddl")
    True
    """
    if name not in TASKS:
        raise ValueError(f"no bundled task '{name}'; there is {', '.join(TASKS)}")
    return os.path.join(os.path.dirname(__file__), *TASKS[name].split("/"))
