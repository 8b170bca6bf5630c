"""`fsplan ground`: the size of a task, and how long it took to get there."""

from __future__ import annotations

from fsplan.planner.cli.budget import Budget
from fsplan.planner.load import load_words


def run(task: tuple[str, ...], json: bool, reader: str, time_limit: str | None, memory_limit: str | None) -> int:
    budget = Budget(time_limit, memory_limit)
    sizes = load_words(task, reader=reader, limits=(budget.seconds, budget.bytes)).sizes()
    sizes["total_seconds"] = round(budget.used(), 6)
    if json:
        from json import dumps

        print(dumps({"task": list(task), **sizes}, indent=2))
        return 0
    width = max(map(len, sizes))
    for name, value in sizes.items():
        shown = f"{value:.4f}" if isinstance(value, float) else value
        print(f"{name.replace('_', ' '):{width}}  {shown}")
    return 0
