"""Small spaces explored once, synthetic policies drawn on them, and searches from many starts.

The 8-puzzle and the pancakes start from random permutations. Blocks starts from probBLOCKS-8-0's own initial state
(start/0) and from states drawn uniformly from the 695,417 it reaches, each the same problem with another initial state.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fsplan.planner.experiments.execute import arguments, measured, shortest
from fsplan.planner.experiments.records import Run

if TYPE_CHECKING:
    from fsplan.planner.explore import SearchGraph
    from fsplan.planner.task import Task

EXECUTOR = "fsplan.planner.experiments.spaces:prepare"
HEURISTICS = {"tiles8": "linear_conflict", "pancake9": "gap", "blocks": "hmax", "tiles15": "linear_conflict"}
_BLOCKS = "blocks-8-0"


def start_names(domain: str, count: int) -> list[str]:
    """The tasks of a domain: the same goal from so many starts.

    >>> start_names("tiles8", 2)
    ['tiles8:random/1', 'tiles8:random/2']
    """
    if domain == "blocks":
        return [f"{_BLOCKS}:start/{number}" for number in range(count)]
    return [f"{domain}:random/{number}" for number in range(1, count + 1)]


class DomainGraph:
    """A domain's whole graph. Policies drawn on it serve every start, as all starts share states and actions."""

    def __init__(self, domain: str) -> None:
        from fsplan.planner.explore import explore
        from fsplan.planner.load import example, load

        self.domain = domain
        self.base = load(example(_BLOCKS) if domain == "blocks" else f"{domain}:random/1")
        self.graph: SearchGraph = explore(self.base, heuristic=None)
        self._values = self.graph.values()
        self._tasks: dict[str, tuple[Task, int]] = {}
        self._policy: tuple[str, Any] = ("", None)
        self._reported: str | None = None

    def task(self, name: str) -> tuple[Task, int]:
        """A start's task and its optimal cost."""
        if name not in self._tasks:
            task = self._blocks_task(name) if self.domain == "blocks" else self._puzzle(name)
            self._tasks[name] = task, int(self.graph.h_star[self._state(task)])
        return self._tasks[name]

    def _puzzle(self, name: str) -> Task:
        from fsplan.planner.load import load

        return load(name)

    def _blocks_task(self, name: str) -> Task:
        from random import Random

        from fsplan.planner.sources.pddl import from_pddl

        number = int(name.rpartition("/")[2])
        state = Random(number).randrange(len(self.graph)) if number else 0
        return from_pddl(with_start(self.base.problem, self.graph.state_name(state)))

    def _state(self, task: Task) -> int:
        """The number of a task's start in the graph; its variables and actions must be those of the graph."""
        from fsplan.planner._core import state_name

        values = task.state_space.start_values()
        if list(task.actions) != list(self.base.actions) or len(values) != self._values.shape[1]:
            raise ValueError(f"{task.name}: this start has other states or actions than the explored graph")
        found = (self._values == values).all(axis=1).nonzero()[0]
        if len(found) != 1 or state_name(task.state_space, values) != self.graph.state_name(int(found[0])):
            raise ValueError(f"{task.name}: this start is not in the explored graph")
        return int(found[0])

    def policy(self, accuracy: float, seed: int, options: Mapping[str, Any]) -> Any:
        """The policy of a draw; the last one is kept, as the runs of a draw follow each other."""
        from fsplan.planner.policies.synthetic import synthetic

        key = json.dumps([accuracy, seed, dict(options)], sort_keys=True)
        if self._policy[0] != key:
            self._policy = key, synthetic(self.graph, accuracy, seed=seed, **options)
        return self._policy[1]

    def solve(self, run: Run) -> dict[str, Any]:
        from fsplan.planner.search import solve

        task, optimal = self.task(run.task)
        given = arguments(run)
        synthetic_options = given.pop("synthetic", {})
        row: dict[str, Any] = {"optimal_cost": optimal}
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


def with_start(problem: Any, atoms: str) -> Any:
    """The problem with another initial state, given as `on(a, b), clear(a), handempty()`."""
    from copy import copy

    changed = copy(problem)
    changed.init = [
        (predicate, *filter(None, inner.split(", ")))
        for predicate, inner in re.findall(r"([^,() ]+)\(([^()]*)\)", atoms)
    ]
    return changed


def prepare(shared: Mapping[str, Any]) -> Callable[[Run], Mapping[str, Any]]:
    return DomainGraph(shared["domain"]).solve
