"""One run of fsplan or of Fast Downward in a process of its own."""

from __future__ import annotations

import re
import sys
import tempfile
from ast import literal_eval
from pathlib import Path
from typing import Any

from benches.base import Ended, python, run
from fsplan.planner.experiments.fast_downward import required_driver
from fsplan.planner.experiments.suites import TaskName

Figures = dict[str, Any]

# The limit is CPU time of the whole process, which does not depend on the machine's load. The progress callback ends a
# search; a timer raises SIGINT, like Ctrl-C, which ends the parts of `auto` without progress callbacks. `search` is the
# CPU time of the search without imports at the first call. With `first` the process ends with the first plan.
FSPLAN = """
import os, signal, sys, time
import fsplan
files, seconds, first, options = eval(sys.argv[1])
peak = lambda: next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))
signal.signal(signal.SIGINT, lambda *_: None)
signal.signal(signal.SIGPROF, lambda *_: signal.raise_signal(signal.SIGINT))
signal.setitimer(signal.ITIMER_PROF, seconds)
plans = []
def note(plan, cost, bound):
    plans.append((time.process_time(), cost))
    if first:
        print({"status": "solved", "cost": cost, "seconds": time.process_time()}, flush=True)
        os._exit(0)
task = fsplan.load(*files)
loaded, before, wall = time.process_time(), peak(), time.perf_counter()
result = fsplan.solve(task, **{"time_limit": 20 * seconds, "on_incumbent": note,
                                 "on_progress": lambda _: time.process_time() < seconds, **options})
signal.setitimer(signal.ITIMER_PROF, 0)  # at exit Python removes its handlers, and the signal would kill the process
used, wall, counts = time.process_time(), time.perf_counter() - wall, result.statistics
late = used > seconds + 0.2 and result.status == "solved"
print({"status": "timeout" if late or result.status == "interrupted" else result.status, "cost": result.cost,
       "bound": result.lower_bound, "ratio": result.proven_ratio, "settled": result.certified, "wall": wall,
       "search": min(used - loaded, counts["search_seconds"]), "loaded": loaded, "seconds": used, "plans": plans,
       "plan_by": counts.get("plan_by"), "bound_by": counts.get("bound_by"), "expanded": counts["expanded"],
       "evaluated": counts["evaluated"], "registered": counts["registered"], "before": before, "memory": peak()})
"""


def fsplan_run(task: TaskName, seconds: float, *, first: bool = False, **options: Any) -> Figures:
    """Runs `fsplan.solve` for at most these CPU seconds; without options it is the default search."""
    ended = python("-c", FSPLAN, repr((task.files, seconds, first, options)), most_seconds=40 * seconds + 60)
    if ended.code != 0:
        return {"status": "error", "message": ended.message, "cost": None}
    figures: Figures = literal_eval(ended.output.splitlines()[-1])
    return figures


def downward_folder() -> Path:
    return required_driver().parent


def translate(files: tuple[str, ...], sas: Path, most_seconds: float = 300.0) -> Ended:
    """Runs Fast Downward's translator."""
    path = str(downward_folder() / "builds" / "release" / "bin")
    words = ["-m", "fast_downward.translate", *files, "--sas-file", sas]
    return python(*words, most_seconds=most_seconds, environment={"PYTHONPATH": path}, folder=sas.parent)


def downward_run(task: TaskName, search: str | list[str], seconds: float) -> Figures:
    """Translates and searches. A search (text) has `{seconds}` as its limit; other arguments (list) get a CPU limit."""
    with tempfile.TemporaryDirectory() as folder:
        sas = Path(folder) / "output.sas"
        translated = translate(task.files, sas)
        if translated.code != 0:
            return {"status": "error", "message": translated.message, "cost": None}
        program = downward_folder() / "builds" / "release" / "bin" / "downward"
        words, limit = search, max(1.0, seconds - translated.cpu)
        if isinstance(search, str):
            # Fast Downward checks its time limit only between evaluations, and one evaluation may take minutes.
            words, limit = ["--search", search.format(seconds=seconds)], seconds + 30
        command = ["prlimit", f"--cpu={round(limit)}", program, "--internal-plan-file", f"{sas}.plan", *words]
        ended = run(command, 3 * seconds + 60, stdin=sas)
    return downward_figures(ended, translated)


def downward_figures(ended: Ended, translated: Ended) -> Figures:
    def number(pattern: str) -> float:
        found = re.findall(pattern, ended.output)
        return float(found[-1]) if found else 0.0

    # Fast Downward reports virtual memory, so only the increase by the search is meaningful.
    increase = number(r"Peak memory: (\d+) KB") - number(r", (\d+) KB\] Conducting")
    costs = [int(cost) for cost in re.findall(r"Plan cost: (\d+)", ended.output)]
    return {
        "status": {0: "solved", 23: "timeout"}.get(ended.code, "unsolved"),
        "cost": min(costs, default=None),
        "expanded": int(number(r"Expanded (\d+) state")),
        "evaluated": int(number(r"Evaluated (\d+) state")),
        "registered": int(number(r"registered states: (\d+)")),
        "search": number(r"Search time: ([\d.e-]+)s"),
        "seconds": ended.cpu + translated.cpu,
        "before": ended.memory - increase / 1024,
        "memory": ended.memory,
        "translator": translated.memory,
    }


def lama_first_run(task: TaskName, seconds: float) -> Figures:
    """Runs `fast-downward.py --alias lama-first`: driver, translator and search."""
    with tempfile.TemporaryDirectory() as folder:
        files = ["--sas-file", f"{folder}/output.sas", "--plan-file", f"{folder}/plan"]
        limit = ["--overall-time-limit", f"{round(seconds)}s", "--alias", "lama-first"]
        ended = run(
            [sys.executable, downward_folder() / "fast-downward.py", *files, *limit, *task.files], folder=folder
        )
    costs = [int(cost) for cost in re.findall(r"Plan cost: (\d+)", ended.output)]
    return {"cost": min(costs, default=None), "seconds": ended.cpu}
