"""How often a policy's best action is optimal: exactly where the graph fits in memory, else by sampling."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np

from .base import TaskPolicy, best_edges, score_edges
from .report import Accuracy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from fsplan.planner.explore import SearchGraph
    from fsplan.planner.task import Task

    from .traces import Trace

CHUNK = 1 << 16


class PolicyAccuracy:
    """Eq. 1. `masked`: the best applicable action is optimal; `literal`: the best action of all is, where known.

    `unroll`: (states from which following the policy reaches a goal, states with a way to one), where known.
    """

    __slots__ = ("exact", "literal", "masked", "unroll")

    def __init__(
        self, masked: Accuracy, literal: Accuracy | None, exact: bool, unroll: tuple[int, int] | None = None
    ) -> None:
        self.masked, self.literal, self.exact, self.unroll = masked, literal, exact, unroll

    def to_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "exact" if self.exact else "sampled": self.masked.value,
            "states": self.masked.count,
            "by_distance": {str(d): right / n for d, (n, right) in sorted(self.masked.by_distance.items())},
        }
        if not self.exact:
            document["interval"] = list(self.masked.interval)
        if self.literal is not None:
            document["literal"] = self.literal.value
        if self.unroll is not None:
            document["unroll"] = list(self.unroll)
        return document

    def text(self) -> str:
        how = "over all" if self.exact else "estimated from"
        lines = [f"accuracy          {self.masked.value:.4f} {how} {self.masked.count:,} states"]
        if not self.exact:
            lines.append("95 % confidence   {:.4f} to {:.4f}".format(*self.masked.interval))
        if self.literal is not None:
            lines.append(f"without masking   {self.literal.value:.4f}")
        if self.unroll is not None:
            lines.append(f"following it      reaches a goal from {self.unroll[0]:,} of {self.unroll[1]:,} states")
        if self.masked.by_distance:
            lines.append("by distance to the goal:")
            table = sorted(self.masked.by_distance.items())
            lines += [f"  {d:>6}  {right / n:.4f}  {n:,} states" for d, (n, right) in table]
        return "\n".join(lines)


def exact_accuracy(policy: Any, graph: SearchGraph) -> PolicyAccuracy:
    """Eq. 1 over every state that is neither a goal nor a dead end."""
    from fsplan.planner.explore import DEAD_END

    decides = (graph.goal == 0) & (graph.h_star != DEAD_END)
    optimal = graph.optimal_edges()
    chosen = np.concatenate([best for _, best in _best_by_chunk(policy, graph)])
    hits = optimal[chosen[decides]]
    distance = graph.h_star[decides]
    following = np.where(chosen >= 0, graph.target[np.maximum(chosen, 0)], np.arange(len(graph)))
    return PolicyAccuracy(
        Accuracy.of(hits, distance),
        _literal(policy, graph, decides, optimal, chosen, distance),
        True,
        (int(reaches_goal(following, graph.goal)[decides].sum()), int(decides.sum())),
    )


def _best_by_chunk(policy: Any, graph: SearchGraph) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    begin = graph.edges_begin.astype(np.int64)
    for first in range(0, len(graph), CHUNK):
        last = min(first + CHUNK, len(graph))
        rows = begin[first : last + 1] - begin[first]
        actions = graph.action[begin[first] : begin[last]]
        best = best_edges(score_edges(policy, graph.values(first, last), rows, actions), rows)
        yield first, np.where(best >= 0, best + begin[first], -1)


def _literal(
    policy: Any,
    graph: SearchGraph,
    decides: npt.NDArray[np.bool_],
    optimal: npt.NDArray[np.bool_],
    chosen: npt.NDArray[np.int64],
    distance: npt.NDArray[Any],
) -> Accuracy | None:
    """A synthetic policy knows; a network is asked about every action, applicable or not; others do not say."""
    if hasattr(policy, "literal_correct"):
        return Accuracy(policy.literal_correct, policy.decisions)
    count = getattr(policy, "outputs", None)
    if count is None:
        return None
    states = np.flatnonzero(decides)
    every = np.arange(count, dtype=np.uint32)
    step = max(1, (1 << 22) // count)
    hits = np.zeros(len(states), dtype=np.bool_)
    for first in range(0, len(states), step):
        some = states[first : first + step]
        values = np.concatenate([graph.values(int(s), int(s) + 1) for s in some])
        begin = np.arange(0, (len(some) + 1) * count, count)
        scores = score_edges(policy, values, begin, np.tile(every, len(some))).reshape(len(some), count)
        best = chosen[some]
        hits[first : first + step] = optimal[best] & (scores.argmax(axis=1) == graph.action[best])
    return Accuracy.of(hits, distance)


def reaches_goal(following: npt.NDArray[Any], goal: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """From which states repeating s := following[s] reaches a goal; by doubling, so in log₂ steps.

    >>> reaches_goal(np.array([0, 0, 1, 4, 3]), np.array([1, 0, 0, 0, 0])).tolist()
    [True, True, True, False, False]
    """
    is_goal = goal.astype(np.bool_)
    there = np.where(is_goal, np.arange(len(goal)), following)
    for _ in range(max(1, len(goal).bit_length())):
        there = there[there]
    return np.asarray(is_goal[there])


def sampled_accuracy(
    policy: Any,
    task: Task,
    samples: int = 100,
    *,
    seed: int = 0,
    walk: int = 100,
    heuristic: str | None = None,
    seconds_each: float = 10.0,
    on_progress: Callable[[int, int], None] | None = None,
) -> PolicyAccuracy:
    """An estimate of Eq. 1 from one state each of `samples` optimal traces, which start where random walks end.

    A decision is right if its successor is as near to the goal as the trace's; A* says how near that is. Traces that
    take more than `seconds_each` are left out, so hard states are under-represented.
    """
    from .traces import best_heuristic, optimal_traces

    generator = random.Random(seed)
    decide, name = TaskPolicy(policy, task), heuristic or best_heuristic(task.source)
    hits, distances = [], []
    traces = optimal_traces(task, samples, seed=seed, walk=walk, heuristic=name, seconds_each=seconds_each)
    for number, trace in enumerate(traces, start=1):
        step = generator.randrange(len(trace.actions))
        right = _is_optimal(decide.delta(trace.states[step]), trace, step, task, name, seconds_each)
        if right is not None:
            hits.append(right)
            distances.append(trace.distances[step])
        if on_progress is not None:
            on_progress(number, samples)
    if not hits:
        raise ValueError("no state could be solved optimally in the time allowed: give more seconds, or shorter walks")
    accuracy = Accuracy.of(np.array(hits, dtype=np.bool_), np.array(distances))
    return PolicyAccuracy(accuracy, None, False)


def _is_optimal(action: int | None, trace: Trace, step: int, task: Task, heuristic: str, seconds: float) -> bool | None:
    """None where A* does not say in time."""
    from .traces import optimal_cost

    if action == trace.actions[step]:
        return True
    for applicable, cost, successor in task.source.successors(trace.states[step]):
        if applicable == action:
            rest = optimal_cost(task.source, successor, heuristic, seconds)
            return None if rest is None else cost + rest == trace.distances[step]
    return False
