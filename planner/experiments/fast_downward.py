"""Runs Fast Downward for comparison, if the package up-fast-downward is installed (`fsplan[compare]`).

Fast Downward prints no lower bound, so it is derived from the cost of the plan: A* proves the cost itself, and weighted
A* proves the cost divided by w, rounded up. Greedy searches prove no bound.
"""

from __future__ import annotations

import math
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fsplan.pddl.costs import from_units, plain
from fsplan.pddl.syntax import Problem
from fsplan.pddl.whole_costs import with_whole_costs
from fsplan.pddl.writer import write_domain, write_problem
from fsplan.planner.experiments.execute import check
from fsplan.planner.experiments.records import SOLVED, Run
from fsplan.planner.search.result import proven_ratio
from fsplan.planner.sources.pddl import read_problem

EXECUTOR = "fsplan.planner.experiments.fast_downward:prepare"
PLANNER = "fast-downward"
HEURISTICS = {"lmcut": "lmcut()", "hmax": "hmax()", "blind": "blind()"}
_FF = ("--evaluator", "f=ff()", "--search")


@dataclass(frozen=True)
class Search:
    """A search of Fast Downward. In its command line, {h} is replaced by the heuristic and {key} by g + w·h."""

    name: str
    summary: str
    words: tuple[str, ...]
    reads: tuple[str, ...] = ()
    proves: str = "nothing"


SEARCHES = {
    each.name: each
    for each in (
        Search("fd-astar", "A*", ("--search", "astar({h})"), ("heuristic",), "optimal"),
        Search(
            "fd-wastar",
            "eager search with key g + w·h and re-opening; its weights are integers, so w = 1.5 is 2g + 3h",
            ("--search", "eager(single({key}),reopen_closed=true)"),
            ("heuristic", "w"),
            "w",
        ),
        Search(
            "fd-eager-pref",
            "eager greedy search with FF, preferred operators and boost",
            (*_FF, "eager_greedy([f],preferred=[f],boost=1000)"),
        ),
        Search(
            "fd-lazy",
            "lazy greedy search with FF, preferred operators and boost",
            (*_FF, "lazy_greedy([f],preferred=[f],boost=1000)"),
        ),
        Search("fd-lama", "the first iteration of LAMA", ("--alias", "lama-first")),
    )
}
_STATUS = {
    0: SOLVED,
    1: "memout",
    2: "timeout",
    3: "timeout",
    10: "unsolvable",
    11: "unsolvable",
    12: "not_found",
    20: "memout",
    21: "timeout",
    22: "memout",
    23: "timeout",
    24: "timeout",
    34: "unsupported",
    256 - signal.SIGXCPU: "timeout",  # exit code if the signal ends the translator, which does not catch it
}
# Variables removed from the environment, so that the Python programs of Fast Downward do not import our modules.
_OWN_PATHS = ("PYTHONPATH", "PYTHONSAFEPATH")
_NUMBERS = {
    "cost": r"Plan cost: (\d+)",
    "plan_length": r"Plan length: (\d+) step",
    "expansions": r"Expanded (\d+) state",
    "reopened": r"Reopened (\d+) state",
    "evaluated": r"Evaluated (\d+) state",
    "generated": r"Generated (\d+) state",
}


def driver() -> Path | None:
    """The path of fast-downward.py in the installed package; None if it is not installed."""
    found = find_spec("up_fast_downward")
    for folder in (found.submodule_search_locations or []) if found else []:
        path = Path(folder) / "downward" / "fast-downward.py"
        if path.is_file():
            return path
    return None


def required_driver() -> Path:
    path = driver()
    if path is None:
        raise ImportError("Fast Downward takes part once it is installed: pip install 'fsplan[compare]'")
    return path


def weighted(w: str | Fraction, heuristic: str) -> str:
    """The evaluator for g + w·h, multiplied by the denominator of w so that all numbers are integers.

    >>> weighted("1.5", "lmcut()")
    'sum([weight(g(),2),weight(lmcut(),3)])'
    """
    exact = Fraction(w)
    return f"sum([weight(g(),{exact.denominator}),weight({heuristic},{exact.numerator})])"


def is_search(name: str) -> bool:
    """Whether the name is a search of Fast Downward: a known name, or `fd:` followed by a search string."""
    return name in SEARCHES or name.startswith("fd:")


def search_words(search: str, heuristic: str | None, w: str) -> list[str]:
    """The command-line arguments of Fast Downward for a search, without the task.

    >>> search_words("fd:astar(blind())", None, "1"), search_words("fd:--alias seq-opt-lmcut", None, "1")
    (['--search', 'astar(blind())'], ['--alias', 'seq-opt-lmcut'])
    """
    if search.startswith("fd:"):
        text = search.removeprefix("fd:")
        return shlex.split(text) if text.startswith("--") else ["--search", text]
    evaluator = HEURISTICS.get(heuristic or "lmcut")
    if search not in SEARCHES:
        raise ValueError(f"unknown search {search}; Fast Downward's are {', '.join(SEARCHES)}")
    if evaluator is None:
        raise ValueError(f"{search} takes one of {', '.join(HEURISTICS)}, not {heuristic}")
    return [word.format(h=evaluator, key=weighted(w, evaluator)) for word in SEARCHES[search].words]


def parse_log(log: str) -> dict[str, Any]:
    """The counts, times and memory found in a log."""
    measured: dict[str, Any] = {}
    for name, pattern in _NUMBERS.items():
        if found := re.findall(pattern, log):
            measured[name] = int(found[-1])
    if found := re.findall(r"Search time: ([\d.e+-]+)s", log):
        measured["seconds"] = float(found[-1])
    if found := re.findall(r"[Pp]eak memory: (\d+) KB", log):
        measured["memory"] = 1024 * max(map(int, found))
    return measured


def proven_bound(search: str, w: str, cost: int) -> int | None:
    """The lower bound that follows from a plan of this cost (see the docstring of this module), or None."""
    proves = SEARCHES[search].proves if search in SEARCHES else "nothing"
    if proves == "nothing":
        return None
    return cost if proves == "optimal" else math.ceil(cost / Fraction(w))


def solve(run: Run) -> dict[str, Any]:
    """Runs Fast Downward on the files of the run; returns the columns read from its log and plan."""
    problem = read_problem(run.files)
    denominator = problem.cost_denominator()
    with tempfile.TemporaryDirectory(prefix="fsplan-fd-") as folder:
        plan = Path(folder) / "plan"
        files = run.files if denominator == 1 else write_with_whole_costs(problem, Path(folder))
        begin = time.monotonic()
        done = subprocess.run(
            _command(replace(run, files=files), plan),
            cwd=folder,
            env={name: value for name, value in os.environ.items() if name not in _OWN_PATHS},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
        measured = parse_log(done.stdout)
        measured["total_seconds"] = time.monotonic() - begin
        measured["status"] = _STATUS.get(done.returncode, "error")
        if measured["status"] in ("error", "unsupported"):
            measured["message"] = (done.stderr or done.stdout).strip()[-500:]
        plans = sorted(Path(folder).glob("plan*"), key=lambda path: (len(path.name), path.name))
        if plans:  # anytime configurations write numbered plans, of which the last is the best
            measured |= _certificate(run, problem, measured["cost"], plans[-1].read_text())
    return {**measured, "repeat": shlex.join(["fast-downward.py", *task_and_search(run)])}


def _command(run: Run, plan: Path) -> list[str]:
    words = [sys.executable, str(required_driver()), "--plan-file", str(plan)]
    if run.time_limit is not None:
        words += ["--overall-time-limit", f"{math.ceil(run.time_limit)}s"]
    if run.memory_limit is not None:
        words += ["--overall-memory-limit", f"{run.memory_limit >> 10}K"]
    return [*words, *task_and_search(run)]


def task_and_search(run: Run) -> list[str]:
    """The arguments for files and search; Fast Downward expects an alias before the files, but a search after them."""
    search = search_words(run.search, run.heuristic, run.w)
    return [*search, *run.files] if search[0] == "--alias" else [*run.files, *search]


def write_with_whole_costs(problem: Problem, folder: Path) -> tuple[str, str]:
    """Writes the task for Fast Downward with costs scaled to integers; returns the paths of domain and problem."""
    files = folder / "domain.pddl", folder / "problem.pddl"
    scaled = with_whole_costs(problem)
    files[0].write_text(write_domain(scaled.domain))
    files[1].write_text(write_problem(scaled))
    return str(files[0]), str(files[1])


def _certificate(run: Run, problem: Problem, units: int, text: str) -> dict[str, Any]:
    plan = [line.strip().strip("()") for line in text.splitlines() if line.startswith("(")]
    proven, denominator = proven_bound(run.search, run.w, units), problem.cost_denominator()
    cost, bound = from_units(units, denominator), from_units(proven, denominator)
    verdict = check(problem, plan, cost)
    return {
        "cost": plain(cost),
        "plan": plan,
        "lower_bound": plain(bound),
        "certified": bound is not None,
        "ratio": proven_ratio(cost, bound),
        **verdict,
    }


def prepare(shared: Mapping[str, Any]) -> Callable[[Run], Mapping[str, Any]]:
    required_driver()
    return solve
