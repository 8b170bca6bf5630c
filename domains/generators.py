"""Seeded random instances, the same on every platform and version of Python."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import MutableSequence

_MASK = (1 << 64) - 1


class SplitMix:
    """The splitmix64 generator: 64 bits of state, one addition and two multiplications a number.

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
        """A number from 0 to `limit` - 1, each equally likely: numbers past the last full round are drawn again."""
        end = (_MASK + 1) // limit * limit
        while (drawn := self.next()) >= end:
            pass
        return drawn % limit

    def shuffle(self, items: MutableSequence[int]) -> None:
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def tiles(columns: int, rows: int, generator: SplitMix) -> list[int]:
    """A board drawn uniformly from those that the goal can be reached from.

    A shuffled board of the wrong parity gets its first two tiles exchanged, which maps the unsolvable half one to one
    onto the solvable half.
    """
    board = list(range(columns * rows))
    generator.shuffle(board)
    if not is_solvable(board, columns):
        first, second = [cell for cell, tile in enumerate(board) if tile][:2]
        board[first], board[second] = board[second], board[first]
    return board


def is_solvable(board: list[int], columns: int) -> bool:
    """Every move exchanges the blank with a tile and changes the parity of the blank's distance from its home."""
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
    """A uniformly random stack, top first, sizes 1 to `count`."""
    stack = list(range(1, count + 1))
    generator.shuffle(stack)
    return stack
