"""The declared types, objects, predicates and functions, and the type check of arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsplan.pddl.errors import Report, nearest
from fsplan.pddl.strata import reverse
from fsplan.pddl.syntax import Signature, Typed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fsplan.pddl.tokens import Node

OBJECT = ("object",)


class Names:
    """The names declared so far, and the report of the file being read.

    A parameter of type T accepts objects of T and its subtypes. It also accepts variables of a supertype of these,
    because IPC domains pass `?x - object` where a subtype is declared.
    """

    __slots__ = ("_accepted", "_children", "_objects_for", "functions", "objects", "predicates", "report", "types")

    def __init__(
        self,
        report: Report,
        types: dict[str, tuple[str, ...]],
        objects: dict[str, Typed],
        predicates: dict[str, Signature],
        functions: dict[str, Signature],
    ) -> None:
        self.report, self.types, self.objects = report, types, objects
        self.predicates, self.functions = predicates, functions
        self._objects_for: dict[tuple[str, ...], set[str]] = {}
        self._children: dict[str, tuple[str, ...]] = {}
        self._accepted: dict[tuple[str, ...], tuple[frozenset[str], frozenset[str]]] = {}

    def accepted(self, allowed: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
        """The types of objects, and those of variables, that may be arguments of a parameter of type `allowed`."""
        if allowed not in self._accepted:
            self._children = self._children or reverse(self.types)
            below = closure(allowed, self._children)
            self._accepted[allowed] = frozenset(below), frozenset(closure(below, self.types))
        return self._accepted[allowed]

    def suits(self, types: tuple[str, ...], allowed: tuple[str, ...], variable: bool) -> bool:
        return types == allowed or allowed == OBJECT or not self.accepted(allowed)[variable].isdisjoint(types)

    def objects_for(self, allowed: tuple[str, ...]) -> set[str]:
        """The objects that may be arguments of a parameter of type `allowed`; cached, so all objects must be known."""
        if allowed not in self._objects_for:
            accepted = self.accepted(allowed)[0]
            self._objects_for[allowed] = {
                name
                for name, entry in self.objects.items()
                if allowed == OBJECT or not accepted.isdisjoint(entry.types)
            }
        return self._objects_for[allowed]

    def arguments(
        self, node: Node, first: int, signature: Signature | None, scope: dict[str, tuple[str, ...]]
    ) -> tuple[str, ...]:
        """The arguments `node[first:]`, checked against the signature unless it is None."""
        arguments = tuple(node[first:])
        if signature is None or not self._suit(arguments, signature, scope):
            self._complain(node, first, signature, scope)
            return tuple(argument for argument in arguments if isinstance(argument, str))
        return arguments

    def _suit(self, arguments: tuple[str, ...], signature: Signature, scope: dict[str, tuple[str, ...]]) -> bool:
        if len(arguments) != len(signature.parameters):
            return False
        try:
            for argument, parameter in zip(arguments, signature.parameters, strict=True):
                types = scope[argument] if argument in scope else self.objects[argument].types
                if types != parameter.types and not self.suits(types, parameter.types, argument[0] == "?"):
                    return False
        except (KeyError, TypeError):  # an argument is an unknown name or a list
            return False
        return True

    def _complain(self, node: Node, first: int, signature: Signature | None, scope: dict[str, tuple[str, ...]]) -> None:
        """Reports a fault for each invalid argument."""
        parameters = signature.parameters if signature else []
        if signature and len(node) - first != len(parameters):
            wanted = plural(len(parameters), "argument")
            self.report.fault(f"'{signature.name}' takes {wanted}, found {len(node) - first}", node)
            parameters = []
        for child in range(first, len(node)):
            types = self._types_of(node[child], node, child, scope)
            if types is None or not parameters:
                continue
            allowed = parameters[child - first].types
            if not self.suits(types, allowed, node[child][0] == "?"):
                message = f"'{node[child]}' has type {spell(types)}, expected {spell(allowed)}"
                self.report.fault(message, node, child)

    def _types_of(
        self, argument: Node | str, node: Node, child: int, scope: dict[str, tuple[str, ...]]
    ) -> tuple[str, ...] | None:
        if not isinstance(argument, str):
            self.report.fault("found '(', expected a variable or an object", node, child)
            return None
        if argument[0] == "?":
            types = scope.get(argument)
            if types is None:
                self.unknown("variable", argument, scope, node, child)
            return types
        entry = self.objects.get(argument)
        if entry is None:
            self.unknown("object", argument, [*self.objects, *scope], node, child)
            return None
        return entry.types

    def predicate(self, atom: Node) -> Signature | None:
        """The predicate of an atom; if it is not declared, reports a fault and returns None."""
        name = atom[1]
        if not isinstance(name, str):
            self.report.fault("found '(', expected a predicate", atom, 1)
            return None
        if name not in self.predicates:
            self.unknown("predicate", name, self.predicates, atom, 1)
        return self.predicates.get(name)

    def unknown(self, kind: str, name: str, known: Iterable[str], node: Node, child: int) -> None:
        self.report.fault(
            f"found unknown {kind} '{name}', expected a declared {kind}{nearest(name, known)}", node, child
        )

    def typed(self, node: Node, first: int, kind: str) -> list[Typed]:
        """Reads a typed list such as `a b - t c - (either u v) d`; names without a type get the type `object`."""
        entries: list[Typed] = []
        untyped: list[str] = []
        at = node[0]
        position, end = first, len(node)
        while position < end:
            item = node[position]
            if item == "-":
                types = self._type(node, position + 1)
                entries += [Typed(name, types, at) for name in untyped]
                untyped.clear()
                position += 2
                continue
            if self._is_name(item, kind, node, position):
                untyped.append(item)
            position += 1
        entries += [Typed(name, OBJECT, at) for name in untyped]
        return entries

    def _is_name(self, item: Node | str, kind: str, node: Node, child: int) -> bool:
        found = f"'{item}'" if isinstance(item, str) else "'('"
        if not isinstance(item, str) or (item[0] == "?") != (kind == "variable") or item[0] == ":" or item == "?":
            expected = "a variable (?name)" if kind == "variable" else f"the name of {_article(kind)}"
            self.report.fault(f"found {found}, expected {expected}", node, child)
            return False
        return True

    def _type(self, node: Node, child: int) -> tuple[str, ...]:
        if child >= len(node):
            self.report.fault("found the end of the list, expected a type after '-'", node, child)
            return OBJECT
        item = node[child]
        if item == "-":
            self.report.fault("found '-', expected a type after '-'", node, child)
            return OBJECT
        if isinstance(item, str):
            return self._known([item], node, child)
        return self._either(item)

    def _either(self, node: Node) -> tuple[str, ...]:
        """The types in (either t …), also from nested lists; uses a stack, because nesting may be arbitrarily deep."""
        found: list[str] = []
        waiting = [node]
        while waiting:
            choice = waiting.pop()
            if len(choice) < 3 or choice[1] != "either":
                self.report.fault("found a list, expected a type or (either TYPE …)", choice)
                continue
            found += [item for item in choice[2:] if isinstance(item, str)]
            waiting += [item for item in choice[2:] if not isinstance(item, str)]
        return self._known(found, node, 0) if found else OBJECT

    def _known(self, types: list[str], node: Node, child: int) -> tuple[str, ...]:
        for name in types:
            if name not in self.types:
                place = child or node.index(name) if name in node else child
                self.unknown("type", name, self.types, node, place)
        return tuple(dict.fromkeys(name for name in types if name in self.types)) or OBJECT


class TypeNames(Names):
    """Names for reading the :types section, where parents need not be declared."""

    __slots__ = ()

    def _known(self, types: list[str], node: Node, child: int) -> tuple[str, ...]:
        return tuple(dict.fromkeys(types))


def spell(types: tuple[str, ...]) -> str:
    """Types in PDDL syntax: `truck`, or `(either truck plane)`."""
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"


def closure(start: Iterable[str], steps: dict[str, tuple[str, ...]]) -> list[str]:
    """All names reachable from those in `start`, including these, in a fixed order."""
    reached = dict.fromkeys(start)
    waiting = list(reached)
    while waiting:
        for name in steps.get(waiting.pop(), ()):
            if name not in reached:
                reached[name] = None
                waiting.append(name)
    return list(reached)


def last_place(node: Node, word: str) -> int:
    return len(node) - 1 - node[::-1].index(word)


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
