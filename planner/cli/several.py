"""Implements `fsplan plan --plans K`: prints several plans of a task as they are found."""

from __future__ import annotations

import sys
from json import dumps
from typing import Any

from fsplan.pddl.names import plural
from fsplan.planner.base.files import STDOUT, check_writable, write
from fsplan.planner.base.limits import Limits
from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.outputs import Outputs
from fsplan.planner.cli.search_options import switch
from fsplan.planner.plans.plan_files import format_plan
from fsplan.planner.search.several import FoundPlan, Plans, plans
from fsplan.planner.sources.load import load_arguments

ENDS = {
    "exhausted": "there are no others (proven)",
    "enough": "there may be others",
    "timeout": "the time limit stopped the search; there may be others",
    "memout": "the memory limit stopped the search; there may be others",
    "interrupted": "interrupted; there may be others",
}


def several(
    words: tuple[str, ...], k: int, different: str, arguments: dict[str, Any], own: dict[str, Any], reader: str
) -> int:
    """Prints at most k plans and returns the exit code. `own` has the given options that are not search options."""
    limits = Limits(own.pop("time_limit", None), own.pop("memory_limit", None))
    plan_file, json, quiet = own.pop("plan_file", None), own.pop("json", None), own.pop("quiet", False)
    w = arguments.pop("w", "1.5")
    if unread := [switch(name) for name in (*arguments, *own)]:
        raise UsageError(f"--plans does not read {', '.join(unread)}: it enumerates plans by a method of its own")
    for path in filter(None, (plan_file, json)):
        check_writable(path)
    outputs = Outputs()
    with limits.enforced():
        task = load_arguments(words, reader=reader, limits=limits)
        found = plans(task, k, w, different=different, time_limit=limits.begin_search(), memory_limit=limits.bytes)
        try:
            _write_all(found, plan_file, json, outputs)
        except KeyboardInterrupt:
            found.stop("interrupted")
            _write_all(found, plan_file, json, outputs)
    if json:
        with outputs.attempt(json):
            write(json, dumps(found.to_json() | {"task": list(words)}, indent=2) + "\n")
    if not quiet:
        print(_summary(found), file=sys.stderr)
    return outputs.exit_code(found.exit_code)


def _write_all(found: Plans, plan_file: str | None, json: str | None, outputs: Outputs) -> None:
    for each in found:
        path = f"{plan_file}.{len(found.found)}" if plan_file else "-"
        if path not in STDOUT or json not in STDOUT:
            with outputs.attempt(path):
                write(path, _text(found, each, with_number=path in STDOUT))


def _text(found: Plans, each: FoundPlan, with_number: bool) -> str:
    title = f"; plan {len(found.found)}{_ratio(each)}\n" if with_number else ""
    return title + format_plan(each.plan, each.cost, found.task.unit_cost)


def _ratio(each: FoundPlan) -> str:
    return "" if each.proven_ratio is None else f", at most {each.proven_ratio:.4g} times the optimum"


def _summary(found: Plans) -> str:
    w = found.weight[0] / found.weight[1]
    if not found.found:
        return "there is no plan (proven)" if found.status == "exhausted" else f"no plan: {ENDS[found.status]}"
    what = "sets of actions" if found.different == "actions" else "sequences of steps"
    complete = f"; complete up to cost {found.complete_to}" if found.complete_to is not None else ""
    count = plural(len(found.found), "plan")
    return (
        f"{count} within {w:g} times the optimum, different as {what}: {ENDS[found.status]}\n"
        f"every plan costs at least {found.lower_bound}{complete}"
    )
