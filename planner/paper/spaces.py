"""Small spaces explored once, synthetic policies drawn on them, and searches from many starts.

A start is another state of the same space, named NAME:start/7: number 0 is the task's own, the others are drawn
uniformly from the states that are no goals and from which a goal can be reached. The paper's puzzles start from the
tasks NAME:random/1, NAME:random/2, … instead, which have one space.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fsplan.pddl.costs import plain
from fsplan.planner.experiments.execute import arguments, command, measured, shortest
from fsplan.planner.experiments.records import Run, digest_files

if TYPE_CHECKING:
    from fsplan.planner.graphs.explore import SearchGraph

EXECUTOR = "fsplan.planner.paper.spaces:prepare"
MAX_STATES = 10_000_000


@dataclass(frozen=True)
class Place:
    """A task whose space is explored, and the heuristic to search with; None: what Algorithm 1 has by default."""

    name: str
    words: tuple[str, ...]
    heuristic: str | None = None
    has_named_starts: bool = False

    def start_names(self, count: int) -> list[str]:
        """The tasks of a space: the same goal from different starts.

        >>> PLACES["tiles8"].start_names(2), PLACES["blocks"].start_names(2)
        (['tiles8:random/1', 'tiles8:random/2'], ['blocks-8-0:start/0', 'blocks-8-0:start/1'])
        """
        if self.has_named_starts:
            return [f"{self.name}:random/{number}" for number in range(1, count + 1)]
        return [f"{self.name}:start/{number}" for number in range(count)]

    def digest(self) -> str:
        from os.path import isfile

        files = [word for word in self.words if isfile(word)]
        return digest_files(files) if files else ""


PLACES = {
    "tiles8": Place("tiles8", ("tiles8:random/1",), "linear_conflict", True),
    "pancake9": Place("pancake9", ("pancake9:random/1",), "gap", True),
    "blocks": Place("blocks-8-0", ("example:blocks-8-0",), "hmax"),
}


def open_task(words: Sequence[str]) -> Any:
    """The task of a place: files, a puzzle, a bundled example, or a task written in Python as my.module:Task."""
    from fsplan.planner.sources.load import example, load_words
    from fsplan.planner.sources.python import import_task
    from fsplan.planner.sources.registry import task_source

    word = words[0]
    if word.startswith("example:"):
        return load_words([example(word.removeprefix("example:"))])
    source = task_source(words)
    return import_task(word) if source.name == "python" else load_words(words)


class Elsewhere:
    """A task written in Python that begins in another state."""

    def __init__(self, task: Any, start: Any) -> None:
        self.task, self.start = task, start

    def __getattr__(self, name: str) -> Any:
        return getattr(self.task, name)


class DomainGraph:
    """A task's whole graph. Policies drawn on it serve every start, as all starts share states and actions."""

    def __init__(self, words: Sequence[str]) -> None:
        from fsplan.planner.graphs.explore import explore
        from fsplan.planner.tasks.task import Task

        self.words = tuple(words)
        self.base = open_task(words)
        self.graph: SearchGraph = explore(self.base, heuristic=None, max_states=MAX_STATES)
        self.is_native = isinstance(self.base, Task)
        self._values = self.graph.values()
        self._tasks: dict[str, tuple[Any, Any]] = {}
        self._policy: tuple[str, Any] = ("", None)
        self._reported: str | None = None

    def task(self, name: str) -> tuple[Any, Any]:
        """A start's task and its optimal cost."""
        if name not in self._tasks:
            kind, _, number = name.rpartition(":")[2].partition("/")
            task, state = self._start(name, int(number)) if kind == "start" else self._named(name)
            self._tasks[name] = task, plain(self.graph.true_cost(self.graph.h_star[state]))
        return self._tasks[name]

    def _start(self, name: str, number: int) -> tuple[Any, int]:
        state = self._draw(number)
        if not self.is_native:
            return Elsewhere(self.base, self.graph.state_space.state(state)), state  # type: ignore[attr-defined]
        from fsplan.planner.tasks.task import Task

        source = self.base.state_space.at(self._values[state].tolist())
        task = Task(name, source, self.base.actions, unit_cost=self.base.unit_cost)
        task.cost_denominator = self.base.cost_denominator
        return task, state

    def _draw(self, number: int) -> int:
        """The state of a start; number 0 is the task's own."""
        from random import Random

        from fsplan.planner.graphs.explore import DEAD_END

        if number == 0:
            return 0
        random = Random(number)
        for _ in range(100_000):
            state = random.randrange(len(self.graph))
            if not self.graph.goal[state] and self.graph.h_star[state] != DEAD_END:
                return state
        raise ValueError("hardly any state of this space is without a decision: goals and dead ends are left out")

    def _named(self, name: str) -> tuple[Any, int]:
        """Another task of the same space; its variables and actions must be those of the graph."""
        from fsplan.planner._core import state_name
        from fsplan.planner.sources.load import load

        task = load(name)
        values = task.state_space.start_values()
        if list(task.actions) != list(self.base.actions) or len(values) != self._values.shape[1]:
            raise ValueError(f"{task.name}: this start has other states or actions than the explored graph")
        found = (self._values == values).all(axis=1).nonzero()[0]
        if len(found) != 1 or state_name(task.state_space, values) != self.graph.state_name(int(found[0])):
            raise ValueError(f"{task.name}: this start is not in the explored graph")
        return task, int(found[0])

    def policy(self, accuracy: float, seed: int, options: Mapping[str, Any]) -> Any:
        """The policy of a draw; the last one is kept, as the runs of a draw follow each other."""
        from fsplan.planner.policies.synthetic import synthetic

        key = json.dumps([accuracy, seed, dict(options)], sort_keys=True)
        if self._policy[0] != key:
            self._policy = key, synthetic(self.graph, accuracy, seed=seed, **options)
        return self._policy[1]

    def solve(self, run: Run) -> dict[str, Any]:
        from fsplan.planner.search.solve import solve

        task, optimal = self.task(run.task)
        given = arguments(run)
        synthetic_options = given.pop("synthetic", {})
        row: dict[str, Any] = {"optimal_cost": optimal, "repeat": self.command(run)}
        if run.accuracy is not None:
            given["policy"] = policy = self.policy(run.accuracy, run.seed, synthetic_options)
            given.pop("seed", None)  # the policy has been drawn with it
            row["measured_accuracy"] = policy.details["measured_masked"]
            row["literal_accuracy"] = policy.details["measured"]
            if self._reported != self._policy[0]:  # once per policy: the list of scores may be long
                self._reported, row["policy_details"] = self._policy[0], dict(policy.details)
        given |= {"time_limit": run.time_limit, "memory_limit": run.memory_limit}
        result, seconds = shortest(lambda: solve(task, **given))
        # The process holds the graph and has done other runs: its memory says nothing about this one.
        return {**measured(result), **row, "seconds": seconds, "memory": None}

    def command(self, run: Run) -> str | None:
        """The command line that repeats a run; None from a start that has no name outside of the space."""
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
