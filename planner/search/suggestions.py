"""Suggests facts of the initial state whose addition gives an unsolvable PDDL task a plan.

The task is changed: actions cost nothing and delete nothing, and for each predicate there is a further action that adds
any of its atoms at a cost. A cheap plan of the changed task adds few facts. Whether the original task with these facts
in its initial state has a plan is then checked by a search. Facts of predicates in the goal cost more, because adding
the goal itself explains nothing.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fsplan.pddl.names import spell
from fsplan.pddl.strata import atoms_with_sign
from fsplan.pddl.syntax import Action, Add, And, Atom, Delete, Increase, Number
from fsplan.planner.plans.interpret import World

if TYPE_CHECKING:
    from fsplan.pddl.syntax import Effect, Problem

PREFIX = "add:"  # the reader accepts no action with a colon in its name
FACT, GOAL_FACT = 1, 5  # costs of adding a fact


@dataclass(frozen=True)
class Suggestion:
    """Facts to add to the initial state. `plan_found` says whether a search found a plan with them."""

    facts: list[str]
    plan_found: bool


def missing_facts(problem: Problem, seconds: float, memory_limit: int | None = None) -> Suggestion | None:
    """Returns a small set of facts that seem to be missing; None if none was found within the time.

    The set is a suggestion: it need not be the smallest, nor what the author of the task intended.
    """
    plan = _plan(_with_additions(problem), 0.5 * seconds, memory_limit)
    if plan is None:
        return None
    facts = list(dict.fromkeys(step.removeprefix(PREFIX) for step in plan if step.startswith(PREFIX)))
    repaired = copy(problem)
    repaired.init = [*problem.init, *(tuple(fact.split()) for fact in facts)]
    return Suggestion([f"({fact})" for fact in facts], _plan(repaired, 0.5 * seconds, memory_limit) is not None)


def empty_types(problem: Problem) -> dict[str, list[str]]:
    """Returns the types of parameters that no object has, each with the actions that therefore have no instances."""
    world = World(problem)
    found: dict[str, list[str]] = {}
    for action in problem.domain.actions.values():
        for types in dict.fromkeys(parameter.types for parameter in action.parameters):
            if not world.objects_of(types):
                found.setdefault(spell(types), []).append(action.name)
    return found


def _plan(problem: Problem, seconds: float, memory_limit: int | None) -> list[str] | None:
    """Returns a plan, the cheapest one if the time suffices; None if none was found."""
    from fsplan.planner.base.limits import LimitReached, Limits
    from fsplan.planner.search.solve import solve
    from fsplan.planner.sources.pddl import from_pddl

    limits = Limits(seconds, memory_limit)
    try:
        task = from_pddl(problem, limits=limits)
        return solve(task, "auto", w=1, time_limit=limits.begin_search(), memory_limit=memory_limit).plan
    except LimitReached:
        return None


def _with_additions(problem: Problem) -> Problem:
    changed = copy(problem)
    changed.domain = copy(problem.domain)
    changed.use_costs = True
    changed.domain.actions = {}
    for name, action in problem.domain.actions.items():
        kept: list[Effect] = [effect for effect in action.effects if not isinstance(effect, (Increase, Delete))]
        changed.domain.actions[name] = Action(name, action.parameters, action.precondition, kept)
    wanted = {atom.predicate for atom, _ in atoms_with_sign(problem.goal)}
    derived = {rule.head.name for rule in problem.domain.derived}
    for name, signature in problem.domain.predicates.items():
        if name in derived:
            continue
        atom = Atom(name, tuple(parameter.name for parameter in signature.parameters))
        effects: list[Effect] = [Add(atom), Increase(Number(GOAL_FACT if name in wanted else FACT))]
        changed.domain.actions[PREFIX + name] = Action(PREFIX + name, signature.parameters, And([]), effects)
    return changed
