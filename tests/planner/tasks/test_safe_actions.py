"""Pruning by safe actions keeps the optimal cost, on random tasks in which some variables have final values."""

from __future__ import annotations

from random import Random

import pytest
from random_ground_tasks import random_ground_task, strips_task

from fsplan.planner._core import GroundStateSpace, GroundTask, SearchOptions


def optimum(task: GroundTask, safe_first: bool) -> tuple[int | None, int]:
    """The optimal cost and the number of states generated to find it."""
    space = GroundStateSpace(task)
    if safe_first:
        space.take_safe_actions_first()
    options = SearchOptions(search="astar", heuristic="blind")
    options.set_defaults(True)
    result = space.search(options)
    return result.cost, result.statistics["generated"]


def production(seed: int) -> GroundTask:
    """A random task of stations and orders: an order is begun at one station, then finished irreversibly at another."""
    random = Random(seed)
    orders, stations, switches = random.randint(1, 4), random.randint(2, 3), random.randint(0, 2)
    place, first_switch = orders, orders + 1
    sizes = [3] * orders + [stations] + [2] * switches
    actions: list[tuple[str, list[tuple[int, int]], list[tuple[int, int]], int]] = []

    def add(name: str, needs: list[tuple[int, int]], effects: list[tuple[int, int]], cost: int) -> None:
        actions.append((f"{name} {len(actions)}", sorted(set(needs)), effects, cost))

    for start in range(stations):
        for end in range(stations):
            if start != end and random.random() < 0.7:
                add("go", [(place, start)], [(place, end)], random.choice([0, 1, 2]))
    for order in range(orders):
        for _ in range(random.randint(1, 2)):
            add("begin", [(order, 0), (place, random.randrange(stations))], [(order, 1)], random.choice([0, 1, 3]))
        for _ in range(random.randint(1, 3)):
            further = (
                [(first_switch + random.randrange(switches), random.randrange(2))]
                if switches and random.random() < 0.4
                else []
            )
            needs = [(order, random.choice([0, 1, 1, 1])), (place, random.randrange(stations))]
            add("make", needs, [(order, 2), *further], random.choice([0, 0, 1, 1, 2]))
        if random.random() < 0.2:
            add("spoil", [(order, random.randrange(3))], [(order, random.randrange(2))], 0)
    for switch in range(first_switch, first_switch + switches):
        for value in range(2):
            needs = [(switch, 1 - value), (random.randrange(orders), random.randrange(3))]
            add("turn", needs, [(switch, value)], random.choice([0, 1, 4]))
    goal = [(order, random.choice([1, 2, 2, 2])) for order in range(orders) if random.random() < 0.8]
    goal += [(switch, 1) for switch in range(first_switch, first_switch + switches) if random.random() < 0.5]
    return strips_task(sizes, actions, goal or [(place, stations - 1)])


def test_the_optimal_cost_stays_where_variables_have_final_values() -> None:
    fewer = 0
    for seed in range(3000):
        task = production(seed)
        (cost, generated), (safe_cost, safe_generated) = optimum(task, False), optimum(task, True)
        assert safe_cost == cost, seed
        fewer += safe_generated < generated
    assert fewer > 500


def test_the_optimal_cost_stays_on_random_tasks() -> None:
    for seed in range(1500):
        task = random_ground_task(seed)
        assert optimum(task, True)[0] == optimum(task, False)[0], seed


@pytest.mark.parametrize(("cost", "goal", "safe"), [(0, 1, True), (1, 1, True), (0, 0, False)])
def test_an_irreversible_action_is_safe_if_it_is_free_or_necessary(cost: int, goal: int, safe: bool) -> None:
    """Making a product is independent of moving. It is a safe action if it is free or necessary for the goal.

    It is not safe if the goal requires that the product is not made.
    """
    steps = [(place, other) for place in range(8) for other in (place - 1, place + 1) if 0 <= other < 8]
    actions = [("make", [(0, 0)], [(0, 1)], cost)]
    actions += [(f"go {place} {other}", [(1, place)], [(1, other)], 1) for place, other in steps]
    task = strips_task([2, 8], actions, [(0, goal), (1, 7)])
    (_, generated), (_, safe_generated) = optimum(task, False), optimum(task, True)
    assert (safe_generated < generated) == safe
