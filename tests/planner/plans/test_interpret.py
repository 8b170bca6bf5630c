"""The validator agrees with a direct implementation of PDDL's semantics on random walks in random tasks."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from lifted_oracle import Oracle, name_of
from random_tasks import random_task, random_tasks

from fsplan.pddl.syntax import Problem
from fsplan.planner.plans.interpret import World
from fsplan.planner.plans.plan_files import read_plan
from fsplan.planner.plans.validate import PlanExecution, validate


def applicable(problem: Problem, world: World) -> set[str]:
    """All applicable ground actions, by name."""
    found: set[str] = set()
    for action in problem.domain.actions.values():
        variables = {entry.name: world.objects_of(entry.types) for entry in action.parameters}
        for binding in world.solutions(world.prepare(action.precondition), variables, {}):
            found.add(name_of(action, binding))
    return found


@given(problem=random_tasks(), seed=st.integers(0, 2**32))
@settings(max_examples=300)
def test_random_walks_agree_with_the_plain_semantics(problem: Problem, seed: int) -> None:
    random, oracle, run = Random(seed), Oracle(problem), PlanExecution(problem)
    state, plan, cost = oracle.start(), list[str](), 0
    for _ in range(4):
        options = oracle.applicable(state)
        assert applicable(problem, run.world) == {name_of(*option) for option in options}
        if not options:
            break
        action, binding = random.choice(options)
        plan.append(name_of(action, binding))
        state = oracle.successor(state, action, binding)
        cost += oracle.cost(action, binding)
        run.take(read_plan([plan[-1]]).steps[0])
        assert {(name, *row) for name, row in run.world.true_atoms()} == state
    verdict = validate(problem, plan)
    assert verdict.valid == oracle.is_goal(state)
    assert verdict.cost == cost
    if not verdict.valid:
        assert "the goal is not reached" in verdict.message
        assert verdict.condition is not None


def test_the_random_tasks_have_true_derived_atoms() -> None:
    """Without true derived atoms, the comparison above would not cover the evaluation of rules."""
    deep = 0
    for seed in range(200):
        problem = random_task(seed)
        heads = {rule.head.name for rule in problem.domain.derived}
        done = Oracle(problem).complete(frozenset(problem.init))
        deep += any(atom[0] in heads for atom in done)
    assert deep > 50
