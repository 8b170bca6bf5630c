#!/usr/bin/env python3
"""Prints planner/named.py: the searches as functions whose signatures list the options that each reads."""

from __future__ import annotations

from fsplan.planner import catalogue

HEAD = '''"""The searches as functions, one each, with the options that it reads.

Written by scripts/stubs from the declarations of searches and options; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from fsplan.planner.search import solve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fsplan.planner._core import OrderStep, Policy
    from fsplan.planner.result import Result
    from fsplan.planner.search import OnGap, OnIncumbent, OnProgress, PythonPolicy
    from fsplan.planner.task import AnyTask
    from fsplan.planner.weights import Weight

    class Options(TypedDict, total=False):
        """What `solve` reads beyond search, order and w."""

'''
TYPES = {
    "flag": "bool",
    "integer": "int",
    "number": "float",
    "text": "str",
    "choice": "str",
    "list": "str | Sequence[str]",
}
# Options that may be objects as well as text.
OBJECTS = {
    "order": "str | Callable[[OrderStep], float]",
    "w": "Weight",
    "heuristic": "str | Callable[[Any], float | None]",
    "policy": "str | Policy | PythonPolicy",
    "time_limit": "float | str | Callable[[], float | None]",
    "memory_limit": "int | str",
}
POSITIONAL = ("order", "w")
EXTRA = {
    "on_progress": "OnProgress | None = None",
    "on_incumbent": "OnIncumbent | None = None",
    "on_gap": "OnGap | None = None",
    "lower_bound": "int = 0",
    "incumbent": "tuple[Sequence[str], int] | None = None",
}


def main() -> None:
    listed = {option.name: option for option in catalogue.options()}
    print(HEAD, end="")
    for name, option in listed.items():
        if name not in ("search", *POSITIONAL):
            print(f"        {name}: {_type(name, option.kind)} | None")
    names = sorted(_identifier(search) for search in catalogue.searches())
    print(f"\n\n__all__ = {names!r}\n")
    for search in catalogue.searches():
        print(_function(search, listed))


def _identifier(search: catalogue.Entry) -> str:
    return search.name.replace("-", "_")


def _type(name: str, kind: str) -> str:
    return OBJECTS.get(name) or TYPES[kind]


def _function(search: catalogue.Entry, listed: dict[str, catalogue.Option]) -> str:
    read = [name for name in search.reads if name != "search"]
    first = [name for name in POSITIONAL if name in read]
    rest = [name for name in read if name not in POSITIONAL]
    typed = {name: f"{name}: {_type(name, listed[name].kind)} | None = None" for name in read}
    parameters = [
        "task: AnyTask",
        *(typed[name] for name in first),
        "*",
        *(typed[name] for name in rest),
        *(f"{name}: {text}" for name, text in EXTRA.items()),
    ]
    passed = ", ".join(f"{name}={name}" for name in (*read, *EXTRA))
    return (
        f"\ndef {_identifier(search)}({', '.join(parameters)},) -> Result:\n"
        f'    """{search.summary}"""\n'
        f'    return solve(task, "{search.name}", {passed},)\n'
    )


if __name__ == "__main__":
    main()
