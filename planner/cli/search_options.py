"""The search options of `fsplan plan`, generated from the options that the library declares."""

from __future__ import annotations

from typing import Any

import click

from fsplan.planner.base.spelling import spelt
from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.names import heuristic_names, policy_names
from fsplan.planner.cli.parameters import names_or_files, option
from fsplan.planner.search.catalogue import LISTINGS, options, orders, reads, search_and_order

# Options by section of the help; all others are in the section Search. plan.py declares the time and memory limits.
HEURISTIC_AND_POLICY = ("heuristic", "policy", "accuracy", "preferred", "alternate", "masked", "alpha")
LIMITS = ("time_limit", "memory_limit", "expansion_limit")
COMPLETED = {"heuristic": heuristic_names, "policy": policy_names}
ALIASES = {"masked": ("--unmasked",), "w": ("-w",)}
# Placeholders for the values of options in the help; N for options that are not listed.
METAVARS = {"w": "W", "heuristic": "H", "policy": "P", "accuracy": "A", "ties": "LIST", "lookahead": "K",
            "k_focal": "K", "probability": "P", "steps": "K", "samples": "M"}  # fmt: skip
TYPES = {"integer": click.INT, "number": click.FLOAT, "text": click.STRING, "list": click.STRING}


class Name(click.Choice[str]):
    """A name from a list, in any spelling.

    `--search` also accepts an order of FOCAL, and `--focal` also accepts a Python object, module:name.
    """

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if param.name == "order" and ":" in value:
            return value
        also = [entry.name for entry in orders()] if param.name == "search" else []
        try:
            return spelt(param.name, value, [*self.choices, *also], LISTINGS.get(param.name, ""))
        except ValueError as error:
            return self.fail(str(error), param, ctx)


def search_options(function: Any) -> Any:
    """Adds the declared search options to a command."""
    for each in reversed(options()):
        if each.name not in ("time_limit", "memory_limit"):
            function = _option(each)(function)
    return function


def switch(name: str, default: object = None) -> str:
    """Returns the command-line switch of an option.

    >>> switch("order"), switch("k_focal"), switch("reopen", True)
    ('--focal', '--k-focal', '--no-reopen')
    """
    if name == "order":
        return "--focal"
    return f"--{'no-' if default is True else ''}{name.replace('_', '-')}"


def _option(each: Any) -> Any:
    """Returns the click option. Its default is None (not given), because the library sets and checks the defaults."""
    attributes: dict[str, Any] = {"help": _sentence(each.summary), "default": None}
    if each.kind == "flag":
        attributes |= {"is_flag": True, "flag_value": each.default is not True}
    elif each.kind == "choice":
        choices = list(each.choices)
        attributes |= {"type": Name(choices), "metavar": "NAME", "names": lambda: choices}
    else:
        attributes |= {"type": TYPES[each.kind], "metavar": METAVARS.get(each.name, "N")}
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
    """Returns a summary as a sentence.

    >>> _sentence("the search"), _sentence("beam: states per layer")
    ('The search.', 'beam: states per layer.')
    """
    begins_with_name = summary.partition(" ")[0].endswith((":", ","))
    return f"{summary if begins_with_name else summary[0].upper() + summary[1:]}."


def search_arguments(given: dict[str, Any]) -> dict[str, Any]:
    """Returns the given options as keyword arguments of `solve`."""
    search, order = search_and_order(given["search"], given["order"])
    if order and search is not None and "order" not in reads(search):
        raise UsageError(f"--focal {order} is a focal search; leave out --search {search}")
    given |= {"search": search, "order": order}
    return {name: value for name, value in given.items() if value is not None}
