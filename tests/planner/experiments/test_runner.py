from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from fsplan.planner.experiments import runner
from fsplan.planner.experiments.jobs import Job
from fsplan.planner.experiments.records import Row, Run, Store, read

PREPARE = "experiment_executors:prepare"


def run(task: str, search: str = "solve", **rest: Any) -> Run:
    return Run(task=task, domain="test", search=search, **rest)


def results(path: Path, *jobs: Job) -> dict[str, Row]:
    with Store(path) as store:
        runner.run_all(jobs, store, workers=2)
    return {row["task"]: row for row in read(path)}


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 20
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not [pid for pid in pids if alive(pid)]


def test_every_run_gets_its_row(tmp_path: Path) -> None:
    rows = results(tmp_path / "r.jsonl", Job(PREPARE, (run("a"), run("b", w="1.5"))), Job(PREPARE, (run("c"),)))
    assert set(rows) == {"a", "b", "c"}
    assert rows["b"]["status"] == "solved"
    assert rows["b"]["suboptimality"] == 1.5
    assert rows["b"]["w"] == 1.5
    assert "fsplan" in rows["b"]["versions"]
    assert rows["b"]["machine"]


def test_errors_crashes_and_hangs_are_recorded_and_other_runs_continue(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(runner, "GRACE_SECONDS", 0.2)
    job = Job(
        PREPARE,
        (
            run("first"),
            run("wrong", "fail"),
            run("too hard", "unsupported"),
            run("crashes", "crash"),
            run("hangs", "hang", time_limit=0.5),
            run("last"),
        ),
    )
    rows = results(tmp_path / "r.jsonl", job)
    assert {name: row["status"] for name, row in rows.items()} == {
        "first": "solved",
        "wrong": "error",
        "too hard": "unsupported",
        "crashes": "crashed",
        "hangs": "timeout",
        "last": "solved",
    }
    assert rows["wrong"]["message"] == "ValueError: no such thing"
    assert "about to crash" in rows["crashes"]["message"]


def test_each_run_of_a_job_that_cannot_be_set_up_is_recorded_as_an_error(tmp_path: Path) -> None:
    rows = results(tmp_path / "r.jsonl", Job("experiment_executors:refuse", (run("a"), run("b"))))
    assert [row["message"] for row in rows.values()] == ["RuntimeError: cannot be set up"] * 2
    rows = results(tmp_path / "r2.jsonl", Job("experiment_executors:missing", (run("a"),)))
    assert rows["a"]["status"] == "error"


def test_memory_limit(tmp_path: Path) -> None:
    rows = results(tmp_path / "r.jsonl", Job(PREPARE, (run("eats", "eat", memory_limit=100 << 20, time_limit=60.0),)))
    assert rows["eats"]["status"] == "memout"


def test_processes_that_a_run_leaves_behind_are_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    pids.touch()
    rows = results(tmp_path / "r.jsonl", Job(PREPARE, (run("a", "orphan"),), {"pids": str(pids)}))
    assert rows["a"]["status"] == "solved"
    wait_until_gone([int(line) for line in pids.read_text().split()])


def test_child_processes_of_a_killed_run_are_killed(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(runner, "GRACE_SECONDS", 0.2)
    pids = tmp_path / "pids"
    pids.touch()
    hanging = run("a", "orphan", options={"seconds": 1000}, time_limit=1.0)
    rows = results(tmp_path / "r.jsonl", Job(PREPARE, (hanging,), {"pids": str(pids)}))
    assert rows["a"]["status"] == "timeout"
    wait_until_gone([int(line) for line in pids.read_text().split()])


def test_a_resumed_sweep_executes_only_missing_runs(tmp_path: Path) -> None:
    log = tmp_path / "log"
    path = tmp_path / "r.jsonl"
    shared = {"log": str(log)}
    results(path, Job(PREPARE, (run("a"), run("b")), shared))
    rows = results(path, Job(PREPARE, (run("a"), run("b"), run("c")), shared))
    assert set(rows) == {"a", "b", "c"}
    assert [line.split()[0] for line in log.read_text().splitlines()] == ["a", "b", "c"]


_SWEEP = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs that a shell runs in the background ignore it
from fsplan.planner.experiments import runner
from fsplan.planner.experiments.jobs import Job
from fsplan.planner.experiments.records import Run, Store
path, log, pids = sys.argv[1:]
runs = [Run(task="quick", domain="test", search="solve")]
runs.append(Run(task="slow", domain="test", search="orphan", options={"seconds": 1000}))
with Store(path) as store:
    runner.run_all([Job("experiment_executors:prepare", tuple(runs), {"log": log, "pids": pids})], store, workers=2)
"""


def start_sweep(tmp_path: Path) -> tuple[subprocess.Popen[bytes], list[int]]:
    """Starts a sweep in a new process and waits until its slow run works; returns it and the ids of its processes."""
    log, pids = tmp_path / "log", tmp_path / "pids"
    log.touch()
    pids.touch()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    sweep = subprocess.Popen(
        [sys.executable, "-c", _SWEEP, str(tmp_path / "r.jsonl"), str(log), str(pids)],
        env=environment,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while not pids.read_text().endswith("\n"):
        assert time.monotonic() < deadline
        assert sweep.poll() is None
        time.sleep(0.02)
    jobs = [int(line.split()[1]) for line in log.read_text().splitlines()]
    return sweep, [*jobs, *(int(line) for line in pids.read_text().split())]


def test_an_interrupt_keeps_finished_runs_and_leaves_no_processes(tmp_path: Path) -> None:
    sweep, pids = start_sweep(tmp_path)
    sweep.send_signal(signal.SIGINT)
    _, errors = sweep.communicate(timeout=60)
    assert b"KeyboardInterrupt" in errors
    assert [row["task"] for row in read(tmp_path / "r.jsonl")] == ["quick"]
    wait_until_gone(pids)


def test_no_process_outlives_a_killed_sweep(tmp_path: Path) -> None:
    sweep, pids = start_sweep(tmp_path)
    sweep.kill()
    sweep.communicate(timeout=60)
    assert [row["task"] for row in read(tmp_path / "r.jsonl")] == ["quick"]
    wait_until_gone(pids)
