"""`--policy NAME.policy`: a policy for all tasks of a domain, from `fsplan train DOMAIN PROBLEM… -o NAME.policy`."""

from __future__ import annotations

from typing import Any

from fsplan.planner.policies.kind import PolicyKind


def _make(text: str, task: Any, seed: int, masked: bool) -> Any:
    import os

    from fsplan.planner.policies.container import PolicyFileError
    from fsplan.planner.policies.relational import stored

    policy = stored.read(text)
    try:
        made = policy.on(task)
    except PolicyFileError as error:
        raise PolicyFileError(f"{text}: {error}") from None
    if policy.kind != "ff":
        made.name = os.path.basename(text)
    return made


KIND = PolicyKind(
    "domain",
    "a policy for every task of a domain, learned from small ones",
    example="blocks.policy",
    accepts=lambda text: text.endswith(".policy"),
    make=_make,
    forms=lambda: ("FILE.policy",),
    file=lambda text: text,
)
