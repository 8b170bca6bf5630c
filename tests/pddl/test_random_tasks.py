"""Random tasks are grounded and solved natively; the costs are compared with a plain interpreter of PDDL."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from lifted_oracle import optimum
from random_tasks import STRIPS, Features, random_task

from fsplan.pddl import parse_task
from fsplan.pddl.syntax import Problem
from fsplan.planner.graphs.explore import DEAD_END, explore
from fsplan.planner.sources.pddl import from_pddl
from fsplan.planner.tasks.ground import ground

MOST_STATES = 300


def native_cost(problem: Problem) -> float:
    cost = int(explore(from_pddl(problem), heuristic=None, max_states=100_000).h_star[0])
    return inf if cost == DEAD_END else cost


FEATURES = {
    "everything": Features(),
    "strips": STRIPS,
    "without-derived": replace(Features(), derived=False),
    "derived": replace(STRIPS, derived=True, negative=True),
    "quantifiers": replace(STRIPS, quantifiers=True, equality=True, typing=True),
    "effects": replace(STRIPS, conditional=True, universal=True, costs=True),
}


@pytest.mark.parametrize("kind", FEATURES)
def test_optimal_costs_agree_with_the_plain_interpreter(kind: str) -> None:
    compared = solved = 0
    for seed in range(60):
        problem = random_task(seed, FEATURES[kind])
        wanted = optimum(problem, MOST_STATES)
        if wanted is not None:
            assert native_cost(problem) == wanted, seed
            assert ground(problem).solvable_relaxed or wanted == inf, seed
            compared += 1
            solved += 0 < wanted < inf
    assert compared > 40
    assert solved > 5


# Small tasks that show past errors: domain without its head, goal, optimal cost.
NAMED = {
    "an action's alternatives count as one": ("(:action a :precondition (or (p) (q a)) :effect (p))", "(p)", 1),
    "a rule that contradicts itself derives nothing": (
        "(:derived (r) (and (p) (not (p)))) (:action a :effect (p))",
        "(r)",
        inf,
    ),
    "variables of rules and of the goal are not the same": (
        "(:derived (r) (exists (?x) (q ?x))) (:action a :parameters (?x) :effect (p))",
        "(forall (?x ?y) (= ?x ?y))",
        inf,
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_named_tasks(name: str) -> None:
    body, goal, cost = NAMED[name]
    problem = parse_task(
        f"(define (domain d) (:constants a b) (:predicates (p) (q ?x) (r)) {body})",
        f"(define (problem p) (:domain d) (:init (q a)) (:goal {goal}))",
    )
    assert optimum(problem, MOST_STATES) == native_cost(problem) == cost
