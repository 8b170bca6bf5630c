"""Explains why a PDDL task has no plan by naming the unreachable parts of its goal, to help debug a model.

The task is grounded with each conjunct of the goal alone, and with each pair of conjuncts if all of them are reachable
alone. Grounding detects goals that are unreachable under the delete relaxation, and mutex goals. It does not detect all
unsolvable tasks; for the others only the exhaustive search proves that there is no plan.
"""

from __future__ import annotations

from copy import copy
from itertools import combinations

from fsplan.pddl.syntax import And, Formula, Problem
from fsplan.pddl.writer import write_formula
from fsplan.planner.base.limits import LimitReached, Limits
from fsplan.planner.search.result import Result
from fsplan.planner.tasks.ground import ground
from fsplan.planner.tasks.task import Task

PATIENCE = 2.0  # time limit of the explanation in seconds; the run's own limit may be shorter
_SHOWN = 5


def unreachable_goals(task: Task, result: Result, limits: Limits | None = None) -> list[tuple[str, ...]] | None:
    """Returns `conflicting_goals` for a PDDL task whose search ended as `unsolvable`; None in all other cases."""
    if result.status != "unsolvable" or task.problem is None:
        return None
    return conflicting_goals(task.problem, Limits(min(PATIENCE, (limits and limits.seconds_left()) or PATIENCE)))


def why_unsolvable(found: list[tuple[str, ...]], result: Result) -> str:
    """Returns one line that explains why a task is unsolvable, given its unreachable goals."""
    if found:
        return why_goals_fail(found)
    expanded = result.statistics.get("expanded", 0)
    return f"proven by the search, which expanded {expanded:,} states and saw that no others lead to the goal"


def why_goals_fail(found: list[tuple[str, ...]]) -> str:
    """Returns unreachable goals as one line."""
    what = "the goal cannot be reached" if len(found[0]) == 1 else "goals cannot hold together"
    more = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"{what}: {'; '.join(' and '.join(group) for group in found[:_SHOWN])}{more}"


def conflicting_goals(problem: Problem, limits: Limits) -> list[tuple[str, ...]]:
    """Returns the unreachable conjuncts of the goal, or else the pairs that are mutex; [] if none was detected.

    They are found by grounding, which is sound but incomplete.
    """
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
    return [each for part in goal.parts for each in _conjuncts(part)] if isinstance(goal, And) else [goal]


def _reachable(problem: Problem, goal: tuple[Formula, ...], limits: Limits) -> bool:
    """Returns False if grounding proves that the goal is unreachable, else True."""
    alone = copy(problem)
    alone.goal = And(list(goal))
    return ground(alone, limits).solvable_relaxed
