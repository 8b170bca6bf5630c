from __future__ import annotations

import json
from pathlib import Path

import pytest

import fsplan
from fsplan.planner.cli import run

UNSOLVABLE_DOMAIN = """(define (domain d) (:predicates (p) (q) (r))
(:action a :parameters () :precondition (p) :effect (and (q) (not (p))))
(:action b :parameters () :precondition (p) :effect (and (r) (not (p)))))"""
UNSOLVABLE_PROBLEM = "(define (problem x) (:domain d) (:init (p)) (:goal (and (q) (r))))"


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bound", fsplan.example("blocks-8-0")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["lmcut", "state-equation", "landmarks", "pair-landmarks"]
    assert lines[-1] == "no plan costs less than 18 (proven by pair-landmarks)"


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bound", fsplan.example("blocks-8-0"), "--json", "-", "--time-limit", "10s"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["lower_bound"] == 18
    assert record["lower_bound"] == max(each["lower_bound"] for each in record["methods"])


def test_a_task_without_a_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both goals are reachable in the delete relaxation, but they are mutex, so pruning removes all actions."""
    (tmp_path / "domain.pddl").write_text(UNSOLVABLE_DOMAIN)
    (tmp_path / "problem.pddl").write_text(UNSOLVABLE_PROBLEM)
    assert run(["bound", str(tmp_path / "problem.pddl")]) == 11
    assert "there is no plan (proven by lmcut)" in capsys.readouterr().out
