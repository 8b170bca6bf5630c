"""The statistics of paired comparisons, compared with enumerations of all cases."""

from __future__ import annotations

from itertools import combinations, product
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import known

from fsplan.planner.experiments.summary import interval
from fsplan.planner.paper.evidence import judge
from fsplan.planner.paper.statistics import at_least, holm, sign_test, slope

probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=6)


@pytest.mark.parametrize("n", range(9))
def test_the_sign_test_counts_all_outcomes(n: int) -> None:
    """The p-value is the share of all 2^n outcomes that are at least as uneven."""
    for wins in range(n + 1):
        uneven = [sum(signs) for signs in product((0, 1), repeat=n) if abs(2 * sum(signs) - n) >= abs(2 * wins - n)]
        assert sign_test(wins, n - wins) == pytest.approx(len(uneven) / 2**n)


def test_sign_test_of_many_pairs() -> None:
    """P(X ≤ 6) for 100 fair coins is 1.0001e-21."""
    assert sign_test(94, 6) == pytest.approx(2.0002e-21, rel=1e-3)


@given(probabilities)
def test_holm_is_the_closure_of_bonferroni(p_values: list[float]) -> None:
    """A hypothesis is rejected if every set of hypotheses that contains it is rejected by Bonferroni's test."""
    numbers = range(len(p_values))
    sets = [each for size in range(1, len(p_values) + 1) for each in combinations(numbers, size)]
    bonferroni = {each: min(1.0, len(each) * min(p_values[k] for k in each)) for each in sets}
    wanted = [max(p for each, p in bonferroni.items() if k in each) for k in numbers]
    assert holm(p_values) == pytest.approx(wanted)


@given(probabilities, st.integers(1, 6))
def test_partial_conjunction(p_values: list[float], wanted: int) -> None:
    """If fewer than `wanted` effects are real, n - wanted + 1 null hypotheses are true.

    So the p-value is the greatest Bonferroni p-value of all sets of this size.
    """
    size = len(p_values) - wanted + 1
    worst = max((size * min(each) for each in combinations(p_values, size)), default=1.0) if size > 0 else 1.0
    assert at_least(wanted, p_values) == pytest.approx(min(1.0, worst))


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=9))
def test_slope_is_that_of_least_squares(values: list[float]) -> None:
    assert slope(values) == pytest.approx(np.polyfit(range(len(values)), values, 1)[0], abs=1e-6)


@given(st.lists(st.integers(-30, 30).map(lambda n: n / 10), min_size=1, max_size=30), st.sampled_from([0.0, 0.5]))
def test_evidence_is_symmetric(values: list[float], margin: float) -> None:
    """The opposite claim has the opposite verdict with the same p-value. Only pairs of equal values are untestable."""
    one = judge("here", "this", [[each] for each in values], margin)
    other = judge("here", "that", [[-each] for each in values], -margin)
    assert bool(one.untestable) == (margin == 0 and not any(values))
    assert one.pairs == (other.pairs[1], other.pairs[0], other.pairs[2])
    assert one.p == other.p
    if one.direction:
        assert one.pairs[one.direction < 0] > one.pairs[one.direction > 0]
        assert one.direction * log(one.ratio or 1) > one.direction * margin


def test_dependent_pairs_count_once() -> None:
    """Four groups of five equal numbers are four independent observations, not twenty."""
    assert judge("", "", [[0.5] * 5] * 4).p == judge("", "", [[0.5]] * 4).p == 2 / 2**4


def test_the_interval_covers_the_mean_as_often_as_it_says() -> None:
    """The data: forty draws of the policy with two initial states each; draws vary as much as initial states."""
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(400):
        numbers = generator.normal(0, 1, (40, 1)) + generator.normal(0, 1, (40, 2))
        band = known(interval(numbers.tolist()))
        covered += band[0] <= 0 <= band[1]
    assert 0.91 <= covered / 400 <= 0.98
    assert interval([[1.0], [2.0]]) is interval([]) is None
    assert interval([[5.0]] * 3) == (5, 5)
