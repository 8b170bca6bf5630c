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


def draw_values(rows: Iterable[Row], metric: str) -> list[dict[str, float]]:
    """For each draw of the policy, a dictionary from initial states (task names) to values of the metric."""
    by_draw = group_by([row for row in rows if row[metric] is not None], lambda row: row["draw"])
    return [{row["task"]: float(row[metric]) for row in drawn} for drawn in by_draw.values()]


def interval(draws: Sequence[Mapping[str, float]], level: float = 0.95) -> tuple[float, float] | None:
    """The confidence interval of the mean over policy draws; each draw maps initial states to values.

    With three or more draws it is a bootstrap interval. Both draws and initial states are samples: all runs with the
    same policy are correlated, and so are all runs from the same state. So initial states are resampled, jointly for
    all draws, and then draws. For two draws the range of their means is returned, and None for one draw.
    """
    import numpy as np

    if len(draws) < 3:
        means = sorted(fmean(draw.values()) for draw in draws)
        return (means[0], means[1]) if len(means) == 2 else None
    starts = list(dict.fromkeys(start for draw in draws for start in draw))
    numbers = np.array([[draw.get(start, math.nan) for start in starts] for draw in draws])
    times, chosen = _resamples(len(starts), len(draws))
    is_known = ~np.isnan(numbers)
    with np.errstate(invalid="ignore"):  # 0 / 0 if none of a draw's initial states was sampled
        means_of = (times @ np.where(is_known, numbers, 0).T) / (times @ is_known.T)
    sampled = np.take_along_axis(means_of, chosen, axis=1).mean(axis=1)
    low, high = np.nanquantile(sampled, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


@lru_cache(maxsize=64)
def _resamples(starts: int, draws: int, samples: int = 400) -> tuple[Any, Any]:
    """For each bootstrap sample, the multiplicity of each initial state and the chosen draws; with a fixed seed."""
    import numpy as np

    generator = np.random.default_rng(0)
    sampled = generator.integers(0, starts, (samples, starts))
    times = np.stack([np.bincount(each, minlength=starts) for each in sampled])
    return times, generator.integers(0, draws, (samples, draws))


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
