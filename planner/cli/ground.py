"""`fsplan ground`: the size of a task, and how long it took to get there."""

from __future__ import annotations

import time

from fsplan.planner.load import load_words
from fsplan.planner.quantities import seconds, size


def run(task: tuple[str, ...], json: bool, reader: str, time_limit: str | None, memory_limit: str | None) -> int:
    begin = time.perf_counter()
    limits = (seconds(time_limit) if time_limit else 0.0, size(memory_limit) if memory_limit else 0)
    sizes = load_words(task, reader=reader, limits=limits).sizes()
    sizes["total_seconds"] = round(time.perf_counter() - begin, 6)
    if json:
        from json import dumps

        print(dumps({"task": list(task), **sizes}, indent=2))
        return 0
    width = max(map(len, sizes))
    for name, value in sizes.items():
        shown = f"{value:.4f}" if isinstance(value, float) else value
        print(f"{name.replace('_', ' '):{width}}  {shown}")
    return 0
