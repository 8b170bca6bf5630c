"""`fsplan explain`: why a PDDL task has no plan, and what may be missing."""

from __future__ import annotations

from typing import Any

import click

from fsplan.planner.base.limits import Limits
from fsplan.planner.cli.parameters import Command, json_option, memory_limit_option, task_argument, time_option

SCHEMA = "fsplan-suggestions-1"  # the number increases when a field changes its name or meaning
UNSOLVABLE, UNKNOWN = 11, 23


@click.command("explain", cls=Command)
@task_argument
@time_option(
    "--time-limit",
    default="30s",
    show_default=True,
    section="Limits",
    help="Stop the search after this long; suggestions may take as long again.",
)
@memory_limit_option()
@json_option
def command(task: tuple[str, ...], time_limit: float, memory_limit: int | None, json: bool) -> int:
    """Says why a PDDL task has no plan: goals that cannot be reached, types without objects, facts that may be missing.

    The missing facts are a suggestion: with them in the initial state there is a plan, but others may have been meant.

    Exit code 0: there is a plan; 11: there is none (proven); 23: neither was found within the limits.
    """
    found = _explanation(task, Limits(time_limit, memory_limit))
    if json:
        from json import dumps

        print(dumps({"schema": SCHEMA, "task": task, **found}, indent=2))
    else:
        print("\n".join(_lines(found)))
    return 0 if found["status"] == "solved" else UNSOLVABLE if found["status"] == "unsolvable" else UNKNOWN


def _explanation(words: tuple[str, ...], limits: Limits) -> dict[str, Any]:
    from fsplan.planner.cli.errors import UsageError
    from fsplan.planner.search.solve import solve
    from fsplan.planner.search.suggestions import empty_types, missing_facts
    from fsplan.planner.search.unsolvable import unreachable_goals, why_unsolvable
    from fsplan.planner.sources.load import load_words

    seconds = limits.seconds or 0.0
    loaded = load_words(words, limits=limits)
    if loaded.problem is None:
        raise UsageError("fsplan explain DOMAIN PROBLEM: only PDDL tasks can be explained")
    result = solve(loaded, "auto", w=100, time_limit=limits.begin_search(), memory_limit=limits.bytes)
    goals = unreachable_goals(loaded, result)
    status = "solved" if result.plan is not None else result.status
    message = "there is a plan" if status == "solved" else f"no plan was found, and none is excluded ({status})"
    if goals is not None:
        message = f"there is no plan: {why_unsolvable(goals, result)}"
    facts = None if status == "solved" else missing_facts(loaded.problem, seconds, limits.bytes)
    return {
        "status": status,
        "message": message,
        "unreachable_goals": goals,
        "empty_types": empty_types(loaded.problem),
        "missing_facts": facts and facts.facts,
        "plan_found": facts and facts.plan_found,
    }


def _lines(found: dict[str, Any]) -> list[str]:
    lines = [found["message"]]
    for name, actions in found["empty_types"].items():
        lines.append(f"no object has the type {name}, so these actions have no instances: {', '.join(actions)}")
    if found["missing_facts"]:
        effect = "there is a plan" if found["plan_found"] else "the goal may be reachable (no plan was found in time)"
        lines.append(f"suggestion: with {' '.join(found['missing_facts'])} in the initial state, {effect}")
    return lines
