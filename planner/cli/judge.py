"""`fsplan judge`: how good is this plan?"""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING, Any

import click

from fsplan.planner.cli.parameters import (
    Command,
    file_option,
    json_option,
    memory_limit_option,
    option,
    quiet_option,
    time_option,
)
from fsplan.planner.cli.progress import ProgressLine
from fsplan.planner.files import check_writable, write
from fsplan.planner.limits import Limits

if TYPE_CHECKING:
    from fsplan.planner.judge import Judgement


@click.command("judge", cls=Command)
@click.argument("domain", type=click.Path())
@click.argument("problem", type=click.Path())
@click.argument("plan", type=click.Path())
@option("--w", default="1.2", show_default=True, help="Stop when the best plan is proven to be within this factor.")
@time_option("--time-limit", default="60s", show_default=True, section="Limits", help="Stop after this long.")
@memory_limit_option()
@file_option("--plan-file", help="Write a better plan, if one is found, to this file instead of stdout.")
@json_option
@option("--json-lines", is_flag=True, section="Output", help="Print every better plan and bound as a line of JSON.")
@quiet_option
def command(
    domain: str,
    problem: str,
    plan: str,
    w: str,
    time_limit: float,
    memory_limit: int | None,
    plan_file: str | None,
    json: bool,
    json_lines: bool,
    quiet: bool,
) -> int:
    """Validates anybody's plan and says how far from optimal it can be, or finds a better one.

    \b
    fsplan judge domain.pddl problem.pddl plan.txt
    the plan is valid and costs 20, at most 12 % above the optimum; a better plan costs 18, which is optimal

    A better plan goes to stdout, or to --plan-file. Exit code 0: the plan is valid; 1: it is not, and the step that
    fails is named.
    """
    from fsplan.planner.judge import judge
    from fsplan.planner.load import load_words
    from fsplan.planner.plans import format_plan, read_text

    limits = Limits(time_limit, memory_limit)
    if plan_file:
        check_writable(plan_file)
    text = read_text(plan)
    with limits.enforced():
        task = load_words((domain, problem), limits=limits)
        line = GapLine(not (quiet or json or json_lines), json_lines)
        signal.signal(signal.SIGINT, line.stop)
        verdict = judge(
            task,
            text,
            w=w,
            time_limit=limits.begin_search(),
            memory_limit=memory_limit,
            on_progress=line,
            on_incumbent=line.better,
        )
        line.clear()
    better, found = verdict.better_plan, verdict.result
    if better is not None and found is not None and found.cost is not None and (plan_file or not (json or json_lines)):
        write(plan_file or "-", format_plan(better, found.cost, task.unit_cost))
    _report(verdict, json or json_lines, quiet)
    return 0 if verdict.valid else 1


class GapLine(ProgressLine):
    """The progress on a terminal, and with `lines` each better plan or bound on stdout."""

    def __init__(self, shown: bool, lines: bool) -> None:
        super().__init__(shown)
        self.lines = lines
        self.bound: Any = 0

    def __call__(self, now: Any) -> bool:
        if self.lines and now.lower_bound is not None and now.lower_bound > self.bound:
            self.bound = now.lower_bound
            self._write({"seconds": round(now.seconds, 3), "lower_bound": self.bound})
        return super().__call__(now)

    def better(self, plan: list[str], cost: Any, lower_bound: Any) -> None:
        if self.lines:
            self._write({"cost": cost, "lower_bound": lower_bound, "plan": plan})

    def _write(self, record: dict[str, Any]) -> None:
        from json import dumps

        print(dumps(record, default=float), flush=True)


def _report(verdict: Judgement, json: bool, quiet: bool) -> None:
    if json:
        from json import dumps

        print(dumps(verdict.to_json(), default=float))
    elif not quiet:
        print(verdict.message, file=sys.stderr)
