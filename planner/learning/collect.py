"""Collects training examples for networks with a fixed set of actions, from tasks or from a data set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fsplan.planner._core import GroundStateSpace
from fsplan.planner.graphs.explore import SearchGraph, TooManyStates, explore
from fsplan.planner.learning.scramble import scrambled
from fsplan.planner.plans.plan_files import read_steps
from fsplan.planner.policies.examples import Examples, graph_examples
from fsplan.planner.policies.signature import Signature, common_signature, signature_of
from fsplan.planner.search.accuracy import exact_accuracy
from fsplan.planner.search.named import unroll
from fsplan.planner.search.traces import follow, optimal_traces, trace_examples
from fsplan.planner.tasks.task import Task

MAX_STATES = 1_000_000
ORIGINS = ("auto", "graph", "plans", "scramble")


@dataclass(frozen=True)
class ExampleOptions:
    """Options for collecting the examples of a task.

    `kind` is "graph" (every state with all its optimal actions), "plans" (optimal plans by A*), "scramble" (random
    walks from the goal of a puzzle, see `scramble`), or "auto" ("graph" if the graph has at most `max_states` states,
    else "plans"). At most `limit` states of a graph are used. `traces` is the number of plans or walks per task, `walk`
    the length of the random walks (a plan starts at the end of such a walk), and `seconds_each` the time limit for each
    plan. If `plan_files` are given, examples are taken from these plans instead.
    """

    kind: str = "auto"
    max_states: int = MAX_STATES
    limit: int | None = None
    traces: int = 200
    walk: int = 100
    seconds_each: float = 10.0
    plan_files: Sequence[str] = ()
    heuristic: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in ORIGINS:
            raise ValueError(f"examples come from {', '.join(ORIGINS)}, not {self.kind!r}")


class Collected:
    """Examples, with the information about them that a policy file stores.

    `signature` is the signature of the policy's task, and `problems` are the fingerprints of all tasks of the examples.
    `record` describes how the examples were made. `followed(policy)` returns (states from which following the policy
    reaches a goal, states tried); it is None if that cannot be measured.
    """

    def __init__(
        self,
        examples: Examples,
        signature: Signature,
        *,
        problems: Sequence[str] = (),
        record: dict[str, Any] | None = None,
        followed: Callable[[Any], tuple[int, int]] | None = None,
        is_atom: Sequence[bool] | None = None,
    ) -> None:
        self.examples, self.signature, self.record = examples, signature, record or {}
        self.problems, self.followed, self.is_atom = sorted({*problems, signature.problem}), followed, is_atom


def collect(tasks: Sequence[Task], where: ExampleOptions | None = None) -> Collected:
    """The examples of one task, or of several with the same variables and actions."""
    signature, space = common_signature(list(tasks)), tasks[0].state_space
    where = where or ExampleOptions()
    gathered = [gather(task, where) for task in tasks]
    graphs = [graph for _, graph in gathered]
    return Collected(
        Examples.join([part for part, _ in gathered]),
        signature,
        problems=[signature_of(task).problem for task in tasks],
        record={"examples_from": [_origin(graph, where) for graph in graphs]},
        followed=lambda policy: _followed(policy, tasks, graphs),
        is_atom=space.is_atom() if isinstance(space, GroundStateSpace) else None,
    )


def gather(task: Task, where: ExampleOptions) -> tuple[Examples, SearchGraph | None]:
    """The examples of a task, and its state graph, or None if the examples come from plans or walks."""
    if where.kind == "scramble":
        return scrambled(task, where.traces, where.walk, where.seed), None
    if where.plan_files:
        return trace_examples(task, _read_plans(task, where.plan_files)), None
    if where.kind != "plans":
        try:
            graph = explore(task, where.max_states, heuristic=None)
            return graph_examples(graph, where.limit, where.seed), graph
        except TooManyStates:
            if where.kind == "graph":
                raise
    traces = optimal_traces(
        task, where.traces, seed=where.seed, walk=where.walk, heuristic=where.heuristic, seconds_each=where.seconds_each
    )
    return trace_examples(task, traces), None


def _read_plans(task: Task, paths: Sequence[str]) -> list[Any]:
    traces = []
    for path in paths:
        try:
            trace = follow(task.state_space, task.state_space.start_values(), read_steps(path))
            if not task.state_space.is_goal(trace.end):
                raise ValueError("the plan does not reach the goal")
            traces.append(trace)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
    return traces


def _origin(graph: SearchGraph | None, where: ExampleOptions) -> str:
    if where.kind == "scramble":
        return f"{where.traces} walks of {where.walk} moves from the goal"
    return "optimal plans" if graph is None else f"graph of {len(graph)} states"


def _followed(policy: Any, tasks: Sequence[Task], graphs: Sequence[SearchGraph | None]) -> tuple[int, int]:
    """Number of states from which following the policy reaches a goal, and number of states tried.

    The states tried are all solvable states of each graph, or the initial state of a task without a graph.
    """
    solved = starts = 0
    for task, graph in zip(tasks, graphs, strict=True):
        if graph is None:
            more = int(unroll(task, policy=policy).plan is not None), 1
        else:
            more = exact_accuracy(policy, graph).unroll or (0, 0)
        solved, starts = solved + more[0], starts + more[1]
    return solved, starts
