"""Writes syntax trees as PDDL text; reading this text gives the same tree.

>>> from fsplan.pddl.syntax import And, Atom
>>> write_formula(And([Atom("on", ("?x", "b")), Atom("clear", ("?x",))]), {"?x": "a"})
'(and (on a b) (clear a))'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from fsplan.pddl.names import spell
from fsplan.pddl.syntax import (
    Action,
    Add,
    And,
    Atom,
    Delete,
    Derived,
    Domain,
    Effect,
    Equal,
    Exists,
    Forall,
    ForallEffect,
    Formula,
    Imply,
    Increase,
    Not,
    Number,
    Or,
    Problem,
    Signature,
    Term,
    Typed,
    When,
)

Binding: TypeAlias = Mapping[str, str]
Piece: TypeAlias = "str | tuple[Formula | Effect | Number | Term, Binding]"


def write_formula(formula: Formula, binding: Binding | None = None) -> str:
    """The formula on one line, with free variables replaced by their values in `binding`."""
    return _write((formula, binding or {}))


def write_effect(effects: list[Effect], binding: Binding | None = None) -> str:
    """The effects on one line, with free variables replaced by their values in `binding`."""
    written = [_write((effect, binding or {})) for effect in effects]
    return written[0] if len(written) == 1 else f"({' '.join(['and', *written])})"


def write_node(node: Any) -> str:
    """PDDL text of any part of a syntax tree.

    >>> from fsplan.pddl.syntax import Delete, Typed
    >>> write_node(Delete(Atom("on", ("a", "b")))), write_node(Typed("?a", ("truck",)))
    ('(not (on a b))', '?a - truck')
    """
    if isinstance(node, Typed):
        return write_typed([node])
    if isinstance(node, Signature):
        return _signature(node)
    if isinstance(node, (Action, Derived)):
        return "\n".join(_action(node) if isinstance(node, Action) else _derived(node)).lstrip()
    return _write((node, {}))


def _write(piece: Piece) -> str:
    """The text of a formula or effect; uses a stack instead of recursion, because trees may be arbitrarily deep."""
    text: list[str] = []
    waiting: list[Piece] = [piece]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            text.append(piece)
        else:
            waiting += reversed(_pieces(*piece))
    return "".join(text)


def _pieces(node: Formula | Effect | Number | Term, binding: Binding) -> list[Piece]:
    if isinstance(node, Atom):
        return [_call(node.predicate, node.arguments, binding)]
    if isinstance(node, Equal):
        return [_call("=", (node.left, node.right), binding)]
    if isinstance(node, Not):
        return ["(not ", (node.part, binding), ")"]
    if isinstance(node, (And, Or)):
        return ["(and" if isinstance(node, And) else "(or", *_spaced(node.parts, binding), ")"]
    if isinstance(node, Imply):
        return ["(imply", *_spaced([node.left, node.right], binding), ")"]
    if isinstance(node, (Forall, Exists)):
        word = "forall" if isinstance(node, Forall) else "exists"
        return [f"({word} ({write_typed(node.variables)}) ", (node.part, _without(binding, node.variables)), ")"]
    return _effect_pieces(node, binding)


def _effect_pieces(node: Effect | Number | Term, binding: Binding) -> list[Piece]:
    if isinstance(node, Add):
        return [(node.atom, binding)]
    if isinstance(node, Delete):
        return ["(not ", (node.atom, binding), ")"]
    if isinstance(node, When):
        return ["(when ", (node.condition, binding), " ", *_conjunction(node.effects, binding), ")"]
    if isinstance(node, ForallEffect):
        inner = _without(binding, node.variables)
        return [f"(forall ({write_typed(node.variables)}) ", *_conjunction(node.effects, inner), ")"]
    if isinstance(node, Increase):
        return ["(increase (total-cost) ", (node.amount, binding), ")"]
    if isinstance(node, Number):
        return [str(node.value)]
    return [_call(node.function, node.arguments, binding)]


def _conjunction(effects: list[Effect], binding: Binding) -> list[Piece]:
    if len(effects) == 1:
        return [(effects[0], binding)]
    return ["(and", *_spaced(effects, binding), ")"]


def _spaced(parts: Iterable[Formula | Effect], binding: Binding) -> list[Piece]:
    pieces: list[Piece] = []
    for part in parts:
        pieces += [" ", (part, binding)]
    return pieces


def _call(name: str, arguments: tuple[str, ...], binding: Binding) -> str:
    return f"({' '.join([name, *(binding.get(term, term) for term in arguments)])})"


def _without(binding: Binding, variables: list[Typed]) -> Binding:
    hidden = {variable.name for variable in variables}
    return {name: value for name, value in binding.items() if name not in hidden}


def write_typed(entries: Iterable[Typed]) -> str:
    """A typed list in PDDL syntax.

    >>> from fsplan.pddl.syntax import Typed
    >>> write_typed([Typed("?a", ("truck",)), Typed("?b", ("truck",)), Typed("?c", ("object",))])
    '?a ?b - truck ?c - object'
    """
    words: list[str] = []
    previous: tuple[str, ...] | None = None
    for entry in entries:
        if previous is not None and entry.types != previous:
            words += ["-", spell(previous)]
        words.append(entry.name)
        previous = entry.types
    if previous is not None and any(word == "-" for word in words) | (previous != ("object",)):
        words += ["-", spell(previous)]
    return " ".join(words)


def write_domain(domain: Domain) -> str:
    lines = [f"(define (domain {domain.name})"]
    if domain.requirements:
        lines.append(f"  (:requirements {' '.join(domain.requirements)})")
    types = [f"    {name} - {spell(parents)}" for name, parents in domain.types.items() if parents]
    lines += _section(":types", types)
    lines += _section(":constants", _objects(domain.constants))
    lines += _section(":predicates", [f"    {_signature(entry)}" for entry in domain.predicates.values()])
    lines += _section(":functions", [f"    {_signature(entry)} - number" for entry in domain.functions.values()])
    lines += [line for rule in domain.derived for line in _derived(rule)]
    lines += [line for action in domain.actions.values() for line in _action(action)]
    return "\n".join(lines) + ")\n"


def write_problem(problem: Problem) -> str:
    lines = [f"(define (problem {problem.name})", f"  (:domain {problem.domain.name})"]
    lines += _section(":objects", _objects(problem.objects))
    facts = [f"    ({' '.join(atom)})" for atom in problem.init]
    facts += [f"    (= ({' '.join(call)}) {value})" for call, value in problem.costs.items()]
    lines += ["  (:init", *facts]
    lines[-1] += ")"
    lines.append(f"  (:goal {write_formula(problem.goal)})")
    if problem.use_costs:
        lines.append("  (:metric minimize (total-cost))")
    return "\n".join(lines) + ")\n"


def _section(keyword: str, lines: list[str]) -> list[str]:
    return [f"  ({keyword}", *lines[:-1], f"{lines[-1]})"] if lines else []


def _objects(table: Mapping[str, Typed]) -> list[str]:
    return [f"    {write_typed(table.values())}"] if table else []


def _signature(signature: Signature) -> str:
    parameters = write_typed(signature.parameters)
    return f"({signature.name} {parameters})" if parameters else f"({signature.name})"


def _derived(rule: Derived) -> list[str]:
    return [f"  (:derived {_signature(rule.head)}", f"    {write_formula(rule.body)})"]


def _action(action: Action) -> list[str]:
    return [
        f"  (:action {action.name}",
        f"    :parameters ({write_typed(action.parameters)})",
        f"    :precondition {write_formula(action.precondition)}",
        f"    :effect {write_effect(action.effects)})",
    ]
