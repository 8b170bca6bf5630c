"""`--policy uniform`: gives the same probability to every applicable action."""

from __future__ import annotations

from typing import Any

from fsplan.planner._core import UniformPolicy
from fsplan.planner.policies.kind import PolicyKind


def _make(text: str, task: Any, seed: int, masked: bool) -> Any:
    return UniformPolicy()


KIND = PolicyKind(
    "uniform",
    "every applicable action is equally likely",
    example="uniform",
    accepts=lambda text: text == "uniform",
    make=_make,
)
