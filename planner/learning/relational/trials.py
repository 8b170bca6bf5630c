"""Trials: tasks on which the candidates for a policy are followed, from small to large.

The trials are the largest given tasks, and grown ones of up to ten times the objects of the largest labelled task. The
plan of a quick search, if it finds one, limits the expansions of following and is compared with the followed plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fsplan.pddl.costs import plain
from fsplan.planner.base.limits import LimitReached, Limits
from fsplan.planner.learning.relational.grow import WAYS, Grower
from fsplan.planner.learning.relational.measures import Followed
from fsplan.planner.learning.relational.workers import Workers
from fsplan.planner.policies.relational.stored import DomainPolicy
from fsplan.planner.search.result import Result
from fsplan.planner.search.solve import solve
from fsplan.planner.sources.pddl import from_pddl
from fsplan.planner.tasks.task import Task

# Sizes of the grown tasks, in objects, relative to the largest labelled task.
FACTORS = (2, 3, 4.5, 7, 10)
GROWN_EACH = 2  # grown tasks per size
QUICK_EXPANSIONS = 20_000
# Following is limited by expansions, so that results do not depend on the load of the machine. The limit is TIMES_QUICK
# times the steps of the quick plan plus MORE_EXPANSIONS; without a quick plan it is FOLLOWED_EXPANSIONS.
TIMES_QUICK, MORE_EXPANSIONS, FOLLOWED_EXPANSIONS = 2, 100, 2000


class Trial(NamedTuple):
    """A task on which candidates are followed; `cost` and `steps` are of the plan of a quick search, or None."""

    task: Task
    cost: float | None = None
    steps: int | None = None

    @property
    def size(self) -> int:
        return size_of(self.task)

    @property
    def expansion_limit(self) -> int:
        return FOLLOWED_EXPANSIONS if self.steps is None else TIMES_QUICK * self.steps + MORE_EXPANSIONS


def given_trials(pool: Workers, tasks: Sequence[Task], seconds: float) -> list[Trial]:
    """The given tasks with their quick plans; `seconds` is the time for each."""
    return pool.map(quick_trial, [Trial(task) for task in tasks], [seconds] * len(tasks))


def grown_trials(pool: Workers, grower: Grower, sizes: Sequence[int], seconds: Callable[[], float]) -> list[Trial]:
    """Grown tasks of these sizes, until one cannot be grown or grounded; `seconds()` is the time limit of each."""
    ways = [way for way in WAYS if leads_to_plans(grower, way, seconds())]
    found: list[Trial] = []
    for size in sizes if ways else []:
        if seconds() <= 0:
            break
        numbers = range(len(found), len(found) + GROWN_EACH)
        columns = [[each] * GROWN_EACH for each in (grower, size, ways, seconds())]
        drawn = pool.map(grown_trial, numbers, *columns)
        found += [trial for trial in drawn if trial is not None]
        if None in drawn:
            break
    return found


def leads_to_plans(grower: Grower, way: str, seconds: float) -> bool:
    """Whether growing by the method `way` (grow.WAYS) gives a problem that can be grounded and may have a plan."""
    problem = grower.draw(0, len(grower.problems[-1].objects) + 1, (way,))
    task = None if problem is None else grounded(problem, seconds)
    return task is not None and quick_search(task, seconds).status != "unsolvable"


def grown_trial(number: int, grower: Grower, size: int, ways: Sequence[str], seconds: float) -> Trial | None:
    problem = grower.draw(number, size, ways)
    task = None if problem is None else grounded(problem, seconds)
    return None if task is None else quick_trial(Trial(task), seconds)


def grounded(problem: Any, seconds: float) -> Task | None:
    try:
        return from_pddl(problem, limits=Limits(seconds))
    except (LimitReached, ValueError):
        return None


def quick_trial(trial: Trial, seconds: float) -> Trial:
    result = quick_search(trial.task, seconds)
    return trial._replace(cost=plain(result.cost), steps=None if result.plan is None else len(result.plan))


def quick_search(task: Task, seconds: float) -> Result:
    return solve(copied_space(task), "lama", expansion_limit=QUICK_EXPANSIONS, time_limit=seconds)


def follow(policy: DomainPolicy, trial: Trial, seconds: float) -> Followed:
    """Follows the policy from the initial state of the trial."""
    task = trial.task
    result = solve(
        copied_space(task), "follow", policy=policy.on(task), expansion_limit=trial.expansion_limit, time_limit=seconds
    )
    timed_out = result.cost is None and result.status == "timeout"
    return Followed(task.name, trial.size, plain(result.cost), result.plan, timed_out=timed_out)


def edges_along(
    task: Task, plan: Sequence[str], start: Sequence[int] | None = None
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """The states on a plan from `start` and their applicable actions, as arrays (values, begin, actions).

    The applicable actions of state i are `actions[begin[i]:begin[i + 1]]`.
    """
    space = copied_space(task)
    states, rows = [space.start_values() if start is None else start], []
    for step in plan:
        successors = space.successors(states[-1])
        rows.append([action for action, _, _ in successors])
        number = task.actions.number(step)
        states.append(next(after for action, _, after in successors if action == number))
    begin = np.cumsum([0, *map(len, rows)]).astype(np.uint32)
    return np.array(states[:-1], np.int32), begin, np.concatenate(rows).astype(np.uint32)


def size_of(task: Task) -> int:
    """The number of objects."""
    assert task.problem is not None
    return len(task.problem.objects) + len(task.problem.domain.constants)


def copied_space(task: Task) -> Any:
    """A copy of the state space, because one must not be used by two searches at the same time."""
    return task.state_space.at(task.state_space.start_values())
