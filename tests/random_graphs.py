"""Small random graphs with all features that are difficult for searches."""

from __future__ import annotations

import math
from random import Random

from reference import LOG_ZERO, Edge, Graph

from fsplan.planner import _core

COSTS = ([0, 1], [1], [0, 1, 2, 5], [1, 2, 3], [3, 7, 100], [0, 0, 1, 10_000_000])
ADVERSARIAL = [math.nan, math.inf, -math.inf, 5.0, -1e30, 0.0]


def random_graph(seed: int) -> Graph:
    """A graph with self-loops, parallel edges, zero costs, unreachable goals, dead ends, and an inconsistent h."""
    random = Random(seed)
    states, actions = random.randint(1, 9), random.randint(1, 6)
    costs = random.choice(COSTS)
    edges = [random_edges(random, states, actions, costs) for _ in range(states)]
    goals = set(random.sample(range(states), min(states, random.choice([0, 1, 1, 1, 2]))))
    return with_random_values(random, Graph(0, goals, edges, [], actions, []))


def large_tree(seed: int) -> Graph:
    """A tree in which only h distinguishes the leaf that is the goal; the last action leads back to the root."""
    random = Random(seed)
    states, actions = 3000, 4
    edges: list[list[Edge]] = [[]]
    places = [(0, action) for action in range(actions)]
    for state in range(1, states):
        parent, action = places.pop(random.randrange(len(places)))
        edges[parent].append((action, random.randint(1, 3), state))
        edges.append([])
        places += [(state, action) for action in range(actions)]
    for row in edges:
        row.sort()
        row.append((actions, 1, 0))
    graph = with_random_values(random, Graph(0, {states - 1}, edges, [], actions + 1, []))
    graph.h = [int(cost) * 2 // 3 for cost in graph.costs_to_go()]
    return graph


def with_random_values(random: Random, graph: Graph) -> Graph:
    states, actions = len(graph.edges), graph.actions
    graph.h = [random_h(random, cost) for cost in graph.costs_to_go()]
    graph.policy = [random_policy(random, actions) for _ in range(states)]
    finds_dead_ends = random.random() < 0.5  # h detects every dead end that the guide detects, as in ground tasks
    graph.guide = [random_guide(random, h is None or not finds_dead_ends) for h in graph.h]
    graph.helpful = [random.sample(range(actions), random.randint(0, actions)) for _ in range(states)]
    return graph


def random_edges(random: Random, states: int, actions: int, costs: list[int]) -> list[Edge]:
    labels = sorted(random.sample(range(actions), random.randint(0, actions)))
    return [(label, random.choice(costs), random.randrange(states)) for label in labels]


def random_h(random: Random, cost_to_go: float) -> int | None:
    """A random lower bound on the goal distance; a dead end may be recognised or not."""
    if cost_to_go == math.inf:
        return random.choice([None, 0, random.randint(0, 20)])
    return random.choice([0, int(cost_to_go), random.randint(0, int(cost_to_go))])


def random_guide(random: Random, may_be_dead: bool) -> int | None:
    guide = random.randint(0, 9)
    return random.choice([None, guide]) if may_be_dead else guide


def random_policy(random: Random, actions: int) -> dict[int, float]:
    """Log-probabilities with few distinct values, so that there are ties; all are exact in 32-bit floating point."""
    kind = random.randrange(4)
    if kind == 0:
        return dict.fromkeys(range(actions), -1.5)
    if kind == 1:
        return {action: random.choice(ADVERSARIAL) for action in range(actions)}
    return {action: -random.randint(0, 12 if kind == 2 else 3) / 4 for action in range(actions)}


def native(graph: Graph) -> tuple[_core.ExplicitStateSpace, _core.TablePolicy]:
    """The graph and its policy as the native searches take them."""
    edges = [(state, *edge) for state, out in enumerate(graph.edges) for edge in out]
    edges = [(state, action, cost, child) for state, action, cost, child in edges]
    table = [scores.get(action, LOG_ZERO) for scores in graph.policy for action in range(graph.actions)]
    space = _core.ExplicitStateSpace(
        len(graph.edges), graph.actions, graph.start, sorted(graph.goals), edges, graph.h, graph.guide, graph.helpful
    )
    return space, _core.TablePolicy(table, graph.actions)
