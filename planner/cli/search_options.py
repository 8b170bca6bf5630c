"""The options of `plan` that choose and shape the search, from the options that the library declares."""

from __future__ import annotations

from typing import Any

import click

from fsplan.planner.catalogue import options, reads
from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.names import heuristic_names, policy_names
from fsplan.planner.cli.parameters import names_or_files, option

# Sections of the help by option; all others stand under Search. Two limits have options of their own in plan.py.
HEURISTIC_AND_POLICY = ("heuristic", "policy", "accuracy", "preferred", "alternate", "masked", "alpha")
LIMITS = ("time_limit", "memory_limit", "expansion_limit")
COMPLETED = {"heuristic": heuristic_names, "policy": policy_names}
ALIASES = {"masked": ("--unmasked",)}
TYPES = {"integer": click.INT, "number": click.FLOAT, "text": click.STRING, "list": click.STRING}


class OrderName(click.Choice[str]):
    """An order by its name, or a function of one's own as module:name."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        return value if isinstance(value, str) and ":" in value else super().convert(value, param, ctx)


def search_options(function: Any) -> Any:
    """Adds an option for everything that can be chosen about a search."""
    for each in reversed(options()):
        if each.name not in ("time_limit", "memory_limit"):
            function = _option(each)(function)
    return function


def switch(name: str, default: object = None) -> str:
    """
    >>> switch("order"), switch("k_focal"), switch("reopen", True)
    ('--focal', '--k-focal', '--no-reopen')
    """
    if name == "order":
        return "--focal"
    return f"--{'no-' if default is True else ''}{name.replace('_', '-')}"


def _option(each: Any) -> Any:
    """Options default to None, "not given": the library knows the defaults, and which options go together."""
    attributes: dict[str, Any] = {"help": _sentence(each.summary), "default": None}
    if each.kind == "flag":
        attributes |= {"is_flag": True, "flag_value": each.default is not True}
    elif each.kind == "choice":
        kind = OrderName if each.name == "order" else click.Choice
        choices = list(each.choices)
        attributes |= {"type": kind(choices), "metavar": "NAME", "names": lambda: choices}
    else:
        attributes |= {"type": TYPES[each.kind], "metavar": each.metavar}
    if each.name in COMPLETED:
        attributes |= {"shell_complete": names_or_files(COMPLETED[each.name]), "names": COMPLETED[each.name]}
    return option(
        *ALIASES.get(each.name, ()),
        switch(each.name, each.default),
        each.name,
        section="Heuristic and policy"
        if each.name in HEURISTIC_AND_POLICY
        else "Limits"
        if each.name in LIMITS
        else "Search",
        advanced=each.group == "advanced",
        **attributes,
    )


def _sentence(summary: str) -> str:
    """
    >>> _sentence("the search"), _sentence("beam: states per layer")
    ('The search.', 'beam: states per layer.')
    """
    begins_with_name = summary.partition(" ")[0].endswith((":", ","))
    return f"{summary if begins_with_name else summary[0].upper() + summary[1:]}."


def search_arguments(given: dict[str, Any]) -> dict[str, Any]:
    """The keyword arguments of `solve`; what was not given is left to the library."""
    arguments = {name: value for name, value in given.items() if value is not None}
    order, search = arguments.get("order"), arguments.get("search")
    if order and search is not None and "order" not in reads(search):
        raise UsageError(f"--focal {order} is a focal search; leave out --search {search}")
    return arguments
