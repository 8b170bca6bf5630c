"""The text that `fsplan compare` prints."""

from __future__ import annotations

from statistics import fmean

from fsplan.planner.experiments import fast_downward
from fsplan.planner.experiments.records import Row
from fsplan.planner.experiments.summary import (
    METRICS,
    configuration,
    group_by,
    median_of,
    solved,
    task_means,
    unproven,
    wins,
)
from fsplan.planner.experiments.tables import Value, show, table

_MOST_ROWS = 60
_MOST_MATRIX = 12
_MOST_MESSAGES = 10
PLANS_EXPLAINED = (
    "plans: how many different plans were found; all: there are no others within w of the optimum (proven)."
)
COLUMNS_EXPLAINED = (
    "bound: a proven lower bound on the cost of every plan; ratio: cost / bound. search s: the search alone; total s: "
    "also reading and grounding the task and building the policy."
)
FAST_DOWNWARD_EXPLAINED = (
    "Fast Downward prints no bound: that of fd-astar is the cost of its plan, that of fd-wastar the cost divided by w, "
    "rounded up. Its total s includes its translator."
)


def report_text(rows: list[Row]) -> str:
    """The report: all runs if there are few, sums, medians and pairwise wins, explanations, and error messages."""
    groups = group_by(rows, configuration)
    parts = [runs_table(rows)] if len(rows) <= _MOST_ROWS else []
    if len({row["task"] for row in rows}) > 1:
        parts.append(summary_table(groups))
        if 1 < len(groups) <= _MOST_MATRIX:
            parts += [wins_table(groups, metric) for metric in METRICS]
    notes = [*explanations(rows), *assumed(rows), *messages(rows)]
    return "\n\n".join([*parts, "\n".join(notes)])


def explanations(rows: list[Row]) -> list[str]:
    foreign = any(row["planner"] == fast_downward.PLANNER for row in rows)
    extra = [FAST_DOWNWARD_EXPLAINED] * foreign + [PLANS_EXPLAINED] * _has_several(rows)
    return [COLUMNS_EXPLAINED, *extra]


def _has_several(rows: list[Row]) -> bool:
    return any(row["plans"] is not None for row in rows)


def assumed(rows: list[Row]) -> list[str]:
    """Notes on heuristics and policies that were not requested: defaults, and substitutes for unsupported ones."""
    return [
        f"{text} ({_count(group)}): {', '.join(group_by(group, configuration))}"
        for text, group in group_by(rows, _assumed_parts).items()
        if text
    ]


def _count(rows: list[Row]) -> str:
    return "1 run" if len(rows) == 1 else f"{len(rows)} runs"


def _assumed_parts(row: Row) -> str:
    found = []
    for part, used in (row.get("used") or {}).items():
        if used and used != row[part]:
            found.append(
                f"{part} {used}" + (f" instead of {row[part]}, which does not fit the task" if row[part] else "")
            )
    return ", ".join(found)


def messages(rows: list[Row]) -> list[str]:
    """The error messages of the runs, each once, with the number of runs."""
    failed = group_by([row for row in rows if row["message"]], lambda row: (configuration(row), row["message"]))
    lines = [f"{name} ({_count(group)}, {group[0]['status']}): {text}" for (name, text), group in failed.items()]
    return [show(line.replace("\n", " ")) for line in lines[:_MOST_MESSAGES]]


def runs_table(rows: list[Row]) -> str:
    header = ("task", "search", "status", "cost", "bound", "ratio", "expansions", "search s", "total s", "MB")
    if not _has_several(rows):
        return table(header, [_run_cells(row) for row in rows])
    return table((*header, "plans"), [[*_run_cells(row), _plans(row)] for row in rows])


def _run_cells(row: Row) -> list[Value]:
    status = "invalid plan" if row.get("valid") is False else row["status"]
    numbers = [row[column] for column in ("cost", "lower_bound", "ratio", "expansions", "seconds", "total_seconds")]
    return [row["task"], configuration(row), status, *numbers, _megabytes(row["memory"])]


def _plans(row: Row) -> Value:
    return f"all {row['plans']}" if row["all_plans"] else row["plans"] and str(row["plans"])


def _megabytes(size: int | float | None) -> float | None:
    return None if size is None else round(size / 1e6, 1)


def summary_table(groups: dict[str, list[Row]]) -> str:
    """The summary of each search.

    Costs, ratios and medians are over the tasks that every search solved, so that the same tasks are compared. A task
    counts once, with the mean over its seeds.
    """
    common = common_tasks(groups)
    header = (
        "search", "solved", "unproven", "of", f"mean ratio ({len(common)} common)", "cost", "median cost",
        "median expansions", "median total s", "median MB",
    )  # fmt: skip
    return table(header, [_summary(name, group, common) for name, group in groups.items()])


def _summary(name: str, group: list[Row], common: set[str]) -> list[Value]:
    shared = [row for row in group if row["task"] in common and solved(row)]
    ratios, costs = task_means(shared, "ratio"), task_means(shared, "cost")
    return [
        name,
        sum(map(solved, group)),
        sum(map(unproven, group)),
        len(group),
        fmean(ratios) if ratios and len(ratios) == len(costs) else None,
        sum(costs) if costs else None,
        *(median_of(shared, column) for column in ("cost", "expansions", "total_seconds")),
        _megabytes(median_of(shared, "memory")),
    ]


def common_tasks(groups: dict[str, list[Row]]) -> set[str]:
    """The tasks that all searches solved in all runs; searches that solved no task at all are ignored."""
    able = [group for group in groups.values() if any(map(solved, group))]
    tasks = {row["task"] for group in able for row in group}
    for group in able:
        tasks &= {row["task"] for row in group}
        tasks -= {row["task"] for row in group if not solved(row)}
    return tasks


def wins_table(groups: dict[str, list[Row]], metric: str) -> str:
    """A matrix of the number of tasks on which the search of the row is better than the search of the column."""
    names = list(groups)
    letters = [f"({number})" for number in range(1, len(names) + 1)]
    rows: list[list[Value]] = [
        [letter, name, *(None if name == other else wins(groups[name], groups[other], metric)[0] for other in names)]
        for letter, name in zip(letters, names, strict=True)
    ]
    return table(("", f"wins by {metric}", *letters), rows)
