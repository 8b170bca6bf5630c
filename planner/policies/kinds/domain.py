"""`--policy NAME.policy`: a policy for all tasks of a domain, from `fsplan train DOMAIN PROBLEM… -o NAME.policy`."""

from __future__ import annotations

import os
from typing import Any

from fsplan.planner.policies.kind import PolicyKind


def _make(text: str, task: Any, seed: int, masked: bool) -> Any:
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


def _accepts(text: str) -> bool:
    """Whether the text names a domain policy: by the suffix .policy, or by the header of an existing file."""
    if text.endswith(".policy") or not os.path.isfile(text):
        return text.endswith(".policy")
    with open(text, "rb") as file:
        return b'"fsplan-domain-policy"' in file.read(100)


KIND = PolicyKind(
    "domain",
    "a policy for every task of a domain, learned from small ones",
    example="blocks.policy",
    accepts=_accepts,
    make=_make,
    forms=lambda: ("FILE.policy",),
    file=lambda text: text,
)
