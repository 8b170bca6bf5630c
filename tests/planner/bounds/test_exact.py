"""A bound computed from floating-point multipliers is valid, however inaccurate the multipliers are."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from listed_rows import Listed

from fsplan.planner.bounds.exact import proven_value, proves_infeasible, round_up
from fsplan.planner.bounds.rows import Rows


def collected(action_count: int, listed: list[tuple[dict[int, int], int]]) -> Rows:
    rows = Rows(action_count)
    rows.add(Listed(listed))
    return rows


def test_multipliers_that_are_a_little_too_high_give_a_valid_bound() -> None:
    rows = collected(2, [({0: 1, 1: 1}, 1), ({0: 1, 1: 1}, 1)])
    value = proven_value(rows, np.array([1, 1]), np.array([0.5000001, 0.5]))
    assert Fraction(999, 1000) < value <= 1


@pytest.mark.parametrize("excess", [1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e6])
def test_large_costs_do_not_hide_an_excess(excess: float) -> None:
    rows = collected(1, [({0: 1}, 1)])
    assert proven_value(rows, np.array([10**9]), np.array([1e9 + excess])) <= 10**9


def test_free_actions_are_not_charged() -> None:
    rows = collected(2, [({0: 1, 1: 1}, 1), ({0: 1}, 1)])
    assert proven_value(rows, np.array([3, 0]), np.array([1.0, 2.0])) == 2
    assert proven_value(rows, np.array([3, 0]), np.array([1e-9, 3.0])) == 3


def test_charges_of_a_free_action_are_taken_back_along_a_chain() -> None:
    """Action 1 moves from a to b at cost 0, so the multiplier of a must be at least that of b."""
    rows = collected(2, [({1: 1}, 1), ({0: 1, 1: -1}, 0)])  # b ≥ 1, a - b ≥ 0
    assert proven_value(rows, np.array([5, 0]), np.array([5.0, 5.0])) == 5
    assert proven_value(rows, np.array([5, 0]), np.array([5.0, 4.0])) == 4


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf"), -1.0, 1e300])
def test_invalid_multipliers_never_prove_a_wrong_bound(bad: float) -> None:
    rows = collected(2, [({0: 1, 1: 1}, 1)])
    assert proven_value(rows, np.array([2, 3]), np.array([bad])) <= 2


def test_random_multipliers_never_beat_a_solution() -> None:
    """One known solution x satisfies all random rows, so no multipliers may prove a bound above its cost."""
    for seed in range(500):
        random = Random(seed)
        actions = random.randint(1, 6)
        solution = [random.randint(0, 3) for _ in range(actions)]
        costs = [random.choice([0, 0, 1, 2, 7, 10**6]) for _ in range(actions)]
        listed = []
        for _ in range(random.randint(1, 8)):
            factor = random.choice([1, 3, 10**5])
            terms = {
                a: factor * random.randint(-3, 3) for a in random.sample(range(actions), random.randint(1, actions))
            }
            listed.append((terms, sum(f * solution[a] for a, f in terms.items()) - random.choice([0, 0, 1])))
        multipliers = np.array([random.choice([0, 1 / 3, 1e-7, 0.1, 1, 1e5]) * random.random() for _ in listed])
        value = proven_value(collected(actions, listed), np.array(costs), multipliers)
        assert value <= sum(c * x for c, x in zip(costs, solution, strict=True)), seed


def test_infeasibility_needs_a_true_ray() -> None:
    impossible = collected(2, [({0: 1, 1: -1}, 1), ({0: -1, 1: 1}, 0)])
    assert proves_infeasible(impossible, np.array([1.0, 1.0]))
    assert not proves_infeasible(impossible, np.array([0.0, 0.0]))
    assert not proves_infeasible(collected(1, [({0: 1}, 1)]), np.array([1.0]))


def test_bounds_are_rounded_up_to_a_multiple_of_the_common_divisor_of_costs() -> None:
    assert round_up(Fraction(7, 2), np.array([1, 2])) == 4
    assert round_up(Fraction(4), np.array([1, 2])) == 4
    assert round_up(Fraction(21), np.array([10, 20])) == 30
    assert round_up(Fraction(0), np.array([], np.int64)) == 0
