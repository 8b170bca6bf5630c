"""Proofs of the default search's bounds on the shared tasks: written, verified, how large, and at what cost.

    python scripts/bench_proofs.py --every 20 --seconds 5

For every k-th task of each domain at w = 1.5: the search's bound, the bound proven, states and bytes of the proof, CPU
seconds of the search, of the proof and of its check, and the verdict. At last the totals. --slice 0:20 takes a part of
the tasks, --from reads the lines of earlier parts.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from benchmark_tasks import tasks  # noqa: E402
from support import BENCHMARKS  # noqa: E402

import fsplan  # noqa: E402
from fsplan.planner.check import Malformed, Refuted, check  # noqa: E402
from fsplan.planner.costs import plain  # noqa: E402
from fsplan.planner.proof import write_proof  # noqa: E402


def measure(domain: Path, problem: Path, seconds: float, proof: Path) -> dict[str, Any]:
    task = fsplan.load(domain, problem)
    begin = process_time()
    result = fsplan.solve(task, w="1.5", time_limit=seconds)
    searched = process_time()
    written = write_proof(task, result.lower_bound, proof, time_limit=seconds)
    proven = process_time()
    plan = None if result.plan is None else "".join(f"({step})\n" for step in result.plan)
    try:
        with proof.open() as lines:
            bound = check(domain.read_text(), problem.read_text(), lines, plan).bound
        verdict = "verified" if bound == (float("inf") if written.bound is None else written.bound) else "differs"
    except (Refuted, Malformed) as error:
        verdict = f"{type(error).__name__}: {error}"
    return {
        "task": f"{problem.parent.name}/{problem.stem}",
        "bound": plain(result.lower_bound),
        "proven": plain(written.bound),
        "whole": written.bound == result.lower_bound,
        "states": written.states,
        "bytes": written.size,
        "search": round(searched - begin, 3),
        "proof": round(proven - searched, 3),
        "check": round(process_time() - proven, 3),
        "verdict": verdict,
    }


def totals(rows: list[dict[str, Any]]) -> str:
    count = len(rows)
    domains = len({row["task"].partition("/")[0] for row in rows})
    verified = sum(row["verdict"] == "verified" for row in rows)
    whole = sum(row["verdict"] == "verified" and row["whole"] for row in rows)
    search, proof = sum(row["search"] for row in rows), sum(row["proof"] for row in rows)
    ratios = [row["check"] / max(row["search"], 0.01) for row in rows]
    sizes = [row["bytes"] / row["states"] for row in rows if row["states"] > 1]
    return (
        f"{count} tasks of {domains} domains: {verified} verified, {whole} of them the whole bound; proofs took "
        f"{proof / search:.0%} of the searches' time; check ÷ search median {median(ratios):.2f}, at most 50 on "
        f"{sum(ratio <= 50 for ratio in ratios)}; {sum(row['states'] == 1 for row in rows)} proofs have one state, the "
        f"others a median of {median(sizes or [0]):.0f} bytes per state"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=20, help="of each domain's tasks, every k-th")
    parser.add_argument("--seconds", type=float, default=5.0, help="time limit of search and proof")
    parser.add_argument("--slice", default=":", metavar="FIRST:LAST")
    parser.add_argument("--from", dest="earlier", type=Path, nargs="*", default=[], help="output of other slices")
    options = parser.parse_args()
    rows = [json.loads(line) for path in options.earlier for line in path.read_text().splitlines() if line[0] == "{"]
    folders = sorted(path for path in BENCHMARKS.iterdir() if path.is_dir())
    chosen = [pair for folder in folders for pair in tasks(folder)[:: options.every]]
    first, last = (int(word) if word else None for word in options.slice.split(":"))
    without = 0
    with tempfile.TemporaryDirectory() as folder:
        for domain, problem in chosen[first:last]:
            try:
                rows.append(measure(domain, problem, options.seconds, Path(folder) / "proof"))
                print(json.dumps(rows[-1]), flush=True)
            except TimeoutError:
                without += 1
                print(f"{problem.parent.name}/{problem.stem}: no proof within {options.seconds:g} s", flush=True)
    if rows:
        print(f"{totals(rows)}; no proof in time on {without}")


if __name__ == "__main__":
    main()
