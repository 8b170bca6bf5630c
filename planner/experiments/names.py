"""The names of searches in `fsplan compare --searches`.

    disc2                     focal search with this order of FOCAL; any other search has its own name
    mymodule:order            focal search with an order defined in a Python module
    disc2+paper               with a flag of the search; paper means Algorithm 1 exactly as in the paper
    prefastar[ff,alternate]   with options: a flag, a value that only one option has, or option=value; a value with
                              commas is put in parentheses, as in disc2[ties=(f,h,oldest)]
    wastar@lmcut              short for wastar[heuristic=lmcut]
    plans[k=20,different=actions]   several plans (docs/several-plans.md); k is 10 if it is not given
    fd-lama                   a search of Fast Downward (see `fast_downward.SEARCHES`)
    fd:"astar(blind())"       Fast Downward with any search string

The options that a search uses are taken from its declaration.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from fsplan.planner.base.spelling import spelt
from fsplan.planner.base.weights import weight_text
from fsplan.planner.experiments import fast_downward, several
from fsplan.planner.search import catalogue
from fsplan.planner.search.catalogue import LISTINGS
from fsplan.planner.tasks.spaces import OWN_HEURISTIC

DEFAULT_ORDER = "disc2"
# Options that cannot be set in brackets, because the comparison or the name of the search determines them.
_ELSEWHERE = ("search", "order", "time_limit", "memory_limit", "expansion_limit")
_NAME = re.compile(
    r"(?P<name>[\w*-]+|[\w.]+:[\w.]+)(?P<flags>(\+\w+)*)(\[(?P<options>[^]]*)\])?(@(?P<heuristic>[\w-]+))?"
)
LISTING = (
    "there are the searches and orders that `fsplan list` shows, plans[k=20] for several plans, fd-lama and the like, "
    'and fd:"SEARCH STRING"'
)
_BRACKETS = {"[": 1, "(": 1, "]": -1, ")": -1}


@dataclass(frozen=True)
class Search:
    """A parsed name of a search; `options` are those that the name sets, `reads` all options that the search uses."""

    algorithm: str
    order: str | None = None
    reads: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""

    @property
    def further(self) -> dict[str, Any]:
        """The options in the name that have no column of their own in the results."""
        return {name: value for name, value in self.options.items() if name not in ("w", "heuristic", "policy")}

    def choices(self, option: str, given: Sequence[Any], default: Any) -> Sequence[Any]:
        """The values of an option: that in the name, else the given ones if the search uses it, else the default."""
        if option in self.options:
            return [self.options[option]]
        return given if given and option in self.reads else [default]


def parse_search(text: str) -> Search:
    """The search with this name; raises ValueError if the name is not valid.

    >>> search = parse_search("prefastar[ff,alternate]@lmcut")
    >>> search.algorithm, dict(search.options)
    ('prefastar', {'preferred': 'ff', 'alternate': True, 'heuristic': 'lmcut'})
    """
    if text.startswith("fd:"):
        return Search(text[:3] + text[3:].strip("\"'"))
    match = _NAME.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a search; write for example disc2, wastar@lmcut or prefastar[ff,alternate]")
    name = match["name"] if ":" in match["name"] else spelt("search", match["name"], legal_names(), LISTING)
    algorithm, order = _algorithm(name)
    reads = reads_of(algorithm, order)
    words = [*match["flags"].split("+")[1:], *split_list(match["options"] or "")]
    words += [f"heuristic={match['heuristic']}"] if match["heuristic"] else []
    options = dict(_option(text, word, reads) for word in words)
    if options.get("preferred") == "ff":  # helpful actions are used instead of a policy
        reads = tuple(each for each in reads if each not in ("policy", "seed"))
    return Search(
        algorithm, order, reads, options, name + text.removeprefix(match["name"]).partition("@")[0] if words else ""
    )


def legal_names() -> list[str]:
    return [*_names(catalogue.orders()), *_names(catalogue.searches()), several.SEARCH, *fast_downward.SEARCHES]


@cache
def reads_of(algorithm: str, order: str | None = None) -> tuple[str, ...]:
    """The options that a search uses; none for an unknown search."""
    if algorithm in _names(catalogue.searches()):
        return _read_natively(algorithm, order)
    if algorithm == several.SEARCH:
        return several.READS
    return fast_downward.SEARCHES[algorithm].reads if algorithm in fast_downward.SEARCHES else ()


def _read_natively(search: str, order: str | None) -> tuple[str, ...]:
    """The options that a search and its order use.

    The weight w is omitted if it does not change the search, but only the bound that is checked at the end.
    """
    weighted = catalogue.search(search).proves == "w"
    reads = catalogue.reads(search, order)
    return tuple(name for name in reads if name not in _ELSEWHERE and (name != "w" or weighted))


def is_weighted(algorithm: str) -> bool:
    """Whether the search depends on w."""
    return "w" in reads_of(algorithm)


def _algorithm(name: str) -> tuple[str, str | None]:
    if name in _names(catalogue.orders()) or ":" in name:
        return "focal", name
    return name, DEFAULT_ORDER if name == "focal" else None


def _option(search: str, word: str, reads: Sequence[str]) -> tuple[str, Any]:
    """The option and value that a word in brackets sets: `name=value`, a flag, or a value that only one option has."""
    name, equals, value = word.partition("=")
    if not equals:
        owners = [option for option in reads if word in _choices(option)]
        name, value = (owners[0], word) if len(owners) == 1 else (word, "yes")
    if name not in reads:
        raise ValueError(f"{search} does not read {name!r}; it reads {', '.join(reads) or 'no options'}")
    if name == "heuristic":
        return name, heuristic_named(value)
    try:
        return name, weight_text(value) if name == "w" else _converted(name, value.strip("()"))
    except (ValueError, KeyError):
        raise ValueError(f"{search}: {value!r} is not a value of {name}") from None


def heuristic_named(name: str) -> str:
    """The canonical name of a heuristic; whether a task supports it is checked when the task is loaded."""
    return spelt("heuristic", name, [*_names(catalogue.heuristics()), OWN_HEURISTIC], LISTINGS["heuristic"])


def _names(entries: Sequence[catalogue.Entry]) -> list[str]:
    return [entry.name for entry in entries]


def _choices(option: str) -> tuple[str, ...]:
    if option in several.DEFAULTS:
        return ()
    found = catalogue.option(option)
    return found.choices if found.kind == "choice" else ()


def _converted(option: str, text: str) -> Any:
    """The value of an option, converted from text."""
    if option in several.DEFAULTS:
        return several.value_of(option, text)
    found = catalogue.option(option)
    if found.kind == "flag":
        return {"yes": True, "true": True, "no": False, "false": False}[text]
    if found.kind == "choice" and text not in found.choices:
        raise ValueError(text)
    return int(text) if found.kind == "integer" else float(text) if found.kind == "number" else text


def split_list(text: str) -> list[str]:
    """Splits a list at its commas, but not inside brackets or quotes.

    >>> split_list('prefastar[ff,alternate],fd:"eager(single(ff()),reopen_closed=true)"')
    ['prefastar[ff,alternate]', 'fd:"eager(single(ff()),reopen_closed=true)"']
    """
    words, depth, quote = [""], 0, ""
    for letter in text:
        if letter in "\"'" and quote in ("", letter):
            quote = "" if quote else letter
        depth += _BRACKETS.get(letter, 0)
        if letter == "," and not depth and not quote:
            words.append("")
        else:
            words[-1] += letter
    return [word.strip() for word in words if word.strip()]
