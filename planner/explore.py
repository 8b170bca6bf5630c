"""The labelled search graph of a task, enumerated natively into arrays.

>>> import fsplan
>>> graph = explore(fsplan.load(fsplan.example("blocks-8-0")), heuristic=None)
>>> len(graph), int(graph.h_star.max()), int(graph.h_star[0])
(695417, 28, 18)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsplan.planner import _core
from fsplan.planner.costs import from_units, plain
from fsplan.planner.extras import require
from fsplan.planner.load import opened
from fsplan.planner.quantities import LARGEST, whole
from fsplan.planner.spaces import label, state_space_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    import networkx
    import numpy
    from numpy.typing import NDArray

    from fsplan.planner._core import ExploredGraph, StateSpace
    from fsplan.planner.costs import Cost
    from fsplan.planner.task import AnyTask

# What the arrays hold for a state from which no goal can be reached.
DEAD_END = 2**31 - 1
DEFAULT_MAX_STATES = 10_000_000
_CHUNK = 1 << 16

TooManyStates = _core.TooManyStates


class SearchGraph:
    """The graph reachable from a task's start: state 0. States are numbered breadth first.

    The edges of state s are at `edges_begin[s]` to `edges_begin[s + 1]` of `target`, `action` and `cost`, by rising
    action. `goal`, `h` and `h_star` (exact cost to go, DEAD_END where there is none) have one entry per state; `h` is
    empty unless a heuristic was named. Costs are in units: a cost of 1 has
    `cost_denominator` of them. The arrays are views of native memory.
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
        from fsplan.planner.graph_html import graph_html

        return graph_html(self)

    @property
    def edge_count(self) -> int:
        return len(self.target)

    def values(self, first: int = 0, last: int | None = None) -> NDArray[numpy.int32]:
        """The states as rows of integers, one per variable."""
        return self.native.values(first, len(self) if last is None else last)

    def state_name(self, state: int) -> str:
        """The state as people read it: for PDDL the atoms that hold."""
        return _core.state_name(self.state_space, self.values(state, state + 1)[0].tolist())

    def edge_sources(self) -> NDArray[numpy.uint32]:
        """The state each edge leaves."""
        import numpy

        return numpy.repeat(numpy.arange(len(self), dtype=numpy.uint32), numpy.diff(self.edges_begin))

    def rows(
        self, states: NDArray[numpy.int64]
    ) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64], NDArray[numpy.int64]]:
        """Of some states, in rising order: their values, where the edges of each begin, and the edges' numbers."""
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
        """For every edge whether some cheapest way to a goal starts with it; false at goals and dead ends."""
        source = self.edge_sources()
        here, there = self.h_star[source], self.h_star[self.target]
        reaches: NDArray[numpy.bool_] = (there != DEAD_END) & (self.goal[source] == 0)
        optimal: NDArray[numpy.bool_] = self.cost.astype("int64") + there == here
        return reaches & optimal

    def follow(self, plan: list[str]) -> list[int]:
        """The edges that a plan takes from the start; ValueError names a step that is not applicable.

        Ground actions may share a name: an action with a disjunctive precondition has one for each alternative.
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
        """Sizes and costs in a few lines."""
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
        """A MultiDiGraph over state numbers.

        Nodes have `name`, `goal`, `h_star` (None at dead ends) and, if a heuristic was named, its value under its name
        (`h_max` for hmax); edges have `name`, `action` and `cost`. `graph` has the task's name (`task`), the number of
        the initial state (`start`), the numbers of the goal states (`goal`) and the heuristic's name (`heuristic`).
        """
        require("networkx")
        from fsplan.planner.network import to_networkx

        return to_networkx(self)

    def node_columns(self) -> dict[str, Callable[[int], Any]]:
        """Functions that give the attributes of a state by its number."""
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
        """Functions that give the attributes of an edge by its number."""
        names = [self.state_space.action_name(action) for action in range(self.state_space.action_count())]
        return {
            "name": lambda edge: names[self.action[edge]],
            "action": lambda edge: int(self.action[edge]),
            "cost": lambda edge: plain(self.true_cost(self.cost[edge])),
        }

    def nodes(self) -> Iterator[dict[str, Any]]:
        """The attributes of every state."""
        columns = self.node_columns()
        for state in range(len(self)):
            yield {name: column(state) for name, column in columns.items()}

    def edges(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """(source, target, attributes) of every edge."""
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
    """Enumerates every state reachable from the start, with h of the named heuristic and the exact cost to go.

    Raises TooManyStates beyond `max_states`, TimeoutError after `time_limit` seconds. A task that does not know hmax
    gets its own default: a task written in Python its method `heuristic`, if it has one. Up to symmetry, without h: of
    states that differ only in swaps of interchangeable objects one stands for all, and edges lead to that one.
    """
    whole("max_states", max_states, 1, LARGEST)
    task = opened(task)
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
    """Writes a graph as GraphML, DOT or JSON, or draws it as SVG, PNG or PDF; the path's ending tells the format.

    `plan` (action names) is highlighted in DOT and in drawings.
    """
    from fsplan.planner.write_graph import write

    write(graph, path, format, plan)
