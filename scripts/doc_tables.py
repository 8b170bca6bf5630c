#!/usr/bin/env python3
"""Writes the tables of the docs that list searches, orders, heuristics, policies and sources, from their declarations.

A table is between `<!-- fsplan list KIND -->` and `<!-- end -->`, the Python reference of some names between
`<!-- fsplan api NAMES -->` and `<!-- end -->`. With --check nothing is written, and an outdated page is an error.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from api_reference import reference

from fsplan.planner.search import catalogue

Cells = Callable[[catalogue.Entry], list[str]]

DOCS = Path(__file__).resolve().parents[1] / "docs"
PLACE = re.compile(r"(<!-- fsplan (list|api) ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _example(entry: catalogue.Entry) -> list[str]:
    return [f"`{entry.details['example']}`", entry.summary]


TABLES: dict[str, tuple[list[str], Cells]] = {
    "searches": (["search", "what it does", "proves"], lambda entry: [entry.summary, entry.proves]),
    "orders": (["order", "key", "idea"], lambda entry: [f"`{entry.details['equation']}`", entry.summary]),
    "heuristics": (
        ["heuristic", "tasks", "what it is", "proves"],
        lambda entry: [entry.details["tasks"], entry.summary, entry.proves],
    ),
    "policies": (["policy", "for example", "what it is"], _example),
    "sources": (["source", "for example", "what it is"], _example),
}


def table(kind: str) -> str:
    head, cells = TABLES[kind]
    rows = [[f"`{entry.name}`", *cells(entry)] for entry in getattr(catalogue, kind)()]
    return "".join(f"| {' | '.join(row)} |\n" for row in [head, ["---"] * len(head), *map(_escaped, rows)])


def _escaped(row: list[str]) -> list[str]:
    return [cell.replace("|", "\\|") for cell in row]


DERIVED: dict[str, Callable[[str], str]] = {
    "list": table,
    "api": lambda names: "".join(map(reference, names.split())),
}


def derive(found: re.Match[str]) -> str:
    """Returns the generated text for a match; without torch, which it needs, the Python reference is unchanged."""
    if found[2] == "api" and find_spec("torch") is None:
        return found[0]
    return found[1] + DERIVED[found[2]](found[3]) + found[4]


def main() -> int:
    stale = []
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        derived = PLACE.sub(derive, text)
        if derived != text:
            stale.append(page)
            if "--check" not in sys.argv:
                page.write_text(derived, encoding="utf-8")
    if stale and "--check" in sys.argv:
        print(f"not up to date, run scripts/stubs: {', '.join(page.name for page in stale)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
