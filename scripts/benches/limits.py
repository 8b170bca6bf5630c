"""How far fsplan goes beyond its limits."""

from __future__ import annotations

import signal
from argparse import Namespace

from benches.base import Ended, chosen_tasks, file_size, python

TIMES = (0.1, 1.0, 5.0)  # seconds
MEMORY = (30, 60, 120, 250, 500)  # MB
INTERRUPTS = (0.2, 0.5, 1.0, 2.0)  # seconds after the start of the process
START = 0.5  # seconds that Python needs to start and to end
# Documented exit codes, and those of a Ctrl-C before Python had started.
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


def limits(options: Namespace) -> None:
    """Overruns of time and memory limits and of Ctrl-C, also in Python tasks that hang.

    `--which largest --slice 0:20` selects the largest task of each of the 20 domains with the largest tasks. --only
    selects among time, memory, interrupt and python. fsplan promises at most 1 s or 5 % beyond a time limit, 5 MB above
    a memory limit (40 MB are the least), and an end within one second of Ctrl-C. The machine should be idle otherwise.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell makes its background jobs ignore SIGINT
    chosen, sliced = options.only or "time,memory,interrupt,python", options.slice
    options.slice = ":"
    first, last = (int(number) if number else None for number in sliced.split(":"))
    tasks = sorted(chosen_tasks(options), key=file_size, reverse=True)[first:last]

    def runs(*words: str, interrupt: float | None = None) -> dict[str, Ended]:
        ends = {}
        for task in tasks:
            ends[task.name] = python("-m", "fsplan", *task.files, "--quiet", *words, interrupt_after=interrupt)
            if ends[task.name].code not in EXPECTED:
                print(f"{task.name} {' '.join(words)}: exit code {ends[task.name].code}")
        return ends

    for limit in TIMES if "time" in chosen else ():
        ends = runs("--time-limit", f"{limit}s")
        over = {name: end.seconds - limit - START for name, end in ends.items()}
        report(f"--time-limit {limit}s", max(1.0, 0.05 * limit), over, "s")
    for megabytes in MEMORY if "memory" in chosen else ():
        ends = runs("--memory-limit", f"{megabytes}MB", "--time-limit", "5s")
        over = {name: end.memory - megabytes for name, end in ends.items()}
        report(f"--memory-limit {megabytes}MB", max(40.0 - megabytes, 5.0), over, "MB")
    for after in INTERRUPTS if "interrupt" in chosen else ():
        ends = runs("--time-limit", "20s", interrupt=after)
        report(f"Ctrl-C after {after}s", 1.0, {name: end.seconds for name, end in ends.items()}, "s")
    if "python" in chosen:
        hung = {who: python("-c", HANGING.format(hang=hang, limit=1)) for who, hang in HANGS.items()}
        report("Python task", 1.0, {who: end.seconds - 1 - START for who, end in hung.items()}, "s")
        hung = {w: python("-c", HANGING.format(hang=h, limit=60), interrupt_after=1.5) for w, h in HANGS.items()}
        report("Python task, Ctrl-C", 1.0, {who: end.seconds for who, end in hung.items()}, "s")


def report(what: str, promised: float, over: dict[str, float], unit: str) -> None:
    """Prints the three worst overruns, and how many exceed the promised maximum."""
    worst = sorted(over, key=lambda name: -over[name])[:3]
    broken = sum(amount > promised for amount in over.values())
    print(f"{what:24} {len(over):3} runs, promised {promised:+.2f} {unit}, broken {broken:2}; worst: "
          + ", ".join(f"{over[name]:+.2f} {unit} {name}" for name in worst), flush=True)  # fmt: skip


SUITES = {"limits": limits}
