"""Small graphs with the arrays that a synthetic policy needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

DEAD_END = 2**31 - 1


class ToyGraph:
    def __init__(
        self,
        values: list[list[int]],
        domain_sizes: list[int],
        edges: list[list[tuple[int, int, int]]],
        goals: set[int],
        action_count: int,
    ) -> None:
        """`edges[state]`: (action, cost, target), by rising action."""
        self.values = np.array(values, dtype=np.int32)
        self.domain_sizes, self.action_count = domain_sizes, action_count
        self.begin = np.cumsum([0, *map(len, edges)]).astype(np.uint32)
        flat = [edge for row in edges for edge in row]
        self.actions = np.array([action for action, _, _ in flat], dtype=np.uint32)
        self.costs = np.array([cost for _, cost, _ in flat], dtype=np.int32)
        self.targets = np.array([target for _, _, target in flat], dtype=np.uint32)
        self.is_goal = np.array([state in goals for state in range(len(values))], dtype=np.uint8)
        self.source = np.repeat(np.arange(len(values)), np.diff(self.begin))
        self.distance = self._distances()
        self.optimal = self.costs.astype(np.int64) + self.distance[self.targets] == self.distance[self.source]
        self.optimal &= self.distance[self.targets] != DEAD_END
        self.decides = (self.is_goal == 0) & (self.distance != DEAD_END)

    def _distances(self) -> npt.NDArray[np.int32]:
        """Bellman–Ford, to a fixpoint."""
        distance = np.where(self.is_goal != 0, 0, DEAD_END).astype(np.int64)
        while True:
            reach = np.where(distance[self.targets] == DEAD_END, DEAD_END, distance[self.targets] + self.costs)
            before = distance.copy()
            np.minimum.at(distance, self.source, reach)
            if (before == distance).all():
                return distance.astype(np.int32)

    def arrays(self) -> dict[str, Any]:
        """The arguments of _core.SyntheticPolicy."""
        return {
            "values": self.values,
            "edges_begin": self.begin,
            "actions": self.actions,
            "targets": self.targets,
            "costs": self.costs,
            "distance": self.distance,
            "is_goal": self.is_goal,
            "domain_sizes": self.domain_sizes,
            "action_count": self.action_count,
        }


def grid(side: int, weights: bool = False) -> ToyGraph:
    """Cells of a square; the goal is the corner (0, 0). Actions: left, right, up, down, and `tunnel` from the far
    corner into a pit, a dead end."""
    cells = [(x, y) for y in range(side) for x in range(side)]
    number = {cell: i for i, cell in enumerate(cells)}
    pit = len(cells)
    edges: list[list[tuple[int, int, int]]] = []
    for x, y in cells:
        row = []
        for action, (dx, dy) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))):
            if (x + dx, y + dy) in number:
                row.append((action, 1 + (x * 7 + y * 3 + action) % 3 if weights else 1, number[x + dx, y + dy]))
        if (x, y) == (side - 1, side - 1):
            row.append((4, 1, pit))
        edges.append(row)
    edges.append([(4, 1, pit)])
    values = [[x, y, 0] for x, y in cells] + [[0, 0, 1]]
    return ToyGraph(values, [side, side, 2], edges, {0}, 5)
