from __future__ import annotations

from collections import Counter

import eight_puzzle as oracle

from fsplan.domains import generators
from fsplan.domains.generators import SplitMix


def test_splitmix_gives_its_published_numbers() -> None:
    generator = SplitMix(1234567)
    assert [generator.next() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_numbers_below_a_limit_are_drawn_evenly() -> None:
    generator = SplitMix(5)
    counts = Counter(generator.below(3) for _ in range(30_000))
    assert set(counts) == {0, 1, 2}
    assert all(abs(count - 10_000) < 400 for count in counts.values())


def test_boards_are_solvable_and_spread_evenly() -> None:
    known = oracle.distances()
    boards = [tuple(generators.tiles(3, 3, SplitMix(seed))) for seed in range(3000)]
    assert all(board in known for board in boards)
    assert abs(sum(known[board] for board in boards) / len(boards) - 21.9724) < 0.2


def test_the_parity_test_agrees_with_the_oracle_on_solvability() -> None:
    known = oracle.distances()
    for seed in range(2000):
        board = list(range(9))
        SplitMix(seed).shuffle(board)
        assert generators.is_solvable(board, 3) == (tuple(board) in known)


def test_every_small_board_is_drawn() -> None:
    drawn = {tuple(generators.tiles(2, 2, SplitMix(seed))) for seed in range(400)}
    assert len(drawn) == 12


def test_stacks_are_permutations() -> None:
    assert sorted(generators.pancakes(9, SplitMix(1))) == list(range(1, 10))
    assert generators.pancakes(9, SplitMix(1)) == generators.pancakes(9, SplitMix(1))
