"""A simple reference implementation of optimistic search: a greedy dive, then three alternating open lists.

The graphs have no estimates of the number of steps; their guide, which stands for h_FF, is used as this estimate, too.
So the sum of both is twice the guide.
"""

from __future__ import annotations

import math
from fractions import Fraction

from reference import FAR, Answer, Edge, Graph, Tree

FIRST_DIVE, DIVE_STEPS, EVALUATIONS, BOOST = 1000, 16, 16, 1000

# key, h at insertion, minus the time of insertion, state, g at insertion
Entry = tuple[float, int, int, int, int]


class Optimistic:
    def __init__(self, graph: Graph, w: Fraction, reopen: bool, by_policy: bool) -> None:
        self.graph, self.w, self.by_policy = graph, w, by_policy
        self.tree = Tree(graph, reopen)
        self.guide: dict[int, float] = {graph.start: as_number(graph.guide[graph.start])}
        self.inherited: set[int] = set()
        self.discrepancies = {graph.start: 0}
        self.dive: dict[str, list[Entry]] = {"preferred": [], "regular": []}
        self.turns = {"preferred": 0, "regular": 0}
        self.least_guide = as_number(None)
        self.lists: dict[str, list[Entry]] = {"f": [], "steps": [], "weighted": [], "pending": []}
        # A weight whose numerator or denominator exceeds 31 bits is rounded down; in the tests the result is 1.
        self.weights = (w.numerator, w.denominator) if w.numerator < 2**31 else (1, 1)
        self.bound, self.limit, self.turn, self.time = 0, -1, -1, 0

    def search(self) -> Answer:
        tree, start = self.tree, self.graph.start
        if not tree.nodes[start].open:
            return tree.exhausted()
        if start in self.graph.goals:
            tree.accept(start)
            return tree.answer
        self.add(self.dive["regular"], 0, start, oldest=True)
        while tree.answer.plan is None and self.can_dive() and tree.answer.expanded < FIRST_DIVE:
            self.dive_step(improving=False)
        for state in tree.open():
            self.enter(state)
        while self.raise_bound():
            self.take_turn()
        return tree.answer if tree.answer.plan is not None else tree.exhausted()

    # Nodes and their keys

    def key(self, name: str, state: int) -> float:
        node = self.tree.nodes[state]
        if name in ("f", "pending"):
            return node.f
        if name == "steps":
            return self.guide[state]
        return self.weights[1] * node.g + self.weights[0] * node.h

    def hopeless(self, state: int) -> bool:
        return self.tree.answer.cost is not None and self.tree.nodes[state].f >= self.tree.answer.cost

    def evaluate(self, state: int) -> None:
        self.tree.answer.evaluated += 1
        node, h = self.tree.nodes[state], self.graph.h[state]
        self.inherited.remove(state)
        self.guide[state] = as_number(self.graph.guide[state])
        node.h, node.open = (FAR, False) if h is None else (max(node.h, h), node.open)

    def relax(self, state: int, edge: Edge) -> bool:
        improved = self.tree.relax(state, edge)
        child = edge[2]
        if improved and child in self.graph.goals:
            self.tree.accept_if_cheaper(child)
            self.tree.prove(self.bound)
        return improved

    # The open lists

    def add(self, entries: list[Entry], key: float, state: int, oldest: bool = False) -> None:
        node = self.tree.nodes[state]
        self.time += 1
        entries.append((key, 0 if oldest else node.h, self.time if oldest else -self.time, state, node.g))

    def live(self, name: str) -> list[Entry]:
        """The entries of open nodes that are not stale."""
        nodes = self.tree.nodes
        if name in self.dive:
            return [e for e in self.dive[name] if nodes[e[3]].open and nodes[e[3]].g == e[4]]
        entries = self.lists[name]
        return [e for e in entries if nodes[e[3]].open and nodes[e[3]].g == e[4] and self.key(name, e[3]) == e[0]]

    def pop(self, name: str) -> int:
        best = min(self.live(name))
        (self.dive if name in self.dive else self.lists)[name].remove(best)
        return best[3]

    def enter(self, state: int) -> None:
        if self.hopeless(state):
            return
        for name in ("f", "weighted", "steps" if self.tree.nodes[state].f <= self.limit else "pending"):
            self.add(self.lists[name], self.key(name, state), state)

    # The greedy dive

    def can_dive(self) -> bool:
        return bool(self.live("preferred") or self.live("regular"))

    def dive_step(self, improving: bool) -> None:
        name = "preferred" if self.live("preferred") else "regular"
        if self.live("preferred") and self.live("regular"):
            name = min(self.turns, key=lambda name: self.turns[name])
            self.turns[name] += 1
        state = self.pop(name)
        if state in self.inherited:
            self.evaluate(state)
        if not self.tree.nodes[state].open or self.hopeless(state):
            return
        if self.guide[state] < self.least_guide:
            self.least_guide = self.guide[state]
            self.turns["preferred"] -= BOOST
        self.dive_expand(state, improving)

    def dive_expand(self, state: int, improving: bool) -> None:
        tree, parent = self.tree, self.tree.nodes[state]
        tree.answer.expanded += 1
        for _, cost, child in self.graph.edges[state]:
            tree.answer.generated += 1
            if child not in tree.nodes:
                tree.see(child)
                tree.answer.evaluated -= 1
                tree.nodes[child].h = max(0, parent.h - cost)
                self.inherited.add(child)
                self.guide[child] = self.guide[state]
        tree.close(state)
        ranks = self.graph.ranks(state)
        for index, edge in enumerate(self.graph.edges[state]):
            child = edge[2]
            was_closed = tree.nodes[child].closed
            if not self.relax(state, edge):
                continue
            chosen = ranks[index] == 0 if self.by_policy else edge[0] in self.graph.helpful[state]
            self.discrepancies[child] = self.discrepancies.get(state, 0) + (not chosen)
            if not was_closed:
                key = self.discrepancies[child] if self.by_policy else self.guide[state]
                self.add(self.dive["regular"], key, child, oldest=True)
                if chosen:
                    self.add(self.dive["preferred"], key, child, oldest=True)
            if improving:
                self.enter(child)

    # The lower bound, and the alternation between the open lists

    def raise_bound(self) -> bool:
        tree = self.tree
        f_min = min((e[0] for e in self.live("f")), default=None)
        if f_min is None:
            if tree.answer.plan is not None:
                tree.prove(None)
            return False
        if f_min > self.bound:
            self.bound = int(f_min)
            tree.prove(self.bound)
        cost, lower = tree.answer.cost, tree.answer.lower_bound
        assert lower is not None
        if cost is not None and (cost <= self.w * lower or f_min >= cost):
            return False
        self.limit = math.floor(self.w * self.bound)
        if cost is not None:
            self.limit = min(self.limit, cost - 1)
        while self.live("pending") and min(self.live("pending"))[0] <= self.limit:
            state = self.pop("pending")
            self.add(self.lists["steps"], self.key("steps", state), state)
        return True

    def take_turn(self) -> None:
        self.turn = (self.turn + 1) % 4
        if self.turn < 3:
            return self.expand_best(("f", "steps", "weighted")[self.turn])
        for _ in range(DIVE_STEPS):
            if self.tree.answer.plan is None and self.can_dive():
                self.dive_step(improving=True)
        return None

    def expand_best(self, name: str) -> None:
        evaluations = 0
        while evaluations < EVALUATIONS and self.live(name):
            state = self.pop(name)
            if self.hopeless(state):
                continue
            if name == "steps" and self.tree.nodes[state].f > self.limit:
                self.add(self.lists["pending"], self.key("pending", state), state)
            elif state in self.inherited:
                evaluations += 1
                self.evaluate(state)
                if self.tree.nodes[state].open:
                    self.enter(state)
            else:
                return self.expand(state)
        return None

    def expand(self, state: int) -> None:
        for _, _, child in self.graph.edges[state]:
            if child not in self.tree.nodes:
                self.guide[child] = as_number(self.graph.guide[child])
        edges = self.tree.expand(state)
        self.tree.close(state)
        for edge in edges:
            if self.relax(state, edge):
                self.enter(edge[2])


def as_number(guide: int | None) -> float:
    """The guide; for a dead end (None) a number that is greater than all others."""
    return 2**31 - 1 if guide is None else guide
