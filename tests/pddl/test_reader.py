"""The syntax that the reader accepts, including common deviations from the standard."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tree_forms import form, plain_effects, plain_formula

from fsplan.pddl import parse_domain, parse_problem, parse_task, read_task
from fsplan.pddl.syntax import Domain, Forall, Increase, Number, Term, When
from fsplan.pddl.tasks import path


def domain(body: str, head: str = "(:predicates (p ?x) (q ?x ?y) (r))") -> Domain:
    return parse_domain(f"(define (domain d) {head} {body})")


def action(parts: str) -> Domain:
    return domain(f"(:action a {parts})")


def condition(text: str) -> object:
    return plain_formula(action(f":parameters (?a ?b) :precondition {text}").actions["a"].precondition)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("(p ?a)", ("p", "?a")),
        ("()", ("and",)),
        ("(and)", ("and",)),
        ("(or)", ("or",)),
        ("(not (= ?a ?b))", ("not", ("=", "?a", "?b"))),
        ("(imply (p ?a) (r))", ("or", ("not", ("p", "?a")), ("r",))),
        ("(exists (?c) (q ?a ?c))", ("exists", (("?c", ("object",)),), ("q", "?a", "?c"))),
        ("(forall (?c ?e) (q ?c ?e))", ("forall", (("?c", ("object",)), ("?e", ("object",))), ("q", "?c", "?e"))),
        ("(forall (?a) (p ?a))", ("forall", (("?a", ("object",)),), ("p", "?a"))),
        ("(AND (P ?A) (OR (R) (P ?B)))", ("and", ("p", "?a"), ("or", ("r",), ("p", "?b")))),
    ],
)
def test_conditions(text: str, meaning: object) -> None:
    assert condition(text) == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("(p ?a)", [("add", "p", "?a")]),
        ("(not (p ?a))", [("delete", "p", "?a")]),
        ("(and (r) (and (p ?a) (not (r))))", [("add", "r"), ("add", "p", "?a"), ("delete", "r")]),
        ("(when (r) (p ?a))", [("when", ("r",), ("add", "p", "?a"))]),
        ("(forall (?c) (when (p ?c) (not (p ?c))))",
         [("forall", (("?c", ("object",)),), ("when", ("p", "?c"), ("delete", "p", "?c")))]),
        ("()", []),
        ("(and)", []),
    ],
)  # fmt: skip
def test_effects(text: str, meaning: object) -> None:
    assert plain_effects(action(f":parameters (?a ?b) :effect {text}").actions["a"].effects) == meaning


def test_effects_under_when_are_kept_together() -> None:
    effects = action(":effect (when (r) (and (r) (not (r))))").actions["a"].effects
    assert len(effects) == 1
    assert isinstance(effects[0], When)
    assert len(effects[0].effects) == 2


def test_parts_of_an_action_may_be_missing() -> None:
    bare = action("").actions["a"]
    assert (bare.parameters, bare.effects, plain_formula(bare.precondition)) == ([], [], ("and",))
    turned = action(":effect (r) :parameters ()").actions["a"]
    assert plain_effects(turned.effects) == [("add", "r")]


def test_costs() -> None:
    text = """(define (domain d) (:predicates (p ?x)) (:functions (total-cost) - number (price ?x) - number (base))
      (:action a :parameters (?x) :effect (and (increase (total-cost) (price ?x)) (increase (total-cost) 2)
                                               (increase (total-cost) (base)) (increase total-cost base))))"""
    amounts = [effect.amount for effect in parse_domain(text).actions["a"].effects if isinstance(effect, Increase)]
    assert isinstance(amounts[0], Term)
    assert amounts[0].arguments == ("?x",)
    assert isinstance(amounts[1], Number)
    assert [amount.function for amount in amounts[2:] if isinstance(amount, Term)] == ["base", "base"]


@pytest.mark.parametrize(
    ("word", "value"), [("5", 5), ("5.0", 5), ("005.", 5), ("+5", 5), ("-0.0", 0), ("2147483647", 2147483647)]
)
def test_numbers(word: str, value: int) -> None:
    text = "(define (domain d) (:predicates (p)) (:functions (c)) (:action a :effect (increase (total-cost) (c))))"
    problem = f"(define (problem p) (:domain d) (:init (= (c) {word})) (:goal (p)) (:metric minimize (total-cost)))"
    assert parse_task(text, problem).costs == {("c",): value}


@pytest.mark.parametrize("word", ["-2.5", "2147483648", "9" * 5000])
def test_values_no_action_uses_may_be_any_number(word: str) -> None:
    text = "(define (domain d) (:predicates (p)) (:functions (weight)) (:action a :effect (p)))"
    problem = f"(define (problem p) (:domain d) (:init (= (weight) {word})) (:goal (p)))"
    assert parse_task(text, problem).costs == {}


def test_types() -> None:
    known = domain(
        "(:constants a b - truck c - (either boat truck) e)",
        "(:types truck - vehicle boat - (either vehicle ship) place) (:predicates (at ?v - vehicle ?p - place))",
    )
    assert known.types == {
        "object": (),
        "truck": ("vehicle",),
        "boat": ("vehicle", "ship"),
        "place": ("object",),
        "vehicle": ("object",),
        "ship": ("object",),
    }
    assert [entry.types for entry in known.constants.values()] == [
        ("truck",),
        ("truck",),
        ("boat", "truck"),
        ("object",),
    ]


def test_nested_either_is_flattened() -> None:
    known = domain("", "(:types a b c) (:predicates (p ?x - (either a (either b c) a)))")
    assert known.predicates["p"].parameters[0].types == ("a", "b", "c")


def test_object_may_be_declared_as_a_type() -> None:
    assert domain("", "(:types object a - object)").types == {"object": (), "a": ("object",)}


def test_a_variable_of_a_wider_type_is_accepted() -> None:
    head = "(:types truck boat - vehicle) (:predicates (drives ?t - truck))"
    known = domain("(:action a :parameters (?v - vehicle ?o) :precondition (and (drives ?v) (drives ?o)))", head)
    assert list(known.actions) == ["a"]


PROBLEM = "(define (problem one) (:domain d) (:objects a b) (:init (p a) (q a b)) (:goal (p b)))"


def test_the_order_of_sections_is_free() -> None:
    text = "(define (domain d) (:action x :parameters (?v - t) :effect (p ?v)) (:predicates (p ?x - t)) (:types t))"
    assert parse_domain(text).actions["x"].parameters[0].types == ("t",)
    turned = "(define (problem one) (:goal (p b)) (:init (p a)) (:objects a b) (:domain d))"
    assert parse_problem(turned, domain("")).init == [("p", "a")]


def test_repeated_declarations_count_once() -> None:
    known = domain("(:action a :effect (r)) (:action a\n:effect  (R) ) (:constants a a)")
    init = "(:init (p a) (p a) (not (p b)))"
    text = f"(define (problem one) (:domain D) (:objects b a b) {init} (:goal (p b)))"
    problem = parse_problem(text, known)
    assert list(known.actions) == ["a"]
    assert (list(known.constants), list(problem.objects), problem.init) == (["a"], ["b"], [("p", "a")])


def test_parameters_of_one_name_in_a_predicate_and_equality_as_a_predicate() -> None:
    known = domain("", "(:predicates (near ?x ?x) (= ?x ?y))")
    assert len(known.predicates["near"].parameters) == 2
    assert list(known.predicates) == ["near"]


def test_requirements_do_not_matter() -> None:
    known = domain("(:requirements :strips :nonsense :durative-actions) (:action a :precondition (or (r) (not (r))))")
    assert known.requirements == [":strips", ":nonsense", ":durative-actions"]


def test_length_and_requirements_in_a_problem_are_ignored() -> None:
    text = PROBLEM.replace("(:objects", "(:requirements :strips) (:length (:serial 3) (:parallel 2)) (:objects")
    assert form(parse_problem(text, domain(""))) == form(parse_problem(PROBLEM, domain("")))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace(" ", "\r\n"),
        lambda text: text.replace(" ", "\r"),
        lambda text: text.replace(" ", "\t\f \v "),
        lambda text: text.replace(" (", "("),
        lambda text: text.upper(),
        lambda text: text.replace(" ", " ; ) a comment ( \n"),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: text + "\n; the end",
    ],
)
def test_spacing_case_and_comments_do_not_matter(change: object) -> None:
    assert callable(change)
    assert form(parse_problem(change(PROBLEM), domain(""))) == form(parse_problem(PROBLEM, domain("")))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "d.pddl").write_bytes("(define (domain d) ; größer\n (:predicates (p)))".encode(encoding))
    (tmp_path / "p.pddl").write_bytes("(define (problem p) (:domain d) (:init) (:goal (p)))".encode(encoding))
    assert list(read_task(tmp_path / "d.pddl", tmp_path / "p.pddl").domain.predicates) == ["p"]


def test_a_question_mark_begins_a_word() -> None:
    assert condition("(p?a)") == ("p", "?a")


def test_derived_predicates_keep_their_rules_apart() -> None:
    known = domain("(:derived (p ?z) (exists (?y) (q ?z ?y))) (:derived (p ?z) (forall (?y) (not (q ?y ?z))))")
    assert [rule.head.name for rule in known.derived] == ["p", "p"]
    assert isinstance(known.derived[1].body, Forall)


def test_large_inits_are_read() -> None:
    names = " ".join(f"o{number}" for number in range(1000))
    atoms = " ".join(f"(q o{one} o{other})" for one in range(1000) for other in range(100))
    text = f"(define (problem big) (:domain d) (:objects {names}) (:init {atoms}) (:goal (r)))"
    assert len(parse_problem(text, domain("")).init) == 100_000


def test_reading_imports_nothing_slow() -> None:
    slow = {"dataclasses", "json", "pathlib", "inspect", "difflib", "numpy", "click"}
    problem = path("blocks-8-0")
    program = f"""
import sys
before = set(sys.modules)
from fsplan.pddl.reader import read_task
read_task({problem.replace("probBLOCKS-8-0", "domain")!r}, {problem!r})
print(*set(sys.modules) - before)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "fsplan.pddl.names" in run.stdout
    assert not slow & set(run.stdout.split())
