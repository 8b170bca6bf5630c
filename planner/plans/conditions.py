"""Formulas in the normal form that the validator evaluates.

Negation occurs only in literals, and the quantifiers are "some" (∃) and "no" (¬∃). Quantified variables are renamed to
names that are unique in the formula, so that quantifiers can be expanded in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from typing import TypeAlias

from fsplan.pddl.syntax import And, Atom, Equal, Forall, Formula, Imply, Not, Or, Typed

Objects: TypeAlias = dict[str, None]
Condition: TypeAlias = "Literal | Same | All | Some"


class Literal:
    __slots__ = ("arguments", "free", "positive", "predicate")

    def __init__(self, predicate: str, arguments: tuple[str, ...], positive: bool) -> None:
        self.predicate, self.arguments, self.positive = predicate, arguments, positive
        self.free: frozenset[str] = _variables(arguments)


class Same:
    """Equality of two different terms; its negation if `positive` is false."""

    __slots__ = ("free", "left", "positive", "right")

    def __init__(self, left: str, right: str, positive: bool) -> None:
        self.left, self.right, self.positive = left, right, positive
        self.free: frozenset[str] = _variables((left, right))


class All:
    __slots__ = ("free", "parts")

    def __init__(self, parts: list[Condition]) -> None:
        self.parts = parts
        self.free: frozenset[str] = frozenset().union(*[part.free for part in parts])


class Any(All):
    __slots__ = ()


class Some:
    """Existential quantifier: some objects for the variables satisfy `part`."""

    __slots__ = ("free", "part", "variables")

    def __init__(self, variables: dict[str, Objects], part: Condition) -> None:
        self.variables, self.part = variables, part
        self.free: frozenset[str] = part.free - variables.keys()


class No(Some):
    """Negated existential quantifier: no objects for the variables satisfy `part`."""

    __slots__ = ()


class Preparer:
    """Converts formulas to conditions; `objects_of` returns the objects that have one of the given types."""

    __slots__ = ("count", "objects_of")

    def __init__(self, objects_of: Callable[[tuple[str, ...]], Objects]) -> None:
        self.objects_of = objects_of
        self.count = 0

    def prepare(self, formula: Formula, positive: bool = True, names: dict[str, str] | None = None) -> Condition:
        """Returns the formula, or its negation if `positive` is false; `names` maps variables to their new names."""
        names = names or {}
        if isinstance(formula, Atom):
            return Literal(formula.predicate, tuple([names.get(term, term) for term in formula.arguments]), positive)
        if isinstance(formula, Equal):
            left, right = names.get(formula.left, formula.left), names.get(formula.right, formula.right)
            if left == right:
                return All([]) if positive else Any([])
            return Same(left, right, positive)
        if isinstance(formula, Not):
            return self.prepare(formula.part, not positive, names)
        if isinstance(formula, (And, Or)):
            parts = [self.prepare(part, positive, names) for part in formula.parts]
            return All(parts) if isinstance(formula, And) == positive else Any(parts)
        if isinstance(formula, Imply):
            sides = [self.prepare(formula.left, not positive, names), self.prepare(formula.right, positive, names)]
            return Any(sides) if positive else All(sides)
        inner = names | self._renamed(formula.variables)
        variables = {inner[variable.name]: self.objects_of(variable.types) for variable in formula.variables}
        if isinstance(formula, Forall):
            part = self.prepare(formula.part, False, inner)
            return No(variables, part) if positive else Some(variables, part)
        part = self.prepare(formula.part, True, inner)
        return Some(variables, part) if positive else No(variables, part)

    def _renamed(self, variables: list[Typed]) -> dict[str, str]:
        self.count += 1
        return {variable.name: f"{variable.name} {self.count}" for variable in variables}


def with_delta(condition: Condition, group: Set[str]) -> Iterator[Condition]:
    """Yields, for semi-naive evaluation, one variant of the condition per positive literal over a predicate in `group`.

    In its variant this literal matches only the facts of the last round. Of a disjunction that contains the literal,
    only the disjunct with the literal is kept.
    """
    if isinstance(condition, Literal):
        if condition.positive and condition.predicate in group:
            yield Literal(delta(condition.predicate), condition.arguments, True)
    elif isinstance(condition, Any):
        for part in condition.parts:
            yield from with_delta(part, group)
    elif isinstance(condition, All):
        for place, part in enumerate(condition.parts):
            for changed in with_delta(part, group):
                yield All([changed, *condition.parts[:place], *condition.parts[place + 1 :]])
    elif isinstance(condition, Some) and not isinstance(condition, No):
        for changed in with_delta(condition.part, group):
            yield Some(condition.variables, changed)


def delta(predicate: str) -> str:
    """Returns the name of the relation of facts derived in the last round; it has a space, unlike all PDDL names."""
    return f"new {predicate}"


def under_no(condition: Condition, group: Set[str]) -> bool:
    """Whether a literal over a predicate in `group` occurs below a negated existential quantifier."""
    if isinstance(condition, No):
        return mentions(condition.part, group)
    if isinstance(condition, All):
        return any(under_no(part, group) for part in condition.parts)
    return isinstance(condition, Some) and under_no(condition.part, group)


def mentions(condition: Condition, group: Set[str]) -> bool:
    if isinstance(condition, Literal):
        return condition.predicate in group
    if isinstance(condition, All):
        return any(mentions(part, group) for part in condition.parts)
    return isinstance(condition, Some) and mentions(condition.part, group)


def _variables(terms: tuple[str, ...]) -> frozenset[str]:
    return frozenset([term for term in terms if term[0] == "?"])
