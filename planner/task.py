"""Tasks: what the searches work on."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from typing import Any, Protocol

    from fsplan.pddl.syntax import Problem
    from fsplan.planner._core import Source
    from fsplan.planner.actions import ActionIndex

    class SearchTask(Protocol):
        """What a task written in Python owes the searches; `heuristic` may be left out (then it is 0)."""

        @property
        def start(self) -> Hashable: ...

        def is_goal(self, state: Any) -> bool: ...

        def successors(self, state: Any) -> Iterable[tuple[str, int, Hashable]]:
            """(action, cost, next state) for every applicable action."""


class Task:
    """A task with a native source: grounded PDDL or a puzzle.

    `source` runs searches; `actions` numbers the ground actions; `problem` is the PDDL tree, where there is one.
    `details` are the sizes worth telling: facts, variables, actions, bytes per state, timings.
    """

    __slots__ = ("actions", "details", "name", "problem", "source", "unit_cost")

    def __init__(
        self,
        name: str,
        source: Source,
        actions: ActionIndex,
        *,
        unit_cost: bool = True,
        problem: Problem | None = None,
        details: dict[str, Any] | None = None,
    ) -> None:
        self.name, self.source, self.actions = name, source, actions
        self.unit_cost, self.problem, self.details = unit_cost, problem, details or {}

    def sizes(self) -> dict[str, Any]:
        """What `fsplan ground` prints."""
        return {
            **self.details,
            "actions": len(self.actions),
            "bytes_per_state": self.source.bytes_per_state(),
        }

    def __repr__(self) -> str:
        return f"Task({self.name!r}, {len(self.actions)} actions)"
