"""Random instances that depend only on the seed, not on the platform or the version of Python."""

from __future__ import annotations

import os
from collections.abc import MutableSequence
from itertools import pairwise

from fsplan.pddl.tasks import path

_MASK = (1 << 64) - 1


class SplitMix:
    """The random number generator splitmix64, which has 64 bits of state.

    >>> SplitMix(0).next() == 0xE220A8397B1DCDAF
    True
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def next(self) -> int:
        """The next 64-bit number."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, limit: int) -> int:
        """A uniformly distributed number from 0 to `limit` - 1.

        Draws above the largest multiple of `limit` are rejected, because they would favour small numbers.
        """
        words = max(1, (limit.bit_length() + 63) // 64)
        end = (1 << 64 * words) // limit * limit
        while (drawn := self._joined(words)) >= end:
            pass
        return drawn % limit

    def _joined(self, words: int) -> int:
        number = 0
        for _ in range(words):
            number = number << 64 | self.next()
        return number

    def shuffle(self, items: MutableSequence[int]) -> None:
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def tiles(columns: int, rows: int, generator: SplitMix) -> list[int]:
    """A board drawn uniformly from the solvable boards.

    If a shuffled board is unsolvable, its first two tiles are exchanged. This maps the unsolvable boards one to one to
    the solvable boards, so the result is uniform.
    """
    board = list(range(columns * rows))
    generator.shuffle(board)
    if not is_solvable(board, columns):
        first, second = [cell for cell, tile in enumerate(board) if tile][:2]
        board[first], board[second] = board[second], board[first]
    return board


def is_solvable(board: list[int], columns: int) -> bool:
    """Whether the goal can be reached from the board.

    Every move exchanges two entries, which changes the parity of the permutation, and also changes the parity of the
    blank's distance from its goal cell. So the sum of both parities is invariant, and it is even for the goal.
    """
    blank = board.index(0)
    exchanges = len(board) - _cycles(board)
    return (exchanges + blank // columns + blank % columns) % 2 == 0


def _cycles(permutation: list[int]) -> int:
    seen = [False] * len(permutation)
    count = 0
    for start in range(len(permutation)):
        count += not seen[start]
        while not seen[start]:
            seen[start] = True
            start = permutation[start]
    return count


def pancakes(count: int, generator: SplitMix) -> list[int]:
    """A uniformly random stack of pancakes of sizes 1 to `count`, listed from the top."""
    stack = list(range(1, count + 1))
    generator.shuffle(stack)
    return stack


def blocks(count: int, seed: int) -> tuple[str, str]:
    """A blocks-world task with four operators, as two PDDL texts: domain and problem.

    Initial state and goal are drawn uniformly from all arrangements of `count` blocks into towers.

    >>> domain, problem = blocks(4, seed=1)
    >>> problem.splitlines()[0]
    '; 4 blocks, seed 1'
    """
    if not 1 <= count <= 1000:
        raise ValueError(f"{count} blocks; there can be 1 to 1000")

    with open(os.path.join(os.path.dirname(path("blocks-8-0")), "domain.pddl"), encoding="ascii") as file:
        domain = file.read()
    generator = SplitMix(seed)
    start, goal = towers(count, generator), towers(count, generator)
    return domain, _blocks_problem(count, seed, start, goal)


def towers(count: int, generator: SplitMix) -> list[list[int]]:
    """A uniformly random arrangement of the blocks 0 to `count` - 1 into towers, each listed from the bottom.

    Towers are placed one after the other, on the table or on another tower; at first every block is a tower of its own.
    With φ towers left to place and τ towers on the table there are g(φ, τ) arrangements, where g(0, τ) = 1 and
    g(φ, τ) = g(φ - 1, τ + 1) + (φ - 1 + τ) g(φ - 1, τ).
    """
    ways = _arrangements(count)
    loose = [[block] for block in range(count)]
    standing: list[list[int]] = []
    while loose:
        tower = loose.pop()
        drawn = generator.below(ways[len(loose) + 1][len(standing)])
        if drawn < ways[len(loose)][len(standing) + 1]:
            standing.append(tower)
            continue
        rest = (drawn - ways[len(loose)][len(standing) + 1]) // ways[len(loose)][len(standing)]
        (loose + standing)[rest].extend(tower)
    return standing


def _arrangements(count: int) -> list[list[int]]:
    ways = [[1] * (count + 1)]
    for loose in range(1, count + 1):
        before = ways[-1]
        ways.append([before[tau + 1] + (loose - 1 + tau) * before[tau] for tau in range(count + 1 - loose)])
    return ways


def _blocks_problem(count: int, seed: int, start: list[list[int]], goal: list[list[int]]) -> str:
    names = [f"b{number + 1}" for number in range(count)]
    facts = ["(handempty)", *_tower_facts(start, names), *(f"(clear {names[tower[-1]]})" for tower in start)]
    newline = "\n    "
    return f"""; {count} blocks, seed {seed}
(define (problem blocks-{count}-{seed})
  (:domain blocks)
  (:objects {" ".join(names)})
  (:init
    {newline.join(facts)})
  (:goal (and
    {newline.join(_tower_facts(goal, names))})))
"""


def _tower_facts(arrangement: list[list[int]], names: list[str]) -> list[str]:
    facts = []
    for tower in arrangement:
        facts.append(f"(ontable {names[tower[0]]})")
        facts += [f"(on {names[above]} {names[below]})" for below, above in pairwise(tower)]
    return facts
