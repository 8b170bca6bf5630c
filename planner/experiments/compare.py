"""`fsplan compare`: searches side by side on the same tasks, under the same limits.

A search is named `disc2` (focal search with that order), `wastar`, `astar`, `prefastar`, `optimistic`, …, or one of
Fast Downward's, `fd-astar`, `fd-wastar`, `fd-lazy`, `fd-lama`; `@lmcut` after it fixes its heuristic. `disc2+fast` is
focal search with what goes beyond the paper's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean

from fsplan.planner.experiments import execute, fast_downward
from fsplan.planner.experiments.jobs import Job
from fsplan.planner.experiments.progress import Progress
from fsplan.planner.experiments.records import Row, Run, Store, policy_digest, read
from fsplan.planner.experiments.runner import remaining, run_all
from fsplan.planner.experiments.suites import TaskName
from fsplan.planner.experiments.summary import (
    FAST,
    METRICS,
    configuration,
    group_by,
    median_of,
    solved,
    task_means,
    unproven,
    wins,
)
from fsplan.planner.experiments.tables import Cell, show, table
from fsplan.planner.orders import ORDERS
from fsplan.planner.search import SEARCHES as OWN_SEARCHES

WEIGHTED = {"focal", "wastar", "optimistic", "fd-wastar"}
GUIDED = {"focal", "prefastar", "unroll"}
DEFAULT_SEARCHES = ("disc2", "wastar")
_MOST_ROWS = 60
_MOST_MATRIX = 12
_MOST_MESSAGES = 10


@dataclass(frozen=True)
class Configuration:
    """A search with its parameters, before it meets a task."""

    search: str
    order: str | None
    w: str
    heuristic: str | None
    policy: str | None
    fast: bool = False


def parse_search(name: str) -> tuple[str, str | None, str | None, bool]:
    """Search, order, heuristic, and whether it is the fast one.

    >>> parse_search("disc2+fast"), parse_search("wastar@lmcut")
    (('focal', 'disc2', None, True), ('wastar', None, 'lmcut', False))
    """
    whole, _, heuristic = name.partition("@")
    search = whole.removesuffix("+fast")
    fast = search != whole
    if search in ORDERS or search == "focal":
        return "focal", "disc2" if search == "focal" else search, heuristic or None, fast
    if not fast and (search in OWN_SEARCHES or search in fast_downward.SEARCHES):
        return search, None, heuristic or None, False
    legal = ", ".join((*ORDERS, *OWN_SEARCHES[1:], *fast_downward.SEARCHES))
    raise ValueError(f"unknown search {name!r}; there are {legal}; +fast goes with focal search's orders")


def exact_weight(w: str | float | Fraction) -> str:
    """The weight in its shortest exact form; refuses what is no weight.

    >>> exact_weight(1.50), exact_weight("4/3")
    ('1.5', '4/3')
    """
    text = str(w)
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"w = {text} is not a number such as 1.5 or 6/5") from None
    if value < 1:
        raise ValueError(f"w = {text} is below 1: no plan is better than optimal")
    short = f"{float(value):.12g}"
    return short if Fraction(short) == value else str(value)


def configurations(
    searches: Sequence[str],
    policies: Sequence[str] = ("ff",),
    ws: Sequence[str | float] = ("1.5",),
    heuristics: Sequence[str] = (),
) -> list[Configuration]:
    """Every combination that makes a difference: A* has no weight, WA* no policy."""
    made: dict[Configuration, None] = {}
    for name in searches:
        search, order, fixed, fast = parse_search(name)
        for w in ws if search in WEIGHTED else ("1",):
            for policy in policies if search in GUIDED else (None,):
                for heuristic in [fixed] if fixed else _heuristics(search, heuristics):
                    made[Configuration(search, order, exact_weight(w), heuristic, policy, fast)] = None
    return list(made)


def _heuristics(search: str, heuristics: Sequence[str]) -> Sequence[str | None]:
    if search in ("fd-lazy", "fd-lama"):
        return (None,)
    if search in fast_downward.SEARCHES:
        return [name for name in heuristics if name in fast_downward.HEURISTICS] or ("lmcut",)
    return heuristics or (None,)


def runs_of(
    tasks: Iterable[TaskName],
    configured: Iterable[Configuration],
    *,
    seeds: Sequence[int] = (0,),
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Iterator[Run]:
    """Task by task, so that an interrupted comparison is complete on the tasks it got to."""
    listed = list(configured)
    policies = {each.policy: policy_digest(each.policy) for each in listed}
    for task in tasks:
        digest = task.digest()
        for each in listed:
            if each.search in fast_downward.SEARCHES and not task.files:
                continue  # Fast Downward reads PDDL only
            for seed in seeds if each.policy else seeds[:1]:
                yield Run(
                    task=task.name,
                    domain=task.domain,
                    planner=fast_downward.PLANNER if each.search in fast_downward.SEARCHES else "fsplan",
                    search=each.search,
                    order=each.order,
                    w=each.w,
                    heuristic=each.heuristic,
                    policy=each.policy,
                    policy_digest=policies[each.policy],
                    variant=FAST if each.fast else "",
                    options={"fast": True} if each.fast else {},
                    seed=seed,
                    files=task.files,
                    digest=digest,
                    time_limit=time_limit,
                    memory_limit=memory_limit,
                )


def jobs_of(runs: Iterable[Run]) -> list[Job]:
    """Each run in a process of its own."""
    listed = [
        Job(fast_downward.EXECUTOR if run.planner == fast_downward.PLANNER else execute.SOLVE, (run,)) for run in runs
    ]
    if any(job.executor == fast_downward.EXECUTOR for job in listed):
        fast_downward.required_driver()
    return listed


def carry_out(
    jobs: Sequence[Job],
    path: Path,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    quiet: bool = False,
) -> list[Row]:
    """Does what the results file lacks, here or on a cluster, and returns the rows of these jobs."""
    with Store(path) as store:
        left = list(remaining(jobs, store))
        progress = None if quiet else Progress(sum(len(job.runs) for job in left))
        try:
            if scheduler:
                from fsplan.planner.experiments.cluster import run_on_cluster

                run_on_cluster(left, store, scheduler, progress=progress)
            else:
                run_all(left, store, workers=workers, progress=progress)
        finally:
            if progress:
                progress.close()
    wanted = [run.key for job in jobs for run in job.runs]
    rows = {row["key"]: row for row in read(path)}
    return [rows[key] for key in wanted]


def report_text(rows: list[Row]) -> str:
    """What `fsplan compare` prints: every run of a few tasks, then sums, medians and pairwise wins."""
    groups = group_by(rows, configuration)
    parts = [runs_table(rows)] if len(rows) <= _MOST_ROWS else []
    if len({row["task"] for row in rows}) > 1:
        parts.append(summary_table(groups))
        if 1 < len(groups) <= _MOST_MATRIX:
            parts += [wins_table(groups, metric) for metric in METRICS]
    return "\n\n".join([*parts, *messages(rows)])


def messages(rows: list[Row]) -> list[str]:
    """What went wrong, each complaint once, with how many runs it befell."""
    failed = group_by([row for row in rows if row["message"]], lambda row: (configuration(row), row["message"]))
    lines = [f"{name} ({len(group)} runs, {group[0]['status']}): {text}" for (name, text), group in failed.items()]
    shown = [show(line.replace("\n", " ")) for line in lines[:_MOST_MESSAGES]]
    return ["\n".join(shown)] if shown else []


def runs_table(rows: list[Row]) -> str:
    header = ("task", "search", "status", "cost", "bound", "ratio", "expansions", "seconds", "memory MB")
    return table(header, [_run_cells(row) for row in rows])


def _run_cells(row: Row) -> list[Cell]:
    status = "invalid plan" if row.get("valid") is False else row["status"]
    return [
        row["task"],
        configuration(row),
        status,
        row["cost"],
        row["lower_bound"],
        row["ratio"],
        row["expansions"],
        row["total_seconds"],
        _megabytes(row["memory"]),
    ]


def _megabytes(size: int | float | None) -> float | None:
    return None if size is None else round(size / 1e6, 1)


def summary_table(groups: dict[str, list[Row]]) -> str:
    """Costs, ratios and medians are over the tasks that every search solved: others would compare different tasks.

    A task counts once, with the mean over its seeds.
    """
    common = common_tasks(groups)
    header = (
        "search", "solved", "unproven", "of", f"mean ratio ({len(common)} common)", "cost", "median cost",
        "median expansions", "median seconds", "median MB",
    )  # fmt: skip
    rows: list[list[Cell]] = []
    for name, group in groups.items():
        shared = [row for row in group if row["task"] in common and solved(row)]
        ratios, costs = task_means(shared, "ratio"), task_means(shared, "cost")
        rows.append(
            [
                name,
                sum(map(solved, group)),
                sum(map(unproven, group)),
                len(group),
                fmean(ratios) if ratios and len(ratios) == len(costs) else None,
                sum(costs) if costs else None,
                median_of(shared, "cost"),
                median_of(shared, "expansions"),
                median_of(shared, "total_seconds"),
                _megabytes(median_of(shared, "memory")),
            ]
        )
    return table(header, rows)


def common_tasks(groups: dict[str, list[Row]]) -> set[str]:
    """Tasks on which every run was solved, of every search that solved any."""
    able = [group for group in groups.values() if any(map(solved, group))]
    tasks = {row["task"] for group in able for row in group}
    for group in able:
        tasks &= {row["task"] for row in group}
        tasks -= {row["task"] for row in group if not solved(row)}
    return tasks


def wins_table(groups: dict[str, list[Row]], metric: str) -> str:
    """How often the search of a row beats the search of a column."""
    names = list(groups)
    letters = [f"({number})" for number in range(1, len(names) + 1)]
    rows: list[list[Cell]] = [
        [letter, name, *(None if name == other else wins(groups[name], groups[other], metric)[0] for other in names)]
        for letter, name in zip(letters, names, strict=True)
    ]
    return table(("", f"wins by {metric}", *letters), rows)
