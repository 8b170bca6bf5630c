"""The accuracy of a policy (Eq. 1 of the paper): the share of states in which its best action is optimal.

It is exact if the state graph fits in memory, and otherwise estimated from sampled states.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isnan
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from fsplan.planner import _core
from fsplan.planner.graphs.explore import DEAD_END, SearchGraph, TooManyStates, explore
from fsplan.planner.policies import estimates
from fsplan.planner.policies.base import TaskPolicy, best_edges, score_edges
from fsplan.planner.policies.registry import resolve
from fsplan.planner.policies.report import Accuracy
from fsplan.planner.search.traces import Solver, Trace, optimal_traces, traces_around_a_plan
from fsplan.planner.tasks.task import SearchTask, Task

AnyTask = Task | SearchTask

CHUNK = 1 << 16
MAX_STATES = 1_000_000
# For a policy that uses relaxed plans, which are expensive, at most this many states are sampled from a graph.
MOST_ESTIMATED = 20_000


@dataclass(frozen=True, repr=False)
class PolicyAccuracy:
    """The accuracy of a policy (Eq. 1) and how it was measured.

    `masked` counts states whose best applicable action is optimal. `literal` counts states whose best action among all
    actions is optimal; None if unknown. `how` describes the measured states, and `exact` is True if these are all
    states. `unroll` is (states from which following the policy reaches a goal, solvable states); None if unknown.
    """

    masked: Accuracy
    literal: Accuracy | None
    how: str
    exact: bool = False
    unroll: tuple[int, int] | None = None

    @property
    def value(self) -> float:
        return self.masked.value

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval; only the value itself if every state was counted."""
        return (self.value, self.value) if self.exact else self.masked.interval

    def to_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "exact" if self.exact else "sampled": self.value,
            "how": self.how,
            "states": self.masked.count,
            "by_distance": {str(d): right / n for d, (n, right) in sorted(self.masked.by_distance.items())},
        }
        if not self.exact:
            document["interval"] = list(self.interval)
        if self.literal is not None:
            document["literal"] = self.literal.value
        if self.unroll is not None:
            document["unroll"] = list(self.unroll)
        return document

    def text(self) -> str:
        lines = [f"accuracy          {self.value:.4f}, {self.how}"]
        if not self.exact:
            lines.append("95 % confidence   {:.4f} to {:.4f}".format(*self.interval))
        if self.literal is not None:
            lines.append(f"without masking   {self.literal.value:.4f}")
        if self.unroll is not None:
            lines.append(f"following it      reaches a goal from {self.unroll[0]:,} of {self.unroll[1]:,} states")
        if self.masked.by_distance:
            lines.append("by distance to the goal:")
            table = sorted(self.masked.by_distance.items())
            lines += [f"  {d:>6}  {right / n:.4f}  {n:,} states" for d, (n, right) in table]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"PolicyAccuracy({self.value:.4f}, {self.how})"


def exact_accuracy(policy: Any, graph: SearchGraph) -> PolicyAccuracy:
    """The accuracy (Eq. 1) over all states that are neither goals nor dead ends.

    If the policy uses relaxed plans and there are many states, the accuracy is over a random sample of them.
    """
    decides = np.flatnonzero((graph.goal == 0) & (graph.h_star != DEAD_END))
    states = decides
    if estimates.read_by(policy) and len(states) > MOST_ESTIMATED:
        states = np.sort(np.random.default_rng(0).choice(states, MOST_ESTIMATED, replace=False))
    optimal, chosen = graph.optimal_edges(), choices(policy, graph, states)
    distance = graph.h_star[states]
    masked = Accuracy.of(optimal[chosen], distance)
    literal = _literal(policy, graph, states, optimal, chosen)
    if len(states) < len(decides):
        return PolicyAccuracy(masked, literal, f"on {len(states):,} of {len(decides):,} states, drawn at random")
    following = np.arange(len(graph))
    following[states] = graph.target[chosen]
    reached = int(reaches_goal(following, graph.goal)[states].sum())
    how = f"over all {len(states):,} states"
    return PolicyAccuracy(masked, literal, how, exact=True, unroll=(reached, len(states)))


def choices(policy: Any, graph: SearchGraph, states: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The best edge of each of the given states according to the policy; every state must have an edge."""
    chosen = []
    for first in range(0, len(states), CHUNK):
        some = states[first : first + CHUNK]
        values, begin, edges = graph.rows(some)
        known = estimates.of_graph(graph, some) if estimates.read_by(policy) else None
        scores = score_edges(policy, values, begin, graph.action[edges], known=known, space=graph.state_space)
        chosen.append(edges[best_edges(scores, begin)])
    return np.concatenate(chosen) if chosen else np.zeros(0, dtype=np.int64)


def _literal(
    policy: Any,
    graph: SearchGraph,
    states: npt.NDArray[np.int64],
    optimal: npt.NDArray[np.bool_],
    chosen: npt.NDArray[np.int64],
) -> Accuracy | None:
    """The share of states whose best action among all actions, applicable or not, is optimal.

    Synthetic policies store this number, and networks give a score to every action. None for other policies.
    """
    if hasattr(policy, "literal_correct"):
        return Accuracy(policy.literal_correct, policy.decisions)
    count = getattr(policy, "outputs", None)
    if count is None:
        return None
    every = np.arange(count, dtype=np.uint32)
    step = max(1, (1 << 22) // count)
    hits = np.zeros(len(states), dtype=np.bool_)
    for first in range(0, len(states), step):
        some, best = states[first : first + step], chosen[first : first + step]
        begin = np.arange(0, (len(some) + 1) * count, count)
        scores = score_edges(policy, graph.rows(some)[0], begin, np.tile(every, len(some))).reshape(len(some), count)
        hits[first : first + step] = optimal[best] & (scores.argmax(axis=1) == graph.action[best])
    return Accuracy.of(hits, graph.h_star[states])


def reaches_goal(following: npt.NDArray[Any], goal: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """The states from which repeating s := following[s] reaches a goal, computed by pointer doubling.

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
    """An estimate of the accuracy (Eq. 1) from one state of each of `samples` optimal traces.

    A trace is an optimal plan from the last state of a random walk. A decision is right if its cost plus the goal
    distance of its successor, computed by A*, equals the goal distance of the state. Traces that need more than
    `seconds_each` are skipped, so hard states are under-represented.
    """
    solver = Solver(task, heuristic, time_limit=seconds_each)
    traces = optimal_traces(task, samples, seed=seed, walk=walk, heuristic=heuristic, seconds_each=seconds_each)
    if on_progress is not None:
        traces = _reporting(traces, samples, on_progress)
    found = _judge(policy, solver, traces, seed)
    if not found.count:
        raise ValueError("no state could be solved optimally in the time allowed: give more seconds, or shorter walks")
    return PolicyAccuracy(found, None, f"estimated from {found.count:,} states on optimal plans")


def _reporting(traces: Iterable[Trace], samples: int, tell: Callable[[int, int], None]) -> Any:
    for number, trace in enumerate(traces, start=1):
        yield trace
        tell(number, samples)


def _judge(
    policy: Any, solver: Solver, traces: Iterable[Trace], seed: int, each: int = 1, budget: int | None = None
) -> Accuracy:
    """The accuracy on `each` randomly chosen states of every trace; stops after about `budget` evaluated states."""
    generator, decide = random.Random(seed), TaskPolicy(policy, solver.task)
    hits, distances = [], []
    for trace in traces:
        for step in generator.sample(range(len(trace.actions)), min(each, len(trace.actions))):
            right = solver.is_optimal(decide.delta(trace.states[step]), trace, step)
            if right is not None:
                hits.append(right)
                distances.append(trace.distances[step])
        if budget is not None and solver.evaluated > budget:
            break
    return Accuracy.of(np.array(hits, dtype=np.bool_), np.array(distances, dtype=np.int64))


def policy_accuracy(
    policy: str | Any,
    task: Task,
    *,
    max_states: int = MAX_STATES,
    samples: int = 100,
    walk: int = 100,
    seconds_each: float = 10.0,
    heuristic: str | None = None,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
) -> PolicyAccuracy:
    """The accuracy (Eq. 1) of a policy on a task; estimated if the graph has more than `max_states` states."""
    chosen = resolve(policy, task, seed=seed)
    try:
        return exact_accuracy(chosen, explore(task, max_states))
    except TooManyStates:
        return sampled_accuracy(
            chosen,
            task,
            samples,
            seed=seed,
            walk=walk,
            seconds_each=seconds_each,
            heuristic=heuristic,
            on_progress=on_progress,
        )


# Limits of measured_accuracy: evaluated states for a task with few actions, expansions per search, least number of
# decisions for an estimate, and number of actions above which a task is not measured at all.
_WORK, _EXPANSIONS, _ENOUGH, _MOST_ACTIONS = 20_000, 100, 20, 2_000
_measured: WeakKeyDictionary[Task, dict[tuple[str, int, int], PolicyAccuracy | None]] = WeakKeyDictionary()


def measured_accuracy(policy: Any, task: AnyTask, *, samples: int = 100, seed: int = 0) -> PolicyAccuracy | None:
    """A cheap estimate of the accuracy (Eq. 1), used by Disc-1 if the user gives none; None if it cannot be measured.

    For a small task it is measured on all states. Otherwise it is measured on states near a greedy plan whose goal
    distance A* finds within few expansions. The budget is a number of evaluated states, which is smaller for tasks with
    many actions; so the result does not depend on the machine. Results are cached per task.
    """
    name = policy if isinstance(policy, str) else type(policy).__name__ if estimates.read_by(policy) else None
    if name is None or not isinstance(task, Task):
        return _measure(resolve(policy, task, seed=seed), task, samples, seed)
    known, key = _measured.setdefault(task, {}), (name, samples, seed)
    if key not in known:
        known[key] = _measure(resolve(policy, task, seed=seed), task, samples, seed)
    return known[key]


def _measure(policy: Any, task: AnyTask, samples: int, seed: int) -> PolicyAccuracy | None:
    actions = task.state_space.action_count() if isinstance(task, Task) else 0
    if actions > _MOST_ACTIONS:
        return None
    work = _WORK * 400 // max(400, actions)
    try:
        known = exact_accuracy(policy, explore(task, work))
        return None if isnan(known.value) else known  # NaN: every state is a goal or a dead end
    except TooManyStates:
        pass
    if not isinstance(task, Task) or (
        estimates.read_by(policy) and not isinstance(task.state_space, _core.GroundStateSpace)
    ):
        return None
    solver = Solver(task, expansion_limit=_EXPANSIONS)
    found = _judge(policy, solver, traces_around_a_plan(task, solver, work // 20, samples, seed), seed, 3, work)
    return PolicyAccuracy(found, None, f"on {found.count:,} states near the goal") if found.count >= _ENOUGH else None
