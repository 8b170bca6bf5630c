#!/usr/bin/env python3
"""Korf's 100 15-puzzles: weighted A* beside focal search with a policy, and IDA*.

Counts do not depend on the machine, rates do. `seconds` are those of the searches by the clock, `cpu` what the process
used, Python included; the rate is by the clock, or with --cpu by the latter (for a machine that is shared).
"""

from __future__ import annotations

import argparse
from time import process_time
from typing import TYPE_CHECKING, Any

from fsplan.domains import specs
from fsplan.domains.instances import KORF_COUNT, korf_cost
from fsplan.planner.policies.registry import resolve
from fsplan.planner.search import solve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fsplan.planner.result import Result

# Korf's instances that IDA* with linear conflict solves within seconds.
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
    options = parser.parse_args()
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


def best_of(repeat: int, tasks: list[Any], options: dict[str, Any]) -> tuple[float, list[Result]]:
    """Processor time and results of the quickest run."""
    return min((timed(tasks, options) for _ in range(repeat)), key=lambda run: run[0])


def timed(tasks: list[Any], options: dict[str, Any]) -> tuple[float, list[Result]]:
    begin = process_time()
    results = [solve(task, **options) for task in tasks]
    return process_time() - begin, results


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
    solve(specs.load("tiles15:korf/79"), "idastar", heuristic=heuristic)  # builds databases where they are missing
    tasks = [specs.load(f"tiles15:korf/{number}") for number in numbers]
    cpu, results = timed(tasks, {"search": "idastar", "heuristic": heuristic})
    assert [result.cost for result in results] == [korf_cost(number) for number in numbers]
    nodes, seconds = total(results, "generated"), total(results, "search_seconds")
    print(
        f"idastar {heuristic}: {len(results)} instances, cost {sum(map(korf_cost, numbers))}, {nodes:,.0f} nodes, "
        f"{nodes / (cpu if by_cpu else seconds):,.0f} a second"
    )


if __name__ == "__main__":
    main()
