"""Compares bounded-suboptimal searches with action costs and with unit costs on the same tasks.

    python scripts/cost_study.py [--tasks 1] [--expansions 2000] [--w 1.5]

It uses the first tasks of every domain in the benchmark folder (FSPLAN_BENCHMARKS) with costs other than one. Each is
solved as it is, and without `(:metric …)`, so that every action costs one. Searches use LM-cut and an expansion limit,
so the table does not depend on the machine. Printed for both kinds of cost are the number of tasks solved with w
proven; the geometric mean of expansions relative to WA* over the tasks that the search and WA* solved with both kinds
of cost; and the mean proven ratio over the same tasks.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from math import exp, log
from pathlib import Path
from statistics import fmean

import fsplan
from fsplan.planner.experiments.suites import TaskName, discover

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = Path(os.environ.get("FSPLAN_BENCHMARKS", ROOT.parent / "shared" / "benchmarks"))
SEARCHES = ("wastar", "ees", "optimistic")
ORDERS = ("disc1", "disc2", "disc3", "score2", "score4")
METRIC = re.compile(r"\(\s*:metric[^()]*\([^()]*\)\s*\)", re.IGNORECASE)
KINDS = ("costs", "unit")

Results = dict[tuple[str, str, str], fsplan.Result]  # (kind of cost, search, task) -> result


def has_costs(task: TaskName) -> bool:
    """Whether the task has actions of different costs."""
    if not METRIC.search(Path(task.files[1]).read_text()):
        return False
    return len(set(fsplan.load(*task.files).state_space.task.cost)) > 1


def chosen_tasks(at_most: int) -> list[TaskName]:
    by_domain: dict[str, list[TaskName]] = {}
    for task in discover(BENCHMARKS):
        by_domain.setdefault(task.domain, []).append(task)
    return [task for tasks in by_domain.values() if has_costs(tasks[0]) for task in tasks[:at_most]]


def loaded(task: TaskName, kind: str) -> fsplan.Task:
    problem = Path(task.files[1]).read_text()
    return fsplan.load(Path(task.files[0]).read_text(), problem if kind == "costs" else METRIC.sub("", problem))


def run(task: fsplan.Task, name: str, w: str, expansions: int) -> fsplan.Result:
    chosen = {"search": "focal", "order": name, "policy": "ff"} if name in ORDERS else {"search": name}
    return fsplan.solve(
        task, **chosen, w=w, heuristic="lmcut", expansion_limit=expansions, memory_limit="2GB", time_limit=60
    )


def line(name: str, kind: str, results: Results) -> str:
    """Returns the line of a search for one kind of cost; the figures are relative to WA* on the common tasks."""
    tasks = sorted({task for _, _, task in results})
    solved = {key for key, result in results.items() if result.status == "solved"}
    common = [
        task for task in tasks if all((each, search, task) in solved for each in KINDS for search in (name, "wastar"))
    ]
    count = sum((kind, name, task) in solved for task in tasks)
    if not common:
        return f"{count} of {len(tasks)} | - | - | 0"
    relative = [
        log(max(results[kind, name, task].statistics["expanded"], 1))
        - log(max(results[kind, "wastar", task].statistics["expanded"], 1))
        for task in common
    ]
    ratio = fmean(results[kind, name, task].proven_ratio or 1 for task in common)
    return f"{count} of {len(tasks)} | {exp(fmean(relative)):.2f} | {ratio:.3f} | {len(common)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=1, help="of each domain")
    parser.add_argument("--expansions", type=int, default=2000)
    parser.add_argument("--w", default="1.5")
    asked = parser.parse_args()
    tasks = chosen_tasks(asked.tasks)
    print(f"{len(tasks)} tasks of {len({task.domain for task in tasks})} domains: "
          f"{', '.join(dict.fromkeys(task.domain for task in tasks))}\n", flush=True)  # fmt: skip
    results: Results = {}
    for task in tasks:
        for kind in KINDS:
            prepared = loaded(task, kind)
            for name in (*SEARCHES, *ORDERS):
                found = results[kind, name, task.name] = run(prepared, name, asked.w, asked.expansions)
                print(f"{task.name} {kind} {name}: {found}", file=sys.stderr, flush=True)
    print("| search | cost | solved | expansions / WA*'s | mean proven ratio | on tasks |\n|---|---|---|---|---|---|")
    for name in (*SEARCHES, *ORDERS):
        for kind in KINDS:
            print(f"| `{name}` | {kind} | {line(name, kind, results)} |")


if __name__ == "__main__":
    main()
