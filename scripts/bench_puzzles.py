#!/usr/bin/env python3
"""Compares weighted A*, focal search with a policy, and IDA* on Korf's 100 15-puzzles.

Counts do not depend on the machine, rates do. `seconds` is the time of the searches: the minimum of wall time and CPU
time, because wall time includes waiting for other processes. `cpu` is the CPU time of the process, including Python.
Rates are per `seconds`, with --cpu per `cpu`.

    scripts/bench_puzzles.py                                     the table
    scripts/bench_puzzles.py --against OTHER_TREE --rounds 5     compares the rates with those of another tree
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from inspect import signature
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

from fsplan.domains import specs
from fsplan.domains.instances import KORF_COUNT, korf_cost
from fsplan.planner.policies.registry import resolve
from fsplan.planner.search.solve import solve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fsplan.planner.search.result import Result

# Numbers of Korf's instances that IDA* with linear conflict solves within seconds.
EASY = (12, 30, 42, 47, 48, 55, 79)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--w", default="2,1.5,1.2", help="bounds, joined by commas")
    parser.add_argument("--count", type=int, default=KORF_COUNT, help="number of instances")
    parser.add_argument("--policy", default="tiles15", help="a shipped name or a policy file; none: weighted A* only")
    parser.add_argument("--ties", default="h,newest", help="of FOCAL; its default elsewhere is f,h,newest")
    parser.add_argument("--deepen", type=int, default=16, help="depth-first nodes per expansion, in another focal run")
    parser.add_argument("--heuristic", default="linear_conflict")
    parser.add_argument("--databases", default="pdb663", help="for IDA*: pdb663, pdb78 or none")
    parser.add_argument("--cpu", action="store_true", help="rates by processor time")
    parser.add_argument("--repeat", type=int, default=1, help="repetitions, of which the fastest counts")
    parser.add_argument("--against", metavar="TREE", type=Path, help="another tree that is built: ratios of the rates")
    parser.add_argument("--rounds", type=int, default=3, help="with --against: how often each runs; the best counts")
    options = parser.parse_args()
    if options.against is not None:
        compare(options.against, options.rounds)
        return
    tasks = [specs.load(f"tiles15:korf/{number}") for number in range(1, options.count + 1)]
    policy = None if options.policy == "none" else resolve(options.policy, tasks[0])
    columns = f"{'search':20} {'expanded':>11} {'cost':>6} {'seconds':>8} {'cpu':>8} {'per second':>11}"
    print(f"{columns} {'bytes/node':>10} {'deepened':>11}")
    for w in options.w.split(","):
        runs: dict[str, dict[str, Any]] = {f"wastar w={w}": {"search": "wastar"}}
        if policy is not None:
            focal = {"search": "focal", "order": "disc2", "policy": policy, "ties": options.ties, "paper": True}
            runs[f"focal disc2 w={w}"] = focal
            runs[f"… deepen={options.deepen} w={w}"] = {**focal, "deepen": options.deepen}
        for name, run in runs.items():
            report(name, best_of(options.repeat, tasks, {"w": w, "heuristic": options.heuristic, **run}), options.cpu)
    report_idastar("linear_conflict", EASY, options.cpu)
    if options.databases != "none":
        report_idastar(options.databases, range(1, options.count + 1), options.cpu)


def compare(other: Path, rounds: int) -> None:
    """Compares the rates of two trees; they run alternately, so that both have the same machine load."""
    own = argparse.ArgumentParser(add_help=False)
    own.add_argument("--against")
    own.add_argument("--rounds")
    words = own.parse_known_args()[1]
    here = Path(__file__).resolve().parent.parent
    best: dict[Path, dict[str, tuple[str, float]]] = {here: {}, other: {}}
    for _ in range(rounds):
        for tree, rates in best.items():
            for name, work, rate in rows(tree, words):
                rates[name] = work, max(rate, rates.get(name, (work, 0.0))[1])
    print(f"{'search':32} {'per second':>12} {'other':>12} {'ratio':>6}")
    for name, (work, rate) in best[here].items():
        other_work, other_rate = best[other][name]
        note = "" if work == other_work else f"  not the same work: {work} and {other_work}"
        print(f"{name:32} {rate:12,.0f} {other_rate:12,.0f} {rate / other_rate:6.3f}{note}")


def rows(tree: Path, words: list[str]) -> list[tuple[str, str, float]]:
    """Runs this script with the code of a tree; returns name, work and rate of every printed line."""
    environment = os.environ | {"PYTHONPATH": str(tree / "build" / "typing")}
    command = [sys.executable, __file__, *words]
    answer = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    table = re.findall(r"^(.*? w=\S+) +([\d,]+) +\d+ +\S+ +\S+ +([\d,]+)", answer, re.MULTILINE)
    deepening = re.findall(r"^(idastar .*?): .* ([\d,]+) nodes, ([\d,]+) ", answer, re.MULTILINE)
    return [(name.strip(), work, float(rate.replace(",", ""))) for name, work, rate in (*table, *deepening)]


def best_of(repeat: int, tasks: list[Any], options: dict[str, Any]) -> tuple[float, list[Result]]:
    """Returns CPU time and results of the fastest run."""
    return min((timed(tasks, options) for _ in range(repeat)), key=lambda run: run[0])


def timed(tasks: list[Any], options: dict[str, Any]) -> tuple[float, list[Result]]:
    """Returns the total CPU time and the results; their search time is the minimum of wall and CPU time."""
    total, results = 0.0, []
    for task in tasks:
        begin = process_time()
        result = solve(task, **known(options))
        used = process_time() - begin
        counts = result.statistics
        result.statistics = {**counts, "search_seconds": min(counts["search_seconds"], used)}
        results.append(result)
        total += used
    return total, results


def known(options: dict[str, Any]) -> dict[str, Any]:
    """Removes options that `solve` of an older version does not have, so that old and new versions can be compared.

    Without the option `paper`, old versions behave as with it: Algorithm 1 was their default.
    """
    parameters = signature(solve).parameters
    takes_all = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    return {name: value for name, value in options.items() if takes_all or name in parameters}


def total(results: list[Result], name: str) -> float:
    return float(sum(result.statistics[name] for result in results))


def report(name: str, run: tuple[float, list[Result]], by_cpu: bool) -> None:
    cpu, results = run
    expanded, seconds = total(results, "expanded"), total(results, "search_seconds")
    memory = sum(result.statistics["node_bytes"] * result.statistics["registered"] for result in results)
    cost = sum(result.cost or 0 for result in results)
    rate = expanded / (cpu if by_cpu else seconds)
    print(
        f"{name:20} {expanded:11,.0f} {cost:6} {seconds:8.3f} {cpu:8.3f} {rate:11,.0f} "
        f"{memory / total(results, 'registered'):10.1f} {total(results, 'deepened'):11,.0f}",
        flush=True,
    )


def report_idastar(heuristic: str, numbers: Sequence[int], by_cpu: bool) -> None:
    solve(specs.load("tiles15:korf/79"), "idastar", heuristic=heuristic)  # builds missing pattern databases
    tasks = [specs.load(f"tiles15:korf/{number}") for number in numbers]
    cpu, results = timed(tasks, {"search": "idastar", "heuristic": heuristic})
    assert [result.cost for result in results] == [korf_cost(number) for number in numbers]
    nodes, seconds = total(results, "generated"), total(results, "search_seconds")
    print(
        f"idastar {heuristic}: {len(results)} instances, cost {sum(map(korf_cost, numbers))}, {nodes:,.0f} nodes, "
        f"{nodes / (cpu if by_cpu else seconds):,.0f} per second"
    )


if __name__ == "__main__":
    main()
