"""Random ground tasks with some hundred states: dead ends, zero costs, conditional effects, derived variables."""

from __future__ import annotations

import itertools
from bisect import bisect
from collections.abc import Sequence
from random import Random

from fsplan.planner._core import GroundStateSpace, GroundTask, build_task

Fact = tuple[int, int]
# Features of random tasks, by the name of a kind.
KINDS = {
    "plain": {"conditional": False, "derived": False},
    "conditional effects": {"conditional": True, "derived": False},
    "derived": {"conditional": False, "derived": True},
    "both": {"conditional": True, "derived": True},
}


def random_ground_task(
    seed: int, *, conditional: bool = True, derived: bool = True, free: bool = True, choices: Sequence[int] = ()
) -> GroundTask:
    """`free` allows actions of cost 0; `choices`, if given, are the possible costs."""
    random = Random(seed)
    sizes = [random.randint(2, 4) for _ in range(random.randint(3, 6))]
    layers = [-1] * len(sizes)
    rules: list[tuple[Fact, list[Fact]]] = []
    if derived:
        for layer in range(random.randint(1, 3)):
            members = range(len(sizes), len(sizes) + random.randint(1, 2))
            below = list(enumerate(sizes))
            for variable in members:
                for _ in range(random.randint(1, 3)):
                    body = _facts(random, below, random.randint(1, 3))
                    # rules of a layer may depend on each other positively, but not by negation
                    body += [(other, 1) for other in members if random.random() < 0.25]
                    rules.append(((variable, 1), body))
            sizes += [2] * len(members)
            layers += [layer] * len(members)
    own = [(variable, size) for variable, size in enumerate(sizes) if layers[variable] < 0]
    every = list(enumerate(sizes))
    names, preconditions, effects = [], [], []
    for number in range(random.randint(6, 14)):
        names.append(f"act {number}")
        preconditions.append(_facts(random, every, random.randint(1, 3)))
        effects.append([
            (fact, _facts(random, every, random.randint(1, 2)) if conditional and random.random() < 0.3 else [])
            for fact in _facts(random, own, random.randint(1, 3))
        ])  # fmt: skip
    costs = [random.choice(choices or ([0, 1, 1, 2, 7] if free else [1, 2, 3])) for _ in names]
    return build_task(
        domain_size=sizes,
        layer=layers,
        initial=[0 if layer >= 0 else random.randrange(size) for size, layer in zip(sizes, layers, strict=True)],
        fact_names=[f"Atom v{variable}({value})" for variable, size in enumerate(sizes) for value in range(size)],
        action_names=names,
        preconditions=preconditions,
        effects=effects,
        costs=costs if random.random() < 0.8 else [1] * len(costs),
        rules=rules,
        goal=_facts(random, every, random.randint(1, 3)),
        unit_cost=False,
    )


def strips_task(
    sizes: Sequence[int],
    actions: Sequence[tuple[str, list[Fact], list[Fact], int]],
    goal: list[Fact],
    initial: Sequence[int] | None = None,
) -> GroundTask:
    """A task without conditional effects; an action has a name, preconditions, effects and a cost."""
    return build_task(
        domain_size=list(sizes),
        layer=[-1] * len(sizes),
        initial=[0] * len(sizes) if initial is None else list(initial),
        fact_names=[f"Atom v{variable}({value})" for variable, size in enumerate(sizes) for value in range(size)],
        action_names=[name for name, *_ in actions],
        preconditions=[needs for _, needs, _, _ in actions],
        effects=[[(fact, []) for fact in facts] for _, _, facts, _ in actions],
        costs=[cost for *_, cost in actions],
        rules=[],
        goal=goal,
        unit_cost=False,
    )


def side_by_side(count: int, first_seed: int, **features: bool) -> GroundTask:
    """The union of several independent random tasks, to reach a given number of facts. The goal is reachable."""
    every = (random_ground_task(seed, derived=False, **features) for seed in itertools.count(first_seed))
    reachable = (task for task in every if GroundStateSpace(task).evaluate("hmax", task.initial)[0])
    parts = list(itertools.islice(reachable, count))
    starts = [sum(part.variable_count() for part in parts[:number]) for number in range(len(parts))]

    def pairs(part: GroundTask, facts: list[int], start: int) -> list[Fact]:
        return [(start + bisect(part.first_fact, fact) - 1, _value(part, fact)) for fact in facts]

    return build_task(
        domain_size=[size for part in parts for size in part.domain_size],
        layer=[-1 for part in parts for _ in part.domain_size],
        initial=[value for part in parts for value in part.initial],
        fact_names=[f"Atom f{number}()" for number in range(sum(part.fact_count() for part in parts))],
        action_names=[f"act {number} {name}" for number, part in enumerate(parts) for name in part.action_names()],
        preconditions=[
            pairs(part, row, at) for part, at in zip(parts, starts, strict=True) for row in part.precondition
        ],
        effects=[
            [(pairs(part, [fact], at)[0], pairs(part, condition, at)) for fact, condition in row]
            for part, at in zip(parts, starts, strict=True)
            for row in part.effects
        ],
        costs=[cost for part in parts for cost in part.cost],
        rules=[],
        goal=[pair for part, at in zip(parts, starts, strict=True) for pair in pairs(part, part.goal, at)],
        unit_cost=False,
    )


def _value(task: GroundTask, fact: int) -> int:
    return fact - task.first_fact[bisect(task.first_fact, fact) - 1]


def _facts(random: Random, variables: list[tuple[int, int]], count: int) -> list[Fact]:
    chosen = random.sample(variables, min(count, len(variables)))
    return sorted((variable, random.randrange(size)) for variable, size in chosen)
