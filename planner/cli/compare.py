"""`fsplan compare`: searches side by side."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from fsplan.planner.cli.errors import UsageError
from fsplan.planner.experiments import compare, records
from fsplan.planner.experiments.suites import Suite, read_suite, tasks_of_words
from fsplan.planner.files import write
from fsplan.planner.quantities import seconds, size


def run(
    tasks: tuple[str, ...],
    time_limit: str | None,
    memory_limit: str | None,
    workers: int | None,
    scheduler: str | None,
    output: str | None,
    csv: str | None,
    json: str | None,
    quiet: bool,
    **lists: str | None,
) -> int:
    suite = _suite(tasks)
    settings = {**suite.options, **{name: _words(text) for name, text in lists.items() if text is not None}}
    configured = compare.configurations(
        settings.get("searches", compare.DEFAULT_SEARCHES),
        settings.get("policies", ("ff",)),
        settings.get("w", ("1.5",)),
        settings.get("heuristics", ()),
    )
    runs = compare.runs_of(
        suite.tasks,
        configured,
        seeds=[_whole(seed) for seed in settings.get("seeds", (0,))],
        time_limit=seconds(time_limit or settings.get("time_limit", "60s")),
        memory_limit=size(memory_limit or settings.get("memory_limit", "4GB")),
    )
    jobs = compare.jobs_of(runs)
    if workers is not None and workers < 1:
        raise UsageError(f"--workers {workers}: at least one is needed")
    with tempfile.TemporaryDirectory(prefix="fsplan-compare-") as temporary:
        folder = Path(output or temporary)
        rows = compare.carry_out(jobs, folder / "results.jsonl", workers=workers, scheduler=scheduler, quiet=quiet)
        if output:
            for note in records.export(rows, folder):
                print(f"fsplan: {note}", file=sys.stderr)
    _write_copies(rows, csv, json)
    if "-" not in (csv, json):
        print(compare.report_text(rows))
    return 0


def _suite(words: tuple[str, ...]) -> Suite:
    files = [word for word in words if word.endswith(".toml")]
    if not files:
        return Suite(tasks_of_words(words), {})
    if len(words) > 1:
        raise UsageError(f"{files[0]} is a suite and stands alone; put further tasks into it")
    return read_suite(Path(files[0]))


def _words(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise UsageError(f"{text!r} is an empty list; separate names by commas")
    return words


def _whole(seed: Any) -> int:
    try:
        return int(seed)
    except ValueError:
        raise UsageError(f"--seeds {seed}: a seed is a whole number") from None


def _write_copies(rows: list[records.Row], csv: str | None, json: str | None) -> None:
    if csv:
        records.write_csv(rows, "/dev/stdout" if csv == "-" else csv)
    if json:
        from json import dumps

        write(json, dumps(rows, indent=1) + "\n")
