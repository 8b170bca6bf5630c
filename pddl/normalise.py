"""Converts a PDDL syntax tree to the normalised lifted task that is the input of the native grounder."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from fsplan.pddl.alternatives import Alternative, split
from fsplan.pddl.lifted_words import Words
from fsplan.pddl.normal_form import Literal, Node, NormalForm, Scope, Variable, junction, variables_of
from fsplan.pddl.syntax import Action, Add, Delete, Derived, Effect, ForallEffect, Increase, Number, Problem, When

SCHEMA_LIMIT = 16  # alternatives per action or effect; beyond this, disjunctions remain constraints for the grounder
RULE_LIMIT = 64  # alternatives per derived rule, and of the goal
RECURSION_LIMIT = 20_000  # sufficient, because the readers reject deeply nested formulas
GOAL = "goal@"


class Lifted:
    """The normalised task. `words` holds schemas, rules and goal in the format of lifted_words.py."""

    __slots__ = ("functions", "names", "objects", "predicates", "problem", "types", "words")

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.objects: dict[str, int] = {}  # numbers of the objects; those of the domain's constants come first
        self.types: list[list[int]] = []  # objects of each type, ascending
        self.predicates: dict[str, tuple[int, int, bool, bool]] = {}  # number, arity, fluent, derived
        self.functions: dict[str, tuple[int, int]] = {}  # number, arity
        self.names: list[str] = []  # action name of each schema; a split action has several schemas
        self.words: list[int] = []


def normalise(problem: Problem) -> Lifted:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        return Normaliser(problem).lifted
    finally:
        sys.setrecursionlimit(limit)


class Normaliser:
    def __init__(self, problem: Problem) -> None:
        self.problem, self.domain = problem, problem.domain
        self.lifted = Lifted(problem)
        self.words = Words()
        self.type_numbers: dict[tuple[str, ...], int] = {}
        self.number_names()
        self.members = self.objects_by_type()
        self.numbers = {name: entry[0] for name, entry in self.lifted.predicates.items()}
        goal = self.goal_alternatives()
        self.schemas()
        self.rules(goal)
        self.goal(goal)
        self.lifted.words = self.words.words

    def number_names(self) -> None:
        for name in (*self.domain.constants, *self.problem.objects):
            self.lifted.objects.setdefault(name, len(self.lifted.objects))
        changed = {
            effect.atom.predicate for action in self.domain.actions.values() for effect in leaves(action.effects)
        }
        derived = {rule.head.name for rule in self.domain.derived}
        for number, (name, signature) in enumerate(self.domain.predicates.items()):
            self.lifted.predicates[name] = (number, len(signature.parameters), name in changed, name in derived)
        for number, (name, signature) in enumerate(self.domain.functions.items()):
            self.lifted.functions[name] = (number, len(signature.parameters))

    def objects_by_type(self) -> dict[str, list[int]]:
        members: dict[str, list[int]] = {name: [] for name in self.domain.types}
        declared = {**self.domain.constants, **self.problem.objects}
        ancestors: dict[tuple[str, ...], list[str]] = {}
        for name, number in self.lifted.objects.items():
            types = declared[name].types
            if types not in ancestors:
                ancestors[types] = self.ancestors(types)
            for ancestor in ancestors[types]:
                members[ancestor].append(number)
        return members

    def ancestors(self, types: tuple[str, ...]) -> list[str]:
        """The types and all their ancestors."""
        found = dict.fromkeys((*types, "object"))
        waiting = list(types)
        while waiting:
            for parent in self.domain.types[waiting.pop()]:
                if parent not in found:
                    found[parent] = None
                    waiting.append(parent)
        return list(found)

    def type_of(self, types: tuple[str, ...]) -> int:
        number = self.type_numbers.get(types)
        if number is None:
            number = self.type_numbers[types] = len(self.lifted.types)
            objects = self.members[types[0]] if len(types) == 1 else self.union(types)
            self.lifted.types.append(objects)
        return number

    def union(self, types: tuple[str, ...]) -> list[int]:
        return sorted({number for name in types for number in self.members[name]})

    def normal_form(self) -> NormalForm:
        return NormalForm(self.numbers, self.lifted.objects, self.type_of, self.is_empty)

    def is_empty(self, of_type: int) -> bool:
        return not self.lifted.types[of_type]

    def schemas(self) -> None:
        words = self.words.words
        place = len(words)
        words.append(0)
        for action in self.domain.actions.values():
            words[place] += self.schema(action)

    def schema(self, action: Action) -> int:
        """Writes one schema for each alternative of the action's precondition, and returns their number."""
        words = self.words
        form = self.normal_form()
        parameters, scope = form.declare(action.parameters, {})
        alternatives = split(form.of(action.precondition, scope), SCHEMA_LIMIT)
        effects = list(self.effects(action.effects, form, scope))
        costs = [effect.amount for effect in action.effects if isinstance(effect, Increase)]
        for alternative in alternatives:
            self.lifted.names.append(action.name)
            words.words.append(len(parameters))
            words.begin(parameters + alternative.variables)
            words.condition(alternative)
            words.words.append(len(effects))
            for effect in effects:
                words.effect(*effect)
            words.words.append(len(costs))
            for amount in costs:
                if isinstance(amount, Number):
                    words.words += (-1, int(amount.value), 0)
                else:
                    words.words += (self.lifted.functions[amount.function][0], 0)
                    words.terms(form.terms(amount.arguments, scope))
        return len(alternatives)

    def effects(
        self, effects: list[Effect], form: NormalForm, scope: Scope
    ) -> Iterator[tuple[list[Variable], Alternative, Literal]]:
        """Every add and delete effect, once per alternative of its condition, with its quantified variables."""
        waiting: list[tuple[Effect, list[Variable], list[Node], Scope]]
        waiting = [(effect, [], [], scope) for effect in reversed(effects)]
        while waiting:
            effect, variables, conditions, scope = waiting.pop()
            if isinstance(effect, (Add, Delete)):
                yield from self.leaf(effect, variables, conditions, form, scope)
            elif isinstance(effect, When):
                conditions = [*conditions, form.of(effect.condition, scope)]
                waiting += [(part, variables, conditions, scope) for part in reversed(effect.effects)]
            elif isinstance(effect, ForallEffect):
                more, scope = form.declare(effect.variables, scope)
                waiting += [(part, variables + more, conditions, scope) for part in reversed(effect.effects)]

    def leaf(
        self, effect: Add | Delete, variables: list[Variable], conditions: list[Node], form: NormalForm, scope: Scope
    ) -> Iterator[tuple[list[Variable], Alternative, Literal]]:
        literal = form.literal(effect.atom, isinstance(effect, Delete), scope)
        if any(self.is_empty(of_type) for _, of_type in variables):
            return
        for alternative in split(junction(True, conditions), SCHEMA_LIMIT):
            used = variables_of(junction(True, [literal, *alternative.literals, *alternative.constraints]))
            own = [variable for variable in variables + alternative.variables if variable[0] in used]
            yield own, alternative, literal

    def goal_alternatives(self) -> list[Alternative]:
        """The alternatives of the goal; unless there is exactly one without variables, a derived predicate is added.

        The derived predicate then is the goal, and each alternative becomes the body of one of its rules.
        """
        alternatives = split(self.normal_form().of(self.problem.goal, {}), RULE_LIMIT)
        if len(alternatives) != 1 or alternatives[0].variables:
            self.numbers[GOAL] = len(self.numbers)
            self.lifted.predicates[GOAL] = (self.numbers[GOAL], 0, False, True)
        return alternatives

    def rules(self, goal: list[Alternative]) -> None:
        words = self.words.words
        place = len(words)
        words.append(0)
        for rule in self.domain.derived:
            words[place] += self.rule(rule)
        if GOAL in self.numbers:
            head = Literal(self.numbers[GOAL], False, ())
            for alternative in goal:
                self.append_rule([], alternative, head)
            words[place] += len(goal)

    def rule(self, rule: Derived) -> int:
        form = self.normal_form()
        parameters, scope = form.declare(rule.head.parameters, {})
        arguments = tuple([scope[parameter.name] for parameter in rule.head.parameters])
        head = Literal(self.numbers[rule.head.name], False, arguments)
        alternatives = split(form.of(rule.body, scope), RULE_LIMIT)
        for alternative in alternatives:
            self.append_rule(parameters, alternative, head)
        return len(alternatives)

    def append_rule(self, parameters: list[Variable], alternative: Alternative, head: Literal) -> None:
        self.words.begin(parameters + alternative.variables)
        self.words.condition(alternative)
        self.words.literal(head)

    def goal(self, alternatives: list[Alternative]) -> None:
        if GOAL in self.numbers:
            alternatives = [Alternative([], [Literal(self.numbers[GOAL], False, ())], [])]
        self.words.places = {}
        self.words.condition(alternatives[0])


def leaves(effects: list[Effect]) -> Iterator[Add | Delete]:
    """Every add and delete effect, including those nested in conditional and universal effects."""
    waiting = list(effects)
    while waiting:
        effect = waiting.pop()
        if isinstance(effect, (Add, Delete)):
            yield effect
        elif isinstance(effect, (When, ForallEffect)):
            waiting += effect.effects
