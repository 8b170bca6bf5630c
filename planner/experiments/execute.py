"""Executes runs of fsplan's own searches, and measures them."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from time import process_time
from typing import Any

from fsplan.domains.instances import korf_cost
from fsplan.pddl.costs import Cost, plain
from fsplan.pddl.syntax import Problem
from fsplan.planner._core import GroundStateSpace
from fsplan.planner.base.limits import Limits
from fsplan.planner.experiments.records import JSON_STATISTICS, Run
from fsplan.planner.plans.validate import validate
from fsplan.planner.policies.registry import kind_of
from fsplan.planner.search import catalogue
from fsplan.planner.search.result import Result
from fsplan.planner.search.solve import solve
from fsplan.planner.sources.load import load_arguments
from fsplan.planner.tasks.task import Task

SOLVE = "fsplan.planner.experiments.execute:prepare"
REPEATS = 3
_FEW_EXPANSIONS = 20_000


def measured(result: Result) -> dict[str, Any]:
    """The columns of a row that are taken from the result of a search."""
    statistics = result.statistics
    return {
        "status": result.status,
        "cost": plain(result.cost),
        "lower_bound": plain(result.lower_bound),
        "ratio": result.proven_ratio,
        "certified": result.certified,
        "plan_length": None if result.plan is None else len(result.plan),
        **{column: statistics.get(name) for column, name in JSON_STATISTICS.items()},
        "used": {part: result.record.get(part) for part in ("heuristic", "policy")},
    }


def arguments(run: Run) -> dict[str, Any]:
    """The keyword arguments of `fsplan.solve` for a run."""
    given = {
        "search": run.search,
        "order": run.order,
        "w": run.w,
        "heuristic": run.heuristic,
        "policy": run.policy,
        "seed": run.seed,
        **run.options,
    }
    if "w" not in catalogue.reads(run.search, run.order):
        del given["w"]
    if run.policy is None or "seed" not in kind_of(run.policy).reads:
        del given["seed"]
    return {name: value for name, value in given.items() if value is not None}


def timed(search: Callable[[], Result]) -> tuple[Result, float]:
    """The result and its search time: the minimum of the wall-clock time of the search and the CPU time of the call.

    CPU time excludes waiting for a processor, but it can be measured only for the whole call, including preparation.
    """
    begin = process_time()
    result = search()
    return result, min(float(result.statistics["search_seconds"]), process_time() - begin)


def shortest(search: Callable[[], Result]) -> tuple[Result, float]:
    """The result and the search time; for searches with few expansions, the shortest time of several repetitions.

    A single interruption by the operating system may take longer than a search of microseconds.
    """
    result, seconds = timed(search)
    if result.statistics["expanded"] < _FEW_EXPANSIONS:
        seconds = min(seconds, *(timed(search)[1] for _ in range(REPEATS - 1)))
    return result, seconds


def prepare(shared: Mapping[str, Any]) -> Callable[[Run], Mapping[str, Any]]:
    return solve_run


def loaded(run: Run) -> tuple[Task, Sequence[str], Limits]:
    """The task of a run, the arguments that name it, and the limits of the run; loading counts towards its time."""
    limits = Limits(run.time_limit, run.memory_limit)
    words = run.files or (run.task,)
    return load_arguments(words, limits=limits), words, limits


def solve_run(run: Run) -> dict[str, Any]:
    """Loads the task, searches for a plan and validates it; the time limit applies to all of this."""
    task, words, limits = loaded(run)
    given = fitting(arguments(run), task)
    options = {"time_limit": limits.seconds_left, "memory_limit": run.memory_limit, **given}
    result, seconds = timed(lambda: solve(task, **options))
    row = {
        **measured(result),
        "seconds": seconds,
        "optimal_cost": known_optimum(run.task),
        "repeat": command(words, given),
    }
    row["total_seconds"] = limits.used()
    if result.plan is not None and result.cost is not None:
        row["plan"] = result.plan
        if task.problem is not None:
            row |= check(task.problem, result.plan, result.cost)
    return row


def fitting(given: dict[str, Any], task: Task) -> dict[str, Any]:
    """The arguments without a heuristic or policy that this kind of task does not support; its default is used instead.

    So a suite may contain PDDL tasks and puzzles: LM-cut and `ff` are for PDDL, and puzzles have other heuristics. A
    network that does not fit the task is still an error, because results under its name must not use another policy.
    """
    left_out = set()
    if given.get("heuristic") not in task.state_space.heuristics():
        left_out.add("heuristic")
    if given.get("policy") == "ff" and not isinstance(task.state_space, GroundStateSpace):
        left_out.add("policy")
    return {name: value for name, value in given.items() if name not in left_out}


def command(words: Sequence[str], given: Mapping[str, Any]) -> str:
    """The command line that repeats a run.

    >>> command(["tiles8:random/1"], {"search": "focal", "order": "disc2", "w": "1.5", "paper": True, "seed": 0})
    'fsplan tiles8:random/1 --focal disc2 --w 1.5 --paper'
    """
    options = {
        name: value for name, value in given.items() if value not in (False, None) and (name, value) != ("seed", 0)
    }
    if "order" in options:
        options = {"focal": options.pop("order"), **options}
        del options["search"]
    made = ["fsplan", *words]
    for name, value in options.items():
        made += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return shlex.join(made)


def known_optimum(task: str) -> int | None:
    """The optimal cost of a task, if it is part of the package, as for Korf's instances; otherwise None."""
    domain, _, number = task.partition("/")
    if domain != "tiles15:korf" or not number.isdecimal():
        return None

    return korf_cost(int(number))


def check(problem: Problem, plan: list[str], cost: Cost) -> dict[str, Any]:
    """The columns for the result of validating a plan and its cost; the validator shares no code with the search."""
    verdict = validate(problem, plan)
    if verdict.valid and verdict.cost == cost:
        return {"valid": True}
    return {"valid": False, "message": verdict.message if not verdict.valid else f"the plan costs {verdict.cost}"}
