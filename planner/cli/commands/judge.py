"""`fsplan judge`: bounds how far a given plan is from optimal."""

from __future__ import annotations

import sys
from json import dumps
from typing import TYPE_CHECKING

import click

from fsplan.planner.base.files import check_writable, write
from fsplan.planner.base.limits import Limits
from fsplan.planner.cli.json_lines import JsonLines
from fsplan.planner.cli.outputs import Outputs
from fsplan.planner.cli.parameters import (
    Command,
    file_option,
    json_option,
    json_stream_option,
    memory_limit_option,
    option,
    quiet_option,
    task_argument,
    time_option,
)
from fsplan.planner.cli.progress import ProgressLine
from fsplan.planner.plans.plan_files import format_plan, read_text

if TYPE_CHECKING:
    from fsplan.planner.search.judge import Judgement


@click.command("judge", cls=Command)
@task_argument
@click.argument("plan", type=click.Path())
@option(
    "-w", "--w", default="1.2", show_default=True, help="Stop when the best plan is proven to be within this factor."
)
@time_option("--time-limit", default="60s", show_default=True, section="Limits", help="Stop after this long.")
@memory_limit_option()
@file_option("--plan-file", help="Write a better plan, if one is found, to this file instead of stdout.")
@json_option
@json_stream_option
@quiet_option
def command(
    task: tuple[str, ...],
    plan: str,
    w: str,
    time_limit: float,
    memory_limit: int | None,
    plan_file: str | None,
    json: bool,
    json_stream: str | None,
    quiet: bool,
) -> int:
    """Validates a given plan and says how far from optimal it can be, or finds a better one.

    \b
    fsplan judge domain.pddl problem.pddl plan.txt   (or: fsplan judge output.sas plan.txt)
    the plan is valid and costs 20, at most 12 % above the optimum; a better plan costs 18, which is optimal

    A better plan goes to stdout, or to --plan-file. Exit code 0: the plan is valid; 1: it is not, and the step that
    fails is named.
    """
    from fsplan.planner.search.judge import judge
    from fsplan.planner.sources.contents import check_plan_last
    from fsplan.planner.sources.load import load_arguments

    check_plan_last("judge", *task, plan)
    limits = Limits(time_limit, memory_limit)
    for path in filter(None, (plan_file, json_stream)):
        check_writable(path)
    text = read_text(plan)
    stream = JsonLines(json_stream)
    with limits.enforced():
        loaded = load_arguments(task, limits=limits)
        line = ProgressLine(not (quiet or json), stream)
        with line.stopped_by_user():
            verdict = judge(
                loaded,
                text,
                w=w,
                time_limit=limits.begin_search(),
                memory_limit=memory_limit,
                on_progress=line,
                on_gap=line.show_gap,
            )
    better, found = verdict.better_plan, verdict.result
    printed = json or stream.is_stdout
    outputs = Outputs()
    if better is not None and found is not None and found.cost is not None and (plan_file or not printed):
        with outputs.attempt(plan_file):
            write(plan_file or "-", format_plan(better, found.cost, loaded.unit_cost))
    stream.write(verdict.to_json())
    if stream.failure is not None:
        outputs.report(stream.failure, stream.path)
    _report(verdict, json, quiet)
    return outputs.exit_code(0 if verdict.valid else 1)


def _report(verdict: Judgement, json: bool, quiet: bool) -> None:
    if json:
        print(dumps(verdict.to_json(), indent=2))
    elif not quiet:
        print(verdict.message, file=sys.stderr)
