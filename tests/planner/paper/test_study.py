"""`fsplan study`: the paper's experiments on the user's own tasks, executed in a small size."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fsplan.planner.cli.app import application
from fsplan.planner.experiments.records import read
from fsplan.planner.paper.reproduce import carry_out_study
from fsplan.planner.paper.settings import Synthetic, Trained
from fsplan.planner.paper.study import study_settings

DOMAIN = """(define (domain ferry) (:requirements :strips :typing :action-costs) (:types car side)
  (:predicates (at ?c - car ?s - side) (on ?c - car) (boat ?s - side) (empty))
  (:functions (total-cost) - number)
  (:action sail :parameters (?a ?b - side) :precondition (boat ?a)
    :effect (and (boat ?b) (not (boat ?a)) (increase (total-cost) 2.5)))
  (:action board :parameters (?c - car ?s - side) :precondition (and (at ?c ?s) (boat ?s) (empty))
    :effect (and (on ?c) (not (at ?c ?s)) (not (empty)) (increase (total-cost) 1)))
  (:action leave :parameters (?c - car ?s - side) :precondition (and (on ?c) (boat ?s))
    :effect (and (at ?c ?s) (empty) (not (on ?c)) (increase (total-cost) 1))))
"""


def problem(cars: int) -> str:
    names = " ".join(f"c{n}" for n in range(cars))
    here = " ".join(f"(at c{n} left)" for n in range(cars))
    goal = " ".join(f"(at c{n} right)" for n in range(cars))
    return f"""(define (problem f{cars}) (:domain ferry) (:objects {names} - car left right - side)
  (:init {here} (boat left) (empty) (= (total-cost) 0)) (:goal (and {goal})) (:metric minimize (total-cost)))"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    for cars in (2, 3):
        (tmp_path / f"p{cars}.pddl").write_text(problem(cars))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> str:
    done = CliRunner().invoke(application, list(words))
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.long
def test_from_two_files_to_the_figure_in_three_commands(folder: Path) -> None:
    """The three commands of the manual: the size of the graph, the study, the page."""
    assert "states" in run("graph", "domain.pddl", "p3.pddl")
    run(
        "study", "domain.pddl", "p3.pddl", "-o", "out", "--searches", "disc2,score3,prefastar,wastar", "--starts", "2",
        "--draws", "1", "--accuracies", "0.8,1", "--w", "1.2,1.5", "--workers", "1", "-q",
    )  # fmt: skip
    run("report", "out", "-o", "page.html")
    rows = read(folder / "out")
    assert {row["status"] for row in rows} == {"solved"}
    assert len(rows) == 2 * 2 + 2 * 2 * (2 * 2 + 1)
    for row in rows:
        assert row["lower_bound"] <= row["optimal_cost"] <= row["cost"]
        assert row["search"] == "prefastar" or row["suboptimality"] <= row["w"]
    assert any(row["cost"] % 1 for row in rows)  # costs of 2.5 and 1
    claims = (folder / "out" / "claims.md").read_text()
    assert "Discrepancy-based focal search yields the best results in expansions." in claims
    assert "8-puzzle:" not in claims
    name = next(path.name for path in (folder / "out").glob("accuracy-*.svg"))
    assert "Disc-2" in (folder / "out" / name).read_text()
    assert "p3" in (folder / "page.html").read_text()


def test_a_policy_on_a_set_of_tasks(folder: Path) -> None:
    run(
        "study", "domain.pddl", "p2.pddl", "p3.pddl", "-o", "out", "--policies", "ff", "--searches", "disc2,ees,wastar",
        "--w", "2", "--workers", "1", "-q",
    )  # fmt: skip
    rows = read(folder / "out")
    assert len(rows) == 2 * 3
    assert {row["policy"] for row in rows} == {"ff", None}
    assert list((folder / "out").glob("solved-*.png"))


MODULE = """
class Walk:
    start, actions = 0, ("left", "right", "jump")

    def successors(self, state):
        return [("left", 1, max(0, state - 1)), ("right", 1, min(9, state + 1)), ("jump", 2, min(9, state + 3))]

    def is_goal(self, state):
        return state == 9

    def heuristic(self, state):
        return (9 - state) // 2
"""


def test_tasks_written_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "walking.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    settings = study_settings(
        ["walking:Walk"], searches=["disc1", "wastar"], ws=["1.5"], accuracies=[0.9], starts=3, draws=1
    )
    carry_out_study(settings, tmp_path / "out", workers=1, quiet=True)
    sys.modules.pop("walking", None)
    rows = read(tmp_path / "out")
    assert {row["status"] for row in rows} == {"solved"}
    assert len(rows) == 3 * 2
    assert next(row for row in rows if row["task"].endswith("start/0"))["optimal_cost"] == 6


@pytest.mark.parametrize(
    ("words", "options", "message"),
    [
        (["tiles8:random/1"], {"searches": ["nonsense"]}, "search 'nonsense' is unknown; there are the searches"),
        (["tiles8:random/1"], {"policies": ["ff"], "accuracies": [0.7]}, "leave them or --policies out"),
        (["no-such.pddl"], {}, "no such file"),
    ],
)
def test_wrong_settings_are_refused(words: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        study_settings(words, **options)


def test_settings() -> None:
    synthetic = study_settings(["tiles8:random/1"], heuristics=["manhattan", "linear_conflict"], starts=7)
    assert isinstance(synthetic, Synthetic)
    assert list(synthetic.places) == ["tiles8:random/1 manhattan", "tiles8:random/1 linear_conflict"]
    assert synthetic.low_ws == ("1.01", "1.05", "1.1")
    trained = study_settings(["tiles15:korf/1..3"], policies=["tiles15"])
    assert isinstance(trained, Trained)
    assert len(trained.tasks) == 3
