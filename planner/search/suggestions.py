"""Suggests what may be missing in a PDDL task without a plan: facts of the initial state, an effect, an object.

Facts are found in a changed task, in which actions cost nothing and delete nothing, and for each predicate there is a
further action that adds any of its atoms at a cost. A cheap plan of the changed task adds few facts. Facts of
predicates in the goal cost more, because adding the goal itself explains nothing. Effects are tried for predicates that
no action adds, and objects for each type. A search then checks whether the task with the addition has a plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import asdict, dataclass, field
from itertools import islice, product
from time import perf_counter
from typing import Any

from fsplan.pddl.names import spell
from fsplan.pddl.strata import atoms_with_sign
from fsplan.pddl.syntax import Action, Add, And, Atom, Delete, Effect, Increase, Number, Problem, Typed
from fsplan.pddl.writer import write_formula, write_node
from fsplan.planner.base.limits import LimitReached, Limits
from fsplan.planner.plans.interpret import World
from fsplan.planner.search.solve import solve
from fsplan.planner.sources.pddl import from_pddl

PREFIX = "add:"  # the reader accepts no action with a colon in its name
FACT, GOAL_FACT = 1, 5  # cost of adding a fact; GOAL_FACT if its predicate occurs in the goal
MOST_EFFECTS, SHOWN_EFFECTS = 20, 3  # greatest numbers of effects that are tried and that are suggested
SHARES = {"facts": 0.4, "effect": 0.3, "object": 0.3}  # share of the time for each kind of suggestion


@dataclass(frozen=True)
class Suggestion:
    """Additions to a task. `plan_found` says whether a search found a plan with them."""

    facts: list[str] = field(default_factory=list)  # facts to be added to the initial state
    object: str | None = None  # a new object with its type, such as "new-truck - truck"
    effect: str | None = None
    action: str | None = None  # the action that gets the effect
    plan_found: bool = False

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def text(self) -> str:
        parts = [f"the effect {self.effect} of {self.action}"] if self.effect else []
        parts += [f"the object {self.object}"] if self.object else []
        parts += [f"{' '.join(self.facts)} in the initial state"] if self.facts else []
        effect = "there is a plan" if self.plan_found else "the goal may be reachable (no plan was found in time)"
        return f"with {' and '.join(parts)}, {effect}"


def suggestions(problem: Problem, seconds: float, memory_limit: int | None = None) -> list[Suggestion]:
    """Returns additions that may give the task a plan; [] if none was found within the time.

    They need not be the smallest ones, nor what the author of the task intended. If a type has no objects, an object
    is the first suggestion.
    """
    facts = missing_facts(problem, SHARES["facts"] * seconds, memory_limit)
    found = [facts, *missing_effects(problem, SHARES["effect"] * seconds, memory_limit)]
    lacks_objects = bool(empty_types(problem))
    if facts is None or len(facts.facts) > 1 or not facts.plan_found or lacks_objects:
        most = None if facts is None or not facts.plan_found else len(facts.facts)
        an_object = missing_object(problem, most, SHARES["object"] * seconds, memory_limit)
        found.insert(0 if lacks_objects else len(found), an_object)
    return [each for each in found if each is not None]


def missing_facts(problem: Problem, seconds: float, memory_limit: int | None = None) -> Suggestion | None:
    """Returns a small set of facts that seem to be missing; None if none was found or the relaxed task needs none."""
    facts = _facts(problem, 0.5 * seconds, memory_limit)
    if not facts:
        return None
    plan = _plan(_with_facts(problem, facts), 0.5 * seconds, memory_limit)
    return Suggestion([f"({fact})" for fact in facts], plan_found=plan is not None)


def _facts(problem: Problem, seconds: float, memory_limit: int | None) -> list[str] | None:
    """Returns facts whose addition makes the goal reachable in the delete relaxation; None if there are none."""
    plan = _plan(_with_additions(problem), seconds, memory_limit)
    if plan is None:
        return None
    return list(dict.fromkeys(step.removeprefix(PREFIX) for step in plan if step.startswith(PREFIX)))


def _with_facts(problem: Problem, facts: list[str]) -> Problem:
    repaired = copy(problem)
    repaired.init = [*problem.init, *(tuple(fact.split()) for fact in facts)]
    return repaired


def missing_effects(problem: Problem, seconds: float, memory_limit: int | None = None) -> list[Suggestion]:
    """Returns add effects of predicates that no action adds; with each of them alone a search found a plan."""
    end = perf_counter() + seconds
    candidates = list(islice(_effects(problem), MOST_EFFECTS))
    found = []
    for number, (action, atom) in enumerate(candidates):
        share = max(end - perf_counter(), 0.0) / (len(candidates) - number)
        if share > 0 and _plan(_with_effect(problem, action, atom), share, memory_limit) is not None:
            found.append(Suggestion(effect=write_formula(atom), action=action.name, plan_found=True))
    return found[:SHOWN_EFFECTS]


def _effects(problem: Problem) -> Iterator[tuple[Action, Atom]]:
    """Yields add effects of predicates that no action adds and that are deleted, in the goal, or initially false.

    An action with the predicate in its precondition does not get the effect. The types of the arguments must fit.
    """
    world = World(problem)
    actions = problem.domain.actions.values()
    added, deleted = ({atom.predicate for each in actions for atom in _atoms(each, kind)} for kind in (Add, Delete))
    wanted = {atom.predicate for atom, _ in atoms_with_sign(problem.goal)}
    true = {predicate for predicate, *_ in problem.init}
    derived = {rule.head.name for rule in problem.domain.derived}
    for name, signature in problem.domain.predicates.items():
        if name in added | derived or not (name in deleted | wanted or name not in true):
            continue
        for action in actions:
            if any(atom.predicate == name for atom, _ in atoms_with_sign(action.precondition)):
                continue
            fitting = [
                [each.name for each in action.parameters if _is_part(world, each.types, parameter.types)]
                for parameter in signature.parameters
            ]
            for arguments in product(*fitting):
                if len(set(arguments)) == len(arguments):
                    yield action, Atom(name, arguments)


def _atoms(action: Action, kind: type[Add | Delete]) -> Iterator[Atom]:
    waiting: list[Any] = list(action.effects)
    while waiting:
        effect = waiting.pop()
        if isinstance(effect, kind):
            yield effect.atom
        waiting += getattr(effect, "effects", [])


def _is_part(world: World, inner: tuple[str, ...], outer: tuple[str, ...]) -> bool:
    return world.objects_of(inner).keys() <= world.objects_of(outer).keys()


def _with_effect(problem: Problem, action: Action, atom: Atom) -> Problem:
    changed = copy(problem)
    changed.domain = copy(problem.domain)
    more = Action(action.name, action.parameters, action.precondition, [*action.effects, Add(atom)])
    changed.domain.actions = {**problem.domain.actions, action.name: more}
    return changed


def missing_object(
    problem: Problem, most: int | None, seconds: float, memory_limit: int | None = None
) -> Suggestion | None:
    """Returns a new object, and facts to add if needed, with which a search found a plan; None if it found none.

    `most` is the number of facts that suffice without a new object; with a new object, fewer facts must suffice.
    """
    types = list(dict.fromkeys(each.types for act in problem.domain.actions.values() for each in act.parameters))
    best: Suggestion | None = None
    for types_of_object in types:
        share = seconds / len(types) / 3
        new = Typed(f"new-{types_of_object[0]}", types_of_object)
        more = copy(problem)
        more.objects = {**problem.objects, new.name: new}
        facts = _facts(more, share, memory_limit)
        if facts is None or (most is not None and len(facts) >= most):
            continue
        if _plan(_with_facts(more, facts), share, memory_limit) is not None:
            most = len(facts)
            best = Suggestion([f"({fact})" for fact in facts], object=write_node(new), plan_found=True)
    return best


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
