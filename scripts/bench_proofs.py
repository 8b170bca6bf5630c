"""Measures how many proofs of lower bounds are written and verified on the shared tasks, and how fast.

    python scripts/bench_proofs.py --time-limit 8s

Every run is a separate process, `fsplan DOMAIN PROBLEM --time-limit T --proof FILE`, and so is its check. Printed for
each task are the cost of the plan, the bound that the run printed, the bound that the proof shows, the CPU seconds of
the run and of the check, the size of the proof and the verdict; then the totals. The first task of each domain is used,
or with --at 0.5 the middle one, with --at 1 the last. --slice 0:20 selects the first 20 domains, --only the domains
whose names contain a text. Arguments after -- are additional options of the runs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from threading import Timer
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from benchmark_tasks import tasks  # noqa: E402
from support import BENCHMARKS  # noqa: E402

NOTHING, NO_PLAN = "-", "no plan"
LONGEST = 600.0  # limit for a run or a check in seconds


@dataclass
class Ended:
    """A process that has ended: exit code, CPU seconds, the JSON that it printed, and the last line on stderr."""

    code: int
    seconds: float
    record: dict[str, Any]
    message: str


def run(*words: object) -> Ended:
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as messages:
        process = subprocess.Popen([sys.executable, "-m", "fsplan", *map(str, words)], stdout=out, stderr=messages)
        timer = Timer(LONGEST, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        messages.seek(0)
        text, message = out.read(), (messages.read().splitlines() or [""])[-1]
        record = json.loads(text) if text.startswith("{") else {}
        return Ended(process.returncode, usage.ru_utime + usage.ru_stime, record, record.get("message", message))


@dataclass
class Row:
    """The printed figures of a task."""

    task: str
    cost: Any
    printed: Any
    proven: Any
    run: float
    check: float
    size: int
    verdict: str

    def text(self) -> str:
        numbers = [f"{each!s:>8}" for each in (self.cost, self.printed, self.proven)]
        return f"{self.task:<48}{''.join(numbers)}{self.run:>8.2f}{self.check:>8.2f}{self.size:>12,}  {self.verdict}"


HEAD = f"{'task':<48}{'cost':>8}{'printed':>8}{'proven':>8}{'run s':>8}{'check s':>8}{'bytes':>12}  verdict"


def measure(domain: Path, problem: Path, limit: str, options: list[str], proof: Path) -> Row:
    proof.unlink(missing_ok=True)
    solved = run(domain, problem, "--time-limit", limit, "--proof", proof, "--json", "-", *options)
    printed = NO_PLAN if solved.record.get("status") == "unsolvable" else solved.record.get("lower_bound", NOTHING)
    name, cost = f"{problem.parent.name}/{problem.stem}", solved.record.get("cost", NOTHING)
    if not proof.exists():
        verdict = f"no proof, exit code {solved.code}: {solved.message}"
        return Row(name, cost, printed, NOTHING, solved.seconds, 0.0, 0, verdict)
    checked = run("check", domain, problem, proof, "--json")
    proven = NO_PLAN if checked.record.get("unsolvable") else checked.record.get("lower_bound", NOTHING)
    status = checked.record.get("status", f"exit code {checked.code}")
    verdict = f"{status}: {checked.message}" if checked.code else status
    return Row(name, cost, printed, proven, solved.seconds, checked.seconds, proof.stat().st_size, verdict)


def is_whole(row: Row) -> bool:
    return bool(row.printed == row.proven or (NO_PLAN not in (row.printed, row.proven) and row.printed < row.proven))


def totals(rows: list[Row]) -> str:
    printed, written = [row for row in rows if row.printed not in (NOTHING, None)], [row for row in rows if row.size]
    verified, ratios = [row for row in rows if row.verdict == "verified"], [row.check / row.run for row in written]
    return (
        f"{len(rows)} tasks: {len(printed)} bounds printed, {len(written)} proofs written, {len(verified)} verified, "
        f"{sum(is_whole(row) for row in verified)} of them of the printed bound or a greater one; check ÷ run: "
        f"median {median(ratios or [0]):.2f}, greatest {max(ratios, default=0):.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at", type=float, default=0.0, help="which task of each domain: 0 the first, 1 the last")
    parser.add_argument("--time-limit", default="8s", help="of each run, its proof included")
    parser.add_argument("--slice", default=":", metavar="FIRST:LAST")
    parser.add_argument("--only", default="", metavar="TEXT", help="tasks whose names contain it")
    parser.add_argument("--keep", type=Path, help="a folder for the proofs")
    parser.add_argument("options", nargs="*", help="further options of the runs")
    options = parser.parse_args()
    folders = sorted(path for path in BENCHMARKS.iterdir() if path.is_dir())
    chosen = [all_of[round(options.at * (len(all_of) - 1))] for all_of in map(tasks, folders)]
    first, last = (int(word) if word else None for word in options.slice.split(":"))
    rows = []
    print(HEAD)
    with tempfile.TemporaryDirectory() as folder:
        for domain, problem in [pair for pair in chosen if options.only in str(pair[1])][first:last]:
            proof = (options.keep or Path(folder)) / f"{problem.parent.name}-{problem.stem}.proof"
            rows.append(measure(domain, problem, options.time_limit, options.options, proof))
            print(rows[-1].text(), flush=True)
            if options.keep is None:
                proof.unlink(missing_ok=True)
    print(totals(rows))


if __name__ == "__main__":
    main()
