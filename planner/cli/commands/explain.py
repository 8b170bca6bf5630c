"""`fsplan explain`: why a PDDL task has no plan, and what may be missing."""

from __future__ import annotations

from json import dumps
from typing import Any

import click

from fsplan.planner.base.limits import Limits
from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.parameters import Command, json_option, memory_limit_option, task_argument, time_option

EXIT_CODES = {"plan_exists": 0, "no_plan": 11, "unknown": 23}  # by verdict


@click.command("explain", cls=Command)
@task_argument
@time_option("--time-limit", default="60s", show_default=True, section="Limits", help="Stop after this long.")
@memory_limit_option()
@json_option
def command(task: tuple[str, ...], time_limit: float, memory_limit: int | None, json: bool) -> int:
    """Says why a PDDL task has no plan: goals that cannot be reached, types without objects, and what may be missing.

    Facts of the initial state, an effect or an object are a suggestion: with them there is a plan, but others may have
    been meant.

    Exit code 0: there is a plan; 11: there is none (proven); 23: neither was found within the limits; 31: the PDDL is
    wrong, and 34: it is not supported; --json then lists the faults with their lines and columns.
    """
    found = _explanation(task, Limits(time_limit, memory_limit))
    if json:
        print(dumps({**found, "task": task}, indent=2))
    else:
        print("\n".join(_lines(found)))
    return EXIT_CODES[found["verdict"]]


def _explanation(words: tuple[str, ...], limits: Limits) -> dict[str, Any]:
    from fsplan.planner.search.explanation import explain_task
    from fsplan.planner.sources.load import load_arguments

    loaded = load_arguments(words, limits=limits)
    if loaded.problem is None:
        raise UsageError("fsplan explain DOMAIN PROBLEM: only PDDL tasks can be explained")
    return explain_task(loaded, limits)


def _lines(found: dict[str, Any]) -> list[str]:
    from fsplan.planner.search.suggestions import Suggestion

    lines = [found["message"]]
    for name, actions in found["empty_types"].items():
        lines.append(f"no object has the type {name}, so these actions have no instances: {', '.join(actions)}")
    return [*lines, *(f"suggestion: {Suggestion(**each).text()}" for each in found["suggestions"])]
