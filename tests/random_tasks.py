"""Small random PDDL tasks, well-formed and solvable or not, for tests of everything that reads PDDL.

    task = random_task(seed=7, features=Features(derived=False))

The same seed and features give the same task. There are few objects and predicates, so state spaces are small.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from itertools import product
from random import Random

from hypothesis import strategies

from fsplan.pddl.names import closure
from fsplan.pddl.strata import reverse
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
from fsplan.planner.plans.plan_files import Step
from fsplan.planner.plans.validate import PlanExecution

OBJECT = ("object",)


@dataclass(frozen=True)
class Features:
    """The PDDL features that the task may use."""

    typing: bool = True
    either: bool = True
    constants: bool = True
    equality: bool = True
    negative: bool = True
    disjunctive: bool = True
    quantifiers: bool = True
    conditional: bool = True
    universal: bool = True
    costs: bool = True
    derived: bool = True


STRIPS = Features(*[False] * len(fields(Features)))


def random_task(seed: int, features: Features = Features()) -> Problem:  # noqa: B008 (it is frozen)
    return Maker(Random(seed), features).make()


def random_tasks() -> strategies.SearchStrategy[Problem]:
    """A hypothesis strategy over seeds and features."""
    every = strategies.builds(Features, **{field.name: strategies.booleans() for field in fields(Features)})
    return strategies.builds(random_task, strategies.integers(0, 2**32), every)


class Maker:
    """Builds one task in this order: types, objects, predicates, rules, actions, init, goal."""

    def __init__(self, random: Random, features: Features) -> None:
        self.random, self.features = random, features
        self.domain = Domain("random-domain")
        self.problem = Problem("random-problem", self.domain)
        self.derived: list[str] = []
        self.count = 0

    def make(self) -> Problem:
        self._types()
        self._objects()
        self._predicates()
        self._functions()
        for level in range(len(self.derived)):
            self._rules(level)
        for number in range(self.random.randint(1, 4)):
            self._action(f"act{number}")
        self._init()
        self._goal()
        return self.problem

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def _types(self) -> None:
        if self.features.typing:
            for number in range(self.random.randint(1, 3)):
                above = self.random.choice(list(self.domain.types))
                self.domain.types[f"type{number}"] = (above,)

    def _some_types(self) -> tuple[str, ...]:
        known = list(self.domain.types)
        if self.features.either and len(known) > 2 and self._chance(0.15):
            return tuple(self.random.sample(known[1:], 2))
        return (self.random.choice(known),)

    def _objects(self) -> None:
        for number in range(self.random.randint(2, 4)):
            name = f"o{number}"
            constant = self.features.constants and self._chance(0.3)
            table = self.domain.constants if constant else self.problem.objects
            table[name] = Typed(name, self._some_types())

    def _everything(self) -> dict[str, Typed]:
        return self.domain.constants | self.problem.objects

    def _predicates(self) -> None:
        for number in range(self.random.randint(2, 4)):
            self._declare(f"p{number}", self.random.choice([0, 1, 1, 2, 2]))
        if self.features.derived:
            for number in range(self.random.randint(1, 3)):
                self._declare(f"d{number}", self.random.choice([0, 1, 2]))
                self.derived.append(f"d{number}")

    def _declare(self, name: str, arity: int) -> None:
        parameters = [Typed(f"?a{place}", self._some_types()) for place in range(arity)]
        self.domain.predicates[name] = Signature(name, parameters)

    def _functions(self) -> None:
        if not self.features.costs:
            return
        self.problem.use_costs = self._chance(0.8)
        self.domain.functions["total-cost"] = Signature("total-cost", [])
        function = Signature("price", [Typed("?a", self._some_types()) for _ in range(self.random.randint(0, 2))])
        self.domain.functions["price"] = function
        for arguments in product(*(self._objects_of(parameter.types) for parameter in function.parameters)):
            call = ("price", *arguments)
            self.problem.costs[call] = self.random.randint(0, 5)

    def _below(self, types: tuple[str, ...]) -> set[str]:
        return set(closure(types, reverse(self.domain.types)))

    def _objects_of(self, types: tuple[str, ...]) -> list[str]:
        below = self._below(types)
        return [name for name, entry in self._everything().items() if not below.isdisjoint(entry.types)]

    def _variables(self, count: int) -> list[Typed]:
        self.count += 1
        return [Typed(f"?v{self.count}-{place}", self._some_types()) for place in range(count)]

    def _call(self, signature: Signature, scope: list[Typed]) -> tuple[str, ...] | None:
        """Arguments of the right types, drawn from the variables in scope and the constants; None if there are none."""
        arguments: list[str] = []
        for parameter in signature.parameters:
            below = self._below(parameter.types)
            known = [*scope, *self.domain.constants.values()]
            suitable = [entry.name for entry in known if below.issuperset(entry.types)]
            if not suitable:
                return None
            arguments.append(self.random.choice(suitable))
        return tuple(arguments)

    def _atom(self, names: Iterable[str], scope: list[Typed]) -> Atom | None:
        name = self.random.choice(list(names))
        arguments = self._call(self.domain.predicates[name], scope)
        return None if arguments is None else Atom(name, arguments)

    def _formula(self, scope: list[Typed], depth: int, level: int | None = None, positive: bool = True) -> Formula:
        """A formula; in a rule of derived predicate `level`, one that keeps the rules stratified."""
        features = self.features
        kinds = ["atom"] * 4
        if depth:
            kinds += ["and"] * 2 + ["or", "imply"] * features.disjunctive + ["not"] * 2 * features.negative
            kinds += ["forall", "exists"] * features.quantifiers
        if features.equality and scope:
            kinds.append("equal")
        kind = self.random.choice(kinds)
        if kind == "not":
            return Not(self._formula(scope, depth - 1, level, not positive))
        if kind in ("and", "or"):
            parts = [self._formula(scope, depth - 1, level, positive) for _ in range(self.random.randint(0, 3))]
            return And(parts) if kind == "and" else Or(parts)
        if kind == "imply":
            left = self._formula(scope, depth - 1, level, not positive)
            return Imply(left, self._formula(scope, depth - 1, level, positive))
        if kind in ("forall", "exists"):
            variables = self._variables(self.random.randint(1, 2))
            part = self._formula([*scope, *variables], depth - 1, level, positive)
            return Forall(variables, part) if kind == "forall" else Exists(variables, part)
        if kind == "equal":
            return Equal(self.random.choice(scope).name, self.random.choice(scope).name)
        return self._atom(self._usable(level, positive), scope) or And([])

    def _usable(self, level: int | None, positive: bool) -> list[str]:
        if level is None:
            return list(self.domain.predicates)
        above = self.derived[level + positive :]
        return [name for name in self.domain.predicates if name not in above]

    def _rules(self, level: int) -> None:
        declared = self.domain.predicates[self.derived[level]]
        for _ in range(self.random.randint(1, 2)):
            self.count += 1
            head = [
                Typed(f"?h{self.count}-{place}", parameter.types) for place, parameter in enumerate(declared.parameters)
            ]
            body = self._formula(head, 3, level)
            self.domain.derived.append(Derived(Signature(declared.name, head), body))

    def _action(self, name: str) -> None:
        parameters = self._variables(self.random.randint(0, 3))
        precondition = self._precondition(parameters)
        effects = [
            effect
            for _ in range(self.random.randint(1, 4))
            for effect in self._effect(parameters, self.random.randint(0, 2))
        ]
        if self.features.costs and self._chance(0.8):
            effects.append(self._cost(parameters))
        self.domain.actions[name] = Action(name, parameters, precondition, effects)

    def _precondition(self, scope: list[Typed]) -> Formula:
        if self._chance(0.2):
            return self._formula(scope, 3)
        return And([self._formula(scope, self.random.randint(0, 1)) for _ in range(self.random.randint(0, 2))])

    def _effect(self, scope: list[Typed], depth: int) -> list[Effect]:
        features = self.features
        kinds = ["add"] * 3 + ["delete"] * 2
        if depth:
            kinds += ["when"] * 2 * features.conditional + ["forall"] * features.universal
        kind = self.random.choice(kinds)
        if kind == "when":
            return [When(self._formula(scope, 1), self._effect(scope, depth - 1))]
        if kind == "forall":
            variables = self._variables(1)
            return [ForallEffect(variables, self._effect([*scope, *variables], depth - 1))]
        atom = self._atom([name for name in self.domain.predicates if name not in self.derived], scope)
        if atom is None:
            return []
        return [Add(atom)] if kind == "add" else [Delete(atom)]

    def _cost(self, scope: list[Typed]) -> Increase:
        arguments = self._call(self.domain.functions["price"], scope)
        if arguments is None or self._chance(0.5):
            return Increase(Number(self.random.randint(0, 5)))
        return Increase(Term("price", arguments))

    def _init(self) -> None:
        for name, signature in self.domain.predicates.items():
            if name in self.derived:
                continue
            for arguments in product(*(self._objects_of(parameter.types) for parameter in signature.parameters)):
                if self._chance(0.3):
                    self.problem.init.append((name, *arguments))

    def _goal(self) -> None:
        """Often, the goal consists of atoms that become true on a random walk, so that there is a plan.

        Otherwise it is a random formula, which is rarely true in the initial state.
        """
        start = PlanExecution(self.problem)
        new = sorted(self._walk() - start.world.true_atoms())
        if new and self._chance(0.7):
            wanted = self.random.sample(new, min(len(new), 2))
            self.problem.goal = And([Atom(name, arguments) for name, arguments in wanted])
            return
        for _ in range(4):
            self.problem.goal = self._ground_formula()
            if any(start.false_parts(self.problem.goal, {})):
                return

    def _ground_formula(self) -> Formula:
        everything = list(self._everything().values())
        bound = {f"?g{place}": entry.name for place, entry in enumerate(everything)}
        scope = [Typed(f"?g{place}", entry.types) for place, entry in enumerate(everything)]
        return replaced(self._formula(scope, 2), bound)

    def _walk(self) -> set[tuple[str, tuple[str, ...]]]:
        """The atoms that are true after a random walk of up to six steps."""
        run = PlanExecution(self.problem)
        for _ in range(6):
            steps = [step for action in self.domain.actions.values() for step in self._steps(run, action)]
            if not steps:
                break
            run.take(self.random.choice(steps))
        return run.world.true_atoms()

    def _steps(self, run: PlanExecution, action: Action) -> list[Step]:
        variables = {entry.name: run.world.objects_of(entry.types) for entry in action.parameters}
        found = run.world.solutions(run.world.prepare(action.precondition), variables, {})
        return [Step(action.name, tuple(binding[entry.name] for entry in action.parameters), 0) for binding in found]


def with_twins(problem: Problem, random: Random, count: int = 2) -> Problem:
    """Adds objects that are interchangeable with one of the task's objects, and returns the task.

    The twins have the same types, static atoms, function values and goals; their other initial atoms may differ.
    """
    objects = list(problem.objects)
    if not objects:
        return problem
    chosen = random.choice(objects)
    twins = [chosen, *(f"{chosen}-{number}" for number in range(count))]
    problem.objects |= {name: Typed(name, problem.objects[chosen].types) for name in twins}
    changed = {name for action in problem.domain.actions.values() for name in _changed_by(action.effects)}

    def copies(words: tuple[str, ...]) -> list[tuple[str, ...]]:
        return list(product(*(twins if word == chosen else [word] for word in words)))

    every = [copy for atom in problem.init for copy in copies(atom)]
    problem.init[:] = [atom for atom in every if atom[0] not in changed or random.random() < 0.6]
    problem.costs = {copy: value for call, value in problem.costs.items() for copy in copies(call)}
    problem.goal = And([replaced(problem.goal, {chosen: name}) for name in twins])
    return problem


def with_mirror_image(problem: Problem, random: Random) -> Problem:
    """Adds a mirror image `x-m` of every object x of the problem, and returns the task.

    Exchanging all objects with their images at once is a symmetry. Exchanging a single object with its image is not, if
    an action has two parameters: the action is applicable only to objects on the same side of the mirror.
    """
    names = [*problem.objects, *problem.domain.constants]
    problem.domain.predicates["same-side"] = Signature(
        "same-side", [Typed("?a", ("object",)), Typed("?b", ("object",))]
    )
    problem.init += [("same-side", *pair) for pair in product(names, repeat=2)]
    for action in problem.domain.actions.values():
        if len(action.parameters) > 1:
            near = Atom("same-side", (action.parameters[0].name, action.parameters[1].name))
            action.precondition = And([near, action.precondition])
    image = {name: f"{name}-m" for name in problem.objects}
    problem.objects |= {image[name]: Typed(image[name], problem.objects[name].types) for name in image}
    changed = {name for action in problem.domain.actions.values() for name in _changed_by(action.effects)}
    mirrored = [(atom[0], *(image.get(word, word) for word in atom[1:])) for atom in problem.init]
    both = dict.fromkeys([*problem.init, *mirrored])
    problem.init[:] = [atom for atom in both if atom[0] not in changed or random.random() < 0.6]
    problem.costs = {
        (call[0], *words): value
        for call, value in problem.costs.items()
        for words in product(*([word, image[word]] if word in image else [word] for word in call[1:]))
    }
    problem.goal = And([problem.goal, replaced(problem.goal, image)])
    return problem


def _changed_by(effects: Iterable[Effect]) -> Iterable[str]:
    for effect in effects:
        if isinstance(effect, (Add, Delete)):
            yield effect.atom.predicate
        elif isinstance(effect, (When, ForallEffect)):
            yield from _changed_by(effect.effects)


def replaced(formula: Formula, bound: dict[str, str]) -> Formula:
    """The formula with objects substituted for variables; no quantifier may bind one of these variables again."""
    if isinstance(formula, Atom):
        return Atom(formula.predicate, tuple(bound.get(term, term) for term in formula.arguments))
    if isinstance(formula, Equal):
        return Equal(bound.get(formula.left, formula.left), bound.get(formula.right, formula.right))
    if isinstance(formula, Not):
        return Not(replaced(formula.part, bound))
    if isinstance(formula, Imply):
        return Imply(replaced(formula.left, bound), replaced(formula.right, bound))
    if isinstance(formula, (Forall, Exists)):
        return type(formula)(formula.variables, replaced(formula.part, bound))
    return type(formula)([replaced(part, bound) for part in formula.parts])
