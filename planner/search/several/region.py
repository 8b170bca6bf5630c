"""The part of a task's state space that contains every plan up to a given cost."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Any, Protocol

from fsplan.pddl.costs import InUnits, heuristic_in_units
from fsplan.planner.tasks.task import Task

Steps = tuple[str, ...]
Edge = tuple[str, int, Hashable]  # name of the action, cost in units, successor


class Graph(Protocol):
    """A task's states; costs and h-values are in units, and h is None at dead ends."""

    start: Hashable

    def successors(self, state: Any) -> Iterator[Edge]: ...
    def is_goal(self, state: Any) -> bool: ...
    def h(self, state: Any) -> int | None: ...


class NativeGraph:
    """The states of a native task as tuples of values. It copies the state space, so that searches may run, too."""

    def __init__(self, task: Task) -> None:
        self._space = task.state_space.at(task.state_space.start_values())
        self._heuristic = self._space.strongest_heuristic()
        self.start: Hashable = tuple(self._space.start_values())

    def successors(self, state: Any) -> Iterator[Edge]:
        for action, cost, values in self._space.successors(state):
            yield self._space.action_name(action), cost, tuple(values)

    def is_goal(self, state: Any) -> bool:
        return self._space.is_goal(state)

    def h(self, state: Any) -> int | None:
        h: int | None = self._space.evaluate(self._heuristic, state)[0]
        return h


class PythonGraph:
    """The states of a task written in Python."""

    def __init__(self, task: Any) -> None:
        self._task = InUnits(task) if getattr(task, "cost_denominator", 1) != 1 else task
        own = getattr(task, "heuristic", None)
        is_usable = own is not None and getattr(own, "admissible", True)
        self.h: Callable[[Any], int | None] = (
            heuristic_in_units(own, getattr(task, "cost_denominator", 1)) if own and is_usable else lambda state: 0
        )
        self.start: Hashable = task.start

    def successors(self, state: Any) -> Iterator[Edge]:
        for action, cost, successor in self._task.successors(state):
            yield str(action), cost, successor

    def is_goal(self, state: Any) -> bool:
        return bool(self._task.is_goal(state))


def graph_of(task: Task) -> Graph:
    python_object = getattr(task, "python_object", None)
    return NativeGraph(task) if python_object is None else PythonGraph(python_object)


class Region:
    """The states with f = g + h up to a level, and the edges between them. Goal states are not expanded.

    Once `explore(c)` has returned, it contains every plan of cost at most c that reaches a goal only at its end. Proof
    by induction along the plan: its states have f <= c for the plan's own g, because h is admissible. The initial state
    is expanded. If a state was expanded with at most the plan's g, its successor was reached with at most the plan's g,
    so its f was at most c, and it was expanded, too (again, if a cheaper path was found later).
    """

    def __init__(self, graph: Graph, check_time: Callable[[], None]) -> None:
        self._graph, self.check_time = graph, check_time
        self.start = graph.start
        self.edges: dict[Hashable, list[Edge]] = {}
        self.goals: set[Hashable] = set()
        self._h: dict[Hashable, int | None] = {}
        self._g: dict[Hashable, int] = {self.start: 0}
        self._number = count()
        self._open: list[tuple[int, int, int, Hashable]] = []  # f, g, number of the entry, state
        self._push(self.start)

    def next_level(self) -> int | None:
        """Returns the least f of the states that are not expanded; None if there are none."""
        while self._open and self._g[self._open[0][3]] < self._open[0][1]:
            heappop(self._open)
        return self._open[0][0] if self._open else None

    def explore(self, level: int) -> None:
        """Expands every state with f up to this level, again if a cheaper path to it is found."""
        while (f := self.next_level()) is not None and f <= level:
            self.check_time()
            _, g, _, state = heappop(self._open)
            if self._graph.is_goal(state):
                self.goals.add(state)
                continue
            if state not in self.edges:
                self.edges[state] = list(self._graph.successors(state))
            for _, cost, successor in self.edges[state]:
                if g + cost < self._g.get(successor, g + cost + 1):
                    self._g[successor] = g + cost
                    self._push(successor)

    def _push(self, state: Hashable) -> None:
        if state not in self._h:
            self._h[state] = self._graph.h(state)
        h = self._h[state]
        if h is not None:
            heappush(self._open, (self._g[state] + h, self._g[state], next(self._number), state))

    def distances(self) -> dict[Hashable, int]:
        """Returns the goal distance within the explored graph of every state that has one."""
        before: dict[Hashable, list[tuple[int, Hashable]]] = {}
        for state, edges in self.edges.items():
            self.check_time()
            for _, cost, successor in edges:
                before.setdefault(successor, []).append((cost, state))
        distance: dict[Hashable, int] = {}
        queue = [(0, number, goal) for number, goal in enumerate(self.goals)]
        number = count(len(queue))
        heapify(queue)
        while queue:
            self.check_time()
            so_far, _, state = heappop(queue)
            if state not in distance:
                distance[state] = so_far
                for cost, previous in before.get(state, ()):
                    if previous not in distance:
                        heappush(queue, (so_far + cost, next(number), previous))
        return distance
