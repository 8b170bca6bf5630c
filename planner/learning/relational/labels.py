"""Labelled states of a task: the features of some states, with all their optimal actions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fsplan.planner._core import LabelledFeatures
from fsplan.planner.graphs.explore import DEAD_END, SearchGraph, explore
from fsplan.planner.policies.relational.describe import relations_of
from fsplan.planner.tasks.task import Task

MOST_STATES = 50_000
STATES = 160
MOST_EDGES = 20_000


# An optimal action counts as safest if its chance to avoid dead ends is at least this share of the greatest chance.
SAFE = 0.999
RANDOM_STEPS = 30


class Labelled:
    """Labelled states of a task; `distance` holds their goal distances, and `size` is the number of its objects.

    In `safest` only the safest of the optimal actions are labelled as right (see `is_safest`); it is the same object as
    `examples` if all optimal actions are equally safe.
    """

    __slots__ = ("best", "distance", "examples", "name", "safest", "size")

    def __init__(
        self,
        task: Task,
        examples: LabelledFeatures,
        distance: npt.NDArray[np.int32],
        best: int,
        safest: LabelledFeatures | None = None,
    ) -> None:
        assert task.problem is not None
        self.name, self.size = task.name, len(task.problem.objects)
        self.examples, self.distance, self.best = examples, distance, best
        self.safest = examples if safest is None else safest


class OptimalActions(NamedTuple):
    """Some states of a task, the edges of each state, and a flag for each edge that begins an optimal plan."""

    values: npt.NDArray[np.int32]
    edges_begin: npt.NDArray[np.uint32]
    actions: npt.NDArray[np.uint32]
    optimal: npt.NDArray[np.uint8]
    safest: npt.NDArray[np.uint8]
    costs: npt.NDArray[np.int32]
    distance: npt.NDArray[np.int32]  # goal distance of each state
    best: int  # goal distance of the initial state; DEAD_END if the task has no plan


def optimal_actions(
    task: Task, count: int, max_states: int, seed: int, seconds: float | None = None
) -> OptimalActions | None:
    """`count` states of a task with all their optimal actions; None if no state has a decision to learn.

    Half of the states are drawn from the whole graph, the others from optimal plans, because a good policy visits
    those. States that differ only by a permutation of interchangeable objects are merged, so that tasks with many
    similar objects can be enumerated. Raises TooManyStates if the graph has more than `max_states` states, and
    TimeoutError if its enumeration exceeds the time limit.
    """
    graph = explore(task, max_states, heuristic=None, time_limit=seconds, up_to_symmetry=True)
    states = sample(graph, count, np.random.default_rng(seed))
    if not len(states):
        return None
    begin = graph.edges_begin.astype(np.int64)
    # The number of edges is limited, so fewer states are used if they have very many actions.
    states = states[np.cumsum(np.diff(begin)[states]) <= MOST_EDGES]
    edges = np.concatenate([np.arange(begin[state], begin[state + 1]) for state in states])
    rows = np.concatenate([[0], np.cumsum(np.diff(begin)[states])]).astype(np.uint32)
    values = np.concatenate([graph.values(state, state + 1) for state in states.tolist()]).astype(np.int32)
    optimal, distance = is_optimal(graph, states), graph.h_star[states]
    safest = is_safest(graph, rows, edges, optimal)
    return OptimalActions(
        values, rows, graph.action[edges], optimal, safest, graph.cost[edges], distance, int(graph.h_star[0])
    )


def label(
    task: Task, count: int = STATES, max_states: int = MOST_STATES, seed: int = 0, seconds: float | None = None
) -> Labelled | None:
    """The features of `count` states of a task, with all their optimal actions; see `optimal_actions`."""
    found = optimal_actions(task, count, max_states, seed, seconds)
    if found is None:
        return None
    relations = relations_of(task)
    flags = [found.optimal] if (found.safest == found.optimal).all() else [found.optimal, found.safest]
    examples = [LabelledFeatures(*relations, found.values, found.edges_begin, found.actions, each) for each in flags]
    return Labelled(task, examples[0], found.distance, found.best, examples[-1])


def sample(graph: SearchGraph, count: int, random: np.random.Generator) -> npt.NDArray[np.int64]:
    """A random sample of states that are neither goals nor dead ends: half from the graph, half from optimal plans."""
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
    """A flag for every edge of the states: 1 if an optimal plan begins with it."""
    begin = graph.edges_begin.astype(np.int64)
    edges = np.concatenate([np.arange(begin[state], begin[state + 1]) for state in states])
    here = np.repeat(graph.h_star[states].astype(np.int64), np.diff(begin)[states])
    there = graph.h_star[graph.target[edges]].astype(np.int64)
    optimal: npt.NDArray[np.bool_] = (there != DEAD_END) & (graph.cost[edges] + there == here)
    return optimal.astype(np.uint8)


def is_safest(
    graph: SearchGraph, rows: npt.NDArray[np.uint32], edges: npt.NDArray[np.int64], optimal: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint8]:
    """A flag for every edge of some states: 1 if it is one of the safest optimal edges of its state.

    An edge is safer the less likely a random walk from its target is to reach a dead end (`chance_to_stay_alive`).
    For example, it may be equally optimal to load fuel now or at the next stop. Loading it now is safer, because a
    policy that makes a mistake later can still reach the goal. Without dead ends all optimal edges are equally safe.
    The edges of the i-th state are `edges[rows[i]:rows[i + 1]]`.
    """
    alive = chance_to_stay_alive(graph)
    after = np.where(optimal == 1, alive[graph.target[edges]], 0.0)
    begin = rows.astype(np.int64)
    best = np.repeat(np.maximum.reduceat(after, begin[:-1]), begin[1:] - begin[:-1])
    safest: npt.NDArray[np.bool_] = (optimal == 1) & (after >= SAFE * best)
    return safest.astype(np.uint8)


def chance_to_stay_alive(graph: SearchGraph) -> npt.NDArray[np.float64]:
    """The probability for each state that a random walk, of RANDOM_STEPS steps or up to a goal, meets no dead end."""
    dead = graph.h_star == DEAD_END
    chance: npt.NDArray[np.float64] = (~dead).astype(np.float64)
    if not dead.any():
        return chance
    begin = graph.edges_begin.astype(np.int64)
    inner = np.flatnonzero((np.diff(begin) > 0) & (graph.goal == 0) & ~dead)
    degree = np.diff(begin)[inner]
    first = np.concatenate([[0], np.cumsum(degree)[:-1]])
    targets = graph.target[np.repeat(begin[inner] - first, degree) + np.arange(degree.sum())]
    for _ in range(RANDOM_STEPS):
        chance[inner] = np.add.reduceat(chance[targets], first) / degree
    return chance
