"""Shared by the suites: the choice of tasks, processes with their time and memory, and tables."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from math import inf, nan
from pathlib import Path
from statistics import geometric_mean
from threading import Timer
from time import monotonic
from typing import Any, NamedTuple

from fsplan.planner.experiments.suites import TaskName, discover

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("FSPLAN_SHARED", ROOT.parent / "shared"))
BENCHMARKS = Path(os.environ.get("FSPLAN_BENCHMARKS", SHARED / "benchmarks"))
# Without the variable, Python stores compiled bytecode, as for an installed planner.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def file_size(task: TaskName) -> int:
    return sum(Path(file).stat().st_size for file in task.files)


def learning_tasks() -> list[TaskName]:
    """Returns the easy test tasks of the learning track, named learning/DOMAIN/PROBLEM."""
    found = []
    for problem in sorted((SHARED / "learning").glob("*/testing/easy/*.pddl")):
        domain = problem.parents[2]
        files = (str(domain / "domain.pddl"), str(problem))
        found.append(TaskName(f"learning/{domain.name}/{problem.stem}", domain.name, files))
    return found


def chosen_tasks(options: Namespace, learning: bool = False) -> list[TaskName]:
    """Returns the benchmark tasks that the options select: --which, --tasks, --every, --slice."""
    if not BENCHMARKS.is_dir():
        raise SystemExit(f"no benchmark tasks at {BENCHMARKS}; set FSPLAN_BENCHMARKS")
    found = list(discover(BENCHMARKS)) + (learning_tasks() if learning else [])
    if options.which != "all":
        domains = [list(tasks) for _, tasks in groupby(found, key=lambda task: task.domain)]
        found = [one_of(tasks, options.which) for tasks in domains]
    words = options.tasks.split(",") if options.tasks else [""]
    first, last = (int(number) if number else None for number in options.slice.split(":"))
    return [task for task in found if any(word in task.name for word in words)][:: options.every][first:last]


def one_of(tasks: list[TaskName], which: str) -> TaskName:
    if which == "largest":
        return max(tasks, key=file_size)
    return tasks[{"first": 0, "middle": len(tasks) // 2, "last": -1}[which]]


class Ended(NamedTuple):
    """A process that has ended: exit code, seconds, CPU seconds, peak of resident memory in MB, and its output."""

    code: int
    seconds: float
    cpu: float
    memory: float
    output: str
    errors: str

    @property
    def message(self) -> str:
        return (self.errors.splitlines() or [f"exit code {self.code}"])[-1]


def run(
    command: Sequence[object],
    most_seconds: float = inf,
    *,
    environment: Mapping[str, str] | None = None,
    folder: str | Path = "/",
    stdin: Path | None = None,
    interrupt_after: float | None = None,
) -> Ended:
    """Runs a command. It gets Ctrl-C after `interrupt_after` seconds, and `Ended.seconds` is counted from then.

    The peak memory of a process includes that of its parent at the fork, so the small program `time` is the parent.
    """
    begin = monotonic()
    with tempfile.NamedTemporaryFile("r") as figures, open(stdin or os.devnull) as given:
        process = subprocess.Popen(
            ["/usr/bin/time", "-f", "%U %S %M", "-o", figures.name, *map(str, command)],
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**ENVIRONMENT, **(environment or {})},
            start_new_session=True,
        )
        timers = [Timer(min(most_seconds, 86_400), send, (process.pid, signal.SIGKILL))]
        if interrupt_after is not None:
            begin += interrupt_after
            timers.append(Timer(interrupt_after, send, (process.pid, signal.SIGINT)))
        for timer in timers:
            timer.start()
        try:
            output, errors = process.communicate()
        finally:
            for timer in timers:
                timer.cancel()
        numbers = (figures.read().splitlines() or ["0 0 0"])[-1].split()
    user, system, memory = map(float, numbers)
    return Ended(process.returncode, monotonic() - begin, user + system, memory / 1024, output, errors)


def send(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # the process has ended in the meantime
        os.killpg(group, number)


def python(*words: object, **limits: Any) -> Ended:
    return run([sys.executable, *words], **limits)


class Table:
    """A printed table. `columns` maps titles to the formats of cells, which have a width: ">9.2f"."""

    def __init__(self, title: str, width: int, columns: dict[str, str]) -> None:
        self.width, self.columns = width, columns
        self.rows: dict[str, list[Any]] = {}
        cells = [f"{name.strip():>{width_of(form)}}" for name, form in columns.items()]
        print(f"\n{title:{width}}", *cells, flush=True)

    def add(self, name: str, *cells: Any, note: object = "") -> None:
        """Prints a row at once. A cell that is None or a text is printed as such and is not part of means."""
        self.rows[name] = list(cells)
        texts = [self._cell(cell, form) for cell, form in zip(cells, self.columns.values(), strict=False)]
        print(f"{name[-self.width :]:{self.width}}", *texts, note, flush=True)

    def _cell(self, cell: Any, form: str) -> str:
        if cell is None or isinstance(cell, str):
            return f"{cell or '-':>{width_of(form)}}"
        return format(cell, form)

    def column(self, name: str) -> list[float]:
        place = list(self.columns).index(name)
        cells = [row[place] for row in self.rows.values() if len(row) > place]
        return [cell for cell in cells if isinstance(cell, int | float)]

    def print_ratios(self, *names: str) -> None:
        """Prints the geometric mean, the least and the greatest value of these columns."""
        for name in names:
            ratios = [max(ratio, 1e-9) for ratio in self.column(name)]
            mean = geometric_mean(ratios) if ratios else nan
            print(
                f"{name.strip()}: geometric mean {mean:.2f} over {len(ratios)} tasks, "
                f"least {min(ratios, default=nan):.2f}, greatest {max(ratios, default=nan):.2f}"
            )


def width_of(form: str) -> int:
    return int("".join(letter for letter in form.split(".")[0] if letter.isdigit()))
