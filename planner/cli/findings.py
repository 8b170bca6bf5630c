"""Records the plans and bounds of a run while it searches, in case it is killed at the deadline, and writes them."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fsplan.planner.base.files import STDOUT, unfinished_places, write
from fsplan.planner.cli.summary import summary
from fsplan.planner.plans.plan_files import format_plan
from fsplan.planner.search.document import record
from fsplan.planner.search.result import EXIT_CODES, EXIT_CODES_WITH_PLAN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fsplan.planner.base.limits import Limits
    from fsplan.planner.cli.json_lines import JsonLines
    from fsplan.planner.cli.outputs import Outputs
    from fsplan.planner.search.gap import GapPoint
    from fsplan.planner.search.result import Result
    from fsplan.planner.tasks.task import Task


class Findings:
    """The best plan and the greatest lower bound of a run, and the outputs to which they are written."""

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
        self._plan, self._cost = "", None  # text and cost of the best plan
        self._in_file = False

    def note_plan(self, plan: Sequence[str], cost: Any) -> None:
        """Writes a better plan to its file; without a file it is printed if the deadline ends the process."""
        self._plan, self._cost = format_plan(plan, cost, self.task.unit_cost), cost
        if self.plan_file:
            self._in_file = False
            with suppress(OSError):  # `_write_plan` reports the error and prints the plan to stdout instead
                write(self.plan_file, self._plan)
                self._in_file = True
        self._keep()

    def note_gap(self, gap: GapPoint) -> None:
        self._gap = gap
        self._keep()

    def _keep(self) -> None:
        """Sets what is printed at the deadline. The plan goes to stdout, or to stderr if stdout is used for JSON."""
        bound = self._gap.lower_bound if self._gap else 0
        known = f"every plan costs at least {bound}"
        plan = "" if self._in_file else self._plan
        if self._plan:
            known = f"plan of cost {self._cost}, lower bound {bound}"
        code = EXIT_CODES_WITH_PLAN["timeout"] if self._plan else EXIT_CODES["timeout"]
        printed = plan if self._has_stdout() else ""
        self.limits.leave_at_deadline(code, known if printed else plan + known, printed, self._unfinished)

    def _has_stdout(self) -> bool:
        """Whether the plan may be printed to stdout, which is not used for JSON."""
        return not (self.stream.is_stdout or self.json in STDOUT)

    def write(self, result: Result, limits: Limits, quiet: bool, outputs: Outputs) -> None:
        """Writes the plan, the JSON and the summary; if one output fails, the others are still written."""
        self._write_plan(result, outputs)
        unreachable = self._unreachable(result, limits, quiet)
        document = record(self.task, result, limits, unreachable)
        if self.json:
            from json import dumps

            with outputs.attempt(self.json):
                write(self.json, dumps(document, indent=2) + "\n")
        self.stream.write(document)
        if self.stream.failure is not None:
            outputs.report(self.stream.failure, self.stream.path)
        if not quiet:
            print(summary(self.task, result, limits, unreachable), file=sys.stderr)

    def _write_plan(self, result: Result, outputs: Outputs) -> None:
        """Writes the plan to its file, or to stdout if there is no file or it cannot be written."""
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
        """Returns the unreachable goals of an unsolvable task; None if no output shows them."""
        if result.status != "unsolvable" or (quiet and not self.json and self.stream.path is None):
            return None
        from fsplan.planner.search.unsolvable import unreachable_goals

        return unreachable_goals(self.task, result, limits)
