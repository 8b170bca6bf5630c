"""Scales the costs of a task to integers, which the grounder and Fast Downward need."""

from __future__ import annotations

from copy import copy

from fsplan.pddl.syntax import Action, Increase, Number, Problem


def with_whole_costs(problem: Problem) -> Problem:
    """The problem with every cost multiplied by the common denominator of all costs.

    Returns the same object if the denominator is 1. Values of functions that no action uses as a cost may be rounded.
    """
    factor = problem.cost_denominator()
    if all(isinstance(value, int) for value in problem.costs.values()) and factor == 1:
        return problem
    scaled = copy(problem)
    scaled.costs = {call: int(value * factor) for call, value in problem.costs.items()}
    scaled.domain = copy(problem.domain)
    scaled.domain.actions = {name: _scaled(action, factor) for name, action in problem.domain.actions.items()}
    return scaled


def _scaled(action: Action, factor: int) -> Action:
    made = copy(action)
    made.effects = [
        Increase(Number(int(effect.amount.value * factor), effect.amount.at), effect.at)
        if isinstance(effect, Increase) and isinstance(effect.amount, Number)
        else effect
        for effect in action.effects
    ]
    return made
