"""Compares `fsplan ground` with Fast Downward's translator and tarski, and solves its `.sas` files by Fast Downward."""

from __future__ import annotations

import re
import tempfile
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from benches.base import Ended, Table, chosen_tasks, python, run
from benches.planners import downward_folder, translate
from fsplan.planner.experiments.suites import TaskName

TARSKI = """
import sys
from tarski.grounding import LPGroundingStrategy
from tarski.io import PDDLReader
reader = PDDLReader(raise_on_error=True)
reader.parse_domain(sys.argv[1])
grounding = LPGroundingStrategy(reader.parse_instance(sys.argv[2]))
grounding.ground_actions()
grounding.ground_state_variables()
"""
UNSUPPORTED = 34  # exit code of Fast Downward
LARGE_MEMORY = 100.0  # MB; memory is compared only on tasks where the other program's peak is at least this


def grounding(options: Namespace) -> None:
    """CPU seconds and memory of grounding, for whole processes; a ratio above 1: fsplan is better.

    `--which largest` has the largest task of every domain. --only translator or --only tarski leaves out the other one.
    """
    others = options.only.split(",") if options.only else ["translator", "tarski"]
    others = [name for name in others if name != "tarski" or (find_spec("tarski") and find_spec("clingo"))]
    columns = {"fsplan s": ">9.2f", "MB": ">6.0f"}
    for name in others:
        columns |= {f"{name} s": ">12.2f", f"MB {name}": ">14.0f", f"{name} ×": ">12.1f", f"MB × {name}": ">15.1f"}
    table = Table("grounding", 44, columns)
    with tempfile.TemporaryDirectory() as folder:
        for task in chosen_tasks(options):
            ours = fastest("fsplan", task, options, Path(folder))
            cells: list[object] = [ours.cpu, ours.memory] if ours.code == 0 else [ours.message, None]
            for name in others:
                cells += compared(ours, fastest(name, task, options, Path(folder)))
            table.add(task.name, *cells)
    table.print_ratios(*(column for name in others for column in (f"{name} ×", f"MB × {name}")))


def fastest(program: str, task: TaskName, options: Namespace, folder: Path) -> Ended:
    runs = [once(program, task, options.seconds, folder) for _ in range(options.rounds)]
    return min(runs, key=lambda ended: (ended.code != 0, ended.cpu))


def once(program: str, task: TaskName, seconds: float, folder: Path) -> Ended:
    if program == "translator":
        return translate(task.files, folder / "output.sas", seconds)
    words = ["-m", "fsplan", "ground"] if program == "fsplan" else ["-c", TARSKI]
    return python(*words, *task.files, most_seconds=seconds, folder=folder)


def compared(ours: Ended, other: Ended) -> list[object]:
    if other.code != 0 or ours.code != 0:
        return ["timeout" if other.code == -9 else other.message[:12] if other.code else None, None, None, None]
    memory = other.memory / ours.memory if other.memory >= LARGE_MEMORY else None
    return [other.cpu, other.memory, other.cpu / ours.cpu, memory]


def sas(options: Namespace) -> None:
    """Fast Downward's A* on the `.sas` files of fsplan and of its own translator: do they have the same optimum?

    The heuristic is LM-cut, or blind for tasks with axioms or conditional effects, which LM-cut does not support.
    """
    table = Table("optimum", 44, {"fsplan": ">8.0f", "translator": ">10.0f", "expanded": ">9.0f", "by theirs": ">9.0f"})
    different, limit = [], 20 * options.seconds  # of grounding, in wall-clock seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for task in chosen_tasks(options):
            words = ["-m", "fsplan", "ground", *task.files, "-o", folder / "ours.sas"]
            ours = solved(python(*words, most_seconds=limit), folder / "ours.sas", options.seconds)
            written = translate(task.files, folder / "theirs.sas", limit)
            theirs = solved(written, folder / "theirs.sas", options.seconds)
            table.add(task.name, ours.get("cost"), theirs.get("cost"), ours.get("expanded"), theirs.get("expanded"))
            if ours and theirs and ours["cost"] != theirs["cost"]:
                different.append(task.name)
    both = sum(None not in row[:2] for row in table.rows.values())
    print(f"of {len(table.rows)} tasks {both} are solved with both files; other optimum: {different or 'none'}")


def solved(written: Ended, sas: Path, seconds: float) -> dict[str, float]:
    """Cost and expansions of A* on a file, or nothing if it was not solved within the seconds."""
    program = downward_folder() / "builds" / "release" / "bin" / "downward"
    for heuristic in ("lmcut()", "blind()") if written.code == 0 else ():
        command = ["prlimit", f"--cpu={round(seconds)}", "--as=4000000000", program]
        command += ["--internal-plan-file", f"{sas}.plan", "--search", f"astar({heuristic})"]
        ended = run(command, 20 * seconds, stdin=sas)
        numbers = re.findall(r"Plan cost: (\d+)|Expanded (\d+) state", ended.output)
        if ended.code == 0:
            cost, expanded = (float(next(filter(None, found))) for found in numbers)
            return {"cost": cost, "expanded": expanded}
        if ended.code != UNSUPPORTED:
            break
    return {}


SUITES = {"grounding": grounding, "sas": sas}
