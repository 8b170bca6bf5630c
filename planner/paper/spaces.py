"""Executes runs in a small state space, which is explored once, with synthetic policies and many initial states.

An initial state (start) has a name such as NAME:start/7. Number 0 is the initial state of the task; the others are
drawn uniformly from the states that are neither goals nor dead ends. For the paper's puzzles, the initial states are
those of the tasks NAME:random/1, NAME:random/2, … instead, which have the same state space.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os.path import isfile
from random import Random
from typing import Any

from fsplan.pddl.costs import plain
from fsplan.planner._core import state_name
from fsplan.planner.experiments.execute import arguments, command, measured, shortest, timed
from fsplan.planner.experiments.records import Run, digest_files
from fsplan.planner.graphs.explore import DEAD_END, SearchGraph, explore
from fsplan.planner.policies.synthetic import synthetic
from fsplan.planner.search.solve import solve
from fsplan.planner.sources.load import example, load, load_arguments
from fsplan.planner.sources.python import import_task
from fsplan.planner.sources.registry import task_source
from fsplan.planner.tasks.task import Task

EXECUTOR = "fsplan.planner.paper.spaces:prepare"
MAX_STATES = 10_000_000


@dataclass(frozen=True)
class Place:
    """A task whose state space is explored, and the heuristic for searches (None for the default of Algorithm 1)."""

    name: str
    words: tuple[str, ...]
    heuristic: str | None = None
    has_named_starts: bool = False

    def start_names(self, count: int) -> list[str]:
        """The names of tasks with the same goal and different initial states.

        >>> PLACES["tiles8"].start_names(2), PLACES["blocks"].start_names(2)
        (['tiles8:random/1', 'tiles8:random/2'], ['blocks-8-0:start/0', 'blocks-8-0:start/1'])
        """
        if self.has_named_starts:
            return [f"{self.name}:random/{number}" for number in range(1, count + 1)]
        return [f"{self.name}:start/{number}" for number in range(count)]

    def digest(self) -> str:
        files = [word for word in self.words if isfile(word)]
        return digest_files(files) if files else ""


PLACES = {
    "tiles8": Place("tiles8", ("tiles8:random/1",), "linear_conflict", True),
    "pancake9": Place("pancake9", ("pancake9:random/1",), "gap", True),
    "blocks": Place("blocks-8-0", ("example:blocks-8-0",), "hmax"),
}


def open_task(words: Sequence[str]) -> Any:
    """The task with these arguments: files, a puzzle, a bundled example, or a Python task such as my.module:Task."""
    word = words[0]
    if word.startswith("example:"):
        return load_arguments([example(word.removeprefix("example:"))])
    source = task_source(words)
    return import_task(word) if source.name == "python" else load_arguments(words)


class Elsewhere:
    """A task written in Python, with a different initial state."""

    def __init__(self, task: Any, start: Any) -> None:
        self.task, self.start = task, start

    def __getattr__(self, name: str) -> Any:
        return getattr(self.task, name)


class DomainGraph:
    """The state graph of a task. A policy drawn on it is valid for all initial states, which share the graph."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.base = open_task(words)
        self.graph: SearchGraph = explore(self.base, heuristic=None, max_states=MAX_STATES)
        self.is_native = isinstance(self.base, Task)
        self._values = self.graph.values()
        self._tasks: dict[str, tuple[Any, Any]] = {}
        self._policy: tuple[str, Any] = ("", None)
        self._reported: str | None = None

    def task(self, name: str) -> tuple[Any, Any]:
        """The task with the initial state of this name, and its optimal cost."""
        if name not in self._tasks:
            kind, _, number = name.rpartition(":")[2].partition("/")
            task, state = self._start(name, int(number)) if kind == "start" else self._named(name)
            self._tasks[name] = task, plain(self.graph.true_cost(self.graph.h_star[state]))
        return self._tasks[name]

    def _start(self, name: str, number: int) -> tuple[Any, int]:
        state = self._draw(number)
        if not self.is_native:
            return Elsewhere(self.base, self.graph.state_space.state(state)), state  # type: ignore[attr-defined]

        source = self.base.state_space.at(self._values[state].tolist())
        task = Task(name, source, self.base.actions, unit_cost=self.base.unit_cost)
        task.cost_denominator = self.base.cost_denominator
        return task, state

    def _draw(self, number: int) -> int:
        """The initial state with this number; number 0 is the initial state of the task."""
        if number == 0:
            return 0
        random = Random(number)
        for _ in range(100_000):
            state = random.randrange(len(self.graph))
            if not self.graph.goal[state] and self.graph.h_star[state] != DEAD_END:
                return state
        raise ValueError("nearly all states of this space are goals or dead ends: no initial states can be drawn")

    def _named(self, name: str) -> tuple[Any, int]:
        """A task with the same state space and its initial state; raises ValueError if it does not fit the graph."""
        task = load(name)
        values = task.state_space.start_values()
        if list(task.actions) != list(self.base.actions) or len(values) != self._values.shape[1]:
            raise ValueError(f"{task.name}: this start has other states or actions than the explored graph")
        found = (self._values == values).all(axis=1).nonzero()[0]
        if len(found) != 1 or state_name(task.state_space, values) != self.graph.state_name(int(found[0])):
            raise ValueError(f"{task.name}: this start is not in the explored graph")
        return task, int(found[0])

    def policy(self, accuracy: float, seed: int, options: Mapping[str, Any]) -> Any:
        """The synthetic policy for these parameters; the last one is cached, as runs are grouped by policy."""
        key = json.dumps([accuracy, seed, dict(options)], sort_keys=True)
        if self._policy[0] != key:
            self._policy = key, synthetic(self.graph, accuracy, seed=seed, **options)
        return self._policy[1]

    def solve(self, run: Run) -> dict[str, Any]:
        task, optimal = self.task(run.task)
        given = arguments(run)
        synthetic_options = given.pop("synthetic", {})
        row: dict[str, Any] = {"optimal_cost": optimal, "repeat": self.command(run)}
        if run.accuracy is not None:
            given["policy"] = policy = self.policy(run.accuracy, run.seed, synthetic_options)
            given.pop("seed", None)  # already used to draw the policy
            row["measured_accuracy"] = policy.details["measured_masked"]
            row["literal_accuracy"] = policy.details["measured"]
            if self._reported != self._policy[0]:  # stored once per policy, because the list of scores may be long
                self._reported, row["policy_details"] = self._policy[0], dict(policy.details)
        given |= {"time_limit": run.time_limit, "memory_limit": run.memory_limit}
        measure = timed if run.variant else shortest  # no claim is tested on the times of variants
        result, seconds = measure(lambda: solve(task, **given))
        # The memory of the process includes the graph and earlier runs, so it is not reported for this run.
        return {**measured(result), **row, "seconds": seconds, "memory": None}

    def command(self, run: Run) -> str | None:
        """The command line that repeats a run; None if its initial state cannot be named on the command line."""
        is_start = ":start/" in run.task
        is_named = self.is_native and not self.words[0].startswith("example:")
        if not is_named or (is_start and not run.task.endswith(":start/0")):
            return None
        given = arguments(run)
        options = given.pop("synthetic", {})
        if run.policy is not None:
            given["policy"] = ",".join([run.policy, *(f"{name}={_word(value)}" for name, value in options.items())])
        return command(self.words if is_start else (run.task,), given)


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}.get(value, str(value))


def prepare(shared: Mapping[str, Any]) -> Callable[[Run], Mapping[str, Any]]:
    return DomainGraph(shared["words"]).solve
