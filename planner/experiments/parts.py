"""What the experiments ask about fsplan's own searches: which options a search reads, and of what kind they are."""

from __future__ import annotations

from typing import Any

from fsplan.planner import catalogue

# Chosen by the comparison itself, or by the name of the search.
_ELSEWHERE = ("search", "order", "time_limit", "memory_limit", "expansion_limit")


def searches() -> dict[str, catalogue.Entry]:
    return {entry.name: entry for entry in catalogue.searches()}


def orders() -> dict[str, catalogue.Entry]:
    return {entry.name: entry for entry in catalogue.orders()}


def read_by(search: str, order: str | None) -> tuple[str, ...]:
    """The options that a search reads, those of its order included.

    A weight that does not change the search, but only what its plan is checked for at the end, is left out.
    """
    weighted = catalogue.search(search).proves == "w"
    reads = catalogue.reads(search, order)
    return tuple(name for name in reads if name not in _ELSEWHERE and (name != "w" or weighted))


def choices(option: str) -> tuple[str, ...]:
    found = catalogue.option(option)
    return found.choices if found.kind == "choice" else ()


def converted(option: str, text: str) -> Any:
    """The value of an option written as text."""
    found = catalogue.option(option)
    if found.kind == "flag":
        return {"yes": True, "true": True, "no": False, "false": False}[text]
    if found.kind == "choice" and text not in found.choices:
        raise ValueError(text)
    return int(text) if found.kind == "integer" else float(text) if found.kind == "number" else text
