"""Fast Downward beside our searches, where the package up-fast-downward is installed (`fsplan[compare]`).

Searches, by the names used in `fsplan compare`: `fd-astar` and `fd-wastar` with h_max or LM-cut, `fd-lazy` (lazy greedy
with FF and its preferred operators), `fd-lama` (LAMA's first iteration). Fast Downward's weights are whole numbers, so
w = 1.5 is the key 2g + 3h.
"""

from __future__ import annotations

import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from fsplan.planner.experiments.execute import check
from fsplan.planner.experiments.records import SOLVED, Run
from fsplan.planner.load import read_problem

EXECUTOR = "fsplan.planner.experiments.fast_downward:prepare"
PLANNER = "fast-downward"
SEARCHES = ("fd-astar", "fd-wastar", "fd-lazy", "fd-lama")
HEURISTICS = {"hmax": "hmax()", "lmcut": "lmcut()", "blind": "blind()"}
_STATUS = {
    0: SOLVED,
    10: "unsolvable",
    11: "unsolvable",
    12: "not_found",
    20: "memout",
    21: "timeout",
    22: "memout",
    23: "timeout",
    24: "timeout",
    34: "unsupported",
    256 - signal.SIGXCPU: "timeout",  # the translator, which does not catch it
}
# Where we look for modules would lead Fast Downward's own programs astray.
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
    """The program fast-downward.py of the installed package."""
    from importlib.util import find_spec

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
    """The key g + w·h in whole numbers.

    >>> weighted("1.5", "lmcut()")
    'sum([weight(g(),2),weight(lmcut(),3)])'
    """
    exact = Fraction(w)
    return f"sum([weight(g(),{exact.denominator}),weight({heuristic},{exact.numerator})])"


def search_words(search: str, heuristic: str | None, w: str) -> list[str]:
    """Fast Downward's command-line words for a search; the problem files stand before all but an alias."""
    if search == "fd-lazy":
        return ["--evaluator", "f=ff()", "--search", "lazy_greedy([f],preferred=[f])"]
    if search == "fd-lama":
        return []
    try:
        evaluator = HEURISTICS[heuristic or "lmcut"]
    except KeyError:
        raise ValueError(f"{search} takes one of {', '.join(HEURISTICS)}, not {heuristic}") from None
    if search == "fd-astar":
        return ["--search", f"astar({evaluator})"]
    if search == "fd-wastar":
        return ["--search", f"eager(single({weighted(w, evaluator)}),reopen_closed=true)"]
    raise ValueError(f"unknown search {search}; Fast Downward's are {', '.join(SEARCHES)}")


def parse_log(log: str) -> dict[str, Any]:
    """Counts, times and memory of a log; what it does not say is left out."""
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
    """What a plan of this cost proves: A* no less, WA* no less than cost / w, greedy searches nothing."""
    if search == "fd-astar":
        return cost
    if search == "fd-wastar":
        exact = Fraction(w)
        return -(-cost * exact.denominator // exact.numerator)
    return None


def solve(run: Run) -> dict[str, Any]:
    """Runs Fast Downward on the run's files and reads its log."""
    with tempfile.TemporaryDirectory(prefix="fsplan-fd-") as folder:
        plan = Path(folder) / "plan"
        begin = time.monotonic()
        done = subprocess.run(
            _command(run, plan),
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
        if measured["status"] == SOLVED:
            measured |= _certificate(run, measured["cost"], plan.read_text())
    return measured


def _command(run: Run, plan: Path) -> list[str]:
    words = [sys.executable, str(required_driver()), "--plan-file", str(plan)]
    if run.time_limit is not None:
        words += ["--overall-time-limit", f"{math.ceil(run.time_limit)}s"]
    if run.memory_limit is not None:
        words += ["--overall-memory-limit", f"{run.memory_limit >> 10}K"]
    if run.search == "fd-lama":
        words += ["--alias", "lama-first"]
    return [*words, *map(str, run.files), *search_words(run.search, run.heuristic, run.w)]


def _certificate(run: Run, cost: int, text: str) -> dict[str, Any]:
    plan = [line.strip().strip("()") for line in text.splitlines() if line.startswith("(")]
    bound = proven_bound(run.search, run.w, cost)
    verdict = check(read_problem(run.files), plan, cost)
    ratio = None if bound is None else cost / bound if bound else 1.0
    return {
        "plan": plan,
        "lower_bound": bound,
        "certified": bound is not None,
        "ratio": ratio,
        **verdict,
    }


def prepare(shared: Mapping[str, Any]) -> Callable[[Run], Mapping[str, Any]]:
    required_driver()
    return solve
