"""Dependencies between derived predicates, and their stratification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fsplan.pddl.syntax import And, Atom, Derived, Exists, Forall, Formula, Imply, Not, Or


def atoms_with_sign(formula: Formula) -> Iterator[tuple[Atom, bool]]:
    """Every atom of the formula, with True if it is under an even number of negations."""
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
    """Groups of mutually dependent derived predicates; each group follows the groups that it depends on."""
    return components(dependencies(rules))


def negated_cycle(rules: Sequence[Derived]) -> tuple[Derived, Atom] | None:
    """A rule with a negated atom that depends on the rule's head, and this atom; None if there is none.

    Such rules are not stratified, so PDDL gives them no semantics.
    """
    group_of = {name: number for number, group in enumerate(strata(rules)) for name in group}
    for rule in rules:
        for atom, positive in atoms_with_sign(rule.body):
            if not positive and group_of.get(atom.predicate) == group_of[rule.head.name]:
                return rule, atom
    return None


def components(steps: Mapping[str, tuple[str, ...]]) -> list[list[str]]:
    """The strongly connected components of a graph; each follows the components that are reachable from it.

    >>> components({"a": ("b",), "b": ("a", "c"), "c": ()})
    [['c'], ['a', 'b']]
    """
    back = reverse(steps)
    grouped: set[str] = set()
    groups: list[list[str]] = []
    for name in reversed(_postorder(steps)):
        if name in grouped:
            continue
        group, waiting = [], [name]
        grouped.add(name)
        while waiting:
            group.append(waiting.pop())
            following = [other for other in back.get(group[-1], ()) if other not in grouped]
            grouped.update(following)
            waiting += following
        groups.append(group)
    return groups[::-1]


def reverse(steps: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The graph with all edges reversed.

    >>> reverse({"a": ("b", "c"), "b": ("c",)})
    {'b': ('a',), 'c': ('a', 'b')}
    """
    back: dict[str, list[str]] = {}
    for name, targets in steps.items():
        for target in targets:
            back.setdefault(target, []).append(name)
    return {name: tuple(sources) for name, sources in back.items()}


def _postorder(steps: Mapping[str, tuple[str, ...]]) -> list[str]:
    """All names in the postorder of a depth-first search."""
    order: list[str] = []
    seen: set[str] = set()
    waiting = [(name, False) for name in reversed(list(steps))]
    while waiting:
        name, finished = waiting.pop()
        if finished:
            order.append(name)
        elif name not in seen:
            seen.add(name)
            waiting.append((name, True))
            waiting += [(target, False) for target in steps[name]]
    return order
