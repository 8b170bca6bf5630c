"""Numbers over many runs: medians, means, pairwise wins, confidence bands."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from fsplan.planner.experiments.records import Row

Group = Callable[[Row], Any]
METRICS = ("cost", "expansions", "total_seconds")


def solved(row: Mapping[str, Any]) -> bool:
    """A plan was found (an anytime search may have one and still run out of time) and it is not known to be wrong."""
    return row["cost"] is not None and row.get("valid") is not False


def group_by(rows: Iterable[Row], key: Group) -> dict[Any, list[Row]]:
    """Rows by key, in the order the keys first appear."""
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)


def values(rows: Iterable[Row], column: str) -> list[float]:
    return [float(row[column]) for row in rows if row.get(column) is not None]


def mean_of(rows: Iterable[Row], column: str) -> float | None:
    listed = values(rows, column)
    return fmean(listed) if listed else None


def median_of(rows: Iterable[Row], column: str) -> float | None:
    listed = values(rows, column)
    return median(listed) if listed else None


def geometric_mean(numbers: Sequence[float]) -> float | None:
    """
    >>> geometric_mean([1, 100])
    10.0
    """
    if not numbers or min(numbers) <= 0:
        return None
    return round(math.exp(fmean(map(math.log, numbers))), 12)


def wins(first: Iterable[Row], second: Iterable[Row], metric: str) -> tuple[int, int, int]:
    """(first better, equal, second better) over the tasks both were run on; a plan is better than none."""
    other = {_instance(row): row for row in second}
    counts = [0, 0, 0]
    for row in first:
        if (rival := other.get(_instance(row))) is not None:
            counts[1 + _compare(row, rival, metric)] += 1
    return counts[0], counts[1], counts[2]


def _instance(row: Row) -> tuple[Any, ...]:
    return row["task"], row["seed"], row["draw"]


def _compare(row: Row, rival: Row, metric: str) -> int:
    mine, theirs = _score(row, metric), _score(rival, metric)
    return (mine > theirs) - (mine < theirs)


def _score(row: Row, metric: str) -> float:
    value = row.get(metric)
    return float(value) if solved(row) and value is not None else math.inf


def confidence_band(
    groups: Sequence[Sequence[float]], *, level: float = 0.95, samples: int = 400, seed: int = 0
) -> tuple[float, float]:
    """A bootstrap interval for the mean of the groups' means: members of each group are resampled, then the groups.

    Both count: a draw of the policy (a group) moves all runs made with it, and the starts are a sample too.
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    arrays = [np.asarray(group, dtype=float) for group in groups if len(group)]
    if not arrays:
        return math.nan, math.nan
    inner = np.stack([each[generator.integers(0, len(each), (samples, len(each)))].mean(axis=1) for each in arrays])
    chosen = generator.integers(0, len(arrays), (samples, len(arrays)))
    means = inner[chosen, np.arange(samples)[:, None]].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def configuration(row: Mapping[str, Any]) -> str:
    """A name for what was run, as short as it can be: `disc2(ff) lmcut w=1.5`."""
    search = row["order"] if row["search"] == "focal" and row["order"] else row["search"]
    name = f"{search}({row['policy']})" if row["policy"] else str(search)
    heuristic = f" {row['heuristic']}" if row["heuristic"] else ""
    variant = f" [{row['variant']}]" if row["variant"] else ""
    weight = f" w={row['w']:g}" if row["w"] != 1 else ""
    return f"{name}{heuristic}{weight}{variant}"
