"""Answers one call of a program that has PDDL as text, in a process of its own and within limits.

The process reads a call from stdin as JSON and prints a JSON document of planner/schemas. Domain, problem and plans are
texts and never names of files, puzzles or Python objects, so a call reads no file and imports no code of its caller's
choice. The servers `fsplan mcp` and `fsplan serve` start these processes.

>>> answer("bound", {"domain": "(define (domain d)", "problem": ""}, Limits())["faults"][0]["line"]
1
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from json import dumps, load
from pathlib import Path
from signal import SIGKILL
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from fsplan.pddl.costs import plain
from fsplan.pddl.errors import PddlError
from fsplan.pddl.reader import parse_task
from fsplan.pddl.writer import write_effect, write_formula
from fsplan.planner.base.limits import LimitReached, Limits
from fsplan.planner.pictures.replay import MOST_DRAWN, page
from fsplan.planner.pictures.trace import TraceWriter, read_trace
from fsplan.planner.plans.plan_files import PlanError, format_plan, read_plan
from fsplan.planner.plans.validate import PlanExecution, StepError
from fsplan.planner.search.document import record
from fsplan.planner.search.explanation import explain_faults, explain_task, explanation
from fsplan.planner.search.result import proven_ratio
from fsplan.planner.search.unsolvable import unreachable_goals, why_goals_fail
from fsplan.planner.sources.pddl import from_pddl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fsplan.pddl.syntax import Problem
    from fsplan.planner.pictures.trace import Trace
    from fsplan.planner.plans.plan_files import Step
    from fsplan.planner.plans.validate import Validation
    from fsplan.planner.search.gap import GapPoint
    from fsplan.planner.search.result import Result
    from fsplan.planner.search.solve import OnGap
    from fsplan.planner.tasks.task import Task

    Document = dict[str, Any]

PLANS, STATES = "fsplan-plans-1", "fsplan-states-1"
FAILURES = ("wrong_pddl", "unsupported_pddl", "limit", "refused", "error")  # verdicts of calls without an answer
_PR_SET_PDEATHSIG = 1
_NO_ANSWER = 3  # exit code of a call that failed; the reason is printed as an explanation


def main() -> None:
    """Reads a call from stdin, prints its answer, and exits."""
    _end_with_server()
    call = load(sys.stdin)
    limits = Limits(call["time_limit"], call["memory_limit"])
    with limits.enforced():
        document = answer(call["tool"], call["arguments"], limits)
    print(dumps(document))
    is_answer = call["tool"] == "explain" and document["faults"]  # for `explain`, faults are no failure
    sys.exit(_NO_ANSWER if document.get("verdict") in FAILURES and not is_answer else 0)


def _end_with_server() -> None:
    """Lets the kernel kill this process when the server dies; on other systems than Linux its time limit ends it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, SIGKILL)


def answer(tool: str, arguments: Document, limits: Limits) -> Document:
    """Returns the document of a tool, or an explanation of why there is none."""
    try:
        problem = parse_task(arguments.pop("domain"), arguments.pop("problem"))
        return TOOLS[tool](problem, limits, **arguments)
    except PddlError as error:
        return explain_faults(error)
    except (LimitReached, MemoryError) as error:
        return limit_reached(getattr(error, "what", "memory"))
    except (ValueError, OverflowError) as error:  # such as costs that the search cannot add up
        return explanation("refused", str(error))
    except Exception as error:
        sys.excepthook(type(error), error, error.__traceback__)
        return explanation("error", f"a bug in fsplan: {type(error).__name__}; the server's stderr shows where")


def limit_reached(what: str) -> Document:
    return explanation("limit", f"{what} ran out before there was an answer; allow more with {what}_limit")


def _grounded(problem: Problem, limits: Limits) -> Task:
    return from_pddl(problem, limits=limits)


def _search(task: Task, limits: Limits, w: float, on_gap: OnGap | None = None) -> Result:
    from fsplan.planner.search.solve import solve

    return solve(task, "auto", w=w, time_limit=limits.begin_search(), memory_limit=limits.bytes, on_gap=on_gap)


def plan(problem: Problem, limits: Limits, w: float, stream: bool = False) -> Document:
    """Searches for a plan; with `stream`, prints every better plan or bound as a line {"gap": …} when it is found."""
    from fsplan.planner.search.catalogue import options

    task = _grounded(problem, limits)
    result = _search(task, limits, w, _print_gap if stream else None)
    found = record(task, result, limits, unreachable_goals(task, result, limits))
    unused = {option.name for option in options() if found.get(option.name) is None}
    return {name: value for name, value in found.items() if name not in unused}


def _print_gap(point: GapPoint) -> None:
    print(dumps({"gap": point.to_json()}), flush=True)


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
    if plan is not None:
        validation = _validated(problem, plan)
        verdict = "valid_plan" if validation.valid else "invalid_plan"
        return explanation(verdict, validation.message, validation=validation.to_json())
    return explain_task(_grounded(problem, limits), limits)


def compare_plans(problem: Problem, limits: Limits, plans: list[str | list[str]], w: float) -> Document:
    """Validates each plan, and judges the cheapest valid one: its lower bound holds for all of them."""
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


def states(problem: Problem, limits: Limits, plan: str | list[str]) -> Document:
    """Executes a plan up to its end or to the first step that fails; lists what each step makes true and false."""
    execution, rows = PlanExecution(problem), []
    initial = before = execution.world.true_atoms()
    with suppress(PlanError, StepError):  # the validation says which step fails and why
        for step in read_plan(plan).steps:
            execution.take(step)
            after = execution.world.true_atoms()
            row = {"action": str(step), "cost": plain(execution.step_costs[-1])}
            rows.append({**row, "added": _written(after - before), "deleted": _written(before - after)})
            before = after
    validation = _validated(problem, plan).to_json()
    return {"schema": STATES, "initial": _written(initial), "steps": rows, "validation": validation}


def replay(problem: Problem, limits: Limits, w: float) -> Document:
    """Returns a page that replays the first expansions of focal search and of A*, side by side."""
    task = _grounded(problem, limits)
    with TemporaryDirectory() as folder:
        focal = _trace(task, limits, Path(folder), search="focal", order="disc2", w=w)
        return {"page": page([focal, _trace(task, limits, Path(folder), search="astar")])}


def _trace(task: Task, limits: Limits, folder: Path, **options: Any) -> Trace:
    from fsplan.planner.search.solve import solve

    writer = TraceWriter(folder / "trace", task.name, task.state_space, task.cost_denominator)
    left = limits.seconds_left()
    result = solve(
        task,
        **options,
        expansion_limit=MOST_DRAWN,
        time_limit=None if left is None else left / 2,
        memory_limit=limits.bytes,
        on_expansion=writer,
    )
    writer.end(result)
    return read_trace(folder / "trace")


def _written(atoms: Iterable[tuple[str, tuple[str, ...]]]) -> list[str]:
    return sorted(f"({' '.join((predicate, *arguments))})" for predicate, arguments in atoms)


def solve(problem: Problem, limits: Limits, w: float) -> Document:
    """Returns an answer in the format of the online solver, in which every step has its ground action.

    The fields `cost`, `lower_bound` and `proven_ratio` are additions of fsplan.
    """
    found = plan(problem, limits, w)
    output = _verdict(found)
    if found["plan"] is None:
        return {"status": "error", "result": {"output": output, "error": output, "parse_status": "err"}}
    text = format_plan(found["plan"], found["cost"], not problem.use_costs)
    steps = [{"name": str(step), "action": _ground_action(problem, step)} for step in read_plan(text).steps]
    known = {name: found[name] for name in ("cost", "lower_bound", "proven_ratio")}
    result = {"plan": steps, "length": len(steps), **known, "output": output, "text": text, "error": False}
    return {"status": "ok", "result": {**result, "type": "full", "parse_status": "ok"}}


def _verdict(found: Document) -> str:
    """Returns a result in a sentence."""
    if found["plan"] is None:
        reason = "there is no plan (proven)" if found["status"] == "unsolvable" else f"no plan ({found['status']})"
        goals = found["unreachable_goals"]
        return f"{reason}: {why_goals_fail(goals)}" if goals else reason
    known = f"plan of cost {found['cost']}; no plan costs less than {found['lower_bound']} (proven)"
    ratio = found["proven_ratio"]
    return known if ratio is None else f"{known}; it costs at most {ratio:.4g} times the optimum"


def _ground_action(problem: Problem, step: Step) -> str:
    """Returns the action of a step as PDDL, with objects for its parameters."""
    action = problem.domain.actions[step.action]
    binding = {parameter.name: value for parameter, value in zip(action.parameters, step.arguments, strict=True)}
    condition, effect = write_formula(action.precondition, binding), write_effect(action.effects, binding)
    parts = ("", f":parameters ({' '.join(step.arguments)})", f":precondition {condition}", f":effect {effect}")
    lines = "\n ".join(parts)
    return f"(:action {action.name}{lines})"


TOOLS: dict[str, Callable[..., Document]] = {
    function.__name__: function
    for function in (plan, validate, judge, bound, explain, compare_plans, states, replay, solve)
}

if __name__ == "__main__":
    main()
