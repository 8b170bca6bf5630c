"""Tasks written in Python, given on the command line as MODULE:NAME."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import fsplan

from fsplan.planner.tasks.python_task import PythonTask

TEXT = """
class Count:
    start, actions, cost_denominator = 0, ["add one", "double"], 2

    def successors(self, state):
        return [("add one", 1, state + 1), ("double", 0.5, state * 2)]

    def is_goal(self, state):
        return state == 50

    def heuristic(self, state):
        return 0.5 if state != 50 else 0


made = Count()
not_a_task = 7
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "counting.py").write_text(TEXT)
    return tmp_path


@pytest.mark.parametrize("name", ["counting:Count", "counting:made"])
@pytest.mark.parametrize("words", [[], ["--search", "wastar"], ["--focal", "disc1"], ["--heuristic", "blind"]], ids=str)
def test_a_python_task_is_solved_and_the_run_can_be_repeated(folder: Path, name: str, words: list[str]) -> None:
    ran = fsplan(name, *words, "--w", "1", "--json", "result.json", folder=folder)
    assert (ran.returncode, json.loads((folder / "result.json").read_text())["cost"]) == (0, 5.5), ran.stderr
    assert fsplan("repeat", "result.json", "--trust", folder=folder).returncode == 0


def test_a_result_that_names_code_is_not_run_unless_trusted(folder: Path) -> None:
    fsplan("counting:Count", "--json", "result.json", folder=folder)
    ran = fsplan("repeat", "result.json", folder=folder)
    assert (ran.returncode, ran.stdout) == (36, "")
    assert "counting:Count" in ran.stderr


@pytest.mark.parametrize("option", ["policy", "order", "heuristic", "task"])
def test_no_option_of_a_result_runs_code(folder: Path, option: str) -> None:
    fsplan("tiles8:random/1", "--focal", "disc2", "--json", "result.json", folder=folder)
    record = json.loads((folder / "result.json").read_text())
    (folder / "hostile.py").write_text("open('was-run', 'w')\ndef code(*words): open('was-run', 'w')\n")
    record[option] = ["hostile:code"] if option == "task" else "hostile:code"
    (folder / "result.json").write_text(json.dumps(record))
    assert fsplan("repeat", "result.json", folder=folder).returncode == 36
    assert not (folder / "was-run").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("counting:Missing", "counting has no Missing"),
        ("missing:Task", "no module named missing"),
        ("counting:not_a_task", "counting:not_a_task is no task"),
    ],
)
def test_names_that_are_no_task_are_refused(folder: Path, name: str, message: str) -> None:
    ran = fsplan(name, folder=folder)
    assert ran.returncode == 36
    assert message in ran.stderr


def test_compare_accepts_python_tasks(folder: Path) -> None:
    ran = fsplan("compare", "counting:Count", "--searches", "astar,wastar", "--csv", "runs.csv", folder=folder)
    assert ran.returncode == 0, ran.stderr
    assert (folder / "runs.csv").read_text().count("solved") == 2


def test_plans_are_followed_step_by_step() -> None:
    class Twins:
        """Two actions that share a name."""

        start = "a"

        def successors(self, state: str) -> list[tuple[str, int, str]]:
            return [("go", 1, "b"), ("go", 2, "c")] if state == "a" else []

        def is_goal(self, state: str) -> bool:
            return state == "c"

    task = PythonTask("twins", Twins())
    assert sorted(task.execute(["go"])) == [(1, False), (2, True)]
    with pytest.raises(ValueError, match="step 2, stop, is not applicable"):
        task.execute(["go", "stop"])
