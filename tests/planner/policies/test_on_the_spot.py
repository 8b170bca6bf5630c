"""`--learn` and `fsplan dataset` on PDDL problems."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from blocks_problems import DOMAIN, blocks_task, tower_problem
from support import known

import fsplan
from fsplan.planner.base import limits
from fsplan.planner.cli import run as main
from fsplan.planner.learning.relational.on_the_spot import learn_on_the_spot

START, GOAL = "ab cd ef gh ij", "jihgfedcba"


@pytest.fixture
def problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "p.pddl"
    path.write_text(tower_problem(START, GOAL))
    return str(path)


def test_a_policy_is_learned_from_the_problem_itself(tmp_path: Path) -> None:
    task = blocks_task(tmp_path, START, GOAL)
    learned = learn_on_the_spot(task, 30)
    assert learned.text.startswith("learned from ")
    assert learned.plan is not None
    plan, cost = learned.plan
    assert len(plan) == cost
    result = fsplan.focal(task, "disc2", 2, policy=learned.policy, incumbent=learned.plan)
    assert result.certified
    assert known(result.cost) <= cost


def test_the_error_says_why_nothing_was_learned(tmp_path: Path) -> None:
    task = blocks_task(tmp_path, "ab", "ba")
    assert task.problem is not None
    from fsplan.pddl.syntax import Not

    task.problem.goal = Not(task.problem.goal)
    assert "not a conjunction" in learn_on_the_spot(task, 1).text
    with pytest.raises(ValueError, match="not a PDDL task"):
        learn_on_the_spot(fsplan.load("tiles8:random/1"), 1)


def test_the_command_learns_and_plans(problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(DOMAIN), problem, "--learn", "20s", "--w", "2"]) == 0
    shown = capsys.readouterr()
    assert "learned from" in shown.err
    assert "(stack" in shown.out
    assert main([str(DOMAIN), problem, "--learn", "5s", "--policy", "ff", "--focal", "disc2"]) == 36


def test_late_alarms_of_time_limits_do_not_end_learning(problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the alarm of the time limit interrupts every search of the main thread immediately and repeatedly."""
    monkeypatch.setattr(limits, "_patience", lambda seconds: 1e-4 - seconds)
    assert main([str(DOMAIN), problem, "--learn", "5s", "--w", "2"]) == 0


def test_data_sets_of_problems(problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = tmp_path / "small.pddl"
    small.write_text(tower_problem("ab c", "cab"))
    data = tmp_path / "data.npz"
    assert main(["dataset", str(DOMAIN), str(small), problem, "-o", str(data), "--max-states", "1000"]) == 0
    assert "of 1 of 2 tasks written to" in capsys.readouterr().err
    with np.load(data) as arrays:
        assert arrays["predicates"].tolist() == ["on", "ontable", "clear", "handempty", "holding"]
        assert len(arrays["cost_to_go"]) == 21
    assert main(["dataset", str(DOMAIN), str(small), "--traces", "3"]) == 36
