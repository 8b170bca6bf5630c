"""For every kind of mistake in PDDL, the error has the right message, line and column, and a caret below the text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fsplan.pddl import (
    FileError,
    PddlError,
    UnsupportedError,
    parse_domain,
    parse_task,
    read_domain,
    read_task,
)
from fsplan.pddl.errors import nearest
from fsplan.pddl.tasks import path

DOMAIN = """\
(define (domain delivery)
  (:requirements :typing)
  (:types truck plane - vehicle
          vehicle package place)
  (:constants home - place)
  (:predicates (at ?x - (either vehicle package) ?p - place)
               (in ?p - package ?v - vehicle)
               (free ?v - vehicle))
  (:functions (total-cost) - number
              (length ?a ?b - place) - number)
  (:action load
    :parameters (?p - package ?v - vehicle ?l - place)
    :precondition (and (at ?p ?l) (at ?v ?l) (free ?v))
    :effect (and (in ?p ?v) (not (at ?p ?l)) (not (free ?v))))
  (:action drive
    :parameters (?t - truck ?a ?b - place)
    :precondition (at ?t ?a)
    :effect (and (at ?t ?b) (not (at ?t ?a)) (increase (total-cost) (length ?a ?b)))))
"""
PROBLEM = """\
(define (problem one)
  (:domain delivery)
  (:objects box - package red blue - truck shop - place)
  (:init (at box home) (at red shop) (free red)
         (= (length home shop) 4) (= (length shop home) 5.0))
  (:goal (in box red))
  (:metric minimize (total-cost)))
"""


def error(domain: str = DOMAIN, problem: str = PROBLEM) -> PddlError:
    with pytest.raises(PddlError) as caught:
        parse_task(domain, problem, "d.pddl", "p.pddl")
    return caught.value


def in_domain(old: str, new: str) -> PddlError:
    assert old in DOMAIN
    return error(domain=DOMAIN.replace(old, new, 1))


def in_problem(old: str, new: str) -> PddlError:
    assert old in PROBLEM
    return error(problem=PROBLEM.replace(old, new, 1))


def says(found: PddlError, message: str) -> bool:
    """Whether the error contains all parts of the message; in the message, the parts are separated by …"""
    return all(part in str(found) for part in message.split(" … "))


def test_the_task_without_mistakes_is_accepted() -> None:
    problem = parse_task(DOMAIN, PROBLEM)
    assert problem.costs == {("length", "home", "shop"): 4, ("length", "shop", "home"): 5}
    assert problem.use_costs


def test_an_error_shows_its_line_with_a_caret() -> None:
    found = in_domain("(at ?v ?l)", "(att ?v ?l)")
    assert str(found) == (
        "d.pddl:13:36: found unknown predicate 'att', expected a declared predicate; did you mean 'at'?\n"
        "        :precondition (and (at ?p ?l) (att ?v ?l) (free ?v))\n"
        "                                       ^"
    )
    assert (found.file, found.line, found.column) == ("d.pddl", 13, 36)
    assert found.exit_code == 31


IN_DOMAIN = [
    ("?v - vehicle ?l", "?v - vehicel ?l", 12, 36, "unknown type 'vehicel', expected a declared type … 'vehicle'?"),
    ("(at ?p ?l) (at ?v", "(at ?pp ?l) (at ?v", 13, 28, "unknown variable '?pp', expected a declared variable … '?p'?"),
    ("(free ?v))\n", "(free hom))\n", 13, 52, "unknown object 'hom', expected a declared object; did you mean 'home'?"),
    ("(free ?v))\n", "(free v))\n", 13, 52, "unknown object 'v', expected a declared object; did you mean '?v'?"),
    ("(free ?v))\n", "(free ?v ?l))\n", 13, 46, "'free' takes 1 argument, found 2"),
    ("(in ?p ?v) (not", "(in ?v ?p) (not", 14, 22, "'?v' has type vehicle, expected package"),
    ("(free ?v))\n", "(at home ?l))\n", 13, 50, "'home' has type place, expected (either vehicle package)"),
    (
        "(length ?a ?b)))",
        "(lenght ?a ?b)))",
        18,
        70,
        "unknown function 'lenght', expected a declared function … 'length'?",
    ),
    (":precondition (at", ":precondtion (at", 17, 5, "one of :parameters :precondition :effect … ':precondition'?"),
    ("(:functions", "(:function", 9, 4, "found section ':function', expected one of"),
    ("(free ?v - vehicle)", "(free ?v - vehicle) (free ?v)", 8, 37, "'free' is declared differently in line 8"),
    ("(:action drive", "(:action load", 15, 12, "action 'load' is defined differently in line 11"),
    (
        "vehicle package place)",
        "vehicle package place truck - place)",
        4,
        33,
        "'truck' is declared as vehicle and as place",
    ),
    ("vehicle package place)", "package place vehicle - truck)", 3, 11, "type 'truck' is its own ancestor"),
    ("home - place)", "home - place home - truck)", 5, 28, "'home' is declared as place and as truck"),
    ("?t - truck ?a ?b", "?t - truck ?a ?a", 16, 32, "found '?a' twice, expected distinct variables"),
    ("(and (at ?p ?l)", "(and ?p (at ?p ?l)", 13, 24, "found '?p', expected a condition (…)"),
    ("(at ?t ?a)\n", "(not (at ?t ?a) (at ?t ?b))\n", 17, 19, "'not' takes 1 part, found 2"),
    ("(at ?t ?a)\n", "(imply (at ?t ?a))\n", 17, 19, "'imply' takes 2 parts, found 1"),
    ("(at ?t ?a)\n", "(exists ?z (at ?t ?z))\n", 17, 27, "found '?z', expected a list of variables"),
    ("(at ?t ?a)\n", "(= ?t)\n", 17, 19, "'=' takes 2 arguments, found 1"),
    ("(at ?t ?a)\n", "(when (free ?t) (at ?t ?a))\n", 17, 20, "found 'when', expected a condition"),
    ("(at ?t ?b) (not", "(or (at ?t ?b)) (not", 18, 19, "found 'or', expected an effect"),
    ("(domain delivery)", "(domain)", 1, 9, "expected one name in (domain NAME)"),
    ("home - place)", "home - )", 5, 22, "found the end of the list, expected a type after '-'"),
    ("(free ?v - vehicle)", "(free v - vehicle)", 8, 22, "found 'v', expected a variable (?name)"),
    ("(free ?v - vehicle)", "(and ?v - vehicle)", 8, 17, "found 'and', expected the name of a predicate"),
]


@pytest.mark.parametrize(("old", "new", "line", "column", "message"), IN_DOMAIN)
def test_mistakes_in_a_domain(old: str, new: str, line: int, column: int, message: str) -> None:
    found = in_domain(old, new)
    assert says(found, message)
    assert (found.file, found.line, found.column) == ("d.pddl", line, column)


IN_PROBLEM = [
    ("(:domain delivery)", "(:domain logistics)", 2, 12, "for domain 'logistics', the domain given is 'delivery'"),
    ("(:domain delivery)", "", 1, 1, "found no section (:domain …), expected one"),
    ("(:goal (in box red))", "", 1, 1, "found no section (:goal …), expected one"),
    ("(:goal (in box red))", "(:goal (in box red)) (:goal (free red))", 6, 25, "found a second section (:goal …)"),
    ("(:goal (in box red))", "(:init) (:goal (in box red))", 6, 4, "found a second section (:init …), expected one"),
    ("(= (length home shop) 4)", "(= (total-cost) 1)", 5, 26, "found 1, expected 0: total-cost starts at 0"),
    ("(:goal (in box red))", "(:goal (in box red) (free red))", 6, 3, "expected one condition in (:goal …), found 2"),
    ("(in box red)", "(in box rad)", 6, 18, "unknown object 'rad', expected a declared object; did you mean 'red'?"),
    ("(in box red)", "(in box ?red)", 6, 18, "unknown variable '?red'"),
    ("(free red)", "(free red blue)", 4, 38, "'free' takes 1 argument, found 2"),
    ("(free red)", "(free box)", 4, 44, "'box' has type package, expected vehicle"),
    ("(free red)", "(free (red))", 4, 44, "found '(', expected a variable or an object"),
    ("(free red)", "(fre red)", 4, 39, "unknown predicate 'fre', expected a declared predicate; did you mean 'free'?"),
    ("(free red)", "free", 4, 38, "found 'free', expected an atom (predicate object …)"),
    ("(free red)", "(free red) (not (free red))", 4, 54, "(free red) is said to be true and to be false"),
    ("red blue - truck", "red blue - truk", 3, 38, "unknown type 'truk', expected a declared type … 'truck'?"),
    ("red blue - truck", "red blue - truck red - plane", 3, 44, "'red' is declared as truck and as plane"),
    ("shop - place", "shop - place home - truck", 3, 57, "'home' is declared as place and as truck"),
    ("(= (length shop home) 5.0)", "(= (length home shop) 5)", 5, 57, "(length home shop) has the value 4 already"),
    ("(= (length shop home) 5.0)", "(= (lenght shop home) 5)", 5, 39, "unknown function 'lenght'"),
    ("(:init", "(:intit", 4, 4, "found section ':intit', expected one of :domain :requirements :objects :init"),
]


@pytest.mark.parametrize(("old", "new", "line", "column", "message"), IN_PROBLEM)
def test_mistakes_in_a_problem(old: str, new: str, line: int, column: int, message: str) -> None:
    found = in_problem(old, new)
    assert says(found, message)
    assert (found.file, found.line, found.column) == ("p.pddl", line, column)


UNSUPPORTED = [
    ("(free ?v))\n", "(>= (length ?l ?l) 3))\n", 13, 47, "numeric conditions ('>=')"),
    ("(free ?v))\n", "(= (length ?l ?l) 3))\n", 13, 47, "numeric conditions and object fluents"),
    ("(increase (total-cost)", "(decrease (total-cost)", 18, 47, "('decrease' of anything but total-cost)"),
    ("(increase (total-cost)", "(increase (length ?a ?b)", 18, 47, "('increase' of anything but total-cost)"),
    (
        "(increase (total-cost) (length ?a ?b))",
        "(when (at ?t ?a) (increase (total-cost) 1))",
        18,
        63,
        "costs that depend on a condition",
    ),
    ("(length ?a ?b)))", "(+ 1 (length ?a ?b))))", 18, 70, "arithmetic in costs"),
    ("(length ?a ?b)))", "-1))", 18, 69, "negative costs (-1)"),
    ("(length ?a ?b)))", "0.2512345678))", 18, 69, "more than 9 decimals (0.2512345678) … round the costs"),
    ("(length ?a ?b)))", "99999999999999999999))", 18, 69, "costs above 2147483647"),
    ("(length ?a ?b - place) - number", "(owner ?a - place) - package", 10, 34, "object fluents"),
    ("(:action drive", "(:durative-action drive", 15, 4, "durative actions"),
    ("(:action drive", "(:constraints (always (free red)))\n(:action drive", 15, 4, "trajectory constraints"),
    ("(:action drive", "(:process flow)\n(:action drive", 15, 4, "processes (PDDL+)"),
    ("(and (at ?p ?l) (at", "(and (preference early (free ?v)) (at", 13, 25, "preferences"),
    ("(in ?p ?v) (not", "(oneof (in ?p ?v)) (not", 14, 19, "non-deterministic effects"),
]


@pytest.mark.parametrize(("old", "new", "line", "column", "message"), UNSUPPORTED)
def test_what_is_beyond_classical_planning(old: str, new: str, line: int, column: int, message: str) -> None:
    found = in_domain(old, new)
    assert isinstance(found, UnsupportedError)
    assert found.exit_code == 34
    assert says(found, message)
    assert "not supported" in str(found)
    assert (found.line, found.column) == (line, column)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("minimize (total-cost)", "maximize (total-cost)", 7, "metrics other than (:metric minimize (total-cost)) are"),
        ("minimize (total-cost)", "minimize (total-time)", 7, "metrics other than (:metric minimize (total-cost)) are"),
        ("(free red)", "(at 5 (free red))", 4, "timed initial literals are"),
        ("5.0)", "box)", 5, "object fluents are"),
        ("5.0)", "4.5000000001)", 5, "costs with more than 9 decimals (4.5000000001) are"),
        ("5.0)", "-5)", 5, "negative costs (-5) are"),
        ("(in box red)", "(preference soon (in box red))", 6, "preferences are"),
        ("(:goal", "(:constraints (always (free red)))\n(:goal", 6, "trajectory constraints are"),
    ],
)
def test_what_is_beyond_classical_planning_in_a_problem(old: str, new: str, line: int, message: str) -> None:
    found = in_problem(old, new)
    assert isinstance(found, UnsupportedError)
    assert f"{message} " in str(found)
    assert "not supported" in str(found)
    assert found.line == line


def test_several_errors_are_reported_together_in_order() -> None:
    text = (
        DOMAIN.replace("(at ?v ?l)", "(att ?v ?l)")
        .replace("?t - truck", "?t - truk")
        .replace("(in ?p ?v) (", "(in ?p) (")
    )
    found = error(domain=text)
    assert [(fault.line, fault.column) for fault in found.faults] == [(13, 36), (14, 18), (16, 23)]
    assert str(found).count("^") == 3


def test_the_number_of_reported_errors_is_limited() -> None:
    found = in_problem("(free red)", "(fre red)" * 1000)
    assert len(found.faults) == 20


def test_an_unsupported_feature_is_reported_before_other_errors() -> None:
    text = DOMAIN.replace("(at ?v ?l)", "(att ?v ?l)").replace("(:action drive", "(:durative-action drive")
    found = error(domain=text)
    assert isinstance(found, UnsupportedError)
    assert [fault.unsupported for fault in found.faults] == [True, False]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("(define (domain d)\n  (:predicates (p)", 2, 3, "never closed: found the end of the file in line 2"),
        (
            "(define (domain d)\n(:predicates (p)\n(:action a :effect (p)))",
            2,
            1,
            "is not closed: found section ':action' in line 3",
        ),
        ("(define (domain d)))", 1, 20, "found ')', expected the end of the file: (define …) is closed in line 1"),
        ("(define (domain d))\n(:action a)", 2, 1, "found '(', expected the end of the file"),
        ("define (domain d)", 1, 1, "found 'define', expected '('"),
        (") (", 1, 1, "found ')', expected '('"),
        ("", 1, 1, "found an empty file, expected (define …)"),
        ("; nothing\n\n", 1, 1, "found an empty file, expected (define …)"),
        ("(domain d)", 1, 1, "expected (define (domain NAME) …)"),
        ("()", 1, 1, "expected (define (domain NAME) …)"),
        ("(define (problem p) (:domain d))", 1, 10, "found a problem: are the two files swapped?"),
    ],
)
def test_broken_files(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(PddlError) as caught:
        parse_domain(text, "d.pddl")
    assert says(caught.value, message)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_the_error_says_that_a_domain_was_given_as_the_problem() -> None:
    assert "expected the definition of a problem, found a domain: are the two files swapped?" in str(
        error(problem=DOMAIN)
    )


def test_derived_predicates_must_have_a_meaning() -> None:
    text = """(define (domain d) (:predicates (p) (q) (r))
(:derived (p) (not (q)))
(:derived (q) (imply (r) (p)))
(:action a :effect (p)))"""
    with pytest.raises(PddlError) as caught:
        parse_domain(text)
    assert "domain:2:21: 'p' is derived from the negation of 'q', which depends on it" in str(caught.value)
    assert "domain:4:21: 'p' is derived: no effect may change it" in str(caught.value)


def test_missing_binary_and_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"missing\.pddl: no such file$") as caught:
        read_domain(tmp_path / "missing.pddl")
    assert caught.value.exit_code == 36
    with pytest.raises(FileError, match="found a directory, expected a PDDL file"):
        read_domain(tmp_path)
    binary = tmp_path / "binary.pddl"
    binary.write_bytes(b"\x7fELF\0\0")
    with pytest.raises(PddlError, match="found a binary file, expected PDDL text"):
        read_domain(binary)
    with pytest.raises(FileError, match="cannot read the file"):
        read_domain("a\0b")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no device files")
def test_an_endless_device_is_refused() -> None:
    with pytest.raises(PddlError, match="binary file"):
        read_domain("/dev/zero")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_read_permission_is_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret.pddl"
    secret.touch(0o000)
    with pytest.raises(FileError, match="Permission denied"):
        read_domain(secret)


DEPTH = 100_000


@pytest.mark.parametrize(
    "condition",
    ["(and " * DEPTH + ")" * DEPTH, "(not " * DEPTH + "(free red)" + ")" * DEPTH, "(" * DEPTH + ")" * DEPTH],
)
def test_deep_nesting_is_a_clean_error(condition: str) -> None:
    assert "p.pddl:6" in str(in_problem("(in box red)", condition))
    assert "d.pddl:17" in str(in_domain("(at ?t ?a)\n", condition + "\n"))
    assert "d.pddl:18" in str(in_domain("(at ?t ?b) (not", condition + " (not"))
    assert "p.pddl:4" in str(in_problem("(free red)", condition))


def test_a_deep_list_in_a_predicates_place_is_a_clean_error() -> None:
    deep = "(" * DEPTH + ")" * DEPTH
    found = in_problem("(free red)", f"(not {deep})")
    assert (found.line, found.column, "found '(', expected a predicate" in str(found)) == (4, 44, True)
    found = in_domain("(:action drive", f"(:derived {deep} (free red))\n(:action drive")
    assert (found.line, found.column, "found '(', expected a predicate" in str(found)) == (15, 14, True)


@pytest.mark.parametrize(
    "place", ["(:types truck", "(:predicates (at", "(:action load", ":parameters (?t", "(:constants home"]
)
def test_deep_nesting_anywhere_is_a_clean_error(place: str) -> None:
    assert "d.pddl:" in str(in_domain(place, place + " - (either" + "(either " * DEPTH + ")" * DEPTH + ")"))


def test_deep_nesting_without_closing_parentheses_is_a_clean_error() -> None:
    assert "never closed" in str(error(domain="(" * DEPTH))
    assert "expected '('" in str(error(domain=")" * DEPTH))


def test_messages_shorten_long_lines_and_escape_control_characters() -> None:
    found = in_problem("(free red)", "(at red shop) " * 10_000 + "(free \x1b[31mred) " + "(at red shop) " * 10_000)
    assert "\x1b" not in str(found)
    assert max(map(len, str(found).split("\n"))) < 200
    excerpt, caret = found.faults[0].excerpt.split("\n")
    assert excerpt[caret.index("^") :].startswith("�[31mred")


def test_messages_shorten_long_names() -> None:
    assert len(str(in_problem("(free red)", f"({'x' * 1_000_000} red)"))) < 1000


def test_a_similar_name_is_suggested_for_an_unknown_one() -> None:
    assert nearest("hand-emtpy", ["handempty", "hand-empty"]) == "; did you mean 'hand-empty'?"
    assert nearest("xyz", ["handempty"]) == ""


def test_a_bundled_task_is_read() -> None:
    problem = path("blocks-8-0")
    assert len(read_task(problem.replace("probBLOCKS-8-0", "domain"), problem).init) == 13
