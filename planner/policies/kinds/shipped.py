"""`--policy tiles15`: the policy files that are part of fsplan, by name."""

from __future__ import annotations

import os
from typing import Any

from fsplan.planner.policies.kind import PolicyKind
from fsplan.planner.policies.kinds.file import from_file

_ENDING = ".safetensors"


def shipped() -> dict[str, str]:
    """The paths of the shipped policy files, by name."""
    from fsplan import domains

    folder = os.path.join(os.path.dirname(domains.__file__), "weights")
    if not os.path.isdir(folder):
        return {}
    files = sorted(file for file in os.listdir(folder) if file.endswith(_ENDING))
    return {file.removesuffix(_ENDING): os.path.join(folder, file) for file in files}


def _make(text: str, task: Any, seed: int, masked: bool) -> Any:
    return from_file(shipped()[text], task, masked=masked)


KIND = PolicyKind(
    "shipped",
    "a trained network that comes with fsplan",
    example="tiles15",
    accepts=lambda text: text in shipped(),
    make=_make,
    reads=("masked",),
    forms=lambda: tuple(shipped()),
    file=lambda text: shipped()[text],
)
