"""Runs the paper's experiments, draws its figures and tests its claims, on the paper's tasks or on others.

The experiment `Synthetic` (Figure 1) uses state spaces that fit in memory, synthetic policies of given accuracies, and
many initial states. The experiment `Trained` (Figure 2) uses a set of tasks and a trained policy. `fsplan reproduce`
runs them as in the paper, `fsplan study` on the user's tasks. Both can be resumed, and write all files to one folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from fsplan.planner.base.files import write
from fsplan.planner.experiments import execute
from fsplan.planner.experiments.compare import carry_out, finished
from fsplan.planner.experiments.jobs import Job, machine, versions
from fsplan.planner.experiments.names import Search, parse_search
from fsplan.planner.experiments.records import Row, Run, policy_digest
from fsplan.planner.experiments.suites import TaskName
from fsplan.planner.paper import spaces
from fsplan.planner.paper.outputs import with_best_bounds, write_outputs
from fsplan.planner.paper.settings import VARIANTS, Settings, Synthetic, Trained, paper_settings
from fsplan.planner.policies.registry import resolve
from fsplan.planner.sources.load import load_arguments

PAPER = {"paper": True}  # Algorithm 1 exactly as in the paper


def synthetic_jobs(settings: Synthetic) -> list[Job]:
    """The jobs of the experiment. A job has one state space, which is explored once, and one target accuracy.

    Runs of the default interpretation come before those of variants, so that an interrupted sweep is useful.
    """
    jobs = []
    for domain, effort in settings.domains.items():
        sweep = _SpaceRuns(settings, domain, effort.starts)
        jobs += [sweep.job(sweep.unguided()), *sweep.guided_jobs("")]
    for name in settings.variants:
        for domain, effort in settings.domains.items():
            jobs += _SpaceRuns(settings, domain, effort.variant_starts).guided_jobs(name)
    return [job for job in jobs if job.runs]


class _SpaceRuns:
    """Creates the runs in one state space."""

    def __init__(self, settings: Synthetic, domain: str, starts: int) -> None:
        self.settings, self.domain, self.place = settings, domain, settings.places[domain]
        self.tasks, self.draws = self.place.start_names(starts), settings.domains[domain].draws
        self.digest = self.place.digest()
        self.searches = [parse_search(name) for name in settings.searches]

    def job(self, runs: Iterator[Run]) -> Job:
        return Job(spaces.EXECUTOR, tuple(runs), {"words": list(self.place.words)})

    def weighted(self, search: Search) -> Sequence[str]:
        """The values of w for a search; values near 1 are run only with some searches."""
        if "w" not in search.reads:
            return ("1",)
        low = self.settings.low_ws if (search.order or search.algorithm) in self.settings.low_searches else ()
        return (*self.settings.ws, *low)

    def unguided(self) -> Iterator[Run]:
        for search in self.searches:
            if "policy" not in search.reads:
                for w in self.weighted(search):
                    for task in self.tasks:
                        yield self.run(search, task, w)

    def guided_jobs(self, variant: str) -> Iterator[Job]:
        for accuracy in self.settings.accuracies:
            runs = (self.guided(accuracy, draw, variant) for draw in range(self.draws))
            yield self.job(chain.from_iterable(runs))

    def guided(self, accuracy: float, draw: int, variant: str) -> Iterator[Run]:
        """The runs of all searches that use a policy; for a variant, only of those searches that it affects."""
        chosen = VARIANTS.get(variant)
        common = {"accuracy": accuracy, "draw": draw, "seed": draw, "variant": variant}
        searches = [each for each in self.searches if "policy" in each.reads]
        if chosen is not None:
            searches = [each for each in searches if chosen.matters_to(each.algorithm, each.order)]
        for task in self.tasks[draw :: self.draws]:
            for search in searches:
                for w in self.weighted(search) if chosen is None or "w" not in search.reads else self.settings.ws:
                    more = chosen.options if chosen else {}
                    yield self.run(search, task, w, more, policy=f"synthetic:{accuracy}", **common)

    def run(self, search: Search, task: str, w: str, more: Mapping[str, Any] | None = None, **rest: Any) -> Run:
        settings = self.settings
        return Run(
            task=task,
            domain=self.domain,
            heuristic=str(search.options.get("heuristic", "")) or self.place.heuristic,
            digest=self.digest,
            time_limit=settings.time_limit,
            memory_limit=settings.memory_limit,
            w=w,
            **_as_run(search, more or {}),
            **rest,
        )


def _as_run(search: Search, more: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a run that the name of a search determines; a FOCAL order is run with the paper's Algorithm 1."""
    paper = PAPER if search.order else {}
    options = {**paper, **search.further, **more}
    return {"search": search.algorithm, "order": search.order, "name": search.name, "options": options}


def trained_jobs(settings: Trained) -> list[Job]:
    """The jobs of the experiment, one per task; if a run is killed, the others continue in a new process."""
    return [Job(execute.SOLVE, tuple(_trained_runs(settings, task))) for task in settings.tasks]


def _trained_runs(settings: Trained, task: TaskName) -> Iterator[Run]:
    for policy in settings.policies:
        for search in map(parse_search, settings.searches):
            is_guided = "policy" in search.reads
            for w in settings.ws if "w" in search.reads else ("1",):
                yield Run(
                    task=task.name,
                    domain=settings.domain_of(task, policy),
                    heuristic=str(search.options.get("heuristic", "")) or settings.heuristic,
                    policy=policy if is_guided else None,
                    policy_digest=policy_digest(policy) if is_guided else "",
                    files=task.files,
                    digest=task.digest(),
                    w=w,
                    time_limit=settings.time_limit,
                    memory_limit=settings.memory_limit,
                    **_as_run(search, {}),
                )


def reproduce(
    what: str,
    out: str | Path,
    *,
    quick: bool = False,
    variants: Sequence[str] | None = None,
    policy: str | None = None,
    **how: Any,
) -> list[str]:
    """Runs the experiment `small` or `tiles15` of the paper and writes the results to a folder; returns notes."""
    command = f"fsplan reproduce {what} -o {out}{' --quick' * quick}"
    return carry_out_study(paper_settings(what, quick, variants, policy), out, command=command, **how)


def carry_out_study(
    settings: Settings,
    out: str | Path,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    quiet: bool = False,
    command: str = "fsplan study",
    stored_only: bool = False,
) -> list[str]:
    """Does the runs and writes all results to a folder; returns notes on files that could not be written.

    The files are results.jsonl (to which every finished run is appended), settings.json, policies.json for synthetic
    policies, and those of `write_outputs`. With `stored_only` nothing is run: the files are made of the stored runs.
    """
    if isinstance(settings, Trained):
        _check_policies(settings)
    folder = Path(out)
    if stored_only and not (folder / "results.jsonl").is_file():
        raise ValueError(f"{folder} has no results: run the same command without --report first")
    folder.mkdir(parents=True, exist_ok=True)
    jobs = synthetic_jobs(settings) if isinstance(settings, Synthetic) else trained_jobs(settings)
    results = folder / "results.jsonl"
    if stored_only:
        rows = finished(jobs, results)
    else:
        rows = carry_out(jobs, results, workers=workers, scheduler=scheduler, quiet=quiet, progress_lines=True)
        about = {"settings": asdict(settings), "versions": versions(), "machine": machine()}
        write(folder / "settings.json", json.dumps(about, indent=2) + "\n")
    _write_policies(rows, folder)
    is_synthetic = isinstance(settings, Synthetic)
    return write_outputs(with_best_bounds(rows), folder, settings.title, command, is_synthetic=is_synthetic)


def _write_policies(rows: list[Row], folder: Path) -> None:
    """Writes policies.json: parameters, scores and measured accuracy of the synthetic policies."""
    drawn = [
        {"domain": row["domain"], "variant": row["variant"], "draw": row["draw"], **row["policy_details"]}
        for row in rows
        if row.get("policy_details")
    ]
    if drawn:
        write(folder / "policies.json", json.dumps(drawn, indent=1) + "\n")


def _check_policies(settings: Trained) -> None:
    """Raises an error for a policy that does not exist or does not fit, before the runs start."""
    task = load_arguments(settings.tasks[0].files or (settings.tasks[0].name,))
    for policy in settings.policies:
        resolve(policy, task)
