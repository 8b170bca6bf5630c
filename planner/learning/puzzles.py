"""Training of the paper's network for sliding tiles from a data set, optionally augmented by mirrored boards."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsplan.domains.dataset import Recorded, load
from fsplan.domains.generators import SplitMix, tiles
from fsplan.domains.specs import board_size
from fsplan.domains.specs import load as load_puzzle
from fsplan.planner.learning.collect import Collected
from fsplan.planner.policies.examples import Examples
from fsplan.planner.policies.signature import signature_of

# Default training options for a data set.
DEFAULTS: dict[str, Any] = {
    "hidden": (160, 80, 16),
    "epochs": 40,
    "batch": 4096,
    "learning_rate": 4e-3,
    "weight_decay": 1e-2,
    "validation": 0.01,
    "test": 0.1,
}
# Mirroring a board at its diagonal exchanges the actions up and left, and the actions right and down.
_MIRRORED_ACTIONS = np.array([1, 0, 3, 2], dtype=np.uint8)


def collect_data_set(puzzle: str, data: str, mirror: bool = True) -> Collected:
    """The examples in a data set of `fsplan dataset`; for square boards, mirrored states are added for training."""
    columns, rows = board_size(puzzle)
    recorded = load(data)
    if recorded.values.shape[1] != columns * rows:
        raise ValueError(f"{data} holds boards of {recorded.values.shape[1]} cells, {puzzle} has {columns * rows}")
    task = load_puzzle(f"{puzzle}:{','.join(map(str, tiles(columns, rows, SplitMix(0))))}")
    signature = signature_of(task)._replace(name=puzzle)
    mirrored = mirror and columns == rows
    record = {"traces": int(recorded.traces.max()) + 1, "states": len(recorded.actions), "mirrored": mirrored}
    return Collected(as_examples(recorded, columns if mirrored else 0), signature, record=record)


def as_examples(recorded: Recorded, side: int = 0) -> Examples:
    """The examples of the recorded states.

    If `side`, the side length of a square board, is given, every state is also added mirrored, for training only.
    """
    cells, count = recorded.values.shape[1], len(recorded.actions)
    copies = np.zeros(count, dtype=np.bool_)
    if side:
        recorded = with_mirrored(recorded, side)
        copies = np.arange(2 * count) >= count
    return Examples.from_masks(
        recorded.values,
        [cells] * cells,
        recorded.applicable,
        recorded.optimal,
        groups=recorded.traces,
        distance=recorded.distances,
        taken=recorded.actions,
        copies=copies,
    )


def with_mirrored(recorded: Recorded, side: int) -> Recorded:
    """All states, followed by all states mirrored at the diagonal; mirroring maps the goal state to itself."""
    return Recorded(
        np.concatenate([recorded.values, mirrored(recorded.values, side)]),
        np.concatenate([recorded.actions, _MIRRORED_ACTIONS[recorded.actions]]),
        np.concatenate([recorded.optimal, recorded.optimal[:, _MIRRORED_ACTIONS]]),
        np.concatenate([recorded.applicable, recorded.applicable[:, _MIRRORED_ACTIONS]]),
        np.tile(recorded.traces, 2),
        np.tile(recorded.distances, 2),
    )


def mirrored(values: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """The boards mirrored at the diagonal, with each tile renamed to the tile of its mirrored goal cell.

    >>> mirrored(np.array([[1, 2, 0, 3]], np.uint8), 2).tolist()
    [[2, 0, 1, 3]]
    """
    transposed = np.arange(side * side, dtype=np.uint8).reshape(side, side).T.ravel()
    moved: NDArray[np.uint8] = transposed[values[:, transposed]]
    return moved
