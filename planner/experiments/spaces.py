"""Small spaces explored once, synthetic policies drawn on them, and many starts searched from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fsplan.planner.experiments.records import Run

if TYPE_CHECKING:
    pass

EXECUTOR = "fsplan.planner.experiments.spaces:prepare"
HEURISTICS = {"tiles8": "linear-conflict", "pancake9": "gap", "blocks": "hmax", "tiles15": "linear-conflict"}


def start_names(domain: str, count: int) -> list[str]:
    """The tasks of a domain: the same goal from so many starts."""
    if domain == "blocks":
        return [f"blocks-8-0:start/{number}" for number in range(1, count + 1)]
    return [f"{domain}:random/{number}" for number in range(1, count + 1)]


def prepare(shared: Mapping[str, Any]) -> Callable[[Run], Mapping[str, Any]]:
    raise NotImplementedError
