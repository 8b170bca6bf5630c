"""The signature of a task, which decides whether a policy fits it: its variables, its actions, and fingerprints."""

from __future__ import annotations

from typing import NamedTuple

from fsplan.planner.tasks.task import Task


class Signature(NamedTuple):
    """The signature of a task. Tasks with equal signatures differ only in the initial state and can share a policy.

    `domain` is the fingerprint of the PDDL domain, `problem` that of the ground task without its initial state.
    """

    name: str
    domain_sizes: list[int]
    actions: list[str]
    domain: str
    problem: str

    def as_task(self) -> dict[str, object]:
        """The `task` section of a policy file."""
        return {"name": self.name, "domain": self.domain, "problems": [self.problem]}


def signature_of(task: Task) -> Signature:
    space = task.state_space
    domain = task.actions.fingerprints.get("domain", "")
    return Signature(task.name, space.domain_sizes(), list(task.actions), domain, space.identity())


def common_signature(tasks: list[Task]) -> Signature:
    """The signature for a policy of several tasks; raises ValueError if they differ in variables or actions."""
    first, *others = map(signature_of, tasks)
    for other in others:
        if other.actions != first.actions or other.domain_sizes != first.domain_sizes or other.domain != first.domain:
            raise ValueError(
                f"{first.name} and {other.name} cannot share a policy: they have different actions or variables "
                f"({len(first.actions)} and {len(other.actions)} actions)"
            )
    return first
