"""A simple reference implementation of focal search: Algorithm 1 and fsplan's extensions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from reference import Answer, Graph, Node, OutOfNodesError, Tree, deepen, tie_key

DISCREPANCY_UNIT = 1 << 24


@dataclass
class FocalOptions:
    order: str
    w: Fraction
    ties: list[str]
    reopen: bool = True
    accuracy: float = 1.0
    alpha: str = "all"
    together: int = 1  # number of nodes taken from FOCAL at a time
    lazy: bool = False  # nodes are evaluated at the front of a queue (lazy evaluation)
    fresh: bool = False  # edges that lead to known states without making their path cheaper rank last
    hedge: bool = False  # each expansion by the order is followed by one with the least g + w·h in FOCAL
    prove: int = 0  # number of expansions by least f after each expansion by the order
    deepen: int = 0  # nodes of the depth-first passes per expansion
    profile: tuple[float, ...] = ()  # disc1-profile: the policy's accuracy by distance


class Focal:
    """Expands, among the open nodes with f <= w·bound, the one that the order puts first."""

    def __init__(self, graph: Graph, options: FocalOptions) -> None:
        self.graph, self.options = graph, options
        self.tree = Tree(graph, options.reopen)
        self.passes = Passes(graph, options.deepen)
        self.bound = -1
        self.turn = 0

    def search(self) -> Answer:
        tree = self.tree
        while tree.open():
            if not self.raise_bound():
                return tree.exhausted()
            goal = self.take_turn()
            if goal is not None:
                tree.accept(goal)
                return tree.answer
        self.passes.bound(tree.answer)
        return tree.exhausted()

    def raise_bound(self) -> bool:
        """Raises the lower bound to the least f of the open nodes; returns False if that proves that there is no
        plan."""
        tree = self.tree
        proven = self.passes.bound(tree.answer)
        if proven is None:
            return False
        proven = max(proven, min(tree.nodes[state].f for state in tree.open()))
        if proven > self.bound:
            self.bound = proven
            tree.prove(proven)
            self.admit()
        return True

    def admit(self) -> None:
        """Moves nodes into FOCAL, by f and then in the order in which they were generated."""
        tree = self.tree
        waiting = [tree.nodes[s] for s in tree.open() if tree.nodes[s].listed != "focal"]
        for node in sorted(waiting, key=lambda node: (node.f, node.age)):
            if self.fits(node):
                tree.time += 1
                node.listed, node.age = "focal", tree.time

    def fits(self, node: Node) -> bool:
        return node.f <= self.options.w * self.bound

    def take_turn(self) -> int | None:
        """The next turn of a cycle (the order, the hedge, least f); returns the goal if it ends the search."""
        turn = self.turn
        self.turn = (turn + 1) % (1 + self.options.hedge + self.options.prove)
        if turn == 0:
            return self.expand_by_order()
        if turn == 1 and self.options.hedge:
            return self.expand_best(self.inside(), self.weighted_key)
        return self.expand_best(self.tree.open(), self.f_key)

    def inside(self) -> list[int]:
        return [state for state in self.tree.open() if self.tree.nodes[state].listed == "focal"]

    def expand_by_order(self) -> int | None:
        selected: list[int] = []
        while len(selected) < self.options.together:
            inside = self.inside()
            if not inside:
                break
            state = min(inside, key=self.focal_key)
            if self.evaluated_now(state):
                continue
            self.tree.close(state)
            if state in self.graph.goals:
                return state
            selected.append(state)
        for state in selected:
            if self.tree.nodes[state].closed:
                self.expand(state)
        return None

    def weighted_key(self, state: int) -> tuple[float, ...]:
        node, w = self.tree.nodes[state], self.options.w
        if w.numerator >= 2**31:  # such a w is very close to 1 and is rounded down to 1
            w = Fraction(1)
        return node.g * w.denominator + node.h * w.numerator, node.h, -node.age

    def f_key(self, state: int) -> tuple[float, ...]:
        node = self.tree.nodes[state]
        return node.f, node.h, -node.opened

    def expand_best(self, states: list[int], key: Callable[[int], tuple[float, ...]]) -> int | None:
        if not states:
            return None
        state = min(states, key=key)
        if self.evaluated_now(state):
            return None
        self.tree.close(state)
        if state in self.graph.goals:
            return state
        self.expand(state)
        return None

    def evaluated_now(self, state: int) -> bool:
        node = self.tree.nodes[state]
        if not node.inherited:
            return False
        self.tree.evaluate(state)
        if node.open:
            node.listed = "focal" if self.fits(node) else "pending"
        return True

    def focal_key(self, state: int) -> list[float]:
        node = self.tree.nodes[state]
        by_f = math.log(max(node.f, 1)) if self.options.order in ("score2", "score4") else 0
        return [node.value + by_f, *tie_key(node, self.options.ties)]

    def expand(self, state: int) -> None:
        edges = self.tree.expand(state, self.options.lazy)
        others = [i for i, edge in enumerate(edges) if not self.improves(state, *edge[1:])]
        ranks = self.graph.ranks(state, last=others if self.options.fresh else ())
        for index, edge in enumerate(edges):
            if self.tree.relax(state, edge):
                child = self.tree.nodes[edge[2]]
                child.value = self.extend(state, index, ranks[index])
                child.listed = "focal" if self.fits(child) else "pending"

    def improves(self, state: int, cost: int, target: int) -> bool:
        child = self.tree.nodes[target]
        return not child.dead and self.tree.nodes[state].g + cost < child.g

    def extend(self, state: int, index: int, rank: int) -> float:
        """The value of the path to the state and then along its edge `index`."""
        order, value, score = self.options.order, self.tree.nodes[state].value, self.graph.scores(state)[index]
        if order in ("score1", "score2"):
            return value - score
        if order in ("score3", "score4"):
            return -score
        if order == "disc1":
            return value + (DISCREPANCY_UNIT if rank else self.preferred(state))
        if order == "disc1-profile":
            return value + self.profile_price(state, rank)
        if order == "disc2":
            return value + (rank > 0)
        return value + rank if order == "disc3" else rank

    def profile_price(self, state: int, rank: int) -> int:
        """The negative logarithm of the step's likelihood, which depends on the policy's accuracy at the state's h."""
        h, profile = self.tree.nodes[state].h, self.options.profile
        accuracy = min(max(profile[min(h, len(profile) - 1)], 0.001), 0.999)
        actions = self.graph.actions if self.options.alpha == "all" else len(self.graph.edges[state])
        likelihood = accuracy if rank == 0 else (1 - accuracy) / max(1, actions - 1)
        return round(-math.log(likelihood) * DISCREPANCY_UNIT)

    def preferred(self, state: int) -> int:
        """The amount that Disc-1 adds for an action that the policy prefers, in units of 1 / DISCREPANCY_UNIT."""
        accuracy = self.options.accuracy
        actions = self.graph.actions if self.options.alpha == "all" else len(self.graph.edges[state])
        if actions == 1 or accuracy == 1:
            return 0
        ratio = math.log(accuracy) / math.log((1 - accuracy) / (actions - 1))
        return round((ratio if 0 <= ratio <= 1 else 1) * DISCREPANCY_UNIT)


MASK = 2**64 - 1


def draws(seed: int, key: int) -> Iterator[float]:
    """The random numbers in [0, 1) that the native code draws: SplitMix64 from a seed and a key."""
    state = mixed((seed + 0x9E3779B97F4A7C15) & MASK) ^ mixed(~key & MASK)
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        value = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB & MASK
        yield ((value ^ (value >> 31)) >> 11) * 2.0**-53


def mixed(value: int) -> int:
    value = (value ^ (value >> 32)) * 0x9E3779B97F4A7C15 & MASK
    value = (value ^ (value >> 29)) * 0xD1B54A32D192ED03 & MASK
    return value ^ (value >> 32)


class ProbabilisticFocal(Focal):
    """Expands the node that the order chooses with the given probability, otherwise the node with the least f."""

    def __init__(self, graph: Graph, options: FocalOptions, seed: int, probability: float) -> None:
        super().__init__(graph, options)
        self.draws, self.probability = draws(seed, 0xC01), probability

    def take_turn(self) -> int | None:
        if next(self.draws) < self.probability:
            return self.expand_by_order()
        return self.expand_best(self.tree.open(), self.f_key)


class Passes:
    """Passes of IDA* that run beside another search. A pass that reaches its node limit is repeated with twice the
    limit."""

    def __init__(self, graph: Graph, nodes_per_expansion: int) -> None:
        self.graph, self.share = graph, nodes_per_expansion
        self.limit = graph.h[graph.start]
        self.counts = Answer("not_found", evaluated=0)
        self.wanted = 1
        self.going = nodes_per_expansion > 0

    def bound(self, search: Answer) -> int | None:
        """Runs passes within the budget that grows with the expansions of `search`; returns the bound, None if
        unsolvable."""
        while self.going and self.limit is not None:
            nodes = search.expanded * self.share - self.counts.expanded
            if nodes < self.wanted:
                break
            beyond: list[int] = []
            try:
                last = self.counts.expanded + nodes
                self.going = deepen(self.graph, [self.graph.start], 0, self.limit, beyond, self.counts, last) is None
            except OutOfNodesError:
                self.wanted = 2 * nodes
                continue
            if self.going:
                self.limit = min(beyond, default=None)
        search.deepened = self.counts.expanded
        return self.limit
