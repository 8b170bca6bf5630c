"""The data of a PDDL problem that domain policies need in addition to the ground task: objects, init and goals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsplan.pddl.syntax import And, Atom, Not
from fsplan.planner._core import GroundStateSpace, RelationalDescription

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fsplan.pddl.syntax import Formula, Problem
    from fsplan.planner.tasks.task import Task


def describe(problem: Problem) -> RelationalDescription:
    constants = problem.domain.constants
    objects = [
        (name, " ".join(sorted(typed.types)), name in constants)
        for name, typed in {**problem.objects, **constants}.items()
    ]
    goals = [((atom.predicate, *atom.arguments), wanted) for atom, wanted in goal_atoms(problem.goal)]
    return RelationalDescription(objects, problem.init, goals)


def relations_of(task: Task) -> tuple[GroundStateSpace, RelationalDescription]:
    """State space and relational description, from which features are computed; ValueError if it is no PDDL task."""
    if task.problem is None or not isinstance(task.state_space, GroundStateSpace):
        raise ValueError(f"{task.name} is not a PDDL task: policies for a domain need objects and predicates")
    return task.state_space, describe(task.problem)


def goal_atoms(goal: Formula) -> Iterator[tuple[Atom, bool]]:
    """The literals in the conjunction of the goal: each atom, with True if it must hold and False if it must not.

    Disjunctions and quantified parts are ignored.
    """
    if isinstance(goal, And):
        for part in goal.parts:
            yield from goal_atoms(part)
    elif isinstance(goal, Atom):
        yield goal, True
    elif isinstance(goal, Not) and isinstance(goal.part, Atom):
        yield goal.part, False
