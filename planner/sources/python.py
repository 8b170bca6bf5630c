"""Tasks written in Python; `fsplan.SearchTask` says what they need."""

from __future__ import annotations

from fsplan.planner.sources.source import TaskSource

SOURCE = TaskSource(
    "python",
    "from Python: any object with `start`, `is_goal` and `successors`",
    example="fsplan.solve(MyTask())",
)
