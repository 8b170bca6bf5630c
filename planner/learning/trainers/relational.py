"""The training kind `relational`: a policy for all tasks of a domain, learned from tasks of any size."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fsplan.planner.learning.pipeline import Progress, TrainingKind, load_tasks
from fsplan.planner.learning.relational.learn import LearnOptions, learn
from fsplan.planner.learning.relational.measures import LearningReport
from fsplan.planner.policies.relational import stored
from fsplan.planner.policies.relational.stored import DomainPolicy
from fsplan.planner.tasks.task import Task


class FittedDomainPolicy:
    def __init__(self, policy: DomainPolicy, report: LearningReport) -> None:
        self.policy, self.report = policy, report

    def write(self, path: str | os.PathLike[str]) -> None:
        stored.write(path, self.policy)


class RelationalTrainer:
    """Learns from tasks of one domain; labelling, fitting and selection share one time limit."""

    def __init__(self, collect: Callable[[], Sequence[Task]], options: LearnOptions | None = None) -> None:
        self.collect, self.options = collect, options

    def fit(self, data: Sequence[Task], progress: Progress) -> FittedDomainPolicy:
        return FittedDomainPolicy(*learn(data, self.options, on_progress=progress.note))


def _trainer(arguments: Sequence[str], options: Mapping[str, Any]) -> RelationalTrainer:
    chosen: dict[str, Any] = {"generate": options["generate"], "seed": options["seed"]}
    if options["time_limit"]:
        chosen["seconds"] = options["time_limit"]
    for name in ("threads", "scheduler"):
        if options[name]:
            chosen[name] = options[name]
    return RelationalTrainer(lambda: load_tasks(arguments, reader=options["reader"]), LearnOptions(**chosen))


def _of_tasks(tasks: Sequence[Task], options: Mapping[str, Any]) -> RelationalTrainer:
    return RelationalTrainer(lambda: tasks, LearnOptions(**options))


KIND = TrainingKind(
    "relational",
    "weights of relational features: for every task of the domain, learned from problems with any objects",
    reads=("generate", "seed", "threads", "scheduler"),
    ending=stored.ENDING,
    trainer=_trainer,
    of_tasks=_of_tasks,
)
