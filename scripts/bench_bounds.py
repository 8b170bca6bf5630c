#!/usr/bin/env python
"""Compares lower bounds of the initial state with the best known costs, and the speed of heuristics.

    scripts/bench_bounds.py                        every fourth shared task, three seconds each
    scripts/bench_bounds.py --every 1 --seconds 10 --tasks blocks,rovers
    scripts/bench_bounds.py --improve              also searches for plans cheaper than the best known ones
    scripts/bench_bounds.py --rates                evaluations per CPU second of scp against lmcut
    scripts/bench_bounds.py --policies FOLDER      ratios proven without a search on the learning track's easy tasks:
                                                   plans by executing DOMAIN.policy (`fsplan train`), and the bounds

The file of best known costs (--best) is updated by each run. `auto` searches --search-seconds for a plan of a task that
has none yet, and with --improve of every task whose bound is below its cost; a cheaper plan replaces the old entry. The
file is not committed, because it depends on the time spent on searches, and outdated costs would make the bounds look
better. The program ends with an error if a bound is above a known cost.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from math import exp, log
from pathlib import Path
from time import process_time
from typing import Any

import fsplan
from fsplan.planner.bounds.root import Bound, bound
from fsplan.planner.tasks.task import Task

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("FSPLAN_SHARED", ROOT.parent / "shared"))
METHODS = ("lmcut", "state-equation", "landmarks", "pairs", "triples", "refined", "large", "branching")
RATIOS = (2, 1.5, 1.2, 1.1, 1.05)


def tasks(options: argparse.Namespace) -> Iterator[tuple[str, list[str]]]:
    """Yields name and files of every task in the sample of IPC tasks and easy tasks of the learning track."""
    found = [
        (path, [str(path)]) for path in sorted((SHARED / "benchmarks").glob("*/*.pddl")) if "domain" not in path.name
    ]
    for path in sorted((SHARED / "learning").glob("*/testing/easy/*.pddl")):
        found.append((path, [str(path.parents[2] / "domain.pddl"), str(path)]))
    first, last = options.slice
    for path, words in found[:: max(1, options.every)][first:last]:
        name = str(path.relative_to(SHARED))
        if not options.tasks or any(part in name for part in options.tasks):
            yield name, words


def best_cost(
    task: Task, name: str, known: dict[str, int], lower: int | None, options: argparse.Namespace
) -> int | None:
    """Returns the best known cost; searches for a plan if there is none, or for a better one with --improve."""
    cost = known.get(name)
    if cost is None or (options.improve and lower is not None and lower < cost):
        result = fsplan.solve(task, search="auto", w=1, anytime=True, time_limit=options.search_seconds)
        if result.cost is not None:
            known[name] = cost = result.cost if cost is None else min(cost, result.cost)
    return cost


def shares(steps: tuple[Bound, ...], cost: int) -> list[float]:
    """Returns bound / cost for each method; the methods of the linear program include the bounds of earlier methods."""
    values = {step.method: step.value or 0 for step in steps}
    found: list[float] = []
    for method in METHODS:
        earlier = found[-1] if method in METHODS[2:] else 0.0
        found.append(max(earlier, values.get(method, 0) / cost if cost else 1.0))
    return found


def compare_bounds(options: argparse.Namespace) -> None:
    known: dict[str, int] = json.loads(options.best.read_text()) if options.best.exists() else {}
    rows: list[list[float]] = []
    for name, words in tasks(options):
        task = fsplan.load(*words)
        found = bound(task, time_limit=options.seconds, prune=not options.no_prune)
        cost = best_cost(task, name, known, found.value, options)
        print(
            f"{name:60} best {cost}",
            *(f"{each.method} {each.value}" for each in found.methods),
            f"{found.seconds:.2f}s",
        )
        if cost is None:
            continue
        if found.value is None or found.value > cost:
            raise SystemExit(f"{name}: the bound {found.value} is above the cost {cost} of a plan")
        rows.append(shares(found.methods, cost))
        options.best.parent.mkdir(parents=True, exist_ok=True)
        options.best.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    print_table(rows)


def print_table(rows: list[list[float]]) -> None:
    print(f"\n{len(rows)} tasks with a known plan{'':12}" + "".join(f"{method:>16}" for method in METHODS))
    columns = list(zip(*rows, strict=True))
    print(f"{'mean of bound / best known cost':36}" + "".join(f"{sum(each) / len(each):16.3f}" for each in columns))
    for ratio in RATIOS:
        proven = [sum(share * ratio >= 1 - 1e-9 for share in each) / len(each) for each in columns]
        print(f"{f'proves {ratio} alone':36}" + "".join(f"{each:16.1%}" for each in proven))


def prove_followed(options: argparse.Namespace) -> None:
    """Prints the ratio of a learned policy's plan cost to the bound of the initial state: no search is needed."""
    ratios: list[float] = []
    for name, words in tasks(options):
        policy = options.policies / f"{Path(name).parts[1]}.policy"
        if not name.startswith("learning") or not policy.exists():
            continue
        task = fsplan.load(*words)
        cost = fsplan.solve(task, search="follow", policy=str(policy), time_limit=options.search_seconds).cost
        found = bound(task, time_limit=options.seconds, enough=cost)
        ratios.append(cost / found.value if cost is not None and found.value else float("inf"))
        print(
            f"{name:60} plan {cost} bound {found.value} ({found.method}) ratio {ratios[-1]:.3f} {found.seconds:.2f}s",
            flush=True,
        )
    print(f"\n{len(ratios)} tasks")
    for limit in RATIOS:
        print(f"{f'proven at {limit}':36}{sum(ratio <= limit + 1e-9 for ratio in ratios) / max(1, len(ratios)):.1%}")


def search_rate(words: list[str], heuristic: str, seconds: float) -> tuple[float, float]:
    """Returns A*'s evaluations per CPU second, and its CPU seconds without the time that preparing a search takes."""
    task = fsplan.load(*words)
    started = process_time()
    fsplan.solve(task, search="astar", heuristic=heuristic, expansion_limit=1)
    prepared = process_time()
    result = fsplan.solve(task, search="astar", heuristic=heuristic, time_limit=seconds)
    used = max(process_time() - prepared - (prepared - started), 1e-9)
    statistics: Any = result.statistics
    return statistics["evaluated"] / used, used


def compare_rates(options: argparse.Namespace) -> None:
    """Compares the evaluation rates of A* with lmcut and scp on tasks that take both long enough to be measured."""
    ratios = []
    for name, words in tasks(options):
        rate: dict[str, float] = {}
        for heuristic in ("lmcut", "scp"):
            rate[heuristic], used = search_rate(words, heuristic, options.seconds)
            if used < options.shortest:
                break
        else:
            ratios.append(rate["scp"] / rate["lmcut"])
            print(f"{name:60} lmcut {rate['lmcut']:10.0f}/s  scp {rate['scp']:10.0f}/s  {ratios[-1]:8.1f}x", flush=True)
    if ratios:
        print(f"\n{len(ratios)} tasks: geometric mean {exp(sum(map(log, ratios)) / len(ratios)):.1f}x")


def read_slice(text: str) -> tuple[int, int]:
    first, _, last = text.partition(":")
    return int(first), int(last)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--tasks", type=lambda text: text.split(","), default=[], help="parts of names, joined by commas"
    )
    parser.add_argument("--every", type=int, default=4, help="every n-th task")
    parser.add_argument("--slice", type=read_slice, default=(0, None), metavar="I:J", help="of these only I to J - 1")
    parser.add_argument("--seconds", type=float, default=3.0, help="per task")
    parser.add_argument("--search-seconds", type=float, default=5.0, help="for a plan where none is known")
    parser.add_argument("--improve", action="store_true", help="search where the bound is below the best known cost")
    parser.add_argument("--best", type=Path, default=ROOT / "results" / "best_known.json", help="best known costs")
    parser.add_argument("--no-prune", action="store_true", help="keep what pairs of facts exclude")
    parser.add_argument("--rates", action="store_true", help="compare evaluations per CPU second instead")
    parser.add_argument(
        "--shortest", type=float, default=0.05, help="with --rates: CPU seconds that a search must take"
    )
    parser.add_argument("--policies", type=Path, metavar="FOLDER", help="follow these policies instead of searching")
    options = parser.parse_args()
    if options.policies:
        prove_followed(options)
    else:
        (compare_rates if options.rates else compare_bounds)(options)


if __name__ == "__main__":
    main()
