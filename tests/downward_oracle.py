"""Fast Downward as an oracle: its translator, its h-values of initial states, its optimal costs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fsplan.planner.experiments.fast_downward import driver

SOLVED, UNSOLVABLE = (0,), (11, 12)


def planner() -> Path:
    """The search binary inside the Python package; skips the test where it is not installed."""
    found = driver()
    if found is None:
        pytest.skip("up-fast-downward is not installed")
    return found.parent / "builds" / "release" / "bin" / "downward"


def translate(domain: Path, problem: Path, folder: Path) -> Path:
    """Translates a PDDL task; returns the path of the SAS file."""
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / f"{problem.parent.name}-{problem.stem}.sas"
    command = [sys.executable, "-m", "fast_downward.translate", domain, problem, "--sas-file", output]
    subprocess.run(list(map(str, command)), check=True, capture_output=True, timeout=120, cwd="/")
    return output


def run(sas: Path, search: str) -> subprocess.CompletedProcess[str]:
    with sas.open() as file:
        return subprocess.run(
            [str(planner()), "--internal-plan-file", str(sas.with_suffix(".plan")), "--search", search],
            stdin=file,
            capture_output=True,
            text=True,
            timeout=120,
        )


def start_value(sas: Path, heuristic: str) -> int | None:
    """A heuristic's value of the initial state; None for a dead end."""
    output = run(sas, f"eager_greedy([{heuristic}], bound=0)").stdout
    found = re.search(r"Initial heuristic value for \w+: (\w+)", output)
    assert found, output
    return None if found[1] == "infinity" else int(found[1])


def optimal_cost(sas: Path, heuristic: str = "hmax()") -> int | None:
    """The cost of an optimal plan; None if there is no plan."""
    answer = run(sas, f"astar({heuristic})")
    if answer.returncode in UNSOLVABLE:
        return None
    assert answer.returncode in SOLVED, answer.stdout + answer.stderr
    found = re.search(r"Plan cost: (\d+)", answer.stdout)
    assert found
    return int(found[1])
