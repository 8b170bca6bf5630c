"""Enumerations of the plans in a region, cheapest first: all sequences, or one plan for each minimal set of actions."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple, Protocol

from fsplan.planner.search.several.region import Region, Steps

Distances = dict[Hashable, int]


class Path(NamedTuple):
    """A path from the initial state, as its last state, its last step and the path before it."""

    state: Hashable
    step: str = ""
    before: Path | None = None

    def steps(self) -> Steps:
        return () if self.before is None else tuple(path.step for path in reversed(list(self._parts())) if path.before)

    def visits(self, state: Hashable) -> bool:
        return any(path.state == state for path in self._parts())

    def _parts(self) -> Iterator[Path]:
        path: Path | None = self
        while path is not None:
            yield path
            path = path.before


class Enumeration(Protocol):
    def plans(self, region: Region, distance: Distances, level: int) -> Iterator[tuple[Steps, int]]:
        """Yields plans that cost at most `level`, cheapest first; `distance` has the goal distances in the region."""

    def accept(self, steps: Steps) -> bool:
        """Returns whether a plan differs from the accepted ones, and if so accepts it."""


class Sequences:
    """Plans that visit no state twice and differ as sequences of steps."""

    def __init__(self) -> None:
        self._accepted: set[Steps] = set()

    def accept(self, steps: Steps) -> bool:
        is_new = steps not in self._accepted
        self._accepted.add(steps)
        return is_new

    def plans(self, region: Region, distance: Distances, level: int) -> Iterator[tuple[Steps, int]]:
        """Best-first search over paths. The goal distance is consistent, so plans leave the queue cheapest first."""
        number = count(0, -1)  # among equal costs, the newest path is continued first
        queue: list[tuple[int, int, int, Path]] = []  # cost of the cheapest completion, serial number, g, path
        if region.start in distance:
            queue.append((distance[region.start], next(number), 0, Path(region.start)))
        while queue and queue[0][0] <= level:
            region.check_time()
            _, _, g, path = heappop(queue)
            if path.state in region.goals:
                yield path.steps(), g
                continue
            for step, cost, successor in region.edges[path.state]:
                least = g + cost + distance.get(successor, level + 1)
                if least <= level and not path.visits(successor):
                    heappush(queue, (least, next(number), g + cost, Path(successor, step, path)))


class ActionSets:
    """Plans that differ as sets of actions; no set contains that of another plan that is not more expensive."""

    def __init__(self) -> None:
        self._accepted: list[frozenset[str]] = []

    def accept(self, steps: Steps) -> bool:
        actions = frozenset(steps)
        is_new = not self._contains_accepted(actions)
        if is_new:
            self._accepted.append(actions)
        return is_new

    def _contains_accepted(self, actions: frozenset[str]) -> bool:
        return any(each <= actions for each in self._accepted)

    def plans(self, region: Region, distance: Distances, level: int) -> Iterator[tuple[Steps, int]]:
        """Dijkstra's algorithm on pairs of a state and the set of actions on the way to it.

        The key is (least cost of a completion, size of the set, number of steps). None of them decreases along a path,
        so among equal costs smaller sets come first. A pair is discarded if its set contains an accepted set, because
        the sets of all its completions contain it, too.
        """
        number = count(0, -1)
        queue: list[tuple[int, int, int, int, int, frozenset[str], Path]] = []  # key, number, g, set, path
        closed: set[tuple[Hashable, frozenset[str]]] = set()
        if region.start in distance:
            queue.append((distance[region.start], 0, 0, next(number), 0, frozenset(), Path(region.start)))
        while queue and queue[0][0] <= level:
            region.check_time()
            _, _, length, _, g, actions, path = heappop(queue)
            if (path.state, actions) in closed or self._contains_accepted(actions):
                continue
            closed.add((path.state, actions))
            if path.state in region.goals:
                yield path.steps(), g
                continue
            for step, cost, successor in region.edges[path.state]:
                least = g + cost + distance.get(successor, level + 1)
                more = actions | {step}
                if least <= level and (successor, more) not in closed:
                    entry = Path(successor, step, path)
                    heappush(queue, (least, len(more), length + 1, next(number), g + cost, more, entry))


ENUMERATIONS: dict[str, type[Enumeration]] = {"sequences": Sequences, "actions": ActionSets}
