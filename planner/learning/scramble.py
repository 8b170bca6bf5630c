"""Training examples without a solver: random walks from a puzzle's goal, labelled by the inverse of the last move.

A walk that reaches a state in n moves, reversed, is a path from this state to the goal. The path need not be a shortest
one, but over many walks the moves that lead towards the goal are the most frequent labels (Takano 2023). No state has
to be solved.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fsplan.domains.dataset import applicable_moves
from fsplan.domains.specs import Tiles, parse
from fsplan.planner.policies.examples import Examples
from fsplan.planner.tasks.task import Task

Boards = NDArray[np.uint8]


class Walkers(Protocol):
    """Many states of a puzzle that move at the same time; all begin in the goal."""

    boards: Boards  # walkers × cells

    def applicable(self) -> NDArray[np.bool_]:
        """Whether each action is applicable for each walker: a matrix walkers × actions."""

    def move(self, actions: NDArray[np.int64]) -> None: ...

    def inverse(self, actions: NDArray[np.int64]) -> NDArray[np.int64]: ...


class TilesWalkers:
    def __init__(self, count: int, columns: int, rows: int) -> None:
        self.boards = np.tile(np.arange(columns * rows, dtype=np.uint8), (count, 1))
        self.blanks = np.zeros(count, dtype=np.int64)
        self.moves, self.offsets = applicable_moves(columns, rows), np.array([-columns, -1, 1, columns])

    def applicable(self) -> NDArray[np.bool_]:
        return self.moves[self.blanks]

    def move(self, actions: NDArray[np.int64]) -> None:
        walkers, targets = np.arange(len(self.boards)), self.blanks + self.offsets[actions]
        self.boards[walkers, self.blanks] = self.boards[walkers, targets]
        self.boards[walkers, targets] = 0
        self.blanks = targets

    def inverse(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        return 3 - actions  # actions are numbered up, left, right, down


class PancakeWalkers:
    def __init__(self, count: int, size: int) -> None:
        self.boards = np.tile(np.arange(size, dtype=np.uint8), (count, 1))
        # Row a: the pancake that is in each place after action a, which turns the a + 2 pancakes on top.
        self.flips = np.array([[*range(a + 1, -1, -1), *range(a + 2, size)] for a in range(size - 1)])

    def applicable(self) -> NDArray[np.bool_]:
        return np.ones((len(self.boards), len(self.flips)), dtype=np.bool_)

    def move(self, actions: NDArray[np.int64]) -> None:
        self.boards = np.take_along_axis(self.boards, self.flips[actions], axis=1)

    def inverse(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        return actions


def scrambled(task: Task, walks: int, steps: int, seed: int) -> Examples:
    """The states of `walks` random walks of `steps` moves from the goal; the right action undoes the last move.

    No walk undoes its last move at once, because such a pair of moves leads nowhere.
    """
    walkers, generator = walkers_of(task, walks), np.random.default_rng(seed)
    undo = np.full(walks, -1)
    boards, applicable, labels = [], [], []
    for _ in range(steps):
        allowed = walkers.applicable()
        weights = generator.random(allowed.shape) * (allowed & (np.arange(allowed.shape[1]) != undo[:, None]))
        drawn = weights.argmax(axis=1)
        walkers.move(drawn)
        undo = walkers.inverse(drawn)
        boards.append(walkers.boards.copy())
        applicable.append(walkers.applicable())
        labels.append(undo)
    taken, width = np.concatenate(labels), walkers.boards.shape[1]
    away = ~(np.concatenate(boards) == np.arange(width)).all(axis=1)  # a walk may visit the goal, which has no label
    masks = np.arange(applicable[0].shape[1]) == taken[:, None]
    return Examples.from_masks(
        np.concatenate(boards)[away],
        [width] * width,
        np.concatenate(applicable)[away],
        masks[away],
        groups=np.tile(np.arange(walks), steps)[away],
        taken=taken[away],
        complete=False,
    )


def walkers_of(task: Task, count: int) -> Walkers:
    try:
        puzzle = parse(task.name)
    except ValueError:
        raise ValueError(f"{task.name} is not a puzzle: walks from the goal need moves that can be undone") from None
    if isinstance(puzzle, Tiles):
        return TilesWalkers(count, puzzle.columns, puzzle.rows)
    return PancakeWalkers(count, len(puzzle.start))
