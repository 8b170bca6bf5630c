"""Oversubscription problems of unified-planning as problems with action costs, so that the optimum is proven.

Optional goals have gains. In the translated problem the original actions have cost 0. They are followed by an action
`finish` and then, for each optional goal, by one of two actions, `met` and `forgone`. Forgoing a goal with a positive
gain costs the gain; meeting a goal with a negative gain costs the loss. So the cost of a plan is the greatest possible
sum of gains minus the plan's gains, and a lower bound on the cost gives an upper bound on the gains.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import unified_planning as up
from unified_planning.model import Fluent, InstantaneousAction
from unified_planning.model.metrics import MinimizeActionCosts, Oversubscription

PREFIX = "fsplan_settles"


def gains_of(problem: Any) -> dict[Any, Fraction] | None:
    """Returns the gains of the optional goals; None for a problem with another metric or none."""
    metrics = problem.quality_metrics
    if len(metrics) != 1 or not isinstance(metrics[0], Oversubscription):
        return None
    return {goal: Fraction(gain) for goal, gain in metrics[0].goals.items()}


def best_gain(gains: dict[Any, Fraction]) -> Fraction:
    """Returns the gain of a plan that meets exactly the goals with positive gains."""
    return sum((gain for gain in gains.values() if gain > 0), Fraction(0))


def unit_of(gains: dict[Any, Fraction]) -> Fraction:
    """Returns the unit in which all gains are integers."""
    return Fraction(1, lcm(*(gain.denominator for gain in gains.values())))


def with_costs(problem: Any, gains: dict[Any, Fraction]) -> Any:
    """Returns the problem with action costs instead of gains; costs are multiples of `unit_of(gains)`."""
    changed = problem.clone()
    changed.clear_quality_metrics()
    manager, unit = problem.environment.expression_manager, unit_of(gains)
    begun = changed.add_fluent(Fluent(f"{PREFIX}_end", environment=problem.environment), default_initial_value=False)
    for action in changed.actions:
        action.add_precondition(manager.Not(begun))
    costs: dict[Any, Any] = {}
    settled = _action(changed, f"{PREFIX}_finish", [manager.Not(begun)], begun)
    for number, (goal, gain) in enumerate(gains.items()):
        done = changed.add_fluent(
            Fluent(f"{PREFIX}_{number}", environment=problem.environment), default_initial_value=False
        )
        before, missed = settled, manager.Int(abs(int(gain / unit)))
        met = [goal] if gain > 0 else []
        forgone = [] if gain > 0 else [manager.Not(goal)]
        _action(changed, f"{PREFIX}_met_{number}", [before, *met], done)
        _action(changed, f"{PREFIX}_forgone_{number}", [before, *forgone], done)
        costs[changed.action(f"{PREFIX}_{'forgone' if gain > 0 else 'met'}_{number}")] = missed
        settled = done
    changed.add_goal(settled)
    changed.add_quality_metric(MinimizeActionCosts(costs, default=manager.Int(0), environment=problem.environment))
    return changed


def _action(problem: Any, name: str, conditions: list[Any], effect: Any) -> Any:
    action = InstantaneousAction(name, _env=problem.environment)
    for condition in conditions:
        action.add_precondition(condition)
    action.add_effect(effect, True)
    problem.add_action(action)
    return effect


def without_settling(problem: Any, plan: Any) -> Any:
    """Returns the plan of the original problem: without the added actions `finish`, `met` and `forgone`."""
    own = [each for each in plan.actions if not each.action.name.startswith(PREFIX)]
    instances = [up.plans.ActionInstance(problem.action(each.action.name), each.actual_parameters) for each in own]
    return up.plans.SequentialPlan(instances, problem.environment)
