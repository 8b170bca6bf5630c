"""The 8-puzzle in a few obvious lines of Python."""

from __future__ import annotations

from collections import deque
from functools import cache

Board = tuple[int, ...]

# (action, change of the blank's cell number) for the moves up, left, right, down of the blank
_STEPS = ((0, -3), (1, -1), (2, 1), (3, 3))


def moves(board: Board) -> list[tuple[int, Board]]:
    blank = board.index(0)
    inside = (blank >= 3, blank % 3 > 0, blank % 3 < 2, blank < 6)
    return [(action, _swapped(board, blank, blank + step)) for action, step in _STEPS if inside[action]]


def _swapped(board: Board, one: int, other: int) -> Board:
    cells = list(board)
    cells[one], cells[other] = cells[other], cells[one]
    return tuple(cells)


@cache
def distances() -> dict[Board, int]:
    """Distance of every solvable board to the goal 0, 1, 2, …."""
    goal = tuple(range(9))
    found = {goal: 0}
    queue = deque([goal])
    while queue:
        board = queue.popleft()
        for _, child in moves(board):
            if child not in found:
                found[child] = found[board] + 1
                queue.append(child)
    return found


def optimal_actions(board: Board) -> set[int]:
    known = distances()
    return {action for action, child in moves(board) if known[child] == known[board] - 1}
