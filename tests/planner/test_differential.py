"""A few random tasks of the campaign that scripts/differential_campaign.py runs on thousands."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from differential import compare

SEEDS = (1, 2, 4, 9)  # without a plan, optimum 2, optimum 0, with derived predicates


def test_every_search_with_every_heuristic_agrees_with_the_oracle(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    wrong = [f"seed {seed}: {each}" for seed in SEEDS for each in compare(seed, tmp_path, counts, downward=False)]
    assert wrong == []
    assert counts["runs: solved"] > 300, counts
    assert counts["runs: unsolvable"] > 50, counts
