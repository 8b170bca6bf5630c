"""Training examples: states with their applicable actions and the optimal ones among these."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from fsplan.planner.graphs.explore import DEAD_END, SearchGraph


class Examples:
    """States with their applicable actions (edges) and a flag for each that is known to be optimal.

    values       [states, width] small unsigned integers
    edges_begin  [states + 1] the edges of state i are edges_begin[i] : edges_begin[i + 1]
    actions      [edges] the applicable actions
    optimal      [edges] True for optimal actions
    groups       number of each state's trace; a split never divides a trace
    distance     goal distance of each state, -1 if unknown
    weights      relative frequency with which a state is drawn in training
    pinned       True for states that are always used for training
    taken        the action that the trace of a state takes
    copies       True for states made from other states, such as mirrored ones; they are only used for training
    complete     True if `optimal` marks all optimal actions, False if it marks only the actions of the traces
    """

    def __init__(
        self,
        values: npt.NDArray[Any],
        domain_sizes: Sequence[int],
        action_count: int,
        edges_begin: npt.NDArray[Any],
        actions: npt.NDArray[Any],
        optimal: npt.NDArray[Any],
        groups: npt.NDArray[Any] | None = None,
        distance: npt.NDArray[Any] | None = None,
        weights: npt.NDArray[Any] | None = None,
        pinned: npt.NDArray[np.bool_] | None = None,
        taken: npt.NDArray[Any] | None = None,
        copies: npt.NDArray[np.bool_] | None = None,
        complete: bool = True,
    ) -> None:
        count = len(values)
        self.values = values.astype(_smallest(max(domain_sizes, default=1)), copy=False)
        self.domain_sizes, self.action_count = [int(size) for size in domain_sizes], action_count
        self.edges_begin = edges_begin.astype(np.int64, copy=False)
        self.actions = actions.astype(_smallest(action_count), copy=False)
        self.optimal = optimal.astype(np.bool_, copy=False)
        self.groups = np.arange(count, dtype=np.int64) if groups is None else groups.astype(np.int64, copy=False)
        unknown = np.full(count, -1, dtype=np.int32)
        self.distance = unknown if distance is None else distance.astype(np.int32, copy=False)
        self.weights = weights
        self.pinned = np.zeros(count, dtype=np.bool_) if pinned is None else pinned
        self.copies = np.zeros(count, dtype=np.bool_) if copies is None else copies
        self.taken = None if taken is None else taken.astype(np.int64, copy=False)
        self.complete = complete
        self._check()

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def from_masks(
        cls,
        values: npt.NDArray[Any],
        domain_sizes: Sequence[int],
        applicable: npt.NDArray[np.bool_],
        optimal: npt.NDArray[np.bool_],
        **rest: Any,
    ) -> Examples:
        """Examples from boolean matrices [states, actions] of the applicable and of the optimal actions."""
        begin = np.concatenate([[0], np.cumsum(applicable.sum(axis=1))])
        _, actions = np.nonzero(applicable)
        return cls(values, domain_sizes, applicable.shape[1], begin, actions, optimal[applicable], **rest)

    @classmethod
    def join(cls, parts: Sequence[Examples]) -> Examples:
        """The examples of several tasks with the same variables and actions."""
        first = parts[0]
        for part in parts[1:]:
            if part.domain_sizes != first.domain_sizes or part.action_count != first.action_count:
                raise ValueError("examples of tasks with different variables or actions cannot be joined")
        values = np.concatenate([part.values for part in parts])
        counts = np.concatenate([np.diff(part.edges_begin) for part in parts])
        return cls(
            values,
            first.domain_sizes,
            first.action_count,
            np.concatenate([[0], np.cumsum(counts)]),
            np.concatenate([part.actions for part in parts]),
            np.concatenate([part.optimal for part in parts]),
            _joined_groups(parts, values),
            np.concatenate([part.distance for part in parts]),
            np.concatenate([np.ones(len(part)) if part.weights is None else part.weights for part in parts]),
            np.concatenate([part.pinned for part in parts]),
            None if any(part.taken is None for part in parts) else np.concatenate([part.taken for part in parts]),
            np.concatenate([part.copies for part in parts]),
            all(part.complete for part in parts),
        )

    def split(self, shares: Sequence[float], seed: int) -> list[npt.NDArray[np.int64]]:
        """Splits the examples at random by traces; returns the indices of the rest, then those of each share.

        Different traces may contain the same state. States of a share that also occur in the rest are omitted.

        >>> states, traces = np.array([[0], [1], [2], [1]]), np.array([5, 5, 7, 7])
        >>> examples = Examples(states, [3], 1, np.arange(5), np.zeros(4), np.ones(4), traces)
        >>> sorted(map(len, examples.split([0.5], 0)))
        [1, 2]
        """
        names, member = np.unique(self.groups, return_inverse=True)
        order = np.random.default_rng(seed).permutation(len(names))
        position = np.empty(len(names), dtype=np.int64)
        position[order] = np.arange(len(names))
        limits = np.concatenate([[0], np.cumsum([round(share * len(names)) for share in shares]), [len(names)]])
        place = np.where(self.pinned, len(names) - 1, position[member])
        *shared, rest = [np.flatnonzero((place >= low) & (place < high)) for low, high in pairwise(limits)]
        states = _whole_states(self.values)
        shared = [part[~self.copies[part]] for part in shared]
        return [rest, *(part[~np.isin(states[part], states[rest])] for part in shared)]

    def _check(self) -> None:
        count, edges = len(self.values), len(self.actions)
        if self.values.ndim != 2 or self.values.shape[1] != len(self.domain_sizes):
            raise ValueError("values must be a matrix with a column for every domain")
        if count and (self.values.max(axis=0) >= np.array(self.domain_sizes)).any():
            raise ValueError("a value lies outside its domain")
        if len(self.edges_begin) != count + 1 or self.edges_begin[0] != 0 or self.edges_begin[-1] != edges:
            raise ValueError("edges_begin must have an entry per state and one more, from 0 to the number of edges")
        if len(self.optimal) != edges or len(self.groups) != count or len(self.distance) != count:
            raise ValueError("optimal needs one entry per edge, groups and distance one per state")
        if edges and int(self.actions.max()) >= self.action_count:
            raise ValueError(f"action {int(self.actions.max())} of {self.action_count}")
        if count and not np.logical_or.reduceat(self.optimal, self.edges_begin[:-1]).all():
            raise ValueError("a state has no optimal action: leave goals and dead ends out")


def _joined_groups(parts: Sequence[Examples], values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The groups of joined examples.

    Groups of different parts remain different. If every state is a group of its own, equal states of different parts
    form one group, so that a split does not separate them.
    """
    if all(len(np.unique(part.groups)) == len(part) for part in parts):
        return np.unique(_whole_states(values), return_inverse=True)[1]
    groups, highest = [], 0
    for part in parts:
        groups.append(part.groups + highest)
        highest += int(part.groups.max(initial=-1)) + 1
    return np.concatenate(groups)


def _whole_states(values: npt.NDArray[Any]) -> npt.NDArray[np.void]:
    """Each row as a single item, so that rows can be compared and sorted."""
    return np.ascontiguousarray(values).view(np.dtype((np.void, values.dtype.itemsize * values.shape[1]))).ravel()


def graph_examples(graph: SearchGraph, limit: int | None = None, seed: int = 0) -> Examples:
    """Examples of all states of a graph that are neither goals nor dead ends, or of `limit` of them, drawn at random.

    Few states are near the goal, but every plan passes through them. So half of the training weight is distributed as
    on optimal plans from all states, and states at rare goal distances are always used for training.
    """
    states = np.flatnonzero((graph.goal == 0) & (graph.h_star != DEAD_END))
    if limit is not None and len(states) > limit:
        states = np.sort(np.random.default_rng(seed).choice(states, limit, replace=False))
    values, rows, edges = graph.rows(states)
    return Examples(
        values,
        graph.state_space.domain_sizes(),
        graph.state_space.action_count(),
        rows,
        graph.action[edges],
        graph.optimal_edges()[edges],
        None,
        graph.h_star[states],
        *_emphasis(graph.h_star[states]),
    )


def _emphasis(distance: npt.NDArray[Any]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """The weights and pinned states, from goal distances.

    If an optimal plan starts in every state, each distance d is passed by all plans that start at distance d or more.
    """
    _, member, counts = np.unique(distance, return_inverse=True, return_counts=True)
    passing = counts[::-1].cumsum()[::-1]
    traces = (passing / counts)[member]
    rare = counts < min(_RARE, len(distance) / 100)
    return 0.5 + 0.5 * traces * len(distance) / traces.sum(), rare[member]


_RARE = 100


def _smallest(size: int) -> npt.DTypeLike:
    return np.uint8 if size <= 1 << 8 else np.uint16 if size <= 1 << 16 else np.int32
