"""Measures overruns: large tasks under tight time and memory limits, Ctrl-C, and Python tasks that hang.

    python scripts/overruns.py --tasks 20

The tasks are the largest of each shared domain by file size, starting with the largest domains. Every run is a process
`fsplan DOMAIN PROBLEM` with no option but the limit. Printed for each limit are the worst overruns and their tasks.
fsplan promises at most one second or 5 % beyond a time limit, a few megabytes beyond a memory limit, and an end within
one second of Ctrl-C in every phase, even in the user's Python code. The machine should be idle otherwise.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from benchmark_tasks import tasks  # noqa: E402
from support import BENCHMARKS  # noqa: E402

TIMES = (0.1, 1.0, 5.0)  # seconds
MEMORY = (30, 60, 120, 250, 500)  # MB
INTERRUPTS = (0.2, 0.5, 1.0, 2.0)  # seconds after the start of the process
START = 0.5  # seconds that Python needs to start and to end
# Documented exit codes; -2 means that Ctrl-C came before Python had started.
EXPECTED = {-2, 0, 1, 2, 11, 12, 20, 21, 22, 23, 24, 34, 130}

HANGING = """
import time, fsplan
class Hanging:
    start, actions = 0, ["step"]
    def successors(self, state):
        {hang}
        return [("step", 1, state + 1)]
    def is_goal(self, state):
        return False
    def heuristic(self, state):
        return 0
fsplan.solve(Hanging(), search="astar", time_limit={limit})
"""
HANGS = {"asleep": "time.sleep(60)", "busy": "while True: pass"}


@dataclass
class Ended:
    """A process that has ended: its seconds, exit code and peak memory in MB."""

    seconds: float
    code: int
    megabytes: float


def run(words: list[str], interrupt_after: float | None = None) -> Ended:
    """Runs Python with these arguments. With Ctrl-C, the seconds are counted from the signal to the end."""
    begin = monotonic()
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if interrupt_after is not None:
        sleep(interrupt_after)
        begin = monotonic()
        os.kill(process.pid, signal.SIGINT)  # unlike send_signal, this does not reap a process that has ended
    _, status, usage = os.wait4(process.pid, 0)
    return Ended(monotonic() - begin, os.waitstatus_to_exitcode(status), usage.ru_maxrss / 1024)


def heavy_tasks(count: int) -> list[tuple[Path, Path]]:
    largest = [
        max(tasks(folder), key=lambda pair: pair[1].stat().st_size)
        for folder in sorted(BENCHMARKS.iterdir())
        if folder.is_dir() and tasks(folder)
    ]
    return sorted(largest, key=lambda pair: -pair[1].stat().st_size)[:count]


def name(pair: tuple[Path, Path]) -> str:
    return f"{pair[1].parent.name}/{pair[1].stem}"


def report(what: str, promised: float, over: list[tuple[float, str]], unit: str) -> bool:
    """Prints the three worst overruns; returns whether no overrun exceeds the promised maximum."""
    over = sorted(over, reverse=True)
    worst = ", ".join(f"{amount:+.2f} {unit} {who}" for amount, who in over[:3])
    broken = sum(amount > promised for amount, _ in over)
    print(
        f"{what:24} {len(over):3} runs, promised {promised:+.2f} {unit}, broken {broken:2}; worst: {worst}", flush=True
    )
    return broken == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=20)
    parser.add_argument("--only", default="time,memory,interrupt,python")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell makes its background jobs ignore SIGINT
    pairs, parts, kept, strange = heavy_tasks(options.tasks), options.only.split(","), True, []

    def ended(pair: tuple[Path, Path], *words: str, interrupt: float | None = None) -> Ended:
        end = run(["-m", "fsplan", *map(str, pair), "--quiet", *words], interrupt)
        if end.code not in EXPECTED:
            strange.append(f"{name(pair)} {' '.join(words)}: exit code {end.code}")
        return end

    for limit in TIMES if "time" in parts else ():
        over = [(ended(pair, "--time-limit", f"{limit}s").seconds - limit - START, name(pair)) for pair in pairs]
        kept &= report(f"--time-limit {limit}s", max(1.0, 0.05 * limit), over, "s")
    for megabytes in MEMORY if "memory" in parts else ():
        words = ("--memory-limit", f"{megabytes}MB", "--time-limit", "5s")
        over = [(ended(pair, *words).megabytes - megabytes, name(pair)) for pair in pairs]
        kept &= report(f"--memory-limit {megabytes}MB", max(40.0 - megabytes, 5.0), over, "MB")
    for after in INTERRUPTS if "interrupt" in parts else ():
        over = [(ended(pair, "--time-limit", "20s", interrupt=after).seconds, name(pair)) for pair in pairs]
        kept &= report(f"Ctrl-C after {after}s", 1.0, over, "s")
    if "python" in parts:
        kept &= python_tasks()
    for line in strange:
        print(line)
    return 0 if kept and not strange else 1


def python_tasks() -> bool:
    kept = True
    for who, hang in HANGS.items():
        over = [(run(["-c", HANGING.format(hang=hang, limit=1)]).seconds - 1 - START, who)]
        kept &= report(f"Python task, {who}", 1.0, over, "s")
        over = [(run(["-c", HANGING.format(hang=hang, limit=60)], interrupt_after=1.5).seconds, who)]
        kept &= report("  Ctrl-C", 1.0, over, "s")
    return kept


if __name__ == "__main__":
    sys.exit(main())
