"""The features of domain policies in plain Python. The code is slow and follows the definitions directly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import combinations

from reference_focal import MASK
from reference_focal import mixed as mix

from fsplan.pddl.syntax import Problem
from fsplan.planner._core import GroundStateSpace, GroundTask
from fsplan.planner.policies.relational.describe import goal_atoms, instantiated_goal

Atom = tuple[str, ...]
HOLDS, HOLDS_WANTED, OPEN_GOAL, HOLDS_UNWANTED = range(4)
LABEL, OBJECT = 1, 2
SCHEMA, WITH_LABEL, ARGUMENT, PAIR, TUPLE, LINK, LINKS, EFFECT, HELPFUL, PROGRESS, GAP = range(10, 21)
COMPANY, COST, LAG, SUPPLIES, BREAKS, VIEW, ROLE, COMPARE = range(21, 29)
FEWER, AS_MANY, MORE = range(1, 4)
COLOURS, PLAN, CONTEXT, GUIDES = range(4)


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
    """The class, 0 to 4, of the ratio cost / least: at most 1, 1.5, 2 or 4, or greater."""
    return next(n for n, most in enumerate((least, 1.5 * least, 2 * least, 4 * least, cost)) if cost <= most)


def in_block(block: int, features: Iterable[int]) -> set[int]:
    return {feature & ~3 | block for feature in features}


def progress(added: int, unit: int) -> int:
    """The class, 0 to 7, of added / unit: negative, 0, at most 1/2, less than 1, 1, less than 2, 2, or greater."""
    limits = (
        added < 0,
        added == 0,
        2 * added <= unit,
        added < unit,
        added == unit,
        added < 2 * unit,
        added == 2 * unit,
    )
    return next((number for number, within in enumerate(limits) if within), 7)


def lag(behind: int, guide: int) -> int:
    percents = (0, 2, 5, 15, 40)
    return next((number for number, percent in enumerate(percents) if 100 * behind <= percent * guide), 5)


def atom_of(text: str) -> Atom | None:
    """The atom of a fact's name such as `on(a, b)`; None for a negated atom and for the value "none of those"."""
    if text.startswith("not ") or "(" not in text:
        return None
    predicate, _, rest = text.removesuffix(")").partition("(")
    return (predicate, *(rest.split(", ") if rest else ()))


class StateView:
    """Atoms with their labels, the colours of the objects and the applicable actions of the state with these values."""

    def __init__(self, problem: Problem, task: GroundTask, values: list[int]) -> None:
        self.problem, self.task, self.values = problem, task, values
        self.space = GroundStateSpace(task)
        self.successors = {action: after for action, _, after in self.space.successors(values)}
        self.facts = [atom_of(task.fact_name(fact)) for fact in range(task.fact_count())]
        varying = {atom for atom in self.facts if atom}
        true = {self.facts[task.first_fact[variable] + value] for variable, value in enumerate(values)} - {None}
        static = {atom for atom in problem.init if atom not in varying}
        goals = goal_atoms(instantiated_goal(problem))
        self.goals = {(atom.predicate, *atom.arguments): wanted for atom, wanted in goals}
        self.goals |= {atom: True for fact in task.goal if (atom := self.facts[fact])}
        open_goals = {atom for atom, wanted in self.goals.items() if wanted and atom not in true | static}
        self.labels = {atom: self.label(atom, self.status(atom)) for atom in true | static}  # type: ignore[arg-type]
        self.labels |= {atom: self.label(atom, OPEN_GOAL) for atom in open_goals}
        self.changing = Counter(label for atom, label in self.labels.items() if atom not in static)
        possible = {self.label(atom, self.status(atom)) for atom in varying}
        possible |= {
            self.label(atom, OPEN_GOAL) for atom, wanted in self.goals.items() if wanted and atom not in static
        }
        self.comparisons = [
            self.comparison(*pair) for pair in combinations(sorted(possible), 2) if {*pair} & {*self.changing}
        ]
        constants = problem.domain.constants
        self.objects = {**problem.objects, **constants}
        self.colours = [{o: self.first_colour(o, o in constants) for o in self.objects}]
        for _ in range(2):
            self.colours.append({o: self.next_colour(o) for o in self.objects})

    def status(self, atom: Atom) -> int:
        return {None: HOLDS, True: HOLDS_WANTED, False: HOLDS_UNWANTED}[self.goals.get(atom)]

    def label(self, atom: Atom, status: int) -> int:
        return join(LABEL, name(atom[0]), status)

    def comparison(self, first: int, second: int) -> int:
        """Compares the numbers of fluent atoms with two labels in the state: which label has more?"""
        count = self.changing
        outcome = FEWER if count[first] < count[second] else MORE if count[first] > count[second] else AS_MANY
        return join(join(first, second), outcome)

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

    def schema_and_arguments(self, action: int) -> tuple[int, list[str]]:
        schema, *arguments = self.task.action_name(action).split(" ")
        return name(schema), arguments

    def colour_features(self, action: int) -> set[int]:
        schema, arguments = self.schema_and_arguments(action)
        found = {join(SCHEMA, schema)} | {join(WITH_LABEL, schema, label) for label in self.changing}
        found |= {join(COMPARE, schema, comparison) for comparison in self.comparisons}
        for i, o in enumerate(arguments):
            found |= {join(ARGUMENT, schema, i, colours[o]) for colours in self.colours}
        effects = self.effects(action)
        found |= effects | {join(effect, schema) for effect in effects}
        found |= set(self.costs(action)[:1])
        return in_block(COLOURS, found)

    def context_features(self, action: int) -> set[int]:
        schema, arguments = self.schema_and_arguments(action)
        found, first = set(self.costs(action)[2:]), self.colours[0]
        for i, o in enumerate(arguments):
            found |= {join(VIEW, schema, i, each) for each in self.views(o, 0) + self.views(o, 1)}
            found |= {join(COMPANY, schema, i, first[o], each) for each in first.values()}
        for colours in self.colours[:-1]:
            for i, j in combinations(range(len(arguments)), 2):
                found.add(join(PAIR, schema, i, j, colours[arguments[i]], colours[arguments[j]]))
            if len(arguments) > 2:
                found.add(join(TUPLE, schema, *(colours[o] for o in arguments)))
        links = {self.link(schema, arguments, *item) for item in self.labels.items()} - {None}
        found |= links  # type: ignore[arg-type]
        if len(links) > 1:
            found.add(join(LINKS, schema, total(mix(link) for link in links)))  # type: ignore[arg-type]
        return in_block(CONTEXT, found)

    @cached_property
    def costs_differ(self) -> bool:
        return len(set(self.task.cost)) > 1

    def costs(self, action: int) -> list[int]:
        """A feature for each group of `cost_kinds`: the action's cost relative to the least cost in the group."""
        if not self.costs_differ:
            return []
        cost, kinds = self.task.cost, {each: self.cost_kinds(each) for each in self.successors}
        schema, found = self.schema_and_arguments(action)[0], list[int]()
        for number, kind in enumerate(kinds[action]):
            least = min(cost[each] for each in self.successors if kinds[each][number : number + 1] == [kind])
            found.append(join(COST, schema, number, times(cost[action], least)))
        return found

    def cost_kinds(self, action: int) -> list[object]:
        """Properties by which actions are grouped: schema, helpful or not, colours of two rounds, an argument."""
        schema, arguments = self.schema_and_arguments(action)
        colours = [tuple(self.colours[level][o] for o in arguments) for level in (0, 1)]
        return [(schema, each) for each in (None, action in self.helpful, *colours, *arguments)]

    @cached_property
    def helpful(self) -> set[int]:
        return set(self.space.evaluate("hmax", self.values)[2])

    def plan_features(self, action: int, plan: list[int]) -> set[int]:
        """Features of the action that refer to this relaxed plan of the state."""
        schema, arguments = self.schema_and_arguments(action)
        helpful = join(HELPFUL, int(action in self.helpful))
        supplies, *breaks = self.needs(action, plan)
        found = {helpful, join(helpful, SUPPLIES, supplies)}
        found |= {join(feature, BREAKS, *breaks) for feature in found}
        found |= {join(feature, schema) for feature in found}
        for i, o in enumerate(arguments):
            roles = [
                join(ROLE, schema, i, join(name_of_step, place))
                for name_of_step, objects in map(self.schema_and_arguments, plan)
                for place, each in enumerate(objects)
                if each == o
            ]
            found |= set(roles or [join(ROLE, schema, i)])
        found |= {join(cost, int(action in self.helpful)) for cost in self.costs(action)[1:2]}
        return in_block(PLAN, found)

    def needs(self, action: int, plan: list[int]) -> tuple[int, int, int]:
        """Three capped counts of how a relaxed plan uses the facts that the action changes.

        An action replaces the fact of a variable by a new fact. The counts are: steps and goals that need a new fact;
        helpful steps that need a replaced fact; other steps and goals that need a replaced fact.
        """
        needed = {step: self.task.precondition[step] for step in plan}
        supplies = breaks_helpful = breaks_others = 0
        for before, after in self.changes(action):
            supplies += self.task.goal.count(after) + sum(after in facts for facts in needed.values())
            users = [step for step, facts in needed.items() if before in facts and step != action]
            breaks_helpful += sum(step in self.helpful for step in users)
            breaks_others += sum(step not in self.helpful for step in users) + self.task.goal.count(before)
        return min(3, supplies), min(2, breaks_helpful), min(2, breaks_others)

    def guide_features(self, action: int, compared: Iterable[int]) -> set[int]:
        """Features that compare the action's successor with the successors of the actions in `compared`."""
        estimates = {each: self.estimate(each) for each in compared}
        own, found = estimates[action], {join(PROGRESS, 8), join(GAP, 4), join(LAG, 6)}
        if own is not None:
            guide, unit = self.space.evaluate("hmax", self.values)[1], max(1, self.task.cost[action])
            behind = own - min(estimate for estimate in estimates.values() if estimate is not None)
            found = {join(PROGRESS, progress(own - guide, unit)), join(GAP, min(3, -(-behind // unit)))}
            found.add(join(LAG, lag(behind, guide)))
        if not self.costs_differ:
            found -= {join(LAG, number) for number in range(7)}
        schema = self.schema_and_arguments(action)[0]
        return in_block(GUIDES, found | {join(feature, schema) for feature in found})

    def estimate(self, action: int) -> int | None:
        guide = self.space.evaluate("hmax", self.successors[action])[1]
        return None if guide is None else self.task.cost[action] + int(guide)

    def link(self, schema: int, arguments: list[str], atom: Atom, label: int) -> int | None:
        if len(set(atom[1:]) & set(arguments)) < 2:
            return None
        marks = (arguments.index(o) + 1 if o in arguments else self.colours[0][o] for o in atom[1:])
        return join(LINK, schema, label, *marks)

    def changes(self, action: int) -> list[tuple[int, int]]:
        """Pairs of a fact that the action replaces, and the new fact."""
        task = self.task
        now = [task.first_fact[variable] + value for variable, value in enumerate(self.values)]
        variable_of = [v for v, size in enumerate(task.domain_size) for _ in range(size)]
        return [
            (now[variable_of[fact]], fact)
            for fact, condition in task.effects[action]
            if now[variable_of[fact]] != fact and all(each in now for each in condition)
        ]

    def effects(self, action: int) -> set[int]:
        found = set()
        for change in self.changes(action):
            for each, adds in zip(change, (0, 1), strict=True):
                atom = self.facts[each]
                if atom:
                    goal = {None: 0, True: 1, False: 2}[self.goals.get(atom)]
                    found.add(join(EFFECT, name(atom[0]), 2 * goal + adds))
        return found
