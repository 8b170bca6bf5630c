"""`--policy h:NAME`: ranks actions by a heuristic; the lower the h-value of the successor, the better the action."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf, log
from typing import Any

from fsplan.planner._core import HeuristicPolicy, PythonStateSpace
from fsplan.planner.base.imports import import_named
from fsplan.planner.policies.kind import PolicyKind
from fsplan.planner.policies.kinds.factory import call_with_task
from fsplan.planner.tasks.spaces import heuristic_name, state_space_of
from fsplan.planner.tasks.states import Walker


class PythonHeuristicPolicy:
    """A policy whose probabilities are the softmax of -h over the successors, where h is a Python function of a state.

    For a Python task the function is called with its state objects, for other tasks with `State` objects.
    """

    shares_ties = True  # successors with the same h have the same rank
    well_defined = True

    def __init__(self, function: Any, task: Any) -> None:
        self._function, self._successors = function, _successor_function(task)

    def scores(self, states: Sequence[Any], actions: Sequence[Sequence[Any]]) -> list[list[float]]:
        answers = []
        for state, row in zip(states, actions, strict=True):
            h = {action: self._h(successor) for action, _, successor in self._successors(state)}
            answers.append(_log_softmax([-h[action] for action in row]))
        return answers

    def _h(self, state: Any) -> float:
        value = self._function(state)
        return inf if value is None else value


def _successor_function(task: Any) -> Any:
    space = state_space_of(task)
    if isinstance(space, PythonStateSpace):
        return task.successors
    return (getattr(task, "walker", None) or Walker(space)).successors


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
    name, space = text.partition(":")[2], state_space_of(task)
    if ":" in name:
        return PythonHeuristicPolicy(_imported(name, text, task), task)
    if isinstance(space, PythonStateSpace):
        return PythonHeuristicPolicy(_own(task, name), task)
    chosen = heuristic_name(space, name, strongest=False)
    if chosen.startswith("pdb"):
        from fsplan.planner.tasks.pattern_databases import attach

        attach(space, chosen, None)
    return HeuristicPolicy(space, chosen)


def _imported(name: str, policy: str, task: Any) -> Any:
    """The heuristic with this name, a function of a state; a class is called with the task and returns the function."""
    found = import_named(name)
    made = call_with_task(found, policy, task) if isinstance(found, type) else found
    if not callable(made):
        raise ValueError(f"policy {policy}: {name} is neither a function of a state nor a class of such functions")
    return made


def _own(task: Any, name: str) -> Any:
    """The method of a Python task with this name; raises ValueError if there is none."""
    function = getattr(task, name, None)
    if not callable(function):
        raise ValueError(f"policy h:{name}: the task has no method {name}; write h:heuristic or h:MODULE:FUNCTION")
    return function


KIND = PolicyKind(
    "heuristic",
    "softmax of -h over the successors; h is a heuristic of the task or a Python function of a state",
    example="h:hff",
    accepts=lambda text: text.startswith("h:"),
    make=_make,
    forms=lambda: ("h:HEURISTIC", "h:MODULE:FUNCTION", "h:MODULE:CLASS"),
)
