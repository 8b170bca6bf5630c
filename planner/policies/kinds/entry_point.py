"""`--policy NAME`: a factory that an installed package registers in the entry-point group `fsplan.policies`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsplan.planner.policies.kind import PolicyKind
from fsplan.planner.policies.kinds.factory import call

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from typing import Any

GROUP = "fsplan.policies"


def _registered() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _make(text: str, task: Any, seed: int, masked: bool) -> Any:
    return call(_registered()[text].load(), text, task)


KIND = PolicyKind(
    "entry-point",
    f"a factory that an installed package registers under this name in the entry-point group {GROUP}",
    example="mypackage-net",
    accepts=lambda text: text in _registered(),
    make=_make,
    reads=("masked",),
    forms=lambda: tuple(_registered()),
)
