from __future__ import annotations

import pytest

from fsplan.domains import instances, specs
from fsplan.planner.sources.registry import is_whole_task


def test_korf() -> None:
    puzzle = specs.parse("tiles15:korf/1")
    assert puzzle.start == [14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3]
    assert isinstance(puzzle, specs.Tiles)
    assert (puzzle.columns, puzzle.rows) == (4, 4)


def test_there_are_100_korf_instances_with_known_optimal_costs() -> None:
    boards = [tuple(instances.korf(number)) for number in range(1, 101)]
    assert len(set(boards)) == 100
    assert sum(instances.korf_cost(number) for number in range(1, 101)) == 5305
    for number in range(1, 101):
        specs.parse(f"tiles15:korf/{number}").state_space()


@pytest.mark.parametrize(
    ("spec", "cells"),
    [
        ("tiles3:random/0", 4),
        ("tiles8:random/7", 9),
        ("tiles24:random/1", 25),
        ("tiles3x4:random/2", 12),
        ("tiles5x2:random/2", 10),
        ("pancake9:random/3", 9),
        ("pancake25:random/18446744073709551615", 25),
    ],
)
def test_random_instances_are_legal_and_repeatable(spec: str, cells: int) -> None:
    puzzle = specs.parse(spec)
    assert len(puzzle.start) == cells
    assert puzzle.start == specs.parse(spec).start
    space = puzzle.state_space()
    assert space.width() == cells
    assert space.domain_sizes() == [cells] * cells


def test_random_instances_are_the_same_everywhere() -> None:
    assert specs.parse("tiles8:random/7").start == [6, 2, 5, 1, 7, 8, 0, 4, 3]
    assert specs.parse("pancake9:random/3").start == [5, 3, 9, 4, 8, 6, 7, 2, 1]


def test_lists() -> None:
    assert specs.parse("tiles8:1,0,2,3,4,5,6,7,8").start == [1, 0, 2, 3, 4, 5, 6, 7, 8]
    assert specs.parse("pancake:5,2,1,4,3").start == [5, 2, 1, 4, 3]
    assert specs.parse("pancake5: 5, 2, 1, 4, 3").start == [5, 2, 1, 4, 3]
    assert specs.parse("pancake:5,2,1,4,3").state_space().start_values() == [4, 1, 0, 3, 2]


def test_actions_are_moves() -> None:
    tiles = specs.parse("tiles15:korf/1").state_space()
    assert [tiles.action_name(action) for action in range(tiles.action_count())] == ["up", "left", "right", "down"]
    pancakes = specs.parse("pancake4:random/1").state_space()
    assert [pancakes.action_name(action) for action in range(pancakes.action_count())] == ["flip-2", "flip-3", "flip-4"]


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("tiles8:0,1,2,3,4,5,6,7", "expected 9 tiles, found 8"),
        ("tiles8:0,1,2,3,4,5,6,7,7", "tile 7 is repeated"),
        ("tiles8:0,1,2,3,4,5,6,7,9", "tile 9 is not between 0 and 8"),
        ("tiles8:0,1,2,x,4,5,6,7,8", "'x' is not a number"),
        ("tiles8:0,1,2,-3,4,5,6,7,8", "'-3' is not a number"),
        ("tiles8:", "'' is not a number"),
        ("tiles8:korf/1", "15-puzzle"),
        ("tiles15:korf/0", "numbered 1 to 100"),
        ("tiles15:korf/101", "numbered 1 to 100"),
        ("tiles15:korf/x", "not an instance"),
        ("tiles15:best/1", "not an instance"),
        ("tiles15:random/-1", "not an instance"),
        ("tiles15:random/99999999999999999999", "not an instance"),
        ("tiles15:random/²", "not an instance"),
        ("tiles14:random/1", "unknown board"),
        ("tiles6x6:random/1", "unknown board"),
        ("tiles1x5:random/1", "unknown board"),
        ("tiles:random/1", "unknown board"),
        ("tiles15", "no instance"),
        ("hanoi:3", "unknown puzzle 'hanoi'"),
        ("pancake:random/3", "how many pancakes"),
        ("pancake1:random/3", "1 pancakes; there can be 2 to 25"),
        ("pancake26:random/3", "there can be 2 to 25"),
        ("pancake9:korf/1", "15-puzzle"),
        ("pancake4:1,2,3", "expected 4 pancakes, found 3"),
        ("pancake:1,2,2", "pancake 2 is repeated"),
        ("pancake:0,1,2", "pancake 0 is not between 1 and 3"),
        ("pancakes:1,2,3", "unknown puzzle"),
        ("pancake:" + "1," * 100_000 + "1", "pancakes; there can be"),
    ],
)
def test_bad_specs_are_refused_with_the_reason(spec: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        specs.state_space(spec)
    assert str(caught.value).startswith(spec[:50])
    assert len(str(caught.value)) < 300


def test_the_command_line_knows_a_puzzle_by_its_colon() -> None:
    assert is_whole_task("tiles15:korf/1")
