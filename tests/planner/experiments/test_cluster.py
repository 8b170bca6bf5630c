"""Runs on a real local Dask cluster whose worker processes are killed while they work."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fsplan.planner.experiments import cluster
from fsplan.planner.experiments.compare import carry_out
from fsplan.planner.experiments.jobs import Job
from fsplan.planner.experiments.records import Run, Store, read

distributed = pytest.importorskip("distributed", reason="a cluster needs fsplan[cluster]")
PREPARE = "experiment_executors:prepare"


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    """A cluster of two workers. Dask is configured not to retry a job whose worker dies, so fsplan must resubmit it."""
    import dask

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as started,
    ):
        yield started


def jobs(count: int, seconds: float, log: Path) -> list[Job]:
    runs = [
        Run(task=f"t{number}", domain="test", search="solve", options={"seconds": seconds}) for number in range(count)
    ]
    return [Job(PREPARE, tuple(runs[start : start + 2]), {"log": str(log)}) for start in range(0, count, 2)]


def started(log: Path) -> list[tuple[str, int]]:
    """The task and the process id of every run that has started, as they stand in the log."""
    lines = log.read_text().splitlines() if log.exists() else []
    return [(line.split()[0], int(line.split()[1])) for line in lines]


def kill_workers(local: Any, log: Path, times: int, stop: threading.Event) -> None:
    """Kills `times` workers one after the other, each after a new run has begun."""
    for number in range(times):
        before = len(started(log))
        while len(started(log)) == before and not stop.is_set():
            time.sleep(0.02)
        pid = list(local.workers.values())[number % 2].pid
        if pid is not None:
            os.kill(pid, signal.SIGKILL)


@pytest.mark.long
def test_killed_workers_lose_no_run_and_repeat_none(local: Any, tmp_path: Path) -> None:
    log, path, stop = tmp_path / "log", tmp_path / "r.jsonl", threading.Event()
    killer = threading.Thread(target=kill_workers, args=(local, log, 4, stop))
    killer.start()
    try:
        with Store(path) as store:
            cluster.run_on_cluster(jobs(16, 0.3, log), store, local.scheduler_address)
    finally:
        stop.set()
        killer.join()
    lines = path.read_text().splitlines()
    rows = read(path)
    assert len(lines) == len(rows) == 16
    assert Counter(row["task"] for row in rows) == Counter(f"t{number}" for number in range(16))
    assert all(row["status"] == "solved" for row in rows)
    assert len(started(log)) > 16, "no worker was killed at work: the test shows nothing"


def test_the_command_compare_runs_on_the_cluster(local: Any, tmp_path: Path) -> None:
    done = carry_out(jobs(4, 0, tmp_path / "log"), tmp_path / "r.jsonl", scheduler=local.scheduler_address, quiet=True)
    assert [row["task"] for row in done] == ["t0", "t1", "t2", "t3"]


def test_a_comparison_on_the_cluster_resumes(local: Any, tmp_path: Path) -> None:
    log, path = tmp_path / "log", tmp_path / "r.jsonl"
    with Store(path) as store:
        cluster.run_on_cluster(jobs(2, 0, log), store, local.scheduler_address)
        cluster.run_on_cluster(jobs(4, 0, log), store, local.scheduler_address)
    assert sorted(task for task, _ in started(log)) == ["t0", "t1", "t2", "t3"]


def test_stopping_ends_the_jobs_on_the_workers(local: Any, tmp_path: Path) -> None:
    log = tmp_path / "log"

    class Interrupted(Store):
        def append(self, *rows: Any) -> int:
            raise KeyboardInterrupt

    begun = [*jobs(2, 0, log), Job(PREPARE, (Run("slow", "test", "hang"),), {"log": str(log)})]
    with Interrupted(tmp_path / "r.jsonl") as store, pytest.raises(KeyboardInterrupt):
        cluster.run_on_cluster(begun, store, local.scheduler_address)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and any(os.path.exists(f"/proc/{pid}") for _, pid in started(log)):
        time.sleep(0.05)
    assert not [pid for _, pid in started(log) if os.path.exists(f"/proc/{pid}")]


def test_an_unreachable_scheduler_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsplan.planner.base.cluster._CONNECT_SECONDS", 1)
    with Store(tmp_path / "r.jsonl") as store, pytest.raises(cluster.ClusterError, match="no Dask scheduler answers"):
        cluster.run_on_cluster([], store, "tcp://127.0.0.1:9")
