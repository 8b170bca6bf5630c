"""Tests an installed fsplan without a checkout: a plan, its validation, a puzzle, a policy, and the command.

    python scripts/try_wheel.py

Prints one line with the versions and the folder of fsplan; any wrong result raises an exception.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import fsplan
from fsplan.planner._core import instruction_sets


def main() -> None:
    blocks = fsplan.load(fsplan.example("blocks-8-0"))
    optimal = fsplan.solve(blocks, "astar", heuristic="lmcut")
    assert (optimal.cost, optimal.proven_ratio) == (18, 1.0), optimal
    bounded = fsplan.solve(blocks, w=1.5, time_limit=60)
    assert bounded.plan, bounded
    assert fsplan.judge(blocks, bounded.plan, w=1.5).valid
    puzzle = fsplan.solve("tiles15:korf/1", "focal", order="disc2", policy="tiles15", w=2)
    assert puzzle.cost is not None, puzzle
    assert 57 <= puzzle.cost <= 2 * 57, puzzle
    limited = fsplan.solve("tiles15:korf/88", "astar", time_limit=0.5)
    assert limited.status in ("timeout", "solved"), limited
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder) / "plan.txt"
        command = [sys.executable, "-m", "fsplan", fsplan.example("blocks-8-0"), "--plan-file", str(plan)]
        subprocess.run([*command, "--time-limit", "60s", "--memory-limit", "2GB"], check=True, cwd=folder)
        assert len(plan.read_text().splitlines()) >= 18
        problem, proof = fsplan.example("blocks-8-0"), str(Path(folder) / "bound.proof")
        subprocess.run([sys.executable, "-m", "fsplan", problem, "--proof", proof], check=True, cwd=folder)
        checker = Path(sys.executable).with_name("fsplan-check")
        subprocess.run([checker, Path(problem).with_name("domain.pddl"), problem, proof], check=True, cwd=folder)
        validator = Path(sys.executable).with_name("fsplan-validate")
        subprocess.run([validator, Path(problem).with_name("domain.pddl"), problem, plan], check=True, cwd=folder)
    kernels = ", ".join(instruction_sets())
    print(f"Python {platform.python_version()} on {platform.platform()}: fsplan {fsplan.__version__} from "
          f"{Path(fsplan.__file__).parent}, kernels {kernels}")  # fmt: skip


if __name__ == "__main__":
    main()
