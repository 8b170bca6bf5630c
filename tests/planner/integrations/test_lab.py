"""Downward Lab runs fsplan beside Fast Downward, and scripts with the interface of the IPC's learning track work."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, fsplan

EXAMPLES = ROOT / "docs" / "examples"
COURIER = (EXAMPLES / "domain.pddl", EXAMPLES / "problem.pddl")


def experiment(folder: Path, **variables: str) -> dict[str, Any]:
    """Runs the example experiment, and returns the properties of its runs."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    command = [sys.executable, EXAMPLES / "lab" / "experiment.py", "--all"]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**environment, **variables, "DATA": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (folder / "fsplan-eval" / "report.html").is_file()
    read: dict[str, Any] = json.loads((folder / "fsplan-eval" / "properties").read_text())
    return read


@pytest.mark.long
def test_lab_runs_fsplan_beside_fast_downward(tmp_path: Path) -> None:
    pytest.importorskip("lab")
    pytest.importorskip("up_fast_downward")
    runs = experiment(tmp_path)
    assert len(runs) == 6
    for run in runs.values():
        assert run["coverage"] == 1
        assert run["error"] == "success"
        assert "unexplained_errors" not in run
        assert {"cost", "plan_length", "expansions", "generated", "total_time", "planner_time", "memory"} <= run.keys()
    for task in ("1-courier", "3-robot"):
        ours, theirs = runs[f"fsplan-1-{task}-problem.pddl"], runs[f"fd-lmcut-{task}-problem.pddl"]
        assert ours["cost"] == ours["lower_bound"] == theirs["cost"]
        assert runs[f"fsplan-1.5-{task}-problem.pddl"]["proven_ratio"] <= 1.5


@pytest.mark.long
def test_lab_records_unsolvable_tasks_and_invalid_pddl(tmp_path: Path) -> None:
    pytest.importorskip("lab")
    pytest.importorskip("up_fast_downward")
    runs = experiment(tmp_path, SUITE="4-no-plan,5-mistakes")
    for w in ("1", "1.5"):
        unsolvable, wrong = (runs[f"fsplan-{w}-{task}-problem.pddl"] for task in ("4-no-plan", "5-mistakes"))
        assert (unsolvable["unsolvable"], unsolvable["coverage"]) == (1, 0)
        assert "unexplained_errors" not in unsolvable
        assert (wrong["unsolvable"], wrong["coverage"]) == (0, 0)
        assert wrong["error"] == "translate-input-error"
        assert wrong["unexplained_errors"]


@pytest.mark.training
def test_scripts_of_the_learning_track(tmp_path: Path) -> None:
    tool = tmp_path / "fsplan"
    tool.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m fsplan "$@"\n')
    tool.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "LEARN_TIME": "10s", "PLAN_TIME": "30s"}

    def call(script: str, *words: object) -> None:
        command = [EXAMPLES / "ipc-learning" / script, *words]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    knowledge, plan = tmp_path / "DK", tmp_path / "plan"
    call("learn", knowledge, COURIER[0], *sorted((EXAMPLES / "small").glob("*.pddl")))
    call("plan", knowledge, *COURIER, plan)
    assert "cost 30" in fsplan("validate", *COURIER, plan).stdout
