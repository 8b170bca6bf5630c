"""Scores and best actions of a policy for given states of a task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fsplan.planner import _core
from fsplan.planner.policies import estimates
from fsplan.planner.policies.estimates import EdgeEstimates
from fsplan.planner.tasks.task import Task

# The logarithm that stands for probability 0; equals kLogZero of the native core.
LOG_ZERO = -700.0


def score_edges(
    policy: Any,
    values: npt.NDArray[np.int32],
    edges_begin: npt.NDArray[Any],
    actions: npt.NDArray[Any],
    *,
    known: EdgeEstimates | None = None,
    space: _core.StateSpace | None = None,
) -> npt.NDArray[np.float32]:
    """log π of every edge of a batch of states, for native policies and Python objects with `scores(states, actions)`.

    `known` holds the heuristic estimates for policies that use them. A Python policy is called with the state and
    action objects of a Python task if `space` is one, and with integers otherwise. As in a search, scores are clipped
    to the range of log-probabilities, LOG_ZERO to 0, and NaN is an error.
    """
    begin, numbers = edges_begin.astype(np.uint32, copy=False), actions.astype(np.uint32, copy=False)
    if isinstance(policy, _core.Policy):
        rows = np.ascontiguousarray(values, dtype=np.int32)
        read = {} if known is None else known._asdict()
        scores = np.asarray(_core.policy_scores(policy, rows, begin, numbers, **read), dtype=np.float32)
    else:
        scores = _python_scores(policy, *_as_python_sees(values, begin, numbers, space))
    if np.isnan(scores).any():
        raise ValueError("a policy's score is NaN: return log p, or log_softmax of finite logits")
    return np.clip(scores, np.float32(LOG_ZERO), np.float32(0))


def _as_python_sees(
    values: npt.NDArray[np.int32],
    begin: npt.NDArray[np.uint32],
    actions: npt.NDArray[np.uint32],
    space: _core.StateSpace | None,
) -> tuple[list[Any], list[list[Any]]]:
    rows = [actions[begin[i] : begin[i + 1]].tolist() for i in range(len(values))]
    if not isinstance(space, _core.PythonStateSpace):
        return [tuple(state) for state in values.tolist()], rows
    return [space.state(state) for (state,) in values.tolist()], [list(map(space.action, row)) for row in rows]


def _python_scores(policy: Any, states: list[Any], rows: list[list[Any]]) -> npt.NDArray[np.float32]:
    answers = [list(row) for row in policy.scores(states, rows)]
    if len(answers) != len(rows):
        raise ValueError(f"the policy scored {len(answers)} states, but was given {len(rows)}")
    for number, (answer, row) in enumerate(zip(answers, rows, strict=True)):
        if len(answer) != len(row):
            raise ValueError(f"the policy gave {len(answer)} scores for the {len(row)} actions of state {number}")
    return np.array([score for answer in answers for score in answer], dtype=np.float32)


def best_edges(scores: npt.NDArray[np.float32], edges_begin: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The edge with the highest score of each state, the first one in case of ties; -1 for a state without edges.

    >>> best_edges(np.array([1, 3, 3, 2], np.float32), np.array([0, 3, 3, 4])).tolist()
    [1, -1, 3]
    """
    begin = edges_begin.astype(np.int64)
    counts = np.diff(begin)
    best = np.full(len(counts), -1, dtype=np.int64)
    rows = np.flatnonzero(counts)
    if not len(rows):
        return best
    highest = np.repeat(np.maximum.reduceat(scores, begin[rows]), counts[rows])
    candidates = np.flatnonzero(scores == highest)
    owner = np.repeat(rows, counts[rows])[candidates]
    # Assigned in reverse order, so that the first of several best edges is written last.
    best[owner[::-1]] = candidates[::-1]
    return best


class TaskPolicy:
    """A policy on a task: its probabilities π and its best action δ.

    States are sequences of integers, and actions are numbers in `task.actions`.
    """

    def __init__(self, policy: Any, task: Task) -> None:
        self.policy, self.task = policy, task

    @property
    def accuracy(self) -> float | None:
        known = getattr(self.policy, "accuracy", None)
        return None if known is None else float(known)

    def log_probabilities(self, states: Sequence[Sequence[int]]) -> list[dict[int, float]]:
        """A dictionary for each state that maps every applicable action to log π."""
        space = self.task.state_space
        rows = [space.successors(list(state)) for state in states]
        begin = np.cumsum([0, *map(len, rows)])
        actions = np.array([action for row in rows for action, _, _ in row], dtype=np.uint32)
        known = self._estimates(states, rows) if estimates.read_by(self.policy) else None
        values = np.array(states, dtype=np.int32)
        scores = iter(score_edges(self.policy, values, begin, actions, known=known).tolist())
        return [{action: next(scores) for action, _, _ in row} for row in rows]

    def _estimates(
        self, states: Sequence[Sequence[int]], rows: list[list[tuple[int, int, list[int]]]]
    ) -> EdgeEstimates:
        space = self.task.state_space
        return estimates.of_edges(
            (
                estimates.evaluate(space, list(state))[2],
                [(action, cost, estimates.evaluate(space, values)) for action, cost, values in row],
            )
            for state, row in zip(states, rows, strict=True)
        )

    def delta(self, state: Sequence[int]) -> int | None:
        """The best applicable action, the one with the lowest number in case of ties; None if there is none."""
        scores = self.log_probabilities([state])[0]
        return max(scores, key=lambda action: (scores[action], -action), default=None)
