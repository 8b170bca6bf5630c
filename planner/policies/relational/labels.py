"""Labelled states of a task: all optimal actions of some of its states, as features."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fsplan.planner._core import LabelledFeatures
from fsplan.planner.explore import DEAD_END, explore

from .describe import relations_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from fsplan.planner.explore import SearchGraph
    from fsplan.planner.task import Task

MOST_STATES = 50_000
STATES = 160
MOST_EDGES = 20_000


class Labelled:
    """Some states of a task. `distance`: their cost to go; `size`: the number of the task's objects."""

    __slots__ = ("best", "distance", "examples", "name", "size")

    def __init__(self, task: Task, examples: LabelledFeatures, distance: npt.NDArray[np.int32], best: int) -> None:
        assert task.problem is not None
        self.name, self.size = task.name, len(task.problem.objects)
        self.examples, self.distance, self.best = examples, distance, best


class OptimalActions(NamedTuple):
    """Some states of a task, the edges of each, and which of these start a cheapest plan."""

    values: npt.NDArray[np.int32]
    edges_begin: npt.NDArray[np.uint32]
    actions: npt.NDArray[np.uint32]
    optimal: npt.NDArray[np.uint8]
    costs: npt.NDArray[np.int32]
    distance: npt.NDArray[np.int32]  # cost to go, per state
    best: int  # of the start; DEAD_END where the task has no plan


def optimal_actions(
    task: Task, count: int, max_states: int, seed: int, seconds: float | None = None
) -> OptimalActions | None:
    """`count` states of a task with all their optimal actions; None if there is nothing to learn.

    Half of the states are drawn from the whole graph, the others from optimal ways to the goal: those are where a good
    policy will be. States that differ only in swaps of interchangeable objects count as one, so that tasks with many
    objects of a kind can be enumerated. Raises TooManyStates where the graph has more than `max_states` states,
    TimeoutError where its enumeration takes longer than the seconds given.
    """
    graph = explore(task, max_states, heuristic=None, time_limit=seconds, up_to_symmetry=True)
    states = sample(graph, count, np.random.default_rng(seed))
    if not len(states):
        return None
    begin = graph.edges_begin.astype(np.int64)
    # States with very many actions take the place of several others.
    states = states[np.cumsum(np.diff(begin)[states]) <= MOST_EDGES]
    edges = np.concatenate([np.arange(begin[state], begin[state + 1]) for state in states])
    rows = np.concatenate([[0], np.cumsum(np.diff(begin)[states])]).astype(np.uint32)
    values = np.concatenate([graph.values(state, state + 1) for state in states.tolist()]).astype(np.int32)
    optimal, distance = is_optimal(graph, states), graph.h_star[states]
    return OptimalActions(values, rows, graph.action[edges], optimal, graph.cost[edges], distance, int(graph.h_star[0]))


def label(
    task: Task, count: int = STATES, max_states: int = MOST_STATES, seed: int = 0, seconds: float | None = None
) -> Labelled | None:
    """`count` states of a task as features, with all their optimal actions; see `optimal_actions`."""
    found = optimal_actions(task, count, max_states, seed, seconds)
    if found is None:
        return None
    examples = LabelledFeatures(*relations_of(task), found.values, found.edges_begin, found.actions, found.optimal)
    return Labelled(task, examples, found.distance, found.best)


def sample(graph: SearchGraph, count: int, random: np.random.Generator) -> npt.NDArray[np.int64]:
    """States with a decision to take, in random order: half from anywhere, half along optimal ways to the goal."""
    alive = np.flatnonzero((graph.goal == 0) & (graph.h_star != DEAD_END))
    if len(alive) <= count:
        return random.permutation(alive)
    chosen = dict.fromkeys(random.choice(alive, count // 2, replace=False).tolist())
    state = 0 if graph.h_star[0] != DEAD_END else int(random.choice(alive))
    for _ in range(20 * count):
        if len(chosen) >= count:
            break
        if graph.goal[state]:
            state = int(random.choice(alive))
        chosen[state] = None
        state = next_on_the_way(graph, state, random)
    return random.permutation(np.array(list(chosen), dtype=np.int64))


def next_on_the_way(graph: SearchGraph, state: int, random: np.random.Generator) -> int:
    edges = np.arange(int(graph.edges_begin[state]), int(graph.edges_begin[state + 1]))
    best = edges[is_optimal(graph, np.array([state])) == 1]
    return int(graph.target[random.choice(best)])


def is_optimal(graph: SearchGraph, states: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """For every edge of the states whether some cheapest way to a goal starts with it."""
    begin = graph.edges_begin.astype(np.int64)
    edges = np.concatenate([np.arange(begin[state], begin[state + 1]) for state in states])
    here = np.repeat(graph.h_star[states].astype(np.int64), np.diff(begin)[states])
    there = graph.h_star[graph.target[edges]].astype(np.int64)
    optimal: npt.NDArray[np.bool_] = (there != DEAD_END) & (graph.cost[edges] + there == here)
    return optimal.astype(np.uint8)
