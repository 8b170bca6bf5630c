"""The validator: the plans that it accepts, and its messages about others."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from fsplan.pddl import parse_task, read_domain, read_problem
from fsplan.pddl.syntax import Problem
from fsplan.pddl.tasks import path
from fsplan.planner.plans.plan_files import PlanError, read_plan, read_text
from fsplan.planner.plans.validate import validate

BLOCKS_PLAN = """
(unstack a g) (put-down a) (unstack d h) (put-down d) (unstack g e) (stack g b) (pick-up a) (stack a g) (pick-up c)
(stack c a) (unstack h f) (stack h c) (pick-up e) (stack e h) (pick-up f) (stack f e) (pick-up d) (stack d f)
"""


@pytest.fixture(scope="module")
def blocks() -> Problem:
    problem = path("blocks-8-0")
    return read_problem(problem, read_domain(problem.replace("probBLOCKS-8-0", "domain")))


def lines(text: str) -> str:
    return text.replace(") (", ")\n(")


def test_a_valid_plan_and_its_cost(blocks: Problem) -> None:
    verdict = validate(blocks, lines(BLOCKS_PLAN) + "; cost = 18 (unit cost)\n")
    assert verdict.valid
    assert verdict.cost == 18
    assert verdict.message == "plan valid, 18 steps, cost 18"


def test_case_comments_and_blank_lines_do_not_matter(blocks: Problem) -> None:
    text = "; a plan\n\n" + lines(BLOCKS_PLAN).upper().replace("\n", " ; why not\n")
    assert validate(blocks, text).cost == 18


@pytest.mark.parametrize(
    "text",
    [
        BLOCKS_PLAN,
        "\ufeff" + lines(BLOCKS_PLAN).strip(),
        BLOCKS_PLAN.replace(" ", "\n").replace("\n", "\r\n"),
        "\n".join(
            f"{time}.0: {step} [1.000]" for time, step in enumerate(lines(BLOCKS_PLAN.upper()).strip().split("\n"))
        ),
        BLOCKS_PLAN.strip().replace(") (", ")[1] 7:(") + "[1]",
    ],
    ids=["several a line", "byte order mark", "a word a line", "times and durations", "all in a line"],
)
def test_plan_formats_of_other_planners_are_accepted(blocks: Problem, text: str) -> None:
    assert validate(blocks, text).message == "plan valid, 18 steps, cost 18"


def test_a_step_has_the_line_it_begins_in() -> None:
    assert [step.line for step in read_plan("(a) (b\nx)\n\n(c)").steps] == [1, 1, 4]
    with pytest.raises(PlanError, match=r"line 2: found '\(b \(c\)'"):
        read_plan("(a)\n(b\n(c)")


def test_plan_files_may_be_latin_1(tmp_path: Path) -> None:
    plan = tmp_path / "plan"
    plan.write_bytes("; à\n(go é)\n".encode("latin-1"))
    assert [str(step) for step in read_plan(read_text(str(plan))).steps] == ["(go é)"]


def test_steps_may_come_as_a_list(blocks: Problem) -> None:
    steps = lines(BLOCKS_PLAN).strip().split("\n")
    assert validate(blocks, steps).valid
    assert validate(blocks, [step.strip("()") for step in steps]).valid


@pytest.mark.parametrize(
    ("plan", "step", "condition", "message"),
    [
        ("(pick-up b)\n(stack c a)", 2, "(holding c)", "step 2, (stack c a): (holding c) is false"),
        ("(pick-up a)", 1, "(ontable a)", "step 1, (pick-up a): (ontable a) is false"),
        ("(pickup a)", 1, None, "step 1, (pickup a): unknown action 'pickup'; did you mean 'pick-up'?"),
        ("(stack a)", 1, None, "step 1, (stack a): 'stack' takes 2 arguments, found 1"),
        ("(pick-up z)", 1, None, "step 1, (pick-up z): unknown object 'z'"),
        ("(pick-up b)", None, "(on d f)", "the goal is not reached after 1 step: (on d f) is false"),
        ("", None, "(on d f)", "the goal is not reached after 0 steps: (on d f) is false"),
    ],
)
def test_the_verdict_names_the_failed_step_and_condition(
    blocks: Problem, plan: str, step: int | None, condition: str | None, message: str
) -> None:
    verdict = validate(blocks, plan)
    assert not verdict.valid
    assert (verdict.step, verdict.condition, verdict.message) == (step, condition, message)


def test_a_wrong_cost_is_found(blocks: Problem) -> None:
    verdict = validate(blocks, lines(BLOCKS_PLAN) + "; cost = 17 (unit cost)")
    assert not verdict.valid
    assert verdict.message == "the plan states cost 17, its cost is 18"


@pytest.mark.parametrize("line", ["pick-up b", "(pick-up b", "()", "now: (pick-up b)", "pick-up b)"])
def test_a_malformed_line_is_named(blocks: Problem, line: str) -> None:
    verdict = validate(blocks, f"; plan\n{line}\n")
    assert verdict.line == 2
    assert verdict.message == f"line 2: found '{line}', expected (action argument …)"
    with pytest.raises(PlanError):
        read_plan(line)


ADL = """
(define (domain adl)
  (:types item - object  tool - item  room)
  (:constants base - room)
  (:predicates (in ?i - item ?r - room) (wet ?i - item) (near ?a ?b - room) (linked ?a ?b - room) (sealed ?r - room))
  (:functions (total-cost) - number (effort ?i - item) - number)
  (:derived (linked ?a ?b - room)
    (or (near ?a ?b) (exists (?c - room) (and (linked ?a ?c) (near ?c ?b)))))
  (:derived (sealed ?r - room) (forall (?o - room) (imply (linked ?r ?o) (= ?r ?o))))
  (:action swap ; what is in one room is in the other afterwards
    :parameters (?a ?b - room)
    :precondition (and (not (= ?a ?b)) (linked ?a ?b))
    :effect (and (forall (?i - item) (and (when (in ?i ?a) (and (in ?i ?b) (not (in ?i ?a))))
                                          (when (in ?i ?b) (and (in ?i ?a) (not (in ?i ?b))))))
                 (increase (total-cost) 3)))
  (:action soak
    :parameters (?t - tool ?r - room)
    :precondition (and (in ?t ?r) (or (wet ?t) (not (sealed ?r))))
    :effect (and (wet ?t) (not (wet ?t)) (increase (total-cost) (effort ?t)) (increase (total-cost) 1)))
  (:action bridge
    :parameters (?a ?b - room)
    :effect (near ?a ?b))
  (:action flood
    :precondition (forall (?r - room) (imply (exists (?i - item) (in ?i ?r)) (linked base ?r)))
    :effect (forall (?i - item) (wet ?i))))
"""
ADL_PROBLEM = """
(define (problem one) (:domain adl)
  (:objects hammer - tool sponge - item left middle right - room)
  (:init (in hammer left) (in sponge middle) (near left middle) (= (total-cost) 0) (= (effort hammer) 7))
  (:goal (and (wet sponge) (not (in hammer left))))
  (:metric minimize (total-cost)))
"""


@pytest.fixture(scope="module")
def adl() -> Problem:
    return parse_task(ADL, ADL_PROBLEM)


@pytest.mark.parametrize(
    ("plan", "condition"),
    [
        ("(swap left right)", "(linked left right)"),
        ("(flood)", "(imply (exists (?i - item) (in ?i left)) (linked base left))"),
        ("(bridge base left)\n(swap base base)", "(not (= base base))"),
        ("(bridge left right)\n(swap left right)\n(soak hammer right)", "(or (wet hammer) (not (sealed right)))"),
    ],
)
def test_the_false_condition_has_its_arguments_filled_in(adl: Problem, plan: str, condition: str) -> None:
    assert validate(adl, plan).condition == condition


def test_types_of_arguments_are_checked(adl: Problem) -> None:
    message = "step 1, (soak sponge left): 'sponge' has type item, expected tool"
    assert validate(adl, "(soak sponge left)").message == message


def test_a_cost_without_value_is_named() -> None:
    problem = parse_task(ADL, ADL_PROBLEM.replace("(= (effort hammer) 7)", ""))
    message = "step 1, (soak hammer left): the problem gives no value for (effort hammer)"
    assert validate(problem, "(soak hammer left)").message == message


def test_recursion_through_many_objects_is_quick() -> None:
    """A chain of 300 rooms has 45,000 derived atoms, each of which is derived only once."""
    rooms = [f"r{number}" for number in range(300)]
    near = " ".join(f"(near {one} {other})" for one, other in pairwise(rooms))
    problem = parse_task(
        ADL,
        f"(define (problem chain) (:domain adl) (:objects {' '.join(rooms)} - room) (:init {near})"
        "(:goal (linked r0 r299)))",
    )
    assert validate(problem, "").valid
