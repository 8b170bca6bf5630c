"""Converts the nested lists of a domain file to a `Domain`."""

from __future__ import annotations

from fsplan.pddl.effects import EffectReader
from fsplan.pddl.errors import Report, nearest
from fsplan.pddl.formulas import WORDS, distinct_variables, read_formula, read_variables
from fsplan.pddl.names import OBJECT, Names, TypeNames, last_place, plural, spell
from fsplan.pddl.strata import components, negated_cycle
from fsplan.pddl.syntax import Action, And, Derived, Domain, Effect, Formula, Signature, Typed
from fsplan.pddl.tokens import Node

SECTIONS = (":requirements", ":types", ":constants", ":predicates", ":functions", ":action", ":derived")
REPEATED = (":action", ":derived")  # PDDL allows every other section once
ACTION_PARTS = (":parameters", ":precondition", ":effect")
UNSUPPORTED_SECTIONS = {
    ":durative-action": "durative actions are",
    ":constraints": "trajectory constraints are",
    ":process": "processes (PDDL+) are",
    ":event": "events (PDDL+) are",
    ":task": "hierarchical tasks are",
    ":method": "hierarchical tasks are",
    ":htn": "hierarchical tasks are",
    ":axiom": "':axiom' sections (write ':derived') are",
}


def read_sections(report: Report, root: Node, kind: str, known: tuple[str, ...]) -> tuple[str, dict[str, list[Node]]]:
    """The name in (define (KIND name) …), and a list of the sections for each keyword."""
    title = root[2] if len(root) > 2 else None
    if root[1:2] != ["define"] or not isinstance(title, list):
        report.fault(f"expected (define ({kind} NAME) …)", root)
        report.fail()
    if title[1:2] != [kind]:
        other = "problem" if kind == "domain" else "domain"
        swapped = title[1:2] == [other]
        hint = f"a {other}: are the two files swapped?" if swapped else "something else"
        report.fault(f"expected the definition of a {kind}, found {hint}", title, 1)
        report.fail()
    if len(title) != 3 or not isinstance(title[2], str):
        report.fault(f"expected one name in ({kind} NAME)", title)
    sections: dict[str, list[Node]] = {name: [] for name in known}
    for child, node in enumerate(root[3:], 3):
        if isinstance(node, str):
            report.fault(f"found '{node}', expected a section (:keyword …)", root, child)
            continue
        keyword = node[1] if len(node) > 1 else ""
        if isinstance(keyword, str) and keyword in sections:
            if sections[keyword] and keyword not in REPEATED:
                report.fault(f"found a second section ({keyword} …), expected one", node, 1)
            sections[keyword].append(node)
        elif isinstance(keyword, str) and keyword in UNSUPPORTED_SECTIONS:
            report.unsupported(UNSUPPORTED_SECTIONS[keyword], node, 1)
        else:
            found = f"'{keyword}'" if isinstance(keyword, str) else "'('"
            hint = nearest(keyword, known) if isinstance(keyword, str) else ""
            report.fault(f"found section {found}, expected one of {' '.join(known)}{hint}", node, 1)
    name = title[2] if len(title) > 2 and isinstance(title[2], str) else ""
    return name, sections


class DomainReader:
    """Reads a `Domain`. Sections may be in any order in the file; each is read after the sections that it refers to."""

    __slots__ = ("derived", "domain", "names", "report")

    def __init__(self, report: Report, root: Node) -> None:
        self.report = report
        name, sections = read_sections(report, root, "domain", SECTIONS)
        domain = self.domain = Domain(name, report.file.name)
        self.names = Names(report, domain.types, domain.constants, domain.predicates, domain.functions)
        self.derived: set[str] = set()
        for node in sections[":requirements"]:
            domain.requirements += [word for word in node[2:] if isinstance(word, str)]
        for node in sections[":types"]:
            self._types(node)
        self._complete_types(sections[":types"])
        for node in sections[":constants"]:
            declare_objects(self.names, node, domain.constants)
        for node in sections[":predicates"]:
            self._predicates(node)
        for node in sections[":functions"]:
            self._functions(node)
        self._behaviour(sections)

    def _behaviour(self, sections: dict[str, list[Node]]) -> None:
        heads = [self._head(node) for node in sections[":derived"]]
        self.derived = {head.name for head in heads if head}
        for node, head in zip(sections[":derived"], heads, strict=True):
            if head:
                self._derived(node, head)
        cycle = negated_cycle(self.domain.derived)
        if cycle:
            rule, atom = cycle
            message = f"'{rule.head.name}' is derived from the negation of '{atom.predicate}', which depends on it"
            self.report.fault(message, [atom.at], 1)
        first: dict[str, Node] = {}
        for node in sections[":action"]:
            self._action(node, first)

    def _types(self, node: Node) -> None:
        """Reads type declarations; a type may be declared again (`area - object`, later `area - surface`)."""
        types = self.domain.types
        for entry in TypeNames(self.report, types, {}, {}, {}).typed(node, 2, "type"):
            parents = tuple(parent for parent in entry.types if parent != entry.name)
            if entry.name == "object":
                if parents:
                    place = last_place(node, "object")
                    self.report.fault("'object' is the root of all types, it has no parent", node, place)
                continue
            declared = types.get(entry.name, OBJECT)
            if declared == OBJECT:
                types[entry.name] = parents or OBJECT
            elif parents and parents != OBJECT and parents != declared:
                message = f"type '{entry.name}' is declared as {spell(declared)} and as {spell(parents)}"
                self.report.fault(message, node, last_place(node, entry.name))

    def _complete_types(self, sections: list[Node]) -> None:
        """Adds undeclared parent types as subtypes of `object`, and reports types that are their own ancestors."""
        types = self.domain.types
        for name in [parent for parents in types.values() for parent in parents]:
            types.setdefault(name, OBJECT)
        order = {name: place for place, name in enumerate(types)}
        for group in components(types):
            if len(group) > 1:
                name = min(group, key=order.__getitem__)
                node = next(node for node in sections if name in node)
                self.report.fault(f"type '{name}' is its own ancestor", node, node.index(name))
                types.update(dict.fromkeys(group, OBJECT))

    def _predicates(self, node: Node) -> None:
        for child, item in enumerate(node[2:], 2):
            if isinstance(item, list) and item[1:2] == ["="]:
                continue  # some domains declare equality
            self._signature(node, child, item, self.domain.predicates, "predicate")

    def _functions(self, node: Node) -> None:
        """Reads numeric functions; each may be followed by `- number`."""
        child = 2
        while child < len(node):
            if node[child] != "-":
                self._signature(node, child, node[child], self.domain.functions, "function")
                child += 1
                continue
            kind = node[child + 1] if child + 1 < len(node) else None
            if kind != "number":
                self.report.unsupported("object fluents (functions that are not numbers) are", node, child)
            child += 2

    def _signature(self, section: Node, child: int, node: Node | str, table: dict[str, Signature], kind: str) -> None:
        if isinstance(node, str) or len(node) < 2 or not isinstance(node[1], str):
            found = f"'{node}'" if isinstance(node, str) else "a list without a name"
            self.report.fault(f"found {found}, expected a {kind} ({kind} ?argument …)", section, child)
            return
        name = node[1]
        if name in WORDS or name[0] in "?:":
            self.report.fault(f"found '{name}', expected the name of a {kind}", node, 1)
            return
        signature = Signature(name, self.names.typed(node, 2, "variable"), node[0])
        declared = table.setdefault(name, signature)
        if types_of(declared) != types_of(signature):
            line = self.report.line_of(declared.at)
            self.report.fault(f"{kind} '{name}' is declared differently in line {line}", node, 1)

    def _head(self, node: Node) -> Signature | None:
        """The head of (:derived (predicate ?argument …) condition)."""
        if len(node) != 4 or isinstance(node[2], str) or len(node[2]) < 2:
            self.report.fault("expected (:derived (predicate ?argument …) condition)", node)
            return None
        head = node[2]
        declared = self.names.predicate(head)
        if declared is None:
            return None
        signature = Signature(declared.name, distinct_variables(self.names, head, 2), head[0])
        if len(signature.parameters) != len(declared.parameters):
            count = len(declared.parameters)
            self.report.fault(f"'{declared.name}' takes {plural(count, 'argument')}, found {len(head) - 2}", head)
            return None
        return signature

    def _derived(self, node: Node, head: Signature) -> None:
        scope = {parameter.name: parameter.types for parameter in head.parameters}
        body = read_formula(self.names, node[3], node, 3, scope)
        self.domain.derived.append(Derived(head, body, node[0]))

    def _action(self, node: Node, first: dict[str, Node]) -> None:
        name = node[2] if len(node) > 2 else None
        if not isinstance(name, str) or name[0] in ":?":
            self.report.fault("expected (:action NAME …)", node, 2)
            return
        if name in first:
            if not same(first[name], node):
                line = self.report.line_of(first[name][0])
                self.report.fault(f"action '{name}' is defined differently in line {line}", node, 2)
            return
        first[name] = node
        parts = self._action_parts(node)
        parameters = read_variables(self.names, node, parts[":parameters"]) if ":parameters" in parts else []
        scope = {parameter.name: parameter.types for parameter in parameters}
        precondition: Formula = And([])
        if ":precondition" in parts:
            place = parts[":precondition"]
            precondition = read_formula(self.names, node[place], node, place, scope)
        effects: list[Effect] = []
        if ":effect" in parts:
            place = parts[":effect"]
            effects = EffectReader(self.names, self.derived).read(node[place], node, place, scope)
        self.domain.actions[name] = Action(name, parameters, precondition, effects, node[0])

    def _action_parts(self, node: Node) -> dict[str, int]:
        """The position in `node` of the value of each keyword."""
        parts: dict[str, int] = {}
        child = 3
        while child < len(node):
            keyword = node[child]
            if not isinstance(keyword, str) or keyword not in ACTION_PARTS:
                found = f"'{keyword}'" if isinstance(keyword, str) else "'('"
                hint = nearest(keyword, ACTION_PARTS) if isinstance(keyword, str) else ""
                self.report.fault(f"found {found}, expected one of {' '.join(ACTION_PARTS)}{hint}", node, child)
                child += 1 if isinstance(keyword, list) else 2
                continue
            if child + 1 == len(node):
                self.report.fault(f"found ')', expected a list after '{keyword}'", node, child + 1)
            elif keyword in parts:
                self.report.fault(f"found a second '{keyword}' in one action", node, child)
            else:
                parts[keyword] = child + 1
            child += 2
        return parts


def declare_objects(names: Names, node: Node, table: dict[str, Typed]) -> None:
    """Adds the objects of a typed list to `table`; an object that is declared again must have the same types."""
    for entry in names.typed(node, 2, "object"):
        known = names.objects.get(entry.name)
        if known is None:
            names.objects[entry.name] = table[entry.name] = entry
        elif set(known.types) != set(entry.types):
            message = f"'{entry.name}' is declared as {spell(known.types)} and as {spell(entry.types)}"
            names.report.fault(message, node, last_place(node, entry.name))


def types_of(signature: Signature) -> list[tuple[str, ...]]:
    return [parameter.types for parameter in signature.parameters]


def same(left: Node, right: Node) -> bool:
    """Whether two nested lists have the same structure and tokens, regardless of their positions in the file."""
    pairs: list[tuple[Node | str, Node | str]] = [(left, right)]
    while pairs:
        one, other = pairs.pop()
        if isinstance(one, str) or isinstance(other, str):
            if one != other:
                return False
        elif len(one) != len(other):
            return False
        else:
            pairs += zip(one[1:], other[1:], strict=True)
    return True
