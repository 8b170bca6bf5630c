"""Facts that may be missing in the initial state of a task without a plan, and types that no object has."""

from __future__ import annotations

import pytest
from support import ROOT, fsplan

from fsplan.pddl import parse_task
from fsplan.planner.search.suggestions import Suggestion, empty_types, missing_facts

EXAMPLES = ROOT / "docs" / "examples"
DOMAIN, PROBLEM = ((EXAMPLES / name).read_text() for name in ("domain.pddl", "problem.pddl"))


@pytest.mark.parametrize(
    ("forgotten", "facts"),
    [("(room van)", ["(room van)"]), ("(at books depot)", 1), ("(at van depot)", 1), ("(nothing)", [])],
)
def test_forgotten_facts(forgotten: str, facts: list[str] | int) -> None:
    found = missing_facts(parse_task(DOMAIN, PROBLEM.replace(forgotten, "")), 20)
    assert found is not None
    assert found.plan_found
    assert facts in (found.facts, len(found.facts))


def test_deletes_are_checked_by_the_search() -> None:
    """In the relaxation the key opens both doors; in the task it breaks, and the suggestion does not help."""
    task = parse_task(
        """(define (domain d) (:predicates (key) (forged) (open ?d))
             (:action forge :precondition (forged) :effect (key))
             (:action unlock :parameters (?d) :precondition (key)
               :effect (and (open ?d) (not (key)) (not (forged)))))""",
        "(define (problem p) (:domain d) (:objects a b) (:init) (:goal (and (open a) (open b))))",
    )
    assert missing_facts(task, 10) in (Suggestion(["(key)"], False), Suggestion(["(forged)"], False))


def test_a_type_without_objects() -> None:
    task = parse_task(
        """(define (domain d) (:types lamp switch) (:predicates (on ?l - lamp))
             (:action press :parameters (?s - switch ?l - lamp) :effect (on ?l)))""",
        "(define (problem p) (:domain d) (:objects l - lamp) (:init) (:goal (on l)))",
    )
    assert empty_types(task) == {"switch": ["press"]}
    assert missing_facts(task, 10) == Suggestion(["(on l)"], True)


def test_only_pddl_is_explained() -> None:
    ran = fsplan("explain", "tiles8:random/1")
    assert (ran.returncode, "only PDDL tasks" in ran.stderr) == (36, True)
