"""The data of a PDDL problem that domain policies need in addition to the ground task: objects, init and goals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from fsplan.pddl.syntax import And, Atom, Forall, Formula, Not, Problem
from fsplan.planner._core import GroundStateSpace, LiftedStateSpace, RelationalDescription
from fsplan.planner.tasks.task import Task


def describe(problem: Problem) -> RelationalDescription:
    constants = problem.domain.constants
    objects = [
        (name, " ".join(sorted(typed.types)), name in constants)
        for name, typed in {**problem.objects, **constants}.items()
    ]
    goals = [((atom.predicate, *atom.arguments), wanted) for atom, wanted in goal_atoms(instantiated_goal(problem))]
    return RelationalDescription(objects, problem.init, goals)


def lifted_relations_of(task: Task) -> tuple[LiftedStateSpace, RelationalDescription]:
    """State space and relational description of a task that is not grounded."""
    assert task.problem is not None
    assert isinstance(task.state_space, LiftedStateSpace)
    return task.state_space, describe(task.problem)


def relations_of(task: Task) -> tuple[GroundStateSpace, RelationalDescription]:
    """State space and relational description, from which features are computed; ValueError if it is no PDDL task."""
    if task.problem is None or not isinstance(task.state_space, GroundStateSpace):
        raise ValueError(f"{task.name} is not a PDDL task: policies for a domain need objects and predicates")
    return task.state_space, describe(task.problem)


def goal_atoms(goal: Formula) -> Iterator[tuple[Atom, bool]]:
    """The literals in the conjunction of the goal: each atom, with True if it must hold and False if it must not.

    Disjunctions and quantified parts are ignored; `instantiated_goal` has no universal quantifiers.
    """
    if isinstance(goal, And):
        for part in goal.parts:
            yield from goal_atoms(part)
    elif isinstance(goal, Atom):
        yield goal, True
    elif isinstance(goal, Not) and isinstance(goal.part, Atom):
        yield goal.part, False


def instantiated_goal(problem: Problem) -> Formula:
    """The goal, with conjunctions over the objects instead of universal quantifiers."""
    return _instantiated(problem.goal, {}, problem)


def _instantiated(goal: Formula, names: Mapping[str, str], problem: Problem) -> Formula:
    """The formula, with objects instead of the variables that `names` binds, where it is a conjunction of literals."""
    if isinstance(goal, And):
        return And([_instantiated(part, names, problem) for part in goal.parts])
    if isinstance(goal, Not) and isinstance(goal.part, Atom):
        return Not(_instantiated(goal.part, names, problem))
    if isinstance(goal, Atom):
        return Atom(goal.predicate, tuple(names.get(name, name) for name in goal.arguments))
    if isinstance(goal, Forall):
        rows = product(*(_objects_of(variable.types, problem) for variable in goal.variables))
        bound = [variable.name for variable in goal.variables]
        return And([_instantiated(goal.part, {**names, **dict(zip(bound, row, strict=True))}, problem) for row in rows])
    return goal


def _objects_of(types: tuple[str, ...], problem: Problem) -> list[str]:
    """The objects and constants of one of the types."""

    def is_below(name: str) -> bool:
        return name in types or any(map(is_below, problem.domain.types.get(name, ())))

    objects = {**problem.objects, **problem.domain.constants}
    return [name for name, typed in objects.items() if any(map(is_below, typed.types))]
