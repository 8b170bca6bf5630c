"""Splits conditions into alternatives (disjuncts). The grounder instantiates each alternative by one join.

Existentially quantified variables become variables of the alternative. Parts that are not split, such as large
disjunctions, remain constraints, which the grounder simplifies for each instance.
"""

from __future__ import annotations

from fsplan.pddl.normal_form import Junction, Literal, Node, Quantified, Variable


class Alternative:
    __slots__ = ("constraints", "literals", "variables")

    def __init__(self, variables: list[Variable], literals: list[Literal], constraints: list[Node]) -> None:
        self.variables, self.literals, self.constraints = variables, literals, constraints

    def __add__(self, other: Alternative) -> Alternative:
        return Alternative(
            self.variables + other.variables, self.literals + other.literals, self.constraints + other.constraints
        )


def split(node: Node, limit: int) -> list[Alternative]:
    """At most `limit` alternatives whose disjunction is equivalent to the formula."""
    if isinstance(node, Literal):
        return [Alternative([], [node], [])]
    if isinstance(node, Quantified):
        if node.every:
            return [Alternative([], [], [node])]
        return [Alternative(node.variables, [], []) + below for below in split(node.part, limit)]
    if node.every:
        return split_conjunction(node, limit)
    if binds(node):
        found = [alternative for part in node.parts for alternative in split(part, limit)]
        if len(found) <= limit:
            return found
    return [Alternative([], [], [node])]


def split_conjunction(node: Junction, limit: int) -> list[Alternative]:
    found = [Alternative([], [part for part in node.parts if isinstance(part, Literal)], [])]
    for part in node.parts:
        if isinstance(part, Literal):
            continue
        factors = split(part, limit)
        if len(found) * len(factors) > limit:
            factors = [Alternative([], [], [part])]
        found = [left + right for left in found for right in factors]
    return found


def binds(node: Node) -> bool:
    """Whether every disjunct of the formula has a positive literal, which a join can use to bind variables."""
    if isinstance(node, Literal):
        return not node.negated
    if isinstance(node, Quantified):
        return not node.every and binds(node.part)
    return any(map(binds, node.parts)) if node.every else all(map(binds, node.parts))
