"""Serialises the normalised task as one list of integers, which the C++ core parses.

A list is written as its length, followed by its items. A literal is written as predicate, negated flag and terms; a
condition as literals and constraints; a formula as its kind, followed by its parts. Variables are numbered: the
variables of the schema from 0, and quantified variables from the number of variables in the enclosing scope.
"""

from __future__ import annotations

from collections.abc import Sequence

from fsplan.pddl.alternatives import Alternative
from fsplan.pddl.normal_form import Junction, Literal, Node, Variable

LITERAL, CONJUNCTION, DISJUNCTION, FORALL, EXISTS = range(5)


class Words:
    """Writes parts of a task to the list `words`; `places` maps each variable in scope to its number."""

    __slots__ = ("places", "words")

    def __init__(self) -> None:
        self.words: list[int] = []
        self.places: dict[int, int] = {}

    def begin(self, variables: Sequence[Variable]) -> None:
        """Begins a schema or rule: clears the scope and writes its variables."""
        self.places = {}
        self.types(variables)

    def types(self, variables: Sequence[Variable]) -> None:
        self.words.append(len(variables))
        for variable, of_type in variables:
            self.places[variable] = len(self.places)
            self.words.append(of_type)

    def end(self, variables: Sequence[Variable]) -> None:
        for variable, _ in variables:
            del self.places[variable]

    def terms(self, terms: Sequence[int]) -> None:
        places = self.places
        self.words.append(len(terms))
        self.words += [term if term < 0 else places[term] for term in terms]

    def literal(self, literal: Literal) -> None:
        self.words += (literal.predicate, literal.negated)
        self.terms(literal.terms)

    def condition(self, alternative: Alternative) -> None:
        self.words.append(len(alternative.literals))
        for literal in alternative.literals:
            self.literal(literal)
        self.words.append(len(alternative.constraints))
        for constraint in alternative.constraints:
            self.formula(constraint)

    def formula(self, node: Node) -> None:
        if isinstance(node, Literal):
            self.words.append(LITERAL)
            self.literal(node)
        elif isinstance(node, Junction):
            self.words += (CONJUNCTION if node.every else DISJUNCTION, len(node.parts))
            for part in node.parts:
                self.formula(part)
        else:
            self.words += (FORALL if node.every else EXISTS, len(self.places))
            self.types(node.variables)
            self.formula(node.part)
            self.end(node.variables)

    def effect(self, variables: Sequence[Variable], condition: Alternative, literal: Literal) -> None:
        self.words.append(len(self.places))
        self.types(variables)
        self.condition(condition)
        self.literal(literal)
        self.end(variables)
