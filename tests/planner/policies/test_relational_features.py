"""The native features of domain policies against the plain definitions, and under renaming of objects."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from random_tasks import random_tasks, replaced
from reference_relational import StateView

from fsplan.pddl.ground import ground
from fsplan.pddl.syntax import Problem, Typed
from fsplan.planner import _core
from fsplan.planner._core import GroundStateSpace, GroundTask
from fsplan.planner.policies.relational.describe import describe

BLOCK = 3


def walk(space: GroundStateSpace, seed: int, steps: int) -> list[list[int]]:
    """States along a random walk that have actions."""
    random, states = Random(seed), list[list[int]]()
    state = space.start_values()
    for _ in range(steps):
        successors = space.successors(state)
        if not successors:
            break
        states.append(state)
        state = random.choice(successors)[2]
    return states


def edges_of(space: GroundStateSpace, states: list[list[int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows = [[action for action, _, _ in space.successors(state)] for state in states]
    begin = np.cumsum([0, *map(len, rows)]).astype(np.uint32)
    return np.array(states, np.int32), begin, np.array([a for row in rows for a in row], np.uint32)


def native_features(problem: Problem, space: GroundStateSpace, states: list[list[int]], last: str) -> list[set[int]]:
    values, begin, actions = edges_of(space, states)
    rows, features = _core.relational_features(space, describe(problem), values, begin, actions, last)
    return [set(features[a:b].tolist()) for a, b in zip(rows[:-1].tolist(), rows[1:].tolist(), strict=True)]


@given(problem=random_tasks(), seed=st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_native_features_are_those_of_the_definitions(problem: Problem, seed: int) -> None:
    task = ground(problem)
    space = GroundStateSpace(task)
    states = walk(space, seed, 4)
    if not states:
        return
    found = native_features(problem, space, states, "colours")
    expected = []
    for state in states:
        applicable = [action for action, _, _ in space.successors(state)]
        expected += [StateView(problem, task, state).features(action, applicable) for action in applicable]
    assert found == expected


@given(problem=random_tasks(), seed=st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_scores_are_the_log_softmax_of_the_weights(problem: Problem, seed: int) -> None:
    space = GroundStateSpace(ground(problem))
    states = walk(space, seed, 5)
    if not states:
        return
    random = Random(seed)
    rows = native_features(problem, space, states, "guides")
    names = sorted(set().union(*rows))
    weights = {feature: random.uniform(-1, 1) for feature in names}
    policy = _core.LinearRelationalPolicy(
        space,
        describe(problem),
        np.array(names, np.uint64).tobytes(),
        np.array([weights[feature] for feature in names], np.float32).tobytes(),
    )
    values, begin, actions = edges_of(space, states)
    scores = _core.policy_scores(policy, values, begin, actions)
    for first, last in zip(begin[:-1].tolist(), begin[1:].tolist(), strict=True):
        totals = np.array([sum(weights[feature] for feature in row) for row in rows[first:last]])
        expected = totals - np.logaddexp.reduce(totals)
        np.testing.assert_allclose(scores[first:last], expected, atol=1e-4)


def renamed(problem: Problem, new: dict[str, str], order: list[str]) -> Problem:
    result = Problem(problem.name, problem.domain)
    result.objects = {new[o]: Typed(new[o], problem.objects[o].types) for o in order}
    result.init = [(fact[0], *(new.get(o, o) for o in fact[1:])) for fact in problem.init]
    result.costs = {(term[0], *(new.get(o, o) for o in term[1:])): cost for term, cost in problem.costs.items()}
    result.goal = replaced(problem.goal, new)
    result.use_costs = problem.use_costs
    return result


@given(problem=random_tasks(), random=st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_renaming_and_reordering_objects_changes_nothing(problem: Problem, random: Random) -> None:
    objects = list(problem.objects)
    new = dict(zip(objects, random.sample([f"other{i}" for i in range(len(objects))], len(objects)), strict=True))
    other = renamed(problem, new, random.sample(objects, len(objects)))

    def rows(problem: Problem, task: GroundTask) -> Counter[tuple[str, frozenset[int]]]:
        space = GroundStateSpace(task)
        start = space.start_values()
        schemas = [space.action_name(action).split(" ")[0] for action, _, _ in space.successors(start)]
        if not schemas:
            return Counter()
        found = native_features(problem, space, [start], "colours")
        return Counter((schema, frozenset(row)) for schema, row in zip(schemas, found, strict=True))

    assert rows(problem, ground(problem)) == rows(other, ground(other))
