"""Ground tasks with facts and actions by name, and a plain uniform-cost search on them."""

from __future__ import annotations

import heapq
from itertools import count

from fsplan.pddl import parse_task
from fsplan.pddl.normalise import normalise
from fsplan.planner._core import GroundTask, instantiate
from fsplan.planner.tasks.ground import ground, to_native


class View:
    """The instantiated task; literals are "on(a, b)" and "not on(a, b)"."""

    def __init__(self, domain: str, problem: str) -> None:
        task = instantiate(to_native(normalise(parse_task(domain, problem))))
        self.atoms: list[str] = list(task.atoms)
        self.names: list[str] = list(task.actions)
        self.costs: list[int] = list(task.costs)
        self.goal = self.literals(task.goal)
        self.goal_reachable: bool = task.goal_reachable
        self.initial = {self.atoms[atom] for atom in task.initial}
        self.preconditions = [self.literals(part) for part in task.preconditions]
        self.effects = [
            {(self.literal(effect), frozenset(self.literals(condition))) for effect, condition in effects}
            for effects in task.effects
        ]
        self.rules = [(self.atoms[head], self.literals(body)) for head, body in task.rules]

    def literal(self, literal: int) -> str:
        return ("not " if literal & 1 else "") + self.atoms[literal >> 1]

    def literals(self, literals: list[int]) -> set[str]:
        return {self.literal(literal) for literal in literals}

    def precondition(self, name: str) -> set[str]:
        """Preconditions of the only action of that name."""
        (number,) = [number for number, other in enumerate(self.names) if other == name]
        return self.preconditions[number]

    def effect(self, name: str) -> set[tuple[str, frozenset[str]]]:
        """(literal, condition) of the first action of that name."""
        return self.effects[self.names.index(name)]

    def unconditional(self, name: str) -> set[str]:
        assert all(not condition for _, condition in self.effect(name))
        return {literal for literal, _ in self.effect(name)}


def ground_text(domain: str, problem: str) -> GroundTask:
    return ground(parse_task(domain, problem))


class Simulation:
    """A plain implementation of the ground task's semantics. States are tuples of values, with derived variables."""

    def __init__(self, task: GroundTask) -> None:
        self.first = list(task.first_fact)
        self.variable = [v for v, size in enumerate(task.domain_size) for _ in range(size)]
        self.layer, self.default = list(task.layer), list(task.initial)
        self.preconditions, self.effects, self.costs = task.precondition, task.effects, list(task.cost)
        self.rules = list(zip(task.rule_head, task.rule_body, strict=True))
        self.goal = list(task.goal)

    def holds(self, fact: int, state: list[int]) -> bool:
        variable = self.variable[fact]
        return state[variable] == fact - self.first[variable]

    def set(self, fact: int, state: list[int]) -> bool:
        variable = self.variable[fact]
        changed = state[variable] != fact - self.first[variable]
        state[variable] = fact - self.first[variable]
        return changed

    def derive(self, state: list[int]) -> tuple[int, ...]:
        for variable, layer in enumerate(self.layer):
            if layer >= 0:
                state[variable] = self.default[variable]
        for layer in sorted({layer for layer in self.layer if layer >= 0}):
            rules = [rule for rule in self.rules if self.layer[self.variable[rule[0]]] == layer]
            changed = True
            while changed:
                changed = False
                for head, body in rules:
                    if all(self.holds(fact, state) for fact in body):
                        changed |= self.set(head, state)
        return tuple(state)

    def apply(self, action: int, state: tuple[int, ...]) -> tuple[int, ...]:
        before, after = list(state), list(state)
        for effect, condition in self.effects[action]:
            if all(self.holds(fact, before) for fact in condition):
                self.set(effect, after)
        return self.derive(after)


def cheapest(task: GroundTask) -> int | None:
    """The cost of an optimal plan; None if there is none."""
    simulation = Simulation(task)
    start = simulation.derive(list(task.initial))
    order = count()
    queue, best = [(0, next(order), start)], {start: 0}
    while queue:
        cost, _, state = heapq.heappop(queue)
        if cost > best[state]:
            continue
        if all(simulation.holds(fact, list(state)) for fact in simulation.goal):
            return cost
        for action, precondition in enumerate(simulation.preconditions):
            if all(simulation.holds(fact, list(state)) for fact in precondition):
                after = simulation.apply(action, state)
                reached = cost + simulation.costs[action]
                if after not in best or reached < best[after]:
                    best[after] = reached
                    heapq.heappush(queue, (reached, next(order), after))
    return None
