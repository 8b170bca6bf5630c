"""Suggestions for unsolvable tasks: facts that may be missing in the initial state, types without objects."""

from __future__ import annotations

import pytest
from support import ROOT, fsplan, known

from fsplan.pddl import parse_task
from fsplan.planner.search.suggestions import (
    Suggestion,
    empty_types,
    missing_effects,
    missing_facts,
    missing_object,
    suggestions,
)

EXAMPLES = ROOT / "docs" / "examples"
DOMAIN, PROBLEM = ((EXAMPLES / name).read_text() for name in ("domain.pddl", "problem.pddl"))


@pytest.mark.parametrize(
    ("forgotten", "facts"),
    [("(room van)", ["(room van)"]), ("(at books depot)", 1), ("(at van depot)", 1)],
)
def test_forgotten_facts(forgotten: str, facts: list[str] | int) -> None:
    found = known(missing_facts(parse_task(DOMAIN, PROBLEM.replace(forgotten, "")), 20))
    assert found.plan_found
    assert facts in (found.facts, len(found.facts))


def test_a_suggestion_must_make_the_task_solvable_with_delete_effects() -> None:
    """In the delete relaxation one key opens both doors; in the task it breaks, so a further key is no solution."""
    task = parse_task(
        """(define (domain d) (:predicates (key) (forged) (open ?d))
             (:action forge :precondition (forged) :effect (key))
             (:action unlock :parameters (?d) :precondition (key)
               :effect (and (open ?d) (not (key)) (not (forged)))))""",
        "(define (problem p) (:domain d) (:objects a b) (:init) (:goal (and (open a) (open b))))",
    )
    assert missing_facts(task, 10) in (Suggestion(["(key)"]), Suggestion(["(forged)"]))


def test_a_type_without_objects() -> None:
    task = parse_task(
        """(define (domain d) (:types lamp switch) (:predicates (on ?l - lamp))
             (:action press :parameters (?s - switch ?l - lamp) :effect (on ?l)))""",
        "(define (problem p) (:domain d) (:objects l - lamp) (:init) (:goal (on l)))",
    )
    assert empty_types(task) == {"switch": ["press"]}
    assert missing_facts(task, 10) == Suggestion(["(on l)"], plan_found=True)
    switch = Suggestion(object="new-switch - switch", plan_found=True)
    assert missing_object(task, None, 10) == switch
    assert suggestions(task, 20) == [switch, Suggestion(["(on l)"], plan_found=True)]


def test_a_task_with_a_plan_lacks_no_facts() -> None:
    assert missing_facts(parse_task(DOMAIN, PROBLEM), 20) is None


@pytest.mark.parametrize(
    ("forgotten", "found"),
    [
        ("(in ?p ?v)", Suggestion(effect="(in ?p ?v)", action="load", plan_found=True)),
        ("(room ?v)", Suggestion(effect="(room ?v)", action="unload", plan_found=True)),
    ],
)
def test_a_forgotten_effect(forgotten: str, found: Suggestion) -> None:
    head, effect = DOMAIN.split(f":action {found.action}")
    task = parse_task(f"{head}:action {found.action}{_without_effect(effect, forgotten)}", PROBLEM)
    assert found in missing_effects(task, 30)
    assert found in suggestions(task, 60)


def _without_effect(text: str, effect: str) -> str:
    before, after = text.split(":effect", 1)
    assert effect in after
    return f"{before}:effect{after.replace(effect, '', 1)}"


def test_an_effect_of_a_sound_domain_is_not_looked_for() -> None:
    assert missing_effects(parse_task(DOMAIN, PROBLEM.replace("(room van)", "")), 10) == []


def test_a_further_object_needs_fewer_facts() -> None:
    """The only switch is broken, and no fact repairs it. Without a new switch, both lamps must be on initially."""
    task = parse_task(
        """(define (domain d) (:types lamp switch) (:predicates (on ?l - lamp) (broken ?s - switch))
             (:action press :parameters (?s - switch ?l - lamp) :precondition (not (broken ?s)) :effect (on ?l)))""",
        """(define (problem p) (:domain d) (:objects l m - lamp s - switch) (:init (broken s))
             (:goal (and (on l) (on m))))""",
    )
    further = Suggestion(object="new-switch - switch", plan_found=True)
    assert missing_object(task, None, 20) == further
    facts, second = suggestions(task, 40)
    assert (sorted(facts.facts), second) == (["(on l)", "(on m)"], further)
    assert further.text() == "with the object new-switch - switch, there is a plan"


def test_only_pddl_is_explained() -> None:
    ran = fsplan("explain", "tiles8:random/1")
    assert (ran.returncode, "only PDDL tasks" in ran.stderr) == (36, True)
