"""`--policy ff`: ranks actions by the relaxed plans of h_FF."""

from __future__ import annotations

from typing import Any

from fsplan.planner._core import RelaxedPlanPolicy
from fsplan.planner.policies.kind import PolicyKind


def _make(text: str, task: Any, seed: int, masked: bool) -> Any:
    return RelaxedPlanPolicy()


KIND = PolicyKind(
    "ff",
    "helpful actions first, then the least cost plus h_FF of the successor; needs no training",
    example="ff",
    accepts=lambda text: text == "ff",
    make=_make,
)
