from __future__ import annotations

from pathlib import Path

import pytest
from support import fsplan

from fsplan.planner.policies import files


def test_a_puzzle_is_planned_like_any_task() -> None:
    done = fsplan("tiles8:random/7", "--search", "astar", "--quiet")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "; cost = 20 (unit cost)"


def test_export_writes_pddl(tmp_path: Path) -> None:
    assert fsplan("export", "tiles8:random/7", "--pddl", tmp_path).returncode == 0
    done = fsplan(tmp_path / "domain.pddl", tmp_path / "problem.pddl", "--search", "astar", "--quiet")
    assert done.stdout.splitlines()[-1] == "; cost = 20 (unit cost)"


def test_a_bad_puzzle_is_refused_with_the_reason() -> None:
    done = fsplan("tiles8:0,1,1,3,4,5,6,7,8")
    assert done.returncode == 36
    assert "tile 1 is repeated" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("search", ["auto", "astar", "focal", "gbfs"])
def test_a_puzzle_of_the_wrong_parity_has_no_solution(search: str) -> None:
    done = fsplan("tiles8:0,2,1,3,4,5,6,7,8", "--search", search)
    assert done.returncode == 11
    assert "wrong parity" in done.stderr


@pytest.mark.training
def test_a_policy_can_be_trained_from_a_data_set_and_used_for_planning(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    cache = {"FSPLAN_CACHE": str(tmp_path)}
    data, policy = tmp_path / "data.npz", tmp_path / "policy.safetensors"
    done = fsplan("dataset", "tiles8", "--traces", 1000, "-o", data, environment=cache)
    assert done.returncode == 0, done.stderr
    done = fsplan("train", "tiles8", data, "-o", policy, "--epochs", 8, "--batch", 512, "--hidden", "64,32", "--quiet")
    assert done.returncode == 0, done.stderr
    accuracy = files.read(policy).accuracy
    assert 0.5 < accuracy["trace_action"] <= accuracy["test"] < 1
    done = fsplan("tiles8:random/7", "--focal", "disc2", "--w", "1.5", "--policy", policy)
    assert done.returncode == 0, done.stderr
    assert "proven ratio" in done.stderr or "optimal (proven)" in done.stderr


def test_a_data_set_of_another_board_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    data = tmp_path / "data.npz"
    assert (
        fsplan("dataset", "tiles8", "--traces", 3, "-o", data, environment={"FSPLAN_CACHE": str(tmp_path)}).returncode
        == 0
    )
    done = fsplan("train", "tiles15", data, "-o", tmp_path / "policy.safetensors")
    assert done.returncode != 0
    assert "9 cells" in done.stderr
