"""Searches of fsplan beside those of Fast Downward and LAMA."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from benches.base import Table, chosen_tasks
from benches.planners import Figures, downward_run, fsplan_run, lama_first_run
from fsplan.planner.base import files
from fsplan.planner.experiments.suites import TaskName
from fsplan.planner.search.portfolio.table import TABLE, Declaration

# Tasks of the speed tables, large enough to measure and small enough to be solved.
SPEED_TASKS = (
    "blocks/probBLOCKS-8-0,blocks/probBLOCKS-9-0,gripper/prob04,gripper/prob06,logistics00/probLOGISTICS-5-0,"
    "logistics00/probLOGISTICS-6-1,driverlog/p04,driverlog/p06,depot/p02,satellite/p04-pfile4,rovers/p04,miconic/s4-4,"
    "sokoban-opt11-strips/p01,sokoban-opt11-strips/p04,visitall-opt11-strips/problem05-half,transport-opt11-strips/p01,"
    "transport-opt11-strips/p04,elevators-opt11-strips/p02,elevators-opt11-strips/p04,parcprinter-opt11-strips/p04,"
    "woodworking-opt11-strips/p02,psr-small/p50-s107-n6-l2-f70"
)
FEWEST_STATES = 50_000  # with fewer states the bytes per state are not meaningful

HMAX = {"search": "astar", "heuristic": "hmax"}
# Name -> fsplan's options, and Fast Downward's search or the options of another search of fsplan.
SPEED: dict[str, tuple[dict[str, Any], str | dict[str, Any]]] = {
    "hmax": (HMAX, "astar(hmax(), max_time={seconds})"),
    "blind": ({"search": "astar", "heuristic": "blind"}, "astar(blind(), max_time={seconds})"),
    "lmcut": ({"search": "astar", "heuristic": "lmcut"}, "astar(lmcut(), max_time={seconds})"),
    "wastar": ({"search": "wastar", "heuristic": "hmax", "w": 2}, "eager_wastar([hmax()], w=2, max_time={seconds})"),
    "focal-ff": ({"order": "disc2", "policy": "ff", "heuristic": "hmax", "w": 1.5}, HMAX),
    "focal-uniform": ({"order": "disc2", "policy": "uniform", "heuristic": "hmax", "w": 1.5}, HMAX),
}


def speed(options: Namespace) -> None:
    """Expansions and evaluations per CPU second, and memory, beside Fast Downward or A*; above 1 fsplan is better.

    Memory is compared after the same number of expansions: if the other search reaches the time limit, fsplan runs
    again with its expansions as the limit. `MB ×` is our peak divided by theirs (search or translator, whichever is
    greater), `B/state` the increase of the peak by the search per registered state.
    """
    options.tasks = options.tasks or SPEED_TASKS
    for name in options.only.split(",") if options.only else SPEED:
        ours, theirs = SPEED[name]
        table = Table(
            f"{name}: {ours} beside {theirs}"[:60],
            60,
            {"expanded": ">9", "other": ">9", "exp/s": ">9.0f", "other ": ">9.0f", "exp/s ×": ">7.2f",
             "eval/s ×": ">8.2f", "MB": ">7.1f", "MB ×": ">6.2f", "B/state": ">7.0f", "other  ": ">7.0f"},
        )  # fmt: skip
        for task in chosen_tasks(options):
            speed_row(table, task, ours, theirs, options)
        table.print_ratios("exp/s ×", "eval/s ×", "MB ×")


def speed_row(table: Table, task: TaskName, ours: Any, theirs: Any, options: Namespace) -> None:
    """The searches run alternately, and the fastest run of each counts."""
    pairs = [(fsplan_run(task, options.seconds, **ours), other_run(task, theirs, options.seconds))
             for _ in range(options.rounds)]  # fmt: skip
    first, second = (min(runs, key=lambda run: run.get("search", 0)) for runs in zip(*pairs, strict=True))
    if "search" not in first or not second.get("expanded"):
        table.add(task.name, note=first.get("message") or second.get("message"))
        return
    exact = isinstance(theirs, str) and ours["search"] == "astar"
    if exact and first["status"] == second["status"] == "solved" and first["cost"] != second["cost"]:
        raise SystemExit(f"{task.name}: costs {first['cost']} and {second['cost']}")
    same = first
    if second["status"] != "solved":
        same = fsplan_run(task, 10 * options.seconds, expansion_limit=second["expanded"], **ours)
    expansions, evaluations = (rate(first, what) / rate(second, what) for what in ("expanded", "evaluated"))
    memory = max(second["memory"], second.get("translator", 0))
    table.add(
        task.name, first["expanded"], second["expanded"], rate(first, "expanded"), rate(second, "expanded"),
        expansions, evaluations, same.get("memory"), same["memory"] / memory if "memory" in same else None,
        bytes_per_state(same), bytes_per_state(second),
    )  # fmt: skip


def other_run(task: TaskName, search: str | dict[str, Any], seconds: float) -> Figures:
    if isinstance(search, str):
        return downward_run(task, search, seconds)
    return fsplan_run(task, seconds, **search)


def rate(figures: Figures, what: str) -> float:
    # Times are measured in microseconds, so a time of 0 counts as one microsecond.
    return float(max(figures[what], 1) / max(figures["search"], 1e-6))


def bytes_per_state(figures: Figures) -> float | None:
    states = figures.get("registered", 0)
    return None if states < FEWEST_STATES else (figures["memory"] - figures["before"]) * 2**20 / states


GUIDED = {"policy": "ff", "heuristic": "lmcut", "w": 1.5}
COVERAGE: dict[str, dict[str, Any]] = {
    "auto": {},
    "focal paper": {"search": "focal", "paper": True, "order": "disc2", **GUIDED},
    "focal": {"search": "focal", "order": "disc2", **GUIDED},
    "wastar": {"search": "wastar", "heuristic": "lmcut", "w": 1.5},
    "optimistic": {"search": "optimistic", **GUIDED},
}
THEIRS = "fast downward"
# Fast Downward's weights are integers: 2g + 3h means w = 1.5.
WEIGHTED = "eager(single(sum([weight(g(), 2), weight(lmcut(), 3)])), reopen_closed=true, max_time={seconds})"


def coverage(options: Namespace) -> None:
    """Tasks that each search solves within --seconds of CPU time: cost and proven ratio.

    --only names searches: auto (no options), focal paper, focal, wastar, optimistic, fast downward, or any
    SEARCH:HEURISTIC:W such as auto:auto:1.1. With --json every result is written at once, and the same command resumes:
    a recorded run is repeated only if it failed with a shorter limit.
    """
    names = options.only.split(",") if options.only else [*COVERAGE, THEIRS]
    tasks = {task.name: task for task in chosen_tasks(options)}
    file = options.json
    record: dict[str, dict[str, Figures]] = json.loads(file.read_text()) if file and file.exists() else {}
    pairs = [(task, name) for task in tasks for name in names]
    with ThreadPoolExecutor(options.jobs) as pool:
        runs = {
            pool.submit(coverage_run, tasks[task], name, options.seconds): (task, name)
            for task, name in pairs
            if not is_settled(record.get(task, {}).get(name), options.seconds)
        }
        for number, future in enumerate(as_completed(runs), 1):
            task, name = runs[future]
            record.setdefault(task, {})[name] = {**future.result(), "limit": options.seconds}
            if file:
                files.write(file, json.dumps(record, indent=1) + "\n")
            print(f"{number} of {len(runs)}: {task}, {name}: {result_of(record[task][name])}", file=sys.stderr)
    print_coverage({task: record[task] for task in tasks}, names)


def is_settled(earlier: Figures | None, seconds: float) -> bool:
    if earlier is None:
        return False
    solved = earlier["status"] in ("solved", "unsolvable")
    return bool(earlier["seconds"] <= seconds if solved else earlier["limit"] >= seconds)


def coverage_run(task: TaskName, name: str, seconds: float) -> Figures:
    if name == THEIRS:
        return downward_run(task, WEIGHTED, seconds)
    if ":" not in name:
        return fsplan_run(task, seconds, **COVERAGE[name])
    search, heuristic, w = name.split(":")
    return fsplan_run(task, seconds, **{**COVERAGE.get(search, {}), "search": search, "heuristic": heuristic, "w": w})


def result_of(run: Figures) -> str:
    """Returns cost and ratio; "no plan" or "bound too low" if the search reached its limit."""
    if run["status"] == "solved":
        return f"{run['cost']} ({run['ratio']:.2f})" if run.get("ratio") else str(run["cost"])
    if run["status"] == "timeout":
        return "no plan" if run.get("cost") is None else "bound too low"
    return str(run.get("message", run["status"]))[:40]


def print_coverage(record: dict[str, dict[str, Figures]], names: list[str]) -> None:
    table = Table("cost (proven ratio)", 50, {name: f">{max(16, len(name))}" for name in names})
    for task, runs in record.items():
        first = (runs.get("auto", {}).get("plans") or [None])[0]
        note = f"first plan {first[0]:.2f} s, by {runs['auto']['plan_by']}" if first else ""
        table.add(task, *(result_of(runs[name]) for name in names), note=note)
    solved = {name: [runs for runs in record.values() if runs[name]["status"] == "solved"] for name in names}
    table.add(f"solved of {len(record)}", *(len(solved[name]) for name in names))
    proving = [name for name in names if any(runs[name].get("ratio") for runs in solved[name])]
    common = [runs for runs in record.values() if all(has_ratio(runs[name]) for name in proving)]
    for title, chosen in (
        ("mean ratio over its own", solved),
        (f"over {len(common)} common", dict.fromkeys(names, common)),
    ):
        table.add(title, *(mean_ratio([runs[name] for runs in chosen[name]]) for name in names))


def has_ratio(run: Figures) -> bool:
    return run["status"] == "solved" and run.get("ratio") is not None


def mean_ratio(runs: list[Figures]) -> str:
    ratios = [run["ratio"] for run in runs if has_ratio(run)]
    return f"{sum(ratios) / len(ratios):.3f}" if ratios else "-"


def first_plans(options: Namespace) -> None:
    """CPU seconds to the first plan, of whole processes: fsplan.solve and `fast-downward.py --alias lama-first`."""
    table = Table("first plan", 50, {"fsplan s": ">9.3f", "LAMA s": ">9.3f", "×": ">7.2f", "cost": ">8", "LAMA": ">8"})
    for task in chosen_tasks(options):
        ours, theirs = fsplan_run(task, options.seconds, first=True), lama_first_run(task, options.seconds)
        both = ours["cost"] is not None and theirs["cost"] is not None
        ratio = theirs["seconds"] / ours["seconds"] if both else None
        table.add(task.name, ours.get("seconds"), theirs["seconds"], ratio, ours["cost"], theirs["cost"])
    table.print_ratios("×")


LANDMARKS = "landmark_sum(lm_reasonable_orders_hps(lm_rhw()),pref=false)"
_WEIGHTS = ",".join(f"lazy_wastar([{{0}}],preferred=[{{0}}],w={w})" for w in (5, 3, 2, 1))
LAMA = [
    "--search",
    "--if-unit-cost",
    f"let(hlm, {LANDMARKS},let(hff, ff(),iterated([lazy_greedy([hff,hlm],preferred=[hff,hlm]),"
    f"{_WEIGHTS.format('hff,hlm')}],repeat_last=true)))",
    "--if-non-unit-cost",
    f"let(hlm1, eval_modify_costs({LANDMARKS},cost_type=one),let(hff1, eval_modify_costs(ff(),cost_type=one),"
    f"let(hlm2, eval_modify_costs({LANDMARKS},cost_type=plusone),let(hff2, eval_modify_costs(ff(),cost_type=plusone),"
    "iterated([lazy_greedy([hff1,hlm1],preferred=[hff1,hlm1],cost_type=one,reopen_closed=false),"
    "lazy_greedy([hff2,hlm2],preferred=[hff2,hlm2],reopen_closed=false),"
    f"{_WEIGHTS.format('hff2,hlm2')}],repeat_last=true)))))",
]


def anytime(options: Namespace) -> None:
    """Cost of the best plan after --seconds of CPU time: `auto` with `anytime`, and LAMA with restarts."""
    table = Table(
        f"cost after {options.seconds:g} s", 50, {"fsplan": ">9", "LAMA": ">9", "bound": ">9", "plan by": ">12"}
    )
    compared = not_worse = 0
    for task in chosen_tasks(options):
        ours = fsplan_run(task, options.seconds, anytime=True)
        theirs = downward_run(task, LAMA, options.seconds)
        table.add(task.name, ours["cost"], theirs["cost"], ours.get("bound"), ours.get("plan_by"))
        costs = [sys.maxsize if run["cost"] is None else run["cost"] for run in (ours, theirs)]
        compared += min(costs) < sys.maxsize
        not_worse += min(costs) < sys.maxsize and costs[0] <= costs[1]
    print(f"fsplan is not worse on {not_worse} of {compared}")


def threads(options: Namespace) -> None:
    """Wall time of the default search with one thread and with two, on tasks of at least half a second."""
    table = Table("task", 50, {"seconds": ">8.2f", "2 threads": ">9.2f", "×": ">6.2f"})
    settled = [0, 0]
    for task in chosen_tasks(options):
        runs = [fsplan_run(task, 100 * options.seconds, time_limit=options.seconds, threads=n) for n in (1, 2)]
        walls = [run.get("wall", 0.0) for run in runs]
        if walls[0] < 0.5:
            continue
        ends = [run["status"] == "unsolvable" or bool(run.get("settled")) for run in runs]
        settled = [number + end for number, end in zip(settled, ends, strict=True)]
        table.add(task.name, *walls, walls[0] / walls[1] if all(ends) else None)
    table.print_ratios("×")
    print(f"settled: {settled[0]} with one thread, {settled[1]} with two")


def regret(options: Namespace) -> None:
    """Cost of auto's plan after --seconds of CPU time, divided by that of its best part, run alone for half the time.

    Above 1, a search that the default search contains would have found a better plan in half of the time: its share of
    the work was too small. Parts that need a plan (improvement) or find none (bounds) are left out.
    --only names parts, joined by commas. With --json the costs of the parts alone are written to this file and are not
    measured again: two versions of the schedule are compared with the same costs.
    """
    rows = [row for row in TABLE if row.search and not (row.with_policy or row.last_resort)]
    chosen = options.only.split(",") if options.only else [row.name for row in rows]
    parts = {row.name: alone(row) for row in rows if row.name in chosen}
    table = Table(f"{options.seconds:g} s", 50, {"auto": ">8", "best": ">8", "part": ">10", "ratio": ">6.3f"})
    helped = Counter[str]()
    for task in chosen_tasks(options):
        ours = fsplan_run(task, options.seconds, anytime=True)
        costs = costs_alone(task, parts, options.seconds / 2, options.json)
        found = {name: cost for name, cost in costs.items() if cost is not None}
        best = min(found, key=lambda name: found[name], default="")
        ratio = ours["cost"] / found[best] if best and ours["cost"] and found[best] else None
        table.add(
            task.name, ours["cost"], found.get(best), best, ratio, note=ours.get("plan_by") or ours.get("message")
        )
        helped.update(name for name in found if found[name] == found[best])
    table.print_ratios("ratio")
    print("no plan by auto but by a part:", sum(row[0] is None and row[1] is not None for row in table.rows.values()))
    print("best alone, ties included:", ", ".join(f"{name} {count}" for name, count in helped.most_common()))


def costs_alone(task: TaskName, parts: dict[str, dict[str, Any]], seconds: float, file: Path | None) -> dict[str, Any]:
    """Cost of the plan of each part alone, None without a plan; costs that the file has are not measured again."""
    record: dict[str, dict[str, Any]] = json.loads(file.read_text()) if file and file.exists() else {}
    known = record.setdefault(f"{task.name}, {seconds:g} s", {})
    for name in parts.keys() - known.keys():
        known[name] = fsplan_run(task, seconds, **parts[name]).get("cost")
    if file:
        files.write(file, json.dumps(record, indent=1) + "\n")
    return {name: known[name] for name in parts}


def alone(row: Declaration) -> dict[str, Any]:
    """Options with which a part of `auto` runs alone, for as long as it finds better plans."""
    own: dict[str, Any] = {**row.search}
    if row.proves:
        own |= {name: value for name, value in (("w", 1), ("anytime", True)) if name in row.follows}
    return own if row.proves else own | {"uncertified": True}


SUITES = {"speed": speed, "coverage": coverage, "first-plans": first_plans, "anytime": anytime, "threads": threads,
          "regret": regret}  # fmt: skip
