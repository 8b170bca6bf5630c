"""What is known about a policy before a task is there: for `fsplan policy show`."""

from __future__ import annotations

import os
from typing import Any

from . import files
from .registry import file_of, kind_of
from .relational import stored
from .relational.stored import is_domain_policy


def describe(policy: str) -> dict[str, Any]:
    """All of a policy file but the weights; of a policy that is code, its kind."""
    path = _file(policy)
    if path and is_domain_policy(path):
        return stored.describe(path)
    return files.describe(path) if path else {"kind": kind_of(policy).name, "summary": kind_of(policy).summary}


def show(policy: str) -> str:
    """A policy in words."""
    path = _file(policy)
    if path and is_domain_policy(path):
        return stored.show(path)
    return files.show(path) if path else f"{policy}: {kind_of(policy).summary}"


def _file(policy: str) -> str | None:
    """The file of a policy, whatever the ending of its name."""
    return policy if os.path.isfile(policy) else file_of(policy)
