"""From a PDDL tree to the native ground task."""

from __future__ import annotations

from time import perf_counter

from fsplan.pddl.normalise import normalise
from fsplan.planner._core import LiftedTask
from fsplan.planner._core import ground as ground_lifted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsplan.pddl.normalise import Lifted
    from fsplan.pddl.syntax import Problem
    from fsplan.planner._core import GroundTask


class LimitReached(Exception):
    """`what`, "time" or "memory", ran out before there was a search."""

    def __init__(self, what: str, when: str = "while grounding") -> None:
        super().__init__(f"{what} ran out {when}")
        self.what = what
        self.exit_code = 21 if what == "time" else 20


def ground(
    problem: Problem, seconds: float = 0.0, memory_bytes: int = 0, timings: dict[str, float] | None = None
) -> GroundTask:
    """Normalises and grounds; limits of 0 are none. Raises `LimitReached` where one is met.

    `timings` is given the seconds of each part.

    >>> from fsplan.pddl import read_task
    >>> from fsplan.planner.load import domain_beside, example
    >>> problem = example("blocks-8-0")
    >>> ground(read_task(domain_beside(problem), problem)).action_count()
    128
    """
    begin = perf_counter()
    lifted = hand_over(normalise(problem))
    normalised = perf_counter()
    try:
        task = ground_lifted(lifted, seconds, memory_bytes)
    except TimeoutError:
        raise LimitReached("time") from None
    except MemoryError:
        raise LimitReached("memory") from None
    if timings is not None:
        timings["normalise_seconds"] = normalised - begin
        timings["ground_seconds"] = perf_counter() - normalised
    return task


def hand_over(lifted: Lifted) -> LiftedTask:
    """The normalised task in the core's form."""
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
