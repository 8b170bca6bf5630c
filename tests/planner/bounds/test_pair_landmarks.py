"""Landmarks of the relaxation with pairs of facts, compared with a plain implementation of h² and with all plans."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from random import Random

import numpy as np
import pytest
from random_ground_tasks import random_ground_task
from support import seeds

import fsplan
from fsplan.planner._core import Budget, ExploredGraph, GroundStateSpace, GroundTask, Landmarks, explore

ALL_PAIRS = 10**7
Facts = frozenset[int]


def landmarks_with_pairs(space: GroundStateSpace, random: Random, count: int) -> list[tuple[list[int], set[int]]]:
    """Random orders of the actions, each with the landmark found for it; an empty set if there is none or it is
    known."""
    finder, watch = Landmarks(space, Budget()), Budget()
    has_pairs = finder.make_pairs(ALL_PAIRS, watch) > 0
    found = []
    for _ in range(count):
        order = random.sample(range(space.action_count()), space.action_count())
        rows = finder.last_of(np.array(order, np.uint32), watch, with_pairs=has_pairs)
        found.append((order, set(rows.action.tolist())))
    return found


class PairReachability:
    """h² of a task without conditional effects and derived variables: the reachable sets of one or two facts."""

    def __init__(self, task: GroundTask, start: list[int]) -> None:
        self.task, self.first = task, list(task.first_fact)
        self.variable = [v for v, size in enumerate(task.domain_size) for _ in range(size)]
        self.start = {self.first[variable] + value for variable, value in enumerate(start)}

    @staticmethod
    def subsets(facts: set[int]) -> set[Facts]:
        return {frozenset([fact]) for fact in facts} | {frozenset(pair) for pair in combinations(facts, 2)}

    def reaches_goal(self, allowed: list[int]) -> bool:
        reached, size = self.subsets(self.start), -1
        while size != len(reached):
            size = len(reached)
            for action in allowed:
                self._apply(action, reached)
        return self.subsets(set(self.task.goal)) <= reached

    def _apply(self, action: int, reached: set[Facts]) -> None:
        needed = set(self.task.precondition[action])
        if not self.subsets(needed) <= reached:
            return
        added = {fact for fact, _ in self.task.effects[action]}
        is_set = {self.variable[fact] for fact in added}
        value_needed = {self.variable[fact]: fact for fact in needed}
        reached |= self.subsets(added)
        for kept in range(len(self.variable)):
            variable = self.variable[kept]
            if variable in is_set or value_needed.get(variable, kept) != kept:
                continue
            if self.subsets(needed | {kept}) <= reached:
                reached |= {frozenset([fact, kept]) for fact in added}

    def last_of(self, order: list[int]) -> set[int]:
        allowed, landmark = list[int](), set[int]()
        for action in order:
            if self.reaches_goal([*allowed, action]):
                landmark.add(action)
            else:
                allowed.append(action)
        return landmark


@seeds(40, 400, parts=2)
def test_landmarks_are_those_of_h2(seeds: range) -> None:
    sizes = defaultdict[bool, int](int)
    for seed in seeds:
        task = random_ground_task(seed, conditional=False, derived=False)
        space = GroundStateSpace(task)
        reference, seen = PairReachability(task, space.start_values()), list[set[int]]()
        for order, landmark in landmarks_with_pairs(space, Random(seed), 3):
            expected = set() if reference.reaches_goal([]) else reference.last_of(order)
            assert landmark == (set() if expected in seen else expected), (seed, order)
            seen.append(expected)
            sizes[bool(expected)] += 1
    assert min(sizes.values()) > 0


@pytest.mark.parametrize("conditional", [False, True])
@seeds(60, 1000, parts=2)
def test_every_plan_uses_an_action_of_the_landmark(conditional: bool, seeds: range) -> None:
    for seed in seeds:
        space = GroundStateSpace(random_ground_task(seed, conditional=conditional, derived=False))
        graph = explore(space, "", 100_000)
        for _, landmark in landmarks_with_pairs(space, Random(seed), 4):
            assert not landmark or not goal_is_reachable(graph, without=landmark), (seed, landmark)


def goal_is_reachable(graph: ExploredGraph, without: set[int]) -> bool:
    begin, target, action = graph.edges_begin, graph.target, graph.action
    seen, open_states = {0}, [0]
    while open_states:
        state = open_states.pop()
        if graph.goal[state]:
            return True
        edges = range(begin[state], begin[state + 1])
        reached = {int(target[edge]) for edge in edges if int(action[edge]) not in without} - seen
        seen |= reached
        open_states += reached
    return False


def test_derived_variables_are_refused() -> None:
    space = GroundStateSpace(random_ground_task(1, conditional=False, derived=True))
    finder = Landmarks(space, Budget())
    assert finder.make_pairs(ALL_PAIRS, Budget()) == 0
    with pytest.raises(ValueError, match="no relaxation with pairs"):
        finder.last_of(np.arange(space.action_count(), dtype=np.uint32), Budget(), with_pairs=True)


def test_a_limit_on_terms_limits_the_pairs() -> None:
    space = fsplan.load(fsplan.example("blocks-8-0")).state_space
    assert isinstance(space, GroundStateSpace)
    counts = [Landmarks(space, Budget()).make_pairs(terms, Budget()) for terms in (0, 10_000, ALL_PAIRS)]
    assert counts == sorted(set(counts))
