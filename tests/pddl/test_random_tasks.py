"""Random tasks, ground and explored natively, against the plain reading of PDDL: reader's tree to optimal cost."""

from __future__ import annotations

import heapq
from dataclasses import replace

import pytest
from lifted_oracle import Oracle, State
from random_tasks import STRIPS, Features, random_task

from fsplan.pddl import parse_task
from fsplan.pddl.syntax import Problem
from fsplan.planner.graphs.explore import DEAD_END, explore
from fsplan.planner.sources.pddl import from_pddl

STATE_LIMIT = 300


class TooLarge(Exception):
    pass


def optimal_cost(problem: Problem) -> int | None:
    """The cost of a cheapest plan by Dijkstra's algorithm on the oracle, None where there is no plan."""
    oracle = Oracle(problem)
    start = oracle.start()
    best: dict[State, int] = {start: 0}
    queue = [(0, 0, start)]
    while queue:
        g, _, state = heapq.heappop(queue)
        if g > best[state]:
            continue
        if oracle.is_goal(state):
            return g
        if len(best) > STATE_LIMIT:
            raise TooLarge
        for action, binding in oracle.applicable(state):
            successor, cost = oracle.successor(state, action, binding), g + oracle.cost(action, binding)
            if cost < best.get(successor, cost + 1):
                best[successor] = cost
                heapq.heappush(queue, (cost, len(best), successor))
    return None


def native_cost(problem: Problem) -> int | None:
    cost = int(explore(from_pddl(problem), heuristic=None, max_states=100_000).h_star[0])
    return None if cost == DEAD_END else cost


FEATURES = {
    "everything": Features(),
    "strips": STRIPS,
    "without-derived": replace(Features(), derived=False),
    "derived": replace(STRIPS, derived=True, negative=True),
    "quantifiers": replace(STRIPS, quantifiers=True, equality=True, typing=True),
    "effects": replace(STRIPS, conditional=True, universal=True, costs=True),
}


@pytest.mark.parametrize("kind", FEATURES)
def test_optimal_costs_agree_with_the_plain_reading(kind: str) -> None:
    compared = solved = 0
    for seed in range(60):
        problem = random_task(seed, FEATURES[kind])
        try:
            wanted = optimal_cost(problem)
        except TooLarge:
            continue
        assert native_cost(problem) == wanted, seed
        compared += 1
        solved += wanted is not None and wanted > 0
    assert compared > 40
    assert solved > 5


# Small tasks derived from failures on random ones: body of the domain, goal, optimal cost.
NAMED = {
    "an action's alternatives count as one": (
        "(:action a :precondition (or (p) (q a)) :effect (p))",
        "(p)",
        1,
    ),
    "a rule that contradicts itself derives nothing": (
        "(:derived (r) (and (p) (not (p)))) (:action a :effect (p))",
        "(r)",
        None,
    ),
    "variables of rules and of the goal are not the same": (
        "(:derived (r) (exists (?x) (q ?x))) (:action a :parameters (?x) :effect (p))",
        "(forall (?x ?y) (= ?x ?y))",
        None,
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_named_tasks(name: str) -> None:
    body, goal, cost = NAMED[name]
    problem = parse_task(
        f"(define (domain d) (:constants a b) (:predicates (p) (q ?x) (r)) {body})",
        f"(define (problem p) (:domain d) (:init (q a)) (:goal {goal}))",
    )
    assert optimal_cost(problem) == cost
    assert native_cost(problem) == cost
