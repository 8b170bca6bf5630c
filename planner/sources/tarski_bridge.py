"""Converts problems of the Python package tarski to syntax trees.

>>> from tarski.io import PDDLReader  # doctest: +SKIP
>>> tree = from_tarski(PDDLReader().read_problem("domain.pddl", "problem.pddl"))  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from fsplan.pddl.costs import exact
from fsplan.pddl.effects import COST_LIMIT, cost_fault
from fsplan.pddl.errors import CLASSICAL, Fault, PddlError, UnsupportedError
from fsplan.pddl.formulas import NESTING_LIMIT, WORDS
from fsplan.pddl.strata import negated_cycle
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
    Expression,
    Forall,
    ForallEffect,
    Formula,
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
from fsplan.pddl.tokens import read_pddl_text
from fsplan.planner.base.extras import how_to_install

try:
    from tarski import fstrips
    from tarski.io import PDDLReader
    from tarski.syntax import (
        BuiltinPredicateSymbol,
        CompoundFormula,
        CompoundTerm,
        Connective,
        Constant,
        Contradiction,
        Interval,
        QuantifiedFormula,
        Quantifier,
        Tautology,
        Variable,
        is_neg,
    )
    from tarski.syntax.sorts import parent
except ImportError:
    raise ImportError(how_to_install("tarski"), name="tarski") from None


def from_tarski(problem: Any) -> Problem:
    """The syntax tree of a `tarski.fstrips.Problem`; constants used in actions become constants of the domain."""
    return Bridge(problem).problem


def read_task_with_tarski(domain_path: str | os.PathLike[str], problem_path: str | os.PathLike[str]) -> Problem:
    """Reads a task with the parser of tarski, which is slower than ours and does not support all IPC domains."""
    reader = PDDLReader(raise_on_error=True, strict_with_requirements=False)
    for path, parse in ((domain_path, reader.parse_domain_string), (problem_path, reader.parse_instance_string)):
        file = read_pddl_text(str(path))
        try:
            parse(file.text.lower())
        except Exception as error:  # tarski raises many kinds of exceptions, including built-in ones
            raise PddlError([Fault(f"tarski cannot read this: {error}", file.name, 0, 0, "")]) from error
    tree = from_tarski(reader.problem)
    tree.file, tree.domain.file = str(problem_path), str(domain_path)
    return tree


class Bridge:
    """Converts one problem; `constants` collects the constants that occur in actions and rules."""

    __slots__ = ("constants", "problem", "tarski")

    def __init__(self, tarski: Any) -> None:
        self.tarski = tarski
        self.constants: dict[str, None] = {}
        domain = Domain(_plain(tarski.domain_name))
        self.problem = Problem(_plain(tarski.name), domain)
        self._types(domain)
        self._symbols(domain)
        for action in tarski.actions.values():
            self._action(domain, action)
        for rule in tarski.derived_predicates.values():
            head = Signature(self._name(rule.predicate.symbol), self._variables(rule.parameters))
            domain.derived.append(Derived(head, self._formula(rule.formula)))
        if negated_cycle(domain.derived):
            raise self._bad("a derived predicate depends on its own negation")
        self._objects(domain)
        self.problem.goal = self._formula(tarski.goal)
        self._init()
        self._metric()

    def _bad(self, message: str) -> PddlError:
        return PddlError([Fault(message, str(self.tarski.name), 0, 0, "")])

    def _unsupported(self, feature: str) -> UnsupportedError:
        fault = Fault(f"{feature} not supported: {CLASSICAL}", str(self.tarski.name), 0, 0, "")
        return UnsupportedError([fault])

    def _name(self, symbol: object) -> str:
        """The symbol as a PDDL name, in lower case; an error if that is not a valid name."""
        name = str(symbol).lower()
        if not name or name in WORDS or any(letter.isspace() or letter in "();" for letter in name):
            raise self._bad(f"'{name}' is no name in PDDL")
        return name

    def _types(self, domain: Domain) -> None:
        for sort in self.tarski.language.sorts:
            if sort.name != "object" and not isinstance(sort, Interval) and not sort.builtin:
                domain.types[self._name(sort.name)] = (self._name(parent(sort).name),)

    def _symbols(self, domain: Domain) -> None:
        language = self.tarski.language
        for predicate in language.predicates:
            if not predicate.builtin:
                signature = self._signature(predicate.symbol, predicate.sort)
                domain.predicates[signature.name] = signature
        for function in language.functions:
            if function.builtin:
                continue
            if not isinstance(function.codomain, Interval):
                raise self._unsupported(f"object fluents ('{function.symbol}') are")
            signature = self._signature(function.symbol, function.domain)
            domain.functions[signature.name] = signature

    def _signature(self, symbol: object, sorts: Iterable[Any]) -> Signature:
        parameters = [Typed(f"?x{place}", (self._name(sort.name),)) for place, sort in enumerate(sorts)]
        return Signature(self._name(symbol), parameters)

    def _variables(self, variables: Iterable[Any]) -> list[Typed]:
        return [Typed(self._term(variable), (self._name(variable.sort.name),)) for variable in variables]

    def _term(self, term: Any) -> str:
        if isinstance(term, Variable):
            return "?" + self._name(term.symbol).removeprefix("?")
        if not isinstance(term, Constant):
            raise self._unsupported(f"object fluents and arithmetic ('{term}') are")
        name = self._name(term.symbol)
        self.constants[name] = None
        return name

    def _terms(self, terms: Iterable[Any]) -> tuple[str, ...]:
        return tuple([self._term(term) for term in terms])

    def _atom(self, atom: Any) -> Atom:
        return Atom(self._name(atom.predicate.symbol), self._terms(atom.subterms))

    def _formula(self, formula: Any, depth: int = 0) -> Formula:
        if depth > NESTING_LIMIT:
            raise self._bad(f"found a condition nested more than {NESTING_LIMIT} levels deep")
        if isinstance(formula, Tautology):
            return And([])
        if isinstance(formula, Contradiction):
            return Or([])
        if isinstance(formula, QuantifiedFormula):
            variables, part = self._variables(formula.variables), self._formula(formula.formula, depth + 1)
            universal = formula.quantifier is Quantifier.Forall
            return Forall(variables, part) if universal else Exists(variables, part)
        if isinstance(formula, CompoundFormula):
            if formula.connective is Connective.Not:
                return Not(self._formula(formula.subformulas[0], depth + 1))
            parts = [self._formula(part, depth + 1) for part in _flat(formula)]
            return And(parts) if formula.connective is Connective.And else Or(parts)
        return self._literal(formula)

    def _literal(self, atom: Any) -> Formula:
        if not atom.predicate.builtin:
            return self._atom(atom)
        if atom.predicate.symbol not in (BuiltinPredicateSymbol.EQ, BuiltinPredicateSymbol.NE):
            raise self._unsupported(f"numeric conditions ('{atom.predicate.symbol.value}') are")
        left, right = self._terms(atom.subterms)
        equal = Equal(left, right)
        return equal if atom.predicate.symbol is BuiltinPredicateSymbol.EQ else Not(equal)

    def _action(self, domain: Domain, action: Any) -> None:
        name = self._name(action.name)
        effects = self._effects(action.effects or [], 0)
        if action.cost is not None:
            effects.append(Increase(self._amount(action.cost.addend)))
        parameters = self._variables(action.parameters)
        domain.actions[name] = Action(name, parameters, self._formula(action.precondition), effects)

    def _effects(self, effects: Any, depth: int) -> list[Effect]:
        if depth > NESTING_LIMIT:
            raise self._bad(f"found an effect nested more than {NESTING_LIMIT} levels deep")
        listed = effects if isinstance(effects, (list, tuple)) else [effects]
        return [self._effect(effect, depth) for effect in listed if effect is not None]

    def _effect(self, effect: Any, depth: int) -> Effect:
        """One effect, wrapped in `When` if it has a condition."""
        simple = self._unconditional(effect, depth)
        if isinstance(effect.condition, Tautology):
            return simple
        if isinstance(simple, Increase):
            raise self._unsupported("costs that depend on a condition are")
        return When(self._formula(effect.condition), [simple])

    def _unconditional(self, effect: Any, depth: int) -> Effect:
        if isinstance(effect, fstrips.AddEffect):
            return Add(self._atom(effect.atom))
        if isinstance(effect, fstrips.DelEffect):
            return Delete(self._atom(effect.atom))
        if isinstance(effect, fstrips.LiteralEffect):
            negated = is_neg(effect.lit)
            return Delete(self._atom(effect.lit.subformulas[0])) if negated else Add(self._atom(effect.lit))
        if isinstance(effect, fstrips.UniversalEffect):
            return ForallEffect(self._variables(effect.variables), self._effects(effect.effects, depth + 1))
        if isinstance(effect, fstrips.IncreaseEffect) and effect.lhs.symbol.symbol == "total-cost" and not depth:
            return Increase(self._amount(effect.rhs))
        raise self._unsupported(f"effects such as {effect} are")

    def _amount(self, term: Any) -> Expression:
        if isinstance(term, CompoundTerm) and not term.symbol.builtin:
            return Term(self._name(term.symbol.symbol), self._terms(term.subterms))
        if isinstance(term, CompoundTerm):
            raise self._unsupported(f"arithmetic in costs ('{term}') is")
        return Number(self._cost(term.symbol if isinstance(term, Constant) else term))

    def _cost(self, value: Any) -> int | Fraction:
        if not 0 <= value <= COST_LIMIT:
            raise self._unsupported(f"costs other than numbers from 0 to {COST_LIMIT} ({value}) are")
        return exact(value)

    def _objects(self, domain: Domain) -> None:
        mentioned = self.constants
        for constant in self.tarski.language.constants():
            if isinstance(constant.sort, Interval):
                continue
            name = self._name(constant.symbol)
            if name in domain.constants or name in self.problem.objects:
                raise self._bad(f"two constants are called '{name}' when case does not count")
            table = domain.constants if name in mentioned else self.problem.objects
            table[name] = Typed(name, (self._name(constant.sort.name),))

    def _init(self) -> None:
        """Converts the initial state; atoms are sorted, because tarski stores them in sets without a fixed order."""
        model = self.tarski.init
        for signature, rows in model.predicate_extensions.items():
            predicate = self._name(signature[0])
            atoms = [(predicate, *self._terms(reference.expr for reference in row)) for row in rows]
            self.problem.init += sorted(atoms)
        for signature, definition in model.function_extensions.items():
            function = self._name(signature[0])
            if function == "total-cost":
                continue
            for row, value in definition.data.items():
                call = (function, *self._terms(reference.expr for reference in row))
                self.problem.costs[call] = self._cost(value.symbol)

    def _metric(self) -> None:
        metric = self.tarski.plan_metric
        if metric is None:
            return
        symbol = getattr(getattr(metric.opt_expression, "symbol", None), "symbol", None)
        if str(metric.opt_type) != "minimize" or symbol != "total-cost":
            raise self._unsupported("metrics other than (:metric minimize (total-cost)) are")
        self.problem.use_costs = True
        if fault := cost_fault(self.problem):
            raise self._unsupported(fault)


def _plain(name: object) -> str:
    """The name of a problem or domain as a valid PDDL name."""
    return "-".join(str(name).lower().replace("(", " ").replace(")", " ").replace(";", " ").split()) or "unnamed"


def _flat(formula: Any) -> list[Any]:
    """The parts of a conjunction or disjunction, flattened, because tarski builds binary trees."""
    parts: list[Any] = []
    waiting = [formula]
    while waiting:
        part = waiting.pop()
        if getattr(part, "connective", None) is formula.connective:
            waiting += reversed(part.subformulas)
        else:
            parts.append(part)
    return parts
