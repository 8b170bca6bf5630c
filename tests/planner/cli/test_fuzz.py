"""A fixed number of fuzzed inputs for every reader (tests/fuzzing.py); scripts/fuzz.py runs more of them."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from math import inf
from pathlib import Path

import pytest
from downward_oracle import UNSOLVABLE, planner
from fuzzing import KINDS, Files, inputs, solved_sas


@pytest.mark.parametrize(
    ("kind", "count"), [("pddl", 1000), ("sas", 2000), ("proof", 400), ("plan", 500), ("policy", 400)]
)
def test_fuzzed_inputs_are_accepted_or_refused_with_a_message(kind: str, count: int) -> None:
    outcomes = Counter(KINDS[kind].run(files).partition(":")[0] for files in inputs(kind, 0, count))
    assert sum(outcomes.values()) == count
    assert outcomes["refused"] > count / 4, outcomes
    assert outcomes["taken"] > 0, outcomes


def downward_cost(files: Files, folder: Path) -> float | str:
    """Fast Downward's optimal cost (infinite without a plan), or a text if it refuses the file."""
    command = [str(planner()), "--internal-plan-file", str(folder / "plan"), "--search", "astar(blind())"]
    answer = subprocess.run(command, input=files["output.sas"], capture_output=True, timeout=60)
    found = re.search(rb"Plan cost: (\d+)", answer.stdout)
    return float(found[1]) if found else inf if answer.returncode in UNSOLVABLE else "refused"


def test_sas_files_are_refused_if_fast_downward_refuses_them_and_have_its_optimal_costs_otherwise(
    tmp_path: Path,
) -> None:
    outcomes: Counter[str] = Counter()
    for number, files in enumerate(inputs("sas", 1, 150)):
        theirs, ours = downward_cost(files, tmp_path), solved_sas(files)
        assert theirs == ("refused" if isinstance(ours, str) else ours), (number, ours)
        outcomes["refused" if isinstance(ours, str) else "taken"] += 1
    assert min(outcomes["refused"], outcomes["taken"]) > 30, outcomes
