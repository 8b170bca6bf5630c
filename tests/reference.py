"""Simple reference implementations of the searches, which use sets and minima instead of queues and caches.

Every function follows the definition of its search and counts what it does, so that the native searches can be compared
with it step by step. Ties are broken by the rules in `ties`, then by `age`, the time at which a node entered its list.
"""

from __future__ import annotations

import heapq
import math
import struct
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

Edge = tuple[int, int, int]  # action, cost, child
LOG_ZERO = -700.0
FAR = 2**62  # g of a state without a path, h of a dead end


@dataclass
class Graph:
    start: int
    goals: set[int]
    edges: list[list[Edge]]  # per state, by rising action
    h: list[int | None]  # None for a dead end
    actions: int
    policy: list[dict[int, float]]  # per state: action -> log-probability
    guide: list[int | None] = field(default_factory=list)
    helpful: list[list[int]] = field(default_factory=list)
    unmasked: bool = False  # the policy ranks all actions, also those that are not applicable
    shares_ties: bool = False  # actions with equal scores have the same rank

    def costs_to_go(self) -> list[float]:
        """The true cost to go of every state, by Dijkstra from the goals over reversed edges."""
        reverse: list[list[tuple[int, int]]] = [[] for _ in self.edges]
        for state, edges in enumerate(self.edges):
            for _, cost, child in edges:
                reverse[child].append((cost, state))
        best = [math.inf] * len(self.edges)
        queue = [(0, goal) for goal in sorted(self.goals)]
        while queue:
            cost, state = heapq.heappop(queue)
            if cost >= best[state]:
                continue
            best[state] = cost
            for step, parent in reverse[state]:
                heapq.heappush(queue, (cost + step, parent))
        return best

    def plan_cost(self, plan: list[int]) -> int | None:
        """The cost of the plan; None if it does not lead from the initial state to a goal."""
        state, total = self.start, 0
        for action in plan:
            step = [(cost, child) for label, cost, child in self.edges[state] if label == action]
            if len(step) != 1:
                return None
            total, state = total + step[0][0], step[0][1]
        return total if state in self.goals else None

    def scores(self, state: int) -> list[float]:
        """The policy's log-probabilities of the applicable actions."""
        return [self.score(state, action) for action, _, _ in self.edges[state]]

    def score(self, state: int, action: int) -> float:
        """The policy's log-probability of the action; invalid values are replaced."""
        raw = self.policy[state].get(action, LOG_ZERO)
        return min(raw, 0.0) if raw > LOG_ZERO else LOG_ZERO

    def asked(self, state: int) -> list[int]:
        """The actions that the policy ranks: the applicable ones, then, if `unmasked`, all others."""
        applicable = [action for action, _, _ in self.edges[state]]
        others = [action for action in range(self.actions) if action not in applicable]
        return applicable + (others if self.unmasked else [])

    def ranks(self, state: int, last: Container[int] = ()) -> list[int]:
        """The rank of each edge: the number of actions that the policy prefers to it. The edges `last` rank last."""
        applicable = [action for action, _, _ in self.edges[state]]
        scores = {action: self.score(state, action) for action in self.asked(state)}
        scores |= {action: -math.inf for i, action in enumerate(applicable) if i in last}

        def better(action: int, than: int) -> bool:
            tie = scores[action] == scores[than] and action < than and not self.shares_ties
            return scores[action] > scores[than] or tie

        return [sum(better(other, action) for other in scores) for action in applicable]


@dataclass
class Node:
    h: int
    g: int = FAR
    parent: int | None = None
    action: int = -1
    open: bool = False
    closed: bool = False
    value: float = 0
    age: int = 0  # time of its insertion into the list
    opened: int = 0  # time at which the node was opened or evaluated, whichever was later
    inherited: bool = False  # h is inherited from the parent, not evaluated
    listed: str = ""  # PrefA*: "preferred", "regular" or "both"; focal search: "focal" or "pending"

    @property
    def dead(self) -> bool:
        return self.h == FAR

    @property
    def f(self) -> int:
        return self.g + self.h


@dataclass
class Answer:
    status: str
    plan: list[int] | None = None
    cost: int | None = None
    lower_bound: int | None = 0  # None means infinite
    expanded: int = 0
    generated: int = 0
    reopened: int = 0
    evaluated: int = 0
    deepened: int = 0


class Tree:
    """The search tree: generated states, their nodes, statistics and the lower bound. All searches use it."""

    def __init__(self, graph: Graph, reopen: bool) -> None:
        self.graph, self.reopen = graph, reopen
        self.nodes: dict[int, Node] = {}
        self.answer = Answer("not_found")
        self.time = 0
        self.valid = True  # no cheaper path to a closed node has been ignored
        self.see(graph.start)
        start = self.nodes[graph.start]
        start.g, start.open = 0, not start.dead
        self.prove(graph.h[graph.start])

    def see(self, state: int) -> None:
        if state not in self.nodes:
            self.answer.evaluated += 1
            h = self.graph.h[state]
            self.nodes[state] = Node(FAR if h is None else h)

    def open(self) -> list[int]:
        return [state for state, node in self.nodes.items() if node.open]

    def prove(self, bound: int | None) -> None:
        """Raises the lower bound to `bound`; None means that there is no plan."""
        answer = self.answer
        if self.valid and answer.lower_bound is not None:
            if bound is None:
                answer.lower_bound = answer.cost
            else:
                lower = bound if answer.cost is None else min(bound, answer.cost)
                answer.lower_bound = max(answer.lower_bound, lower)

    def prove_by_open(self) -> None:
        self.prove(min((self.nodes[state].f for state in self.open()), default=None))

    def expand(self, state: int, lazy: bool = False) -> list[Edge]:
        self.answer.expanded += 1
        for _, cost, child in self.graph.edges[state]:
            self.answer.generated += 1
            if lazy and child not in self.nodes:
                self.nodes[child] = Node(max(0, self.nodes[state].h - cost), inherited=True)
            self.see(child)
        return self.graph.edges[state]

    def take(self, state: int, action: int, lazy: bool = False) -> int:
        """Generates the successor by one action."""
        self.answer.generated += 1
        child = next(child for label, _, child in self.graph.edges[state] if label == action)
        if not lazy:
            self.see(child)
        return child

    def evaluate(self, state: int) -> None:
        """Evaluates a node with an inherited h: h rises, or the node is a dead end."""
        node, h = self.nodes[state], self.graph.h[state]
        self.answer.evaluated += 1
        self.time += 1
        node.inherited, node.open, node.opened, node.age = False, h is not None, self.time, self.time
        node.h = FAR if h is None else max(node.h, h)

    def relax(self, state: int, edge: Edge) -> bool:
        """Accepts the edge if its path to the child is cheaper."""
        action, cost, target = edge
        child, parent = self.nodes[target], self.nodes[state]
        if child.dead or parent.g + cost >= child.g:
            return False
        if child.closed and not self.reopen:
            self.valid = False
            return False
        self.answer.reopened += child.closed
        child.g, child.parent, child.action = parent.g + cost, state, action
        child.open, child.closed = True, False
        self.time += 1
        child.age = child.opened = self.time
        return True

    def close(self, state: int) -> None:
        self.nodes[state].open, self.nodes[state].closed = False, True

    def accept(self, state: int) -> None:
        plan: list[int] = []
        at: int | None = state
        while at is not None and at != self.graph.start:
            plan.append(self.nodes[at].action)
            at = self.nodes[at].parent
        plan.reverse()
        self.answer.plan, self.answer.cost, self.answer.status = plan, self.graph.plan_cost(plan), "solved"

    def accept_if_cheaper(self, goal: int) -> bool:
        """Accepts the path to the goal state unless the plan so far is as cheap; returns whether it was accepted."""
        answer = self.answer
        before = answer.plan, answer.cost, answer.status
        self.accept(goal)
        assert answer.cost is not None
        if before[1] is None or answer.cost < before[1]:
            return True
        answer.plan, answer.cost, answer.status = before
        return False

    def renew_age(self, state: int) -> None:
        self.time += 1
        self.nodes[state].age = self.time

    def exhausted(self) -> Answer:
        """The answer when no open node is left and no goal was found: the task is unsolvable."""
        self.answer.status, self.answer.lower_bound = "unsolvable", None
        return self.answer


def single(number: float) -> float:
    """The nearest 32-bit floating-point number; native policies use this precision."""
    return float(struct.unpack("f", struct.pack("f", number))[0])


def relaxed_plan_policy(graph: Graph) -> list[dict[int, float]]:
    """The policy `ff`: a softmax over -(c + guide). Ties are broken by c + h; helpful actions rank before all
    others."""
    return [relaxed_plan_scores(graph, state) for state in range(len(graph.edges))]


def relaxed_plan_scores(graph: Graph, state: int) -> dict[int, float]:
    by_guide = {a: cost + g for a, cost, child in graph.edges[state] if (g := graph.guide[child]) is not None}
    by_h = {a: cost + h for a, cost, child in graph.edges[state] if (h := graph.h[child]) is not None}
    span = 1 + max(by_h.values(), default=0) - min(by_h.values(), default=0)
    scores = {}
    for action in by_guide.keys() & by_h.keys():
        tie = (by_h[action] - min(by_h.values())) / span / 2
        scores[action] = single(-(by_guide[action] - min(by_guide.values()) + tie))
    helpful = [scores[action] for action in scores if action in graph.helpful[state]]
    others = [scores[action] for action in scores if action not in graph.helpful[state]]
    if helpful and others:
        shift = min(0, single(single(min(helpful) - max(others)) - 1))
        scores = {a: s if a in graph.helpful[state] else single(s + shift) for a, s in scores.items()}
    if not scores:
        return {action: single(-math.log(len(graph.edges[state]))) for action, _, _ in graph.edges[state]}
    best = max(scores.values())
    total = best + math.log(sum(math.exp(scores[a] - best) for a in sorted(scores)))
    return {action: single(score - total) for action, score in scores.items()}


def tie_key(node: Node, ties: list[str], time: int | None = None) -> list[int]:
    """The values by which ties are broken; `time` is used instead of the node's age."""
    age = node.age if time is None else time
    values = {"f": node.f, "h": node.h, "newest": -age, "oldest": age}
    return [values[tie] for tie in ties]


def best_first(graph: Graph, by_g: int, by_h: int, ties: list[str], reopen: bool) -> Answer:
    """Expands the node with the least by_g·g + by_h·h.

    (by_g, by_h) is (1, 1) for A*, (denominator, numerator) of w for weighted A*, and (0, 1) for greedy search.
    """
    tree = Tree(graph, reopen)

    def key(state: int) -> list[int]:
        node = tree.nodes[state]
        return [by_g * node.g + by_h * node.h, *tie_key(node, ties)]

    while tree.open():
        state = min(tree.open(), key=key)
        if by_g:
            tree.prove(-(-key(state)[0] // by_h))
        tree.close(state)
        if state in graph.goals:
            tree.accept(state)
            tree.prove_by_open()
            return tree.answer
        for edge in tree.expand(state):
            tree.relax(state, edge)
    return tree.exhausted()


def prefastar(graph: Graph, ties: list[str], reopen: bool, helpful: bool, alternate: bool) -> Answer:
    """PrefA* with two open lists, one for preferred nodes and one for the others, both sorted by f.

    The preferred list is used while it has nodes. With `alternate`, the second list has all nodes, the lists take
    turns, and every new minimum of h gives the preferred list 1000 additional turns.
    """
    tree = Tree(graph, reopen)
    tree.nodes[graph.start].listed = "regular"
    turns = {"preferred": 0, "regular": 0}
    least_h = FAR
    while tree.open():
        lists = {
            name: [s for s in tree.open() if tree.nodes[s].listed in (name, "both")]
            for name in ("preferred", "regular")
        }
        name = "preferred" if lists["preferred"] else "regular"
        if alternate and lists["preferred"] and lists["regular"]:
            name = min(turns, key=lambda name: turns[name])
            turns[name] += 1
        state = min(lists[name], key=lambda s: [tree.nodes[s].f, *tie_key(tree.nodes[s], ties)])
        tree.close(state)
        if state in graph.goals:
            tree.accept(state)
            tree.prove_by_open()
            return tree.answer
        if tree.nodes[state].h < least_h:
            least_h = tree.nodes[state].h
            turns["preferred"] -= 1000
        ranks = graph.ranks(state)
        for index, edge in enumerate(tree.expand(state)):
            if tree.relax(state, edge):
                preferred = edge[0] in graph.helpful[state] if helpful else ranks[index] == 0
                tree.nodes[edge[2]].listed = ("both" if alternate else "preferred") if preferred else "regular"
    return tree.exhausted()


def idastar(graph: Graph) -> Answer:
    """IDA*: depth-first search within a limit on f. The next limit is the least f that exceeded it. Cycles are cut."""
    answer = Answer("not_found", evaluated=0)
    limit = graph.h[graph.start]
    while limit is not None:
        answer.lower_bound = limit
        beyond: list[int] = []
        plan = deepen(graph, [graph.start], 0, limit, beyond, answer)
        if plan is not None:
            answer.status, answer.plan, answer.cost = "solved", plan, graph.plan_cost(plan)
            return answer
        limit = min(beyond, default=None)
    answer.status, answer.lower_bound = "unsolvable", None
    return answer


class OutOfNodesError(Exception):
    pass


def deepen(
    graph: Graph, path: list[int], g: int, limit: int, beyond: list[int], answer: Answer, last: float = math.inf
) -> list[int] | None:
    if path[-1] in graph.goals:
        return []
    if answer.expanded == last:
        raise OutOfNodesError
    answer.expanded += 1
    for action, cost, child in graph.edges[path[-1]]:
        if child in path:
            continue
        answer.generated += 1
        answer.evaluated += 1
        h = graph.h[child]
        if h is None:
            continue
        if g + cost + h > limit:
            beyond.append(g + cost + h)
            continue
        rest = deepen(graph, [*path, child], g + cost, limit, beyond, answer, last)
        if rest is not None:
            return [action, *rest]
    return None


def unroll(graph: Graph) -> Answer:
    """Follows the policy's first choices until a goal, a repeated state or a dead end."""
    tree = Tree(graph, True)
    state, path, plan = graph.start, set[int](), list[int]()
    while state not in path and not tree.nodes[state].dead:
        path.add(state)
        if state in graph.goals:
            tree.answer.status, tree.answer.plan, tree.answer.cost = "solved", plan, graph.plan_cost(plan)
            tree.prove(tree.nodes[graph.start].h)
            return tree.answer
        tree.answer.expanded += 1
        if 0 not in graph.ranks(state):  # no edge, or the first choice is not applicable
            break
        action = graph.edges[state][graph.ranks(state).index(0)][0]
        state = tree.take(state, action)
        plan.append(action)
    return tree.exhausted() if tree.answer.lower_bound is None else tree.answer


def follow(graph: Graph) -> Answer:
    """Follows the policy; at dead ends and repeated states it goes back to the best untried action of a visited state.

    The best one has the least gap in log-probability to the first choice, minus 0.15 per step of its depth; among equal
    ones, the newest.
    """
    tree = Tree(graph, True)
    plans: dict[int, list[int]] = {graph.start: []}  # visited state -> path to it
    left: dict[int, list[int]] = {}  # visited state -> its untried actions, the best one first
    forks: list[tuple[float, int, int]] = []  # key, minus the time, state
    at = graph.start
    while not tree.nodes[graph.start].dead:
        if at in graph.goals:
            tree.answer.status, tree.answer.plan, tree.answer.cost = "solved", plans[at], graph.plan_cost(plans[at])
            tree.prove(tree.nodes[graph.start].h)
            return tree.answer
        if at not in left:
            tree.answer.expanded += 1
            left[at] = sorted((action for action, _, _ in graph.edges[at]), key=lambda action: -graph.score(at, action))
        child = at
        if left[at]:
            action = left[at].pop(0)
            child = tree.take(at, action)
            if left[at]:
                gap = max(graph.scores(at)) - graph.score(at, left[at][0])
                heapq.heappush(forks, (gap - 0.15 * len(plans[at]), -tree.answer.generated, at))
        if child not in plans and not tree.nodes[child].dead:
            plans[child] = [*plans[at], action]
            at = child
        elif forks:
            at = heapq.heappop(forks)[2]
        else:
            break
    return tree.exhausted()


def sampled_unrolls(graph: Graph, draws: list[Iterator[float]], steps: int) -> tuple[Answer, list[int]]:
    """One run of limited length per iterator of random numbers; returns the best plan and the cost of each run."""
    tree = Tree(graph, True)
    costs = []
    for numbers in draws:
        plan = sampled_unroll(graph, tree, numbers, steps)
        if plan is not None:
            cost = graph.plan_cost(plan)
            assert cost is not None
            costs.append(cost)
            if cost == min(costs) and cost not in costs[:-1]:
                tree.answer.status, tree.answer.plan, tree.answer.cost = "solved", plan, cost
    return tree.exhausted() if tree.answer.lower_bound is None else tree.answer, costs


def sampled_unroll(graph: Graph, tree: Tree, numbers: Iterator[float], steps: int) -> list[int] | None:
    """One run: each action is drawn from the policy's distribution; an action that is not applicable ends the run."""
    state, plan = graph.start, list[int]()
    while state not in graph.goals:
        if tree.nodes[graph.start].dead or len(plan) == steps:
            return None
        tree.answer.expanded += 1
        if not graph.edges[state]:
            return None
        asked = graph.asked(state)
        weights = chances(graph, state)
        left = next(numbers) * sum(weights)
        drawn = 0
        while drawn + 1 < len(asked) and (left := left - weights[drawn]) >= 0:
            drawn += 1
        if asked[drawn] not in {action for action, _, _ in graph.edges[state]}:
            return None
        plan.append(asked[drawn])
        state = tree.take(state, asked[drawn], lazy=True)
    return plan


def chances(graph: Graph, state: int) -> list[float]:
    return [math.exp(graph.score(state, action)) for action in graph.asked(state)]
