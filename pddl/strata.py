"""How derived predicates depend on one another."""

from __future__ import annotations

from fsplan.pddl.names import closure
from fsplan.pddl.syntax import And, Atom, Exists, Forall, Imply, Not, Or

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fsplan.pddl.syntax import Derived, Formula


def atoms_with_sign(formula: Formula) -> Iterator[tuple[Atom, bool]]:
    """Every atom of the formula, with whether it stands under an even number of negations."""
    waiting: list[tuple[Formula, bool]] = [(formula, True)]
    while waiting:
        node, positive = waiting.pop()
        if isinstance(node, Atom):
            yield node, positive
        elif isinstance(node, (And, Or)):
            waiting += [(part, positive) for part in node.parts]
        elif isinstance(node, Not):
            waiting.append((node.part, not positive))
        elif isinstance(node, Imply):
            waiting += [(node.left, not positive), (node.right, positive)]
        elif isinstance(node, (Forall, Exists)):
            waiting.append((node.part, positive))


def dependencies(rules: Sequence[Derived]) -> dict[str, tuple[str, ...]]:
    """For every derived predicate, the derived predicates in the bodies of its rules."""
    found: dict[str, dict[str, None]] = {rule.head.name: {} for rule in rules}
    for rule in rules:
        for atom, _ in atoms_with_sign(rule.body):
            if atom.predicate in found:
                found[rule.head.name][atom.predicate] = None
    return {name: tuple(needed) for name, needed in found.items()}


def strata(rules: Sequence[Derived]) -> list[list[str]]:
    """The derived predicates in groups that define each other, each group after those it needs."""
    needed = dependencies(rules)
    reached = {name: closure(direct, needed) for name, direct in needed.items()}
    groups: list[list[str]] = []
    grouped: set[str] = set()
    # What a predicate needs reaches no more than the predicate itself does.
    for name in sorted(needed, key=lambda name: len(set(reached[name]) | {name})):
        if name not in grouped:
            group = [name] + [other for other in reached[name] if other != name and name in reached[other]]
            grouped.update(group)
            groups.append(group)
    return groups


def negated_cycle(rules: Sequence[Derived]) -> tuple[Derived, Atom] | None:
    """A rule with a negated atom that depends on the rule's own head, where there is one: such rules have no
    agreed meaning."""
    needed = dependencies(rules)
    for rule in rules:
        for atom, positive in atoms_with_sign(rule.body):
            if not positive and rule.head.name in closure([atom.predicate], needed):
                return rule, atom
    return None
