"""The commands `fsplan compare`, `report` and `reproduce`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

from support import fsplan

from fsplan.planner.experiments.records import Run, Store, row_of


def results(folder: Path) -> Path:
    with Store(folder / "results.jsonl") as store:
        store.append(row_of(Run(task="t", domain="d", search="astar"), {"status": "solved", "cost": 3}))
    return folder


def test_report(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = fsplan("report", results(tmp_path / "a"), results(tmp_path / "b"), "-o", page, "--title", "Mine")
    assert done.returncode == 0, done.stderr
    assert "<title>Mine</title>" in page.read_text()
    assert fsplan("report", tmp_path / "nothing", "-o", page).returncode == 36
    assert "one result set, or two" in fsplan("report", "a", "b", "c").stderr


def test_reproduce_what() -> None:
    done = fsplan("reproduce", "everything")
    assert done.returncode == 36
    assert "choose small or tiles15" in done.stderr


def test_mistakes_in_a_comparison_are_reported(tmp_path: Path) -> None:
    for words, message in (
        (["missing.pddl"], "no such file or folder"),
        (["tiles8:random/1", "--w", "0.5"], "at least 1"),
        (["tiles8:random/1", "--w", ","], "empty list"),
        (["tiles8:random/1", "--seeds", "x"], "whole number"),
        (["tiles8:random/1", "--workers", "0"], "at least one"),
        ([tmp_path / "s.toml", "tiles8:random/1"], "stands alone"),
        ([tmp_path / "s.toml"], "No such file"),
        (["tiles8:random/1", "--csv", tmp_path / "nowhere" / "rows.csv"], "there is no folder"),
    ):
        done = fsplan("compare", *words)
        assert done.returncode == 36, done.stderr
        assert message in done.stderr


def test_a_comparison_prints_and_writes(tmp_path: Path, benchmarks: Path) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(
        f'searches = ["disc2", "astar"]\nheuristics = ["lmcut"]\n'
        f'[[tasks]]\ncollection = "{benchmarks}"\ndomains = ["gripper", "blocks"]\nat_most = 1\n'
    )
    done = fsplan("compare", suite, "-o", tmp_path / "out", "--json", tmp_path / "rows.json", "-q")
    assert done.returncode == 0, done.stderr
    assert "wins by cost" in done.stdout
    rows = json.loads((tmp_path / "rows.json").read_text())["runs"]
    assert len(rows) == 4
    assert all(row["status"] == "solved" and row["valid"] and row["proven_ratio"] <= row["w"] for row in rows)
    assert (tmp_path / "out" / "results.csv").exists()


def test_an_interrupted_comparison_prints_the_finished_runs(tmp_path: Path) -> None:
    words = ["-m", "fsplan", "compare", "tiles8:random/1", "tiles15:korf/60", "--searches", "wastar,astar"]
    files = tmp_path / "out"
    started = subprocess.Popen(
        [sys.executable, *words, "--workers", "1", "-o", files],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (files / "results.jsonl").exists() or (files / "results.jsonl").read_bytes().count(b"\n") < 3:
        assert started.poll() is None
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    output, errors = started.communicate()
    assert started.returncode == 130
    assert "interrupted after 3 of 4 runs" in errors
    assert output.startswith("task")
    assert (files / "results.csv").exists()
