"""The features of domain policies in plain Python: slow, obvious, and written from the definitions alone."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from fsplan.pddl.syntax import Problem
from fsplan.planner._core import GroundTask
from fsplan.planner.policies.relational.describe import goal_atoms

Atom = tuple[str, ...]
MASK = 2**64 - 1
HOLDS, HOLDS_WANTED, OPEN_GOAL, HOLDS_UNWANTED = range(4)
LABEL, OBJECT = 1, 2
SCHEMA, WITH_LABEL, ARGUMENT, PAIR, TUPLE, LINK, LINKS, EFFECT = range(10, 18)
COMPANY, COST = 21, 22


def mix(value: int) -> int:
    value ^= value >> 32
    value = value * 0x9E3779B97F4A7C15 & MASK
    value ^= value >> 29
    value = value * 0xD1B54A32D192ED03 & MASK
    return value ^ value >> 32


def join(*parts: int) -> int:
    whole = parts[0]
    for part in parts[1:]:
        whole = mix((whole * 0x9E3779B97F4A7C15 + part) & MASK)
    return whole


def name(text: str) -> int:
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    return mix(value)


def total(hashes: Iterable[int]) -> int:
    return sum(hashes) & MASK


def times(cost: int, least: int) -> int:
    """How many times the least cost, roughly."""
    return next(n for n, most in enumerate((least, 1.5 * least, 2 * least, 4 * least, cost)) if cost <= most)


def atom_of(text: str) -> Atom | None:
    """on(a, b) of the ground task's names; None for a negation and for none of those."""
    if text.startswith("not ") or "(" not in text:
        return None
    predicate, _, rest = text.removesuffix(")").partition("(")
    return (predicate, *(rest.split(", ") if rest else ()))


class StateView:
    """Atoms with their labels, and the colours of the objects, in the state with these values."""

    def __init__(self, problem: Problem, task: GroundTask, values: list[int]) -> None:
        self.problem, self.task, self.values = problem, task, values
        self.facts = [atom_of(task.fact_name(fact)) for fact in range(task.fact_count())]
        varying = {atom for atom in self.facts if atom}
        true = {self.facts[task.first_fact[variable] + value] for variable, value in enumerate(values)} - {None}
        static = {atom for atom in problem.init if atom not in varying}
        self.goals = {(atom.predicate, *atom.arguments): wanted for atom, wanted in goal_atoms(problem.goal)}
        self.goals |= {atom: True for fact in task.goal if (atom := self.facts[fact])}
        open_goals = {atom for atom, wanted in self.goals.items() if wanted and atom not in true | static}
        self.labels = {atom: self.label(atom, self.status(atom)) for atom in true | static}  # type: ignore[arg-type]
        self.labels |= {atom: self.label(atom, OPEN_GOAL) for atom in open_goals}
        self.changing = {label for atom, label in self.labels.items() if atom not in static}
        constants = problem.domain.constants
        self.objects = {**problem.objects, **constants}
        self.colours = [{o: self.first_colour(o, o in constants) for o in self.objects}]
        for _ in range(2):
            self.colours.append({o: self.next_colour(o) for o in self.objects})

    def status(self, atom: Atom) -> int:
        return {None: HOLDS, True: HOLDS_WANTED, False: HOLDS_UNWANTED}[self.goals.get(atom)]

    def label(self, atom: Atom, status: int) -> int:
        return join(LABEL, name(atom[0]), status)

    def first_colour(self, o: str, constant: bool) -> int:
        kind = join(OBJECT, name(" ".join(sorted(self.objects[o].types))), name(o) if constant else 0)
        return join(kind, total(join(label, 0) for atom, label in self.labels.items() if atom[1:] == (o,)))

    def next_colour(self, o: str) -> int:
        before = self.colours[-1]
        return join(before[o], total(self.views(o, len(self.colours) - 1, least=2)))

    def views(self, o: str, level: int, least: int = 1) -> list[int]:
        return [
            join(label, place, *(self.colours[level][x] for other, x in enumerate(atom[1:]) if other != place))
            for atom, label in self.labels.items()
            for place, member in enumerate(atom[1:])
            if member == o and len(atom) > least
        ]

    def features(self, action: int, applicable: list[int]) -> set[int]:
        """Those of the block of colours, without the bits that name the block."""
        schema_name, *arguments = self.task.action_name(action).split(" ")
        schema = name(schema_name)
        found = {join(SCHEMA, schema)} | {join(WITH_LABEL, schema, label) for label in self.changing}
        for i, o in enumerate(arguments):
            seen = [colours[o] for colours in self.colours] + self.views(o, 0) + self.views(o, 1)
            found |= {join(ARGUMENT, schema, i, each) for each in seen}
            first = self.colours[0]
            found |= {join(COMPANY, schema, i, first[o], each) for each in first.values()}
        for colours in self.colours:
            for i, j in combinations(range(len(arguments)), 2):
                found.add(join(PAIR, schema, i, j, colours[arguments[i]], colours[arguments[j]]))
            if len(arguments) > 2:
                found.add(join(TUPLE, schema, *(colours[o] for o in arguments)))
        links = {self.link(schema, arguments, *item) for item in self.labels.items()} - {None}
        found |= links  # type: ignore[arg-type]
        if len(links) > 1:
            found.add(join(LINKS, schema, total(mix(link) for link in links)))  # type: ignore[arg-type]
        effects = self.effects(action)
        found |= effects | {join(effect, schema) for effect in effects}
        found |= self.costs(action, applicable)
        return {feature & ~3 for feature in found}

    def costs(self, action: int, applicable: list[int]) -> set[int]:
        cost, names = self.task.cost, {each: self.task.action_name(each).split(" ") for each in applicable}
        if len(set(cost)) == 1:
            return set()
        kinds = {each: self.cost_kinds(*row) for each, row in names.items()}
        found = set()
        for number, kind in enumerate(kinds[action]):
            least = min(cost[each] for each in applicable if kinds[each][number : number + 1] == [kind])
            found.add(join(COST, name(names[action][0]), number, times(cost[action], least)))
        return found

    def cost_kinds(self, schema: str, *arguments: str) -> list[object]:
        """What actions have in common that are compared: schema, colours of the first two rounds, an argument."""
        colours = [tuple(self.colours[level][o] for o in arguments) for level in (0, 1)]
        return [(schema, each) for each in (None, *colours, *arguments)]

    def link(self, schema: int, arguments: list[str], atom: Atom, label: int) -> int | None:
        if len(set(atom[1:]) & set(arguments)) < 2:
            return None
        marks = (arguments.index(o) + 1 if o in arguments else self.colours[0][o] for o in atom[1:])
        return join(LINK, schema, label, *marks)

    def effects(self, action: int) -> set[int]:
        task, found = self.task, set()
        current = {task.first_fact[variable] + value: variable for variable, value in enumerate(self.values)}
        variable_of = [v for v, size in enumerate(task.domain_size) for _ in range(size)]
        now = {variable: fact for fact, variable in current.items()}
        for fact, condition in task.effects[action]:
            before = now[variable_of[fact]]
            if before == fact or not all(each in current for each in condition):
                continue
            for each, adds in ((before, 0), (fact, 1)):
                atom = self.facts[each]
                if atom:
                    goal = {None: 0, True: 1, False: 2}[self.goals.get(atom)]
                    found.add(join(EFFECT, name(atom[0]), 2 * goal + adds))
        return found
