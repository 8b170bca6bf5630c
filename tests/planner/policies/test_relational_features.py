"""The native features of domain policies equal the plain definitions and do not depend on names of objects."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from blocks_problems import blocks_task
from hypothesis import given, settings
from hypothesis import strategies as st
from random_tasks import random_tasks, replaced
from reference_relational import COLOURS, CONTEXT, GAP, GUIDES, LAG, PLAN, PROGRESS, StateView, join, name

from fsplan.pddl import parse_task
from fsplan.pddl.syntax import Problem, Typed
from fsplan.planner import _core
from fsplan.planner._core import GroundStateSpace, GroundTask
from fsplan.planner.policies.relational.describe import describe
from fsplan.planner.tasks.ground import ground


def shortlist(scores: list[float]) -> list[int]:
    """The edges on the shortlist: the best eighth, at least six, and all with the same score as the last of these."""
    size = max(6, -(-len(scores) // 8))
    return [edge for edge, score in enumerate(scores) if score >= sorted(scores, reverse=True)[:size][-1]]


def walk(space: GroundStateSpace, seed: int, steps: int) -> list[list[int]]:
    """The states along a random walk that have applicable actions."""
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


def native_features(problem: Problem, space: GroundStateSpace, states: list[list[int]]) -> list[set[int]]:
    return features_of(problem, space, *edges_of(space, states))


def features_of(
    problem: Problem, space: GroundStateSpace, values: np.ndarray, begin: np.ndarray, actions: np.ndarray
) -> list[set[int]]:
    rows, features = _core.relational_features(space, describe(problem), values, begin, actions)
    return [set(features[a:b].tolist()) for a, b in zip(rows[:-1].tolist(), rows[1:].tolist(), strict=True)]


def of_block(block: int, features: set[int]) -> set[int]:
    return {feature for feature in features if feature & 3 == block}


def without(block: int, features: set[int]) -> set[int]:
    return features - of_block(block, features)


@given(problem=random_tasks(), seed=st.integers(0, 2**32))
@settings(max_examples=100)
def test_native_features_are_those_of_the_definitions(problem: Problem, seed: int) -> None:
    task = ground(problem)
    space = GroundStateSpace(task)
    states = walk(space, seed, 4)
    if not states:
        return
    found = iter(native_features(problem, space, states))
    for state in states:
        view = StateView(problem, task, state)
        for action in view.successors:
            row = next(found)
            assert of_block(COLOURS, row) == view.colour_features(action)
            assert of_block(CONTEXT, row) == view.context_features(action)
            assert of_block(GUIDES, row) == view.guide_features(action, view.successors)


# Towers from the bottom up, and the only relaxed plan of the initial state.
@pytest.mark.parametrize(
    ("start", "goal", "plan"),
    [
        ("ba c", "bac", ["pick-up c", "stack c a"]),  # unstack a b deletes a goal and preconditions of both steps
        ("ab", "ba", ["unstack b a", "pick-up a", "stack a b"]),
        ("ab c", "cab", ["unstack b a", "pick-up a", "stack a c"]),
    ],
)
def test_relations_to_the_relaxed_plan(tmp_path: Path, start: str, goal: str, plan: list[str]) -> None:
    task = blocks_task(tmp_path, start, goal)
    assert task.problem is not None
    ground_task = ground(task.problem)
    space = GroundStateSpace(ground_task)
    view = StateView(task.problem, ground_task, space.start_values())
    numbers = {space.action_name(action): action for action in range(space.action_count())}
    found = native_features(task.problem, space, [space.start_values()])
    for action, row in zip(view.successors, found, strict=True):
        assert of_block(PLAN, row) == view.plan_features(action, [numbers[step] for step in plan])


@given(problem=random_tasks(), seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_features_do_not_depend_on_the_states_before(problem: Problem, seed: int) -> None:
    space = GroundStateSpace(ground(problem))
    states = walk(space, seed, 30)
    if not states:
        return
    alone = [row for state in states for row in native_features(problem, space, [state])]
    assert native_features(problem, space, states) == alone


class Weighted:
    """Random weights of the features of some states, and the policy with these weights.

    Weights are multiples of 1/8, so that sums are exact in any order of addition, and many sums are equal.
    """

    def __init__(self, problem: Problem, space: GroundStateSpace, states: list[list[int]], seed: int) -> None:
        self.problem, self.space, self.states = problem, space, states
        self.rows = native_features(problem, space, states)
        self.random = Random(seed)

    def weights(self, names: list[int]) -> dict[int, float]:
        """A random weight for each feature; at least about half of the weights are 0."""
        return {feature: self.random.choice((0, 1)) * self.random.randint(-8, 8) / 8 for feature in names}

    def policy(self, names: list[int], *weights: dict[int, float]) -> _core.LinearRelationalPolicy:
        columns = [np.array([each[feature] for feature in names], np.float32).tobytes() for each in weights]
        features = np.array(names, np.uint64).tobytes()
        return _core.LinearRelationalPolicy(self.space, describe(self.problem), features, *columns)

    def scores(self, names: list[int], *weights: dict[int, float]) -> np.ndarray:
        return np.asarray(_core.policy_scores(self.policy(names, *weights), *edges_of(self.space, self.states)))


def log_softmax(scores: list[float]) -> np.ndarray:
    return np.array(scores) - np.logaddexp.reduce(scores)


def total(weights: dict[int, float], features: set[int]) -> float:
    return sum(weights.get(feature, 0.0) for feature in features)


def check_scores(problem: Problem, space: GroundStateSpace, states: list[list[int]], seed: int) -> None:
    weighted = Weighted(problem, space, states, seed)
    names = sorted(set().union(*weighted.rows))
    weights = weighted.weights(names)
    scores = weighted.scores(names, weights)
    begin = edges_of(space, states)[1].tolist()
    for first, last in pairwise(begin):
        expected = log_softmax([total(weights, row) for row in weighted.rows[first:last]])
        np.testing.assert_allclose(scores[first:last], expected, atol=1e-4)


@given(problem=random_tasks(), seed=st.integers(0, 2**32))
@settings(max_examples=100)
def test_scores_are_the_log_softmax_of_the_weights(problem: Problem, seed: int) -> None:
    space = GroundStateSpace(ground(problem))
    states = walk(space, seed, 20)
    if states:
        check_scores(problem, space, states, seed)


PAIRS = """
(define (domain pairs) (:types left right) (:predicates (near ?x - left ?y - right) (met))
(:action swap :parameters (?a ?b - left ?c ?d - right) :precondition (and (near ?a ?c) (near ?b ?d))
 :effect (and (not (near ?a ?c)) (not (near ?b ?d)) (near ?a ?d) (near ?b ?c)))
(:action meet :parameters (?a - left ?c - right) :precondition (near ?a ?c) :effect (met))
(:action call :parameters (?a - left ?c - right) :effect (met)))
"""
TWO_PAIRS = """
(define (problem two) (:domain pairs) (:objects a b - left c d - right)
(:init (near a c) (near b d)) (:goal (met)))
"""


@pytest.mark.parametrize("seed", range(5))
def test_relations_between_objects_change_although_no_colour_does(seed: int) -> None:
    """Every object has the same colour before and after a swap, but (near a c) relates a and c only before it."""
    problem = parse_task(PAIRS, TWO_PAIRS)
    space = GroundStateSpace(ground(problem))
    start = space.start_values()
    swapped = next(after for action, _, after in space.successors(start) if space.action_name(action)[:4] == "swap")
    assert swapped != start
    check_scores(problem, space, [start, swapped, start], seed)


def shortlisted(
    weighted: Weighted, state: list[int], rows: list[set[int]], weights: dict[int, float], first: dict[int, float]
) -> list[float]:
    """Scores of a state's actions: `first` selects the shortlist and ranks all others, `weights` rank the shortlist."""
    scores = [total(first, without(GUIDES, row)) for row in rows]
    if len(rows) == 1:
        return scores
    best = shortlist(scores)
    values, _, actions = edges_of(weighted.space, [state])
    edges = sorted(best)
    among = features_of(
        weighted.problem, weighted.space, values, np.array([0, len(edges)], np.uint32), actions[edges]
    )  # features that compare successors refer to the shortlist only
    second = {
        edge: total(weights, without(GUIDES, rows[edge]) | of_block(GUIDES, row))
        for edge, row in zip(edges, among, strict=True)
    }
    greatest, least, top = max(second.values()), min(second.values()), max(scores)
    return [
        top + second[edge] - greatest if edge in second else score + least - greatest
        for edge, score in enumerate(scores)
    ]


@given(problem=random_tasks(), seed=st.integers(0, 2**32))
@settings(max_examples=100)
def test_a_shortlist_is_chosen_by_the_first_weights(problem: Problem, seed: int) -> None:
    space = GroundStateSpace(ground(problem))
    states = walk(space, seed, 10)
    if not states:
        return
    weighted = Weighted(problem, space, states, seed)
    guides = [of_block(GUIDES, {join(tag, n, *schema) | 3 for tag in (PROGRESS, GAP, LAG) for n in range(9)})
              for schema in ((), *((name(each),) for each in problem.domain.actions))]  # fmt: skip
    names = sorted(set().union(*weighted.rows, *guides))
    weights, first = weighted.weights(names), weighted.weights(names)
    scores = weighted.scores(names, weights, first)
    begin = edges_of(space, states)[1].tolist()
    for state, (start, end) in zip(states, pairwise(begin), strict=True):
        expected = log_softmax(shortlisted(weighted, state, weighted.rows[start:end], weights, first))
        np.testing.assert_allclose(scores[start:end], expected, atol=1e-4)


@given(problem=random_tasks(), seed=st.integers(0, 2**32))
@settings(max_examples=50)
def test_states_whose_best_action_is_on_the_shortlist_are_counted(problem: Problem, seed: int) -> None:
    space = GroundStateSpace(ground(problem))
    states = walk(space, seed, 10)
    if not states:
        return
    weighted = Weighted(problem, space, states, seed)
    names = sorted(set().union(*weighted.rows))
    weights, first = weighted.weights(names), weighted.weights(names)
    recalled = 0
    for start, end in pairwise(edges_of(space, states)[1].tolist()):
        rows = weighted.rows[start:end]
        second = [total(weights, row) for row in rows]
        best = shortlist([total(first, without(GUIDES, row)) for row in rows])
        recalled += max(second) == max(second[edge] for edge in best)
    assert weighted.policy(names, weights, first).count_recalled(*edges_of(space, states)) == recalled
    assert weighted.policy(names, weights).count_recalled(*edges_of(space, states)) == len(states)


def renamed(problem: Problem, new: dict[str, str], order: list[str]) -> Problem:
    result = Problem(problem.name, problem.domain)
    result.objects = {new[o]: Typed(new[o], problem.objects[o].types) for o in order}
    result.init = [(fact[0], *(new.get(o, o) for o in fact[1:])) for fact in problem.init]
    result.costs = {(term[0], *(new.get(o, o) for o in term[1:])): cost for term, cost in problem.costs.items()}
    result.goal = replaced(problem.goal, new)
    result.use_costs = problem.use_costs
    return result


@given(problem=random_tasks(), random=st.randoms(use_true_random=False))
@settings(max_examples=100)
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
        # Which of several relaxed plans is found depends on the order of the actions.
        found = [of_block(COLOURS, row) | of_block(CONTEXT, row) for row in native_features(problem, space, [start])]
        return Counter((schema, frozenset(row)) for schema, row in zip(schemas, found, strict=True))

    assert rows(problem, ground(problem)) == rows(other, ground(other))
