"""A few random tasks of the campaign that scripts/differential_campaign.py runs on thousands."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from differential import compare

import fsplan

SEEDS = (1, 2, 4, 9)  # the tasks: unsolvable, optimal cost 2, optimal cost 0, with derived predicates


def test_every_search_with_every_heuristic_agrees_with_the_oracle(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    wrong = [f"seed {seed}: {each}" for seed in SEEDS for each in compare(seed, tmp_path, counts, downward=False)]
    assert wrong == []
    assert counts["runs: solved"] > 300, counts
    assert counts["runs: unsolvable"] > 50, counts


def test_an_atom_whose_only_rule_is_unreachable_is_never_true() -> None:
    """An error that fuzzing found: (d0 o) is never true, so (d1) is never true, and the action is not applicable."""
    domain = """(define (domain d) (:requirements :adl :derived-predicates) (:predicates (p ?x) (q) (d0 ?x) (d1))
      (:derived (d0 ?x) (p ?x)) (:derived (d1) (forall (?x) (d0 ?x)))
      (:action a :parameters () :precondition (d1) :effect (q)))"""
    problem = "(define (problem x) (:domain d) (:objects o) (:init) (:goal (q)))"
    assert fsplan.solve(fsplan.load(domain, problem)).status == "unsolvable"
