"""The normalised task as one list of numbers, which the native core reads back.

A list is its length and its items. A literal is predicate, negated, terms; a condition is literals and constraints; a
formula is its kind and what that needs. Variables are numbered by their place: those of the schema from 0, those
quantified within from where their scope ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsplan.pddl.normal_form import Junction, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fsplan.pddl.alternatives import Alternative
    from fsplan.pddl.normal_form import Node, Variable

LITERAL, CONJUNCTION, DISJUNCTION, FORALL, EXISTS = range(5)


class Words:
    """Appends to `words`; `places` maps the variables in scope to their places."""

    __slots__ = ("places", "words")

    def __init__(self) -> None:
        self.words: list[int] = []
        self.places: dict[int, int] = {}

    def begin(self, variables: Sequence[Variable]) -> None:
        """A schema's or a rule's own variables."""
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
