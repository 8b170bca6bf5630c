"""Best-first width search and the heuristic `progress`."""

from itertools import combinations

import pytest
from random_ground_tasks import random_ground_task, strips_task

from fsplan.planner import _core
from fsplan.planner.search.solve import solve

INFINITE = 2**31 - 1


def novelty(seen, values):
    """Returns 0 if a fact is new, 1 if a pair of facts is new, else 2; stores all facts and pairs."""
    facts = list(enumerate(values))
    pairs = list(combinations(facts, 2))
    new = [any(item not in seen for item in items) for items in (facts, pairs)]
    seen.update(facts, pairs)
    return new.index(True) if True in new else 2


def reference(space, heuristic):
    """A simple best-first width search; returns the expansions until the first plan, and its cost or None."""

    def place(state):
        h, guide, _ = space.evaluate(heuristic, list(state))
        if h is None:
            return None
        guide = INFINITE if guide is None else guide
        return novelty(classes.setdefault((h, guide), set()), state), h, guide

    classes, start = {}, tuple(space.start_values())
    places, g = {start: place(start)}, {start: 0}
    ready, waiting, expanded, age, time = {start} if places[start] else set(), set(), 0, {start: 0}, 0
    while ready or waiting:
        if not ready:
            ready, waiting = waiting, set()
            for state in (state for state in places if state in ready):
                age[state] = time = time + 1
        state = min(ready, key=lambda each: (*places[each], -age[each]))
        ready.remove(state)
        if space.is_goal(list(state)):
            return expanded, g[state]
        expanded += 1
        found = []
        successors = [(cost, tuple(values)) for _, cost, values in space.successors(list(state))]
        closed = {child for _, child in successors if child in g and child not in ready and child not in waiting}
        closed.add(state)
        # All successors are evaluated before novelties are computed; this order changes no value of this heuristic.
        for cost, child in successors:
            if child in g and g[child] <= g[state] + cost:
                continue
            if child not in places:
                places[child] = place(child)
            if places[child] is None:
                continue
            g[child] = g[state] + cost
            age[child] = time = time + 1
            (waiting if child in closed else ready).add(child)
            ready -= waiting
            if space.is_goal(list(child)):
                found.append(g[child])
        if found:
            return expanded, min(found)
    return expanded, None


@pytest.mark.parametrize("heuristic", ["goalcount", "hff", "blind"])
def test_novelty_orders_nodes_as_the_reference_does(heuristic):
    for seed in range(60):
        space = _core.GroundStateSpace(random_ground_task(seed))
        found = solve(space, "bfws", heuristic=heuristic, uncertified=True)
        expanded, cost = reference(space, heuristic)
        assert (found.statistics["expanded"], found.cost is None) == (expanded, cost is None), seed
        assert found.cost is None or found.cost <= cost, seed


@pytest.mark.parametrize("heuristic", ["progress", "lmcount", "lmcost", "hff", "hmax"])
@pytest.mark.parametrize("search", ["bfws", "lama"])
def test_finds_a_plan_wherever_there_is_one(search, heuristic):
    for seed in range(150):
        space = _core.GroundStateSpace(random_ground_task(seed))
        optimal = solve(space, "astar", heuristic="blind")
        found = solve(space, search, heuristic=heuristic, uncertified=True)
        assert (found.plan is None) == (optimal.plan is None), seed
        if found.plan is not None:
            assert found.cost >= optimal.cost
            assert solve(space, search, heuristic=heuristic, uncertified=True, anytime=True).cost == optimal.cost, seed


def test_progress_counts_open_goals_and_facts_to_come():
    length = 5
    values = range(length)
    actions = [(f"raise {value}", [(0, value)], [(0, value + 1)], 3) for value in values]
    actions.append(("light", [(0, 1)], [(1, 1)], 3))
    task = strips_task([length + 1, 2], actions, [(0, length), (1, 1)])
    space = _core.GroundStateSpace(task)
    assert space.evaluate("progress", [0, 0])[:2] == (2, length + 1)
    assert space.evaluate("progress", [3, 1])[:2] == (1, 2)
    assert space.evaluate("progress", [length, 1])[:2] == (0, 0)
    assert space.evaluate("progress", [2, 0])[:2] == (None, None)  # `light` is inapplicable from now on
    assert solve(space, "bfws", heuristic="progress", uncertified=True).cost == 3 * (length + 1)
