"""Fake runs for tests of `fsplan compare`: they sleep, crash, use up memory, or leave child processes behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fsplan.planner.experiments.records import Run


def prepare(shared: Mapping[str, Any]) -> Callable[[Run], Mapping[str, Any]]:
    def run_one(run: Run) -> Mapping[str, Any]:
        note(shared, run)
        return BEHAVIOURS[run.search](run, shared)

    return run_one


def note(shared: Mapping[str, Any], run: Run) -> None:
    if "log" in shared:
        with open(shared["log"], "a") as file:
            file.write(f"{run.task} {os.getpid()}\n")


def solve(run: Run, shared: Mapping[str, Any]) -> Mapping[str, Any]:
    time.sleep(float(run.options.get("seconds", 0)))
    return {"status": "solved", "cost": 3, "optimal_cost": 2, "lower_bound": 2}


def fail(run: Run, shared: Mapping[str, Any]) -> Mapping[str, Any]:
    raise ValueError("no such thing")


def unsupported(run: Run, shared: Mapping[str, Any]) -> Mapping[str, Any]:
    error = ValueError("no such feature")
    error.exit_code = 34  # type: ignore[attr-defined]
    raise error


def crash(run: Run, shared: Mapping[str, Any]) -> Mapping[str, Any]:
    print("about to crash", file=sys.stderr, flush=True)
    os.abort()


def hang(run: Run, shared: Mapping[str, Any]) -> Mapping[str, Any]:
    time.sleep(1000)
    return {}


def eat(run: Run, shared: Mapping[str, Any]) -> Mapping[str, Any]:
    eaten = []
    while True:
        eaten.append(b"x" * (8 << 20))
        time.sleep(0.005)


# A grandchild process that starts a new session, ignores signals and writes its process id to a file for the test.
_ORPHAN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open(sys.argv[1], "a") as file: file.write(f"{os.getpid()}\\n")
        time.sleep(1000)
    os._exit(0)
os.wait()
"""


def orphan(run: Run, shared: Mapping[str, Any]) -> Mapping[str, Any]:
    subprocess.run([sys.executable, "-c", _ORPHAN, shared["pids"]], check=True)
    while not Path(shared["pids"]).read_text().strip():
        time.sleep(0.01)
    time.sleep(float(run.options.get("seconds", 0)))
    return {"status": "solved", "cost": 1}


BEHAVIOURS: dict[str, Callable[[Run, Mapping[str, Any]], Mapping[str, Any]]] = {
    "solve": solve,
    "fail": fail,
    "unsupported": unsupported,
    "crash": crash,
    "hang": hang,
    "eat": eat,
    "orphan": orphan,
}


def refuse(shared: Mapping[str, Any]) -> Callable[[Run], Mapping[str, Any]]:
    raise RuntimeError("cannot be set up")
