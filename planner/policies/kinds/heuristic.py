"""`--policy h:NAME`: ranks actions by a heuristic; the lower the h-value of the successor, the better the action."""

from __future__ import annotations

from math import exp, inf, log
from typing import TYPE_CHECKING

from fsplan.planner.policies.kind import PolicyKind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class PythonHeuristicPolicy:
    """A policy whose probabilities are the softmax of -h over the successors, where h is a Python function of a state.

    For a Python task the function is called with its state objects, for other tasks with tuples of integers.
    """

    shares_ties = True  # a step is a discrepancy only if another successor has a lower h
    well_defined = True

    def __init__(self, function: Any, task: Any) -> None:
        from fsplan.planner._core import PythonStateSpace
        from fsplan.planner.tasks.spaces import state_space_of

        space = state_space_of(task)
        self._function, self._task = function, task
        self._elsewhere = None if isinstance(space, PythonStateSpace) else space.at(space.start_values())

    def scores(self, states: Sequence[Any], actions: Sequence[Sequence[Any]]) -> list[list[float]]:
        answers = []
        for state, row in zip(states, actions, strict=True):
            h = {action: self._h(successor) for action, _, successor in self._successors(state)}
            answers.append(_log_softmax([-h[action] for action in row]))
        return answers

    def _successors(self, state: Any) -> Any:
        return self._task.successors(state) if self._elsewhere is None else self._elsewhere.successors(state)

    def _h(self, state: Any) -> float:
        value = self._function(tuple(state) if self._elsewhere is not None else state)
        return inf if value is None else value


def _log_softmax(scores: list[float]) -> list[float]:
    """The logarithms of the softmax of the scores.

    >>> [round(exp(score), 6) for score in _log_softmax([-3.0, -3.0, -inf])]
    [0.5, 0.5, 0.0]
    """
    best = max(scores, default=0.0)
    if best == -inf:
        return [-log(len(scores)) for _ in scores]
    total = best + log(sum(exp(score - best) for score in scores))
    return [score - total for score in scores]


def _make(text: str, task: Any, seed: int, masked: bool) -> Any:
    from fsplan.planner._core import HeuristicPolicy, PythonStateSpace
    from fsplan.planner.tasks.spaces import heuristic_name, state_space_of

    name, space = text.partition(":")[2], state_space_of(task)
    if ":" in name:
        from fsplan.planner.base.imports import import_named

        return PythonHeuristicPolicy(import_named(name), task)
    if isinstance(space, PythonStateSpace):
        return PythonHeuristicPolicy(_own(task, name), task)
    chosen = heuristic_name(space, name, strongest=False)
    if chosen.startswith("pdb"):
        from fsplan.planner.tasks.pattern_databases import attach

        attach(space, chosen, None)
    return HeuristicPolicy(space, chosen)


def _own(task: Any, name: str) -> Any:
    """The method of a Python task with this name; raises ValueError if there is none."""
    function = getattr(task, name, None)
    if not callable(function):
        raise ValueError(f"policy h:{name}: the task has no method {name}; write h:heuristic or h:MODULE:FUNCTION")
    return function


KIND = PolicyKind(
    "heuristic",
    "the lower the heuristic of a successor, the better: one of the task's, or a function of a state",
    example="h:hff",
    accepts=lambda text: text.startswith("h:"),
    make=_make,
    forms=lambda: ("h:HEURISTIC", "h:MODULE:FUNCTION"),
)
