"""`fsplan list`: lists searches, orders, heuristics, policies and task sources."""

from __future__ import annotations

from json import dumps
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

import click

from fsplan.planner.cli.parameters import Command, json_option
from fsplan.planner.search import catalogue

KINDS = ("searches", "orders", "heuristics", "policies", "sources")


@click.command("list", cls=Command)
@click.argument("kind", required=False, type=click.Choice(KINDS), metavar=f"[{'|'.join(KINDS)}]")
@json_option
def command(kind: str | None, json: bool) -> int:
    """Lists the searches, orders of FOCAL, heuristics, policies and task sources."""
    tables = {name: getattr(catalogue, name)() for name in (KINDS if kind is None else (kind,))}
    if json:
        print(dumps({name: [described(entry) for entry in entries] for name, entries in tables.items()}, indent=2))
        return 0
    print("\n\n".join(table(name, entries) for name, entries in tables.items()))
    return 0


def described(entry: Any) -> dict[str, Any]:
    """Returns all fields of an entry as plain values."""
    return {
        "name": entry.name,
        "summary": entry.summary,
        "reads": list(entry.reads),
        "proves": entry.proves,
        "defaults": dict(entry.defaults),
        **entry.details,
    }


def table(title: str, entries: list[Any]) -> str:
    """Returns a table, wrapped to the terminal width, with name, summary and an example of each entry."""
    width = min(get_terminal_size((110, 24)).columns, 110)
    indent = max(len(entry.name) for entry in entries) + 4
    rows = [
        fill(_sentence(entry), width, initial_indent=f"  {entry.name:{indent - 2}}", subsequent_indent=" " * indent)
        for entry in entries
    ]
    return "\n".join([f"{title}:", *rows])


def _sentence(entry: Any) -> str:
    """Returns the summary of an entry, with an example if it has one.

    >>> from fsplan.planner.search.catalogue import Entry
    >>> _sentence(Entry("tiles", "sliding tiles", example="tiles8:random/1"))
    'sliding tiles (tiles8:random/1)'
    """
    notes = [entry.details["example"]] if entry.details.get("example", entry.name) != entry.name else []
    if not entry.proves.startswith("nothing"):
        notes.append(f"proves {entry.proves}")
    remark = f" ({'; '.join(notes)})" if notes else ""
    return f"{entry.summary.rstrip('.')}{remark}"
