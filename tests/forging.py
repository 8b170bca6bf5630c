"""Generates forged proofs to test that the proof checkers are sound: a checker may accept only true bounds.

A target is a tiny task whose optimal cost is computed by an independent program (lifted_oracle.py for PDDL, SasTask
here, breadth-first search for puzzles). A forged proof claims a bound above the optimal cost. The forger makes such
proofs in two ways: it calls the checker's own functions for successors, charges and values, and writes the strongest
proof that a checker with one missing test would accept; and it changes lines of proofs that the planner wrote ("honest"
proofs). `forge(checkers, random)` is an infinite iterator of forged proofs; `Forgery.falsehood` checks whether one is
accepted. checker_mutants.py shows that the forger finds errors: it runs it against checkers with an error built in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from itertools import product
from math import inf
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any

from differential import COST, features_of
from lifted_oracle import Oracle, cheapest
from random_tasks import random_task, with_mirror_image, with_twins

from fsplan.pddl import parse_task, write_domain, write_problem
from fsplan.pddl.costs import in_units
from fsplan.pddl.syntax import (
    Action,
    Add,
    And,
    Atom,
    Delete,
    Derived,
    Domain,
    Exists,
    Forall,
    ForallEffect,
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
from fsplan.planner.proofs import check, check_puzzle, check_sas
from fsplan.planner.proofs.writer import ProofWriter
from fsplan.planner.sources.pddl import from_pddl
from fsplan.planner.tasks.sas import parse_sas
from fsplan.planner.tasks.task import from_ground

if TYPE_CHECKING:
    from fsplan.pddl.syntax import Effect, Formula

MOST_STATES, MOST_ATOMS, MOST_ACTIONS = 60, 12, 24
Lines = list[str]
Bound = Fraction | float


@dataclass(frozen=True)
class Checkers:
    """The checkers that are tested, as Python modules."""

    pddl: ModuleType = check
    sas: ModuleType = check_sas
    puzzle: ModuleType = check_puzzle


@dataclass
class Forgery:
    """A proof, the function that checks it, and the correct answers: the optimum `best` and the cost of the plan."""

    kind: str
    lines: Lines
    verify: Callable[[Lines, str | None], Any]
    refusals: tuple[type[Exception], ...]
    best: Bound
    plan: str | None = None
    plan_cost: Bound = inf
    task: tuple[str, ...] = ()
    outcome: str = ""

    def falsehood(self) -> str | None:
        """The false statement that the checker makes; None if it refuses the proof or is right. Sets `outcome`."""
        self.outcome = "refused"
        try:
            verdict = self.verify(self.lines, self.plan)
        except self.refusals:
            return None
        self.outcome = "accepted"
        if verdict.bound > self.best:
            return f"accepted the bound {verdict.bound}, but the optimum is {self.best}"
        if self.plan is not None and verdict.cost != self.plan_cost:
            return f"accepted the plan with cost {verdict.cost}, but it costs {self.plan_cost}"
        return None

    @property
    def is_honest(self) -> bool:
        return self.kind.endswith("honest")


@dataclass
class Target:
    """A ground task as the checker represents it, with its true optimal cost."""

    kind: str
    checker: ModuleType
    ground: Any
    best: Bound
    plan: str
    honest: list[Lines]
    texts: tuple[str, ...]

    def verify(self, lines: Lines, plan: str | None) -> Any:
        return self.checker.judged(self.copied(), lines, plan)

    def copied(self) -> Any:
        """A copy of the ground task, as checking a proof changes it."""
        ground, operator = copy(self.ground), self.checker.Operator
        for name in ("actions", "rules"):
            old = getattr(ground, name)
            setattr(ground, name, [operator(each.name, each.precondition, each.effects, each.cost) for each in old])
        ground.goal = list(ground.goal)
        return ground

    def forgery(self, kind: str, lines: Lines, with_plan: bool) -> Forgery:
        refusals = (self.checker.Refuted, self.checker.Malformed, self.checker.BadTask)
        plan = self.plan if with_plan else None
        return Forgery(f"{self.kind}: {kind}", lines, self.verify, refusals, self.best, plan, self.best, self.texts)


# Targets in PDDL


def pddl_target(checker: ModuleType, random: Random) -> Target | None:
    seed = random.randrange(10**6)
    problem = tiny_problem(random) if random.random() < 0.7 else random_task(seed, features_of(seed))
    if random.random() < 0.03:
        problem = badge_problem(random)
    elif random.random() < 0.4:
        mirrored = len(problem.objects) == 2 and random.random() < 0.3
        problem = with_mirror_image(problem, random) if mirrored else with_twins(problem, random, count=1)
        problem = nearly_symmetric(random, problem)
    found = Oracle(problem).cheapest_plan(MOST_STATES)
    if found is None or found[0] == inf:
        return None
    domain, text = write_domain(problem.domain), write_problem(problem)
    best, unit = found[0], 10 if random.random() < 0.3 and problem.use_costs else 1
    if unit > 1:
        domain, text = (COST.sub(lambda cost: f"{cost[1]}{int(cost[2]) / 10})", each) for each in (domain, text))
    odd = random.random() < 0.7
    texts = (odd_text(random, domain), odd_text(random, text)) if odd else (domain, text)
    plan = "".join(f"({step})\n" for step in found[1])
    try:
        ground = checker.Ground(checker.Pddl(*texts))
    except (checker.BadTask, LookupError, TypeError, ValueError, ArithmeticError, RuntimeError):
        return None
    if len(ground.atoms) > MOST_ATOMS or len(ground.actions) > MOST_ACTIONS:
        return None
    is_honest = random.random() < 0.5  # writing a proof takes longer than forging one
    honest = [honest_proof(from_pddl(parse_task(domain, text)), best / unit)] if is_honest else []
    return Target("odd pddl" if odd else "pddl", checker, ground, best / unit, plan, honest, texts)


def tiny_problem(random: Random) -> Problem:
    """A random task of few atoms and many features: effects on one atom, mutually dependent rules, disjunctive
    goals."""
    domain = Domain("tiny")
    problem = Problem("tiny", domain)
    problem.use_costs = random.random() < 0.7
    domain.types |= {"thing": ("object",), "nothing": ("object",)}
    names = ["o0", "o1"][: random.choice([1, 2, 2, 2])]
    for name in names:
        (domain.constants if random.random() < 0.5 else problem.objects)[name] = Typed(name, ("thing",))
    arity = {"p": random.choice([0, 1, 1, 1]), "q": random.choice([0, 1, 1]), "r": 0, "d": random.randint(0, 1), "e": 0}
    arity |= {"u": 0, "v": 0}
    derived = ["d", "e"][: random.choice([0, 1, 2, 2])]
    basic = ["p", "q", "r"]
    for name in [*basic, *derived, "u", "v"]:
        domain.predicates[name] = Signature(name, [Typed("?a", ("object",))] * arity[name])

    def atom(predicates: list[str], scope: list[str]) -> Atom:
        known = [*scope, *domain.constants]
        usable = [name for name in predicates if not arity[name] or known]
        name = random.choice(usable or ["r"])
        return Atom(name, (random.choice(known),) if arity[name] else ())

    def literals(predicates: list[str], scope: list[str], most: int, negatable: list[str]) -> list[Formula]:
        chosen = [atom(predicates, scope) for _ in range(random.randint(0, most))]
        return [Not(each) if each.predicate in negatable and random.random() < 0.4 else each for each in chosen]

    def condition(scope: list[str], most: int) -> Formula:
        every = [*basic, *derived]
        parts = literals(every, scope, most, every)
        kind = random.randrange(8)
        if kind == 0 and len(parts) > 1:
            return Or(parts)
        if kind == 1:
            variable = scope[0] if scope and random.random() < 0.5 else "?z"
            of = [Typed(variable, (random.choice(["thing", "thing", "nothing"]),))]
            inner = And(literals(every, [variable], 1, every))
            return And([*parts, random.choice([Forall, Exists])(of, inner)])
        return And(parts)

    def effect(scope: list[str], depth: int, least: int = 0) -> Effect:
        kind = random.randint(least, 5) if depth else 5
        if kind < 2:
            return When(condition(scope, 2), [effect(scope, depth - 1, least=random.choice([0, 2, 2]))])
        if kind == 2:
            variable = scope[0] if scope and random.random() < 0.7 else "?y"
            return ForallEffect([Typed(variable, ("thing",))], [effect([variable], depth - 1)])
        return random.choice([Add, Add, Delete])(atom(basic, scope))

    for place, name in enumerate(derived):
        for _ in range(random.randint(1, 2)):
            own = ["?h"] if arity[name] else []
            body = literals([*basic, *derived[: place + 1]], own, 2, [*basic, *derived[:place]])
            head = Signature(name, [Typed("?h", ("thing",))] * arity[name])
            domain.derived.append(Derived(head, Or([And(body), *literals(basic, own, 1, basic)])))

    def add_action(scope: list[str], precondition: Formula, effects: list[Effect]) -> None:
        if problem.use_costs or random.random() < 0.3:
            domain.functions["total-cost"] = Signature("total-cost", [])
            effects = [*effects, Increase(Number(random.randint(0, 3)))]
        name, parameters = f"a{len(domain.actions)}", [Typed(name, ("thing",)) for name in scope]
        domain.actions[name] = Action(name, parameters, precondition, effects)

    def twist() -> list[Formula]:
        """Adds actions that an unsound checker is likely to misjudge; returns conditions that the goal shall contain.

        Most of them change the atoms (u) and (v), which no other action changes.
        """
        kind, u, v, given = random.randrange(5), Atom("u", ()), Atom("v", ()), condition([], 1)
        if kind == 0:  # in (when (p ?x) (forall (?x) …)) the condition refers to the outer ?x
            scope, own = ["?x"], atom(["p", "q"], ["?x"])
            outer = When(atom(["p", "q"], ["?x"]), [ForallEffect([Typed("?x", ("thing",))], [Add(own)])])
            add_action(scope, given, [outer])
            return [Forall([Typed("?x", ("thing",))], own)]
        if kind == 1:  # (u) and (v) would be mutex if a delete effect were unconditional
            add_action([], given, [Add(u), When(condition([], 1), [Delete(v)])])
            add_action([], condition([], 1), [Add(v), Delete(u)])
            return [u, v]
        if kind == 2:  # a conditional add effect overrides a delete effect
            add_action([], And([u, given]), [Delete(u), When(condition([], 1), [Add(u)]), Add(v)])
            return [u, v]
        add_action([], And([u, given]), [Delete(u), Add(v)])
        if kind == 3 or len(derived) < 2:  # (u) is consumed and never added again
            add_action([], condition([], 1), [Add(atom(basic, []))])
            return [v]
        d = Exists([Typed("?z", ("thing",))], Atom("d", ("?z",))) if arity["d"] else Atom("d", ())
        heads = [Signature("d", [Typed("?h", ("thing",))] * arity["d"]), Signature("e", [])]
        reads = random.random() < 0.5  # the rule of (e) needs (d), or else (not (d))
        alternatives = [And([v, *literals(basic, [], 1, basic)]) for _ in range(random.randint(1, 3))]
        bodies = [Or(alternatives), Or([d if reads else Not(d)])]
        domain.derived[:] = [Derived(head, body) for head, body in zip(heads, bodies, strict=True)]
        return [Atom("e", ()) if reads else Not(Atom("e", ()))]

    for _ in range(random.randint(1, 4)):
        scope = ["?x"] if random.random() < 0.5 else []
        add_action(scope, condition(scope, 2), [effect(scope, 2) for _ in range(random.randint(1, 4))])
    needed = twist() if random.random() < 0.5 else []
    problem.init += [("u",)] if random.random() < 0.7 else []
    for name in basic:
        for values in product(names, repeat=arity[name]):
            if random.random() < 0.4:
                problem.init.append((name, *values))
    problem.goal = And([*needed, condition([], 1)]) if needed else condition([], 3)
    return problem


def nearly_symmetric(random: Random, problem: Problem) -> Problem:
    """The task with at most one change, which may make two interchangeable objects distinguishable."""
    kind = random.randrange(5)
    if kind == 0 and problem.init:
        problem.init.remove(random.choice(problem.init))
    elif kind == 1 and problem.costs:
        problem.costs[random.choice(list(problem.costs))] = random.randint(0, 5)
    elif kind == 2 and isinstance(problem.goal, And) and problem.goal.parts:
        problem.goal = And(random.sample(problem.goal.parts, len(problem.goal.parts) - 1))
    elif kind == 3:
        add_tolls(random, problem)
    elif kind == 4 and random.random() < 0.5:
        add_privilege(random, problem)
    return problem


def add_tolls(random: Random, problem: Problem) -> None:
    """Adds plans that differ only in the cost of their second step: pick any one object, then pay its toll.

    A proof may claim that objects with different tolls are interchangeable. This claim is false, and the checker must
    refuse it.
    """
    domain, begun, passed, picked = problem.domain, Atom("begun", ()), Atom("passed", ()), Atom("picked", ("?x",))
    of_object = [Typed("?x", ("object",))]
    domain.predicates |= {name: Signature(name, []) for name in ("begun", "passed")}
    domain.predicates["picked"] = Signature("picked", of_object)
    domain.functions |= {"total-cost": Signature("total-cost", []), "toll": Signature("toll", of_object)}
    domain.actions["pick"] = Action("pick", of_object, Not(begun), [Add(begun), Add(picked)])
    domain.actions["pay"] = Action("pay", of_object, picked, [Add(passed), Increase(Term("toll", ("?x",)))])
    problem.costs |= {("toll", name): random.randint(0, 3) for name in [*problem.objects, *domain.constants]}
    problem.goal, problem.use_costs = And([problem.goal, passed]), True


def add_privilege(random: Random, problem: Problem) -> None:
    """Adds a goal that a rule derives if one particular object is chosen; any object can be chosen, but only one.

    A proof may claim that this object is like the others. This claim is false, and only the rule shows it.
    """
    domain, chosen, special = problem.domain, Atom("chosen", ("?x",)), Atom("special", ("?x",))
    of_object, names = [Typed("?x", ("object",))], [*problem.objects, *domain.constants]
    domain.predicates |= {name: Signature(name, []) for name in ("decided", "served")}
    domain.predicates |= {name: Signature(name, of_object) for name in ("chosen", "special")}
    decided = Atom("decided", ())
    domain.actions["choose"] = Action("choose", of_object, Not(decided), [Add(decided), Add(chosen)])
    domain.derived.append(Derived(Signature("served", []), Exists(of_object, And([chosen, special]))))
    problem.init.append(Atom("special", (random.choice(names),)))
    problem.goal = And([problem.goal, Atom("served", ())])


def badge_problem(random: Random) -> Problem:
    """A task with a mutex group that one object violates, although the object looks like the others.

    Every object can get a badge after the door was used, and one object has a badge initially. Making a badge deletes
    (new). So (new) and (badge a) are mutex for every object a except the one with the initial badge. If a proof
    exchanges an object a with that one and keeps the mutex group, then the representative of the initial state violates
    the group, until the badge is lost at a cost.
    """
    domain = Domain("badges")
    problem, of_object = Problem("badges", domain), [Typed("?x", ("object",))]
    new, badge, passed = Atom("new", ()), Atom("badge", ("?x",)), Atom("passed", ())
    domain.predicates |= {name: Signature(name, []) for name in ("new", "passed")}
    domain.predicates["badge"] = Signature("badge", of_object)
    domain.functions["total-cost"] = Signature("total-cost", [])
    domain.actions["pass"] = Action("pass", [], And([]), [Add(passed)])
    domain.actions["make"] = Action("make", of_object, passed, [Add(badge), Delete(new)])
    domain.actions["lose"] = Action("lose", of_object, And([]), [Delete(badge), Increase(Number(random.randint(1, 3)))])
    problem.objects |= {name: Typed(name, ("object",)) for name in ("o0", "o1", "o2")[: random.choice([2, 2, 3])]}
    problem.init += [("new",), ("badge", random.choice(list(problem.objects)))]
    problem.goal, problem.use_costs = passed, random.random() < 0.5
    return problem


def honest_proof(task: Any, best: Bound) -> Lines:
    """The lines of the proof that the planner writes."""
    writer, target = ProofWriter(task, None, None), in_units(best, task.cost_denominator)
    proof, text = next(proof for proof in writer.proofs(target) if proof.bound == target), list[str]()
    proof.write(text.append)
    return [*(f"{line}\n" for line in writer.atoms.header(proof.bound)), *"".join(text).splitlines(True), "end\n"]


def nested(text: str) -> Any:
    """Parses PDDL text, as the writer produces it, into nested lists."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(token)
    return stack[0][0]


def shadowed(random: Random, form: Any, outer: list[str]) -> Any:
    """The PDDL list with quantified variables renamed to outer variables that do not occur in the quantified part."""
    if not isinstance(form, list) or not form:
        return form
    if form[0] == ":action":
        parameters = form[form.index(":parameters") + 1] if ":parameters" in form else []
        outer = [word for word in parameters if isinstance(word, str) and word[0] == "?"]
    if form[0] == ":derived":
        outer = [word for word in form[1][1:] if isinstance(word, str) and word[0] == "?"]
    if form[0] not in ("forall", "exists") or random.random() < 0.3:
        return [shadowed(random, part, outer) for part in form]
    own = [word for word in form[1] if isinstance(word, str) and word[0] == "?"]
    free = [name for name in outer if name not in str(form[2]).replace("'", " ").split() and name not in own]
    free = [name for name in free if f"'{name}'" not in str(form[2])]
    if not free or not own:
        return [form[0], form[1], shadowed(random, form[2], outer + own)]
    old, new = random.choice(own), random.choice(free)
    form = renamed(form, old, new)
    return [form[0], form[1], shadowed(random, form[2], outer)]


def renamed(form: Any, old: str, new: str) -> Any:
    return [renamed(part, old, new) for part in form] if isinstance(form, list) else new if form == old else form


def odd_text(random: Random, text: str) -> str:
    """The same task as a different text: case, blanks, comments, shadowed variables, the order of rules and the
    division into sections are changed."""
    form = shadowed(random, nested(text), [])
    sections = form[2:]
    for section in list(sections):
        if section[0] in (":objects", ":constants", ":predicates") and random.random() < 0.1:
            sections.insert(sections.index(section), section)
        if section[0] == ":objects" and random.random() < 0.2:
            section.extend(section[1:])
        if section[0] == ":init" and random.random() < 0.2:
            half = random.randrange(1, len(section) + 1)
            sections.insert(sections.index(section), [":init", *section[half:]])
            del section[half:]
    rules = [place for place, section in enumerate(sections) if section[0] == ":derived"]
    shuffled = random.sample([sections[place] for place in rules], len(rules))
    for place, rule in zip(rules, shuffled, strict=True):
        sections[place] = rule
    dress = Dress(random, loud=random.choice([0, 0, 0.5]), tight=random.choice([0, 0.1, 1]))
    mark = "\ufeff" if random.random() < 0.1 else ""
    return mark + dress.text([*form[:2], *sections]) + random.choice(["", "\n", "; the end", ";\r", "\f"])


@dataclass
class Dress:
    """Writes nested lists as PDDL with odd white space, comments and upper-case letters."""

    random: Random
    loud: float
    tight: float

    def text(self, form: Any) -> str:
        if not isinstance(form, list):
            return str(form).upper() if self.random.random() < self.loud else str(form)
        words = [self.text(part) for part in form]
        pairs = zip(form, form[1:], words[1:], strict=False)
        text = "".join(["(", *words[:1], *(self._gap(one, other) + word for one, other, word in pairs), ")"])
        return f"; a comment\r{text}\n" if self.random.random() < 0.02 else text

    def _gap(self, before: Any, after: Any) -> str:
        lists = isinstance(before, list) or isinstance(after, list)
        if (lists or (after[0] == "?" and before != "-")) and self.random.random() < self.tight:
            return ""
        odd = ["\n", "\t", "\r\n", "\r", "  ", "; (\n", ";)\r", "; x\r\n", ";;\n", "\v", "\f"]
        return " " if self.random.random() < 0.95 else self.random.choice(odd)


# Targets in SAS

Fact = tuple[int, int]


@dataclass
class SasTask:
    """A random finite-domain task: a plain implementation of its semantics, and its text as a .sas file."""

    random: Random
    sizes: list[int] = field(default_factory=list)
    layers: list[int] = field(default_factory=list)
    initial: list[int] = field(default_factory=list)
    operators: list[tuple[str, list[Fact], list[tuple[list[Fact], int, int, int]], int]] = field(default_factory=list)
    rules: list[tuple[list[Fact], int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        random = self.random
        basic, derived = random.randint(1, 3), random.choice([0, 0, 1, 2])
        self.sizes = [random.randint(2, 3) for _ in range(basic)] + [2] * derived
        self.layers = [-1] * basic + sorted(random.randint(0, 1) for _ in range(derived))
        self.initial = [random.randrange(size) for size in self.sizes]
        self.has_costs = random.random() < 0.8
        for variable in range(basic, basic + derived):
            for _ in range(random.randint(1, 2)):
                self.rules.append((self._body(variable), variable))
        for number in range(random.randint(2, 5)):
            self._operator(f"act {number}", basic)
        self.goal = self._facts(random.randint(1, 2))

    def _facts(self, count: int) -> list[Fact]:
        variables = self.random.sample(range(len(self.sizes)), min(count, len(self.sizes)))
        return [(variable, self.random.randrange(self.sizes[variable])) for variable in sorted(variables)]

    def _body(self, head: int) -> list[Fact]:
        """Facts that a rule may use: non-default values of its own layer, and all values of lower layers."""
        return [
            (variable, value)
            for variable, value in self._facts(self.random.randint(0, 2))
            if self.layers[variable] + (self.layers[variable] >= 0 and value == self.initial[variable])
            <= self.layers[head]
        ]

    def _operator(self, name: str, basic: int) -> None:
        random, effects = self.random, list[tuple[list[Fact], int, int, int]]()
        for variable in random.sample(range(basic), random.randint(1, min(2, basic))):
            before = random.choice([-1, -1, random.randrange(self.sizes[variable])])
            conditions = self._facts(random.choice([0, 0, 1, 2]))
            effects.append((conditions, variable, before, random.randrange(self.sizes[variable])))
        changed = {variable: before for _, variable, before, _ in effects}
        prevail = [fact for fact in self._facts(random.randint(0, 2)) if changed.get(fact[0], -1) == -1]
        self.operators.append((name, prevail, effects, random.randrange(4)))

    def full(self, state: tuple[int, ...]) -> list[int]:
        """The state with the values of the derived variables, which are computed layer by layer."""
        values = [*state, *self.initial[len(state) :]]
        for layer in sorted({*self.layers} - {-1}):
            before = None
            while before != values:
                before = list(values)
                for body, head in self.rules:
                    if self.layers[head] == layer and all(values[variable] == value for variable, value in body):
                        values[head] = 1 - self.initial[head]
        return values

    def holds(self, facts: list[Fact], values: list[int]) -> bool:
        return all(values[variable] == value for variable, value in facts)

    def steps(self, state: tuple[int, ...]) -> Iterator[tuple[str, int, tuple[int, ...]]]:
        values = self.full(state)
        for name, prevail, effects, cost in self.operators:
            given = prevail + [(variable, before) for _, variable, before, _ in effects if before >= 0]
            if self.holds(given, values):
                after = list(state)
                for conditions, variable, _, value in effects:
                    if self.holds(conditions, values):
                        after[variable] = value
                yield name, cost if self.has_costs else 1, tuple(after)

    def start(self) -> tuple[int, ...]:
        return tuple(value for value, layer in zip(self.initial, self.layers, strict=True) if layer < 0)

    def is_goal(self, state: tuple[int, ...]) -> bool:
        return self.holds(self.goal, self.full(state))

    def text(self) -> str:
        lines = ["begin_version", "3", "end_version", "begin_metric", str(int(self.has_costs)), "end_metric"]
        lines.append(str(len(self.sizes)))
        for variable, (size, layer) in enumerate(zip(self.sizes, self.layers, strict=True)):
            names = [f"Atom v{variable}({value})" for value in range(size)]
            lines += ["begin_variable", f"var{variable}", str(layer), str(size), *names, "end_variable"]
        lines += ["0", "begin_state", *map(str, self.initial), "end_state", "begin_goal", *listed(self.goal)]
        lines += ["end_goal", str(len(self.operators))]
        for name, prevail, effects, cost in self.operators:
            lines += ["begin_operator", name, *listed(prevail), str(len(effects))]
            for conditions, *change in effects:
                facts = [number for fact in conditions for number in fact]
                lines.append(" ".join(map(str, [len(conditions), *facts, *change])))
            lines += [str(cost), "end_operator"]
        lines.append(str(len(self.rules)))
        for body, head in self.rules:
            change = f"{head} {self.initial[head]} {1 - self.initial[head]}"
            lines += ["begin_rule", *listed(body), change, "end_rule"]
        return "\n".join(lines) + "\n"


def listed(facts: list[Fact]) -> Lines:
    return [str(len(facts)), *(f"{variable} {value}" for variable, value in facts)]


def sas_target(checkers: Checkers, random: Random) -> Target | None:
    task = SasTask(random)
    found = cheapest(task.start(), task.is_goal, task.steps, 10**3)
    assert found is not None
    if found[0] == inf:
        return None
    text = task.text()
    try:
        ground = checkers.sas.SasGround(text)
    except checkers.pddl.BadTask:
        return None
    honest = [honest_proof(from_ground(parse_sas(text), "forged"), found[0])] if random.random() < 0.5 else []
    plan = "".join(f"({step})\n" for step in found[1])
    return Target("sas", checkers.pddl, ground, found[0], plan, honest, (text,))


# Proofs that are generated line by line, with the checker's own representation of the task


class Forger:
    """Writes one proof: a header, evidence, and the states that the checker's own successor function reaches."""

    def __init__(self, target: Target, random: Random, plain: bool = False) -> None:
        self.target, self.random, self.plain = target, random, plain
        self.tidy = not plain and random.random() < 0.4  # writes only lines that the checker accepts
        self.proof = target.checker.Proof(target.copied())
        self.refusals = (target.checker.Refuted, LookupError, ArithmeticError, TypeError, ValueError)
        self.lines: Lines = []
        self.last = ""

    def make(self) -> Lines:
        """The proof; it ends early if its header is refused."""
        if all(self._try(*line) for line in self._header()) and self.proof.ground.goal:
            self.costs = [int(action.cost) for action in self.proof.ground.actions]
            self._swaps()
            for _ in range(0 if self.plain else self.random.choice([0, 1, 1, 2, 3])):
                self._evidence()
            self._states()
        self._put("end")
        return self.lines

    def _put(self, *words: object) -> None:
        self.lines.append(" ".join(map(str, words)) + "\n")

    def _try(self, *words: object) -> bool:
        """Writes the line if the checker accepts it; one in ten refused lines is written, too."""
        state = self.proof.state
        try:
            self.last = self.proof._read(self.last, *map(str, words))
        except self.refusals:
            self.proof.state = state
            if self.random.random() < 0.9:
                return words[0] in ("never", "one")
            self._put(*words)
            return False
        self._put(*words)
        return True

    def _subset(self, count: int, most: int) -> list[int]:
        chosen = self.random.sample(range(count), min(count, self.random.randint(1, most))) if count else []
        if self.random.random() < 0.03 and chosen:
            chosen = [*chosen, self.random.choice(chosen)] * self.random.randint(1, 2)
        return chosen if self.random.random() < 0.03 else sorted(chosen)

    def _header(self) -> Iterator[tuple[object, ...]]:
        random, ground = self.random, self.proof.ground
        unit = self._unit()
        claim = self.target.best / unit
        if self.plain:
            self.bound, self.listed = int(claim) + 1, len(ground.atoms)
            yield from (("fsplan-proof", 2), ("bound", self.bound), *(("atom", *atom) for atom in ground.atoms))
            yield "task", self.listed, unit
            return
        more_than_claim = [int(claim) + 1] * 6 + [int(claim) + random.randint(2, 5), 10**30, inf]
        self.bound = int(claim) + 1 if self.tidy else random.choice(more_than_claim)
        yield "fsplan-proof", 2
        yield "bound", self.bound
        atoms = [atom for number, atom in enumerate(ground.atoms) if number not in ground.derived]
        random.shuffle(atoms)
        listed = len(atoms) if self.tidy or random.random() < 0.7 else random.randint(0, len(atoms))
        more = [("no", "such"), *(ground.atoms[number] for number in ground.derived)]
        if random.random() < 0.3 and not self.tidy:
            atoms.insert(random.randrange(len(atoms) + 1), random.choice([*more, *more, *ground.atoms]))
        for atom in atoms:
            yield "atom", *atom
        if random.random() < 0.2 and not self.tidy:
            yield "never", *random.choice([self._subset(len(atoms), 2), self._needed(atoms)[:1]])
        if self.tidy:
            yield from [("one", *self._balanced(atoms))] * random.randint(0, 1)
        for _ in range(0 if self.tidy else random.choice([0, 0, 1, 2, 3])):
            group = self._subset(len(atoms), 4) if random.random() < 0.7 else self._needed(atoms)[:2]
            yield "one", *(group if random.random() < 0.8 else group[:1] * 3)
        self.listed = listed if self.tidy else min(len(atoms), max(0, listed + random.choice([0] * 20 + [-1, 1])))
        yield "task", self.listed, unit

    def _needed(self, atoms: list[Any]) -> list[int]:
        """Atoms of one goal or precondition: if the checker believed that they are mutex, it would miss plans."""
        ground = self.proof.ground
        conditions = [*ground.goal * 3, *(action.precondition for action in ground.actions)]
        chosen = {ground.atoms[each // 2] for each in self.random.choice(conditions or [()]) if each % 2 == 0}
        return [place for place, atom in enumerate(atoms) if atom in chosen]

    def _balanced(self, atoms: list[Any]) -> list[int]:
        """An atom that an action adds and one that the same action deletes: such atoms are often mutex."""
        effects = [[literal for _, literal in action.effects] for action in self.proof.ground.actions]
        pairs = [{one // 2, other // 2} for each in effects for one in each for other in each if one % 2 < other % 2]
        chosen = {self.proof.ground.atoms[number] for number in self.random.choice(pairs or [set[int]()])}
        return [place for place, atom in enumerate(atoms) if atom in chosen]

    def _unit(self) -> Fraction:
        denominator = max([action.cost.denominator for action in self.proof.ground.actions], default=1)
        return Fraction(1, denominator) * (
            1 if self.plain or self.tidy else self.random.choice([1] * 8 + [Fraction(1, 2), 2, 3])
        )

    def _swaps(self) -> None:
        """Claims that some objects of the task's atoms are interchangeable, where the checker accepts it."""
        objects = sorted({word for atom in self.proof.ground.atoms for word in atom[1:]})
        for _ in range(self.random.choice([0, 1, 1, 2]) if len(objects) > 1 else 0):
            self._try("swap", *self._swapped(objects))

    def _swapped(self, objects: list[str]) -> list[str]:
        """Objects to be exchanged: an object and its copy, all objects and their mirror images, or random objects."""
        related = [word for name in objects for other in (f"{name}-0", f"{name}-m") if other in objects
                   for word in (name, other)]  # fmt: skip
        if related and self.random.random() < 0.5:
            return related
        count = self.random.choice([2] * 8 + [3, 4])
        return self.random.choices(objects, k=count) if count > 2 else self.random.sample(objects, 2)

    def _evidence(self) -> None:
        """Adds parts of a cost partitioning, and their sum. The share of a part is the greatest one allowed, or 1
        more."""
        random, left = self.random, dict[int, int]()
        denominator = random.choice([1, 1, 1, 1, 2, 3, 0])
        shares = list[tuple[int, int]]()
        for _ in range(random.choice([1, 1, 2, 3, 4])):
            number = len(self.proof.parts)
            if not (self._cut() if random.random() < 0.5 else self._table()):
                continue
            part = self.proof.parts[number]
            try:
                charges = self.proof._charges(part) if part.charges is None else part.charges
            except self.refusals:
                shares += [(number, 1)] if random.random() < 0.05 else []
                continue
            room = [left.get(a, denominator * self.costs[a]) // c for a, c in charges.items() if c > 0]
            share = max(0, min(room, default=random.choice([1, 1, 7])))
            share += random.random() < 0.1
            for action, charge in charges.items():
                left[action] = left.get(action, denominator * self.costs[action]) - share * charge
            shares.append((number, share))
        if random.random() < 0.03 and shares:
            shares.append(random.choice(shares))
        self._try("sum", denominator, *(f"{number}:{share}" for number, share in shares))
        part = self.proof.parts[-1] if self.proof.parts else None
        if isinstance(part, self.target.checker.Table) and random.random() < 0.3:  # a row after the sum is illegal
            self._try("row", 9, *self._toggled(part.last, self.proof.space.start & part.mask))

    def _cut(self) -> bool:
        most = self.random.choice([1, 2, 2, 3])  # largest number of literals of a conjunction
        cut = self._random_cut(most) if self.random.random() < 0.3 else self._goal_cut(most)
        return self._try("cut", *("+".join(map(str, each)) for each in cut))

    def _random_cut(self, most: int) -> list[list[int]]:
        literals = range(2 * len(self.proof.table))
        return sorted(sorted(self._some_of(literals, most)) for _ in range(self.random.randint(0, 4)))

    def _some_of(self, literals: Iterable[int], most: int) -> frozenset[int]:
        candidates = sorted(literals)
        return frozenset(self.random.sample(candidates, min(len(candidates), self.random.randint(1, most))))

    def _goal_cut(self, most: int) -> list[list[int]]:
        """Literals of every goal, and conditions of the actions that achieve them: what is behind a cut of LM-cut, or
        of the relaxation with pairs of facts."""
        number = {self.proof.ground.number.get(atom): place for place, atom in enumerate(self.proof.table)}
        goals = [[each for each in goal if each // 2 in number] for goal in self.proof.ground.goal]
        chosen = {self._some_of(goal, most) for goal in goals if goal and self.random.random() < 0.9}
        for _ in range(self.random.randint(0, 4)):
            for conjunction in sorted(chosen, key=sorted):
                for made in sorted(conjunction):
                    self._add_conditions(chosen, conjunction, made, number, most)
        return sorted(sorted(2 * number[each // 2] + each % 2 for each in conjunction) for conjunction in chosen)

    def _add_conditions(
        self, chosen: set[frozenset[int]], conjunction: frozenset[int], made: int, number: Container[int], most: int
    ) -> None:
        for given, _ in self.proof.achievers[made]:
            known = {each for each in given | (conjunction - {made}) if each // 2 in number and each ^ 1 != made}
            if known and not any(each <= known for each in chosen) and self.random.random() < 0.8:
                chosen.add(self._some_of(known, most))

    def _table(self) -> bool:
        """A table of goal distances in a projection, with the checker's transitions; some tables have one wrong row."""
        random, proof = self.random, self.proof
        bits = self._subset(self.listed, 4) if random.random() < 0.7 else self._bits_of_a_group()
        if not bits or not self._try("table", *bits):
            return False
        mask = proof.parts[-1].mask
        atoms = {number: bit for number, bit in proof.space.bit.items() if mask >> bit & 1}
        chosen = range(len(proof.ground.actions))
        space = self.target.checker.Space(proof.ground, atoms, self.listed, chosen, True)
        change = 12 if self.tidy else random.randrange(12)
        is_start = random.random() < 0.8 and change != 7
        start = random.choice([proof.space.start, proof._representative(proof.space.start)])
        edges = self._edges(space, start & mask if is_start else random.choice(self._corners(bits)))
        values = self._distances(space, edges)
        states = list(values)
        if change == 0 and states:
            del values[random.choice(states)]
        elif change == 1 and states:
            values[random.choice(states)] = random.choice([0, 1, 2, 5, inf])
        elif change == 2:
            values = {state: random.choice([0, 1, 2, 3, inf]) for state in self._corners(bits)}
        elif change == 3:
            values = {state: random.randint(0, 3) for state in states}
        elif change == 4:
            values = {state: inf if random.random() < 0.4 else value for state, value in values.items()}
        elif change == 5:
            values = {}
        elif change == 6:
            values = {state: 0 if space.is_goal(state) else inf for state in states}
        elif change == 7:
            values = self._depths(edges)
        before = 0
        for state, value in values.items():
            if not self._try("row", value, *self._toggled(before, state)):
                break
            before = state
        return True

    def _bits_of_a_group(self) -> list[int]:
        """The atoms of a mutex group and of a goal: a table over these atoms may omit states that violate the group."""
        space, goal = self.proof.space, self.random.choice(self.proof.ground.goal)
        bits = self.random.choice(self.proof.group_bits or [0])
        chosen = {space.bit[each // 2] for each in goal if each // 2 in space.bit}
        return [bit for bit in range(self.listed) if bits >> bit & 1 or bit in chosen]

    def _toggled(self, before: int, after: int) -> list[int]:
        return [bit for bit in range(self.listed) if (before ^ after) >> bit & 1]

    def _edges(self, space: Any, start: int) -> dict[int, list[tuple[int, int]]]:
        """The transitions from `start`, except to states that contradict a mutex group: a table need not list these."""
        edges, stack = dict[int, list[tuple[int, int]]](), [start]
        while stack:
            state = stack.pop()
            if state in edges:
                continue
            found = [(after, int(step.cost)) for step, after in space.successors(state)]
            groups = self.proof.group_bits
            edges[state] = [(after, cost) for after, cost in found if not any(
                (both := after & group) & (both - 1) for group in groups)]  # fmt: skip
            stack += [after for after, _ in edges[state]]
        return edges

    def _distances(self, space: Any, edges: dict[int, list[tuple[int, int]]]) -> dict[int, float]:
        """The goal distances of the states, by the Bellman–Ford algorithm; sometimes all costs are replaced by 1."""
        free = self.random.choice([0, 0, 1])
        values = {state: 0 if space.is_goal(state) else inf for state in edges}
        for _ in edges:
            for state, after in edges.items():
                values[state] = min([values[state], *(values[t] + (free or cost) for t, cost in after)])
        return values

    def _depths(self, edges: dict[int, list[tuple[int, int]]]) -> dict[int, float]:
        """For each state the length of a longest path to it. Such values increase along every transition.

        So the charges of a table with these values are negative, and other parts may charge the same actions more.
        """
        depths = dict[int, float].fromkeys(edges, 0)
        for _ in edges:
            for state, steps in edges.items():
                for after, _ in steps:
                    depths[after] = max(depths[after], depths[state] + 1) if after != state else depths[after]
        return depths

    def _corners(self, bits: list[int]) -> list[int]:
        return [sum(1 << bit for bit, on in zip(sorted({*bits}), chosen, strict=True) if on)
                for chosen in product((0, 1), repeat=len({*bits}))]  # fmt: skip

    def _states(self) -> None:
        """Adds states in the order of uniform-cost search; a state gets a label unless evidence proves the bound."""
        random, proof = self.random, self.proof
        labels, before = self._labels(), 0
        for state, (g, number) in labels.items():
            toggled = self._toggled(before, state)
            if random.random() < 0.03 and not self.plain:
                g += random.choice([-1, 1, 2]) if g else 1
            if random.random() > 0.02 or self.plain:
                done = self._try("b", number, *toggled) if number is not None else self._try("g", max(0, g), *toggled)
                before = state if done else before
        self.last = "b"
        proof.state = before

    def _labels(self) -> dict[int, tuple[int, int | None]]:
        found, proof = dict[int, tuple[int, int | None]](), self.proof
        queue = [(0, proof._representative(proof.space.start))]
        while queue and len(found) < MOST_STATES:
            g, state = heappop(queue)
            if state in found:
                continue
            proof.state = state
            shown = [number for number, each in enumerate(proof.sums) if g + proof._value(*each) >= self.bound]
            found[state] = g, shown[0] if shown else None
            if not shown:
                for step, after in proof.space.successors(state):
                    heappush(queue, (g + int(step.cost), proof._representative(after)))
        proof.state = 0
        return found


def raised(lines: Lines, best: Bound) -> Lines:
    """The lines of a correct proof, with a claimed bound above the optimal cost."""
    unit = next((Fraction(line.split()[2]) for line in lines if line.startswith("task ")), Fraction(1))
    return [f"bound {int(best / unit) + 1}\n" if line.startswith("bound ") else line for line in lines]


WORDS = ["inf", "0", "1", "2", "-1", "1e9", "9" * 40, "x", "b", "1_0", "٣", "0:1", "1:0", "nan", "1/2", "1.5"]


def changed(random: Random, lines: Lines) -> Lines:
    """The lines with one random change: a line is changed, moved, repeated or removed. Sometimes there are two
    changes."""
    lines = list(lines)
    for _ in range(random.choice([1, 1, 1, 2])):
        place, kind = random.randrange(len(lines)), random.randrange(8)
        line = lines[place]
        if kind == 0:
            del lines[place]
        elif kind == 1:
            lines.insert(random.randrange(len(lines)), line)
        elif kind == 2:
            lines.insert(random.randrange(len(lines)), lines.pop(place))
        else:
            lines[place] = changed_line(random, line)
        if not lines:
            return lines
    return lines


def changed_line(random: Random, line: str) -> str:
    words = line.split() or ["0"]
    place = random.randrange(len(words))
    kind = random.randrange(5)
    if kind == 0:
        del words[place]
    elif kind == 1:
        words.insert(place, words[place])
    elif kind == 2:
        words[place] = random.choice(WORDS)
    else:
        number = re.search(r"\d+$|^\d+", words[place])
        if number:
            other = max(0, int(number[0]) + random.choice([-2, -1, 1, 2]))
            words[place] = words[place][: number.start()] + str(other) + words[place][number.end() :]
    return " ".join(words) + "\n"


def forge_for(target: Target, random: Random, count: int) -> Iterator[Forgery]:
    """Proofs for a target: first the correct ones, then one that lists all reachable states, then `count` forgeries."""
    for lines in target.honest:
        yield target.forgery("honest", lines, True)
    yield target.forgery("all states", Forger(target, random, plain=True).make(), False)
    for _ in range(count):
        own = split(random)
        with_plan = own.random() < 0.02
        if target.honest and own.random() < 0.3:
            base = own.choice(target.honest)
            claim = base if own.random() < 0.1 else raised(base, target.best)
            yield target.forgery("changed", changed(own, claim), with_plan)
        else:
            lines = Forger(target, own).make()
            yield target.forgery("grammar", lines, with_plan)
            if own.random() < 0.3:
                yield target.forgery("grammar, changed", changed(own, lines), False)


def split(random: Random) -> Random:
    """A new generator for one target or forged proof, so that the others do not depend on how many numbers it draws."""
    return Random(random.getrandbits(64))


# Puzzles


def tile_steps(columns: int, rows: int, state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for one, other in product(range(len(state)), repeat=2):
        near = abs(one // columns - other // columns) + abs(one % columns - other % columns) == 1
        if state[one] == 0 and near and rows:
            swapped = {one: state[other], other: 0}
            yield tuple(swapped.get(place, tile) for place, tile in enumerate(state))


def pancake_steps(state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for size in range(2, len(state) + 1):
        yield tuple(reversed(state[:size])) + state[size:]


def distances(goal: tuple[int, ...], steps: Callable[[Any], Iterator[Any]]) -> dict[tuple[int, ...], int]:
    found, level = {goal: 0}, [goal]
    for state in level:
        for after in steps(state):
            if after not in found:
                found[after] = found[state] + 1
                level.append(after)
    return found


class PuzzleForger:
    """Writes forged proofs for random initial states of one puzzle."""

    def __init__(self, module: ModuleType, random: Random) -> None:
        self.module, self.random = module, random
        self.size = random.choice([(2, 2), (3, 1), (1, 4), (3, 2), (2, 3), 3, 4, 5])
        if isinstance(self.size, tuple):
            columns, rows = self.size
            self.puzzle, cells = module.Tiles(columns, rows), columns * rows
            self.steps: Callable[[Any], Iterator[Any]] = lambda state: tile_steps(columns, rows, state)
        else:
            self.puzzle, cells, self.steps = module.Pancakes(self.size), self.size, pancake_steps
        self.goal = tuple(range(cells))
        self.distance = distances(self.goal, self.steps)

    def forgeries(self, count: int) -> Iterator[Forgery]:
        near = [state for state, steps in self.distance.items() if steps < 14]
        for _ in range(count):
            start = self.random.choice(near)
            best = self.distance[start]
            bound = self.random.choice([best + 1] * 5 + [best + 2, best + 9, best, inf])
            lines = ["fsplan-puzzle-proof 1\n", f"bound {bound}\n", *self._labels(start, bound), "end\n"]
            lines = changed(self.random, lines) if self.random.random() < 0.4 else lines
            verify = self._verify(start)
            refusals = (self.module.Refuted, self.module.Malformed)
            yield Forgery("puzzle", lines, verify, refusals, best, task=(str(self.puzzle), str(start)))

    def _verify(self, start: tuple[int, ...]) -> Callable[[Lines, str | None], Any]:
        return lambda lines, _: self.module.check(self.puzzle, start, lines)

    def _labels(self, start: tuple[int, ...], bound: float) -> Iterator[str]:
        """The lines of the states that a proof must list by the checker's bounds, with small random changes."""
        labels, level = {start: 0}, [start] if self.puzzle.bound(start) < bound else []
        for state in level:
            yield f"g {max(0, labels[state] + self.random.choice([0] * 40 + [-1, 1, 9]))} {' '.join(map(str, state))}\n"
            for after in self.puzzle.steps(state):
                if after not in labels and labels[state] + 1 + self.puzzle.bound(after) < bound:
                    labels[after] = labels[state] + 1
                    if self.random.random() > 0.01 and (after != self.goal or self.random.random() < 0.5):
                        level.append(after)


KINDS = ("pddl", "pddl", "pddl", "sas", "puzzle")


def forge(
    checkers: Checkers, random: Random, kinds: tuple[str, ...] = KINDS, sizes: tuple[int, ...] = (0, 400)
) -> Iterator[Forgery]:
    """Infinitely many forged proofs; the number of proofs per target is drawn from `sizes`."""
    while True:
        kind, size, own = random.choice(kinds), random.choice(sizes), split(random)
        if kind == "puzzle":
            yield from PuzzleForger(checkers.puzzle, own).forgeries(10 + size // 8)
            continue
        target = pddl_target(checkers.pddl, own) if kind == "pddl" else sas_target(checkers, own)
        if target is not None:
            yield from forge_for(target, own, size)
