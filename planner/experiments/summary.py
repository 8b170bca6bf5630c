"""Statistics over many runs: medians, means, pairwise wins and confidence intervals."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from statistics import fmean, median
from typing import Any

from fsplan.planner.experiments.records import SOLVED, Row

Group = Callable[[Row], Any]
METRICS = ("cost", "expansions", "total_seconds")


def solved(row: Mapping[str, Any]) -> bool:
    """Whether the search ended with status "solved" and a plan that the validator has not rejected."""
    return row["status"] == SOLVED and row["cost"] is not None and row.get("valid") is not False


def unproven(row: Mapping[str, Any]) -> bool:
    """Whether a limit ended the search after it had found a plan, but before it had proven that cost ≤ w · C*."""
    return row["cost"] is not None and row["status"] != SOLVED and row.get("valid") is not False


def group_by(rows: Iterable[Row], key: Group) -> dict[Any, list[Row]]:
    """Lists of rows with the same key, in the order in which the keys first occur."""
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)


def task_means(rows: Iterable[Row], column: str) -> list[float]:
    """The mean over the runs (seeds) of each task; a task is omitted if one of its runs has no value."""
    by_task = group_by(rows, lambda row: row["task"]).values()
    return [fmean(row[column] for row in runs) for runs in by_task if all(row.get(column) is not None for row in runs)]


def median_of(rows: Iterable[Row], column: str) -> float | None:
    """The median of a column over all tasks; None if there is no value."""
    listed = task_means(rows, column)
    return median(listed) if listed else None


def wins(first: Iterable[Row], second: Iterable[Row], metric: str) -> tuple[int, int, int]:
    """The number of paired runs in which the first is better, both are equal, and the second is better.

    Runs are paired by task and seed. A run without a policy has no seed and is paired with all seeds of the other. A
    solved run is better than an unsolved one.
    """
    others = group_by(second, lambda row: row["task"])
    counts = [0, 0, 0]
    for row in first:
        for rival in others.get(row["task"], []):
            if row["seed"] == rival["seed"] or not (row["policy"] and rival["policy"]):
                counts[1 + _compare(row, rival, metric)] += 1
    return counts[0], counts[1], counts[2]


def _compare(row: Row, rival: Row, metric: str) -> int:
    mine, theirs = _score(row, metric), _score(rival, metric)
    return (mine > theirs) - (mine < theirs)


def _score(row: Row, metric: str) -> float:
    value = row.get(metric)
    return float(value) if solved(row) and value is not None else math.inf


def draw_values(rows: Iterable[Row], metric: str) -> list[list[float]]:
    """The values of the metric, grouped into independent units.

    A unit is a draw of the policy with its runs. If there are no draws, as for WA* and trained policies, each initial
    state is a unit.
    """
    known = [row for row in rows if row[metric] is not None]
    by_draw = group_by(known, lambda row: row["draw"])
    if len(by_draw) < 2:
        by_draw = group_by(known, lambda row: row["task"])
    return [[float(row[metric]) for row in unit] for unit in by_draw.values()]


def interval(units: Sequence[Sequence[float]], level: float = 0.95) -> tuple[float, float] | None:
    """The bootstrap confidence interval of the mean, where units are resampled; None for fewer than three units."""
    import numpy as np

    if len(units) < 3:
        return None
    times = _resamples(len(units))
    totals, counts = np.array([sum(unit) for unit in units]), np.array([len(unit) for unit in units])
    low, high = np.quantile((times @ totals) / (times @ counts), [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


@lru_cache(maxsize=64)
def _resamples(units: int, samples: int = 2000) -> Any:
    """For each bootstrap sample, the multiplicity of each unit; with a fixed seed."""
    import numpy as np

    return np.random.default_rng(0).multinomial(units, [1 / units] * units, samples).astype(float)


def search_name(row: Mapping[str, Any]) -> str:
    """The name of the search, as in `fsplan compare --searches`: `disc2`, `disc2+paper`, `wastar`."""
    return str(row.get("name") or (row["search"] == "focal" and row["order"]) or row["search"])


def configuration(row: Mapping[str, Any]) -> str:
    """A short name for the search with its parameters: `disc2(ff) lmcut w=1.5`."""
    name = f"{search_name(row)}({row['policy']})" if row["policy"] else search_name(row)
    heuristic = f" {row['heuristic']}" if row["heuristic"] else ""
    variant = f" [{row['variant']}]" if row["variant"] else ""
    weight = f" w={row['w']:g}" if row["w"] != 1 else ""
    return f"{name}{heuristic}{weight}{variant}"
