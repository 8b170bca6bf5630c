"""Proofs of lower bounds: written by fsplan, verified by its checker."""

from __future__ import annotations

import json
import tempfile
from argparse import Namespace
from pathlib import Path
from statistics import median
from typing import Any

from benches.base import Ended, Table, chosen_tasks, python

LONGEST = 600.0  # limit for a run or a check in seconds


def proofs(options: Namespace) -> None:
    """Proofs written and verified, their sizes, and CPU seconds of the run and of the check.

    Every run is `fsplan DOMAIN PROBLEM --time-limit SECONDS --proof FILE`, and its check another process. `--which
    first` has the first task of each domain. `--option NAME=VALUE` is an option of the runs, `--option keep=FOLDER` a
    folder for the proofs.
    """
    given = dict(word.split("=", 1) for word in options.option)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(given.pop("keep", scratch))
        more = [f"--{name}={value}" if value else f"--{name}" for name, value in given.items()]
        columns = {"cost": ">8", "printed": ">8", "proven": ">8", "run s": ">8.2f", "check s": ">8.2f", "bytes": ">12,"}
        table, verdicts = Table("task", 48, columns), []
        for task in chosen_tasks(options):
            proof = folder / f"{task.name.replace('/', '-')}.proof"
            words = ["--time-limit", f"{options.seconds}s", "--proof", proof, "--json", "-", *more]
            run, record = answered(*task.files, *words)
            printed = "no plan" if record.get("status") == "unsolvable" else record.get("lower_bound")
            if not proof.exists():
                table.add(task.name, record.get("cost"), printed, None, run.cpu, note=f"no proof: {run.message}")
                continue
            check, verdict = answered("check", *task.files, proof, "--json")
            proven = "no plan" if verdict.get("unsolvable") else verdict.get("lower_bound")
            verdicts.append((verdict.get("status"), printed, proven, check.cpu / run.cpu))
            note = verdict.get("status") if check.code == 0 else verdict.get("message", check.message)
            table.add(
                task.name, record.get("cost"), printed, proven, run.cpu, check.cpu, proof.stat().st_size, note=note
            )
            if folder == Path(scratch):
                proof.unlink()
    print_totals(table, verdicts)


def answered(*words: object) -> tuple[Ended, dict[str, Any]]:
    ended = python("-m", "fsplan", *words, most_seconds=LONGEST)
    return ended, json.loads(ended.output) if ended.output.startswith("{") else {}


def print_totals(table: Table, verdicts: list[tuple[Any, Any, Any, float]]) -> None:
    verified = [each for each in verdicts if each[0] == "verified"]
    whole = [p == q or ("no plan" not in (p, q) and None not in (p, q) and p < q) for _, p, q, _ in verified]
    ratios = [each[3] for each in verdicts] or [0.0]
    print(
        f"{len(table.rows)} tasks: {len(verdicts)} proofs written, {len(verified)} verified, {sum(whole)} of them of "
        f"the printed bound or a greater one; check ÷ run: median {median(ratios):.2f}, greatest {max(ratios):.2f}"
    )


SUITES = {"proofs": proofs}
