"""Catalogue of the searches, orders, heuristics, kinds of policies, task sources, and their options.

Each of them is declared once, next to its code. The command line and its help, the checks of options, the comparisons,
the report page and the documentation all read the declarations through this module.

>>> [order.name for order in orders()][:2], search("astar").proves
(['score1', 'score2'], 'optimal')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from fsplan.planner import _core
from fsplan.planner.base.spelling import spelt

Named = TypeVar("Named", bound="Entry | Option")


class Entry:
    """A search, order, heuristic, kind of policy or task source.

    reads     names of the options that it reads
    proves    guarantee on the plan of a search: "optimal", "w" (cost at most w times the optimum) or "nothing"; for a
              heuristic "a lower bound" if it is admissible
    defaults  default values of its options
    details   attributes that only entries of this kind have, such as the `equation` of an order
    """

    __slots__ = ("defaults", "details", "name", "proves", "reads", "summary")

    def __init__(
        self,
        name: str,
        summary: str,
        reads: Sequence[str] = (),
        proves: str = "nothing",
        defaults: Mapping[str, Any] | None = None,
        **details: Any,
    ) -> None:
        self.name, self.summary, self.reads, self.proves = name, summary, tuple(reads), proves
        self.defaults, self.details = dict(defaults or {}), details

    def __repr__(self) -> str:
        return f"<{self.name}: {self.summary}>"


class Option:
    """An option of the searches.

    `kind` is "flag", "integer", "number", "text", "choice" or "list", and `group` is "common" or "advanced". `choices`
    has the legal values, or the legal elements of a list. `default` is None if it depends on other options.
    """

    __slots__ = ("choices", "default", "group", "kind", "name", "summary")

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.name, self.summary, self.kind, self.group = row["name"], row["summary"], row["kind"], row["group"]
        self.default, self.choices = row["default"], tuple(row["choices"])

    def __repr__(self) -> str:
        return f"<{self.name}: {self.summary}>"


@cache
def options() -> list[Option]:
    return [Option(row) for row in _core.option_table()]


@cache
def searches() -> list[Entry]:
    return [Entry(**row) for row in _core.search_table()]


@cache
def orders() -> list[Entry]:
    """Returns the orders of the FOCAL list."""
    return [Entry(**row) for row in _core.order_table()]


def heuristics() -> list[Entry]:
    """Returns the native heuristics; `details["tasks"]` names the kind of task that each one supports."""
    return [
        Entry(
            info.name,
            info.summary,
            proves="a lower bound" if info.admissible else "nothing",
            tasks=tasks,
            expensive=info.expensive,
        )
        for tasks, infos in _core.heuristic_table().items()
        for info in infos
    ]


def policies() -> list[Entry]:
    """Returns the kinds of policies."""
    from fsplan.planner.policies.registry import KINDS

    return [
        Entry(kind.name, kind.summary, kind.reads, defaults=kind.defaults, example=kind.example, forms=kind.forms())
        for kind in KINDS
    ]


def sources() -> list[Entry]:
    """Returns the sources from which tasks can be loaded, such as PDDL files and puzzles."""
    from fsplan.planner.sources.registry import SOURCES

    return [Entry(source.name, source.summary, source.reads, example=source.example) for source in SOURCES]


# How to list all names of a kind. Other kinds have few names: the error about an unknown name lists them.
LISTINGS = {
    "option": "`fsplan plan --help-all` shows all",
    "search": "`fsplan list searches` shows all",
    "order": "`fsplan list orders` shows all",
    "heuristic": "`fsplan list heuristics` shows all",
}


def option(name: str) -> Option:
    return _find("option", name, options())


def search(name: str) -> Entry:
    return _find("search", name, searches())


def order(name: str) -> Entry:
    return _find("order", name, orders())


def search_and_order(search_name: str | None, order_name: Any) -> tuple[str | None, Any]:
    """Returns search and order by their catalogue names; an order given as the search means focal search by this order.

    >>> search_and_order("A*", None), search_and_order("Disc-1", None)
    (('astar', None), ('focal', 'disc1'))
    """
    if isinstance(order_name, str) and ":" not in order_name:
        order_name = order(order_name).name
    if search_name is None:
        return None, order_name
    found = _find("search", search_name, [*searches(), *orders()]).name
    if found not in (each.name for each in orders()):
        return found, order_name
    if order_name is not None:
        raise ValueError(f"search {found} is focal search by this order; leave out the other order")
    return "focal", found


def heuristic(name: str) -> Entry:
    return _find("heuristic", name, heuristics())


def policy(name: str) -> Entry:
    return _find("policy", name, policies())


def source(name: str) -> Entry:
    return _find("source", name, sources())


def reads(search_name: str, order_name: str | None = None) -> tuple[str, ...]:
    """Returns the options that a search reads when FOCAL is ordered by `order_name`.

    The order may be the user's own function (module:name). Without a name it is the search's default order.

    >>> "accuracy" in reads("focal", "disc1"), "accuracy" in reads("focal", "disc2"), "w" in reads("astar")
    (True, False, False)
    """
    custom = order_name is not None and ":" in order_name
    chosen = _core.SearchOptions(search=search_name, order=None if custom else order_name)
    if custom:
        chosen.set_custom_order()
    chosen.set_defaults(expensive_heuristic=False)
    return tuple(option.name for option in options() if chosen.reads(option.name))


def _find(what: str, name: str, entries: Sequence[Named]) -> Named:
    found = spelt(what, name, [entry.name for entry in entries], LISTINGS.get(what, ""))
    return next(entry for entry in entries if entry.name == found)
