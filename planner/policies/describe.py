"""Describes a policy independently of a task, for `fsplan policy show`."""

from __future__ import annotations

import os
from typing import Any

from fsplan.planner.policies import files
from fsplan.planner.policies.registry import file_of, kind_of
from fsplan.planner.policies.relational import stored
from fsplan.planner.policies.relational.stored import is_domain_policy


def describe(policy: str) -> dict[str, Any]:
    """The content of a policy file without the weights; for a policy without a file, its kind and summary."""
    path = _file(policy)
    if path and is_domain_policy(path):
        return stored.describe(path)
    return files.describe(path) if path else {"kind": kind_of(policy).name, "summary": kind_of(policy).summary}


def show(policy: str) -> str:
    """A description of a policy as text."""
    path = _file(policy)
    if path and is_domain_policy(path):
        return stored.show(path)
    return files.show(path) if path else f"{policy}: {kind_of(policy).summary}"


def _file(policy: str) -> str | None:
    """The file of a policy; any existing file is accepted, regardless of its suffix."""
    return policy if os.path.isfile(policy) else file_of(policy)
