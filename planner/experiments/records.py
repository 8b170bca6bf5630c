"""Results files, to which a row is appended as one line of JSON as soon as a run ends.

The key of a run is the hash of its definition. So an interrupted sweep can be resumed, and no run is counted twice.

>>> run = Run(task="tiles8:random/7", domain="tiles8", search="focal", order="disc2", w="1.5")
>>> run.key == Run(task="tiles8:random/7", domain="tiles8", search="focal", order="disc2", w="1.5").key
True
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

from fsplan.planner.base.files import lock
from fsplan.planner.base.json_text import LARGEST, are_texts, is_number, parse
from fsplan.planner.base.version import __version__
from fsplan.planner.policies.registry import file_of

Row = dict[str, Any]

# The columns of the exported tables with their types, in the order in which they are shown.
COLUMNS: dict[str, type] = {
    "task": str,
    "domain": str,
    "planner": str,
    "search": str,
    "order": str,
    "name": str,
    "w": float,
    "heuristic": str,
    "policy": str,
    "policy_digest": str,
    "accuracy": float,
    "measured_accuracy": float,
    "literal_accuracy": float,
    "variant": str,
    "seed": int,
    "draw": int,
    "status": str,
    "cost": float,  # an integer unless the task has fractional costs
    "lower_bound": float,
    "ratio": float,
    "certified": bool,
    "optimal_cost": float,
    "suboptimality": float,
    "expansions": int,
    "generated": int,
    "evaluated": int,
    "reopened": int,
    "policy_evaluations": int,
    "seconds": float,
    "total_seconds": float,
    "memory": int,
    "plan_length": int,
    "plans": int,  # number of plans found by the search `plans`
    "all_plans": bool,  # True if it is proven that no further plans exist
    "valid": bool,
    "time_limit": float,
    "memory_limit": int,
    "options": str,
    "message": str,
    "versions": str,
    "machine": str,
    "key": str,
}
# Default values of the columns that a row lacks.
UNKNOWN = {**dict.fromkeys(COLUMNS), "variant": "", "draw": 0}
REQUIRED = ("task", "domain", "search", "status")
# Columns that are statistics of a result, with their names in the JSON of a result.
JSON_STATISTICS = {
    "expansions": "expanded",
    "generated": "generated",
    "evaluated": "evaluated",
    "reopened": "reopened",
    "policy_evaluations": "policy_evaluations",
    "seconds": "search_seconds",
    "total_seconds": "total_seconds",
    "memory": "peak_memory_bytes",
}
SOLVED = "solved"
# Failures that are not results of the search. A resumed sweep repeats these runs, and the later row replaces the first.
RETRIED = ("error", "crashed", "interrupted")


class RecordError(ValueError):
    """Raised if a results file cannot be read, or if another process is writing to it."""


@dataclass(frozen=True)
class Run:
    """The definition of a run: all parameters that affect its outcome, and nothing else."""

    task: str
    domain: str
    search: str
    planner: str = "fsplan"
    order: str | None = None
    name: str = ""
    w: str = "1"
    heuristic: str | None = None
    policy: str | None = None
    policy_digest: str = ""
    accuracy: float | None = None
    variant: str = ""
    seed: int = 0
    draw: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    digest: str = ""
    time_limit: float | None = None
    memory_limit: int | None = None
    version: str = __version__

    @cached_property
    def key(self) -> str:
        """The key of the run; it depends on the contents (digests) of the task and policy files, not on their paths."""
        definition = self.to_json()
        del definition["files"]
        text = json.dumps(definition, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    def to_json(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Run:
        return cls(**{**data, "files": tuple(data["files"])})


def digest_files(paths: Iterable[str | Path]) -> str:
    hasher = hashlib.sha256()
    for path in paths:
        content = Path(path).read_bytes()
        hasher.update(len(content).to_bytes(8, "big") + content)
    return hasher.hexdigest()[:16]


def policy_digest(policy: str | None) -> str:
    """The digest of the file of a policy; empty if there is no such file, in which case the run reports the error."""
    path = file_of(policy) if policy else None
    return digest_files([path]) if path and os.path.isfile(path) else ""


def row_of(run: Run, measured: Mapping[str, Any]) -> Row:
    """The row of a run: its definition, the measured values, and values derived from both."""
    row: Row = {name: getattr(run, name, None) for name in COLUMNS if name != "key"}
    row["w"] = float(Fraction(run.w))
    row["options"] = json.dumps(dict(run.options), sort_keys=True) if run.options else None
    row.update(measured)
    row["key"] = run.key
    cost, optimal = row["cost"], row["optimal_cost"]
    if cost is not None and optimal:
        row["suboptimality"] = cost / optimal
    elif cost is not None and cost == optimal:
        row["suboptimality"] = 1.0
    return row


class Store:
    """An append-only results file with a single writer; rows are on the disk when `append` returns."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open(self.path, "a+b", buffering=0)  # noqa: SIM115 - closed by close()
        try:
            lock(self._file.fileno(), wait=False)
        except OSError:
            self._file.close()
            raise RecordError(f"{self.path}: another process is writing to this results file") from None
        try:
            self._drop_torn_tail()
            self.keys = {str(row["key"]) for row in read(self.path) if row.get("status") not in RETRIED}
        except BaseException:
            self._file.close()
            raise

    def _drop_torn_tail(self) -> None:
        """Removes an incomplete last line, which a process left that was killed while writing."""
        end = self._file.seek(0, os.SEEK_END)
        position = end
        while position > 0:
            start = max(0, position - 65536)
            self._file.seek(start)
            newline = self._file.read(position - start).rfind(b"\n")
            if newline >= 0:
                position = start + newline + 1
                break
            position = start
        if position < end:
            self._file.truncate(position)

    def append(self, *rows: Mapping[str, Any]) -> int:
        """Adds the rows of runs that are not yet recorded; returns the number of added rows."""
        new = {str(row["key"]): row for row in rows if row["key"] not in self.keys}
        data = "".join(json.dumps(row, separators=(",", ":"), allow_nan=False) + "\n" for row in new.values()).encode()
        while data:
            data = data[self._file.write(data) or 0 :]
        if new:
            os.fsync(self._file.fileno())
        self.keys.update(new)
        return len(new)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read(path: str | Path) -> list[Row]:
    """The rows of a results file (or of `results.jsonl` in a folder), one per run, without an incomplete last line."""
    path = Path(path)
    if path.is_dir():
        path = path / "results.jsonl"
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    rows: dict[str, Row] = {}
    for number, line in enumerate(lines[:-1], start=1):
        row = _parse(path, number, line)
        if rows.get(str(row["key"]), row).get("status") in RETRIED:
            rows[str(row["key"])] = row
        rows.setdefault(str(row["key"]), row)
    return list(rows.values())


def _parse(path: Path, number: int, line: bytes) -> Row:
    try:
        row = parse(line)
    except ValueError:
        raise RecordError(f"{path}:{number}: not a line of JSON: is this a results file?") from None
    if not isinstance(row, dict) or not isinstance(row.get("key"), str):
        raise RecordError(f"{path}:{number}: a row of results has a key; this line has none")
    for name in (*REQUIRED, *row):
        if not _suits(row.get(name), name):
            expected = COLUMNS[name].__name__ if name in COLUMNS else "another value"
            raise RecordError(f"{path}:{number}: {name} is {row.get(name)!r:.40}, expected {expected}")
    known = {name: value for name, value in row.items() if value is not None}
    known["w"] = float(Fraction(known.get("w", 1)))
    return {**UNKNOWN, **known}


def _suits(value: Any, name: str) -> bool:
    if value is None:
        return name not in REQUIRED
    kind = COLUMNS.get(name, object)
    if name == "w":
        return is_number(value) or (isinstance(value, str) and _is_fraction(value))
    if name == "plan":
        return are_texts(value)
    if kind in (int, float):
        return is_number(value)
    return isinstance(value, kind) or name == "options"


def _is_fraction(text: str) -> bool:
    try:
        return abs(Fraction(text)) < LARGEST
    except (ValueError, ZeroDivisionError):
        return False
