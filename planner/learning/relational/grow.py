"""Grows problems: composes larger problems of given ones, on which the candidates for a policy are compared.

There are two ways to grow a problem. `union` adds the objects, initial atoms and goals of another problem under new
names. `copies` adds copies of objects: each with the initial atoms of its original and with the goals of a similar
object, so that a copied parcel has the place of one parcel and the destination of another one.

A grown problem keeps to what all given problems have in common:

- Kinds of objects of which every given problem has the same number are not added (the only lift, the two colours).
- Keys, as in a database: if no given problem has two atoms at(x, …) with the same x, a second such atom is not added.
  If the atom describes the new object itself (a second block on the same block), the object is not copied.
- Static relations that hold between any two objects (different ports), or that order them (floors), are completed.
- The copy of an object in a chain, such as a place in a one-way corridor, is inserted before it, and half of the
  objects at the old place move to the new one, except those that are in one place in all given problems (gates at the
  end of a trail).

A grown problem may have no plan: the caller searches for one, and discards the problem if it finds none.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from fsplan.pddl.syntax import Add, And, Atom, Delete, Effect, ForallEffect, Problem, Typed, When
from fsplan.planner.learning.relational.derive import conjunction

Fact = tuple[str, ...]
Kind = tuple[tuple[str, ...], frozenset[str]]

WAYS = ("union", "copies")
MOST_STEPS = 40  # a problem that is still too small after this many steps is discarded


class Grower:
    """Grows problems of one domain; `is_possible` is False if a goal is not a conjunction of atoms."""

    def __init__(self, problems: Sequence[Problem], seed: int = 0) -> None:
        self.problems, self.seed = sorted(problems, key=lambda problem: len(problem.objects)), seed
        goals = [list(conjunction(problem)) for problem in problems]
        self.is_possible = len(problems) > 1 and all(goals)
        self.init_keys, self.goal_keys = keys_of([problem.init for problem in problems]), keys_of(goals)
        domain = problems[0].domain
        effects = [effect for action in domain.actions.values() for effect in action.effects]
        self.static = set(domain.predicates) - set(changed_by(effects)) - {rule.head.name for rule in domain.derived}
        counts = [Counter(self.kinds(problem).values()) for problem in problems]
        self.fixed = {kind for kind in set().union(*counts) if len({count[kind] for count in counts}) == 1}
        links = [name for name in sorted(self.static) if any(is_connected(each.init, name) for each in problems)]
        self.complete = [name for name in links if all(relates_all(each.init, name) for each in problems)]
        self.chains = {name for name in links if self.init_keys.get(name) == [1, 2]}
        self.common = common_arguments([problem.init for problem in problems])

    def kinds(self, problem: Problem) -> dict[str, Kind]:
        """The kind of each object: its types, and the static predicates of arity 1 that hold for it."""
        unary = defaultdict(set)
        for fact in problem.init:
            if len(fact) == 2 and fact[0] in self.static:
                unary[fact[1]].add(fact[0])
        return {name: (tuple(sorted(typed.types)), frozenset(unary[name])) for name, typed in problem.objects.items()}

    def draw(self, number: int, size: int, ways: Sequence[str] = WAYS) -> Problem | None:
        """The grown problem with this number, of `size` objects or more; None if it cannot be grown in these ways."""
        random = Random(f"grow {self.seed} {number}")
        problem = random.choice(self.problems[len(self.problems) // 2 :])
        for _ in range(MOST_STEPS):
            missing = size - len(problem.objects)
            if missing <= 0:
                problem.name = f"{problem.name}-grown-{number}"
                return problem
            if random.choice(ways) == "union":
                problem = self.union(problem, random.choice(self.problems))
            else:
                problem = self.copies(problem, random, missing)
        return None

    def union(self, first: Problem, second: Problem) -> Problem:
        """Both problems in one; the objects of fixed kinds are those of the first problem."""
        draft = Draft(first, self)
        same: dict[Kind, list[str]] = defaultdict(list)
        for name, kind in self.kinds(first).items():
            same[kind].append(name)
        names = {name: name for name in second.domain.constants}
        for name, kind in self.kinds(second).items():
            names[name] = same[kind].pop(0) if kind in self.fixed else draft.add_object(name, second.objects[name])
        draft.add_problem(second, names)
        for predicate in self.complete:
            draft.relate(predicate, related(first.init, predicate), [names[x] for x in related(second.init, predicate)])
        return draft.problem()

    def copies(self, problem: Problem, random: Random, most: int) -> Problem:
        """The problem extended by copies of about `most` objects, or of all that may be copied if these are fewer."""
        draft, kinds, goals = Draft(problem, self), self.kinds(problem), by_object(conjunction(problem))
        groups = {name: (kind, frozenset(goal[0] for goal in goals[name])) for name, kind in kinds.items()}
        similar: dict[tuple[Kind, frozenset[str]], list[str]] = defaultdict(list)
        for name, group in groups.items():
            similar[group].append(name)
        varying = {group: names for group, names in similar.items() if group[0] not in self.fixed}
        # The same share of every kind of objects is copied, so that ratios are kept, such as one token per gate.
        share = min(1.0, most / max(1, sum(map(len, varying.values()))))
        for names in varying.values():
            for name in random.sample(names, math.ceil(share * len(names))):
                model = random.choice(names)
                draft.copy(name, [(goal, model) for goal in goals[model]], random)
        return draft.problem()


class Draft:
    """A problem to which objects and atoms are added."""

    def __init__(self, base: Problem, grower: Grower) -> None:
        self.base, self.objects, self.costs = base, dict(base.objects), dict(base.costs)
        self.init = Atoms(base.init, grower.init_keys)
        self.goals = Atoms(conjunction(base), grower.goal_keys)
        self.complete, self.chains, self.common = grower.complete, grower.chains, grower.common

    def add_object(self, name: str, typed: Typed) -> str:
        new = f"{name.partition('~')[0]}~{len(self.objects)}"
        self.objects[new] = Typed(new, typed.types)
        return new

    def add_problem(self, other: Problem, names: Mapping[str, str]) -> None:
        for atoms, added in ((self.init, other.init), (self.goals, conjunction(other))):
            for fact in added:
                atoms.add(renamed(fact, names))
        for term, cost in other.costs.items():
            self.costs.setdefault(renamed(term, names), cost)

    def copy(self, name: str, goals: Sequence[tuple[Fact, str]], random: Random) -> None:
        """Copies an object unless an atom that describes the copy violates a key.

        `goals` are pairs of a goal and the object in it that the copy replaces.
        """
        new = self.add_object(name, self.objects[name])
        chained = [fact for fact in self.init.by_object[name] if fact[0] in self.chains]
        copied = [fact for fact in self.init.by_object[name] if fact not in chained and not self.is_common(fact, name)]
        facts = [renamed(fact, {name: new}) for fact in copied]
        wanted = [renamed(goal, {model: new}) for goal, model in goals]
        collides = [self.init.collides(fact, new) for fact in facts] + [
            self.goals.collides(goal, new) for goal in wanted
        ]
        if any(collides):
            del self.objects[new]
            return
        if chained:
            self.insert_before(name, new, chained, copied, random)
        for predicate in {fact[0] for fact in facts} & set(self.complete):
            self.relate(predicate, [name], [new])
        for fact in facts:
            self.init.add(fact)
        for goal in wanted:
            self.goals.add(goal)
        self.costs |= {renamed(term, {name: new}): cost for term, cost in self.costs.items() if name in term[1:]}

    def is_common(self, fact: Fact, name: str) -> bool:
        """Whether the object is in a position that has the same argument in all atoms of this predicate."""
        return any((fact[0], i) in self.common for i in range(1, len(fact)) if fact[i] == name)

    def insert_before(
        self, name: str, new: str, chained: Sequence[Fact], copied: Sequence[Fact], random: Random
    ) -> None:
        """Inserts `new` before `name` in a chain; half of the copied atoms that violate a key are moved to `new`."""
        for fact in [fact for fact in chained if fact[2] == name]:
            self.init.remove(fact)
            self.init.insert((fact[0], fact[1], new))
        self.init.insert((chained[0][0], new, name))
        for fact in copied:
            moved = renamed(fact, {name: new})
            if self.init.violated(moved) and random.random() < 0.5:
                self.init.remove(fact)
                self.init.add(moved)

    def relate(self, predicate: str, first: Iterable[str], second: Sequence[str]) -> None:
        """Relates each of the first objects to each of the second ones, and conversely if the relation is symmetric."""
        pairs = [fact for fact in self.init.facts if fact[0] == predicate]
        back = any((predicate, *reversed(fact[1:])) in self.init.facts for fact in pairs)
        for pair in [(left, right) for left in first for right in second]:
            self.init.add((predicate, *pair))
            if back:
                self.init.add((predicate, *reversed(pair)))

    def problem(self) -> Problem:
        problem = Problem(self.base.name, self.base.domain)
        problem.objects, problem.init, problem.costs = self.objects, list(self.init.facts), self.costs
        problem.goal = And([Atom(goal[0], goal[1:]) for goal in self.goals.facts])
        problem.use_costs = self.base.use_costs
        return problem


class Atoms:
    """A set of atoms that satisfies its keys: atoms that violate a key are not added."""

    def __init__(self, facts: Iterable[Fact], keys: Mapping[str, Sequence[int]]) -> None:
        self.keys = keys
        self.facts: dict[Fact, None] = {}
        self.taken: set[tuple[str, int, str]] = set()
        self.by_object: dict[str, list[Fact]] = defaultdict(list)
        for fact in facts:
            self.insert(fact)

    def violated(self, fact: Fact) -> list[int]:
        """The positions of the keys that the atom violates."""
        return [i for i in self.keys.get(fact[0], ()) if (fact[0], i, fact[i]) in self.taken]

    def collides(self, fact: Fact, new: str) -> bool:
        """Whether the atom violates a key of its predicate although the object `new` is at a key position."""
        keys = self.keys.get(fact[0], ())
        return bool(self.violated(fact)) and any(fact[i] == new for i in keys if i)

    def add(self, fact: Fact) -> None:
        if fact not in self.facts and not self.violated(fact):
            self.insert(fact)

    def insert(self, fact: Fact) -> None:
        self.facts[fact] = None
        self.taken.update((fact[0], i, fact[i]) for i in self.keys.get(fact[0], ()))
        for name in set(fact[1:]):
            self.by_object[name].append(fact)

    def remove(self, fact: Fact) -> None:
        del self.facts[fact]
        self.taken.difference_update((fact[0], i, fact[i]) for i in self.keys.get(fact[0], ()))
        for name in set(fact[1:]):
            self.by_object[name].remove(fact)


def keys_of(lists: Iterable[Iterable[Fact]]) -> dict[str, list[int]]:
    """For each predicate, the positions at which no two atoms of a list agree; 0 means at most one atom per list.

    >>> keys_of([[("at", "a", "x"), ("at", "b", "x"), ("here", "x")]])
    {'at': [1], 'here': [0, 1]}
    """
    most: Counter[tuple[str, int]] = Counter()
    for facts in lists:
        counts = Counter((fact[0], i, fact[i]) for fact in facts for i in range(len(fact)))
        for (predicate, i, _), count in counts.items():
            most[predicate, i] = max(most[predicate, i], count)
    keys: dict[str, list[int]] = defaultdict(list)
    for (predicate, i), count in most.items():
        if count == 1:
            keys[predicate].append(i)
    return dict(keys)


def common_arguments(lists: Iterable[Iterable[Fact]]) -> set[tuple[str, int]]:
    """Pairs (predicate, position) at which all atoms of a list agree, for every list; some list has several atoms.

    >>> common_arguments([[("at", "a", "x"), ("at", "b", "x")]])
    {('at', 2)}
    """
    several: set[tuple[str, int]] = set()
    different: set[tuple[str, int]] = set()
    for facts in lists:
        seen: dict[tuple[str, int], str] = {}
        for fact in facts:
            for i in range(1, len(fact)):
                if (fact[0], i) in seen:
                    several.add((fact[0], i))
                if seen.setdefault((fact[0], i), fact[i]) != fact[i]:
                    different.add((fact[0], i))
    return several - different


def is_connected(facts: Iterable[Fact], predicate: str) -> bool:
    """Whether the predicate is a relation in which two pairs of different objects follow each other: p(a, b), p(b, c).

    >>> is_connected([("next", "a", "b"), ("next", "b", "c")], "next"), is_connected([("in", "a", "b")], "in")
    (True, False)
    """
    pairs = [fact[1:] for fact in facts if fact[0] == predicate]
    if any(len(pair) != 2 or pair[0] == pair[1] for pair in pairs):
        return False
    return not {first for first, _ in pairs}.isdisjoint(second for _, second in pairs)


def relates_all(facts: Iterable[Fact], predicate: str) -> bool:
    """Whether every two of the objects of a relation are related, in one direction or both.

    >>> relates_all([("below", "a", "b"), ("below", "b", "c"), ("below", "a", "c")], "below")
    True
    """
    pairs = {frozenset(fact[1:]) for fact in facts if fact[0] == predicate}
    count = len({name for pair in pairs for name in pair})
    return len(pairs) == count * (count - 1) // 2


def related(facts: Iterable[Fact], predicate: str) -> list[str]:
    """The objects of a relation, without repetition."""
    return list(dict.fromkeys(name for fact in facts if fact[0] == predicate for name in fact[1:]))


def by_object(facts: Iterable[Fact]) -> dict[str, list[Fact]]:
    return Atoms(facts, {}).by_object


def renamed(fact: Fact, names: Mapping[str, str]) -> Fact:
    return (fact[0], *(names.get(name, name) for name in fact[1:]))


def changed_by(effects: Iterable[Effect]) -> Iterator[str]:
    """The predicates that the effects add or delete."""
    for effect in effects:
        if isinstance(effect, (Add, Delete)):
            yield effect.atom.predicate
        elif isinstance(effect, (When, ForallEffect)):
            yield from changed_by(effect.effects)
