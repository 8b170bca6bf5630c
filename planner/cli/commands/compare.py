"""`fsplan compare`: compares searches on a set of tasks."""

from __future__ import annotations

import sys
import tempfile
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fsplan.planner.base.files import check_writable, write
from fsplan.planner.base.quantities import seconds, size
from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.names import heuristic_names, policy_names, search_names, split_policies, split_searches
from fsplan.planner.cli.parameters import (
    Command,
    file_option,
    memory_limit_option,
    quiet_option,
    scheduler_option,
    time_limit_option,
    words_option,
    workers_option,
)
from fsplan.planner.search.result import EXIT_CODES

if TYPE_CHECKING:
    from fsplan.planner.experiments.suites import Suite


@click.command("compare", cls=Command)
@click.argument("tasks", nargs=-1, required=True, type=click.Path(), metavar="TASK...|SUITE.toml")
@words_option(
    "--searches",
    names=search_names,
    read=split_searches,
    help="Searches joined by commas: disc2, wastar, fd-wastar@lmcut, plans[k=20], …",
)
@words_option("--policies", names=policy_names, read=split_policies, help="Policies, for the searches that read one.")
@words_option("-w", "--w", names=list, help="Values of w.")
@words_option("--heuristics", names=heuristic_names, help="Heuristics, for searches that do not name theirs.")
@words_option("--seeds", names=list, help="Seeds, for searches with a policy.")
@time_limit_option("Stop each run after this long; 60s if not given.")
@memory_limit_option()
@workers_option
@scheduler_option
@file_option("--output", "-o", metavar="DIR", help="Keep every run in this folder; the same command resumes.")
@file_option("--csv", metavar="FILE|-", help="Write every run as CSV to a file, or to stdout with -.")
@file_option("--json", metavar="FILE|-", help="Write every run as JSON to a file, or to stdout with -.")
@quiet_option
def command(
    tasks: tuple[str, ...],
    time_limit: float | None,
    memory_limit: int | None,
    workers: int | None,
    scheduler: str | None,
    output: str | None,
    csv: str | None,
    json: str | None,
    quiet: bool,
    **lists: list[str] | None,
) -> int:
    """Compares searches, also Fast Downward's, on tasks, folders of PDDL files or a suite (TOML)."""
    from fsplan.planner.experiments import compare, export
    from fsplan.planner.experiments.comparison import report_text

    suite = _suite(tasks)
    settings = {**suite.options, **{name: words for name, words in lists.items() if words is not None}}
    searches = settings.get("searches", compare.DEFAULT_SEARCHES)
    policies, heuristics = settings.get("policies", ()), settings.get("heuristics", ())
    compare.refuse_unread(searches, w=settings.get("w", ()), policy=policies, heuristic=heuristics)
    configured = compare.configurations(searches, policies, settings.get("w", compare.DEFAULT_WS), heuristics)
    runs = compare.runs_of(
        suite.tasks,
        configured,
        seeds=[_whole(seed) for seed in settings.get("seeds", (0,))],
        time_limit=time_limit or seconds(settings.get("time_limit", "60s")),
        memory_limit=memory_limit or size(settings.get("memory_limit", "4GB")),
    )
    jobs = compare.jobs_of(runs)
    if workers is not None and workers < 1:
        raise UsageError(f"--workers {workers}: at least one is needed")
    for path in filter(None, (csv, json)):
        check_writable(path)
    interrupted = False
    with tempfile.TemporaryDirectory(prefix="fsplan-compare-") as temporary:
        folder = Path(output or temporary)
        results = folder / "results.jsonl"
        try:
            compare.carry_out(jobs, results, workers=workers, scheduler=scheduler, quiet=quiet)
        except KeyboardInterrupt:
            interrupted = True
        rows = compare.finished(jobs, results)
        if output:
            for note in export.export(rows, folder):
                print(f"fsplan: {note}", file=sys.stderr)
    if csv:
        write(csv, export.csv_text(rows))
    if json:
        write(json, dumps(export.json_document(rows), indent=1) + "\n")
    if "-" not in (csv, json):
        print(report_text(rows))
    if interrupted:
        print(f"fsplan: interrupted after {len(rows)} of {sum(len(job.runs) for job in jobs)} runs", file=sys.stderr)
    return EXIT_CODES["interrupted"] if interrupted else 0


def _suite(words: tuple[str, ...]) -> Suite:
    from fsplan.planner.experiments.suites import Suite, read_suite, tasks_of_arguments

    files = [word for word in words if word.endswith(".toml")]
    if not files:
        return Suite(tasks_of_arguments(words), {})
    if len(words) > 1:
        raise UsageError(f"{files[0]} is a suite and stands alone; put further tasks into it")
    return read_suite(Path(files[0]))


def _whole(seed: Any) -> int:
    try:
        return int(seed)
    except ValueError:
        raise UsageError(f"--seeds {seed}: a seed is a whole number") from None
