"""Formulas in negation normal form, with numbers instead of names.

In terms, a variable is a number >= 0, unique in its schema, and object number o is represented by ~o. True is the empty
conjunction, false the empty disjunction.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from fsplan.pddl.syntax import And, Atom, Equal, Exists, Forall, Formula, Imply, Not, Or, Typed

Node: TypeAlias = "Literal | Junction | Quantified"
Variable: TypeAlias = "tuple[int, int]"  # number of the variable, number of its type
Scope: TypeAlias = "dict[str, int]"

EQUALITY = -1


class Literal:
    __slots__ = ("negated", "predicate", "terms")

    def __init__(self, predicate: int, negated: bool, terms: tuple[int, ...]) -> None:
        self.predicate, self.negated, self.terms = predicate, negated, terms


class Junction:
    """A conjunction if `every` is True, else a disjunction."""

    __slots__ = ("every", "parts")

    def __init__(self, every: bool, parts: list[Node]) -> None:
        self.every, self.parts = every, parts


class Quantified:
    """A universal quantifier if `every` is True, else an existential one."""

    __slots__ = ("every", "part", "variables")

    def __init__(self, every: bool, variables: list[Variable], part: Node) -> None:
        self.every, self.variables, self.part = every, variables, part


def junction(every: bool, parts: list[Node]) -> Node:
    """The conjunction or disjunction of the parts, flattened and simplified where a part is true or false."""
    flat: list[Node] = []
    for part in parts:
        if isinstance(part, Junction):
            if part.every == every:
                flat += part.parts
                continue
            if not part.parts:
                return part
        flat.append(part)
    return flat[0] if len(flat) == 1 else Junction(every, flat)


def quantified(every: bool, variables: list[Variable], part: Node) -> Node:
    """The quantified formula, simplified.

    Universal quantifiers are distributed over conjunctions and existential ones over disjunctions. A quantifier is
    merged with one of the same kind directly below it. Unused variables are dropped, which is correct only if no type
    is empty.
    """
    if isinstance(part, Junction) and part.every == every:
        return junction(every, [quantified(every, variables, below) for below in part.parts])
    used = variables_of(part)
    variables = [variable for variable in variables if variable[0] in used]
    if isinstance(part, Quantified) and part.every == every:
        variables, part = variables + part.variables, part.part
    return Quantified(every, variables, part) if variables else part


def variables_of(node: Node) -> set[int]:
    """The numbers of all variables in the literals of the formula."""
    found: set[int] = set()
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Literal):
            found.update(term for term in node.terms if term >= 0)
        elif isinstance(node, Junction):
            waiting += node.parts
        else:
            waiting.append(node.part)
    return found


class NormalForm:
    """Turns the formulas of one schema into normal form.

    `numbers` maps predicates to numbers, and `objects` does so for objects. `type_of` returns the number of a declared
    type, and `is_empty` whether there is no object of the type.
    """

    __slots__ = ("is_empty", "next_variable", "numbers", "objects", "type_of")

    def __init__(
        self,
        numbers: dict[str, int],
        objects: dict[str, int],
        type_of: Callable[[tuple[str, ...]], int],
        is_empty: Callable[[int], bool],
    ) -> None:
        self.numbers, self.objects, self.type_of, self.is_empty = numbers, objects, type_of, is_empty
        self.next_variable = 0

    def declare(self, parameters: list[Typed], scope: Scope) -> tuple[list[Variable], Scope]:
        """New variables for the parameters, and the scope extended by them."""
        variables = []
        scope = dict(scope)
        for parameter in parameters:
            scope[parameter.name] = self.next_variable
            variables.append((self.next_variable, self.type_of(parameter.types)))
            self.next_variable += 1
        return variables, scope

    def literal(self, atom: Atom, negated: bool, scope: Scope) -> Literal:
        return Literal(self.numbers[atom.predicate], negated, self.terms(atom.arguments, scope))

    def terms(self, arguments: tuple[str, ...], scope: Scope) -> tuple[int, ...]:
        return tuple([scope[name] if name[0] == "?" else ~self.objects[name] for name in arguments])

    def of(self, formula: Formula, scope: Scope, positive: bool = True) -> Node:
        if isinstance(formula, Atom):
            return self.literal(formula, not positive, scope)
        if isinstance(formula, (And, Or)):
            every = isinstance(formula, And) == positive
            return junction(every, [self.of(part, scope, positive) for part in formula.parts])
        if isinstance(formula, Not):
            return self.of(formula.part, scope, not positive)
        if isinstance(formula, Equal):
            return Literal(EQUALITY, not positive, self.terms((formula.left, formula.right), scope))
        if isinstance(formula, Imply):
            parts = [self.of(formula.left, scope, not positive), self.of(formula.right, scope, positive)]
            return junction(not positive, parts)
        return self.quantifier(formula, scope, positive)

    def quantifier(self, formula: Forall | Exists, scope: Scope, positive: bool) -> Node:
        every = isinstance(formula, Forall) == positive
        variables, inner = self.declare(formula.variables, scope)
        if any(self.is_empty(of_type) for _, of_type in variables):
            return Junction(every, [])
        return quantified(every, variables, self.of(formula.part, inner, positive))
