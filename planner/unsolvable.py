"""Why a PDDL task has no plan, in the words of its goal: for a person who looks for the mistake in a model.

Each part of the goal's conjunction is grounded as a goal of its own, and each pair of them if all can be reached alone.
Grounding knows what is unreachable even if actions undid nothing, and what can never hold together; where that does not
explain it, the search has proven it state by state.
"""

from __future__ import annotations

from copy import copy
from itertools import combinations
from typing import TYPE_CHECKING

from fsplan.planner.limits import LimitReached, Limits

if TYPE_CHECKING:
    from fsplan.pddl.syntax import Formula, Problem
    from fsplan.planner.result import Result
    from fsplan.planner.task import Task

PATIENCE = 2.0  # seconds, unless the run's own limit leaves less
_SHOWN = 5


def unreachable_goals(task: Task, result: Result, limits: Limits | None = None) -> list[tuple[str, ...]] | None:
    """`conflicting_goals` of a PDDL task whose search has ended as `unsolvable`; None in all other cases."""
    if result.status != "unsolvable" or task.problem is None:
        return None
    return conflicting_goals(task.problem, Limits(min(PATIENCE, (limits and limits.seconds_left()) or PATIENCE)))


def why_unsolvable(found: list[tuple[str, ...]], result: Result) -> str:
    """One line about a task whose search has ended as `unsolvable`, given its unreachable goals."""
    if found:
        what = "the goal cannot be reached" if len(found[0]) == 1 else "goals cannot hold together"
        more = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        return f"{what}: {'; '.join(' and '.join(group) for group in found[:_SHOWN])}{more}"
    expanded = result.statistics.get("expanded", 0)
    return f"proven by the search, which expanded {expanded:,} states and saw that no others lead to the goal"


def conflicting_goals(problem: Problem, limits: Limits) -> list[tuple[str, ...]]:
    """Parts of the goal that cannot be reached, each alone, or else pairs that exclude each other; [] if none is known.

    Found by grounding: what it proves holds, but it does not find everything.
    """
    from fsplan.pddl.writer import write_formula

    parts = _conjuncts(problem.goal)
    for size in (1, 2):
        found: list[tuple[str, ...]] = []
        try:
            for group in combinations(parts, size):
                if limits.used() >= (limits.seconds or PATIENCE):
                    break
                if not _reachable(problem, group, limits):
                    found.append(tuple(write_formula(each) for each in group))
        except LimitReached:
            pass
        if found:
            return found
    return []


def _conjuncts(goal: Formula) -> list[Formula]:
    from fsplan.pddl.syntax import And

    return [each for part in goal.parts for each in _conjuncts(part)] if isinstance(goal, And) else [goal]


def _reachable(problem: Problem, goal: tuple[Formula, ...], limits: Limits) -> bool:
    """False: proven to be out of reach."""
    from fsplan.pddl.ground import ground
    from fsplan.pddl.syntax import And

    alone = copy(problem)
    alone.goal = And(list(goal))
    return ground(alone, limits).solvable_relaxed
