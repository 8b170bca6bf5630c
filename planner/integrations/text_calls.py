"""Answers one call of a program that has PDDL as text, in a process of its own and within limits.

The process reads a call from stdin as JSON and prints a JSON document of planner/schemas. Domain, problem and plans are
texts and never names of files, puzzles or Python objects, so a call reads no file and imports no code of its caller's
choice. `fsplan mcp` is the server that starts these processes.

>>> answer("bound", {"domain": "(define (domain d)", "problem": ""}, Limits())["faults"][0]["line"]
1
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from fsplan.planner.base.limits import LimitReached, Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from fsplan.pddl.errors import PddlError
    from fsplan.pddl.syntax import Problem
    from fsplan.planner.plans.validate import Validation
    from fsplan.planner.search.result import Result
    from fsplan.planner.tasks.task import Task

    Document = dict[str, Any]

EXPLANATION = "fsplan-explanation-1"
PLANS = "fsplan-plans-1"
FAILURES = ("wrong_pddl", "unsupported_pddl", "limit", "refused", "error")  # verdicts of calls without an answer
_PR_SET_PDEATHSIG = 1
_NO_ANSWER = 3  # exit code; the reason is printed as an explanation


def main() -> None:
    """Reads a call from stdin, prints its answer, and exits."""
    from json import dumps, load

    _end_with_server()
    call = load(sys.stdin)
    limits = Limits(call["time_limit"], call["memory_limit"])
    with limits.enforced():
        document = answer(call["tool"], call["arguments"], limits)
    print(dumps(document))
    is_answer = call["tool"] == "explain" and document["faults"]  # faults of the PDDL are what it explains
    sys.exit(_NO_ANSWER if document.get("verdict") in FAILURES and not is_answer else 0)


def _end_with_server() -> None:
    """Lets the kernel kill this process when the server dies; on other systems than Linux its time limit ends it."""
    if sys.platform == "linux":
        import ctypes
        from signal import SIGKILL

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, SIGKILL)


def answer(tool: str, arguments: Document, limits: Limits) -> Document:
    """Returns the document of a tool, or an explanation of why there is none."""
    from fsplan.pddl.errors import PddlError

    try:
        problem = _read(arguments.pop("domain"), arguments.pop("problem"))
        return TOOLS[tool](problem, limits, **arguments)
    except PddlError as error:
        return _faults(error)
    except (LimitReached, MemoryError) as error:
        return limit_reached(getattr(error, "what", "memory"))
    except (ValueError, OverflowError) as error:  # such as costs that the search cannot add up
        return explanation("refused", str(error))
    except Exception as error:
        sys.excepthook(type(error), error, error.__traceback__)
        return explanation("error", f"a bug in fsplan: {type(error).__name__}; the server's stderr shows where")


def explanation(verdict: str, message: str, **fields: Any) -> Document:
    """Returns a document of the schema `fsplan-explanation-1`."""
    nothing: Document = {"faults": [], "validation": None, "status": None, "unreachable_goals": None}
    return {"schema": EXPLANATION, "verdict": verdict, "message": message, **nothing, **fields}


def limit_reached(what: str) -> Document:
    return explanation("limit", f"{what} ran out before there was an answer; allow more with {what}_limit")


def _read(domain: str, problem: str) -> Problem:
    from fsplan.pddl.reader import parse_task

    return parse_task(domain, problem)


def _faults(error: PddlError) -> Document:
    from fsplan.pddl.errors import UnsupportedError

    names = ("file", "line", "column", "message", "excerpt")
    faults = [{name: getattr(fault, name) for name in names} for fault in error.faults]
    verdict = "unsupported_pddl" if isinstance(error, UnsupportedError) else "wrong_pddl"
    return explanation(verdict, str(error.faults[0]).partition("\n")[0], faults=faults)


def _grounded(problem: Problem, limits: Limits) -> Task:
    from fsplan.planner.sources.pddl import from_pddl

    return from_pddl(problem, limits=limits)


def _search(task: Task, limits: Limits, w: float) -> Result:
    from fsplan.planner.search.solve import solve

    return solve(task, "auto", w=w, time_limit=limits.begin_search(), memory_limit=limits.bytes)


def plan(problem: Problem, limits: Limits, w: float) -> Document:
    from fsplan.planner.search.catalogue import options
    from fsplan.planner.search.document import record
    from fsplan.planner.search.unsolvable import unreachable_goals

    task = _grounded(problem, limits)
    result = _search(task, limits, w)
    found = record(task, result, limits, unreachable_goals(task, result, limits))
    unused = {option.name for option in options() if found.get(option.name) is None}
    return {name: value for name, value in found.items() if name not in unused}


def bound(problem: Problem, limits: Limits) -> Document:
    from fsplan.planner.bounds.root import DEFAULT_SECONDS, bound

    task = _grounded(problem, limits)
    return bound(task, time_limit=limits.begin_search() or DEFAULT_SECONDS, memory_limit=limits.bytes).to_json()


def validate(problem: Problem, limits: Limits, plan: str | list[str]) -> Document:
    return _validated(problem, plan).to_json()


def _validated(problem: Problem, plan: str | list[str]) -> Validation:
    from fsplan.planner.plans.validate import validate

    return validate(problem, plan, suggest=True)


def judge(problem: Problem, limits: Limits, plan: str | list[str], w: float) -> Document:
    from fsplan.planner.search.judge import judge

    task = _grounded(problem, limits)
    return judge(task, plan, w=w, time_limit=limits.begin_search(), memory_limit=limits.bytes).to_json()


def explain(problem: Problem, limits: Limits, plan: str | list[str] | None = None) -> Document:
    """Says which step of the plan fails; without a plan, why the task has none."""
    from fsplan.planner.search.unsolvable import unreachable_goals, why_unsolvable

    if plan is not None:
        validation = _validated(problem, plan)
        verdict = "valid_plan" if validation.valid else "invalid_plan"
        return explanation(verdict, validation.message, validation=validation.to_json())
    task = _grounded(problem, limits)
    result = _search(task, limits, 1.5)
    if result.solved:
        message = f"there is a plan of cost {result.cost}, and no plan costs less than {result.lower_bound}"
        return explanation("plan_exists", message, status=result.status)
    goals = unreachable_goals(task, result, limits)
    if goals is None:
        message = f"the search ended ({result.status}) before it found a plan or proved that there is none"
        return explanation("unknown", message, status=result.status)
    message = f"there is no plan: {why_unsolvable(goals, result)}"
    return explanation("no_plan", message, status=result.status, unreachable_goals=goals)


def compare_plans(problem: Problem, limits: Limits, plans: list[str | list[str]], w: float) -> Document:
    """Validates each plan, and judges the cheapest valid one: its lower bound holds for all of them."""
    from fsplan.planner.search.result import proven_ratio

    validations = [_validated(problem, plan) for plan in plans]
    valid = [number for number, each in enumerate(validations) if each.valid]
    best = min(valid, key=lambda number: validations[number].cost, default=None)
    verdict = {} if best is None else judge(problem, limits, plans[best], w)
    lower_bound = verdict.get("lower_bound")
    rows = [
        {**each.to_json(), "proven_ratio": proven_ratio(each.cost, lower_bound) if each.valid else None}
        for each in validations
    ]
    judged = {name: verdict.get(name) for name in ("lower_bound", "bound_by", "better_cost", "better_plan", "status")}
    return {"schema": PLANS, "plans": rows, "best": None if best is None else best + 1, **judged}


TOOLS: dict[str, Callable[..., Document]] = {
    function.__name__: function for function in (plan, validate, judge, bound, explain, compare_plans)
}

if __name__ == "__main__":
    main()
