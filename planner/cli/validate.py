"""`fsplan validate`: a plan against its PDDL."""

from __future__ import annotations

import sys

import click

from fsplan.planner.cli.parameters import Command, quiet_option


@click.command("validate", cls=Command)
@click.argument("domain", type=click.Path())
@click.argument("problem", type=click.Path())
@click.argument("plan", type=click.Path())
@quiet_option
def command(domain: str, problem: str, plan: str, quiet: bool) -> int:
    """Checks a plan against the PDDL itself, without grounding; says which step fails and why.

    Exit code 0: the plan is valid; 1: it is not.
    """
    from fsplan.planner.plans import read_text
    from fsplan.planner.sources.contents import check_plan_last
    from fsplan.planner.sources.pddl import read_problem
    from fsplan.planner.validate import validate

    check_plan_last("validate", domain, problem, plan)
    verdict = validate(read_problem((domain, problem)), read_text(plan))
    if not quiet:
        print(verdict.message, file=sys.stdout if verdict.valid else sys.stderr)
    return 0 if verdict.valid else 1
