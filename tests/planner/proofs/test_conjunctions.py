"""Cuts of conjunctions: a proof written by hand, changes that make it false, and the proofs that the planner writes."""

from __future__ import annotations

from pathlib import Path

import pytest

import fsplan
from fsplan.planner.proofs.check import Malformed, Refuted, check
from fsplan.planner.proofs.writer import write_proof
from fsplan.planner.sources.pddl import domain_beside

# A plan needs p and q at the same time. Both actions that achieve one of them use up r, so r has to be refilled: the
# cheapest plan is a, c, b. In the delete relaxation a and b suffice.
DOMAIN = """(define (domain refill) (:predicates (p) (q) (r))
 (:action a :precondition (r) :effect (and (p) (not (r))))
 (:action b :precondition (r) :effect (and (q) (not (r))))
 (:action c :precondition (p) :effect (r)))"""
PROBLEM = "(define (problem x) (:domain refill) (:init (r)) (:goal (and (p) (q))))"
PROOF = """fsplan-proof 2
bound 3
atom p
atom q
atom r
task 3 1/1
cut 0
cut 2
cut 0+2 0+4 2+4
sum 1 0:1 1:1 2:1
b 0 2
end
"""
CUT = "cut 0+2 0+4 2+4"


def verdict_of(proof: str) -> float:
    return float(check(DOMAIN, PROBLEM, proof.splitlines(keepends=True)).bound)


def test_a_proof_by_hand() -> None:
    """The third cut: only c makes the first of p ∧ q, p ∧ r and q ∧ r true."""
    assert verdict_of(PROOF) == 3
    assert verdict_of(PROOF.replace(CUT, "cut 0+2 0+2+5 0+4 2+4")) == 3


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("bound 3", "bound 4", Refuted),
        (CUT, "cut 0+2 0+4", Refuted),  # a makes p true while q stays true
        (CUT, "cut 0+2 2+4", Refuted),
        (CUT, "cut 0+4 2+4", Refuted),  # a goal state may satisfy neither conjunction
        (CUT, "cut 0+3 0+4 2+4", Refuted),
        ("b 0 2", "b 0 0 2", Refuted),  # p ∧ r holds, so the value of the third cut is 0
        (CUT, "cut 0+2 2+4 0+4", Malformed),
        (CUT, "cut 2+0 0+4 2+4", Malformed),
        (CUT, "cut 0+2 0+2 0+4 2+4", Malformed),
        (CUT, "cut 0+0 0+2 0+4 2+4", Malformed),
        (CUT, "cut 0+ 0+4 2+4", Malformed),
        (CUT, "cut 0+2+4+5", Malformed),  # a conjunction may have at most three literals
        (CUT, "cut 0+9", Malformed),
    ],
)
def test_false_and_malformed_cuts_are_refused(old: str, new: str, error: type[Exception]) -> None:
    assert PROOF.count(old) == 1
    with pytest.raises(error):
        verdict_of(PROOF.replace(old, new))


def test_the_optimum_of_blocks_is_proven_by_the_initial_state(tmp_path: Path) -> None:
    problem, path = fsplan.example("blocks-8-0"), tmp_path / "a.proof"
    written = write_proof(fsplan.load(problem), 18, path)
    lines = path.read_text().splitlines(keepends=True)
    verdict = check(Path(domain_beside(problem)).read_text(), Path(problem).read_text(), lines)
    assert (verdict.bound, verdict.labels, verdict.bounds) == (written.bound, 0, 1) == (18, 0, 1)
    assert any("+" in line for line in lines if line.startswith("cut "))
