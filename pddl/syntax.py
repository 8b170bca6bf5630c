"""The syntax tree of a PDDL task, which the readers build and the normaliser, the validator and the writer use.

The nodes are plain classes with slots, because importing `dataclasses` would double the import time of the reader.
Nodes that errors refer to have an attribute `at`: the number of their list in the file, which is the number of opening
parentheses before its own. `tokens.PddlText.place` converts it to line and column.
Names are in lower case. The readers check types, predicates, objects and variables, so a tree is well-formed. Its
formulas are nested at most `formulas.NESTING_LIMIT` deep, so that functions on trees may be recursive.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from fractions import Fraction

Formula: TypeAlias = "Atom | Equal | Not | And | Or | Imply | Forall | Exists"
Effect: TypeAlias = "Add | Delete | When | ForallEffect | Increase"
Expression: TypeAlias = "Number | Term"


class Node:
    """A part of a domain or of a formula; its `repr` is PDDL."""

    __slots__ = ()

    def __repr__(self) -> str:
        from fsplan.pddl.writer import write_node

        return write_node(self)


class Typed(Node):
    """A name with its types: an object, a parameter, or (with its parents) a type. Several types mean `either`."""

    __slots__ = ("at", "name", "types")

    def __init__(self, name: str, types: tuple[str, ...], at: int = 0) -> None:
        self.name, self.types, self.at = name, types, at


class Signature(Node):
    """The declaration of a predicate or a function: its name and typed parameters."""

    __slots__ = ("at", "name", "parameters")

    def __init__(self, name: str, parameters: list[Typed], at: int = 0) -> None:
        self.name, self.parameters, self.at = name, parameters, at


class Atom(Node):
    """The atom predicate(arguments); an argument that starts with `?` is a variable, any other is an object."""

    __slots__ = ("arguments", "at", "predicate")

    def __init__(self, predicate: str, arguments: tuple[str, ...], at: int = 0) -> None:
        self.predicate, self.arguments, self.at = predicate, arguments, at


class Equal(Node):
    __slots__ = ("at", "left", "right")

    def __init__(self, left: str, right: str, at: int = 0) -> None:
        self.left, self.right, self.at = left, right, at


class Not(Node):
    __slots__ = ("at", "part")

    def __init__(self, part: Formula, at: int = 0) -> None:
        self.part, self.at = part, at


class And(Node):
    """A conjunction; without parts it is true."""

    __slots__ = ("at", "parts")

    def __init__(self, parts: list[Formula], at: int = 0) -> None:
        self.parts, self.at = parts, at


class Or(Node):
    """A disjunction; without parts it is false."""

    __slots__ = ("at", "parts")

    def __init__(self, parts: list[Formula], at: int = 0) -> None:
        self.parts, self.at = parts, at


class Imply(Node):
    __slots__ = ("at", "left", "right")

    def __init__(self, left: Formula, right: Formula, at: int = 0) -> None:
        self.left, self.right, self.at = left, right, at


class Forall(Node):
    __slots__ = ("at", "part", "variables")

    def __init__(self, variables: list[Typed], part: Formula, at: int = 0) -> None:
        self.variables, self.part, self.at = variables, part, at


class Exists(Node):
    __slots__ = ("at", "part", "variables")

    def __init__(self, variables: list[Typed], part: Formula, at: int = 0) -> None:
        self.variables, self.part, self.at = variables, part, at


class Add(Node):
    __slots__ = ("at", "atom")

    def __init__(self, atom: Atom, at: int = 0) -> None:
        self.atom, self.at = atom, at


class Delete(Node):
    __slots__ = ("at", "atom")

    def __init__(self, atom: Atom, at: int = 0) -> None:
        self.atom, self.at = atom, at


class When(Node):
    __slots__ = ("at", "condition", "effects")

    def __init__(self, condition: Formula, effects: list[Effect], at: int = 0) -> None:
        self.condition, self.effects, self.at = condition, effects, at


class ForallEffect(Node):
    __slots__ = ("at", "effects", "variables")

    def __init__(self, variables: list[Typed], effects: list[Effect], at: int = 0) -> None:
        self.variables, self.effects, self.at = variables, effects, at


class Number(Node):
    __slots__ = ("at", "value")

    def __init__(self, value: int | Fraction, at: int = 0) -> None:
        self.value, self.at = value, at


class Term(Node):
    """A static function applied to arguments, used as a cost."""

    __slots__ = ("arguments", "at", "function")

    def __init__(self, function: str, arguments: tuple[str, ...], at: int = 0) -> None:
        self.function, self.arguments, self.at = function, arguments, at


class Increase(Node):
    """The effect (increase (total-cost) amount), which must be neither conditional nor quantified."""

    __slots__ = ("amount", "at")

    def __init__(self, amount: Expression, at: int = 0) -> None:
        self.amount, self.at = amount, at


class Action(Node):
    """An action schema. `effects` lists the parts of its effect, in the order of the file."""

    __slots__ = ("at", "effects", "name", "parameters", "precondition")

    def __init__(
        self, name: str, parameters: list[Typed], precondition: Formula, effects: list[Effect], at: int = 0
    ) -> None:
        self.name, self.parameters, self.precondition, self.effects, self.at = (
            name,
            parameters,
            precondition,
            effects,
            at,
        )


class Derived(Node):
    """The rule (:derived (head parameters) body); several rules may have the same head predicate."""

    __slots__ = ("at", "body", "head")

    def __init__(self, head: Signature, body: Formula, at: int = 0) -> None:
        self.head, self.body, self.at = head, body, at


class Domain:
    """A PDDL domain. `types` maps each type to its direct parents; declarations are in the order of the file."""

    __slots__ = (
        "actions",
        "constants",
        "derived",
        "file",
        "functions",
        "name",
        "predicates",
        "requirements",
        "types",
    )

    def __init__(self, name: str, file: str = "") -> None:
        self.name = name
        self.file = file
        self.requirements: list[str] = []
        self.types: dict[str, tuple[str, ...]] = {"object": ()}
        self.constants: dict[str, Typed] = {}
        self.predicates: dict[str, Signature] = {}
        self.functions: dict[str, Signature] = {}
        self.actions: dict[str, Action] = {}
        self.derived: list[Derived] = []

    def __repr__(self) -> str:
        return f"<Domain {self.name}: {len(self.predicates)} predicates, {len(self.actions)} actions>"


class Problem:
    """A PDDL problem.

    `init` holds the true atoms as tuples (predicate, argument, …), which saves memory if there are millions of them.
    `costs` maps (function, argument, …) to the exact value, an int or a fraction. `objects` does not contain the
    constants of the domain. `use_costs` is True if the problem minimises total-cost; otherwise every action has cost 1.
    """

    __slots__ = ("costs", "domain", "file", "goal", "init", "name", "objects", "use_costs")

    def __init__(self, name: str, domain: Domain, file: str = "") -> None:
        self.name = name
        self.domain = domain
        self.file = file
        self.objects: dict[str, Typed] = {}
        self.init: list[tuple[str, ...]] = []
        self.costs: dict[tuple[str, ...], int | Fraction] = {}
        self.goal: Formula = And([])
        self.use_costs = False

    def used_costs(self) -> Iterator[int | Fraction]:
        """The numbers that actions can add to total-cost; none if the problem does not minimise it."""
        if self.use_costs:
            effects = [effect for action in self.domain.actions.values() for effect in action.effects]
            amounts = [effect.amount for effect in effects if isinstance(effect, Increase)]
            functions = {amount.function for amount in amounts if isinstance(amount, Term)}
            yield from (amount.value for amount in amounts if isinstance(amount, Number))
            yield from (value for call, value in self.costs.items() if call[0] in functions)

    def cost_denominator(self) -> int:
        """The least common denominator of all costs."""
        return lcm(*{value.denominator for value in self.used_costs()})

    def __repr__(self) -> str:
        return (
            f"<Problem {self.name} of domain {self.domain.name}: {len(self.objects)} objects, {len(self.init)} atoms>"
        )
