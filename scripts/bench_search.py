#!/usr/bin/env python
"""fsplan's searches beside Fast Downward's: expansions per second, evaluations per second, search time, memory.

    scripts/bench_search.py                       the speed tables
    scripts/bench_search.py --only blind --tasks blocks,gripper --seconds 5
    scripts/bench_search.py --coverage --seconds 30

Both planners run alternately, each run in a process of its own, and search times are CPU times, so that a busy machine
disturbs the ratios little. Ratios above 1 are in fsplan's favour, for memory below 1. A run that meets the limit counts
with what it did until then; memory is compared where both planners finish.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from ast import literal_eval
from importlib.util import find_spec
from math import exp, log
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = Path(os.environ.get("FSPLAN_BENCHMARKS", ROOT.parent / "shared" / "benchmarks"))

Search = tuple[str, dict[str, Any]]

# Domain and problem; where a problem is not there, the next of its line is taken.
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
FOCAL: Search = ("focal", {"heuristic": "hmax", "order": "disc2", "policy": "ff", "w": "1.5"})
COVERAGE: dict[str, Search] = {
    "focal": ("focal", {"order": "disc2", "policy": "ff", "heuristic": "lmcut", "w": "1.5"}),
    "wastar": ("wastar", {"heuristic": "lmcut", "w": "1.5"}),
    "optimistic": ("optimistic", {"policy": "ff", "heuristic": "lmcut", "w": "1.5"}),
}
FAST_DOWNWARD_COVERAGE = "eager(single(sum([weight(g(), 2), weight(lmcut(), 3)])), reopen_closed=true)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--coverage", action="store_true", help="how many shared tasks each search solves")
    parser.add_argument("--seconds", type=float, default=30, help="of search, for every run (30)")
    parser.add_argument(
        "--rounds", type=int, default=1, help="how often to repeat each pair of runs (1); the best counts"
    )
    parser.add_argument("--only", default="", help=f"some of {','.join(SPEED)},focal")
    parser.add_argument("--tasks", default="", help="only tasks whose domain/problem contains one of these words")
    parser.add_argument("--json", help="also write the figures to this file")
    arguments = parser.parse_args()
    if arguments.coverage:
        coverage(arguments)
    else:
        speed(arguments)


# One search of fsplan in a process of its own that imports nothing else, so that its memory is fsplan's.
CHILD = """
import resource, sys, time
import fsplan
search, options, domain, problem = eval(sys.argv[1])
task = fsplan.load(domain, problem)
started = time.process_time()
result = fsplan.solve(task, search, **options)
counts = result.statistics
# CPU time, without what is imported on the first call
used = min(time.process_time() - started, counts["search_seconds"])
print({"status": result.status, "cost": result.cost, "lower_bound": result.lower_bound, "ratio": result.proven_ratio,
       "expanded": counts["expanded"], "evaluated": counts["evaluated"], "seconds": used,
       "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024})
"""


def fsplan_run(search: Search, domain: Path, problem: Path, seconds: float) -> dict[str, Any]:
    name, options = search
    request = (name, {**options, "time_limit": seconds}, str(domain), str(problem))
    answer = subprocess.run([sys.executable, "-c", CHILD, repr(request)], capture_output=True, text=True, cwd="/")
    if answer.returncode != 0:
        return {"status": "error", "message": answer.stderr.strip().splitlines()[-1:]}
    figures: dict[str, Any] = literal_eval(answer.stdout)
    return figures


def fast_downward() -> Path:
    package = find_spec("up_fast_downward")
    if package is None or package.origin is None:
        raise SystemExit("bench_search: Fast Downward is missing; pip install up-fast-downward")
    return Path(package.origin).parent / "downward" / "builds" / "release" / "bin" / "downward"


def translate(domain: Path, problem: Path, sas: Path) -> bool:
    command = [sys.executable, "-m", "fast_downward.translate", str(domain), str(problem), "--sas-file", str(sas)]
    return subprocess.run(command, capture_output=True, cwd="/").returncode == 0


def fast_downward_run(search: str, sas: Path, seconds: float) -> dict[str, Any]:
    command = [str(fast_downward()), "--internal-plan-file", f"{sas}.plan", "--search", search.format(seconds=seconds)]
    with sas.open() as file:
        answer = subprocess.run(command, stdin=file, capture_output=True, text=True)

    def find(pattern: str) -> float | None:
        found = re.search(pattern, answer.stdout)
        return float(found[1]) if found else None

    expanded, used = find(r"Expanded (\d+) state"), find(r"Search time: ([\d.e-]+)s")
    if expanded is None or used is None:
        return {"status": "error"}
    return {
        "status": "solved" if answer.returncode == 0 else "timeout" if answer.returncode == 23 else "unsolved",
        "cost": find(r"Plan cost: (\d+)"),
        "expanded": int(expanded),
        "evaluated": int(find(r"Evaluated (\d+) state") or 0),
        "seconds": used,
        "memory": int((find(r"Peak memory: (\d+) KB") or 0) * 1024),
    }


def domain_of(problem: Path) -> Path:
    from fsplan.planner.load import domain_beside

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


def fastest(runs: list[dict[str, Any]]) -> dict[str, Any]:
    return min(runs, key=lambda run: run.get("seconds", float("inf")))


def rate(run: dict[str, Any], what: str) -> float:
    # Below a millisecond a clock tick decides.
    return float(run[what]) / max(float(run["seconds"]), 1e-3)


def mean(ratios: list[float]) -> float:
    return exp(sum(log(max(ratio, 1e-9)) for ratio in ratios) / len(ratios)) if ratios else float("nan")


def speed(arguments: argparse.Namespace) -> None:
    wanted = arguments.only.split(",") if arguments.only else [*SPEED, "focal"]
    record: list[dict[str, Any]] = []
    tasks = chosen_tasks(arguments.tasks)
    with tempfile.TemporaryDirectory() as folder:
        sas = {problem: Path(folder) / f"{number}.sas" for number, (_, problem) in enumerate(tasks)}
        for domain, problem in tasks:
            translate(domain, problem, sas[problem])
        for name in wanted:
            if name == "focal":
                focal_table(tasks, arguments, record)
            else:
                speed_table(name, tasks, sas, arguments, record)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(record, indent=1) + "\n")


def speed_table(
    name: str,
    tasks: list[tuple[Path, Path]],
    sas: dict[Path, Path],
    arguments: argparse.Namespace,
    record: list[dict[str, Any]],
) -> None:
    ours_search, theirs_search = SPEED[name]
    print(f"\n{name}: {ours_search[0]} {ours_search[1]}")
    print(f"{'task':38} {'expanded':>10} {'FD':>10} {'exp/s':>9} {'FD':>9} {'eval/s':>9} {'FD':>9} "
          f"{'s':>7} {'FD':>7} {'MB':>6} {'FD':>6} {'exp/s ×':>8} {'eval/s ×':>8} {'MB ×':>5}")  # fmt: skip
    expansions, evaluations, memories = [], [], []
    for domain, problem in tasks:
        ours_runs, their_runs = [], []
        for _ in range(arguments.rounds):
            ours_runs.append(fsplan_run(ours_search, domain, problem, arguments.seconds))
            their_runs.append(fast_downward_run(theirs_search, sas[problem], arguments.seconds))
        ours, theirs = fastest(ours_runs), fastest(their_runs)
        label = f"{problem.parent.name}/{problem.stem}"
        record.append({"table": name, "task": label, "fsplan": ours, "fast_downward": theirs})
        if "error" in (ours["status"], theirs["status"]):
            print(f"{label:38} fsplan {ours['status']} {ours.get('message', '')}, Fast Downward {theirs['status']}")
            continue
        if ours["status"] == theirs["status"] == "solved" and name != "wastar":
            assert ours["cost"] == theirs["cost"], f"{label}: costs {ours['cost']} and {theirs['cost']}"
        faster = rate(ours, "expanded") / rate(theirs, "expanded")
        evaluated = rate(ours, "evaluated") / rate(theirs, "evaluated")
        smaller = ours["memory"] / theirs["memory"]
        both = ours["status"] == theirs["status"] == "solved"
        expansions.append(faster)
        evaluations.append(evaluated)
        if both:
            memories.append(smaller)
        print(f"{label:38} {ours['expanded']:>10} {theirs['expanded']:>10} "
              f"{rate(ours, 'expanded'):>9.0f} {rate(theirs, 'expanded'):>9.0f} "
              f"{rate(ours, 'evaluated'):>9.0f} {rate(theirs, 'evaluated'):>9.0f} "
              f"{ours['seconds']:>7.2f} {theirs['seconds']:>7.2f} {ours['memory'] / 2**20:>6.1f} "
              f"{theirs['memory'] / 2**20:>6.1f} {faster:>8.2f} {evaluated:>8.2f} "
              f"{f'{smaller:.2f}' if both else '-':>5}", flush=True)  # fmt: skip
    print(
        f"geometric means: expansions/s {mean(expansions):.2f}×, lowest {min(expansions, default=0):.2f}×; "
        f"evaluations/s {mean(evaluations):.2f}×; "
        f"memory {mean(memories):.2f}×, highest {max(memories, default=0):.2f}×"
    )


def focal_table(tasks: list[tuple[Path, Path]], arguments: argparse.Namespace, record: list[dict[str, Any]]) -> None:
    print(f"\nfocal {FOCAL[1]} beside A* with the same heuristic")
    print(f"{'task':38} {'expanded':>10} {'A*':>10} {'exp/s':>9} {'A*':>9} {'×':>6}")
    ratios = []
    for domain, problem in tasks:
        focal_runs, astar_runs = [], []
        for _ in range(arguments.rounds):
            focal_runs.append(fsplan_run(FOCAL, domain, problem, arguments.seconds))
            astar_runs.append(fsplan_run(SPEED["hmax"][0], domain, problem, arguments.seconds))
        focal, astar = fastest(focal_runs), fastest(astar_runs)
        label = f"{problem.parent.name}/{problem.stem}"
        record.append({"table": "focal", "task": label, "focal": focal, "astar": astar})
        if "error" in (focal["status"], astar["status"]):
            print(f"{label:38} {focal} {astar}")
            continue
        ratios.append(rate(focal, "expanded") / rate(astar, "expanded"))
        print(f"{label:38} {focal['expanded']:>10} {astar['expanded']:>10} {rate(focal, 'expanded'):>9.0f} "
              f"{rate(astar, 'expanded'):>9.0f} {ratios[-1]:>6.2f}", flush=True)  # fmt: skip
    print(f"geometric mean {mean(ratios):.2f}×, lowest {min(ratios, default=0):.2f}×")


def coverage(arguments: argparse.Namespace) -> None:
    """Solved within the limit, over all shared tasks, with the mean proven ratio of those solved."""
    problems = sorted(
        path for path in BENCHMARKS.glob("*/*.pddl") if "domain" not in path.name and matches(path, arguments.tasks)
    )
    solved = dict.fromkeys((*COVERAGE, "fast downward"), 0)
    ratios: dict[str, list[float]] = {name: [] for name in COVERAGE}
    record: list[dict[str, Any]] = []
    print(f"{'task':50} " + " ".join(f"{name:>13}" for name in solved))
    for problem in problems:
        runs: dict[str, dict[str, Any]] = {}
        domain = domain_of(problem)
        for name, search in COVERAGE.items():
            runs[name] = fsplan_run(search, domain, problem, arguments.seconds)
        with tempfile.TemporaryDirectory() as folder:
            sas = Path(folder) / "output.sas"
            runs["fast downward"] = {"status": "error"}
            if translate(domain, problem, sas):
                theirs = FAST_DOWNWARD_COVERAGE.removesuffix(")") + f", max_time={arguments.seconds})"
                runs["fast downward"] = fast_downward_run(theirs, sas, arguments.seconds)
        for name, run in runs.items():
            solved[name] += run["status"] == "solved"
            if run["status"] == "solved" and run.get("ratio") is not None:
                ratios[name].append(run["ratio"])
        label = f"{problem.parent.name}/{problem.stem}"
        record.append({"task": label, **runs})
        print(f"{label:50} " + " ".join(f"{cell(run):>13}" for run in runs.values()), flush=True)
    print(f"{f'solved of {len(problems)}':50} " + " ".join(f"{count:>13}" for count in solved.values()))
    means = [f"{sum(found) / len(found):.3f}" if found else "-" for found in ratios.values()]
    print(f"{'mean proven ratio':50} " + " ".join(f"{text:>13}" for text in (*means, "-")))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(record, indent=1) + "\n")


def cell(run: dict[str, Any]) -> str:
    if run["status"] != "solved":
        return str(run["status"])
    ratio = run.get("ratio")
    return f"{run['cost']:.0f}" if ratio is None else f"{run['cost']} ({ratio:.2f})"


if __name__ == "__main__":
    main()
