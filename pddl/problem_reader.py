"""Converts the nested lists of a problem file to a `Problem`."""

from __future__ import annotations

from fsplan.pddl.domain_reader import declare_objects, read_sections
from fsplan.pddl.effects import COST_LIMIT, cost_fault, is_total_cost, read_cost
from fsplan.pddl.errors import Report
from fsplan.pddl.formulas import is_number, read_formula
from fsplan.pddl.names import Names
from fsplan.pddl.syntax import Domain, Increase, Problem, Signature, Term
from fsplan.pddl.tokens import Node

SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":length")


class ProblemReader:
    """Reads a `Problem` of the given domain."""

    __slots__ = ("costs", "derived", "names", "negated", "problem", "report")

    def __init__(self, report: Report, root: Node, domain: Domain) -> None:
        self.report = report
        name, sections = read_sections(report, root, "problem", SECTIONS)
        problem = self.problem = Problem(name, domain, report.file.name)
        self.names = Names(report, domain.types, dict(domain.constants), domain.predicates, domain.functions)
        self.negated: list[Node] = []
        self.costs = _cost_functions(domain)
        self.derived = {rule.head.name for rule in domain.derived}
        misspelt = bool(report.faults)
        for keyword in (":domain", ":init", ":goal"):
            if not sections[keyword] and not misspelt:
                report.fault(f"found no section ({keyword} …), expected one", root)
        for node in sections[":domain"]:
            self._domain(node)
        for node in sections[":objects"]:
            declare_objects(self.names, node, problem.objects)
        for node in sections[":init"]:
            self._init(node)
        self._settle_init()
        for node in sections[":goal"]:
            self._goal(node)
        for node in sections[":metric"]:
            self._metric(node)
            if self.problem.use_costs and (fault := cost_fault(problem)):
                report.unsupported(fault, node, 1, "round the costs")

    def _domain(self, node: Node) -> None:
        name = self.problem.domain.name
        if node[2:] != [name]:
            found = node[2] if len(node) > 2 and isinstance(node[2], str) else "no name"
            self.report.fault(f"this problem is for domain '{found}', the domain given is '{name}'", node, 2)

    def _goal(self, node: Node) -> None:
        if len(node) != 3:
            self.report.fault(f"expected one condition in (:goal …), found {len(node) - 2}", node)
        else:
            self.problem.goal = read_formula(self.names, node[2], node, 2, {})

    def _metric(self, node: Node) -> None:
        if len(node) == 4 and node[2] == "minimize" and is_total_cost(node[3]):
            self.problem.use_costs = True
        else:
            self.report.unsupported("metrics other than (:metric minimize (total-cost)) are", node, 1)

    def _init(self, node: Node) -> None:
        """Reads :init; groups atoms by predicate, so that one set operation checks an argument of all of them."""
        rows: dict[str, list[Node]] = {}
        init = self.problem.init
        predicates = self.names.predicates
        for child, item in enumerate(node[2:], 2):
            if isinstance(item, str) or len(item) < 2 or not isinstance(item[1], str):
                found = f"'{item}'" if isinstance(item, str) else "a list without a predicate"
                self.report.fault(f"found {found}, expected an atom (predicate object …)", node, child)
            elif item[1] in predicates and not (item[1] == "at" and self._is_timed(item)):
                rows.setdefault(item[1], []).append(item)
                init.append(tuple(item[1:]))
            else:
                self._other(item)
        for name, items in rows.items():
            if name in self.derived:
                self.report.fault(f"'{name}' is derived: it cannot stand in :init", items[0], 1)
            if not self._columns_suit(items, predicates[name]):
                for item in items:
                    self.names.arguments(item, 2, predicates[name], {})

    def _columns_suit(self, items: list[Node], signature: Signature) -> bool:
        width = len(signature.parameters) + 2
        if any(len(item) != width for item in items):
            return False
        try:
            columns = [{item[place] for item in items} for place in range(2, width)]
        except TypeError:  # an argument is a list
            return False
        return all(
            column <= self.names.objects_for(parameter.types)
            for column, parameter in zip(columns, signature.parameters, strict=True)
        )

    def _other(self, item: Node) -> None:
        """Reads items of :init that are not atoms: function values, and negated atoms, which are redundant."""
        head = item[1]
        if head == "=":
            self._value(item)
        elif head == "not" and len(item) == 3 and isinstance(item[2], list) and len(item[2]) > 1:
            self._negated(item[2])
        elif self._is_timed(item):
            self.report.unsupported("timed initial literals are", item)
        else:
            self.names.unknown("predicate", head, self.names.predicates, item, 1)

    def _is_timed(self, item: Node) -> bool:
        return len(item) == 4 and item[1] == "at" and isinstance(item[3], list)

    def _negated(self, atom: Node) -> None:
        signature = self.names.predicate(atom)
        if signature is not None:
            self.names.arguments(atom, 2, signature, {})
            self.negated.append(atom)

    def _settle_init(self) -> None:
        """Removes duplicate atoms from the initial state, and reports atoms that are both true and negated."""
        if self.report.faults:
            return
        true = dict.fromkeys(self.problem.init)
        self.problem.init = list(true)
        for atom in self.negated:
            if tuple(atom[1:]) in true:
                self.report.fault(f"({' '.join(atom[1:])}) is said to be true and to be false", atom)

    def _value(self, item: Node) -> None:
        if len(item) != 4:
            self.report.fault("expected (= (function object …) number)", item)
            return
        call, value = item[2:]
        if not isinstance(value, str) or not is_number(value):
            if isinstance(call, list):
                self.report.unsupported("object fluents are", item)
            else:
                self.report.fault("found an equality of objects, expected (= (function object …) number)", item)
            return
        call = [item[0], call] if isinstance(call, str) else call
        if len(call) < 2 or not isinstance(call[1], str):
            self.report.fault("expected (function object …)", item, 2)
            return
        if call[1:] == ["total-cost"]:
            if value.strip("+-0."):
                self.report.fault(f"found {value[:20]}, expected 0: total-cost starts at 0", item, 3)
            return
        self._cost(item, call, value)

    def _cost(self, item: Node, call: Node, value: str) -> None:
        signature = self.names.functions.get(call[1])
        if signature is None:
            self.names.unknown("function", call[1], self.names.functions, call, 1)
            return
        key = (call[1], *self.names.arguments(call, 2, signature, {}))
        if call[1] not in self.costs and not (value.isdecimal() and int(value[:20]) <= COST_LIMIT):
            return  # no action uses this value as a cost, so it need not be valid; valid values are kept for the writer
        cost = read_cost(self.report, value, item, 3)
        if self.problem.costs.setdefault(key, cost) != cost:
            self.report.fault(f"({' '.join(key)}) has the value {self.problem.costs[key]} already", item, 3)


def _cost_functions(domain: Domain) -> set[str]:
    """The names of the functions that actions use as costs."""
    amounts = [
        effect.amount for action in domain.actions.values() for effect in action.effects if isinstance(effect, Increase)
    ]
    return {amount.function for amount in amounts if isinstance(amount, Term)}
