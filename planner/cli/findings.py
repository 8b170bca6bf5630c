"""What a run has found: noted while it searches, in case the deadline ends it, and written after the search."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fsplan.planner.cli.summary import notes, summary
from fsplan.planner.files import STDOUT, unfinished_places, write
from fsplan.planner.plans import format_plan
from fsplan.planner.result import EXIT_CODES, EXIT_CODES_WITH_PLAN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fsplan.planner.cli.json_lines import JsonLines
    from fsplan.planner.cli.outputs import Outputs
    from fsplan.planner.gap import GapPoint
    from fsplan.planner.limits import Limits
    from fsplan.planner.result import Result
    from fsplan.planner.task import Task


class Findings:
    """The best plan and the greatest bound of a run, and where its options want them written."""

    def __init__(
        self,
        task: Task,
        limits: Limits,
        plan_file: str | None,
        json: str | None,
        stream: JsonLines,
        trace: str | None,
    ) -> None:
        self.task, self.limits, self.plan_file, self.json, self.stream = task, limits, plan_file, json, stream
        self._unfinished = unfinished_places(plan_file, trace)
        self._gap: GapPoint | None = None
        self._plan, self._cost = "", None  # the text of the best plan
        self._in_file = False

    def note_plan(self, plan: Sequence[str], cost: Any) -> None:
        """A better plan goes to its file at once; without a file it is printed if the deadline ends the process."""
        self._plan, self._cost = format_plan(plan, cost, self.task.unit_cost), cost
        if self.plan_file:
            self._in_file = False
            with suppress(OSError):  # reported at the end, when the plan goes to stdout instead
                write(self.plan_file, self._plan)
                self._in_file = True
        self._keep()

    def note_gap(self, gap: GapPoint) -> None:
        self._gap = gap
        self._keep()

    def _keep(self) -> None:
        """Leaves with the deadline what is known. A plan whose place on stdout is taken by JSON goes to stderr."""
        bound = self._gap.lower_bound if self._gap else 0
        known = f"every plan costs at least {bound}"
        plan = "" if self._in_file else self._plan
        if self._plan:
            known = f"plan of cost {self._cost}, lower bound {bound}"
        code = EXIT_CODES_WITH_PLAN["timeout"] if self._plan else EXIT_CODES["timeout"]
        printed = plan if self._has_stdout() else ""
        self.limits.leave_at_deadline(code, known if printed else plan + known, printed, self._unfinished)

    def _has_stdout(self) -> bool:
        """Whether stdout is free for the plan."""
        return not (self.stream.is_stdout or self.json in STDOUT)

    def write(self, result: Result, limits: Limits, quiet: bool, outputs: Outputs) -> None:
        """First the plan, then JSON and the summary: what fails does not keep the others from being written."""
        self._write_plan(result, outputs)
        unreachable = self._unreachable(result, limits, quiet)
        record = self._record(result, limits, unreachable)
        if self.json:
            from json import dumps

            with outputs.attempt(self.json):
                write(self.json, dumps(record, indent=2) + "\n")
        self.stream.write(record)
        if self.stream.failure is not None:
            outputs.report(self.stream.failure, self.stream.path)
        if not quiet:
            print(summary(self.task, result, limits, unreachable), file=sys.stderr)

    def _write_plan(self, result: Result, outputs: Outputs) -> None:
        """If its file cannot be written, the plan goes to stdout."""
        if result.plan is None or result.cost is None:
            return
        text = format_plan(result.plan, result.cost, self.task.unit_cost)
        if self.plan_file:
            with outputs.attempt(self.plan_file):
                write(self.plan_file, text)
                return
        if self._has_stdout():
            with outputs.attempt(None):
                write("-", text)

    def _unreachable(self, result: Result, limits: Limits, quiet: bool) -> list[tuple[str, ...]] | None:
        """Which goals of a task without a plan cannot be reached, if anybody will read it."""
        if result.status != "unsolvable" or (quiet and not self.json and self.stream.path is None):
            return None
        from fsplan.planner.unsolvable import unreachable_goals

        return unreachable_goals(self.task, result, limits)

    def _record(self, result: Result, limits: Limits, unreachable: list[tuple[str, ...]] | None) -> dict[str, Any]:
        record = result.to_dict() | {"unreachable_goals": unreachable, "notes": list(notes(self.task))}
        record["statistics"] |= {"total_seconds": round(limits.used(), 6), **self.task.sizes()}
        return record
