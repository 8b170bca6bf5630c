"""Ground tasks with facts and actions by name, and a plain uniform-cost search on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

import lifted_oracle

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

    def holds(self, fact: int, state: Sequence[int]) -> bool:
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

    def all_hold(self, facts: list[int], state: tuple[int, ...]) -> bool:
        return all(self.holds(fact, state) for fact in facts)

    def is_goal(self, state: tuple[int, ...]) -> bool:
        return self.all_hold(self.goal, state)

    def steps(self, state: tuple[int, ...]) -> Iterator[tuple[str, int, tuple[int, ...]]]:
        """The number (as text), the cost and the successor of each applicable action."""
        for action, precondition in enumerate(self.preconditions):
            if self.all_hold(precondition, state):
                yield str(action), self.costs[action], self.apply(action, state)

    def apply(self, action: int, state: tuple[int, ...]) -> tuple[int, ...]:
        before, after = list(state), list(state)
        for effect, condition in self.effects[action]:
            if all(self.holds(fact, before) for fact in condition):
                self.set(effect, after)
        return self.derive(after)


def cheapest(task: GroundTask) -> int | None:
    """The cost of an optimal plan; None if there is none."""
    simulation = Simulation(task)
    found = lifted_oracle.cheapest(simulation.derive(list(task.initial)), simulation.is_goal, simulation.steps)
    assert found is not None
    return found[0] if found[0] < inf else None
