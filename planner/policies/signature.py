"""What a task looks like to a policy: the meaning of its inputs and outputs, and the goal, fingerprinted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fsplan.planner.task import Task


class Signature:
    """Tasks with equal signatures can share a policy: same variables, actions and goal, whatever the start.

    `domain` fingerprints the PDDL domain, `problem` the ground task but for its start.
    """

    __slots__ = ("actions", "domain", "domain_sizes", "name", "problem")

    def __init__(self, name: str, domain_sizes: list[int], actions: list[str], domain: str, problem: str) -> None:
        self.name, self.domain_sizes, self.actions = name, domain_sizes, actions
        self.domain, self.problem = domain, problem

    def as_task(self) -> dict[str, object]:
        """The `task` section of a policy file."""
        return {"name": self.name, "domain": self.domain, "problems": [self.problem]}


def signature_of(task: Task) -> Signature:
    space = task.state_space
    domain = task.actions.fingerprints.get("domain", "")
    return Signature(task.name, space.domain_sizes(), list(task.actions), domain, space.identity())


def common_signature(tasks: list[Task]) -> Signature:
    """Of tasks one policy is to serve: they must agree in everything but start and goal; ValueError says where not."""
    first, *others = map(signature_of, tasks)
    for other in others:
        if other.actions != first.actions or other.domain_sizes != first.domain_sizes or other.domain != first.domain:
            raise ValueError(
                f"{first.name} and {other.name} cannot share a policy: they have different actions or variables "
                f"({len(first.actions)} and {len(other.actions)} actions)"
            )
    return first
