"""Compares the wall time of fsplan's default search with one thread and with several (bench_search --threads)."""

from __future__ import annotations

from pathlib import Path
from statistics import geometric_mean
from typing import Any

from planner_runs import run_python

RUN = """
import sys, time
import fsplan
threads, seconds, domain, problem = eval(sys.argv[1])
task = fsplan.load(domain, problem)
started, used = time.perf_counter(), time.process_time()
result = fsplan.solve(task, time_limit=seconds, threads=threads)
print({"settled": result.certified or result.status == "unsolvable", "cost": result.cost, "bound": result.lower_bound,
       "seconds": time.perf_counter() - started, "cpu": time.process_time() - used})
"""
LEAST_SECONDS = 0.5  # with one thread; faster tasks are left out, because threads cannot help


def thread_speedups(tasks: dict[str, tuple[Path, Path]], threads: int, seconds: float) -> None:
    """Prints the speedups. Nothing else should run on the machine at the same time."""
    print(f"{'task':45} {'seconds':>8} {threads:>2} threads {'×':>6} {'CPU ×':>6}")
    ratios, settled = [], [0, 0]
    for name, (domain, problem) in tasks.items():
        runs: list[dict[str, Any]] = [
            run_python(RUN, (count, seconds, str(domain), str(problem))) for count in (1, threads)
        ]
        if runs[0].get("seconds", 0) < LEAST_SECONDS:
            continue
        for place, run in enumerate(runs):
            settled[place] += bool(run.get("settled"))
        one, several = runs
        if not (one.get("settled") and several.get("settled")):
            print(f"{name:45} settled: {one.get('settled')} and {several.get('settled')}", flush=True)
            continue
        ratios.append(one["seconds"] / several["seconds"])
        cpu = several["cpu"] / one["cpu"]
        print(
            f"{name:45} {one['seconds']:>8.2f} {several['seconds']:>10.2f} {ratios[-1]:>6.2f} {cpu:>6.2f}", flush=True
        )
    mean = geometric_mean(ratios) if ratios else float("nan")
    print(
        f"{len(ratios)} tasks: geometric mean {mean:.2f}×; settled {settled[0]} with one thread, {settled[1]} with more"
    )
