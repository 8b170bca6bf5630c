"""Converts nested lists to formulas and checks the names and types in them."""

from __future__ import annotations

from typing import TypeAlias

from fsplan.pddl.names import Names, last_place, plural
from fsplan.pddl.syntax import (
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
    Typed,
)
from fsplan.pddl.tokens import Node

Scope: TypeAlias = dict[str, tuple[str, ...]]

# Formulas that are nested more deeply are rejected, so that functions on trees may be recursive.
NESTING_LIMIT = 100

WORDS = frozenset(("and", "or", "not", "imply", "forall", "exists", "when", "="))
COMPARISONS = frozenset((">", "<", ">=", "<="))
BEYOND = {
    "preference": "preferences are",
    "oneof": "non-deterministic effects are",
    "probabilistic": "probabilistic effects are",
    "always": "trajectory constraints are",
    "sometime": "trajectory constraints are",
    "at-most-once": "trajectory constraints are",
    "sometime-after": "trajectory constraints are",
    "sometime-before": "trajectory constraints are",
    "within": "trajectory constraints are",
    "always-within": "trajectory constraints are",
    "hold-during": "trajectory constraints are",
    "hold-after": "trajectory constraints are",
}


def read_formula(names: Names, node: Node | str, parent: Node, child: int, scope: Scope, depth: int = 0) -> Formula:
    """The formula at `parent[child]`. Faults are added to the report, and a faulty part is replaced by true."""
    if isinstance(node, str):
        names.report.fault(f"found '{node}', expected a condition (…)", parent, child)
        return And([])
    if len(node) == 1:
        return And([], node[0])
    head = node[1]
    if depth > NESTING_LIMIT:
        names.report.fault(f"found a condition nested more than {NESTING_LIMIT} levels deep", node)
        return And([])
    if not isinstance(head, str):
        names.report.fault("found '(', expected a predicate or a connective", node, 1)
        return And([])
    if head not in WORDS:
        return _atom(names, node, head, scope)
    if head == "and" or head == "or":
        parts = [read_formula(names, part, node, place, scope, depth + 1) for place, part in enumerate(node[2:], 2)]
        return And(parts, node[0]) if head == "and" else Or(parts, node[0])
    if head == "=":
        return _equal(names, node, scope)
    return _connective(names, node, head, scope, depth)


def _connective(names: Names, node: Node, head: str, scope: Scope, depth: int) -> Formula:
    if head == "when":
        names.report.fault("found 'when', expected a condition: it belongs in an effect", node, 1)
        return And([])
    wanted = 1 if head == "not" else 2
    if len(node) != wanted + 2:
        names.report.fault(f"'{head}' takes {plural(wanted, 'part')}, found {len(node) - 2}", node)
        return And([])
    if head == "not":
        return Not(read_formula(names, node[2], node, 2, scope, depth + 1), node[0])
    if head == "imply":
        left = read_formula(names, node[2], node, 2, scope, depth + 1)
        return Imply(left, read_formula(names, node[3], node, 3, scope, depth + 1), node[0])
    variables = read_variables(names, node, 2)
    inner = scope | {variable.name: variable.types for variable in variables}
    part = read_formula(names, node[3], node, 3, inner, depth + 1)
    return Forall(variables, part, node[0]) if head == "forall" else Exists(variables, part, node[0])


def read_variables(names: Names, node: Node, child: int) -> list[Typed]:
    """The typed variables in the list at `node[child]`."""
    listed = node[child]
    if isinstance(listed, str):
        names.report.fault(f"found '{listed}', expected a list of variables (?x - type …)", node, child)
        return []
    return distinct_variables(names, listed, 1)


def distinct_variables(names: Names, listed: Node, first: int) -> list[Typed]:
    variables = names.typed(listed, first, "variable")
    seen: set[str] = set()
    for variable in variables:
        if variable.name in seen:
            message = f"found '{variable.name}' twice, expected distinct variables"
            names.report.fault(message, listed, last_place(listed, variable.name))
        seen.add(variable.name)
    return variables


def _atom(names: Names, node: Node, head: str, scope: Scope) -> Formula:
    signature = names.predicates.get(head)
    if signature is None:
        if head in COMPARISONS or head in names.functions:
            names.report.unsupported(f"numeric conditions ('{head}') are", node, 1)
            return And([])
        if head in BEYOND:
            names.report.unsupported(f"{BEYOND[head]}", node, 1)
            return And([])
        names.unknown("predicate", head, names.predicates, node, 1)
    return Atom(head, names.arguments(node, 2, signature, scope), node[0])


def _equal(names: Names, node: Node, scope: Scope) -> Formula:
    if len(node) != 4:
        names.report.fault(f"'=' takes 2 arguments, found {len(node) - 2}", node)
        return And([])
    if any(not isinstance(side, str) or is_number(side) for side in node[2:]):
        names.report.unsupported("numeric conditions and object fluents ('=' over functions) are", node, 1)
        return And([])
    arguments = names.arguments(node, 2, None, scope)
    return Equal(arguments[0], arguments[1], node[0])


def is_number(word: str) -> bool:
    """Whether the word is a decimal number.

    >>> [is_number(word) for word in ("5", "-2.50", ".5", "b2", "-")]
    [True, True, True, False, False]
    """
    digits = word[1:] if word[0] in "+-" else word
    return digits.replace(".", "", 1).isdecimal() and digits.isascii()
