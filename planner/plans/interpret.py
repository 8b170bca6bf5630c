"""Evaluates conditions in a state of a lifted PDDL task, for the validator; shares no code with grounder or search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from fsplan.pddl.names import closure
from fsplan.pddl.strata import atoms_with_sign, reverse, strata
from fsplan.pddl.syntax import Derived, Formula, Problem
from fsplan.planner.plans.conditions import (
    All,
    Any,
    Condition,
    Literal,
    No,
    Objects,
    Preparer,
    Same,
    Some,
    delta,
    under_no,
    with_delta,
)

Binding: TypeAlias = dict[str, str]
Row: TypeAlias = tuple[str, ...]
Rows: TypeAlias = dict[Row, None]  # a set in insertion order
Task: TypeAlias = tuple[list[Condition], Binding, dict[str, Objects]]


class World:
    """A state: its true atoms by predicate. Derived atoms are computed lazily and cached until their premises change.

    >>> world.holds(world.prepare(problem.goal), {})  # doctest: +SKIP
    False
    """

    __slots__ = (
        "_basic",
        "_children",
        "_facts",
        "_groups",
        "_index",
        "_needs",
        "_objects",
        "_preparer",
        "_rules",
        "_users",
        "objects",
    )

    def __init__(self, problem: Problem) -> None:
        domain = problem.domain
        self.objects = {name: entry.types for name, entry in (domain.constants | problem.objects).items()}
        self._children = reverse(domain.types)
        self._objects: dict[tuple[str, ...], Objects] = {}
        self._preparer = Preparer(self.objects_of)
        self._facts: dict[str, Rows] = {name: {} for name in domain.predicates}
        for predicate, *row in problem.init:
            self._facts[predicate][tuple(row)] = None
        self._index: dict[str, dict[int, dict[str, list[Row]]]] = {}
        self._basic = self._facts.keys() - {rule.head.name for rule in domain.derived}
        self._needs = _needs(domain.derived)
        self._users = reverse(self._needs)
        self._groups = strata(domain.derived)
        self._rules: dict[str, list[Rule]] = {name: [] for name in self._needs}
        group_of = {name: set(group) for group in self._groups for name in group}
        for rule in domain.derived:
            self._rules[rule.head.name].append(self._rule(rule, group_of[rule.head.name]))
            self._facts.pop(rule.head.name, None)

    def objects_of(self, types: tuple[str, ...]) -> Objects:
        """Returns the objects that have one of the types, in the order of declaration."""
        if types not in self._objects:
            below = set(closure(types, self._children))
            self._objects[types] = {name: None for name, own in self.objects.items() if not below.isdisjoint(own)}
        return self._objects[types]

    def prepare(self, formula: Formula, positive: bool = True) -> Condition:
        return self._preparer.prepare(formula, positive)

    def true_atoms(self) -> set[tuple[str, Row]]:
        """Returns all true atoms of predicates that are not derived."""
        return {(name, row) for name, rows in self._facts.items() if name in self._basic for row in rows}

    def change(self, added: Iterable[tuple[str, Row]], deleted: Iterable[tuple[str, Row]]) -> None:
        """Applies the delete effects, then the add effects: an atom that is both deleted and added is true."""
        changed: set[str] = set()
        for predicate, row in deleted:
            self._facts[predicate].pop(row, None)
            changed.add(predicate)
        for predicate, row in added:
            self._facts[predicate][row] = None
            changed.add(predicate)
        for name in closure(changed, self._users):
            self._index.pop(name, None)
            if name in self._needs:
                self._facts.pop(name, None)

    def holds(self, condition: Condition, binding: Binding) -> bool:
        """Whether a condition is true; all its free variables must be bound."""
        if isinstance(condition, Literal):
            row = tuple([binding.get(term, term) for term in condition.arguments])
            return (row in self._rows(condition.predicate)) == condition.positive
        if isinstance(condition, Same):
            left, right = binding.get(condition.left, condition.left), binding.get(condition.right, condition.right)
            return (left == right) == condition.positive
        if isinstance(condition, Any):
            return any(self.holds(part, binding) for part in condition.parts)
        if isinstance(condition, All):
            return all(self.holds(part, binding) for part in condition.parts)
        found = next(self.solutions(condition.part, condition.variables, binding), None)
        return (found is None) == isinstance(condition, No)

    def solutions(self, condition: Condition, variables: dict[str, Objects], binding: Binding) -> Iterator[Binding]:
        """Yields the bindings of `variables` that extend `binding` and satisfy the condition; may repeat some."""
        waiting: list[Task] = [([condition], binding, variables)]
        while waiting:
            task = self._simplified(*waiting.pop())
            if task is None:
                continue
            goals, bound, unbound = task
            if goals or unbound:
                waiting += reversed(self._branches(goals, bound, unbound))
            else:
                yield bound

    def _simplified(self, goals: list[Condition], bound: Binding, unbound: dict[str, Objects]) -> Task | None:
        """Flattens conjunctions and existential quantifiers, removes true conditions; None if a condition is false."""
        unbound = {name: objects for name, objects in unbound.items() if name not in bound}
        left: list[Condition] = []
        queue = goals[::-1]
        while queue:
            goal = queue.pop()
            if goal.free <= bound.keys():
                if not self.holds(goal, bound):
                    return None
            elif isinstance(goal, All) and not isinstance(goal, Any):
                queue += goal.parts[::-1]
            elif isinstance(goal, Some) and not isinstance(goal, No):
                unbound |= goal.variables
                queue.append(goal.part)
            else:
                left.append(goal)
        return left, bound, unbound

    def _branches(self, goals: list[Condition], bound: Binding, unbound: dict[str, Objects]) -> list[Task]:
        """Branches on an equality, the atom with the fewest candidates, a disjunction, or the objects of a variable."""
        best: list[Row] | Rows | None = None
        atom: Literal | None = None
        for goal in goals:
            if isinstance(goal, Same) and goal.positive and len(goal.free - bound.keys()) == 1:
                return self._by_equality(goal, goals, bound, unbound)
            if isinstance(goal, Literal) and goal.positive:
                rows = self._candidates(goal, bound)
                if best is None or len(rows) < len(best):
                    best, atom = rows, goal
        if atom is not None and best is not None:
            rest = [goal for goal in goals if goal is not atom]
            extended = [_match(atom, row, bound, unbound) for row in best]
            return [(rest, more, unbound) for more in extended if more is not None]
        for goal in goals:
            if isinstance(goal, Any):
                rest = [other for other in goals if other is not goal]
                return [([part, *rest], bound, unbound) for part in goal.parts]
        name = next(iter(unbound))
        return [(goals, {**bound, name: value}, unbound) for value in unbound[name]]

    def _by_equality(
        self, goal: Same, goals: list[Condition], bound: Binding, unbound: dict[str, Objects]
    ) -> list[Task]:
        left, right = bound.get(goal.left, goal.left), bound.get(goal.right, goal.right)
        name, value = (left, right) if left[0] == "?" else (right, left)
        if value not in unbound[name]:
            return []
        return [([other for other in goals if other is not goal], {**bound, name: value}, unbound)]

    def _candidates(self, atom: Literal, bound: Binding) -> list[Row] | Rows:
        """Returns the rows that agree with the atom at its most selective bound argument."""
        rows = self._rows(atom.predicate)
        best: list[Row] | Rows = rows
        for place, term in enumerate(atom.arguments):
            value = bound.get(term, term)
            if value[0] != "?" and len(best) > 4:
                column = self._column(atom.predicate, place, rows)
                narrower = column.get(value, [])
                best = narrower if len(narrower) < len(best) else best
        return best

    def _column(self, predicate: str, place: int, rows: Rows) -> dict[str, list[Row]]:
        columns = self._index.setdefault(predicate, {})
        if place not in columns:
            column: dict[str, list[Row]] = {}
            for row in rows:
                column.setdefault(row[place], []).append(row)
            columns[place] = column
        return columns[place]

    def _rows(self, predicate: str) -> Rows:
        if predicate not in self._facts:
            needed = set(closure([predicate], self._needs))
            for group in self._groups:
                if group[0] in needed and group[0] not in self._facts:
                    self._derive(group)
        return self._facts[predicate]

    def _rule(self, derived: Derived, group: set[str]) -> Rule:
        names = [parameter.name for parameter in derived.head.parameters]
        variables = {parameter.name: self.objects_of(parameter.types) for parameter in derived.head.parameters}
        return Rule(derived.head.name, names, variables, self.prepare(derived.body), group)

    def _derive(self, group: list[str]) -> None:
        """Computes the least fixpoint of a group's rules by semi-naive evaluation.

        After the first round a rule is evaluated only with at least one fact of the previous round.
        """
        rules = [rule for name in group for rule in self._rules[name]]
        for name in group:
            self._facts[name] = {}
            self._facts[delta(name)] = {}
        found = self._consequences((rule, rule.body) for rule in rules)
        while found:
            for name in group:
                self._index.pop(name, None)
                self._index.pop(delta(name), None)
                self._facts[delta(name)] = {row: None for predicate, row in found if predicate == name}
                self._facts[name] |= self._facts[delta(name)]
            found = self._consequences((rule, body) for rule in rules for body in rule.again)

    def _consequences(self, rules: Iterable[tuple[Rule, Condition]]) -> dict[tuple[str, Row], None]:
        """Returns the atoms that the rules derive and that are not true yet."""
        found: dict[tuple[str, Row], None] = {}
        for rule, body in rules:
            known = self._facts[rule.head]
            for binding in self.solutions(body, rule.variables, {}):
                row = tuple([binding[name] for name in rule.names])
                if row not in known:
                    found[rule.head, row] = None
        return found


class Rule:
    """A rule of a derived predicate; `again` has its bodies for the rounds after the first (see `with_delta`)."""

    __slots__ = ("again", "body", "head", "names", "variables")

    def __init__(
        self, head: str, names: list[str], variables: dict[str, Objects], body: Condition, group: set[str]
    ) -> None:
        self.head, self.names, self.variables, self.body = head, names, variables, body
        self.again = [body] if under_no(body, group) else list(with_delta(body, group))


def _match(atom: Literal, row: Row, bound: Binding, unbound: dict[str, Objects]) -> Binding | None:
    extended = dict(bound)
    for term, value in zip(atom.arguments, row, strict=True):
        known = extended.get(term, term)
        if known[0] == "?":
            if value not in unbound[term]:
                return None
            extended[term] = value
        elif known != value:
            return None
    return extended


def _needs(rules: list[Derived]) -> dict[str, tuple[str, ...]]:
    """Returns for every derived predicate the predicates in the bodies of its rules."""
    found: dict[str, dict[str, None]] = {rule.head.name: {} for rule in rules}
    for rule in rules:
        found[rule.head.name].update((atom.predicate, None) for atom, _ in atoms_with_sign(rule.body))
    return {name: tuple(needed) for name, needed in found.items()}
