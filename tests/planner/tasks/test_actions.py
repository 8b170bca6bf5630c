"""The action index: numbers, names, JSON and fingerprints."""

from __future__ import annotations

import json

import pytest

from fsplan.pddl import parse_task
from fsplan.pddl.syntax import Problem
from fsplan.planner.tasks.actions import ActionIndex, fingerprints
from fsplan.planner.tasks.ground import ground

DOMAIN = """(define (domain doors) (:requirements :strips)
  (:predicates (open ?d) (closed ?d))
  (:action close :parameters (?d) :precondition (open ?d) :effect (and (closed ?d) (not (open ?d))))
  (:action open :parameters (?d) :precondition (closed ?d) :effect (and (open ?d) (not (closed ?d)))))"""
PROBLEM = """(define (problem two) (:domain doors) (:objects b a)
  (:init (closed a) (open b)) (:goal (and (open a) (closed b))))"""


def problem(domain: str = DOMAIN, problem: str = PROBLEM) -> Problem:
    return parse_task(domain, problem)


@pytest.fixture
def index() -> ActionIndex:
    return ActionIndex.of_task(ground(problem()), problem())


def test_order_is_schema_then_arguments_as_in_the_files(index: ActionIndex) -> None:
    assert list(index) == ["close b", "close a", "open b", "open a"]


def test_numbers_and_names_belong_together(index: ActionIndex) -> None:
    assert len(index) == 4
    assert [index.number(index[number]) for number in range(4)] == [0, 1, 2, 3]
    assert "open a" in index
    assert "open c" not in index
    assert index[-1] == "open a"


def test_names_are_built_on_demand(index: ActionIndex) -> None:
    assert index[2] == "open b"
    assert index._names is None


@pytest.mark.parametrize("number", [4, -5])
def test_numbers_out_of_range_are_refused(index: ActionIndex, number: int) -> None:
    with pytest.raises(IndexError):
        index[number]


def test_unknown_name_suggests_the_nearest(index: ActionIndex) -> None:
    with pytest.raises(KeyError, match="did you mean 'open a'"):
        index.number("opn a")


def test_json_round_trip(index: ActionIndex) -> None:
    back = ActionIndex.from_json(json.loads(json.dumps(index.to_json())))
    assert back == index
    assert list(back) == list(index)
    assert back.fingerprints == index.fingerprints


@pytest.mark.parametrize("data", [{}, {"actions": [1], "fingerprints": {}}, {"actions": ["a"], "fingerprints": []}])
def test_json_that_is_not_an_action_index_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="action index"):
        ActionIndex.from_json(data)


def test_indexes_are_equal_if_names_and_fingerprints_are(index: ActionIndex) -> None:
    assert ActionIndex(index.names, index.fingerprints) == index
    assert ActionIndex(index.names) != index
    assert ActionIndex(index.names[1:], index.fingerprints) != index


def test_fingerprints_do_not_depend_on_spelling() -> None:
    spelled = fingerprints(
        problem(
            DOMAIN.replace("(closed ?d)", "( Closed  ?d )").replace(" (:requirements :strips)", "; none"),
            PROBLEM.replace("(closed a) (open b)", "(OPEN b)\n(closed a)"),
        )
    )
    assert spelled == fingerprints(problem())


@pytest.mark.parametrize(
    ("old", "new"),
    [("(closed a) (open b)", "(closed a)"), ("b a", "a b"), ("(and (open a) (closed b))", "(open a)")],
)
def test_the_fingerprint_of_the_problem_depends_on_init_objects_and_goal(old: str, new: str) -> None:
    changed = fingerprints(problem(problem=PROBLEM.replace(old, new)))
    assert changed["domain"] == fingerprints(problem())["domain"]
    assert changed["problem"] != fingerprints(problem())["problem"]


def test_the_fingerprint_of_the_domain_depends_on_its_actions() -> None:
    changed = fingerprints(problem(DOMAIN.replace("(not (open ?d))", "")))
    assert changed["domain"] != fingerprints(problem())["domain"]
    assert changed["problem"] != fingerprints(problem())["problem"]
