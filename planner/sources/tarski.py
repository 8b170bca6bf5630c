"""Source of problems of the Python package tarski, and of PDDL files read by its parser."""

from __future__ import annotations

from fsplan.planner.sources.source import TaskSource

SOURCE = TaskSource(
    "tarski",
    "from Python: a problem of the package tarski; on the command line --reader tarski",
    example="fsplan.from_pddl(fsplan.from_tarski(problem))",
    reads=("reader",),
)
