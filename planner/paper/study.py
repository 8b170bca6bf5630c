"""Converts the options of `fsplan study` to the settings of an experiment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fsplan.planner.base.weights import weight_text
from fsplan.planner.experiments.names import heuristic_named, parse_search
from fsplan.planner.experiments.suites import tasks_of_arguments
from fsplan.planner.paper.settings import SEARCHES, Effort, Settings, Synthetic, Trained
from fsplan.planner.paper.spaces import Place

GIGABYTE = 1 << 30


def study_settings(
    words: Sequence[str],
    *,
    policies: Sequence[str] = (),
    searches: Sequence[str] | None = None,
    ws: Sequence[str] | None = None,
    heuristics: Sequence[str] = (),
    accuracies: Sequence[float] | None = None,
    starts: int = 20,
    draws: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Settings:
    """The settings of a study: `Trained` if policies are given, else `Synthetic` on the state space of each task."""
    chosen: dict[str, Any] = {
        "searches": tuple(searches or SEARCHES),
        "time_limit": time_limit or 60.0,
        "memory_limit": memory_limit or 4 * GIGABYTE,
    }
    for name in chosen["searches"]:
        parse_search(name)
    heuristics = [heuristic_named(name) for name in heuristics]
    if ws:
        chosen["ws"] = tuple(map(weight_text, ws))
    if policies:
        if accuracies is not None:
            raise ValueError("--accuracies are of synthetic policies: leave them or --policies out")
        if len(heuristics) > 1:
            raise ValueError("one heuristic at a time with trained policies")
        heuristic = heuristics[0] if heuristics else None
        return Trained(tuple(tasks_of_arguments(words)), tuple(policies), heuristic, **chosen)
    places = dict(_places(words, heuristics or (None,)))
    if accuracies is not None:
        chosen["accuracies"] = tuple(accuracies)
    efforts = dict.fromkeys(places, Effort(starts, draws or starts))
    return Synthetic(efforts, places, low_ws=() if ws else ("1.01", "1.05", "1.1"), **chosen)


def _places(words: Sequence[str], heuristics: Sequence[str | None]) -> Iterator[tuple[str, Place]]:
    """The names and state spaces of all combinations of task and heuristic."""
    for task in tasks_of_arguments(words):
        for heuristic in heuristics:
            name = task.name if len(heuristics) == 1 else f"{task.name} {heuristic}"
            yield name, Place(name, task.files or (task.name,), heuristic)
