"""`fsplan repeat`: repeats the run that a result file describes."""

from __future__ import annotations

from typing import Any

import click

from fsplan.planner.cli.parameters import Command, quiet_option

COUNTS = ("expanded", "generated", "evaluated")


@click.command("repeat", cls=Command)
@click.argument("result", type=click.Path())
@click.option("--trust", is_flag=True, help="Run Python code that the result names, such as --policy my.module:name.")
@quiet_option
def command(result: str, trust: bool, quiet: bool) -> int:
    """Repeats the run whose result `--json RESULT` has written, and compares plan, bound and counts.

    Exit code 0: everything agrees; 1: something differs.
    """
    from fsplan.planner.search.repeat import read_record, repeat

    before = read_record(result)
    after = repeat(before, trust=trust).to_dict()
    found = differences(before, after)
    if not quiet:
        print("\n".join(found) or _agreement(after))
    return 1 if found else 0


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Returns one line for each value that differs.

    >>> differences({"cost": 3, "statistics": {"expanded": 7}}, {"cost": 3, "statistics": {"expanded": 9}})
    ['expanded: 7 before, 9 now']
    """
    pairs = [(name, before.get(name), after.get(name)) for name in ("cost", "lower_bound", "plan")]
    pairs += [(name, before["statistics"].get(name), after["statistics"].get(name)) for name in COUNTS]
    found = [f"{name.replace('_', ' ')}: {was} before, {is_now} now" for name, was, is_now in pairs if was != is_now]
    if found and before.get("version") != after.get("version"):
        found.append(f"the result was written by fsplan {before.get('version')}, this is {after.get('version')}")
    return found


def _agreement(after: dict[str, Any]) -> str:
    plan = f"the same plan of cost {after['cost']}" if after["plan"] is not None else "no plan, as before"
    return f"repeated: {plan}, lower bound {after['lower_bound']}, {after['statistics']['expanded']:,} expanded"
