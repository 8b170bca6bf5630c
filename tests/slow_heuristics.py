"""h_max, h_add and h_FF by iterating their equations to a fixpoint; derived variables are not supported."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf

from fsplan.planner._core import GroundTask

Costs = list[float]
# preconditions, add effects, number of the action
Operator = tuple[tuple[int, ...], list[int], int]


def operators(task: GroundTask) -> list[Operator]:
    """One operator for every action and effect condition, in the order of actions, then conditions."""
    found: list[Operator] = []
    for action, (precondition, effects) in enumerate(zip(task.precondition, task.effects, strict=True)):
        by_condition: dict[tuple[int, ...], list[int]] = {}
        for fact, condition in effects:
            by_condition.setdefault(tuple(condition), []).append(fact)
        for key, facts in sorted(by_condition.items()):
            found.append((tuple(sorted({*precondition, *key})), facts, action))
    return found


def fact_costs(task: GroundTask, values: list[int], combine: Callable[[Iterable[float]], float]) -> Costs:
    costs: Costs = [inf] * task.fact_count()
    for variable, value in enumerate(values):
        costs[task.first_fact[variable] + value] = 0
    changed = True
    while changed:
        changed = False
        for condition, facts, action in operators(task):
            cost = task.cost[action] + combine([0, *(costs[fact] for fact in condition)])
            for fact in facts:
                if cost < costs[fact]:
                    costs[fact] = cost
                    changed = True
    return costs


def h_max(task: GroundTask, values: list[int]) -> float:
    costs = fact_costs(task, values, max)
    return max([0, *(costs[fact] for fact in task.goal)])


def h_add(task: GroundTask, values: list[int]) -> float:
    costs = fact_costs(task, values, sum)
    return sum(costs[fact] for fact in task.goal)


def relaxed_plan(task: GroundTask, values: list[int]) -> set[int]:
    """The actions of the relaxed plan by h_add's cheapest operators, the first among equals; costs must be positive."""
    costs = fact_costs(task, values, sum)
    return collect(task, costs, lambda action, needs: task.cost[action] + sum(needs), lambda needs: 0)


def easiest_relaxed_plan(task: GroundTask, values: list[int]) -> set[int]:
    """The relaxed plan by h_max; ties are broken by the least sum of the preconditions' costs, then by order."""
    costs = fact_costs(task, values, max)
    return collect(task, costs, lambda action, needs: task.cost[action] + max([0, *needs]), sum)


def collect(
    task: GroundTask,
    costs: Costs,
    reach: Callable[[int, list[float]], float],
    difficulty: Callable[[list[float]], float],
) -> set[int]:
    """Extracts a relaxed plan backwards from the goal; `reach` gives the cost of an operator's effects.

    A supporter of a fact is an operator whose `reach` equals the cost of the fact. The supporter with the least
    `difficulty` is chosen. Both functions are given the costs of the operator's preconditions.
    """
    plan: set[int] = set()
    open_facts, seen = list(task.goal), set(task.goal)
    every = operators(task)
    while open_facts:
        fact = open_facts.pop()
        if costs[fact] == 0:
            continue
        candidates = [
            (difficulty(needs), number)
            for number, (condition, facts, action) in enumerate(every)
            if fact in facts and reach(action, needs := [costs[each] for each in condition]) == costs[fact]
        ]
        condition, _, action = every[min(candidates)[1]]
        plan.add(action)
        open_facts.extend(set(condition) - seen)
        seen.update(condition)
    return plan
