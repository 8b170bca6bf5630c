"""The checker reads PDDL as the standard defines it, and refuses other texts with line and column."""

from __future__ import annotations

import pytest

from fsplan.pddl import PddlError, parse_task
from fsplan.planner.proofs.check import BadTask, Pddl, check
from fsplan.planner.proofs.check_sas import SasGround
from fsplan.planner.tasks.sas import SasError, parse_sas

DOMAIN = """\
(define (domain delivery)
  (:requirements :typing)
  (:types truck plane - vehicle vehicle package place - object)
  (:constants home - place)
  (:predicates (at ?x - (either vehicle package) ?p - place) (free ?v - vehicle) (idle))
  (:functions (total-cost) - number (length ?a ?b - place) - number)
  (:derived (idle) (forall (?v - vehicle) (free ?v)))
  (:action drive
    :parameters (?t - truck ?a ?b - place)
    :precondition (and (at ?t ?a) (not (= ?a ?b)))
    :effect (and (at ?t ?b) (not (at ?t ?a)) (increase (total-cost) (length ?a ?b)))))
"""
PROBLEM = """\
(define (problem one)
  (:domain delivery)
  (:objects box - package red - truck shop - place)
  (:init (at box home) (at red shop) (free red) (= (total-cost) 0)
         (= (length home shop) 4) (= (length shop home) 5.5))
  (:goal (at red home))
  (:metric minimize (total-cost)))
"""
# Cases: a text in the file, its replacement, and the line and column in the checker's error message.
IN_DOMAIN = [
    ("(define (domain", "(defne (domain", 1, 1),
    ("(domain delivery)", "(problem delivery)", 1, 9),
    ("(:requirements :typing)", "(:objects)", 2, 3),
    ("(:requirements :typing)", "(:predicates)", 5, 3),
    ("home - place", "home - plase", 4, 3),
    ("(:requirements :typing)", "(:types)", 3, 3),
    ("(:types truck plane", "(:types truck - package truck plane", 3, 3),
    ("package place - object", "package place - truck", 3, 3),
    ("truck plane - vehicle", "truck plane - - vehicle", 3, 3),
    ("place - object)", "place - object object - truck)", 3, 3),
    ("home - place", "home - place home - truck", 4, 3),
    ("(idle))", "(idle) (free ?x))", 5, 89),
    ("(idle))", "(idle) (imply))", 5, 89),
    ("(idle))", "(idle) idle)", 5, 3),
    ("(either vehicle package)", "(or vehicle package)", 5, 16),
    ("(total-cost) - number", "(total-cost) - vehicle", 6, 3),
    ("(:derived (idle)", "(:derived (idel)", 7, 13),
    ("(:derived (idle)", "(:derived (idle ?x)", 7, 13),
    ("(forall (?v - vehicle) (free ?v)))", "(forall (?v - vehicle) (free ?w)))", 7, 43),
    ("(forall (?v - vehicle) (free ?v)))", "(forall (?v ?v) (free ?v)))", 7, 28),
    ("(forall (?v - vehicle) (free ?v)))", "(forall (?v - vehicle) (free ?v) (idle)))", 7, 20),
    (":parameters (?t", ":vars (?t", 8, 3),
    (":parameters (", ":parameters (?c - place) :parameters (", 8, 3),
    ("(at ?t ?a) (not (=", "(not (at ?t ?a) (idle)) (not (=", 10, 24),
    ("(= ?a ?b)", "(= ?a nowhere)", 10, 40),
    ("(= ?a ?b)", "(= ?a 3)", 10, 40),
    ("(= ?a ?b)", "(= ?a ?b ?b)", 10, 40),
    ("(= ?a ?b)", "(> ?a ?b)", 10, 40),
    ("(and (at ?t ?a)", "(and idle (at ?t ?a)", 10, 19),
    (":effect (and (at ?t ?b)", ":effect (and (or (at ?t ?b))", 11, 18),
    (":effect (and (at ?t ?b)", ":effect (and (= ?t ?b)", 11, 18),
    (":effect (and (at ?t ?b)", ":effect (and (idle)", 11, 18),
    (":effect (and (at ?t ?b)", ":effect (and (at ?b ?t)", 11, 18),
    (":effect (and (at ?t ?b)", ":effect (and (at ?t shop)", 11, 18),
    ("(increase (total-cost) (length ?a ?b))", "(forall () (increase (total-cost) 1))", 11, 57),
    ("(increase (total-cost) (length ?a ?b))", "(increase (total-cost) -1)", 11, 46),
    ("(increase (total-cost) (length ?a ?b))", "(increase (total-cost) 1/2)", 11, 46),
    ("(increase (total-cost) (length ?a ?b))", "(increase (total-cost) 1 2)", 11, 46),
    ("(increase (total-cost) (length ?a ?b))", "(decrease (total-cost) 1)", 11, 46),
]
IN_PROBLEM = [
    ("(:domain delivery)", "", 1, 1),
    ("(:domain delivery)", "(:domain logistics)", 2, 3),
    ("(:goal (at red home))", "", 1, 1),
    ("(:goal (at red home))", "(:goal (at red home)) (:goal (at red shop))", 6, 25),
    ("(:goal (at red home))", "(:goal (at red home) (idle))", 6, 3),
    ("(:goal (at red home))", "(:goal (at red home)) (:init (at red home))", 6, 25),
    ("(:goal (at red home))", "(:goal (at red home)))", 1, 1),
    ("(:goal (at red home))", "(:goal (at red home)", 1, 1),
    ("red - truck", "red - truck red - plane", 3, 3),
    ("red - truck", "red - truck - nothing", 3, 3),
    ("(at box home)", "(at bix home)", 4, 10),
    ("(at box home)", "(at box home home)", 4, 10),
    ("(at box home)", "(at 3 (free red))", 4, 10),
    ("(at box home)", "(idle)", 4, 10),
    ("(at box home)", "(not (at red shop))", 4, 3),
    ("(= (total-cost) 0)", "(= (total-cost) 3)", 4, 49),
    ("(= (total-cost) 0)", "(= home home)", 4, 49),
    ("(length home shop) 4", "(length home shop) 4e1", 5, 10),
    ("(= (length home shop) 4)", "(= (length shop home) 5)", 5, 35),
    ("(= (length home shop) 4)", "(= (width home shop) 4)", 5, 13),
    ("minimize", "maximize", 7, 3),
    ("minimize (total-cost)", "minimize (total-cost) (length home shop)", 7, 3),
]


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "file"),
    [(*case, "d.pddl") for case in IN_DOMAIN] + [(*case, "p.pddl") for case in IN_PROBLEM],
)
def test_planner_and_checker_refuse_invalid_pddl(old: str, new: str, line: int, column: int, file: str) -> None:
    domain, problem = (DOMAIN.replace(old, new), PROBLEM) if file == "d.pddl" else (DOMAIN, PROBLEM.replace(old, new))
    assert (domain, problem) != (DOMAIN, PROBLEM)
    with pytest.raises(PddlError) as refused:
        parse_task(domain, problem, "d.pddl", "p.pddl")
    assert refused.value.file == file
    assert refused.value.line > 0
    with pytest.raises(BadTask) as caught:
        check(domain, problem, [], files=("d.pddl", "p.pddl"))
    assert str(caught.value).startswith(f"{file}:{line}:{column}: ")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(at ?t ?a)", "(AT?t?a)"),
        ("(at ?t ?a)", "(at\t?t ;; a truck\r?a)"),
        ("(define", "\ufeff(define"),
        ("\n", "\r\n"),
        ("\n", "\r"),
        ("(:derived", "; (:types other) is a comment\r(:derived"),
        ("package place - object", "package place - object place"),
    ],
)
def test_the_checker_accepts_other_spellings_of_the_same_task(old: str, new: str) -> None:
    plain, other = Pddl(DOMAIN, PROBLEM), Pddl(DOMAIN.replace(old, new), PROBLEM.replace(old, new) + "; the end")
    assert (other.init, other.values, other.goal, other.objects) == (
        plain.init,
        plain.values,
        plain.goal,
        plain.objects,
    )
    assert other.schemas == plain.schemas


def test_a_repeated_action_and_a_repeated_object_count_once() -> None:
    action = DOMAIN[DOMAIN.index("(:action") :].removesuffix(")\n")
    again = Pddl(DOMAIN.replace("(:action", f"{action}\n(:action"), PROBLEM.replace("box -", "box box -"))
    assert ([schema.name for schema in again.schemas], [*again.objects]) == (
        ["idle", "drive"],
        ["home", "box", "red", "shop"],
    )
    with pytest.raises(BadTask, match="defined differently before"):
        Pddl(DOMAIN.replace("(:action", f"{action.replace('(at ?t ?b)', '(free ?t)')}\n(:action"), PROBLEM)


def test_an_inner_quantifier_hides_the_variable_of_an_outer_one() -> None:
    domain = """(define (domain d) (:predicates (p ?x) (q ?x))
        (:action a :parameters (?x) :effect (when (p ?x) (forall (?x) (when (not (p ?x)) (q ?x))))))"""
    problem = "(define (problem one) (:domain d) (:objects b c) (:init (p b)) (:goal (q c)))"
    schema = Pddl(domain, problem).schemas[0]
    [(variables, condition, atom, adds)] = schema.effects
    assert (variables, atom, adds) == ([("?x 0", ("object",))], ["q", "?x 0"], True)
    assert condition == ["and", ["and", [], ["p", "?x"]], ["not", ["p", "?x 0"]]]


VARIABLE = "begin_variable\nv\n-1\n2\na{}b\nend_variable\n"
OPERATOR = "begin_operator\no\n0\n1\n0 0 0 1\n1\nend_operator\n"
SAS = (
    f"begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n1\n{VARIABLE}0\n"
    f"begin_state\n0\nend_state\nbegin_goal\n1\n0 1\nend_goal\n1\n{OPERATOR}0\n"
)


def test_a_carriage_return_alone_ends_no_line_of_a_sas_file() -> None:
    for line_end in ("\n", "\r\n"):
        assert len(SasGround(SAS.format(line_end)).actions) == parse_sas(SAS.format(line_end)).action_count() == 1
    with pytest.raises(BadTask, match=r"^a\.sas:12:2: .*carriage return"):
        SasGround(SAS.format("\r"), "a.sas")
    with pytest.raises(SasError, match=r"^a\.sas:12:2: found a carriage return"):
        parse_sas(SAS.format("\r"), "a.sas")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("metric\n0", "metric\n2"),
        ("\n1\nend_operator", "\n1_0\nend_operator"),
        ("end_operator\n0\n", "end_operator\n0\n0\n"),
        ("v\n-1", "v\n-2"),
        ("end_variable\n0", "end_variable\n1\nbegin_mutex_group\n1\n0 9\nend_mutex_group"),
    ],
)
def test_planner_and_checker_refuse_a_sas_file(old: str, new: str) -> None:
    text = SAS.format("\n").replace(old, new)
    with pytest.raises(SasError):
        parse_sas(text)
    with pytest.raises(BadTask, match="does not understand"):
        SasGround(text)
