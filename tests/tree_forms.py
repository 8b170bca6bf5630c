"""Syntax trees as nested tuples for comparisons: exact, or normalised so that equivalent spellings become equal."""

from __future__ import annotations

from typing import Any

from fsplan.pddl.syntax import (
    Add,
    Atom,
    Delete,
    Effect,
    Equal,
    Exists,
    Forall,
    ForallEffect,
    Formula,
    Imply,
    Not,
    Number,
    Or,
    Typed,
    When,
)


def form(node: Any) -> Any:
    """The tree as nested tuples and lists, without positions in files."""
    if isinstance(node, dict):
        return [(key, form(value)) for key, value in node.items()]
    if isinstance(node, (list, tuple)):
        return [form(part) for part in node]
    if not hasattr(node, "__slots__"):
        return node
    return (
        type(node).__name__,
        *(form(getattr(node, name)) for name in node.__slots__ if name not in ("at", "file")),
    )


def plain_formula(formula: Formula) -> Any:
    """The formula with implications as disjunctions, nested conjunctions and disjunctions flattened.

    A conjunction or disjunction of one part is replaced by this part.
    """
    if isinstance(formula, Atom):
        return (formula.predicate, *formula.arguments)
    if isinstance(formula, Equal):
        return ("=", formula.left, formula.right)
    if isinstance(formula, Not):
        return ("not", plain_formula(formula.part))
    if isinstance(formula, (Forall, Exists)):
        return (type(formula).__name__.lower(), _typed(formula.variables), plain_formula(formula.part))
    if isinstance(formula, Imply):
        formula = Or([Not(formula.left), formula.right])
    word = type(formula).__name__.lower()
    parts: list[Any] = []
    for part in map(plain_formula, formula.parts):
        parts += part[1:] if part[0] == word else [part]
    return parts[0] if len(parts) == 1 else (word, *parts)


def plain_effects(effects: list[Effect]) -> list[Any]:
    """Splits conditional effects into single ones and puts cost effects last; zero costs are removed."""
    found = [form for effect in effects for form in _plain_effect(effect) if form != ("increase", 0)]
    return sorted(found, key=lambda form: form[0] == "increase")


def _plain_effect(effect: Effect) -> list[Any]:
    if isinstance(effect, (Add, Delete)):
        return [(type(effect).__name__.lower(), effect.atom.predicate, *effect.atom.arguments)]
    if isinstance(effect, When):
        condition = plain_formula(effect.condition)
        return [("when", condition, *_plain_effect(part)) for part in effect.effects]
    if isinstance(effect, ForallEffect):
        return [("forall", _typed(effect.variables), *plain_effects(effect.effects))]
    amount = effect.amount
    return [("increase", amount.value if isinstance(amount, Number) else (amount.function, *amount.arguments))]


def _typed(entries: list[Typed]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((entry.name, entry.types) for entry in entries)
