"""A direct implementation of the semantics of PDDL syntax trees, which tries all objects. It is slow and simple.

A state is a frozenset of (predicate, argument, …) without derived atoms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from heapq import heappop, heappush
from itertools import product
from math import inf
from typing import Any

from fsplan.pddl.syntax import (
    Action,
    Add,
    And,
    Atom,
    Delete,
    Effect,
    Equal,
    Forall,
    ForallEffect,
    Formula,
    Imply,
    Increase,
    Not,
    Number,
    Or,
    Problem,
    Term,
    Typed,
    When,
)

State = frozenset[tuple[str, ...]]
Binding = dict[str, str]


class Oracle:
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.objects = problem.domain.constants | problem.objects

    def start(self) -> State:
        return frozenset(self.problem.init)

    def is_goal(self, state: State) -> bool:
        return self.holds(self.problem.goal, self.complete(state), {})

    def is_a(self, name: str, wanted: str) -> bool:
        types = self.problem.domain.types
        return name == wanted or any(self.is_a(above, wanted) for above in types[name])

    def values(self, entry: Typed) -> list[str]:
        return [
            name
            for name, known in self.objects.items()
            if any(self.is_a(own, wanted) for own in known.types for wanted in entry.types)
        ]

    def bindings(self, entries: list[Typed], outer: Binding) -> Iterator[Binding]:
        for values in product(*map(self.values, entries)):
            yield outer | {entry.name: value for entry, value in zip(entries, values, strict=True)}

    def complete(self, state: State) -> State:
        """The state with its derived atoms. The rules of one derived predicate after the other are applied to a
        fixpoint.

        This is correct only if a predicate comes after every predicate that its rules negate. The random tasks list
        their rules in such an order.
        """
        done = state
        heads = dict.fromkeys(rule.head.name for rule in self.problem.domain.derived)
        for name in heads:
            while True:
                new = {
                    (name, *(binding[entry.name] for entry in rule.head.parameters))
                    for rule in self.problem.domain.derived
                    if rule.head.name == name
                    for binding in self.bindings(rule.head.parameters, {})
                    if self.holds(rule.body, done, binding)
                }
                if new <= done:
                    break
                done |= new
        return done

    def holds(self, formula: Formula, state: State, binding: Binding) -> bool:
        if isinstance(formula, Atom):
            return ground(formula, binding) in state
        if isinstance(formula, Equal):
            return binding.get(formula.left, formula.left) == binding.get(formula.right, formula.right)
        if isinstance(formula, Not):
            return not self.holds(formula.part, state, binding)
        if isinstance(formula, And):
            return all(self.holds(part, state, binding) for part in formula.parts)
        if isinstance(formula, Or):
            return any(self.holds(part, state, binding) for part in formula.parts)
        if isinstance(formula, Imply):
            return not self.holds(formula.left, state, binding) or self.holds(formula.right, state, binding)
        tests = (self.holds(formula.part, state, inner) for inner in self.bindings(formula.variables, binding))
        return all(tests) if isinstance(formula, Forall) else any(tests)

    def applicable(self, state: State) -> list[tuple[Action, Binding]]:
        done = self.complete(state)
        return [
            (action, binding)
            for action in self.problem.domain.actions.values()
            for binding in self.bindings(action.parameters, {})
            if self.holds(action.precondition, done, binding)
        ]

    def successor(self, state: State, action: Action, binding: Binding) -> State:
        done = self.complete(state)
        effects = list(self.fired(action.effects, done, binding))
        deleted = {ground(effect.atom, inner) for effect, inner in effects if isinstance(effect, Delete)}
        added = {ground(effect.atom, inner) for effect, inner in effects if isinstance(effect, Add)}
        return (state - deleted) | added

    def fired(self, effects: list[Effect], state: State, binding: Binding) -> Iterator[tuple[Effect, Binding]]:
        for effect in effects:
            if isinstance(effect, When):
                if self.holds(effect.condition, state, binding):
                    yield from self.fired(effect.effects, state, binding)
            elif isinstance(effect, ForallEffect):
                for inner in self.bindings(effect.variables, binding):
                    yield from self.fired(effect.effects, state, inner)
            else:
                yield effect, binding

    def steps(self, state: State) -> Iterator[tuple[str, int, State]]:
        """Name, cost and successor of each applicable action."""
        for action, binding in self.applicable(state):
            yield name_of(action, binding), self.cost(action, binding), self.successor(state, action, binding)

    def cheapest_plan(self, most_states: int) -> tuple[float, list[str]] | None:
        return cheapest(self.start(), self.is_goal, self.steps, most_states)

    def cost(self, action: Action, binding: Binding) -> int:
        if not self.problem.use_costs:
            return 1
        amounts = [effect.amount for effect in action.effects if isinstance(effect, Increase)]
        return sum(self.value(amount, binding) for amount in amounts)

    def value(self, amount: Number | Term, binding: Binding) -> int:
        if isinstance(amount, Number):
            return amount.value
        call = (amount.function, *(binding.get(term, term) for term in amount.arguments))
        return self.problem.costs[call]


def ground(atom: Atom, binding: Binding) -> tuple[str, ...]:
    return (atom.predicate, *(binding.get(term, term) for term in atom.arguments))


def name_of(action: Action, binding: Binding) -> str:
    """
    >>> name_of(Action("stack", [Typed("?a", ("block",))], And([]), []), {"?a": "b1"})
    'stack b1'
    """
    return " ".join((action.name, *(binding[entry.name] for entry in action.parameters)))


def cheapest(
    start: Any,
    is_goal: Callable[[Any], bool],
    steps: Callable[[Any], Iterator[tuple[str, Any, Any]]],
    most: float = inf,
) -> tuple[Any, list[str]] | None:
    """Cost and steps of the cheapest plan, by uniform-cost search.

    (inf, []) if there is no plan; None if more than `most` states are reached.
    """
    best, queue, count = {start: Fraction(0)}, [(Fraction(0), 0, start, list[str]())], 0
    while queue:
        g, _, state, plan = heappop(queue)
        if g > best[state]:
            continue
        if is_goal(state):
            return g, plan
        if len(best) > most:
            return None
        for name, cost, after in steps(state):
            if after not in best or g + cost < best[after]:
                best[after], count = g + cost, count + 1
                heappush(queue, (best[after], count, after, [*plan, name]))
    return inf, []


def optimum(problem: Problem, most_states: int) -> float | None:
    """The cost of the cheapest plan, infinite without one; None if more states are reached."""
    found = Oracle(problem).cheapest_plan(most_states)
    return None if found is None else found[0]
