"""Korf's 100 instances of the 15-puzzle, which are part of the package."""

from __future__ import annotations

import os

KORF_COUNT = 100


def korf(number: int) -> list[int]:
    """The board of one of Korf's 100 random 15-puzzles.

    >>> korf(1)
    [14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3]
    """
    if not 1 <= number <= KORF_COUNT:
        raise ValueError(f"Korf's instances are numbered 1 to {KORF_COUNT}, not {number}")
    return _korf()[number - 1][0]


def korf_cost(number: int) -> int:
    """The optimal cost of one of Korf's instances.

    >>> sum(korf_cost(number) for number in range(1, KORF_COUNT + 1))
    5305
    """
    return _korf()[number - 1][1]


def _korf() -> list[tuple[list[int], int]]:
    path = os.path.join(os.path.dirname(__file__), "korf100.txt")
    with open(path, encoding="ascii") as file:
        rows = [line.split() for line in file if not line.startswith("#")]
    return [([int(tile) for tile in tiles.split(",")], int(cost)) for _, tiles, cost in rows]
