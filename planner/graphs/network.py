"""Converts search graphs to networkx graphs.

Attributes are read from the search graph's arrays when they are used, because one dictionary per state and edge would
take most of the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

import networkx

from fsplan.planner.graphs.explore import SearchGraph

Columns = Mapping[str, Callable[[int], Any]]  # attribute name -> function from the row number to the value


class Attributes(MutableMapping[str, Any]):
    """The attributes of one state or edge: a view of a row, which becomes a dictionary when it is changed.

    >>> letters = Attributes({"lower": "abc".__getitem__, "upper": "ABC".__getitem__}, 1)
    >>> letters["seen"] = True
    >>> letters
    {'lower': 'b', 'upper': 'B', 'seen': True}
    """

    __slots__ = ("_columns", "_row")

    def __init__(self, columns: Columns, row: int) -> None:
        self._columns = columns
        self._row: int | dict[str, Any] = row  # the row number, or after a change the dictionary

    def __getitem__(self, key: str) -> Any:
        return self._columns[key](self._row) if isinstance(self._row, int) else self._row[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._changeable()[key] = value

    def __delitem__(self, key: str) -> None:
        del self._changeable()[key]

    def _changeable(self) -> dict[str, Any]:
        if isinstance(self._row, int):
            self._row = self.copy()
        return self._row

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns if isinstance(self._row, int) else self._row)

    def __len__(self) -> int:
        return len(self._columns if isinstance(self._row, int) else self._row)

    def copy(self) -> dict[str, Any]:
        return {key: self[key] for key in self}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles and copies the attributes as a dictionary."""
        return dict, (self.copy(),)

    def __repr__(self) -> str:
        return repr(self.copy())


def to_networkx(graph: SearchGraph) -> networkx.MultiDiGraph[int]:
    """See `SearchGraph.to_networkx`."""
    made: networkx.MultiDiGraph[int] = networkx.MultiDiGraph(
        task=graph.name, start=0, goal=graph.goal.nonzero()[0].tolist(), heuristic=graph.heuristic
    )
    states = list(range(len(graph)))  # all dictionaries share these int objects, which take 32 bytes each
    made.add_nodes_from(states)
    nodes, edges = graph.node_columns(), graph.edge_columns()
    succ, pred, keys = made._succ, made._pred, made.edge_key_dict_factory
    for source in states:
        made._node[source] = Attributes(nodes, source)
        followers, row = succ[source], range(*graph.edges_begin[source : source + 2].tolist())
        for edge, target in zip(row, graph.target[row.start : row.stop].tolist(), strict=True):
            follower = states[target]
            parallel = followers.get(follower)
            if parallel is None:
                parallel = followers[follower] = pred[follower][source] = keys()
            parallel[len(parallel)] = Attributes(edges, edge)
    return made
