"""Reads, writes and checks plans.

The format is that of the IPC: `(action argument …)`, usually one per line, and comments from `;` to the end of a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fsplan.pddl.costs import Cost
    from fsplan.planner.tasks.task import Task


class Step:
    """A step of a plan: the action's name and arguments in lower case, and its line in the file (from 1).

    `time` is the text before the colon in plans of temporal planners, such as `0.5: (stack a b) [1.0]`.
    """

    __slots__ = ("action", "arguments", "line", "time")

    def __init__(self, action: str, arguments: tuple[str, ...], line: int, time: str | None = None) -> None:
        self.action, self.arguments, self.line, self.time = action, arguments, line, time

    def __str__(self) -> str:
        return f"({' '.join((self.action, *self.arguments))})"

    def __repr__(self) -> str:
        return f"<Step {self}>"


class Plan:
    """The steps of a plan, and the cost from a comment such as `; cost = 18 (unit cost)`, if there is one."""

    __slots__ = ("cost", "steps")

    def __init__(self, steps: list[Step], cost: Cost | None) -> None:
        self.steps, self.cost = steps, cost

    def __repr__(self) -> str:
        return f"<Plan: {len(self.steps)} steps, stated cost {self.cost}>"


class PlanError(ValueError):
    """A line of a plan file is not a step."""

    def __init__(self, line: int, found: str) -> None:
        super().__init__(f"line {line}: found '{found[:60]}', expected (action argument …)")
        self.line = line


class WrongPlan(RuntimeError):
    """A search returned an invalid plan. This is a bug in fsplan; every plan is checked before it is returned."""


def read_text(path: str) -> str:
    """Returns the text of a plan file, decoded as UTF-8 or else, as for PDDL, as Latin-1."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_steps(path: str) -> list[str]:
    """Returns the steps of a plan file in the form of `Result.plan`: `stack a b`."""
    return [str(step)[1:-1] for step in read_plan(read_text(path)).steps]


def format_plan(plan: Sequence[str], cost: Cost, unit_cost: bool) -> str:
    """Returns the plan as text, with its cost in a comment in Fast Downward's format.

    >>> print(format_plan(["pick-up b", "stack b a"], 2, True), end="")
    (pick-up b)
    (stack b a)
    ; cost = 2 (unit cost)
    """
    steps = "".join(f"({step})\n" for step in plan)
    return f"{steps}; cost = {cost} ({'unit cost' if unit_cost else 'general cost'})\n"


def check_plan(task: Task, plan: Sequence[str], cost: Cost) -> list[Cost] | None:
    """Raises WrongPlan unless the plan reaches the goal at this cost.

    Returns the costs of the steps if the task has PDDL: such a plan is checked by the validator, which works on the
    PDDL itself and shares no code with the grounder and the searches. Plans for other tasks are executed step by step
    from the initial state, and the function returns None.
    """
    if task.problem is None:
        _replay(task, plan, cost)
        return None
    from fsplan.planner.plans.validate import validate

    verdict = validate(task.problem, format_plan(plan, cost, task.unit_cost))
    if not verdict.valid:
        raise WrongPlan(f"fsplan found a plan that is wrong, please report this: {verdict.message}")
    return verdict.step_costs


def _replay(task: Task, plan: Sequence[str], cost: Cost) -> None:
    """Executes the plan with the task's own successor function. If actions share a name, all of them are tried."""
    try:
        ends = task.execute(plan)
    except ValueError as error:
        raise WrongPlan(f"fsplan found a plan that is wrong, please report this: {error}") from error
    if (cost, True) not in ends:
        raise WrongPlan(f"fsplan found a plan that is wrong, please report this: no goal is reached at cost {cost}")


def read_plan(text: str | Iterable[str]) -> Plan:
    """Reads a plan; an iterable holds its steps, with or without parentheses.

    >>> [str(step) for step in read_plan("(STACK a b) ; first").steps]
    ['(stack a b)']
    >>> [str(step) for step in read_plan("0: (stack a b) [1] 1: (pick-up\\n c) [1]").steps]
    ['(stack a b)', '(pick-up c)']
    """
    if not isinstance(text, str):
        text = "\n".join(step if "(" in step else f"({step})" for step in text)
    steps: list[Step] = []
    cost: Cost | None = None
    begun, first = "", 0  # text and first line of an action that continues on the next line
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(text.lower().split("\n"), 1):
        content, _, comment = line.partition(";")
        *ends, rest = content.split(")")
        for end in ends:
            steps.append(_step(f"{begun} {end})", first or number))
            begun, first = "", 0
        rest = f"{begun} {rest.strip()}" if begun else _time_and_step(rest)[1]
        if rest:
            begun, first = rest, first or number
            if rest[0] != "(":
                raise PlanError(first, rest)
        cost = _stated_cost(comment) if cost is None else cost
    if begun:
        raise PlanError(first, begun.strip())
    return Plan(steps, cost)


def _time_and_step(text: str) -> tuple[str | None, str]:
    """Splits off what temporal planners add: `0.5:` before an action, and `[1.0]` after the previous action."""
    text = text.strip()
    duration, bracket, rest = text.partition("]")
    if bracket and duration[:1] == "[" and _is_number(duration[1:]):
        text = rest.strip()
    time, colon, rest = text.partition(":")
    return (time.strip(), rest.strip()) if colon and _is_number(time) else (None, text)


def _is_number(text: str) -> bool:
    return text.strip().replace(".", "", 1).isdecimal()


def _step(content: str, line: int) -> Step:
    time, content = _time_and_step(content)
    words = content[1:-1].split()
    if content[0] != "(" or not words or "(" in content[1:]:
        raise PlanError(line, content)
    return Step(words[0], tuple(words[1:]), line, time)


def _stated_cost(comment: str) -> Cost | None:
    """Returns the cost that a comment states, or None.

    >>> _stated_cost(" cost = 18 (unit cost)"), _stated_cost("cost = 2.50"), _stated_cost("found quickly")
    (18, 2.5, None)
    """
    words = comment.replace("=", " = ").split()
    if words[:2] != ["cost", "="] or len(words) < 3 or not _is_number(words[2]):
        return None
    if words[2].isdecimal():
        return int(words[2])
    from fsplan.pddl.costs import exact

    return exact(words[2])
