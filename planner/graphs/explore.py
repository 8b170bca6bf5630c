"""Enumerates the labelled search graph of a task into arrays; the enumeration runs in C++.

>>> import fsplan
>>> graph = explore(fsplan.load(fsplan.example("blocks-8-0")), heuristic=None)
>>> len(graph), int(graph.h_star.max()), int(graph.h_star[0])
(695417, 28, 18)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsplan.pddl.costs import from_units, plain
from fsplan.planner import _core
from fsplan.planner.base.extras import require
from fsplan.planner.base.quantities import LARGEST, whole
from fsplan.planner.graphs.graph_html import graph_html
from fsplan.planner.graphs.write_graph import write
from fsplan.planner.sources.load import ensure_loaded
from fsplan.planner.tasks.spaces import label, state_space_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    import networkx
    import numpy
    from numpy.typing import NDArray

    from fsplan.pddl.costs import Cost
    from fsplan.planner._core import ExploredGraph, StateSpace
    from fsplan.planner.tasks.task import AnyTask

# Value of `h` and `h_star` for dead ends.
DEAD_END = 2**31 - 1
DEFAULT_MAX_STATES = 10_000_000
_CHUNK = 1 << 16

TooManyStates = _core.TooManyStates


class SearchGraph:
    """The graph of the states reachable from a task's initial state, which is state 0. The numbering is breadth-first.

    The edges of state s have the indices `edges_begin[s]` up to `edges_begin[s + 1]` (exclusive) in the arrays
    `target`, `action` and `cost`; they are sorted by action number. `goal`, `h` and `h_star` (the exact goal distance,
    DEAD_END at dead ends) have one entry per state; `h` is empty unless a heuristic was named. Costs are in units of
    1 / `cost_denominator`. The arrays are views of native memory.
    """

    def __init__(
        self,
        space: StateSpace,
        native: ExploredGraph,
        heuristic: str | None,
        cost_denominator: int = 1,
        name: str | None = None,
    ) -> None:
        self.state_space, self.heuristic, self.cost_denominator = space, heuristic, cost_denominator
        self.name = name
        self.native = native
        self.edges_begin: NDArray[numpy.uint32] = native.edges_begin
        self.target: NDArray[numpy.uint32] = native.target
        self.action: NDArray[numpy.uint32] = native.action
        self.cost: NDArray[numpy.int32] = native.cost
        self.goal: NDArray[numpy.uint8] = native.goal
        self.h: NDArray[numpy.int32] = native.h
        self.h_star: NDArray[numpy.int32] = native.h_star

    def __len__(self) -> int:
        return len(self.native)

    def __repr__(self) -> str:
        return f"<SearchGraph: {len(self)} states, {self.edge_count} edges, {int(self.goal.sum())} goals>"

    def _repr_html_(self) -> str:
        return graph_html(self)

    @property
    def edge_count(self) -> int:
        return len(self.target)

    def values(self, first: int = 0, last: int | None = None) -> NDArray[numpy.int32]:
        """Returns states `first` to `last` (exclusive) as rows of integers, one per variable."""
        return self.native.values(first, len(self) if last is None else last)

    def state_name(self, state: int) -> str:
        """Returns the state as readable text; for PDDL these are the true atoms."""
        return _core.state_name(self.state_space, self.values(state, state + 1)[0].tolist())

    def edge_sources(self) -> NDArray[numpy.uint32]:
        """Returns the source state of every edge."""
        import numpy

        return numpy.repeat(numpy.arange(len(self), dtype=numpy.uint32), numpy.diff(self.edges_begin))

    def rows(
        self, states: NDArray[numpy.int64]
    ) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64], NDArray[numpy.int64]]:
        """Returns the variables' values in `states` (ascending), the offsets of their edges, and the edge numbers."""
        import numpy

        begin = self.edges_begin[states].astype(numpy.int64)
        counts = self.edges_begin[states + 1].astype(numpy.int64) - begin
        first = numpy.concatenate([[0], numpy.cumsum(counts)])
        edges = numpy.repeat(begin - first[:-1], counts) + numpy.arange(first[-1])
        values = numpy.empty((len(states), self.state_space.width()), dtype=numpy.int32)
        for low in range(0, len(self), _CHUNK):
            some = slice(*numpy.searchsorted(states, [low, low + _CHUNK]))
            if some.stop > some.start:
                values[some] = self.values(low, min(low + _CHUNK, len(self)))[states[some] - low]
        return values, first, edges

    def optimal_edges(self) -> NDArray[numpy.bool_]:
        """Returns for every edge whether a cheapest path to a goal starts with it; false at goals and dead ends."""
        source = self.edge_sources()
        here, there = self.h_star[source], self.h_star[self.target]
        reaches: NDArray[numpy.bool_] = (there != DEAD_END) & (self.goal[source] == 0)
        optimal: NDArray[numpy.bool_] = self.cost.astype("int64") + there == here
        return reaches & optimal

    def follow(self, plan: list[str]) -> list[int]:
        """Returns the edges of a plan from the initial state; raises ValueError if a step is not applicable.

        Ground actions may share a name: an action with a disjunctive precondition has one ground action per disjunct.
        """
        names = [self.state_space.action_name(action) for action in range(self.state_space.action_count())]
        known = set(names)
        edges, state = [], 0
        for number, name in enumerate(plan, start=1):
            if name not in known:
                raise ValueError(f"step {number}: the task has no action '{name}'")
            row = range(int(self.edges_begin[state]), int(self.edges_begin[state + 1]))
            edge = next((e for e in row if names[self.action[e]] == name), None)
            if edge is None:
                raise ValueError(f"step {number}: '{name}' is not applicable")
            edges.append(edge)
            state = int(self.target[edge])
        return edges

    def summary(self) -> str:
        """Returns a few lines with the sizes of the graph and its costs."""
        alive = self.h_star[self.h_star != DEAD_END]
        lines = [
            f"states        {len(self)}",
            f"edges         {self.edge_count} ({self.edge_count / len(self):.4f} per state)",
            f"goal states   {int(self.goal.sum())}",
            f"dead ends     {len(self) - len(alive)}",
        ]
        if len(alive):
            mean = alive.mean() / self.cost_denominator
            lines.append(f"cost to go    max {self.true_cost(alive.max())}, mean {mean:.4f}")
        if self.h_star[0] != DEAD_END:
            lines.append(f"optimal cost  {self.true_cost(self.h_star[0])}")
        return "\n".join(lines)

    def true_cost(self, units: Any) -> Cost | None:
        """Converts units to a cost; None for DEAD_END."""
        return None if units == DEAD_END else from_units(int(units), self.cost_denominator)

    def to_networkx(self) -> networkx.MultiDiGraph[int]:
        """Returns a MultiDiGraph whose nodes are the state numbers.

        Nodes have `name`, `goal`, `h_star` (None at dead ends) and, if a heuristic was named, its value under its name
        (`h_max` for hmax); edges have `name`, `action` and `cost`. `graph` has the task's name (`task`), the number of
        the initial state (`start`), the numbers of the goal states (`goal`) and the heuristic's name (`heuristic`).
        """
        require("networkx")
        from fsplan.planner.graphs.network import to_networkx

        return to_networkx(self)

    def node_columns(self) -> dict[str, Callable[[int], Any]]:
        """Returns, by attribute name, the function from a state's number to the attribute's value."""
        columns: dict[str, Callable[[int], Any]] = {
            "name": self.state_name,
            "goal": lambda state: bool(self.goal[state]),
            "h_star": lambda state: plain(self.true_cost(self.h_star[state])),
        }
        if self.heuristic is not None:
            name = "h_max" if self.heuristic == "hmax" else self.heuristic
            columns[name] = lambda state: plain(self.true_cost(self.h[state]))
        return columns

    def edge_columns(self) -> dict[str, Callable[[int], Any]]:
        """Returns, by attribute name, the function from an edge's number to the attribute's value."""
        names = [self.state_space.action_name(action) for action in range(self.state_space.action_count())]
        return {
            "name": lambda edge: names[self.action[edge]],
            "action": lambda edge: int(self.action[edge]),
            "cost": lambda edge: plain(self.true_cost(self.cost[edge])),
        }

    def nodes(self) -> Iterator[dict[str, Any]]:
        """Yields the attributes of every state."""
        columns = self.node_columns()
        for state in range(len(self)):
            yield {name: column(state) for name, column in columns.items()}

    def edges(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Yields (source, target, attributes) of every edge."""
        columns = self.edge_columns()
        pairs = zip(self.edge_sources().tolist(), self.target.tolist(), strict=True)
        for edge, (source, target) in enumerate(pairs):
            yield source, target, {name: column(edge) for name, column in columns.items()}


def explore(
    task: AnyTask,
    max_states: int = DEFAULT_MAX_STATES,
    heuristic: str | None = "hmax",
    *,
    time_limit: float | None = None,
    up_to_symmetry: bool = False,
) -> SearchGraph:
    """Enumerates all states reachable from the initial state, with their h-values and exact goal distances.

    Raises TooManyStates beyond `max_states`, TimeoutError after `time_limit` seconds. If the task does not support
    hmax, its default heuristic is used; for a task written in Python that is its method `heuristic`, if it has one.
    With `up_to_symmetry`, states that differ only by a permutation of interchangeable objects are represented by one of
    them, and edges lead to that representative; no heuristic can be computed then.
    """
    whole("max_states", max_states, 1, LARGEST)
    task = ensure_loaded(task)
    space = state_space_of(task)
    denominator = getattr(task, "cost_denominator", 1)
    if up_to_symmetry:
        if heuristic is not None or not isinstance(space, _core.GroundStateSpace):
            raise ValueError("graphs up to symmetry are of PDDL tasks, and without h: heuristic=None")
        native = _core.explore_up_to_symmetry(space, max_states, time_limit or 0.0)
        return SearchGraph(space, native, None, denominator, label(task))
    if heuristic == "hmax" and "hmax" not in space.heuristics():
        heuristic = space.heuristics()[0]
    native = _core.explore(space, heuristic or "", max_states, time_limit or 0.0)
    return SearchGraph(space, native, heuristic, denominator, label(task))


def write_graph(graph: SearchGraph, path: str, format: str | None = None, plan: list[str] | None = None) -> None:
    """Writes a graph as GraphML, DOT or JSON, or draws it as SVG, PNG or PDF.

    Without `format` the file extension decides. `plan` (action names) is highlighted in DOT and in drawings.
    """
    write(graph, path, format, plan)
