"""The scale of the synthetic policies that resemble the shipped network."""

from __future__ import annotations

import numpy as np
import pytest

from fsplan.domains.dataset import applicable_moves
from fsplan.planner import _core
from fsplan.planner.paper.settings import NETWORK_SCALE
from fsplan.planner.policies.registry import resolve
from fsplan.planner.search.named import wastar
from fsplan.planner.sources.load import load

MOVES = {"up": -4, "left": -1, "right": 1, "down": 4}


def boards(number: int) -> list[list[int]]:
    """The states along WA*'s plan for one of Korf's instances."""
    task = load(f"tiles15:korf/{number}")
    board, found = list(task.state_space.start_values()), []
    for action in wastar(task, w=2, heuristic="linear_conflict").plan or ():
        found.append(list(board))
        blank = board.index(0)
        board[blank], board[blank + MOVES[action]] = board[blank + MOVES[action]], 0
    return found


def test_the_network_is_as_confident_as_a_synthetic_policy_of_scale_7() -> None:
    """Compares the mean probability of the first choice among the applicable actions."""
    values = np.array([board for number in range(1, 31) for board in boards(number)], np.int32)
    applicable = applicable_moves(4, 4)[(values == 0).argmax(1)]
    begin = np.cumsum([0, *applicable.sum(1)]).astype(np.uint32)
    actions = np.nonzero(applicable)[1].astype(np.uint32)
    scores = _core.policy_scores(resolve("tiles15", load("tiles15:korf/1")), values, begin, actions)
    network = np.exp(np.maximum.reduceat(scores, begin[:-1].astype(np.int64))).mean()
    numbers = NETWORK_SCALE * np.random.default_rng(0).normal(size=(20_000, 4))
    counts = applicable.sum(1)
    drawn = sum(_first_choice(numbers[:, :count]) * (counts == count).mean() for count in (2, 3, 4))
    assert network == pytest.approx(0.912, abs=0.01)
    assert drawn == pytest.approx(network, abs=0.01)


def _first_choice(numbers: np.ndarray) -> float:
    weights = np.exp(numbers - numbers.max(1, keepdims=True))
    return float((1 / weights.sum(1)).mean())
