#!/usr/bin/env python
"""Compares fsplan's searches with Fast Downward's: expansions and evaluations per second, search time, memory.

    scripts/bench_search.py                       the speed tables
    scripts/bench_search.py --only blind --tasks blocks,gripper --seconds 5
    scripts/bench_search.py --coverage --seconds 30 --json coverage.json
    scripts/bench_search.py --coverage --only auto --seconds 5 --every 5      the default search, in CPU seconds
    scripts/bench_search.py --coverage --only focal:lmcut:1.1,focal:auto:1.1 --seconds 5 --every 8
    scripts/bench_search.py --first-plans --seconds 10 --every 8              compared with LAMA's first iteration
    scripts/bench_search.py --anytime --seconds 30 --every 20                 compared with LAMA's restarts
    scripts/bench_search.py --threads 2 --seconds 10 --every 7                one thread and two

The planners run alternately, each run in its own process, and search times are CPU times, so that other processes
disturb the ratios little. fsplan is better if a ratio is above 1, or below 1 for memory. A run that reaches the time
limit counts with its figures up to then.

Memory is compared after the same number of expansions: if Fast Downward reaches the limit, fsplan runs again with Fast
Downward's expansions as its limit. `MB` are peaks of resident memory: of fsplan (one process reads, grounds and
searches), of Fast Downward's search, and of its translator. `MB ×` is fsplan's peak divided by the greater of the other
two, `search ×` divided by that of the search alone. `B/state` is the increase of the peak by the search per registered
state, if there are enough states.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from math import exp, log
from pathlib import Path
from typing import Any

import coverage_table
import lama_table
import threads_table
from planner_runs import Search, fast_downward_run, fsplan_run, pymimir_run, translate

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = Path(os.environ.get("FSPLAN_BENCHMARKS", ROOT.parent / "shared" / "benchmarks"))

Translated = dict[Path, tuple[Path, int]]  # problem -> translation and the translator's peak memory
FEWEST_STATES = 50_000  # with fewer states the bytes per state are not meaningful

# Domain and problems; the first problem that exists is used.
TASKS = [
    ("blocks", "probBLOCKS-8-0"),
    ("blocks", "probBLOCKS-9-0"),
    ("gripper", "prob05", "prob04"),
    ("gripper", "prob06"),
    ("logistics00", "probLOGISTICS-5-0"),
    ("logistics00", "probLOGISTICS-6-0", "probLOGISTICS-6-1"),
    ("driverlog", "p05", "p04"),
    ("driverlog", "p07", "p06"),
    ("depot", "p02"),
    ("satellite", "p04-pfile4"),
    ("rovers", "p05", "p04"),
    ("miconic", "s8-0", "s4-4"),
    ("sokoban-opt11-strips", "p01"),
    ("sokoban-opt11-strips", "p04"),
    ("visitall-opt11-strips", "problem05-full", "problem05-half"),
    ("transport-opt11-strips", "p01"),
    ("transport-opt11-strips", "p04"),
    ("elevators-opt11-strips", "p02"),
    ("elevators-opt11-strips", "p04"),
    ("parcprinter-opt11-strips", "p04"),
    ("woodworking-opt11-strips", "p02"),
    ("psr-small", "p50-s107-n6-l2-f70"),
]
# Name, fsplan's search with its options, Fast Downward's search.
SPEED: dict[str, tuple[Search, str]] = {
    "hmax": (("astar", {"heuristic": "hmax"}), "astar(hmax(), max_time={seconds})"),
    "blind": (("astar", {"heuristic": "blind"}), "astar(blind(), max_time={seconds})"),
    "lmcut": (("astar", {"heuristic": "lmcut"}), "astar(lmcut(), max_time={seconds})"),
    "wastar": (("wastar", {"heuristic": "hmax", "w": 2}), "eager_wastar([hmax()], w=2, max_time={seconds})"),
}
# Focal search with the default policy, and with the uniform policy, which takes no time.
FOCAL: list[Search] = [
    ("focal", {"heuristic": "hmax", "order": "disc2", "policy": policy, "w": "1.5"}) for policy in ("ff", "uniform")
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--coverage", action="store_true", help="how many shared tasks each search solves")
    parser.add_argument("--first-plans", action="store_true", help="CPU seconds to the first plan, beside LAMA")
    parser.add_argument("--anytime", action="store_true", help="cost after --seconds of CPU, beside LAMA")
    parser.add_argument("--threads", type=int, metavar="N", help="the default search with one thread and with N")
    parser.add_argument("--seconds", type=float, default=30, help="of search, for every run (30)")
    parser.add_argument(
        "--rounds", type=int, default=1, help="how often to repeat each pair of runs (1); the best counts"
    )
    parser.add_argument(
        "--only",
        default="",
        help=f"some of {','.join(SPEED)},focal,pymimir; for coverage of "
        f"{coverage_table.AUTO},{','.join(coverage_table.SEARCHES)},SEARCH:HEURISTIC:W,{coverage_table.THEIRS}",
    )
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time for coverage (1)")
    parser.add_argument("--tasks", default="", help="only tasks whose domain/problem contains one of these words")
    parser.add_argument(
        "--every",
        type=int,
        default=1,
        help="only every k-th of the shared tasks (1)",
    )
    parser.add_argument("--json", help="also write the figures to this file; for coverage also go on from it")
    arguments = parser.parse_args()
    if arguments.coverage:
        coverage(arguments)
    elif arguments.first_plans:
        lama_table.first_plans(shared_tasks(arguments), arguments.seconds)
    elif arguments.anytime:
        lama_table.anytime_costs(shared_tasks(arguments), arguments.seconds)
    elif arguments.threads:
        threads_table.thread_speedups(shared_tasks(arguments), arguments.threads, arguments.seconds)
    else:
        speed(arguments)


def domain_of(problem: Path) -> Path:
    from fsplan.planner.sources.pddl import domain_beside

    return Path(domain_beside(str(problem)))


def chosen_tasks(words: str) -> list[tuple[Path, Path]]:
    found = []
    for domain, *names in TASKS:
        paths = [BENCHMARKS / domain / f"{name}.pddl" for name in names]
        problem = next((path for path in paths if path.exists()), None)
        if problem is None:
            print(f"{domain}: none of {', '.join(names)} is there", file=sys.stderr)
        elif matches(problem, words):
            found.append((domain_of(problem), problem))
    return found


def matches(problem: Path, words: str) -> bool:
    name = f"{problem.parent.name}/{problem.stem}"
    return not words or any(word in name for word in words.split(","))


def alternate(rounds: int, *runs: Callable[[], dict[str, Any]]) -> list[dict[str, Any]]:
    """Executes the runs alternately, `rounds` times, and returns the fastest execution of each."""
    results = [[run() for run in runs] for _ in range(rounds)]
    return [min(column, key=lambda run: run.get("seconds", float("inf"))) for column in zip(*results, strict=True)]


def rate(run: dict[str, Any], what: str) -> float:
    # Times are measured in microseconds, so a time of 0 counts as one microsecond.
    return float(run[what]) / max(float(run["seconds"]), 1e-6)


def mean(ratios: list[float]) -> float:
    return exp(sum(log(max(ratio, 1e-9)) for ratio in ratios) / len(ratios)) if ratios else float("nan")


def speed(arguments: argparse.Namespace) -> None:
    wanted = arguments.only.split(",") if arguments.only else [*SPEED, "focal", "pymimir"]
    record: list[dict[str, Any]] = []
    tasks = chosen_tasks(arguments.tasks)
    with tempfile.TemporaryDirectory() as folder:
        translated: Translated = {}
        if any(name in SPEED for name in wanted):
            for number, (domain, problem) in enumerate(tasks):
                sas = Path(folder) / f"{number}.sas"
                translated[problem] = sas, translate(domain, problem, sas)
        for name in wanted:
            if name == "focal":
                for search in FOCAL:
                    focal_table(search, tasks, arguments, record)
            elif name == "pymimir":
                pymimir_table(tasks, arguments, record)
            else:
                speed_table(name, tasks, translated, arguments, record)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(record, indent=1) + "\n")


def speed_table(
    name: str,
    tasks: list[tuple[Path, Path]],
    translated: Translated,
    arguments: argparse.Namespace,
    record: list[dict[str, Any]],
) -> None:
    ours_search, theirs_search = SPEED[name]
    print(f"\n{name}: {ours_search[0]} {ours_search[1]}")
    print(f"{'task':38} {'expanded':>9} {'FD':>9} {'exp/s':>8} {'FD':>8} {'eval/s':>8} {'FD':>8} {'s':>6} {'FD':>6} "
          f"{'exp/s ×':>7} {'eval/s ×':>8} {'MB':>6} {'FD':>6} {'transl.':>7} {'MB ×':>5} {'search ×':>8} "
          f"{'B/state':>7} {'FD':>5}")  # fmt: skip
    expansions, evaluations, planners, searches = [], [], [], []
    for domain, problem in tasks:
        sas, translator = translated[problem]
        ours, theirs = alternate(
            arguments.rounds,
            partial(fsplan_run, ours_search, domain, problem, arguments.seconds),
            partial(fast_downward_run, theirs_search, sas, arguments.seconds),
        )
        label = f"{problem.parent.name}/{problem.stem}"
        if "error" in (ours["status"], theirs["status"]):
            print(f"{label:38} fsplan {ours['status']} {ours.get('message', '')}, Fast Downward {theirs['status']}")
            continue
        if ours["status"] == theirs["status"] == "solved" and name != "wastar":
            assert ours["cost"] == theirs["cost"], f"{label}: costs {ours['cost']} and {theirs['cost']}"
        same = ours
        if theirs["status"] != "solved":
            same = fsplan_run(ours_search, domain, problem, 10 * arguments.seconds, theirs["expanded"])
        expansions.append(rate(ours, "expanded") / rate(theirs, "expanded"))
        evaluations.append(rate(ours, "evaluated") / rate(theirs, "evaluated"))
        print(f"{label:38} {ours['expanded']:>9} {theirs['expanded']:>9} "
              f"{rate(ours, 'expanded'):>8.0f} {rate(theirs, 'expanded'):>8.0f} "
              f"{rate(ours, 'evaluated'):>8.0f} {rate(theirs, 'evaluated'):>8.0f} "
              f"{ours['seconds']:>6.2f} {theirs['seconds']:>6.2f} {expansions[-1]:>7.2f} {evaluations[-1]:>8.2f} ",
              end="")  # fmt: skip
        record.append(
            {"table": name, "task": label, "fsplan": ours, "fast_downward": theirs, "translator": translator,
             "fsplan_same_work": same}
        )  # fmt: skip
        if same["status"] != theirs["status"] and same.get("expanded") != theirs["expanded"]:
            print("not the same work", flush=True)
            continue
        planners.append(same["memory"] / max(theirs["memory"], translator))
        searches.append(same["memory"] / theirs["memory"])
        print(f"{same['memory'] / 2**20:>6.1f} {theirs['memory'] / 2**20:>6.1f} {translator / 2**20:>7.1f} "
              f"{planners[-1]:>5.2f} {searches[-1]:>8.2f} {bytes_per_state(same):>7} {bytes_per_state(theirs):>5}",
              flush=True)  # fmt: skip
    print(
        f"geometric means: expansions/s {mean(expansions):.2f}×, lowest {min(expansions, default=0):.2f}×; "
        f"evaluations/s {mean(evaluations):.2f}×; memory {mean(planners):.2f}×, highest "
        f"{max(planners, default=0):.2f}×; beside the search alone {mean(searches):.2f}×"
    )


def bytes_per_state(run: dict[str, Any]) -> str:
    states = run["registered"]
    return "-" if states < FEWEST_STATES else f"{(run['memory'] - run['before_search']) / states:.0f}"


def pymimir_table(tasks: list[tuple[Path, Path]], arguments: argparse.Namespace, record: list[dict[str, Any]]) -> None:
    print("\nA* with h_max beside pymimir's")
    print(f"{'task':38} {'expanded':>10} {'pymimir':>10} {'exp/s':>9} {'pymimir':>9} {'×':>6} {'MB':>6} {'pymimir':>7}")
    ratios = []
    for domain, problem in tasks:
        ours, theirs = alternate(
            arguments.rounds,
            partial(fsplan_run, SPEED["hmax"][0], domain, problem, arguments.seconds),
            partial(pymimir_run, domain, problem, arguments.seconds),
        )
        label = f"{problem.parent.name}/{problem.stem}"
        record.append({"table": "pymimir", "task": label, "fsplan": ours, "pymimir": theirs})
        if "error" in (ours["status"], theirs["status"]):
            print(f"{label:38} {ours.get('message', '')}{theirs.get('message', '')}")
            continue
        ratios.append(rate(ours, "expanded") / rate(theirs, "expanded"))
        print(f"{label:38} {ours['expanded']:>10} {theirs['expanded']:>10} {rate(ours, 'expanded'):>9.0f} "
              f"{rate(theirs, 'expanded'):>9.0f} {ratios[-1]:>6.2f} {ours['memory'] / 2**20:>6.1f} "
              f"{theirs['memory'] / 2**20:>7.1f}", flush=True)  # fmt: skip
    print(f"geometric mean {mean(ratios):.2f}×, lowest {min(ratios, default=0):.2f}×")


def focal_table(
    search: Search, tasks: list[tuple[Path, Path]], arguments: argparse.Namespace, record: list[dict[str, Any]]
) -> None:
    print(f"\nfocal {search[1]} beside A* with the same heuristic")
    print(f"{'task':38} {'expanded':>10} {'A*':>10} {'exp/s':>9} {'A*':>9} {'exp/s ×':>7} {'eval/s ×':>8}")
    expansions, evaluations = [], []
    for domain, problem in tasks:
        focal, astar = alternate(
            arguments.rounds,
            *(partial(fsplan_run, each, domain, problem, arguments.seconds) for each in (search, SPEED["hmax"][0])),
        )
        label = f"{problem.parent.name}/{problem.stem}"
        record.append({"table": f"focal {search[1]['policy']}", "task": label, "focal": focal, "astar": astar})
        if "error" in (focal["status"], astar["status"]):
            print(f"{label:38} {focal} {astar}")
            continue
        expansions.append(rate(focal, "expanded") / rate(astar, "expanded"))
        evaluations.append(rate(focal, "evaluated") / rate(astar, "evaluated"))
        print(f"{label:38} {focal['expanded']:>10} {astar['expanded']:>10} {rate(focal, 'expanded'):>9.0f} "
              f"{rate(astar, 'expanded'):>9.0f} {expansions[-1]:>7.2f} {evaluations[-1]:>8.2f}",
              flush=True)  # fmt: skip
    print(
        f"geometric means: expansions/s {mean(expansions):.2f}×, lowest {min(expansions, default=0):.2f}×; "
        f"evaluations/s {mean(evaluations):.2f}×"
    )


def shared_tasks(arguments: argparse.Namespace) -> dict[str, tuple[Path, Path]]:
    problems = sorted(path for path in BENCHMARKS.glob("*/*.pddl") if "domain" not in path.name)
    chosen = [path for path in problems if matches(path, arguments.tasks)][:: arguments.every]
    return {f"{path.parent.name}/{path.stem}": (domain_of(path), path) for path in chosen}


def coverage(arguments: argparse.Namespace) -> None:
    searches = arguments.only.split(",") if arguments.only else [*coverage_table.SEARCHES, coverage_table.THEIRS]
    coverage_table.coverage(
        shared_tasks(arguments),
        searches,
        arguments.seconds,
        arguments.jobs,
        Path(arguments.json) if arguments.json else None,
    )


if __name__ == "__main__":
    main()
