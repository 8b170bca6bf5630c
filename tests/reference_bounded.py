"""Simple reference implementations of bounded-suboptimal searches, with minima over dictionaries and exact numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from reference import Answer, Graph, Tree, tie_key

INFINITE = 2**31 - 1


class Bounded:
    """A search that expands one node after the other and always knows f_min, the least f of its open nodes.

    A subclass chooses the next node; it is notified of every node that becomes open or gets a cheaper path.
    """

    def __init__(self, graph: Graph, w: Fraction, ties: list[str], reopen: bool) -> None:
        self.graph, self.w, self.ties = graph, w, ties
        self.tree = Tree(graph, reopen)
        self.bound = -1
        self.limit = -1

    def opened(self, state: int) -> None: ...

    def learn(self, state: int) -> None: ...

    def place(self, state: int) -> Any:
        """The key of an open node; the least one is next."""
        raise NotImplementedError

    def next(self) -> int:
        return min(self.tree.open(), key=self.place)

    def search(self) -> Answer:
        tree = self.tree
        if tree.open():
            self.opened(self.graph.start)
        while tree.open():
            self.raise_bound()
            state = self.next()
            if not tree.nodes[state].open:  # the evaluation recognised a dead end
                continue
            tree.close(state)
            if state in self.graph.goals:
                tree.accept(state)
                self.prove_plan()
                return tree.answer
            self.expand(state)
        return tree.exhausted()

    def expand(self, state: int) -> None:
        edges = self.tree.expand(state)
        self.learn(state)
        for edge in edges:
            if self.tree.relax(state, edge):
                self.opened(edge[2])

    def prove_plan(self) -> None: ...

    def raise_bound(self) -> None:
        self.bound = max(self.bound, min(self.tree.nodes[state].f for state in self.tree.open()))
        self.tree.prove(self.bound)
        self.limit = min(math.floor(self.w * self.bound), INFINITE - 1)

    def f(self, state: int) -> int:
        return self.tree.nodes[state].f

    def ties_of(self, state: int) -> list[int]:
        return tie_key(self.tree.nodes[state], self.ties)

    def step_score(self, state: int) -> float:
        """The policy's log-probability of the last action on the path to the state."""
        node = self.tree.nodes[state]
        assert node.parent is not None
        return self.graph.score(node.parent, node.action)


class Unbounded(Bounded):
    """A search that computes the lower bound of its open nodes only at the end."""

    def raise_bound(self) -> None: ...

    def prove_plan(self) -> None:
        self.tree.prove_by_open()


class Estimates:
    """Estimates of the cost and the number of steps to a goal, corrected by the mean one-step error observed so far."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.count = self.cost_errors = self.step_errors = 0

    def raw(self, state: int) -> tuple[int, int]:
        """Cost and steps without correction; the graphs have no estimates of steps, so the guide is used instead."""
        h, guide = self.graph.h[state], self.graph.guide[state]
        steps = INFINITE if guide is None else guide
        return max(INFINITE if h is None else h, steps), steps

    def corrected(self, state: int) -> tuple[int, int]:
        cost, steps = self.raw(state)
        if cost == INFINITE:
            return INFINITE, INFINITE
        if self.count == 0:
            return cost, steps
        progress = max(Fraction(self.count - self.step_errors), Fraction(math.ceil(self.count / 10)))
        extra = steps * max(0, self.cost_errors) / progress
        return cost + math.floor(extra), math.floor(steps * self.count / progress)

    def learn(self, state: int) -> None:
        cost, steps = self.raw(state)
        children = [(price, *self.raw(child)) for _, price, child in self.graph.edges[state]]
        best = min(((price + raw, 1 + steps) for price, raw, steps in children), default=(INFINITE, INFINITE))
        if best[0] < INFINITE and cost < INFINITE:
            self.count += 1
            self.cost_errors += best[0] - cost
            self.step_errors += min(max(best[1] - steps, 0), 1)


class Gated:
    """A queue of nodes. Nodes whose `gate` is within a limit are ordered by `key`, the others by `gate`, then by
    age."""

    def __init__(self, search: Bounded, key: Callable[[int], int], gate: Callable[[int], int]) -> None:
        self.search, self.key, self.gate = search, key, gate
        self.inside: dict[int, int] = {}  # state -> time of insertion
        self.waiting: dict[int, int] = {}
        self.limit = -1
        self.time = 0

    def push(self, state: int) -> None:
        self.inside.pop(state, None)
        self.waiting.pop(state, None)
        self.time += 1
        (self.inside if self.gate(state) <= self.limit else self.waiting)[state] = self.time

    def set_limit(self, limit: int) -> None:
        self.limit = limit
        for state in sorted(self.waiting, key=lambda state: (self.gate(state), self.waiting[state])):
            if self.search.tree.nodes[state].open and self.gate(state) <= limit:
                self.push(state)

    def first(self) -> int | None:
        """The first node within the limit. Nodes beyond a lowered limit are moved back when they are at the front."""
        while states := [state for state in self.inside if self.search.tree.nodes[state].open]:
            state = min(states, key=self.place)
            if self.gate(state) <= self.limit:
                return state
            self.push(state)
        return None

    def place(self, state: int) -> list[int]:
        node = self.search.tree.nodes[state]
        return [self.key(state), *tie_key(node, self.search.ties, self.inside[state])]


class Estimating(Bounded):
    """A search with several queues. Their keys are the estimates at the time when the node was opened."""

    queues: list[Gated]

    def __init__(self, graph: Graph, w: Fraction, ties: list[str], reopen: bool) -> None:
        super().__init__(graph, w, ties, reopen)
        self.estimates = Estimates(graph)
        self.f_hat: dict[int, int] = {}
        self.d_hat: dict[int, int] = {}

    def opened(self, state: int) -> None:
        cost, steps = self.estimates.corrected(state)
        self.f_hat[state] = min(INFINITE, self.tree.nodes[state].g + cost)
        self.d_hat[state] = min(INFINITE, steps)
        for queue in self.queues:
            queue.push(state)

    def learn(self, state: int) -> None:
        self.estimates.learn(state)


class RoundRobin(Estimating):
    def __init__(self, graph: Graph, w: Fraction, ties: list[str], reopen: bool) -> None:
        super().__init__(graph, w, ties, reopen)
        self.turn = 0
        keys: list[Callable[[int], int]] = [self.steps, self.f_hat.__getitem__, self.f]
        self.queues = [Gated(self, key, self.f) for key in keys]

    def steps(self, state: int) -> int:
        return self.estimates.raw(state)[1]

    def next(self) -> int:
        self.queues[2].set_limit(INFINITE)  # this queue contains all nodes
        for queue in self.queues[:2]:
            queue.set_limit(self.limit)
        self.turn += 1
        state = self.queues[(self.turn - 1) % 3].first()
        assert state is not None
        return state


class ExplicitEstimation(Estimating):
    def __init__(self, graph: Graph, w: Fraction, ties: list[str], reopen: bool) -> None:
        super().__init__(graph, w, ties, reopen)
        self.by_d_hat = Gated(self, self.d_hat.__getitem__, self.f_hat.__getitem__)
        self.by_f_hat = Gated(self, self.f_hat.__getitem__, lambda _: 0)
        self.by_f = Gated(self, self.f, lambda _: 0)
        self.queues = [self.by_d_hat, self.by_f_hat, self.by_f]
        self.by_f_hat.set_limit(0)
        self.by_f.set_limit(0)

    def next(self) -> int:
        cheapest, least = self.by_f_hat.first(), self.by_f.first()
        assert cheapest is not None
        assert least is not None
        self.by_d_hat.set_limit(min(INFINITE - 1, math.floor(self.w * self.f_hat[cheapest])))
        nearest = self.by_d_hat.first()
        if nearest is not None and self.f_hat[nearest] <= self.limit:
            return nearest
        return cheapest if self.f_hat[cheapest] <= self.limit else least


class DynamicPotential(Bounded):
    """Dynamic potential search: expands the node with the greatest (limit - g) / h, where limit = w · f_min.

    Keys are computed with an old limit until the limit has grown by more than 1/256 or no node is within the old one.
    """

    ordered_for = 0

    def next(self) -> int:
        if not self.ordered_for <= self.limit <= self.ordered_for + self.ordered_for // 256:
            self.ordered_for = self.limit
        if self.f(first := super().next()) > self.ordered_for:
            self.ordered_for = self.limit
            first = super().next()
        return first

    def place(self, state: int) -> tuple[float, int, int, int]:
        node = self.tree.nodes[state]
        left = self.ordered_for - node.g
        potential = left / node.h if node.h else math.inf if left >= 0 else -math.inf
        return -potential, node.h, node.g, -node.age


class Convex(Unbounded):
    """Search with a convex Φ: the least key k = floor(2n·Φ) first, where w = n / d; k proves the bound ceil(k / 2n)."""

    def __init__(self, graph: Graph, w: Fraction, ties: list[str], reopen: bool, upward: bool) -> None:
        super().__init__(graph, w, ties, reopen)
        self.upward = upward

    def key(self, state: int) -> int:
        node, n, d = self.tree.nodes[state], self.w.numerator, self.w.denominator
        g, h = node.g, node.h
        if self.upward:
            return d * (g + h) + math.isqrt((d * (g + h)) ** 2 + 4 * n * (n - d) * h**2)
        return d * g + (2 * n - d) * h + math.isqrt((d * (g - h)) ** 2 + 4 * n * d * g * h)

    def raise_bound(self) -> None:
        self.tree.prove(math.ceil(Fraction(min(map(self.key, self.tree.open())), 2 * self.w.numerator)))

    def place(self, state: int) -> list[int]:
        return [self.key(state), *self.ties_of(state)]


class DynamicSuboptimality(Convex):
    """DSWA*: the least key floor(64n·Φ) first. The isoline Φ = 1 is a polygon through integer points (h, g).

    It is extended whenever a node with a greater g / h than before is generated.
    """

    def __init__(self, graph: Graph, w: Fraction, ties: list[str], reopen: bool) -> None:
        super().__init__(graph, w, ties, reopen, upward=False)
        parts = 2**24 // w.denominator
        self.unit, self.end = w.denominator * parts, w.numerator * parts
        self.points = [(self.unit, 0)]

    def phi(self, h: int, g: int) -> Fraction:
        """Φ on the segment between the two points whose rays enclose (h, g)."""
        after = next(i for i, (x, y) in enumerate(self.points) if g * x <= y * h)
        if after == 0:
            return Fraction(h)
        (x0, y0), (x1, y1) = self.points[after - 1 : after + 1]
        return Fraction(self.unit * (h * (y1 - y0) + g * (x0 - x1)), x0 * y1 - x1 * y0)

    def key(self, state: int) -> int:
        node = self.tree.nodes[state]
        return math.floor(64 * self.w.numerator * self.phi(node.h, node.g))

    def raise_bound(self) -> None:
        self.tree.prove(math.ceil(Fraction(min(map(self.key, self.tree.open())), 64 * self.w.numerator)))

    def learn(self, state: int) -> None:
        """Extends the isoline to the successor with the greatest g / h, before keys of successors are computed."""
        g = self.tree.nodes[state].g
        better = []
        for _, cost, child in self.graph.edges[state]:
            node = self.tree.nodes[child]
            x, y = self.points[-1]
            if not node.dead and g + cost < node.g and (g + cost) * x > y * node.h:
                better.append((g + cost, node.h, cost))
        steepest = max(better, key=lambda each: Fraction(each[0], each[1]) if each[1] else math.inf, default=None)
        if steepest is None:
            return
        keys = [self.key(each) for each in self.tree.open()]
        drop = (self.w.numerator - self.w.denominator) * 64 * steepest[2] // 2
        self.extend(steepest[1], steepest[0], min(keys) - drop if keys else None)

    def extend(self, h: int, g: int, target: int | None) -> None:
        x0, y0 = self.points[-1]
        if g * x0 <= y0 * h:
            return
        v = Fraction(self.weight(h, g, target), 256)
        x = min(math.floor(h * (y0 + v * x0) / (g + v * h)), x0 - 1)
        y = max(math.ceil(Fraction(g * x, h)) if x else self.end, y0 + x0 - x)
        if x + y > self.end:
            x = self.end * h // (g + h)
            y = self.end - x
        self.points.append((x, y))

    def weight(self, h: int, g: int, target: int | None) -> int:
        (x0, y0), most = self.points[-1], 2 * self.w - 1
        scale = Fraction(self.end) / (g + most * h)  # the ray meets the line g + (2w-1)·h = w here
        least = max(256, math.ceil(256 * (scale * g - y0) / (x0 - scale * h)))
        if target is None:
            return least
        greatest = math.floor(256 * most)
        scale = Fraction(self.end, g + h)
        if scale * h < x0:
            greatest = min(greatest, math.floor(256 * (scale * g - y0) / (x0 - scale * h)))
        priority = Fraction(target, 64 * self.w.numerator * self.unit)
        rise, run = g - priority * y0, priority * x0 - h
        wanted = 0 if rise <= 0 else greatest if run <= 0 else math.floor(256 * rise / run)
        return max(least, min(greatest, wanted))


class Levin(Unbounded):
    """Levin tree search: the least length / likelihood of the path first; PHS: the least f / likelihood^(1 + h/g).

    Keys are logarithms.
    """

    def __init__(self, graph: Graph, w: Fraction, ties: list[str], reopen: bool, with_h: bool) -> None:
        super().__init__(graph, w, ties, reopen)
        self.with_h = with_h
        self.paths: dict[int, tuple[float, int]] = {}  # log-likelihood and number of states

    def opened(self, state: int) -> None:
        parent = self.tree.nodes[state].parent
        if parent is None:
            self.paths[state] = (0.0, 1)
            return
        likelihood, states = self.paths[parent]
        self.paths[state] = (likelihood + self.step_score(state), states + 1)

    def place(self, state: int) -> list[float]:
        node, (likelihood, states) = self.tree.nodes[state], self.paths[state]
        g = max(node.g, 1)
        length = math.log(g + node.h) if self.with_h else math.log(states)
        power = 1 + node.h / g if self.with_h else 1.0
        return [length - power * likelihood, *self.ties_of(state)]


class Kept(Gated):
    """A gated queue that keeps the keys from the time when nodes were inserted."""

    def __init__(self, search: Rerooted) -> None:
        self.keys: dict[int, float] = {}
        super().__init__(search, self.keys.__getitem__, search.f)  # type: ignore[arg-type]
        self.value = search.value

    def push(self, state: int) -> None:
        super().push(state)
        if state in self.inside:
            self.keys[state] = self.value(state)


class Rerooted(Bounded):
    """√LTS: expands the node with the least Σ 1 / π(n' | t) / ω(t), summed over its ancestors t.

    With FOCAL, this key orders FOCAL, and every second expansion takes the node with the least f.
    """

    def __init__(self, graph: Graph, w: Fraction, ties: list[str], reopen: bool, focal: bool) -> None:
        super().__init__(graph, w, ties, reopen)
        self.focal, self.turn = focal, 0
        self.steps: dict[int, float] = {}
        self.queue = Kept(self)

    def opened(self, state: int) -> None:
        if self.tree.nodes[state].parent is not None:
            self.steps[state] = self.step_score(state)
        self.queue.push(state)

    def value(self, state: int) -> float:
        path = [state]
        while (parent := self.tree.nodes[path[-1]].parent) is not None:
            path.append(parent)
        total, values = -math.inf, []
        for child, root in pairwise(path):
            more = total + math.log1p(math.exp(-total)) if total > 0 else math.log1p(math.exp(total))
            total = more - self.steps[child]
            values.append(total - self.log_weight(root))
        return min(values, default=0)

    def log_weight(self, state: int) -> float:
        first, node = self.tree.nodes[self.graph.start].h, self.tree.nodes[state]
        if state == self.graph.start or not first or node.dead:
            return 0
        return min(0.0, -10.0 * node.h / first)

    def next(self) -> int:
        self.queue.set_limit(self.limit if self.focal else INFINITE)
        self.turn += 1
        if self.focal and self.turn % 2 == 0:
            nodes = self.tree.nodes
            return min(self.tree.open(), key=lambda state: (nodes[state].f, nodes[state].h, -nodes[state].age))
        state = self.queue.first()
        assert state is not None
        return state


class ImprovedOptimistic(Bounded):
    """Weighted A* with weight 2w - 1, without re-opening, until there is a plan; then the least f until it is
    proven."""

    def __init__(self, graph: Graph, w: Fraction, ties: list[str]) -> None:
        super().__init__(graph, w, ties, True)
        self.focal: set[int] = {graph.start}
        self.expanded: set[int] = set()
        self.on_plan: set[int] = set()
        self.goal: int | None = None

    def search(self) -> Answer:
        tree, answer = self.tree, self.tree.answer
        while states := self.candidates():
            self.raise_bound()
            if answer.cost is not None and answer.cost <= self.w * self.bound:
                return answer
            focal = [state for state in states if state in self.focal]
            state = min(focal if focal and answer.cost is None else states, key=self.place)
            tree.close(state)
            if state in self.graph.goals:
                self.goal = state
                self.take_plan()
            else:
                self.expand(state)
        if answer.cost is None:
            return tree.exhausted()
        tree.prove(None)
        return answer

    def candidates(self) -> list[int]:
        """Open nodes that may lead to a better plan."""
        cost = self.tree.answer.cost
        return [state for state in self.tree.open() if cost is None or self.tree.nodes[state].f < cost]

    def raise_bound(self) -> None:
        self.bound = max(self.bound, min(self.tree.nodes[state].f for state in self.candidates()))
        self.tree.prove(self.bound)

    def place(self, state: int) -> list[int]:
        node, n, d = self.tree.nodes[state], self.w.numerator, self.w.denominator
        by_focal = self.tree.answer.cost is None and state in self.focal
        key = d * node.g + (2 * n - d) * node.h if by_focal else node.f
        return [key, *self.ties_of(state)]

    def expand(self, state: int) -> None:
        self.expanded.add(state)
        self.focal.discard(state)
        opened = [edge[2] for edge in self.tree.expand(state) if self.tree.relax(state, edge)]
        self.focal |= set(opened) - self.expanded
        if self.on_plan & set(opened):
            self.take_plan()

    def take_plan(self) -> None:
        """Makes the path to the goal in the search tree the incumbent if it is cheaper."""
        assert self.goal is not None
        if not self.tree.accept_if_cheaper(self.goal):
            return
        self.tree.prove(self.bound)
        at: int | None = self.goal
        while at is not None:
            self.on_plan.add(at)
            at = self.tree.nodes[at].parent


class LimitedDiscrepancy(Unbounded):
    """Expands the node with the fewest discrepancies, and among these the newest; siblings are opened worst first."""

    def __init__(self, graph: Graph, reopen: bool) -> None:
        super().__init__(graph, Fraction(1), ["newest"], reopen)
        self.discrepancies = {graph.start: 0}

    def place(self, state: int) -> tuple[int, int]:
        return self.discrepancies[state], -self.tree.nodes[state].age

    def expand(self, state: int) -> None:
        tree, ranks, scores = self.tree, self.graph.ranks(state), self.graph.scores(state)
        opened = []
        for index, edge in enumerate(tree.expand(state)):
            if tree.relax(state, edge):
                self.discrepancies[edge[2]] = self.discrepancies[state] + (ranks[index] > 0)
                opened.append(index)
        for index in sorted(opened, key=lambda i: (scores[i], -i)):
            tree.renew_age(self.graph.edges[state][index][2])


class Beam(Unbounded):
    """Beam search: expands the best states of each layer; if the next layer is empty, the best of all open states."""

    def __init__(self, graph: Graph, ties: list[str], reopen: bool, width: int, normalise: str) -> None:
        super().__init__(graph, Fraction(1), ties, reopen)
        self.width, self.normalise = width, normalise
        self.paths: dict[int, tuple[float, int]] = {}  # score and number of states
        self.layer: list[int] = []
        self.coming: dict[int, int | None] = {}  # states of the next layer -> g

    def opened(self, state: int) -> None:
        node = self.tree.nodes[state]
        self.coming[state] = node.g
        if node.parent is None:
            self.paths[state] = (0.0, 1)
            return
        par = max(self.graph.scores(node.parent)) if self.normalise == "first" else 0.0
        score, states = self.paths[node.parent]
        self.paths[state] = (score + (self.step_score(state) - par), states + 1)

    def next(self) -> int:
        self.layer = [state for state in self.layer if self.tree.nodes[state].open]
        if not self.layer:
            self.make_layer()
        if not self.layer:
            for state in self.tree.open():
                self.tree.renew_age(state)
                self.coming[state] = self.tree.nodes[state].g
            self.make_layer()
        return self.layer.pop(0)

    def make_layer(self) -> None:
        nodes = self.tree.nodes
        live = [state for state, g in self.coming.items() if nodes[state].open and nodes[state].g == g]
        self.layer = sorted(live, key=self.place)[: self.width]
        self.coming = {}

    def place(self, state: int) -> list[float]:
        score, states = self.paths[state]
        return [-score / states if self.normalise == "length" else -score, *self.ties_of(state)]


class BestFirstWidth(Unbounded):
    """Best-first width search: expands the node with the least h, and among these with the least `graph.guide`.

    A state of these graphs is a single fact, so all states have novelty 0.
    The goal test is at generation. Re-opened nodes are expanded only when no other nodes are left.
    """

    def search(self) -> Answer:
        tree, waiting = self.tree, set[int]()
        while tree.open():
            ready = [state for state in tree.open() if state not in waiting]
            if not ready:
                waiting.clear()
                for state in tree.open():
                    tree.renew_age(state)
                continue
            state = min(ready, key=self.place)
            tree.close(state)
            if state in self.graph.goals or self.finds_plan(state, waiting):
                if state in self.graph.goals:
                    tree.accept(state)
                tree.prove_by_open()
                return tree.answer
        return tree.exhausted()

    def finds_plan(self, state: int, waiting: set[int]) -> bool:
        tree = self.tree
        edges = tree.expand(state)
        closed = {child for _, _, child in edges if tree.nodes[child].closed}
        for edge in edges:
            if not tree.relax(state, edge):
                continue
            if edge[2] in closed:
                waiting.add(edge[2])
            if edge[2] in self.graph.goals:
                tree.accept_if_cheaper(edge[2])
        return tree.answer.plan is not None

    def place(self, state: int) -> list[int]:
        h, guide = self.graph.h[state], self.graph.guide[state]
        assert h is not None
        return [h, INFINITE if guide is None else guide, *self.ties_of(state)]


class QStar(Unbounded):
    """Q*: the least g + w·Q(s, a) first. A successor is evaluated only when its entry is at the front of the queue."""

    def __init__(self, graph: Graph, w: Fraction, ties: list[str], reopen: bool, gives_values: bool) -> None:
        super().__init__(graph, w, ties, reopen)
        self.gives_values = gives_values
        self.keys = {graph.start: 0.0}

    def place(self, state: int) -> list[float]:
        return [self.keys[state], *self.ties_of(state)]

    def next(self) -> int:
        state = super().next()
        if self.tree.nodes[state].inherited:
            self.tree.evaluate(state)
        return state

    def expand(self, state: int) -> None:
        tree, node, scores = self.tree, self.tree.nodes[state], self.graph.scores(state)
        g = node.g
        offset = 0.0 if self.gives_values else node.h + max(scores, default=0.0)
        for index, edge in enumerate(tree.expand(state, lazy=True)):
            if tree.relax(state, edge):
                self.keys[edge[2]] = g + float(self.w.numerator) / float(self.w.denominator) * (offset - scores[index])
