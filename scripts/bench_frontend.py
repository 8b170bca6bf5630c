#!/usr/bin/env python3
"""Times `fsplan ground`, Fast Downward's translator and tarski + clingo, run in turn on the same tasks.

    python scripts/bench_frontend.py [--quick] [--repeat 3] [--timeout 300] [--only airport …] [--json FILE]

All figures are for a whole process, including the start of the interpreter: wall and CPU time in seconds (the minimum
of the repeats) and peak memory in MB. The tasks are the largest of every domain in the benchmark folder
(FSPLAN_BENCHMARKS, or ../shared/benchmarks) and some well-known large ones. A ratio is the other program's value
divided by fsplan's: above 1, fsplan is better.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from statistics import geometric_mean
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = Path(os.environ.get("FSPLAN_BENCHMARKS", ROOT.parent / "shared" / "benchmarks"))
KNOWN_LARGE = (
    "logistics98/prob28.pddl",
    "satellite/p33-HC-pfile13.pddl",
    "rovers/p40.pddl",
    "airport/p50-airport5MUC-p15.pddl",
    "pipesworld-tankage/p50-net5-b30-g8-t50.pddl",
    "nomystery-opt11-strips/p20.pddl",
    "organic-synthesis-split-opt18-strips/p20.pddl",
)
QUICK = ("blocks", "gripper", "logistics98", "rovers", "depot", "miconic-fulladl", "psr-middle")
LARGE_MEMORY = 100.0  # MB; memory is compared only on tasks where the translator's peak is at least this

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


class Measurement(NamedTuple):
    """Time and memory of one process, or the minima of several. `failure` is empty if the process succeeded."""

    wall: float
    cpu: float
    memory: float
    failure: str = ""


class Task(NamedTuple):
    domain: Path
    problem: Path

    @property
    def name(self) -> str:
        return f"{self.problem.parent.name}/{self.problem.stem}"

    @property
    def size(self) -> int:
        return self.domain.stat().st_size + self.problem.stat().st_size


def domain_of(problem: Path) -> Path:
    first = problem.stem.split("-")[0]
    forms = ("domain.pddl", f"domain-{first}.pddl", f"domain_{first}.pddl", f"{first}-domain.pddl")
    return next(problem.with_name(form) for form in forms if problem.with_name(form).exists())


def tasks_of(folder: Path) -> list[Task]:
    return [Task(domain_of(path), path) for path in sorted(folder.glob("*.pddl")) if "domain" not in path.name]


def chosen_tasks(only: list[str]) -> list[Task]:
    folders = [folder for folder in sorted(BENCHMARKS.iterdir()) if folder.is_dir()]
    tasks = [max(tasks_of(folder), key=lambda task: task.size) for folder in folders]
    known = [BENCHMARKS / name for name in KNOWN_LARGE]
    tasks += [Task(domain_of(path), path) for path in known if path.exists()]
    wanted = [task for task in dict.fromkeys(tasks) if not only or task.problem.parent.name in only]
    return sorted(wanted, key=lambda task: task.name)


def translator_folder() -> Path | None:
    found = find_spec("up_fast_downward")
    if found is None or not found.submodule_search_locations:
        return None
    return Path(found.submodule_search_locations[0]) / "downward" / "builds" / "release" / "bin"


def programs(scratch: Path) -> dict[str, tuple[list[str], dict[str, str]]]:
    """Returns command and additional environment by program name; the task's two files are appended to the command."""
    python = sys.executable
    result: dict[str, tuple[list[str], dict[str, str]]] = {"fsplan": ([python, "-m", "fsplan", "ground"], {})}
    folder = translator_folder()
    if folder is not None:
        command = [python, "-m", "fast_downward.translate", "--sas-file", str(scratch / "output.sas")]
        result["translator"] = (command, {"PYTHONPATH": str(folder)})
    if find_spec("tarski") and find_spec("clingo"):
        result["tarski"] = ([python, "-c", TARSKI], {})
    return result


def measure(command: list[str], environment: dict[str, str], folder: Path, timeout: float) -> Measurement:
    before = time.perf_counter()
    process = subprocess.Popen(
        command,
        env=environment,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    timer = threading.Timer(timeout, lambda: os.killpg(process.pid, 9))
    timer.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
    except KeyboardInterrupt:
        os.killpg(process.pid, 9)
        raise
    finally:
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    failure = "" if process.returncode == 0 else "timeout" if process.returncode == -9 else f"exit {process.returncode}"
    wall = time.perf_counter() - before
    return Measurement(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, failure)


def best(measurements: list[Measurement]) -> Measurement:
    failures = [one for one in measurements if one.failure]
    if failures:
        return failures[0]
    return Measurement(*map(min, zip(*((one.wall, one.cpu, one.memory) for one in measurements), strict=True)))


def run(tasks: list[Task], repeat: int, timeout: float) -> dict[str, dict[str, Measurement]]:
    results: dict[str, dict[str, Measurement]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        # A first run of each program writes its bytecode, because installed packages have compiled bytecode, too.
        base = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        base["PYTHONPYCACHEPREFIX"] = str(Path(scratch) / "bytecode")
        contenders = programs(Path(scratch))

        def once(name: str, task: Task) -> Measurement:
            command, more = contenders[name]
            files = [str(task.domain), str(task.problem)]
            return measure(command + files, {**base, **more}, Path(scratch), timeout)

        for name in contenders:
            once(name, min(tasks, key=lambda task: task.size))
        for task in tasks:
            taken: dict[str, list[Measurement]] = {name: [] for name in contenders}
            for _ in range(repeat):
                for name, found in taken.items():
                    if not found or not found[-1].failure:
                        found.append(once(name, task))
            results[task.name] = {name: best(found) for name, found in taken.items()}
            print(line(task.name, results[task.name]), flush=True)
    return results


def line(name: str, row: dict[str, Measurement]) -> str:
    cells = [f"{name[-44:]:44}"]
    for one in row.values():
        cells.append(f"{one.failure:>24}" if one.failure else f"{one.wall:8.2f}{one.cpu:8.2f}{one.memory:8.0f}")
    ours, theirs = row["fsplan"], row.get("translator")
    if theirs is not None and not ours.failure and not theirs.failure:
        cells.append(f"{theirs.wall / ours.wall:7.1f}{theirs.cpu / ours.cpu:7.1f}{theirs.memory / ours.memory:7.1f}")
    return "  ".join(cells)


def summary(results: dict[str, dict[str, Measurement]]) -> list[str]:
    lines = []
    for name in ("translator", "tarski"):
        pairs = [(row["fsplan"], row[name]) for row in results.values() if name in row]
        pairs = [(ours, theirs) for ours, theirs in pairs if not ours.failure and not theirs.failure]
        if not pairs:
            continue
        wall = [theirs.wall / ours.wall for ours, theirs in pairs]
        cpu = [theirs.cpu / ours.cpu for ours, theirs in pairs]
        large = [theirs.memory / ours.memory for ours, theirs in pairs if theirs.memory > LARGE_MEMORY]
        lines.append(
            f"against {name}, {len(pairs)} tasks: geometric mean {geometric_mean(wall):.1f}x in wall time,"
            f" {geometric_mean(cpu):.1f}x in CPU time; least {min(wall):.1f}x and {min(cpu):.1f}x;"
            f" memory where it needs over {LARGE_MEMORY:.0f} MB ({len(large)} tasks):"
            f" {f'at least {min(large):.1f}x less' if large else '-'}"
        )
    failed = [
        f"{task} {name} {one.failure}" for task, row in results.items() for name, one in row.items() if one.failure
    ]
    return [*lines, f"not finished: {'; '.join(failed)}" if failed else "all finished"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="seven domains, one run each, ten seconds")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds per run")
    parser.add_argument("--only", nargs="*", default=[], help="names of domain folders")
    parser.add_argument("--json", type=Path, help="write the measurements here")
    options = parser.parse_args()
    if not BENCHMARKS.is_dir():
        parser.error(f"no benchmark tasks at {BENCHMARKS}; set FSPLAN_BENCHMARKS")
    repeat, timeout = (1, 10.0) if options.quick else (options.repeat, options.timeout)
    tasks = chosen_tasks(options.only or (list(QUICK) if options.quick else []))
    if not tasks:
        parser.error(f"no tasks in {BENCHMARKS} for {' '.join(options.only)}")
    print(f"{'':44}{'fsplan':>26}{'translator':>26}{'tarski':>26}{'translator / fsplan':>23}")
    figures = f"{'wall':>8}{'CPU':>8}{'MB':>8}"
    print(f"{'task':44}  {figures}  {figures}  {figures}  {'wall':>7}{'CPU':>7}{'MB':>7}")
    results = run(tasks, repeat, timeout)
    print(*summary(results), sep="\n")
    if options.json:
        rows = {task: {name: one._asdict() for name, one in row.items()} for task, row in results.items()}
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
