"""Source of PDDL tasks: a domain and a problem, or a problem whose domain file lies in the same folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from fsplan.pddl.errors import PddlError
from fsplan.pddl.reader import read_task
from fsplan.pddl.tokens import is_text
from fsplan.planner.sources.source import TaskSource

if TYPE_CHECKING:
    from fsplan.pddl.syntax import Problem
    from fsplan.planner.base.limits import Limits
    from fsplan.planner.tasks.task import Task


# With `auto`, a task is not grounded if it has more ground actions than this, or than fit into the memory limit.
MOST_ACTIONS, BYTES_PER_ACTION = 10_000_000, 500


def from_pddl(problem: Problem, *, limits: Limits | None = None, grounding: str = "all") -> Task:
    """Makes a task of a PDDL syntax tree, as `fsplan.read_task` and `fsplan.from_tarski` return it.

    `grounding` is "all", or "none" for a task of which only the actions of visited states are instantiated; such a task
    can only be followed with a policy for its domain. "auto" means "none" for tasks with more than ten million ground
    actions, or more than fit into the memory limit, if their features are supported.
    """
    make = {"all": _grounded, "none": _lifted, "auto": _grounded_unless_large}[grounding]
    timings: dict[str, float] = {}
    task = make(problem, limits, timings)
    task.recipe = from_pddl if grounding == "all" else partial(from_pddl, grounding=grounding), (problem,)
    task.details |= {name: round(seconds, 6) for name, seconds in timings.items()}
    return task


def _grounded(
    problem: Problem, limits: Limits | None, timings: dict[str, float], most_actions: int | None = None
) -> Task:
    from fsplan.planner.tasks.ground import ground
    from fsplan.planner.tasks.task import from_ground

    return from_ground(ground(problem, limits, timings, most_actions=most_actions), problem.name, problem)


def _lifted(problem: Problem, limits: Limits | None, timings: dict[str, float]) -> Task:
    from fsplan.planner.tasks.ground import lifted_space
    from fsplan.planner.tasks.task import from_lifted

    return from_lifted(lifted_space(problem, limits, timings), problem.name, problem)


def _grounded_unless_large(problem: Problem, limits: Limits | None, timings: dict[str, float]) -> Task:
    from fsplan.planner._core import TooManyActions, UnsupportedLifted

    most = MOST_ACTIONS
    if limits is not None and limits.bytes is not None:
        most = min(most, limits.bytes // BYTES_PER_ACTION)
    try:
        return _grounded(problem, limits, timings, most)
    except TooManyActions:
        with suppress(UnsupportedLifted):
            return _lifted(problem, limits, timings)
        return _grounded(problem, limits, timings)


def read_problem(arguments: Sequence[str], reader: str = "fsplan") -> Problem:
    """The syntax tree of the PDDL task that the arguments name; each argument is a path or PDDL text."""
    if len(arguments) > 2:
        usual = f"a task is a domain and a problem, or one argument; found {len(arguments)}: {' '.join(arguments)}"
        raise ValueError(_misplaced(arguments) or usual)
    for word in arguments:
        if not is_text(word):
            _check_exists(word)
    if len(arguments) == 1 and is_text(arguments[0]):
        raise ValueError("PDDL text needs two parts, a domain and a problem")
    domain, problem = arguments if len(arguments) == 2 else (domain_beside(arguments[0]), arguments[0])
    if reader == "tarski":
        from fsplan.planner.sources.tarski_bridge import read_task_with_tarski

        return read_task_with_tarski(domain, problem)

    try:
        return read_task(domain, problem)
    except PddlError:
        if reason := _misplaced((domain, problem)):
            raise ValueError(reason) from None
        raise


def _misplaced(arguments: Sequence[str]) -> str:
    from fsplan.planner.sources.contents import misplaced

    return misplaced(arguments)


def domain_beside(problem: str) -> str:
    """The path of the domain file for a problem file, by the naming conventions of IPC collections.

    Looks for domain.pddl, then domain-p01.pddl, p01-domain.pddl and the like, in the problem's folder.
    """
    _check_exists(problem)
    if os.path.isdir(problem):
        raise IsADirectoryError(
            f"{problem} is a folder: name a problem in it; fsplan compare {problem} runs all of them"
        )
    folder, name = os.path.split(problem)
    stem = name.removesuffix(".pddl")
    first = stem.split("-")[0]
    forms = ("domain-{}.pddl", "{}-domain.pddl", "domain_{}.pddl", "{}_domain.pddl")
    candidates = ["domain.pddl", *(form.format(part) for part in (stem, first) for form in forms)]
    for candidate in candidates:
        path = os.path.join(folder, candidate)
        if os.path.isfile(path) and candidate != name:
            return path
    from fsplan.planner.sources.contents import content_of

    if content_of(problem) == "domain":
        raise ValueError(f"{problem} is a domain and needs a problem: fsplan {problem} PROBLEM")
    if reason := _misplaced([problem]):
        raise ValueError(reason)
    raise FileNotFoundError(f"{problem}: no domain.pddl beside it; name the domain first: fsplan DOMAIN {problem}")


def _check_exists(path: str) -> None:
    if not os.path.exists(path):
        from fsplan.planner.sources.registry import SOURCES, is_whole_task

        if path.isalnum() and is_whole_task(instance := f"{path}:random/1"):
            raise ValueError(f"{path} is a puzzle without an instance; write for example fsplan {instance}")
        if near := _similar_file(path):
            raise FileNotFoundError(f"{path}: no such file; did you mean {near}?")
        names = ", ".join(source.example for source in SOURCES if source.load is not None and ":" in source.example)
        raise FileNotFoundError(f"{path}: no such file, and not a name such as {names}")


def _similar_file(path: str) -> str:
    """The file beside this path whose name resembles it most; empty if there is none."""
    from difflib import get_close_matches

    folder, name = os.path.split(path)
    try:
        found = get_close_matches(name, os.listdir(folder or "."), 1, 0.8)
    except OSError:
        return ""
    return os.path.join(folder, found[0]) if found else ""


def load_pddl(arguments: Sequence[str], reader: str, limits: Limits | None, grounding: str = "all") -> Task:
    """Reads the PDDL task that the arguments name; `grounding` as for `from_pddl`."""
    begin = perf_counter()
    problem = read_problem(arguments, reader)
    read_seconds = perf_counter() - begin
    task = from_pddl(problem, limits=limits, grounding=grounding)
    task.details["read_seconds"] = round(read_seconds, 6)
    return task


SOURCE = TaskSource(
    "pddl",
    "a PDDL domain and problem: STRIPS to ADL, action costs, derived predicates; or a problem beside its domain.pddl",
    example="domain.pddl problem.pddl",
    accepts=lambda arguments: True,
    load=load_pddl,
    reads=("reader",),
)
