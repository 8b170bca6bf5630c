"""What a task looks like to a policy: the meaning of its inputs and outputs, and the goal, fingerprinted."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Signature:
    """Two tasks with equal signatures can share a policy: same variables, same actions, same goal.

    `domain` fingerprints the meaning of variables and actions, `problem` the goal. The start state is left out:
    a policy holds for all states.
    """

    __slots__ = ("actions", "domain", "domain_sizes", "name", "problem")

    def __init__(
        self,
        name: str,
        domain_sizes: list[int],
        actions: list[str],
        meaning: Iterable[str],
        goal: Iterable[str],
    ) -> None:
        self.name, self.domain_sizes, self.actions = name, domain_sizes, actions
        self.domain = fingerprint([*meaning, "", *actions])
        self.problem = fingerprint(sorted(goal))

    def as_task(self) -> dict[str, object]:
        """The `task` section of a policy file."""
        return {"name": self.name, "domain": self.domain, "problems": [self.problem]}


def fingerprint(names: Iterable[str]) -> str:
    """SHA-256 of a list of names; no two lists of names without line ends are confused."""
    from hashlib import sha256

    return sha256("\n".join(names).encode()).hexdigest()
