"""Observers of the expansions of a search, for the options `--trace` and `--debugger`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fsplan.planner._core import Expansion
    from fsplan.planner.cli.outputs import Outputs
    from fsplan.planner.integrations.debugger import SearchDebugger
    from fsplan.planner.pictures.trace import TraceWriter
    from fsplan.planner.search.result import Result
    from fsplan.planner.tasks.task import Task


class Observers:
    """Passes each expansion, and the result, to all observers. An observer that fails is removed."""

    def __init__(self) -> None:
        self.parts: list[tuple[str, TraceWriter | SearchDebugger]] = []  # (file or address, observer)
        self.failures: list[tuple[str, OSError]] = []

    def __call__(self, expansion: Expansion) -> None:
        for name, part in tuple(self.parts):
            try:
                part(expansion)
            except OSError as error:
                self.parts.remove((name, part))
                self.failures.append((name, error))

    def end(self, result: Result, outputs: Outputs) -> None:
        """Passes the result to the observers and reports those that failed."""
        for name, error in self.failures:
            outputs.report(error, name)
        for name, part in self.parts:
            with outputs.attempt(name):
                part.end(result)


@contextmanager
def observed(task: Task, trace: str | None, debugger: str | None, any_host: bool) -> Iterator[Observers]:
    """Provides the observers that the options select. An incomplete trace is removed at the end."""
    observers = Observers()
    if debugger:
        from fsplan.planner.integrations.debugger import SearchDebugger

        observers.parts.append((debugger, SearchDebugger(debugger, task.state_space, any_host=any_host)))
    if not trace:
        yield observers
        return
    from fsplan.planner.pictures.trace import TraceWriter

    writer = TraceWriter(trace, task.name, task.state_space, task.cost_denominator)
    observers.parts.append((trace, writer))
    try:
        yield observers
    finally:
        writer.discard()
