"""`fsplan validate`: checks a plan against its task."""

from __future__ import annotations

import sys

import click

from fsplan.planner.cli.parameters import Command, quiet_option, task_argument


@click.command("validate", cls=Command)
@task_argument
@click.argument("plan", type=click.Path())
@quiet_option
def command(task: tuple[str, ...], plan: str, quiet: bool) -> int:
    """Checks a plan against the PDDL itself, without grounding; says which step fails and why.

    \b
    fsplan validate domain.pddl problem.pddl plan.txt
    fsplan validate output.sas plan.txt

    Exit code 0: the plan is valid; 1: it is not.
    """
    from fsplan.planner.plans.plan_files import read_text
    from fsplan.planner.plans.validate import validate
    from fsplan.planner.sources.contents import check_plan_last
    from fsplan.planner.sources.load import load_words
    from fsplan.planner.sources.pddl import read_problem
    from fsplan.planner.sources.registry import task_source

    check_plan_last("validate", *task, plan)
    read = read_problem if task_source(task).name == "pddl" else load_words
    verdict = validate(read(task), read_text(plan))
    if not quiet:
        print(verdict.message, file=sys.stdout if verdict.valid else sys.stderr)
    return 0 if verdict.valid else 1
