"""Grounds a PDDL syntax tree with the native grounder."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

from fsplan.pddl.errors import Fault, PddlError, UnsupportedError
from fsplan.pddl.normalise import Lifted, normalise
from fsplan.pddl.syntax import Problem
from fsplan.pddl.whole_costs import with_whole_costs
from fsplan.planner._core import GroundTask, LiftedStateSpace, LiftedTask
from fsplan.planner._core import ground as ground_lifted
from fsplan.planner.base.limits import LimitReached, Limits
from fsplan.planner.base.quantities import LARGEST

Made = TypeVar("Made")


def ground(
    problem: Problem,
    limits: Limits | None = None,
    timings: dict[str, float] | None = None,
    *,
    most_actions: int | None = None,
) -> GroundTask:
    """Normalises and grounds the task; raises LimitReached if a limit is exceeded.

    The seconds of each step are stored in `timings`. TooManyActions is raised if the task has more ground actions than
    `most_actions`, often long before all of them have been found.

    >>> from fsplan.pddl import read_task
    >>> from fsplan.planner.sources.load import example
    >>> from fsplan.planner.sources.pddl import domain_beside
    >>> problem = example("blocks-8-0")
    >>> ground(read_task(domain_beside(problem), problem)).action_count()
    128
    """
    most = LARGEST if most_actions is None else most_actions
    return _made(lambda lifted: ground_lifted(lifted, *_native(limits), most_actions=most), problem, timings)


def lifted_space(
    problem: Problem, limits: Limits | None = None, timings: dict[str, float] | None = None
) -> LiftedStateSpace:
    """The state space of a task without grounding its actions; ValueError if the task uses unsupported features."""
    return _made(lambda lifted: LiftedStateSpace(lifted, *_native(limits)), problem, timings)


def _made(make: Callable[[LiftedTask], Made], problem: Problem, timings: dict[str, float] | None) -> Made:
    """Normalises the task, calls `make` with the result, and stores the seconds of both steps in `timings`."""
    begin = perf_counter()
    lifted = to_native(normalise(with_whole_costs(problem)))
    normalised = perf_counter()
    try:
        made = make(lifted)
    except TimeoutError:
        raise LimitReached("time") from None
    except MemoryError:
        raise LimitReached("memory") from None
    except ValueError as error:
        raise _cost_error(problem, str(error)) or error from None
    if timings is not None:
        timings["normalise_seconds"] = normalised - begin
        timings["ground_seconds"] = perf_counter() - normalised
    return made


def _native(limits: Limits | None) -> tuple[float, int]:
    """The limits as the C++ core expects them: seconds and bytes, where 0 means unlimited."""
    return (0.0, 0) if limits is None else (limits.seconds_left() or 0.0, limits.bytes or 0)


def to_native(lifted: Lifted) -> LiftedTask:
    """Converts the normalised task to the data structures of the C++ core."""
    problem = lifted.problem
    task = LiftedTask(
        objects=list(lifted.objects),
        types=lifted.types,
        predicates=[(name, *entry[1:]) for name, entry in lifted.predicates.items()],
        functions=[(name, arity) for name, (_, arity) in lifted.functions.items()],
        names=lifted.names,
        words=lifted.words,
        use_costs=problem.use_costs,
    )
    task.add_facts(problem.init, {name: entry[0] for name, entry in lifted.predicates.items()}, lifted.objects)
    task.add_values(problem.costs, {name: entry[0] for name, entry in lifted.functions.items()}, lifted.objects)
    return task


def _cost_error(problem: Problem, message: str) -> Exception | None:
    """The PDDL error for an error message of the grounder about a cost; None for other messages.

    The grounder looks up costs while it instantiates actions, so a missing or invalid cost is a fault of :init.
    """
    if not message.startswith("the cost "):
        return None
    line, column = _place_of_init(problem.file)
    fault = Fault(f"{message} in :init", problem.file or "problem", line, column, "")
    return UnsupportedError([fault]) if "out of range" in message else PddlError([fault])


def _place_of_init(file: str) -> tuple[int, int]:
    """Line and column of (:init …); 0 and 0 if the problem was not read from a file."""
    try:
        with open(file, encoding="latin-1") as text:
            for number, line in enumerate(text, 1):
                if (column := line.lower().find("(:init")) >= 0:
                    return number, column + 1
    except OSError:
        pass
    return 0, 0
