"""Checks a proof that no solution of a sliding-tile or pancake puzzle is shorter than a bound, or that there is none.

See docs/proofs.md for the format. Like check.py, this module imports no other code of fsplan, and it uses the theorem
proven there. Let K be a set of states with labels g, where the initial state has label 0. Every step from a state of K
leads to a state of K with a label at most one greater, or to a state t with g + 1 + L(t) ≥ B, where L is a lower bound
on the goal distance. The goal, if it is in K, has a label ≥ B. Then no solution has fewer than B steps. A proof lists
only K; L is computed here, by one of two simple formulas.

SLIDING TILES. A step moves one tile by one cell, so the distances of all tiles to their goal cells add up to a lower
bound. Consider the tiles of a line (a row or column) whose goal cells are in the same line. Tiles that never leave the
line keep their order. So all of them except a longest increasing subsequence must leave the line and return, which
takes two additional steps each. A tile that leaves its row moves vertically; its distance to the goal cell does not
include these steps, because the tile is in its goal row. So the additional steps of rows and of columns can be added.

NO SOLUTION. A step exchanges the blank with the tile of a neighbouring cell. This changes the parity of the
permutation, and also the parity of the blank's distance to its goal cell. So if the two parities are equal, they stay
equal, and if they differ, they stay different. At the goal both are even. Hence a board whose parities differ has no
solution, and the proof of B = ∞ needs no states.

PANCAKES. A flip changes one pair of neighbours. The plate counts as the neighbour of the lowest pancake. In the goal
all neighbours differ by 1, so the number of neighbours that differ by more than 1 is a lower bound.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

VERSION = "fsplan-puzzle-proof 1"
INFINITY = float("inf")

State = tuple[int, ...]


class Malformed(ValueError):
    """The file is not a proof, or is a proof for another puzzle."""


class Refuted(Exception):
    """A step of the proof is wrong; the message names it."""


@dataclass(frozen=True)
class Tiles:
    """A sliding-tile puzzle. A state lists the tiles row by row, 0 for the blank; the goal is the sorted list."""

    columns: int
    rows: int

    def goal(self) -> State:
        return tuple(range(self.columns * self.rows))

    def steps(self, state: State) -> Iterator[State]:
        blank = state.index(0)
        row, column = divmod(blank, self.columns)
        places = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        for other in [r * self.columns + c for r, c in places if 0 <= r < self.rows and 0 <= c < self.columns]:
            moved = list(state)
            moved[blank], moved[other] = moved[other], 0
            yield tuple(moved)

    def bound(self, state: State) -> int:
        total = 0
        in_row: list[list[int]] = [[] for _ in range(self.rows)]
        in_column: list[list[int]] = [[] for _ in range(self.columns)]
        for place, tile in enumerate(state):
            (row, column), (goal_row, goal_column) = divmod(place, self.columns), divmod(tile, self.columns)
            if tile:
                total += abs(row - goal_row) + abs(column - goal_column)
                in_row[row] += [goal_column] if row == goal_row else []
                in_column[column] += [goal_row] if column == goal_column else []
        return total + sum(2 * (len(line) - longest_increasing(line)) for line in in_row + in_column)

    def has_wrong_parity(self, state: State) -> bool:
        exchanged = sum(one > other for one, other in combinations(state, 2))
        return (exchanged + sum(divmod(state.index(0), self.columns))) % 2 == 1


@dataclass(frozen=True)
class Pancakes:
    """A pancake puzzle. A state lists the pancakes from the top, 0 is the smallest; a step reverses a prefix."""

    count: int

    def goal(self) -> State:
        return tuple(range(self.count))

    def steps(self, state: State) -> Iterator[State]:
        for size in range(2, self.count + 1):
            yield state[size - 1 :: -1] + state[size:]

    def has_wrong_parity(self, _: State) -> bool:
        return False

    def bound(self, state: State) -> int:
        return sum(abs(one - other) > 1 for one, other in zip(state, (*state[1:], self.count), strict=True))


def longest_increasing(numbers: Iterable[int]) -> int:
    """Returns the length of a longest increasing subsequence; the numbers must be distinct."""
    ends: list[int] = []
    for number in numbers:
        place = bisect_left(ends, number)
        ends[place : place + 1] = [number]
    return len(ends)


@dataclass
class Verdict:
    """Result of a verified proof: no solution has fewer steps than `bound`, which is infinite if none exists."""

    bound: float
    labels: int


def check(puzzle: Tiles | Pancakes, start: State, lines: Iterable[str]) -> Verdict:
    """Raises Refuted or Malformed unless the lines are a proof for this initial state."""
    labels, bound, ended = dict[State, int](), 0.0, False
    goal = puzzle.goal()
    for number, line in enumerate(lines, 1):
        try:
            kind, *words = line.split() or [""]
            if number == 1:
                if line.split() != VERSION.split():
                    raise ValueError(f"expected {VERSION!r}")
            elif kind == "bound" and number == 2 and len(words) == 1:
                bound = INFINITY if words == ["inf"] else natural(words[0])
            elif kind == "g" and not ended:
                state = tuple(natural(word) for word in words[1:])
                if sorted(state) != list(goal) or state in labels:
                    raise ValueError("not a state of this puzzle, or one that is listed twice")
                labels[state] = natural(words[0])
            elif line == "end\n" and not ended:
                ended = True
            else:
                raise ValueError("unexpected")
        except (ValueError, IndexError) as error:
            raise Malformed(f"line {number}: {line[:60]!r}: {error}") from None
    if not ended:
        raise Malformed("the last line is not 'end': the file is cut off")
    if not puzzle.has_wrong_parity(start):
        check_steps(puzzle.steps, puzzle.bound, goal, start, labels, bound)
    return Verdict(bound, len(labels))


def check_steps(
    steps: Callable[[State], Iterator[State]],
    lower: Callable[[State], int],
    goal: State,
    start: State,
    labels: dict[State, int],
    bound: float,
) -> None:
    if labels.get(start, 1) > 0 and lower(start) < bound:
        raise Refuted("the start has neither label 0 nor a lower bound that is enough")
    if labels.get(goal, bound) < bound:
        raise Refuted(f"the goal has label {labels[goal]}")
    for state, g in labels.items():
        for after in steps(state) if g + 1 < bound else ():
            if labels.get(after, bound) > g + 1 and g + 1 + lower(after) < bound:
                raise Refuted(f"a step leads, at {g + 1}, to a state without proof: {' '.join(map(str, after))}")


def natural(word: str) -> int:
    if len(word) > 9 or not (word.isascii() and word.isdecimal()):
        raise ValueError(f"{word[:9]!r} is no number from 0 on")
    return int(word)
