"""`repeat`: runs a search again from the record of its result, with the same plan and the same counts."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

from fsplan.planner.base.imports import without_code
from fsplan.planner.base.json_text import are_texts, is_number, is_whole, parse
from fsplan.planner.search.catalogue import options, search
from fsplan.planner.search.result import Result
from fsplan.planner.search.solve import solve
from fsplan.planner.sources.load import load_arguments

NEVER_REACHED = 1e8  # time limit in seconds


def repeat(
    record: Result | Mapping[str, Any] | str, task: Any = None, *, trust: bool = False, **changes: Any
) -> Result:
    """Runs the search that a record describes: a result, its `to_dict()`, or the path of a file written by `--json`.

    task     the task, if a program made it: then the record does not contain its files
    trust    whether Python code that a record names (a task, policy, order or heuristic as my.module:name) may run;
             the code that a `Result` object names is always trusted, because it has run in this process
    changes  options that replace those of the record

    Time and memory limits are not reproducible. If one of them ended the search, the repetition stops after the same
    number of expansions instead. The limit may have cut the last expansion short, so the lower bound may be greater.
    A run of `auto` on a ground task that a limit ended cannot be repeated.

    >>> import fsplan
    >>> first = fsplan.solve(fsplan.load("tiles8:random/7"), order="disc2", w="1.25")
    >>> again = repeat(first)
    >>> again.plan == first.plan, again.statistics["expanded"] == first.statistics["expanded"]
    (True, True)
    """
    if isinstance(record, Result):
        record, trust = record.to_dict(), True
    source = record if isinstance(record, str) else "the record"
    with nullcontext() if trust else without_code(source):
        known = read_record(record) if isinstance(record, str) else record
        return solve(_load(known) if task is None else task, **{**options_of(known), **changes})


def options_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options of `solve` that repeat the search of a record."""
    if record["statistics"].get("learned"):
        raise ValueError("the run used --learn auto, which a record does not repeat: plan again instead")
    given = {option.name: record.get(option.name) for option in options()}
    w = record["w_exact"] if "w" in search(record["search"]).reads else None
    given |= {"w": w, "time_limit": None, "memory_limit": None}
    is_portfolio, has_limit = "work" in record["statistics"], bool(record.get("time_limit"))
    if is_portfolio and has_limit:
        given["time_limit"] = NEVER_REACHED  # with a time limit `auto` improves the plan after w is proven
    if record["status"] in ("timeout", "memout", "expansion_limit", "interrupted"):
        if is_portfolio:
            raise ValueError("a limit ended the run of auto, which cannot be repeated exactly: plan again instead")
        given["expansion_limit"] = max(1, record["statistics"]["expanded"])
    return {name: value for name, value in given.items() if value is not None}


def _load(record: Mapping[str, Any]) -> Any:
    if not record.get("task"):
        raise ValueError("the record does not say which files its task came from: repeat(record, task)")
    grounding = "none" if record.get("grounded") is False else "all"
    return load_arguments(record["task"], reader=record.get("reader") or "fsplan", grounding=grounding)


def read_record(path: str) -> dict[str, Any]:
    """Reads and checks the record in a file written by `--json`."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        record = parse(data)
    except ValueError as error:
        raise ValueError(f"{path} is not JSON ({error}); name a file that fsplan plan --json has written") from None
    missing = {"search", "w_exact", "status", "statistics"} - record.keys() if isinstance(record, dict) else {"search"}
    if missing:
        raise ValueError(f"{path} is not the record of a search: it lacks {', '.join(sorted(missing))}")
    _check_fields(path, record)
    return dict(record)


def _check_fields(path: str, record: dict[str, Any]) -> None:
    """Raises ValueError if a field has a type that `options_of` or `_load` cannot use; `solve` checks the values."""

    def is_plain(value: Any) -> bool:
        return value is None or isinstance(value, (str, bool)) or is_number(value)

    def is_option(value: Any) -> bool:
        return all(map(is_plain, value)) if isinstance(value, list) else is_plain(value)

    statistics, words = record["statistics"], record.get("task")
    tests = {option.name: is_option(record.get(option.name)) for option in options()}
    tests |= {name: isinstance(record[name], str) for name in ("search", "status", "w_exact")}
    tests["statistics"] = isinstance(statistics, dict) and is_whole(statistics.get("expanded"))
    tests["task"] = words is None or are_texts(words)
    tests["reader"] = isinstance(record.get("reader"), (str, type(None)))
    for name, passed in tests.items():
        if not passed:
            raise ValueError(
                f"{path}: {name} is {record.get(name)!r:.40}, which is not what the record of a search has there"
            )
