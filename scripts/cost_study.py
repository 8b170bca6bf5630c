"""Bounded searches with action costs and without: the same tasks twice, the second time without their metric.

    python scripts/cost_study.py -o results [--tasks 4] [--seconds 3] [--w 1.5]

Takes the first tasks of every domain of the benchmark folder (FSPLAN_BENCHMARKS) that has costs other than one, and
writes a copy of each problem without `(:metric …)`, in which every action costs one. Each search is limited in seconds
of the whole run; runs are kept in the folder, and the same command resumes. Printed are, for both kinds of cost: tasks
solved within the bound; the geometric mean of expansions relative to WA* over the tasks that the search and WA* solved
both with costs and without; and the mean proven ratio over the same tasks.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
from math import exp, log
from pathlib import Path
from statistics import fmean

import fsplan
from fsplan.planner.experiments.suites import TaskName, discover
from fsplan.planner.experiments.summary import solved

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = Path(os.environ.get("FSPLAN_BENCHMARKS", ROOT.parent / "shared" / "benchmarks"))
SEARCHES = ("wastar", "ees", "optimistic", "disc1", "disc2", "disc3", "score2", "score4")
METRIC = re.compile(r"\(\s*:metric[^()]*\([^()]*\)\s*\)", re.IGNORECASE)
KINDS = ("costs", "unit")

Rows = dict[tuple[str, str], dict[str, object]]  # by search and task


def has_costs(task: TaskName) -> bool:
    """Whether the first task of a domain has two actions of different cost."""
    if not METRIC.search(Path(task.files[1]).read_text()):
        return False
    costs = fsplan.load(*task.files).state_space.task.cost
    return len(set(costs)) > 1


def chosen_tasks(at_most: int) -> list[TaskName]:
    by_domain: dict[str, list[TaskName]] = {}
    for task in discover(BENCHMARKS):
        by_domain.setdefault(task.domain, []).append(task)
    return [task for tasks in by_domain.values() if has_costs(tasks[0]) for task in tasks[:at_most]]


def copied(task: TaskName, folder: Path, kind: str) -> list[str]:
    """The task's files in a folder of their own, where the problem has its metric only if costs count."""
    place = folder / kind / task.domain
    place.mkdir(parents=True, exist_ok=True)
    domain, problem = place / f"{Path(task.files[1]).stem}-domain.pddl", place / Path(task.files[1]).name
    shutil.copyfile(task.files[0], domain)
    text = Path(task.files[1]).read_text()
    problem.write_text(text if kind == "costs" else METRIC.sub("", text))
    return [str(domain), str(problem)]


def rows_of(tasks: list[TaskName], kind: str, asked: argparse.Namespace) -> Rows:
    words = [word for task in tasks for word in copied(task, asked.output / "tasks", kind)]
    found = fsplan.compare(
        words,
        SEARCHES,
        w=asked.w,
        heuristics=["lmcut"],
        time_limit=asked.seconds,
        workers=1,
        output=asked.output / kind,
    )
    return {(row["name"] or row["order"] or row["search"], row["task"]): row for row in found.rows}


def line(name: str, kind: str, rows: dict[str, Rows]) -> str:
    """One search under one kind of cost, against WA* on the tasks both solved under both kinds."""
    tasks = {task for _, task in rows[kind]}
    common = [
        task
        for task in sorted(tasks)
        if all(solved(rows[each].get((search, task), MISSING)) for each in KINDS for search in (name, "wastar"))
    ]
    mine, theirs = ([rows[kind][search, task] for task in common] for search in (name, "wastar"))
    count = sum(solved(row) for (search, _), row in rows[kind].items() if search == name)
    if not common:
        return f"{count} of {len(tasks)} | - | - | 0"
    relative = [log(max(a["expansions"], 1) / max(b["expansions"], 1)) for a, b in zip(mine, theirs, strict=True)]
    ratio = fmean(row["ratio"] for row in mine)
    return f"{count} of {len(tasks)} | {exp(fmean(relative)):.2f} | {ratio:.3f} | {len(common)}"


MISSING = {"status": "missing", "cost": None}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--tasks", type=int, default=4, help="of each domain")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--w", default="1.5")
    asked = parser.parse_args()
    tasks = chosen_tasks(asked.tasks)
    print(f"{len(tasks)} tasks of {len({task.domain for task in tasks})} domains: "
          f"{', '.join(dict.fromkeys(task.domain for task in tasks))}\n", flush=True)  # fmt: skip
    rows = {kind: rows_of(tasks, kind, asked) for kind in KINDS}
    print("| search | cost | solved | expansions / WA*'s | mean proven ratio | on tasks |\n|---|---|---|---|---|---|")
    for name in SEARCHES:
        for kind in KINDS:
            print(f"| `{name}` | {kind} | {line(name, kind, rows)} |")


if __name__ == "__main__":
    main()
