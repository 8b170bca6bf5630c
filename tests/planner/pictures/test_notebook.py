"""Display of results, tasks, graphs and policies in terminals and notebooks, also of tasks loaded from files."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from support import known

import fsplan
from fsplan.pddl.reader import read_task

PROBLEM = fsplan.example("blocks-8-0")
DOMAIN = str(Path(PROBLEM).parent / "domain.pddl")
LIGHT = """(define (domain lamp) (:predicates (on))
    (:action switch :parameters () :precondition (not (on)) :effect (on)))"""
DARK = "(define (problem dark) (:domain lamp) (:init) (:goal (on)))"


class Balanced(HTMLParser):
    """An HTML parser that fails if tags are not properly nested; it collects the text."""

    VOID = frozenset({"br", "img", "meta", "path", "use", "rect"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_result_is_true_if_it_has_a_plan_and_prints_what_is_known() -> None:
    found = fsplan.solve(LIGHT, DARK)
    assert found
    assert repr(found) == "<Result solved: 1 step, cost 1, lower bound 1, ratio 1>"
    missing = fsplan.astar((DOMAIN, PROBLEM), expansion_limit=1)
    assert not missing
    assert "no plan" in repr(missing)


def test_a_result_in_a_notebook_has_the_plan_the_gap_and_folded_statistics() -> None:
    result = fsplan.solve(PROBLEM, order="disc1", w=1.5)
    assert result.plan is not None
    page = Balanced(result._repr_html_())
    assert f"({result.plan[0]})" in page.text
    assert "expanded" in page.text
    assert f"lower bound {result.lower_bound} of cost {result.cost}" in result._repr_html_()
    Balanced(fsplan.astar(PROBLEM, expansion_limit=1)._repr_html_())


def test_step_costs_add_up_to_the_cost() -> None:
    result = fsplan.solve(PROBLEM)
    assert sum(known(result.step_costs)) == result.cost
    assert fsplan.solve("tiles8:random/7").step_costs is None


def test_json_is_text_and_names_its_schema() -> None:
    import json

    result = fsplan.solve(LIGHT, DARK)
    assert json.loads(result.to_json()) == json.loads(json.dumps(result.to_dict()))
    assert result.to_dict()["schema"] == "fsplan-result-1"


def test_tasks_graphs_and_policies_show_themselves() -> None:
    task = fsplan.load(LIGHT, DARK)
    graph = fsplan.explore(task)
    policy = fsplan.synthetic(graph, accuracy=0.9)
    assert "1 action" in repr(task)
    assert repr(graph) == "<SearchGraph: 2 states, 1 edges, 1 goals>"
    assert "accuracy 1" in repr(policy)
    assert repr(fsplan.Encoder.one_hot([2, 3])) == "<Encoder one-hot: 2 variables, 5 inputs>"
    for shown in (task, graph, policy):
        assert "fsplan" in shown._repr_html_()


def test_small_graphs_are_drawn_in_a_notebook() -> None:
    pytest.importorskip("matplotlib")
    assert "<svg" in fsplan.explore((LIGHT, DARK))._repr_html_()


@pytest.mark.parametrize("task", [PROBLEM, (DOMAIN, PROBLEM), Path(PROBLEM)])
def test_a_task_may_be_given_by_its_files(task: object) -> None:
    assert fsplan.wastar(task, w=2, heuristic="lmcut").solved  # type: ignore[arg-type]
    assert fsplan.bound(task).value == 18  # type: ignore[arg-type]


def test_domain_and_problem_may_be_two_arguments() -> None:
    by_files = fsplan.solve(DOMAIN, PROBLEM, order="disc2")
    assert by_files.plan == fsplan.solve(fsplan.load(PROBLEM), order="disc2").plan


def test_validate_takes_files_texts_and_trees() -> None:
    assert fsplan.validate((LIGHT, DARK), ["switch"])
    assert not fsplan.validate((LIGHT, DARK), ["switch", "switch"])
    assert fsplan.validate(read_task(LIGHT, DARK), "(switch)")
    assert repr(fsplan.validate((LIGHT, DARK), ["switch"])) == "<Validation: plan valid, 1 step, cost 1>"


def test_errors_in_text_say_which_text() -> None:
    with pytest.raises(fsplan.pddl.PddlError, match="domain:1"):  # type: ignore[attr-defined]
        fsplan.load("(define (domain", DARK)
    with pytest.raises(ValueError, match="two parts"):
        fsplan.load(LIGHT)


def test_the_error_for_a_text_that_is_no_task_explains_the_options() -> None:
    with pytest.raises(FileNotFoundError, match="no such file"):
        fsplan.solve("nothing.pddl")
