"""Runs one search of fsplan, Fast Downward or pymimir in its own process; returns expansions, time and memory.

Memory is the peak of resident memory (VmHWM). The process reads it itself. Fast Downward does not, so the small program
`time` measures it: a child's ru_maxrss starts with its parent's memory, so the parent must be small. fsplan's process
also reads and grounds the task; Fast Downward's translator is another process, whose peak is recorded separately.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from ast import literal_eval
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Search = tuple[str, dict[str, Any]]

PEAK = """
def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))
"""
# Program of a run of fsplan. It imports nothing else, so that only fsplan's memory is measured.
FSPLAN = (
    PEAK
    + """
import sys, time
import fsplan
search, options, domain, problem = eval(sys.argv[1])
task = fsplan.load(domain, problem)
before = peak()
started = time.process_time()
result = fsplan.solve(task, search, **options)
counts = result.statistics
# CPU time of the search without imports at the first call
used = min(time.process_time() - started, counts["search_seconds"])
print({"status": result.status, "cost": result.cost, "lower_bound": result.lower_bound, "ratio": result.proven_ratio,
       "expanded": counts["expanded"], "evaluated": counts["evaluated"], "registered": counts["registered"],
       "seconds": used, "before_search": before, "memory": peak()})
"""
)
# `fsplan DOMAIN PROBLEM` without options. The limit is CPU time of the whole process, which does not depend on the
# machine's load. A timer raises SIGINT, like Ctrl-C, which also ends the parts of `auto` without progress callbacks.
DEFAULT = """
import signal, sys, time
import fsplan
options, seconds, domain, problem = eval(sys.argv[1])
signal.signal(signal.SIGINT, lambda *_: None)
signal.signal(signal.SIGPROF, lambda *_: signal.raise_signal(signal.SIGINT))
signal.setitimer(signal.ITIMER_PROF, seconds)
plans = []
task = fsplan.load(domain, problem)
loaded = time.process_time()
result = fsplan.solve(task, time_limit=20 * seconds, on_progress=lambda _: time.process_time() < seconds,
                      on_incumbent=lambda plan, cost, bound: plans.append((time.process_time(), cost)), **options)
signal.setitimer(signal.ITIMER_PROF, 0)  # at exit Python removes its handlers, and the signal would kill the process
used, counts = time.process_time(), result.statistics
status = result.status if result.status != "interrupted" else "timeout"
if status == "solved" and used > seconds + 0.2:
    status = "timeout"
print({"status": status, "cost": result.cost, "lower_bound": result.lower_bound, "ratio": result.proven_ratio,
       "expanded": counts["expanded"], "evaluated": counts["evaluated"], "loaded": loaded, "seconds": used,
       "plans": plans, "plan_by": counts.get("plan_by"), "bound_by": counts.get("bound_by"),
       "work": counts.get("work")})
"""
# `fsplan DOMAIN PROBLEM` up to its first plan.
FIRST_PLAN = """
import os, sys, time
from fsplan.planner.cli import run
from fsplan.planner.search.gap import GapLog

def note(log, cost, *rest):
    if cost is not None:
        print({"cost": cost, "seconds": time.process_time()}, flush=True)
        os._exit(0)

GapLog.note = note
run(eval(sys.argv[1]))
print({"cost": None})
"""
TRANSLATE = (
    PEAK
    + """
import atexit, runpy
atexit.register(lambda: print("peak", peak()))
runpy.run_module("fast_downward.translate", run_name="__main__", alter_sys=True)
"""
)
# pymimir's native event handler counts expansions; a handler in Python would be slower than the search.
PYMIMIR = (
    PEAK
    + """
import sys, time
import pymimir
from pymimir.advanced import search
domain, problem, seconds = eval(sys.argv[1])
task = pymimir.Problem(pymimir.Domain(domain), problem, mode="grounded")
heuristic = pymimir.MaxHeuristic(task)
options = search.AStarEagerOptions()
options.max_time_in_ms = int(seconds * 1000)
options.event_handler = search.DefaultAStarEagerEventHandler(task._advanced_problem, True)
started = time.process_time()
result = search.find_solution_astar_eager(task._search_context, heuristic._advanced_heuristic, options)
used = time.process_time() - started
counts = options.event_handler.get_statistics()
print()
print({"status": result.status.name.lower(), "cost": result.plan.get_cost() if result.plan else None,
       "expanded": counts.get_num_expanded(), "seconds": used, "memory": peak()})
"""
)


def with_bytecode() -> dict[str, str]:
    """Returns an environment in which Python stores compiled bytecode, as for an installed planner."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run_python(program: str, request: object, *limits: str) -> dict[str, Any]:
    """Runs a program and returns the figures that it prints last, or its error; `limits` are options of prlimit."""
    prefix = ["prlimit", *limits] if limits else []
    command = [*prefix, sys.executable, "-c", program, repr(request)]
    answer = subprocess.run(command, capture_output=True, text=True, cwd="/", env=with_bytecode())
    if answer.returncode != 0:
        found = re.search(r"^\w*(Error|Exception): .*", answer.stderr, re.MULTILINE)
        return {"status": "error", "message": found[0] if found else f"exit code {answer.returncode}"}
    figures: dict[str, Any] = literal_eval(answer.stdout.splitlines()[-1])
    return figures


def fsplan_run(
    search: Search, domain: Path, problem: Path, seconds: float, expansions: int | None = None
) -> dict[str, Any]:
    name, options = search
    limits = {"time_limit": seconds, "expansion_limit": expansions}
    return run_python(FSPLAN, (name, {**options, **limits}, str(domain), str(problem)))


def default_run(domain: Path, problem: Path, seconds: float, options: dict[str, Any] | None = None) -> dict[str, Any]:
    return run_python(DEFAULT, (options or {}, seconds, str(domain), str(problem)))


def first_plan_run(domain: Path, problem: Path, seconds: float) -> dict[str, Any]:
    found = run_python(FIRST_PLAN, [str(domain), str(problem)], f"--cpu={round(seconds)}")
    return found if "cost" in found else {"cost": None}


def pymimir_run(domain: Path, problem: Path, seconds: float) -> dict[str, Any]:
    return run_python(PYMIMIR, (str(domain), str(problem), seconds))


def fast_downward_driver() -> Path:
    package = find_spec("up_fast_downward")
    if package is None or package.origin is None:
        raise SystemExit("bench_search: Fast Downward is missing; pip install up-fast-downward")
    return Path(package.origin).parent / "downward" / "fast-downward.py"


def fast_downward() -> Path:
    return fast_downward_driver().parent / "builds" / "release" / "bin" / "downward"


def translate(domain: Path, problem: Path, sas: Path) -> int:
    """Runs Fast Downward's translator; returns its peak memory, or 0 if it fails."""
    command = [sys.executable, "-c", TRANSLATE, str(domain), str(problem), "--sas-file", str(sas)]
    answer = subprocess.run(command, capture_output=True, text=True, cwd="/", env=with_bytecode())
    found = re.search(r"^peak (\d+)", answer.stdout, re.MULTILINE)
    return int(found[1]) if answer.returncode == 0 and found else 0


def fast_downward_run(search: str, sas: Path, seconds: float) -> dict[str, Any]:
    command = [str(fast_downward()), "--internal-plan-file", f"{sas}.plan", "--search", search.format(seconds=seconds)]
    # Fast Downward checks its time limit only between evaluations, and one evaluation may take minutes.
    watched = ["timeout", str(3 * seconds + 30), "/usr/bin/time", "-f", "resident %M", *command]
    with sas.open() as file:
        answer = subprocess.run(watched, stdin=file, capture_output=True, text=True)

    def find(pattern: str, text: str = answer.stdout) -> float | None:
        found = re.search(pattern, text)
        return float(found[1]) if found else None

    expanded, used = find(r"Expanded (\d+) state"), find(r"Search time: ([\d.e-]+)s")
    if expanded is None or used is None:
        return {"status": "error"}
    # Fast Downward reports virtual memory, so only the difference is meaningful.
    at_start, at_end = find(r", (\d+) KB\] Conducting"), find(r"Peak memory: (\d+) KB")
    memory = int((find(r"resident (\d+)", answer.stderr) or 0) * 1024)
    return {
        "status": "solved" if answer.returncode == 0 else "timeout" if answer.returncode == 23 else "unsolved",
        "cost": find(r"Plan cost: (\d+)"),
        "expanded": int(expanded),
        "evaluated": int(find(r"Evaluated (\d+) state") or 0),
        "registered": int(find(r"registered states: (\d+)") or 0),
        "seconds": used,
        "before_search": memory - int(((at_end or 0) - (at_start or 0)) * 1024),
        "memory": memory,
    }
