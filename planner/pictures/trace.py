"""Search traces: one JSON line per expansion, for `fsplan replay` and for other programs.

The first line describes the run, the last one its result; docs/traces.md explains the fields. States are numbered in
the order in which the search first reached them; the initial state is 0.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TextIO

from fsplan.pddl.costs import from_units, plain
from fsplan.planner._core import Expansion, StateSpace, state_name
from fsplan.planner.base.files import NewFile
from fsplan.planner.base.json_text import are_texts, is_number, is_text, is_whole, parse
from fsplan.planner.search.result import Result

SCHEMA = "fsplan-trace-1"
MOST_EXPANSIONS = 1_000_000  # about 150 MB; later expansions are counted but not written
NAMED_STATES = 2_000  # only the first states are written with their atoms
# Fields of an expansion and of the result (the last line), with the test for their values; null is always allowed.
REQUIRED = ("n", "state", "g", "bound")
FIELDS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys((*REQUIRED, "parent", "h", "f_min", "plan"), is_whole),
    "key": is_number,
    **dict.fromkeys(("action", "queue", "atoms"), is_text),
}
RESULT: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("search", "w", "status"), is_text),
    **dict.fromkeys(("cost", "lower_bound"), is_number),
    "expanded": is_whole,
    "plan": are_texts,
}


class TraceWriter:
    """Writes a trace while a search runs: pass it to `solve` as `on_expansion`, and call `end` with the result.

    The trace is written to a temporary file in the same folder, which is renamed when it is complete.
    """

    def __init__(self, path: str | os.PathLike[str], task: str, space: StateSpace, denominator: int = 1) -> None:
        self._new, self._space = NewFile(path), space
        self._file: TextIO = open(self._new.place, "w", encoding="utf-8")  # noqa: SIM115
        self._recorded = 0
        self._write({"schema": SCHEMA, "task": task, "denominator": denominator})

    def __call__(self, expansion: Expansion) -> None:
        if self._recorded == MOST_EXPANSIONS:
            return
        self._recorded += 1
        self._write(self._fields(expansion))

    def end(self, result: Result) -> None:
        expanded = result.statistics["expanded"]
        self._write({
            "search": result.description,
            "w": str(result.w),
            "status": result.status,
            "cost": plain(result.cost),
            "lower_bound": plain(result.lower_bound),
            "expanded": expanded,
            "truncated": expanded > self._recorded,
            "plan": result.plan,
        })  # fmt: skip
        self._file.close()
        self._new.finish()

    def discard(self) -> None:
        """Removes an incomplete trace."""
        with suppress(OSError):  # closing writes the last block, which fails on a full disk
            self._file.close()
        self._new.discard()

    def _fields(self, expansion: Expansion) -> dict[str, Any]:
        action = expansion.action
        fields = {
            "n": expansion.number,
            "state": expansion.state,
            "parent": expansion.parent,
            "action": None if action is None else self._space.action_name(action),
            "g": expansion.g,
            "h": expansion.h,
            "queue": expansion.queue or None,
            "key": expansion.key,
            "f_min": expansion.f_min,
            "bound": expansion.lower_bound,
            "plan": expansion.incumbent,
        }
        if self._recorded <= NAMED_STATES:
            fields["atoms"] = state_name(self._space, expansion.values)
        return fields

    def _write(self, fields: dict[str, Any]) -> None:
        self._file.write(json.dumps(fields, separators=(",", ":")) + "\n")


class Trace(NamedTuple):
    """A trace from a file: the task's name, one record per expansion, and the result; costs are the task's own."""

    task: str
    expansions: list[dict[str, Any]]
    result: dict[str, Any]


def read_trace(path: str | os.PathLike[str]) -> Trace:
    """Reads a trace; raises ValueError with the line number if the file is not a trace."""
    lines = _lines(os.fspath(path))
    first = next(lines, {})
    if first.get("schema") != SCHEMA:
        raise ValueError(f"{path} is not a search trace: its first line does not say {SCHEMA}")
    denominator = first.get("denominator", 1)
    if not is_whole(denominator) or denominator < 1:
        raise ValueError(f"{path}: the denominator is a whole number of at least 1")
    expansions: list[dict[str, Any]] = []
    for number, line in enumerate(lines, 2):
        if "status" in line:
            if missing := RESULT.keys() - line.keys():
                raise ValueError(f"{path}, line {number}: the result lacks {', '.join(sorted(missing))}")
            _check(line, RESULT, f"{path}, line {number}")
            return Trace(str(first.get("task", "")), expansions, line)
        if not all(is_whole(line.get(name)) for name in REQUIRED):
            raise ValueError(f"{path}, line {number}: an expansion needs the numbers n, state, g and bound")
        _check(line, FIELDS, f"{path}, line {number}")
        expansions.append(_in_costs(line, denominator))
    raise ValueError(f"{path} is cut off: it lacks the result in its last line")


def _check(line: dict[str, Any], fields: Mapping[str, Callable[[Any], bool]], where: str) -> None:
    for name, suits in fields.items():
        if line.get(name) is not None and not suits(line[name]):
            raise ValueError(f"{where}: {name} is {line[name]!r:.40}, which is not what a trace has there")


def _in_costs(line: dict[str, Any], denominator: int) -> dict[str, Any]:
    """Returns a record with its costs converted from units."""
    if denominator == 1:
        return line

    costs = {name: line.get(name) for name in ("g", "h", "f_min", "bound", "plan")}
    return line | {name: plain(from_units(cost, denominator)) for name, cost in costs.items() if cost is not None}


def _lines(path: str) -> Iterator[dict[str, Any]]:
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, text in enumerate(file, 1):
            try:
                line = parse(text)
            except ValueError:
                line = None
            if not isinstance(line, dict):
                raise ValueError(f"{path}:{number}: not a JSON object: is this a trace of fsplan plan --trace?")
            yield line
