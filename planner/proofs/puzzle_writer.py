"""Writes the proof of a puzzle's lower bound (docs/proofs.md): all reachable states whose g + L is below the bound."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from fsplan.domains import specs
from fsplan.planner import _core
from fsplan.planner.proofs.check_puzzle import VERSION, Pancakes, Tiles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fsplan.planner.proofs.check_puzzle import State
    from fsplan.planner.tasks.task import Task

MOST_STATES = 1_000_000


def rules_of(task: Task) -> tuple[Tiles | Pancakes, State] | None:
    """Returns the checker's rules for the puzzle, and its initial state; None if the task is no puzzle."""
    space = task.state_space
    if isinstance(space, _core.PancakeStateSpace):
        return Pancakes(len(space.start_values())), tuple(space.start_values())
    if isinstance(space, _core.TilesStateSpace):
        return Tiles(*specs.board_size(task.name.partition(":")[0])), tuple(space.start_values())
    return None


def labelled_states(
    puzzle: Tiles | Pancakes, start: State, bound: int, most_states: int, deadline: float
) -> dict[State, int] | None:
    """All states that are reachable by states with g + L < bound, with their least g; None if there are too many."""
    labels = {start: 0} if puzzle.bound(start) < bound else {}
    level = list(labels)
    for g in range(1, bound):
        reached = []
        for state in level:
            for after in puzzle.steps(state):
                if after not in labels and g + puzzle.bound(after) < bound:
                    labels[after] = g
                    reached.append(after)
            if len(labels) > most_states or perf_counter() > deadline:
                return None
        level = reached
    return labels


def lines_of_proof(
    puzzle: Tiles | Pancakes, start: State, target: int | None, size_limit: int, deadline: float
) -> tuple[int | None, int, Iterator[str]]:
    """Returns the greatest bound up to the target that the limits allow, the number of labels, and the lines.

    A bound of None means that there is no solution.
    """
    if target is None:
        if not puzzle.has_wrong_parity(start):
            raise ValueError("this puzzle has a solution")
        return None, 0, _lines("inf", {})
    most_states = min(MOST_STATES, size_limit // (3 * len(start) + 8))
    bound, labels = min(target, puzzle.bound(start)), dict[tuple[int, ...], int]()
    while bound < target:
        more = labelled_states(puzzle, start, bound + 1, most_states, deadline)
        if more is None:
            break
        bound, labels = bound + 1, more
    return bound, len(labels), _lines(bound, labels)


def _lines(bound: object, labels: dict[State, int]) -> Iterator[str]:
    yield f"{VERSION}\nbound {bound}\n"
    for state, g in labels.items():
        yield f"g {g} {' '.join(map(str, state))}\n"
    yield "end\n"
