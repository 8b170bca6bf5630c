"""Finds the tasks of experiments: from a command line, from a suite file, or in a folder laid out as IPC collections.

A suite is a TOML file:

    searches = ["disc2", "wastar", "fd-wastar@lmcut"]
    policies = ["ff"]
    w = [1.2, 1.5]
    time_limit = "30s"

    [[tasks]]
    collection = "../benchmarks"     # paths are relative to the suite file; or "$FSPLAN_BENCHMARKS"
    domains = ["blocks", "gripper*"]
    at_most = 5                      # problems of each domain

    [[tasks]]
    specs = ["tiles15:korf/1..10", "pancake9:random/3"]
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from typing import Any

from fsplan.planner.experiments.records import digest_files
from fsplan.planner.sources.pddl import domain_beside

_DOMAIN_TEXT = re.compile(rb"\(\s*define\s*\(\s*domain\b\s*([\w-]*)", re.IGNORECASE)
_COMMENT = re.compile(rb";[^\n]*")
_INSTANCE_FOLDERS = ("instances", "problems", "tasks")
_RANGE = re.compile(r"(.*/)(\d+)\.\.(\d+)")
_MOST_TASKS = 100_000


class SuiteError(ValueError):
    """Raised if a suite or a list of tasks is not valid."""


@dataclass(frozen=True)
class TaskName:
    """The name of a task in experiments: a puzzle (without files), or a PDDL domain and problem."""

    name: str
    domain: str = field(compare=False)  # not compared: the name of a folder, or that in the file
    files: tuple[str, ...] = ()

    def digest(self) -> str:
        return digest_files(self.files) if self.files else ""


def natural(text: str) -> list[tuple[int, str]]:
    """A sort key that compares numbers within names by value, so that p2 comes before p10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", text)]


def is_domain_file(path: Path) -> bool:
    """Whether the beginning of a PDDL file defines a domain."""
    return _domain_text(path) is not None


def _domain_text(path: Path) -> re.Match[bytes] | None:
    with open(path, "rb") as file:
        return _DOMAIN_TEXT.search(_COMMENT.sub(b"", file.read(1 << 16)))


def _declared_name(domain: Path) -> str:
    """The name of the domain as declared in the file; empty if it is not found."""
    found = _domain_text(domain)
    return found[1].decode("ascii", "replace").lower() if found else ""


def pddl_task(problem: Path, domain: Path | None = None, *, by_folder: bool = False) -> TaskName:
    """The task of a problem file; unless a domain is given, it is searched for as in the layout of IPC collections.

    The name of the task contains that of its folder. With `by_folder`, the folder also gives the name of the domain,
    because a collection may have several folders for one domain.
    """
    found = domain or _domain_of(problem)
    folder = problem.resolve().parent
    label = folder.parent.name if folder.name in _INSTANCE_FOLDERS else folder.name
    named = label if by_folder else _declared_name(found) or label
    return TaskName(f"{label}/{problem.stem}", named, (str(found.resolve()), str(problem.resolve())))


def _domain_of(problem: Path) -> Path:
    """The domain file of a problem.

    It is in the same folder, or, if problems have a folder of their own, in the parent folder or in `domains`.
    """
    try:
        return Path(domain_beside(str(problem)))
    except FileNotFoundError:
        folder = problem.resolve().parent
        if folder.name not in _INSTANCE_FOLDERS:
            raise
    number = "".join(re.findall(r"\d+", problem.stem)[-1:])
    names = ["domain.pddl", f"domain-{number}.pddl", f"domain{number}.pddl", f"domain_{number}.pddl"]
    for place in (folder.parent, folder.parent / "domains"):
        for name in names:
            if (place / name).is_file():
                return place / name
    raise FileNotFoundError(f"{problem}: no domain beside it or above it")


def discover(folder: Path) -> list[TaskName]:
    """All PDDL tasks in a folder and its subfolders, sorted by name, where p2 comes before p10."""
    if not folder.is_dir():
        raise SuiteError(f"{folder}: not a folder")
    problems = [path for path in folder.rglob("*.pddl") if path.is_file() and not is_domain_file(path)]
    if not problems:
        raise SuiteError(f"{folder}: no PDDL problems in it")
    return [pddl_task(path, by_folder=True) for path in sorted(problems, key=lambda path: natural(str(path)))]


def expand_spec(spec: str) -> list[TaskName]:
    """The task with this name, or a list of tasks if the name ends with a range.

    >>> [task.name for task in expand_spec("tiles15:korf/1..3")]
    ['tiles15:korf/1', 'tiles15:korf/2', 'tiles15:korf/3']
    """
    domain = spec.partition(":")[0]
    match = _RANGE.fullmatch(spec)
    if match is None:
        return [TaskName(spec, domain)]
    first, last = int(match[2]), int(match[3])
    if not first <= last < first + _MOST_TASKS:
        raise SuiteError(f"{spec}: a range goes up, and not over more than {_MOST_TASKS} tasks")
    return [TaskName(f"{match[1]}{number}", domain) for number in range(first, last + 1)]


def tasks_of_arguments(words: Iterable[str]) -> list[TaskName]:
    """The tasks of a command line: folders, problem files, and names such as tiles15:korf/1 and my.module:Task.

    A domain file applies to the problem files after it.
    """
    tasks: list[TaskName] = []
    domain: Path | None = None
    for word in words:
        path = Path(word)
        if path.is_dir():
            tasks += discover(path)
        elif not path.is_file():
            if ":" not in word:
                raise SuiteError(f"{word}: no such file or folder, nor a name such as tiles15:korf/1 or my.module:Task")
            tasks += expand_spec(word)
        elif is_domain_file(path):
            domain = path
        else:
            tasks.append(pddl_task(path, domain))
    if not tasks:
        raise SuiteError("no tasks: name problems, puzzles such as tiles8:random/1..20, or a folder of PDDL")
    return unique(tasks)


def unique(tasks: Iterable[TaskName]) -> list[TaskName]:
    return list(dict.fromkeys(tasks))


@dataclass(frozen=True)
class Suite:
    """The content of a suite file: tasks, and options of `fsplan compare`."""

    tasks: list[TaskName]
    options: Mapping[str, Any]


OPTIONS: dict[str, Callable[[Any], bool]] = {
    "searches": lambda value: _is_list(value, str),
    "policies": lambda value: _is_list(value, str),
    "heuristics": lambda value: _is_list(value, str),
    "w": lambda value: _is_list(value, (str, int, float)),
    "seeds": lambda value: _is_list(value, int),
    "time_limit": lambda value: isinstance(value, str),
    "memory_limit": lambda value: isinstance(value, str),
}


def _is_list(value: Any, kind: type | tuple[type, ...]) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, kind) for each in value)


def read_suite(path: Path) -> Suite:
    """Reads a suite file; raises SuiteError if it is not valid."""
    data = _read_toml(path)
    blocks = data.pop("tasks", None)
    if not isinstance(blocks, list) or not blocks:
        raise SuiteError(f"{path}: a suite needs at least one [[tasks]]")
    for name, value in data.items():
        if name not in OPTIONS:
            raise SuiteError(f"{path}: unknown setting {name!r}; there are {', '.join(OPTIONS)} and [[tasks]]")
        if not OPTIONS[name](value):
            raise SuiteError(f"{path}: {name} = {value!r} is not of the right kind")
    tasks = [task for block in blocks for task in _tasks_of_block(path, block)]
    return Suite(unique(tasks), data)


def _read_toml(path: Path) -> dict[str, Any]:
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        data: dict[str, Any] = toml.loads(path.read_text(encoding="utf-8"))
        return data
    except (ValueError, RecursionError) as error:
        raise SuiteError(f"{path}: not TOML: {error}") from None


_BLOCKS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "collection": {"collection": str, "domains": list, "at_most": int},
    "problems": {"problems": list, "domain": str},
    "specs": {"specs": list},
}


def _tasks_of_block(path: Path, block: Any) -> Iterator[TaskName]:
    kind = next((name for name in _BLOCKS if isinstance(block, dict) and name in block), None)
    if kind is None:
        raise SuiteError(f"{path}: [[tasks]] needs one of {', '.join(_BLOCKS)}")
    for name, value in block.items():
        if name not in _BLOCKS[kind]:
            raise SuiteError(f"{path}: [[tasks]] with {kind} has no {name!r}; it has {', '.join(_BLOCKS[kind])}")
        wanted = _BLOCKS[kind][name]
        if not isinstance(value, wanted) or (wanted is list and not _is_list(value, str)):
            raise SuiteError(f"{path}: {name} = {value!r} is not of the right kind")
    here = path.parent
    if kind == "collection":
        yield from _of_collection(here / _expanded(path, block["collection"]), block)
    elif kind == "problems":
        domain = here / block["domain"] if "domain" in block else None
        for pattern in block["problems"]:
            yield from _of_pattern(here, pattern, domain)
    else:
        for spec in block["specs"]:
            yield from expand_spec(spec)


def _expanded(path: Path, folder: str) -> str:
    """The folder with `~` replaced by the home directory and `$NAME` by the environment variable."""
    expanded = os.path.expandvars(os.path.expanduser(folder))
    if "$" in expanded:
        raise SuiteError(f"{path}: the variable in {folder!r} is not set in the environment")
    return expanded


def _of_collection(folder: Path, block: Mapping[str, Any]) -> Iterator[TaskName]:
    patterns: list[str] = block.get("domains", ["*"])
    at_most: int = block.get("at_most", _MOST_TASKS)
    counts: dict[str, int] = {}
    for task in discover(folder):
        counts[task.domain] = counts.get(task.domain, 0) + 1
        if counts[task.domain] <= at_most and any(fnmatchcase(task.domain, pattern) for pattern in patterns):
            yield task
    for pattern in patterns:
        if not any(fnmatchcase(domain, pattern) for domain in counts):
            raise SuiteError(f"{folder}: no domain {pattern!r} in this collection")


def _of_pattern(here: Path, pattern: str, domain: Path | None) -> Iterator[TaskName]:
    found = sorted(here.glob(pattern), key=lambda path: natural(str(path)))
    problems = [path for path in found if path.is_file() and not is_domain_file(path)]
    if not problems:
        raise SuiteError(f"{here / pattern}: no problem file of this name")
    for path in problems:
        yield pddl_task(path, domain)
