"""Searches on Korf's 100 15-puzzles."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from time import process_time
from typing import Any

from benches.base import ROOT, Table
from fsplan.domains import specs
from fsplan.domains.instances import KORF_COUNT, korf_cost
from fsplan.planner.policies.registry import resolve
from fsplan.planner.search.solve import solve

# Numbers of Korf's instances that IDA* with linear conflict solves within seconds.
EASY = [f"tiles15:korf/{number}" for number in (12, 30, 42, 47, 48, 55, 79)]
FOCAL = {"search": "focal", "order": "disc2", "ties": "h,newest", "paper": True}


def puzzles(options: Namespace) -> None:
    """Weighted A*, focal search with a network and IDA*: counts, and rates per CPU second.

    `--slice 0:20` has the first 20 instances. Options (`--option NAME=VALUE`) are w (2,1.5,1.2), policy (tiles15),
    databases (pdb663, pdb78 or none), and against (another built source tree, whose rates are compared with ours: the
    trees run alternately, --rounds times, and the fastest run counts).
    """
    given = {"w": "2,1.5,1.2", "policy": "tiles15", "databases": "pdb663"}
    given |= dict(word.split("=", 1) for word in options.option)
    if "against" in given:
        compare(Path(given["against"]), options.rounds)
        return
    first, last = (int(number) if number else None for number in options.slice.split(":"))
    names = [f"tiles15:korf/{number}" for number in range(1, KORF_COUNT + 1)][first:last]
    policy = resolve(given["policy"], specs.load(names[0]))
    columns = {"work": ">13,", "cost": ">6", "cpu": ">8.3f", "per second": ">11,.0f", "bytes/node": ">10.1f"}
    table = Table("search", 32, columns)
    for w in given["w"].split(","):
        shared: dict[str, Any] = {"w": w, "heuristic": "linear_conflict"}
        report(table, f"wastar w={w}", names, {**shared, "search": "wastar"})
        report(table, f"focal disc2 w={w}", names, {**shared, **FOCAL, "policy": policy})
        report(table, f"focal disc2 deepen=16 w={w}", names, {**shared, **FOCAL, "policy": policy, "deepen": 16})
    report(table, "idastar linear_conflict", EASY, {"search": "idastar", "heuristic": "linear_conflict"}, "generated")
    if given["databases"] != "none":
        search: dict[str, Any] = {"search": "idastar", "heuristic": given["databases"]}
        solve(specs.load(EASY[-1]), **search)  # builds missing pattern databases
        report(table, f"idastar {given['databases']}", names, search, "generated")


def report(table: Table, title: str, names: list[str], options: dict[str, Any], what: str = "expanded") -> None:
    tasks = [specs.load(name) for name in names]
    begin = process_time()
    results = [solve(task, **options) for task in tasks]
    cpu = process_time() - begin
    if what == "generated":
        assert [result.cost for result in results] == [korf_cost(int(name.split("/")[1])) for name in names]
    counts = [result.statistics for result in results]
    work, nodes = sum(count[what] for count in counts), sum(count["registered"] for count in counts)
    memory = sum(count["node_bytes"] * count["registered"] for count in counts) / nodes if nodes else None
    table.add(title, work, sum(result.cost or 0 for result in results), cpu, work / cpu, memory)


def compare(other: Path, rounds: int) -> None:
    words = sys.argv[1:]
    place = next(number for number, word in enumerate(words) if word.startswith("against="))
    del words[place - 1 : place + 1]
    best: dict[Path, dict[str, tuple[str, float]]] = {ROOT: {}, other: {}}
    for _ in range(rounds):
        for tree, rates in best.items():
            environment = os.environ | {"PYTHONPATH": str(tree / "build" / "typing")}
            command = [sys.executable, str(ROOT / "scripts" / "bench.py"), *words]
            answer = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
            for name, work, rate in re.findall(r"^(\S.*?) +([\d,]+) +\d+ +\S+ +([\d,]+) ", answer, re.MULTILINE):
                rates[name] = work, max(float(rate.replace(",", "")), rates.get(name, ("", 0.0))[1])
    table = Table("search", 32, {"per second": ">12,.0f", "other": ">12,.0f", "ratio": ">6.3f"})
    for name, (work, rate) in best[ROOT].items():
        other_work, other_rate = best[other][name]
        note = "" if work == other_work else f"not the same work: {work} and {other_work}"
        table.add(name, rate, other_rate, rate / other_rate, note=note)


SUITES = {"puzzles": puzzles}
