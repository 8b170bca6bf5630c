"""What the command line does with policies, as functions: train, show, measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .files import show as policy_show
from .signature import common_signature, signature_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from fsplan.planner.explore import SearchGraph
    from fsplan.planner.task import Task

    from .accuracy import PolicyAccuracy
    from .encoders import Encoder
    from .examples import Examples
    from .report import Epoch, Step, TrainingReport
    from .training import TrainingOptions

__all__ = ["policy_accuracy", "policy_show", "train_policy"]

MAX_STATES = 1_000_000


class ExampleOptions:
    """Where examples come from.

    `kind`: "graph" (every state, all optimal actions), "plans" (optimal traces by A*), or "auto": the graph where it
    has at most `max_states` states. `limit`: so many states of a graph at most. `traces`, `walk`, `seconds_each`: how
    many traces a task, from where, and how long one may take. `plan_files`: plans to learn from instead.
    """

    def __init__(
        self,
        kind: str = "auto",
        *,
        max_states: int = MAX_STATES,
        limit: int | None = None,
        traces: int = 200,
        walk: int = 100,
        seconds_each: float = 10.0,
        plan_files: Sequence[str] = (),
        heuristic: str | None = None,
        seed: int = 0,
    ) -> None:
        if kind not in ("auto", "graph", "plans"):
            raise ValueError(f"examples come from auto, graph or plans, not {kind!r}")
        self.kind, self.max_states, self.limit, self.traces, self.walk = kind, max_states, limit, traces, walk
        self.seconds_each, self.plan_files, self.heuristic, self.seed = seconds_each, plan_files, heuristic, seed


def train_policy(
    tasks: Sequence[Task],
    output: str | os.PathLike[str],
    *,
    examples: ExampleOptions | None = None,
    options: TrainingOptions | None = None,
    net_name: str = "",
    encoder: str = "one-hot",
    checkpoint: str | os.PathLike[str] | None = None,
    curve: str | os.PathLike[str] | None = None,
    on_progress: Callable[[Epoch], bool | None] | None = None,
    on_step: Callable[[Step], None] | None = None,
) -> TrainingReport:
    """Trains a policy for one task, or for several with the same actions, and writes it to `output`.

    `net_name` is what `options.net` is called as module:class, for the file.
    """
    from . import files
    from .examples import Examples
    from .network import store_module
    from .training import train

    where = examples or ExampleOptions()
    signature = common_signature(list(tasks))
    gathered = [gather(task, where) for task in tasks]
    encoded = make_encoder(tasks[0], encoder)
    joined = Examples.join([part for part, _ in gathered])
    module, report = train(
        joined, options, encoder=encoded, checkpoint=checkpoint, on_progress=on_progress, on_step=on_step
    )
    if any(graph is None for _, graph in gathered):
        report.test_name = "trace_action"
    stored = store_module(module, encoded, signature.actions, net_name)
    policy = stored.native() if stored.is_native else _torch_policy(module, encoded, signature.actions)
    report.unroll = _unroll([(task, graph) for task, (_, graph) in zip(tasks, gathered, strict=True)], policy)
    stored.task = signature.as_task() | {"problems": sorted({signature_of(task).problem for task in tasks})}
    stored.accuracy = report.accuracy_json()
    stored.training = report.training_json() | {"examples_from": [_origin(graph) for _, graph in gathered]}
    files.write(output, stored)
    if curve is not None:
        report.draw(curve)
    return report


def gather(task: Task, where: ExampleOptions) -> tuple[Examples, SearchGraph | None]:
    """The examples of a task, and its graph where that was used."""
    from fsplan.planner.explore import TooManyStates, explore

    from .examples import graph_examples
    from .traces import optimal_traces, trace_examples

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
    from fsplan.planner.plans import read_steps

    from .traces import follow, is_goal

    traces = []
    for path in paths:
        try:
            trace = follow(task.source, task.source.start_values(), read_steps(path))
            if not is_goal(task.source, trace.end):
                raise ValueError("the plan does not reach the goal")
            traces.append(trace)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
    return traces


def make_encoder(task: Task, kind: str) -> Encoder:
    """one-hot: an input a value of a variable; bits: an input an atom."""
    from .encoders import Encoder

    if kind == "one-hot":
        return Encoder.one_hot(task.source.domain_sizes())
    if kind != "bits":
        raise ValueError(f"encoder {kind!r} is unknown; choose one-hot or bits")
    from fsplan.planner._core import GroundSource

    if not isinstance(task.source, GroundSource):
        raise ValueError("fact bits are for PDDL tasks: a puzzle's cells are encoded one-hot")
    return Encoder.bits(task.source.domain_sizes(), task.source.is_atom())


def _torch_policy(module: Any, encoder: Encoder, actions: list[str]) -> Any:
    from .network import NetworkPolicy

    return NetworkPolicy(module, encoder, actions)


def _unroll(tasks: list[tuple[Task, SearchGraph | None]], policy: Any) -> tuple[int, int]:
    """How many states lead to a goal by following the policy: all of a graph, or the start of each task."""
    from fsplan.planner.search import unroll

    from .accuracy import exact_accuracy

    solved = starts = 0
    for task, graph in tasks:
        if graph is None:
            solved, starts = solved + (unroll(task, policy=policy).plan is not None), starts + 1
            continue
        followed = exact_accuracy(policy, graph).unroll
        assert followed is not None
        solved, starts = solved + followed[0], starts + followed[1]
    return solved, starts


def _origin(graph: SearchGraph | None) -> str:
    return "optimal plans" if graph is None else f"graph of {len(graph)} states"


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
    """Eq. 1 of a policy on a task: exact where the graph has at most `max_states` states, else estimated."""
    from fsplan.planner.explore import TooManyStates, explore

    from .accuracy import exact_accuracy, sampled_accuracy
    from .registry import resolve

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
