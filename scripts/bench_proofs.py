"""Proofs of the default search's bounds on the shared tasks: written, verified, how large, and at what cost.

    python scripts/bench_proofs.py --every 20 --seconds 5

CPU seconds of the search, of the proof and of its check, and bytes per state, for every k-th task of each domain.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from benchmark_tasks import tasks  # noqa: E402
from support import BENCHMARKS  # noqa: E402

import fsplan  # noqa: E402
from fsplan.planner.check import Malformed, Refuted, check  # noqa: E402
from fsplan.planner.proof import write_proof  # noqa: E402


def measure(domain: Path, problem: Path, seconds: float, proof: Path) -> str:
    task = fsplan.load(domain, problem)
    begin = process_time()
    result = fsplan.solve(task, w="1.5", time_limit=seconds)
    searched = process_time()
    written = write_proof(task, result.lower_bound, proof, time_limit=seconds)
    proven = process_time()
    plan = None if result.plan is None else "".join(f"({step})\n" for step in result.plan)
    try:
        with proof.open() as lines:
            status = f"verified {check(domain.read_text(), problem.read_text(), lines, plan).bound}"
    except (Refuted, Malformed) as error:
        status = f"{type(error).__name__}: {error}"
    times = f"{searched - begin:.2f} {proven - searched:.2f} {process_time() - proven:.2f}"
    counts = f"states {written.states} bytes/state {written.size / written.states:.0f}"
    return f"bound {result.lower_bound} proven {written.bound} {counts} {times} {status}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=20, help="of each domain's tasks, every k-th")
    parser.add_argument("--seconds", type=float, default=5.0, help="time limit of search and proof")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for domain_folder in sorted(path for path in BENCHMARKS.iterdir() if path.is_dir()):
            for domain, problem in tasks(domain_folder)[:: options.every]:
                line = measure(domain, problem, options.seconds, Path(folder) / "proof")
                print(f"{domain_folder.name}/{problem.stem}: {line}", flush=True)


if __name__ == "__main__":
    main()
