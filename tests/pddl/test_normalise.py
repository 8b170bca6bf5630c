"""Tests each PDDL feature on a small task whose ground form and optimal cost are known."""

from __future__ import annotations

import pytest
from ground_view import View, cheapest, ground_text


def domain(*parts: str, predicates: str = "(p ?x) (q ?x) (r ?x) (done)", head: str = "") -> str:
    """The text of a domain with these actions and rules. `head` replaces the declaration of objects as constants."""
    return f"(define (domain d) {head or '(:constants a b c d)'} (:predicates {predicates}) {' '.join(parts)})"


def problem(init: str, goal: str = "(done)", more: str = "", objects: str = "") -> str:
    return f"(define (problem x) (:domain d) (:objects {objects}) (:init {init}) (:goal {goal}) {more})"


def action(name: str, parameters: str, precondition: str, effect: str) -> str:
    return f"(:action {name} :parameters ({parameters}) :precondition {precondition} :effect {effect})"


def both(domain_text: str, problem_text: str) -> tuple[View, int | None]:
    """The ground form and the optimal cost."""
    return View(domain_text, problem_text), cheapest(ground_text(domain_text, problem_text))


def made(init: str, *parts: str, **options: str) -> tuple[View, int | None]:
    """The ground form and the optimal cost of a task with these initial atoms and actions."""
    of_problem = {name: options.pop(name) for name in ("goal", "objects") if name in options}
    return both(domain(*parts, **options), problem(init, **of_problem))


def test_strips_order_of_schemas_arguments_and_atoms() -> None:
    view, cost = made(
        "(p a) (p b) (q b)",
        action("mark", "?x ?y", "(and (p ?x) (q ?y))", "(and (r ?y) (not (p ?x)))"),
        action("end", "", "(r b)", "(done)"),
        head="(:constants b a)",
    )
    assert view.names == ["mark b b", "mark a b", "end"]
    assert view.atoms == ["p(b)", "p(a)", "r(b)", "done()"]
    assert view.precondition("mark a b") == {"p(a)"}
    assert view.unconditional("mark a b") == {"r(b)", "not p(a)"}
    assert view.initial == {"p(b)", "p(a)"}
    assert cost == 2


def test_types_subtypes_either_and_constants() -> None:
    text = domain(
        action("load", "?v - (either truck plane) ?c - cargo", "(free ?v)", "(and (in ?c ?v) (not (free ?v)))"),
        action("finish", "?v - vehicle", "(in gold ?v)", "(done)"),
        head="(:types vehicle cargo - object truck plane ship - vehicle) (:constants gold - cargo)",
        predicates="(free ?v - vehicle) (in ?c - cargo ?v - vehicle) (done)",
    )
    objects = "s - ship t - truck a - plane coal - cargo"
    view, cost = both(text, problem("(free s) (free t) (free a)", objects=objects))
    assert view.names[:4] == ["load t gold", "load t coal", "load a gold", "load a coal"]
    assert [name for name in view.names if name.startswith("finish")] == ["finish t", "finish a"]
    assert cost == 2


def test_equality_and_inequality() -> None:
    view, cost = made(
        "(p a) (p b)",
        action("pair", "?x ?y", "(and (p ?x) (p ?y) (not (= ?x ?y)))", "(q ?x)"),
        action("self", "?x ?y", "(and (p ?x) (= ?x ?y))", "(r ?y)"),
        action("end", "", "(and (q a) (r a))", "(done)"),
    )
    assert view.names == ["pair a b", "pair b a", "self a a", "self b b", "end"]
    assert cost == 3


def test_negative_preconditions_static_and_fluent() -> None:
    view, cost = made(
        "(p a) (p b) (p c) (q c)",
        action("paint", "?x", "(and (p ?x) (not (q ?x)) (not (r ?x)))", "(r ?x)"),
        action("end", "", "(and (r a) (not (r b)))", "(done)"),
    )
    assert view.names == ["paint a", "paint b", "end"]
    assert view.precondition("paint a") == {"not r(a)"}
    assert view.precondition("end") == {"r(a)", "not r(b)"}
    assert cost == 2


def test_disjunctive_precondition_is_split_and_its_copies_share_a_name() -> None:
    view, cost = made(
        "(p a) (q a)",
        action("get", "?x", "(and (p ?x) (or (q ?x) (r ?x)))", "(done)"),
        action("flip", "?x", "(q ?x)", "(and (r ?x) (not (q ?x)))"),
    )
    assert view.names == ["get a", "get a", "flip a"]
    assert view.preconditions[:2] == [{"q(a)"}, {"r(a)"}]
    assert cost == 1


def test_alternatives_that_another_implies_are_dropped() -> None:
    view, _ = made(
        "(p a) (r b)",
        action("get", "?x", "(or (p ?x) (and (p ?x) (q ?x)) (r ?x))", "(done)"),
        action("lose", "?x", "(p ?x)", "(and (not (p ?x)) (q ?x))"),
    )
    assert view.names == ["get a", "get b", "lose a"]
    assert view.precondition("get a") == {"p(a)"}
    assert view.precondition("get b") == set()


def test_implication_with_a_static_guard_needs_no_alternatives() -> None:
    view, cost = made(
        "(p a) (r a)",
        action("go", "?x", "(imply (p ?x) (q ?x))", "(done)"),
        action("get", "?x", "(r ?x)", "(q ?x)"),
        goal="(and (done) (q a))",
    )
    assert view.names == ["go a", "go b", "go c", "go d", "get a"]
    assert view.precondition("go a") == {"q(a)"}
    assert view.precondition("go b") == set()
    assert cost == 2


def test_universal_precondition_becomes_a_conjunction() -> None:
    view, cost = made(
        "(p a) (p b)",
        action("get", "?x", "(p ?x)", "(q ?x)"),
        action("end", "", "(forall (?x) (imply (p ?x) (and (q ?x) (not (r ?x)))))", "(done)"),
        action("spoil", "?x", "(q ?x)", "(r ?x)"),
    )
    assert view.precondition("end") == {"q(a)", "q(b)", "not r(a)", "not r(b)"}
    assert not view.rules
    assert cost == 3


def test_universal_precondition_over_an_empty_type_holds() -> None:
    view, cost = made(
        "",
        action("end", "", "(forall (?x - ghost) (p ?x))", "(done)"),
        head="(:types ghost thing)",
        objects="a - thing",
    )
    assert view.precondition("end") == set()
    assert cost == 1


def test_existential_variables_give_one_action_each_and_are_not_shown() -> None:
    view, cost = made(
        "(p a) (p b) (q a) (q b)",
        action("end", "?x", "(exists (?y) (and (p ?y) (q ?y) (not (= ?x ?y))))", "(done)"),
        action("leave", "?x", "(p ?x)", "(not (p ?x))"),
    )
    assert view.names[:6] == ["end a", "end b", "end c", "end c", "end d", "end d"]
    assert view.preconditions[:4] == [{"p(b)"}, {"p(a)"}, {"p(a)"}, {"p(b)"}]
    assert cost == 1


def test_static_existential_gives_one_action() -> None:
    view, _ = both(
        domain(action("end", "?x", "(and (q ?x) (exists (?y) (p ?y)))", "(done)")),
        problem("(p a) (p b) (q c)"),
    )
    assert view.names == ["end c"]


def test_negated_quantifiers() -> None:
    view, cost = made(
        "(p a) (p b) (q a)",
        action("end", "", "(and (not (exists (?x) (p ?x))) (not (forall (?x) (q ?x))))", "(done)"),
        action("clear", "?x", "(p ?x)", "(not (p ?x))"),
        action("fill", "?x", "(not (q ?x))", "(q ?x)"),
        head="(:constants a b)",
    )
    ends = [view.preconditions[number] for number, name in enumerate(view.names) if name == "end"]
    assert ends == [{"not p(a)", "not p(b)", "not q(a)"}, {"not p(a)", "not p(b)", "not q(b)"}]
    assert cost == 3


def test_conditional_effects_are_kept() -> None:
    view, cost = made(
        "(p a)",
        action("push", "?x", "(p ?x)", "(and (q ?x) (when (q ?x) (r ?x)) (when (r ?x) (done)))"),
    )
    assert view.effect("push a") == {
        ("q(a)", frozenset()),
        ("r(a)", frozenset({"q(a)"})),
        ("done()", frozenset({"r(a)"})),
    }
    assert cost == 3


def test_static_conditions_of_effects_are_decided() -> None:
    view, _ = made(
        "(p a) (p b) (q a)",
        action("push", "?x ?y", "(p ?x)", "(and (when (q ?x) (r ?x)) (when (not (= ?x ?y)) (done)))"),
    )
    assert view.names[:5] == ["push a a", "push a b", "push a c", "push a d", "push b a"]
    assert view.unconditional("push a a") == {"r(a)"}
    assert view.unconditional("push a b") == {"r(a)", "done()"}
    assert view.unconditional("push b a") == {"done()"}


def test_universal_effects() -> None:
    view, cost = made(
        "(p a) (p b)",
        action("all", "", "(p a)", "(forall (?x) (when (p ?x) (and (q ?x) (not (p ?x)))))"),
        action("end", "", "(and (q a) (q b))", "(done)"),
    )
    assert view.effect("all") == {
        ("q(a)", frozenset()),
        ("not p(a)", frozenset()),
        ("q(b)", frozenset({"p(b)"})),
        ("not p(b)", frozenset({"p(b)"})),
    }
    assert cost == 2


def test_disjunctive_and_existential_conditions_of_effects() -> None:
    view, cost = made(
        "(p a) (p b)",
        action("push", "", "(p a)", "(when (or (q a) (exists (?x) (r ?x))) (done))"),
        action("get", "?x", "(p ?x)", "(and (q ?x) (r b) (not (p b)))"),
    )
    assert view.effect("push") == {("done()", frozenset({"q(a)"})), ("done()", frozenset({"r(b)"}))}
    assert cost == 2


def test_add_wins_over_delete_and_actions_without_change_are_dropped() -> None:
    view, cost = made(
        "(p a)",
        action("swap", "?x ?y", "(p ?x)", "(and (not (p ?x)) (p ?y))"),
        action("end", "", "(p b)", "(done)"),
        head="(:constants a b)",
    )
    assert view.names == ["swap a b", "swap b a", "end"]
    assert view.unconditional("swap a b") == {"p(b)", "not p(a)"}
    assert cost == 2


def test_conditional_delete_loses_against_an_add() -> None:
    _, cost = made(
        "(p a) (p b)",
        action("go", "", "(p a)", "(and (when (p a) (q a)) (when (p b) (not (q a))))"),
        action("end", "", "(q a)", "(done)"),
    )
    assert cost == 2


def test_nullary_predicates_repeated_variables_and_constants_in_atoms() -> None:
    view, cost = made(
        "(e a b) (e a a) (e b a) (on)",
        action("loop", "?x", "(and (e ?x ?x) (on))", "(f ?x hub)"),
        action("end", "", "(and (f a hub) (not (off)))", "(done)"),
        predicates="(e ?x ?y) (f ?x ?y) (on) (off) (done)",
        head="(:constants a b hub)",
    )
    assert view.names == ["loop a", "end"]
    assert view.atoms == ["f(a, hub)", "done()"]
    assert cost == 2


COSTED = domain(
    action("go", "?x ?y", "(and (p ?x) (e ?x ?y))", "(and (p ?y) (not (p ?x)) (increase (total-cost) (far ?x ?y)))"),
    action("end", "", "(p c)", "(and (done) (increase (total-cost) 5) (increase (total-cost) (fee)))"),
    predicates="(p ?x) (e ?x ?y) (done)",
    head="(:constants a b c) (:functions (far ?x ?y) (fee) (total-cost) - number)",
)
ROADS = "(p a) (e a b) (e b c) (e a c) (= (far a b) 1) (= (far b c) 2) (= (fee) 7) (= (total-cost) 0)"


def test_costs_from_tables_and_constants() -> None:
    view, cost = both(COSTED, problem(ROADS + " (= (far a c) 9)", more="(:metric minimize (total-cost))"))
    assert dict(zip(view.names, view.costs, strict=True)) == {"go a b": 1, "go a c": 9, "go b c": 2, "end": 12}
    assert cost == 15


def test_without_a_metric_every_action_costs_one() -> None:
    view, cost = both(COSTED, problem(ROADS))
    assert set(view.costs) == {1}
    assert cost == 2


def test_missing_cost_is_named() -> None:
    with pytest.raises(ValueError, match=r"\(far a c\) has no value"):
        View(COSTED, problem(ROADS, more="(:metric minimize (total-cost))"))


REACH = domain(
    "(:derived (reach ?x ?y) (or (e ?x ?y) (exists (?z) (and (reach ?x ?z) (e ?z ?y)))))",
    "(:derived (stuck ?x) (forall (?y) (not (reach ?x ?y))))",
    action("build", "?x ?y", "(and (plan ?x ?y) (not (stuck ?y)))", "(e ?x ?y)"),
    action("end", "", "(reach a d)", "(done)"),
    predicates="(e ?x ?y) (plan ?x ?y) (reach ?x ?y) (stuck ?x) (done)",
)


def test_derived_predicates_in_strata() -> None:
    view, cost = both(REACH, problem("(plan a b) (plan b c) (e c d)"))
    assert ("reach(a, d)", {"reach(a, c)", "e(c, d)"}) in view.rules
    assert ("reach(a, b)", {"e(a, b)"}) in view.rules
    stuck = [body for head, body in view.rules if head == "stuck(a)"]
    assert stuck == [{"not reach(a, b)", "not reach(a, c)", "not reach(a, d)"}]
    # c is not stuck initially, so the plan is b-c, then a-b.
    assert cost == 3


def test_universal_condition_in_a_rule() -> None:
    _, cost = made(
        "(p a) (p b)",
        "(:derived (done) (forall (?x) (imply (p ?x) (q ?x))))",
        action("get", "?x", "(p ?x)", "(q ?x)"),
    )
    assert cost == 2


@pytest.mark.parametrize(
    ("goal", "cost"),
    [
        ("(or (q a) (and (q b) (q c)))", 1),
        ("(exists (?x) (and (q ?x) (r ?x)))", 2),
        ("(forall (?x) (imply (p ?x) (q ?x)))", 3),
        ("(and (not (p a)) (not (q b)))", 1),
        ("(and (p a) (q b))", 1),
        ("(imply (p a) (p b))", 0),
        ("(and)", 0),
        ("(or)", None),
        ("(r a)", None),
        ("(exists (?x) (and (q ?x) (r ?x) (not (= ?x c))))", None),
        ("(and (q a) (p a))", None),
        ("(= a b)", None),
        ("(not (= a b))", 0),
    ],
)
def test_goals(goal: str, cost: int | None) -> None:
    text = domain(
        action("get", "?x", "(p ?x)", "(and (q ?x) (not (p ?x)))"),
        action("mix", "?x ?y", "(and (q ?x) (not (= ?x ?y)))", "(r c)"),
    )
    view, found = both(text, problem("(p a) (p b) (p c)", goal))
    assert found == cost
    assert view.goal_reachable == (cost is not None or goal == "(and (q a) (p a))")


def test_goal_with_one_alternative_needs_no_rules() -> None:
    text = domain(action("get", "?x", "(p ?x)", "(q ?x)"))
    view = View(text, problem("(p a) (r b)", "(or (q a) (exists (?x) (and (q ?x) (r ?x))))"))
    assert view.goal == {"q(a)"}


def test_unreachable_goal_is_proven_unsolvable() -> None:
    task = ground_text(domain(action("get", "?x", "(p ?x)", "(q ?x)")), problem("(p a)", "(q b)"))
    assert not task.solvable_relaxed


def many_choices(count: int) -> str:
    choices = " ".join(f"(or (p o{i}) (q o{i}))" for i in range(count))
    return domain(
        action("end", "", f"(and {choices})", "(done)"),
        action("turn", "?x", "(p ?x)", "(and (q ?x) (not (p ?x)))"),
        action("back", "?x", "(r ?x)", "(and (p ?x) (not (r ?x)))"),
        head=f"(:constants {' '.join(f'o{i}' for i in range(count))})",
    )


def test_few_disjunctions_are_multiplied_out() -> None:
    view = View(many_choices(4), problem("(p o0) (p o1) (p o2) (p o3)"))
    assert view.names.count("end") == 16
    assert not view.rules


def test_many_disjunctions_become_derived_predicates_instead() -> None:
    init = " ".join(f"(p o{i})" for i in range(1, 7))
    view, cost = both(many_choices(7), problem(f"(r o0) {init}"))
    assert view.names.count("end") <= 32
    assert sum(head.startswith("choice@") for head, _ in view.rules) >= 4
    assert cost == 2


@pytest.mark.parametrize("depth", [10, 30])
def test_deep_nesting(depth: int) -> None:
    formula = "(done)"
    for level in range(depth):
        formula = f"(or (and (p a) (not {formula})) (q a))" if level % 2 else f"(not (not (and {formula} (r a))))"
    text = domain(action("end", "", formula, "(done)"), action("get", "", "(p a)", "(q a)"))
    assert View(text, problem("(p a) (r a)")).names
