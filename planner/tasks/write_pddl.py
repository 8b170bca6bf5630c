"""Writes ground tasks as PDDL without parameters, for planners that read PDDL and not `.sas`.

Every value of a variable becomes a predicate without arguments, and every ground action an action without parameters.
Conditions are conjunctions of atoms; only derived predicates, which are false unless a rule applies, are negated.

>>> import fsplan
>>> domain, problem = pddl_texts(fsplan.load(fsplan.example("blocks-8-0")))
>>> domain.splitlines()[1:4]
['  (:requirements :strips)', '  (:predicates', '    (on-h-g)']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fsplan.pddl.costs import from_units
from fsplan.planner.tasks.task import Task
from fsplan.planner.tasks.write_task import Condition, Fact, GroundLists, ground_lists

RESERVED = ("and", "or", "not", "when", "imply", "forall", "exists", "either", "total-cost", "increase", "object")


def pddl_texts(task: Task) -> tuple[str, str]:
    """Returns domain and problem. A comment before each action has its name in plans of the original task."""
    lists = ground_lists(task)
    writer = _Writer(lists)
    name = next(_names([task.name]))
    costs = [from_units(cost, task.cost_denominator) for cost in lists.costs] if lists.has_costs else None
    return writer.domain(name, costs), writer.problem(name)


class _Writer:
    def __init__(self, lists: GroundLists) -> None:
        self._lists = lists
        texts = [text for values in lists.values for text in values]
        names = _names(text.replace("NegatedAtom ", "not ").removeprefix("Atom ") for text in texts)
        self._atoms = [[f"({next(names)})" for _ in values] for values in lists.values]

    def domain(self, name: str, costs: list[object] | None) -> str:
        lists = self._lists
        lines = [f"(define (domain {name})", f"  (:requirements {' '.join(self._requirements(costs))})"]
        lines += ["  (:predicates", *(f"    {atom}" for atom in self._declared()), "  )"]
        lines += ["  (:functions (total-cost) - number)"] if costs else []
        for (variable, value), body in lists.rules:
            lines.append(f"  (:derived {self._atoms[variable][value]} {_and(map(self._literal, body))})")
        for number, action in enumerate(_names(lists.action_names)):
            condition = _and(map(self._literal, lists.preconditions[number].items()))
            cost = [f"(increase (total-cost) {costs[number]})"] if costs else []
            effect = _and([*self._effects(number), *cost])
            lines += [f"  ; ({lists.action_names[number]})", f"  (:action {action}"]
            lines += [f"    :parameters ()\n    :precondition {condition}\n    :effect {effect})"]
        return "\n".join([*lines, ")"]) + "\n"

    def problem(self, name: str) -> str:
        lists = self._lists
        basic = (pair for pair in enumerate(lists.initial) if self._is_basic(pair[0]))
        initial = [self._atoms[variable][value] for variable, value in basic]
        costs = ["(= (total-cost) 0)"] if lists.has_costs else []
        metric = "\n  (:metric minimize (total-cost))" if lists.has_costs else ""
        goal = _and(map(self._literal, lists.goal))
        return (
            f"(define (problem {name}-ground)\n  (:domain {name})\n"
            f"  (:init {' '.join([*initial, *costs])})\n  (:goal {goal}){metric})\n"
        )

    def _requirements(self, costs: list[object] | None) -> Iterator[str]:
        yield ":strips"
        if costs:
            yield ":action-costs"
        if any(when for effects in self._lists.effects for when, _ in effects):
            yield ":conditional-effects"
        if self._lists.rules:
            yield from (":negative-preconditions", ":derived-predicates")

    def _is_basic(self, variable: int) -> bool:
        return self._lists.layers[variable] < 0

    def _declared(self) -> Iterator[str]:
        for variable, atoms in enumerate(self._atoms):
            default = None if self._is_basic(variable) else self._lists.initial[variable]
            yield from (atom for value, atom in enumerate(atoms) if value != default)

    def _literal(self, fact: Fact) -> str:
        """Returns the fact as a literal: the default value of a derived variable means that its atom is false."""
        variable, value = fact
        if self._is_basic(variable) or value != self._lists.initial[variable]:
            return self._atoms[variable][value]
        return f"(not {self._atoms[variable][1 - value]})"

    def _effects(self, number: int) -> Iterator[str]:
        given = self._lists.preconditions[number]
        for when, (variable, value) in self._lists.effects[number]:
            known = (given | when).get(variable)  # value before the action, if the conditions determine it
            before = [known] if known is not None else list(range(self._lists.sizes[variable]))
            deleted = [f"(not {self._atoms[variable][each]})" for each in before if each != value]
            change = [self._atoms[variable][value], *deleted]
            if when:
                yield f"(when {self._condition(when)} {_and(change)})"
            else:
                yield from change

    def _condition(self, when: Condition) -> str:
        return _and(map(self._literal, when.items()))


def _and(parts: Iterable[str]) -> str:
    listed = list(parts)
    return listed[0] if len(listed) == 1 else f"({' '.join(['and', *listed])})"


def _names(texts: Iterable[str]) -> Iterator[str]:
    """Yields a different PDDL name for each text.

    >>> list(_names(["on(a, b)", "on a b", "not", "2nd"]))
    ['on-a-b', 'on-a-b-2', 'not-2', 'x-2nd']
    """
    used = set(RESERVED)
    for text in texts:
        plain = re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-") or "x"
        plain = plain if plain[0].isalpha() else f"x-{plain}"
        name, number = plain, 2
        while name in used:
            name, number = f"{plain}-{number}", number + 1
        used.add(name)
        yield name
