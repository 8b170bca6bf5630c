"""Implements `fsplan compare`, which runs several searches on the same tasks under the same limits."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from fsplan.planner.base.quantities import seconds, size
from fsplan.planner.base.weights import Weight, weight_text
from fsplan.planner.experiments import execute, fast_downward, several
from fsplan.planner.experiments.comparison import report_text
from fsplan.planner.experiments.export import json_document
from fsplan.planner.experiments.jobs import Job
from fsplan.planner.experiments.names import Search, heuristic_named, parse_search
from fsplan.planner.experiments.progress import Progress
from fsplan.planner.experiments.records import SOLVED, Row, Run, Store, policy_digest, read
from fsplan.planner.experiments.runner import remaining, run_all
from fsplan.planner.experiments.suites import TaskName, tasks_of_arguments

DEFAULT_SEARCHES = ("disc2", "wastar")
DEFAULT_WS = ("1.5",)


@dataclass(frozen=True)
class Configuration:
    """A search with its parameters, independent of a task; None means the default of the task."""

    search: Search
    w: str
    heuristic: str | None
    policy: str | None

    def runs(self, task: TaskName, seeds: Sequence[int], **common: Any) -> Iterator[Run]:
        """The runs on a task: one for each seed if the search uses random numbers, otherwise one."""
        search = self.search
        planner = fast_downward.PLANNER if fast_downward.is_search(search.algorithm) else "fsplan"
        if planner != "fsplan" and not task.files:
            return  # Fast Downward supports only PDDL tasks
        for seed in search.choices("seed", seeds, 0):
            yield Run(
                task=task.name,
                domain=task.domain,
                planner=planner,
                search=search.algorithm,
                order=search.order,
                name=search.name,
                w=self.w,
                heuristic=self.heuristic,
                policy=self.policy,
                accuracy=synthetic_accuracy(self.policy),
                options=search.further,
                seed=seed,
                files=task.files,
                **common,
            )


def synthetic_accuracy(policy: str | None) -> float | None:
    """The accuracy in the name of a synthetic policy; None for other policies.

    >>> synthetic_accuracy("synthetic:0.7,support=applicable"), synthetic_accuracy("ff")
    (0.7, None)
    """
    kind, _, rest = (policy or "").partition(":")
    return float(rest.partition(",")[0]) if kind == "synthetic" else None


def configurations(
    searches: Sequence[str],
    policies: Sequence[str] = (),
    ws: Sequence[str | float] = DEFAULT_WS,
    heuristics: Sequence[str] = (),
) -> list[Configuration]:
    """All combinations of the parameters, without those that a search does not use: A* has no w, WA* no policy."""
    made: dict[str, Configuration] = {}
    heuristics = [heuristic_named(name) for name in heuristics]
    for search in map(parse_search, searches):
        for w in search.choices("w", ws, "1"):
            for policy in search.choices("policy", policies, None):
                for heuristic in search.choices("heuristic", _fitting(search, heuristics), None):
                    each = Configuration(search, weight_text(w), heuristic, policy)
                    made[repr(each)] = each
    return list(made.values())


def refuse_unread(searches: Sequence[str], **given: Sequence[Any]) -> None:
    """Raises ValueError for an option that none of the searches uses; an option may apply to only some of them."""
    parsed = [parse_search(name) for name in searches]
    for name, values in given.items():
        if values and not any(name in each.reads and name not in each.options for each in parsed):
            raise ValueError(f"{name} is given, but is read by none of: {', '.join(searches)}; leave it out")


def _fitting(search: Search, heuristics: Sequence[str]) -> Sequence[str]:
    """The heuristics to use for a search; for Fast Downward those that it supports, or its default."""
    if search.algorithm not in fast_downward.SEARCHES:
        return heuristics
    known = list(fast_downward.HEURISTICS)
    return [name for name in heuristics if name in known] or known[:1]


def runs_of(
    tasks: Iterable[TaskName],
    configured: Iterable[Configuration],
    *,
    seeds: Sequence[int] = (0,),
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Iterator[Run]:
    """The runs of all configurations, ordered by task, so that an interrupted comparison is complete on some tasks."""
    listed = list(configured)
    digests = {each.policy: policy_digest(each.policy) for each in listed}
    limits = {"time_limit": time_limit, "memory_limit": memory_limit}
    for task in tasks:
        digest = task.digest()
        for each in listed:
            yield from each.runs(task, seeds, digest=digest, policy_digest=digests[each.policy], **limits)


class Comparison:
    """The results of a comparison; `rows` has an entry per run, as in `fsplan compare --csv`; `str` gives the table."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows

    def to_dict(self) -> dict[str, Any]:
        """The JSON document that `fsplan compare --json` writes."""
        return json_document(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        return report_text(self.rows)

    def __repr__(self) -> str:
        solved = sum(row["status"] == SOLVED for row in self.rows)
        return f"<Comparison of {len(self.rows)} runs, {solved} solved>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def compare(
    tasks: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    searches: Sequence[str] = DEFAULT_SEARCHES,
    *,
    w: Weight | Sequence[Weight] | None = None,
    policies: Sequence[str] = (),
    heuristics: Sequence[str] = (),
    seeds: Sequence[int] = (0,),
    time_limit: float | str = "60s",
    memory_limit: int | str = "4GB",
    workers: int | None = None,
    output: str | os.PathLike[str] | None = None,
) -> Comparison:
    """Runs several searches on the same tasks, each run in a process of its own, as `fsplan compare` does.

    tasks       problem files, a domain followed by its problems, folders, or puzzles such as "tiles8:random/1..20"
    searches    names as in `fsplan compare`: "disc2", "wastar@lmcut", "disc2+paper", "plans[k=20]", "fd-lama"
    w           one weight or several; default 1.5
    output      folder in which every run is stored; the same call resumes an interrupted comparison

    >>> import fsplan
    >>> found = fsplan.compare("tiles8:random/1", ["disc2", "astar"], w=1.2)
    >>> [row["status"] for row in found.rows], found.rows[1]["cost"] <= found.rows[0]["cost"]
    (['solved', 'solved'], True)
    """
    words = [tasks] if isinstance(tasks, (str, os.PathLike)) else tasks
    weights = [str(each) for each in (w if isinstance(w, (list, tuple)) else () if w is None else (w,))]
    refuse_unread(searches, w=weights, policy=policies, heuristic=heuristics)
    configured = configurations(searches, policies, weights or DEFAULT_WS, heuristics)
    runs = runs_of(
        tasks_of_arguments([os.fspath(word) for word in words]),
        configured,
        seeds=seeds,
        time_limit=seconds(time_limit) if isinstance(time_limit, str) else time_limit,
        memory_limit=size(memory_limit) if isinstance(memory_limit, str) else memory_limit,
    )
    jobs = jobs_of(runs)
    with tempfile.TemporaryDirectory(prefix="fsplan-compare-") as temporary:
        return Comparison(carry_out(jobs, Path(output or temporary) / "results.jsonl", workers=workers, quiet=True))


def jobs_of(runs: Iterable[Run]) -> list[Job]:
    """One job per run, so that each run has a process of its own."""
    listed = [Job(_executor(run), (run,)) for run in runs]
    if any(job.executor == fast_downward.EXECUTOR for job in listed):
        fast_downward.required_driver()
    return listed


def _executor(run: Run) -> str:
    if run.planner == fast_downward.PLANNER:
        return fast_downward.EXECUTOR
    return several.EXECUTOR if run.search == several.SEARCH else execute.SOLVE


def carry_out(
    jobs: Sequence[Job],
    path: Path,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    quiet: bool = False,
    progress_lines: bool = False,
) -> list[Row]:
    """Does the runs that are not yet in the results file, locally or on a cluster; returns the rows of all jobs."""
    with Store(path) as store:
        left = list(remaining(jobs, store))
        progress = None if quiet else Progress(sum(len(job.runs) for job in left), lines=progress_lines)
        try:
            if scheduler:
                from fsplan.planner.experiments.cluster import run_on_cluster

                run_on_cluster(left, store, scheduler, progress=progress)
            else:
                run_all(left, store, workers=workers, progress=progress)
        finally:
            if progress:
                progress.close()
    return finished(jobs, path)


def finished(jobs: Sequence[Job], path: Path) -> list[Row]:
    """The rows of the finished runs, in the order of the jobs."""
    rows = {row["key"]: row for row in read(path)}
    return [rows[run.key] for job in jobs for run in job.runs if run.key in rows]
