"""Converts nested lists to effects and costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsplan.pddl.formulas import BEYOND, NESTING_LIMIT, WORDS, is_number, read_formula, read_variables
from fsplan.pddl.syntax import Add, Atom, Delete, ForallEffect, Increase, Number, Term, When

if TYPE_CHECKING:
    from fractions import Fraction

    from fsplan.pddl.errors import Report
    from fsplan.pddl.formulas import Scope
    from fsplan.pddl.names import Names
    from fsplan.pddl.syntax import Effect, Expression, Problem
    from fsplan.pddl.tokens import Node

COST_LIMIT = 2**31 - 1
DECIMALS = 9
CHANGES = frozenset(("assign", "increase", "decrease", "scale-up", "scale-down"))


class EffectReader:
    """Reads effects; `derived` are the derived predicates, which effects must not change."""

    __slots__ = ("derived", "names")

    def __init__(self, names: Names, derived: set[str]) -> None:
        self.names, self.derived = names, derived

    def read(
        self, node: Node | str, parent: Node, child: int, scope: Scope, depth: int = 0, nested: bool = False
    ) -> list[Effect]:
        """The effects at `parent[child]`; the parts of conjunctions are returned as separate effects."""
        report = self.names.report
        if isinstance(node, str):
            report.fault(f"found '{node}', expected an effect (…)", parent, child)
            return []
        if len(node) == 1:
            return []
        head = node[1]
        if depth > NESTING_LIMIT:
            report.fault(f"found an effect nested more than {NESTING_LIMIT} levels deep", node)
            return []
        if not isinstance(head, str):
            report.fault("found '(', expected a predicate, 'and', 'not', 'forall' or 'when'", node, 1)
            return []
        if head == "and":
            effects: list[Effect] = []
            for place, part in enumerate(node[2:], 2):
                effects += self.read(part, node, place, scope, depth + 1, nested)
            return effects
        if head == "not":
            return self._delete(node, scope)
        if head == "when" or head == "forall":
            return self._nested(node, head, scope, depth)
        if head in CHANGES and head not in self.names.predicates:
            return self._change(node, head, scope, nested)
        atom = self._atom(node, scope)
        return [Add(atom, node[0])] if atom else []

    def _delete(self, node: Node, scope: Scope) -> list[Effect]:
        if len(node) != 3 or isinstance(node[2], str):
            self.names.report.fault("expected one atom under 'not'", node)
            return []
        atom = self._atom(node[2], scope)
        return [Delete(atom, node[0])] if atom else []

    def _atom(self, node: Node, scope: Scope) -> Atom | None:
        names = self.names
        if len(node) < 2 or not isinstance(node[1], str):
            names.report.fault("expected an atom (predicate …)", node)
            return None
        head = node[1]
        signature = names.predicates.get(head)
        if signature is None:
            if head in BEYOND:
                names.report.unsupported(BEYOND[head], node, 1)
            elif head in WORDS:
                names.report.fault(f"found '{head}', expected an effect: an atom, not, when, forall", node, 1)
            else:
                names.unknown("predicate", head, names.predicates, node, 1)
            return None
        if head in self.derived:
            names.report.fault(f"'{head}' is derived: no effect may change it", node, 1)
        return Atom(head, names.arguments(node, 2, signature, scope), node[0])

    def _nested(self, node: Node, head: str, scope: Scope, depth: int) -> list[Effect]:
        if len(node) != 4:
            self.names.report.fault(f"'{head}' takes 2 parts, found {len(node) - 2}", node)
            return []
        if head == "when":
            condition = read_formula(self.names, node[2], node, 2, scope, depth + 1)
            return [When(condition, self.read(node[3], node, 3, scope, depth + 1, True), node[0])]
        variables = read_variables(self.names, node, 2)
        inner = scope | {variable.name: variable.types for variable in variables}
        return [ForallEffect(variables, self.read(node[3], node, 3, inner, depth + 1, True), node[0])]

    def _change(self, node: Node, head: str, scope: Scope, nested: bool) -> list[Effect]:
        """Reads (increase (total-cost) AMOUNT), the only supported numeric effect."""
        report = self.names.report
        target = node[2] if len(node) > 2 else None
        if head != "increase" or not is_total_cost(target):
            report.unsupported(f"numeric effects ('{head}' of anything but total-cost) are", node, 1)
        elif nested:
            report.unsupported("costs that depend on a condition or a quantifier are", node)
        elif len(node) != 4:
            report.fault("expected (increase (total-cost) AMOUNT)", node)
        else:
            amount = self._amount(node, scope)
            return [Increase(amount, node[0])] if amount else []
        return []

    def _amount(self, node: Node, scope: Scope) -> Expression | None:
        names, amount = self.names, node[3]
        if isinstance(amount, str) and is_number(amount):
            return Number(read_cost(names.report, amount, node, 3), node[0])
        call = [node[0], amount] if isinstance(amount, str) else amount
        if len(call) < 2 or not isinstance(call[1], str):
            names.report.fault("expected a number or (function …)", node, 3)
            return None
        signature = names.functions.get(call[1])
        if signature is None and call[1] in ("+", "-", "*", "/"):
            names.report.unsupported("arithmetic in costs is", call, 1)
            return None
        if signature is None:
            names.unknown("function", call[1], names.functions, call, 1)
            return None
        return Term(call[1], names.arguments(call, 2, signature, scope), call[0])


def is_total_cost(item: Node | str | None) -> bool:
    return item == "total-cost" or (isinstance(item, list) and item[1:] == ["total-cost"])


def read_cost(report: Report, word: str, node: Node, child: int) -> int | Fraction:
    """The exact value of a cost, which must not be negative; an int if it is a whole number."""
    whole, _, fraction = word.lstrip("+").partition(".")
    if word[0] == "-" and word.strip("-0."):
        report.unsupported(f"negative costs ({word[:20]}) are", node, child)
    elif len(fraction.rstrip("0")) > DECIMALS:
        report.unsupported(
            f"costs with more than {DECIMALS} decimals ({word[:30]}) are", node, child, "round the costs"
        )
    elif len(whole.lstrip("0")) > 10 or int(whole or 0) > COST_LIMIT:
        report.unsupported(f"costs above {COST_LIMIT} ({word[:20]}) are", node, child)
    elif fraction.strip("0"):
        from fsplan.pddl.costs import exact

        return exact(word)
    else:
        return abs(int(whole or 0))
    return 0


def cost_fault(problem: Problem) -> str | None:
    """An error message if some cost is too large when all costs are multiplied by their common denominator."""
    denominator = problem.cost_denominator()
    largest = max(problem.used_costs(), default=0)
    if largest * denominator <= COST_LIMIT:
        return None
    return (
        f"costs of up to {largest} with a common denominator of {denominator}, which makes whole numbers above "
        f"{COST_LIMIT}, are"
    )
