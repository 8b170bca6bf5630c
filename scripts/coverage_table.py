"""Measures how many of the shared tasks each search solves within a limit, and its ratios (bench_search --coverage).

A run is one search on one task. All runs together take hours, so each result is written to a record file at once, and
a recorded run is not repeated if it solved the task within the limit or had at least the same limit.

`auto` is `fsplan DOMAIN PROBLEM` without options. `focal:HEURISTIC:W` is focal search with that heuristic and weight;
other searches, such as `auto:auto:1.1`, are named in the same way. The limit of these is CPU seconds of the whole
process; that of the other searches is seconds of search.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from planner_runs import Search, default_run, fast_downward_run, fsplan_run, translate

Run = dict[str, Any]
Record = dict[str, dict[str, Run]]  # task -> search -> run

SEARCHES: dict[str, Search] = {
    "focal paper": ("focal", {"paper": True, "order": "disc2", "policy": "ff", "heuristic": "lmcut", "w": "1.5"}),
    "focal": ("focal", {"order": "disc2", "policy": "ff", "heuristic": "lmcut", "w": "1.5"}),
    "wastar": ("wastar", {"heuristic": "lmcut", "w": "1.5"}),
    "optimistic": ("optimistic", {"policy": "ff", "heuristic": "lmcut", "w": "1.5"}),
}
# Fast Downward's weights are integers: 2g + 3h means w = 1.5.
FAST_DOWNWARD = "eager(single(sum([weight(g(), 2), weight(lmcut(), 3)])), reopen_closed=true, max_time={seconds})"
THEIRS = "fast downward"
AUTO = "auto"


def coverage(
    tasks: dict[str, tuple[Path, Path]], searches: list[str], seconds: float, jobs: int, file: Path | None
) -> None:
    """Runs the searches and prints the table. `tasks` maps names to domain and problem, `file` is the record."""
    record: Record = json.loads(file.read_text()) if file and file.exists() else {}
    units = [(task, name) for task in tasks for name in searches]
    missing = [(task, name) for task, name in units if not settled(record.get(task, {}).get(name), seconds)]
    with ThreadPoolExecutor(jobs) as pool:
        runs = {pool.submit(run, name, *tasks[task], seconds): (task, name) for task, name in missing}
        for number, future in enumerate(as_completed(runs), 1):
            task, name = runs[future]
            record.setdefault(task, {})[name] = found = {**future.result(), "limit": seconds}
            if file:
                write(record, file)
            print(f"{number} of {len(missing)}: {task}, {name}: {cell(found)}", file=sys.stderr, flush=True)
    print_table({task: record[task] for task in tasks}, searches)
    if AUTO in searches:
        print_parts({task: record[task][AUTO] for task in tasks})


def settled(earlier: Run | None, seconds: float) -> bool:
    if earlier is None:
        return False
    if earlier["status"] == "solved":
        return bool(earlier["seconds"] <= seconds)
    return bool(earlier.get("limit", 0) >= seconds)


def run(name: str, domain: Path, problem: Path, seconds: float) -> Run:
    if name == AUTO:
        return default_run(domain, problem, seconds)
    if ":" in name:
        return default_run(domain, problem, seconds, with_options(name))
    if name != THEIRS:
        return fsplan_run(SEARCHES[name], domain, problem, seconds)
    with tempfile.TemporaryDirectory() as folder:
        sas = Path(folder) / "output.sas"
        if not translate(domain, problem, sas):
            return {"status": "error"}
        return fast_downward_run(FAST_DOWNWARD, sas, seconds)


def with_options(name: str) -> dict[str, Any]:
    key, heuristic, w = name.split(":")
    search, options = SEARCHES.get(key, (key, {}))
    return {**options, "search": search, "heuristic": heuristic, "w": w}


def write(record: Record, file: Path) -> None:
    beside = file.with_name(file.name + ".part")
    beside.write_text(json.dumps(record, indent=1) + "\n")
    os.replace(beside, file)


def print_table(record: Record, searches: list[str]) -> None:
    width = max(13, *(len(name) for name in searches))
    print(f"{'task':50} " + " ".join(f"{name:>{width}}" for name in searches))
    for task, runs in record.items():
        print(f"{task:50} " + " ".join(f"{cell(runs[name]):>{width}}" for name in searches))
    solved = {name: [runs[name] for runs in record.values() if runs[name]["status"] == "solved"] for name in searches}
    print(f"{f'solved of {len(record)}':50} " + " ".join(f"{len(solved[name]):>{width}}" for name in searches))
    print(
        f"{'mean proven ratio over its own':50} "
        + " ".join(f"{mean_ratio(solved[name]):>{width}}" for name in searches)
    )
    common = common_tasks(record, searches)
    means = [mean_ratio([record[task][name] for task in common]) for name in searches]
    title = f"over the {len(common)} tasks that all solved with a ratio"
    print(f"{title:50} " + " ".join(f"{mean:>{width}}" for mean in means))


def print_parts(runs: dict[str, Run]) -> None:
    """Prints for the default search the time of the first plan, the parts that found plan and bound, and failures."""
    print(f"\n{AUTO:50} {'first plan':>10} {'seconds':>8} {'plan by':>12} {'bound by':>12} {'cost':>6} {'bound':>6}")
    for task, run in runs.items():
        first = f"{run['plans'][0][0]:.2f}" if run.get("plans") else "-"
        print(f"{task:50} {first:>10} {run.get('seconds', 0):>8.2f} {run.get('plan_by') or '-':>12} "
              f"{run.get('bound_by') or '-':>12} {run.get('cost') or '-':>6} {run.get('lower_bound') or '-':>6}  "
              f"{outcome(run)}")  # fmt: skip
    outcomes = [outcome(run) for run in runs.values()]
    print(", ".join(f"{each or 'solved'}: {outcomes.count(each)}" for each in sorted(set(outcomes))))


def outcome(run: Run) -> str:
    if run["status"] in ("solved", "unsolvable"):
        return ""
    if run["status"] == "error":
        return str(run.get("message", "error"))
    return "no plan" if run.get("cost") is None else "bound too low"


def common_tasks(record: Record, searches: list[str]) -> list[str]:
    """Returns the tasks solved with a proven ratio by all searches that prove ratios; Fast Downward proves none."""
    proving = [name for name in searches if any(has_ratio(runs[name]) for runs in record.values())]
    return [task for task, runs in record.items() if proving and all(has_ratio(runs[name]) for name in proving)]


def has_ratio(run: Run) -> bool:
    return run["status"] == "solved" and run.get("ratio") is not None


def mean_ratio(runs: list[Run]) -> str:
    ratios = [run["ratio"] for run in runs if has_ratio(run)]
    return f"{sum(ratios) / len(ratios):.3f}" if ratios else "-"


def cell(run: Run) -> str:
    if run["status"] != "solved":
        return str(run["status"])
    ratio = run.get("ratio")
    return f"{run['cost']:.0f}" if ratio is None else f"{run['cost']} ({ratio:.2f})"
