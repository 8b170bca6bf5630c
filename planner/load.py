"""From what a user names (PDDL files, a .sas file, a puzzle) to a task."""

from __future__ import annotations

import os
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fsplan.pddl.syntax import Problem
    from fsplan.planner._core import GroundTask
    from fsplan.planner.limits import Limits
    from fsplan.planner.task import Task


def load(task: str, problem: str | None = None, *, reader: str = "fsplan") -> Task:
    """Loads a task: a PDDL domain and problem, a problem beside its domain, a .sas file or a puzzle.

    >>> import fsplan
    >>> task = fsplan.load(fsplan.example("blocks-8-0"))
    >>> len(task.actions), task.actions[0]
    (128, 'pick-up h')
    """
    words = [os.fspath(task)] if problem is None else [os.fspath(task), os.fspath(problem)]
    return load_words(words, reader=reader)


def load_words(words: Sequence[str], *, reader: str = "fsplan", limits: Limits | None = None) -> Task:
    """`load` for the words of a command line; grounding may use what is left of the limits."""
    if len(words) > 2:
        raise ValueError(f"a task is a domain and a problem, or one word; found {len(words)}: {' '.join(words)}")
    if len(words) == 1 and is_puzzle(words[0]):
        from fsplan.domains.specs import load as load_puzzle

        return load_puzzle(words[0])
    if len(words) == 1 and words[0].endswith(".sas"):
        from fsplan.planner.sas import read_sas

        return from_ground(read_sas(words[0]), words[0])
    begin = perf_counter()
    problem = read_problem(words, reader)
    read_seconds = perf_counter() - begin
    task = from_pddl(problem, limits=limits)
    task.details["read_seconds"] = round(read_seconds, 6)
    return task


def from_pddl(problem: Problem, *, limits: Limits | None = None) -> Task:
    """Grounds a PDDL tree, from `fsplan.pddl.read_task`, `fsplan.pddl.from_tarski` or one's own program."""
    from fsplan.pddl.ground import ground

    timings: dict[str, float] = {}
    task = from_ground(ground(problem, limits, timings), problem.name, problem)
    task.details |= {name: round(seconds, 6) for name, seconds in timings.items()}
    return task


def from_ground(task: GroundTask, name: str, problem: Problem | None = None) -> Task:
    from fsplan.planner._core import GroundSource
    from fsplan.planner.actions import ActionIndex
    from fsplan.planner.task import Task

    actions = ActionIndex.of_task(task, problem) if problem else ActionIndex(task.action_names())
    details = {"facts": task.fact_count(), "variables": task.variable_count(), "axioms": task.rule_count()}
    return Task(name, GroundSource(task), actions, unit_cost=task.unit_cost, problem=problem, details=details)


def read_problem(words: Sequence[str], reader: str = "fsplan") -> Problem:
    """The syntax tree of the PDDL task that the words name."""
    domain, problem = words if len(words) == 2 else (domain_beside(words[0]), words[0])
    if reader == "tarski":
        from fsplan.pddl.tarski_bridge import read_task_with_tarski

        return read_task_with_tarski(domain, problem)
    from fsplan.pddl.reader import read_task

    return read_task(domain, problem)


def is_puzzle(word: str) -> bool:
    """
    >>> is_puzzle("tiles15:korf/1"), is_puzzle("problem.pddl")
    (True, False)
    """
    return ":" in word and not os.path.exists(word)


def domain_beside(problem: str) -> str:
    """The domain file that belongs to a problem file, by the names IPC collections use.

    Looks for domain.pddl, then domain-p01.pddl, p01-domain.pddl and the like, in the problem's folder.
    """
    if not os.path.exists(problem):
        raise FileNotFoundError(f"{problem}: no such file, and not a puzzle such as tiles15:korf/1")
    folder, name = os.path.split(problem)
    stem = name.removesuffix(".pddl")
    first = stem.split("-")[0]
    candidates = ["domain.pddl", *(form.format(part) for part in (stem, first) for form in
                  ("domain-{}.pddl", "{}-domain.pddl", "domain_{}.pddl", "{}_domain.pddl"))]  # fmt: skip
    for candidate in candidates:
        path = os.path.join(folder, candidate)
        if os.path.isfile(path) and candidate != name:
            return path
    raise FileNotFoundError(f"{problem}: no domain.pddl beside it; name the domain first: fsplan DOMAIN {problem}")


def example(name: str) -> str:
    """The path of a bundled problem; its domain lies beside it.

    >>> example("blocks-8-0").endswith("probBLOCKS-8-0.pddl")
    True
    """
    from fsplan.pddl.tasks import path

    return path(name)
