"""Reading a written task gives the same syntax tree."""

from __future__ import annotations

from pathlib import Path

from benchmark_tasks import tasks
from hypothesis import given, settings
from random_tasks import STRIPS, Features, random_task, random_tasks
from tree_forms import form

from fsplan.pddl import parse_task, read_task, write_domain, write_problem
from fsplan.pddl.syntax import And, Atom, Exists, Not, Problem, Typed
from fsplan.pddl.writer import write_formula


def again(problem: Problem) -> Problem:
    return parse_task(write_domain(problem.domain), write_problem(problem))


@given(problem=random_tasks())
@settings(max_examples=300)
def test_random_tasks_survive_writing_and_reading(problem: Problem) -> None:
    assert form(again(problem)) == form(problem)


def test_shared_tasks_survive_writing_and_reading(benchmarks: Path) -> None:
    for folder in sorted(benchmarks.iterdir()):
        domain, problem = min(tasks(folder), key=lambda task: sum(file.stat().st_size for file in task))
        tree = read_task(domain, problem)
        assert form(again(tree)) == form(tree), folder.name


def test_the_same_seed_gives_the_same_task() -> None:
    assert form(random_task(5)) == form(random_task(5))
    assert form(random_task(5)) != form(random_task(6))


def test_features_left_out_are_not_used() -> None:
    for seed in range(50):
        text = write_domain(random_task(seed, STRIPS).domain)
        assert not any(
            word in text for word in ("when", "forall", "exists", "(or", "imply", "=", "increase", ":derived")
        )
    texts = [write_domain(random_task(seed, Features()).domain) for seed in range(50)]
    for word in ("when", "forall", "exists", "(or", "imply", "=", "increase", ":derived", "either"):
        assert any(word in text for text in texts), word


def test_bound_variables_are_replaced_and_hidden_ones_are_not() -> None:
    inner = Exists([Typed("?x", ("object",))], Atom("on", ("?x", "?y")))
    formula = And([Atom("clear", ("?x",)), Not(inner)])
    assert write_formula(formula, {"?x": "a", "?y": "b"}) == "(and (clear a) (not (exists (?x) (on ?x b))))"


def test_trees_of_any_depth_are_written() -> None:
    formula: And | Not | Atom = Atom("p", ())
    for _ in range(100_000):
        formula = Not(formula)
    assert write_formula(formula).count("(not") == 100_000
