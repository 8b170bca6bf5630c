"""Cartesian abstractions never exceed the optimal cost, and reach it if the refinement is completed."""

from __future__ import annotations

from random_ground_tasks import random_ground_task

from fsplan.planner._core import Abstractions, Budget, GroundStateSpace, action_costs, explore
from fsplan.planner.graphs.explore import DEAD_END

WATCH = Budget()


def refined_value(space: GroundStateSpace, states: int) -> int | None:
    """The value of the cost partitioning in the initial state; None if there is no plan."""
    abstractions = Abstractions(space, "refined", 0, states, 10**8, WATCH)
    value, _ = abstractions.partition(action_costs(space), WATCH)
    assert value is None or isinstance(value, int)
    return value


def test_complete_refinement_for_a_single_goal_gives_the_optimal_cost() -> None:
    values: set[int | None] = set()
    for seed in range(150):
        task = random_ground_task(seed, conditional=False, derived=False)
        if len(task.goal) > 1:
            continue
        space = GroundStateSpace(task)
        optimal = int(explore(space, "", 100_000).h_star[0])
        value = refined_value(space, 100_000)
        assert value == (None if optimal == DEAD_END else optimal), seed
        values.add(value)
    assert None in values
    assert len(values) > 5


def test_incomplete_refinement_and_several_goals_give_lower_bounds() -> None:
    """This includes tasks with derived predicates: the abstraction assumes that conditions on them hold."""
    for seed in range(150):
        space = GroundStateSpace(random_ground_task(seed, conditional=False, derived=True))
        optimal = int(explore(space, "", 100_000).h_star[0])
        for states in (2, 10, 100):
            value = refined_value(space, states)
            assert optimal == DEAD_END or (value is not None and value <= optimal), (seed, states)


def test_tasks_with_conditional_effects_get_no_cartesian_abstraction() -> None:
    tasks = (random_ground_task(seed, conditional=True, derived=False) for seed in range(100))
    space = GroundStateSpace(next(task for task in tasks if task.has_conditional_effects()))
    assert len(Abstractions(space, "refined", 0, 10, 10**6, WATCH)) == 0
