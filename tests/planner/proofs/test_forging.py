"""The checkers accept no forged proof, and the forger detects faulty checkers. scripts/forge.py runs longer tests."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest
from checker_mutants import MUTANTS, Mutant, found
from forging import Checkers, forge


def outcomes(proofs: int, seed: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for forgery in islice(forge(Checkers(), Random(seed), sizes=(0, 40)), proofs):
        assert forgery.falsehood() is None, (forgery.task, forgery.lines)
        counts["honest " * forgery.is_honest + forgery.outcome] += 1
    return counts


def test_no_forged_proof_is_accepted() -> None:
    counts = outcomes(1500, seed=1)
    assert counts["refused"] > 1000
    assert counts["honest accepted"] > 10
    assert counts["honest refused"] == 0


@pytest.mark.long
def test_no_forged_proof_is_accepted_in_half_a_minute() -> None:
    counts = outcomes(40_000, seed=2)
    assert counts["refused"] > 30_000
    assert counts["honest accepted"] > 400
    assert counts["honest refused"] == 0


def test_every_mutant_fits_the_source() -> None:
    for mutant in MUTANTS:
        compile(mutant.source(), mutant.title, "exec")
    assert len(MUTANTS) > 60


MORE_SEEDS = 40
QUICK = [mutant for mutant in MUTANTS if mutant.module == "check_puzzle"]
SLOW = [pytest.param(mutant, marks=pytest.mark.long) for mutant in MUTANTS if mutant not in QUICK]


@pytest.mark.parametrize("mutant", [*QUICK, *SLOW], ids=lambda mutant: mutant.title)
def test_forged_proofs_fool_every_mutant(mutant: Mutant) -> None:
    """Which proofs a seed forges depends on how fast the planner writes its own, so further seeds are tried."""
    assert any(found(mutant, seed) is not None for seed in range(mutant.seed, mutant.seed + MORE_SEEDS))
