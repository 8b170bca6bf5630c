"""Compares fsplan's default search with LAMA in Fast Downward (bench_search --first-plans and --anytime).

First plans: the CPU seconds of whole processes. For fsplan this is `fsplan DOMAIN PROBLEM`, from the start of the
interpreter until its gap log has the first plan (which Ctrl-C would print then). For LAMA it is
`fast-downward.py --alias lama-first DOMAIN PROBLEM`: driver, translator and search. Anytime costs: the cost of the best
plan within the CPU limit; LAMA restarts with lower weights until then.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from planner_runs import (
    default_run,
    fast_downward,
    fast_downward_driver,
    first_plan_run,
    translate,
    with_bytecode,
)

LANDMARKS = "landmark_sum(lm_reasonable_orders_hps(lm_rhw()),pref=false)"
_WEIGHTED = ",".join(f"lazy_wastar([{{0}}],preferred=[{{0}}],w={w})" for w in (5, 3, 2, 1))
ANYTIME = [
    "--search",
    "--if-unit-cost",
    f"let(hlm, {LANDMARKS},let(hff, ff(),iterated([lazy_greedy([hff,hlm],preferred=[hff,hlm]),"
    f"{_WEIGHTED.format('hff,hlm')}],repeat_last=true)))",
    "--if-non-unit-cost",
    f"let(hlm1, eval_modify_costs({LANDMARKS},cost_type=one),let(hff1, eval_modify_costs(ff(),cost_type=one),"
    f"let(hlm2, eval_modify_costs({LANDMARKS},cost_type=plusone),let(hff2, eval_modify_costs(ff(),cost_type=plusone),"
    "iterated([lazy_greedy([hff1,hlm1],preferred=[hff1,hlm1],cost_type=one,reopen_closed=false),"
    "lazy_greedy([hff2,hlm2],preferred=[hff2,hlm2],reopen_closed=false),"
    f"{_WEIGHTED.format('hff2,hlm2')}],repeat_last=true)))))",
]


def lama_first_run(domain: Path, problem: Path, seconds: float) -> dict[str, Any]:
    """Runs lama-first by Fast Downward's driver; `seconds` is its limit in wall time."""
    before = _cpu_of_children()
    with tempfile.TemporaryDirectory() as folder:
        files = ["--sas-file", f"{folder}/output.sas", "--plan-file", f"{folder}/plan"]
        limit = ["--overall-time-limit", f"{round(seconds)}s"]
        driver = [sys.executable, str(fast_downward_driver()), *files, *limit, "--alias", "lama-first"]
        answer = subprocess.run(
            [*driver, str(domain), str(problem)], capture_output=True, text=True, env=with_bytecode(), cwd=folder
        )
    return _lama_answer(answer.stdout, before)


def lama_run(domain: Path, problem: Path, seconds: float) -> dict[str, Any]:
    """Runs LAMA with restarts; `seconds` is its limit in CPU time, including the translation."""
    before = _cpu_of_children()
    with tempfile.TemporaryDirectory() as folder:
        sas = Path(folder) / "output.sas"
        if not translate(domain, problem, sas):
            return {"cost": None}
        left = max(1, round(seconds - (_cpu_of_children() - before)))
        command = ["prlimit", f"--cpu={left}", str(fast_downward()), "--internal-plan-file", f"{sas}.plan", *ANYTIME]
        with sas.open() as file:
            answer = subprocess.run(command, stdin=file, capture_output=True, text=True)
    return _lama_answer(answer.stdout, before)


def _lama_answer(output: str, before: float) -> dict[str, Any]:
    costs = [int(cost) for cost in re.findall(r"Plan cost: (\d+)", output)]
    return {"cost": min(costs, default=None), "seconds": _cpu_of_children() - before}


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def first_plans(tasks: dict[str, tuple[Path, Path]], seconds: float) -> None:
    print(f"{'first plan':50} {'fsplan s':>9} {'LAMA s':>9} {'×':>7} {'cost':>8} {'LAMA':>8}")
    ratios = []
    missed = [0, 0]
    for domain, problem in list(tasks.values())[:1]:
        first_plan_run(domain, problem, seconds)  # a first run, which compiles the bytecode
    for name, (domain, problem) in tasks.items():
        ours = first_plan_run(domain, problem, seconds)
        theirs = lama_first_run(domain, problem, seconds)
        missed[0] += ours["cost"] is None and theirs["cost"] is not None
        missed[1] += theirs["cost"] is None and ours["cost"] is not None
        if ours["cost"] is None or theirs["cost"] is None:
            found = ["-" if run["cost"] is None else "found" for run in (ours, theirs)]
            print(f"{name:50} {found[0]:>9} {found[1]:>9}", flush=True)
            continue
        ratios.append(theirs["seconds"] / ours["seconds"])
        print(f"{name:50} {ours['seconds']:>9.3f} {theirs['seconds']:>9.3f} {ratios[-1]:>7.2f} {ours['cost']:>8} "
              f"{theirs['cost']:>8}", flush=True)  # fmt: skip
    faster = sum(ratio > 1 for ratio in ratios)
    mean = geometric_mean(ratios) if ratios else float("nan")
    print(f"both found a plan: {len(ratios)}, fsplan faster on {faster}, geometric mean {mean:.2f}×; "
          f"only LAMA: {missed[0]}, only fsplan: {missed[1]}")  # fmt: skip


def anytime_costs(tasks: dict[str, tuple[Path, Path]], seconds: float) -> None:
    print(f"{f'cost after {seconds:g} s':50} {'fsplan':>9} {'LAMA':>9} {'bound':>9} {'plan by':>12}")
    not_worse = compared = 0
    for name, (domain, problem) in tasks.items():
        ours = default_run(domain, problem, seconds, {"anytime": True})
        theirs = lama_run(domain, problem, seconds)
        if ours.get("cost") is not None or theirs["cost"] is not None:
            compared += 1
            not_worse += (ours.get("cost") or sys.maxsize) <= (theirs["cost"] or sys.maxsize)
        print(f"{name:50} {ours.get('cost') or '-':>9} {theirs['cost'] or '-':>9} {ours.get('lower_bound') or '-':>9} "
              f"{ours.get('plan_by') or '-':>12}", flush=True)  # fmt: skip
    print(f"fsplan is not worse on {not_worse} of {compared}")
