"""`fsplan validate`: checks plans against their task."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.parameters import Command, json_option, quiet_option
from fsplan.planner.plans.plan_files import read_text

if TYPE_CHECKING:
    from fsplan.planner.plans.validate import Validation

SCHEMA = "fsplan-validations-1"  # the number increases when a field changes its name or meaning


@click.command("validate", cls=Command)
@click.argument("words", nargs=-1, required=True, type=click.Path(), metavar="TASK... PLAN...")
@json_option
@quiet_option
def command(words: tuple[str, ...], json: bool, quiet: bool) -> int:
    """Checks plans against the PDDL itself, without grounding; says which step fails and why.

    \b
    fsplan validate domain.pddl problem.pddl plan.txt
    fsplan validate domain.pddl problem.pddl sas_plan.1 sas_plan.2 --json
    fsplan validate output.sas plan.txt

    Exit code 0: every plan is valid; 1: at least one is not. The command fsplan-validate takes the options of VAL
    and prints its lines.
    """
    from fsplan.planner.plans.validate import validate
    from fsplan.planner.sources.contents import check_plan_last
    from fsplan.planner.sources.load import load_arguments
    from fsplan.planner.sources.pddl import read_problem
    from fsplan.planner.sources.registry import task_source

    if len(words) in (2, 3):
        check_plan_last("validate", *words)
    task, plans = _task_and_plans(words)
    texts = [read_text(plan) for plan in plans]
    loaded = (read_problem if task_source(task).name == "pddl" else load_arguments)(task)
    verdicts = [validate(loaded, text, suggest=json) for text in texts]
    if json:
        from json import dumps

        records = [{"plan": plan, **each.to_json()} for plan, each in zip(plans, verdicts, strict=True)]
        print(dumps({"schema": SCHEMA, "task": task, "valid": all(verdicts), "plans": records}, indent=2))
    elif not quiet:
        for plan, verdict in zip(plans, verdicts, strict=True):
            is_text_wrong = verdict.line is not None and verdict.step is None
            _print(verdict, f"{plan}: " if len(plans) > 1 or is_text_wrong else "")
    return 0 if all(verdicts) else 1


def _task_and_plans(words: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Splits the arguments: a task is one word, or a domain and a problem; all further words are plans."""
    from fsplan.planner.sources.contents import content_of
    from fsplan.planner.sources.registry import is_whole_task

    one_word = len(words) == 2 or is_whole_task(words[0]) or content_of(words[0]) == "problem"
    task, plans = (words[:1], words[1:]) if one_word else (words[:2], words[2:])
    if not plans:
        raise UsageError("fsplan validate DOMAIN PROBLEM PLAN…: name at least one plan after the task")
    return list(task), list(plans)


def _print(verdict: Validation, before: str) -> None:
    print(f"{before}{verdict.message}", file=sys.stdout if verdict.valid else sys.stderr)
