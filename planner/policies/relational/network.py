"""Policies from torch modules that score the applicable actions of a batch of states in the relational view."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fsplan.planner._core import ArrayPolicy
from fsplan.planner.policies.relational.view import RelationalView
from fsplan.planner.tasks.task import Task


class RelationalPolicy:
    """A policy for all tasks of a domain, computed by a torch module.

    The module maps a RelationalBatch to a tensor with one score per applicable action. Scores are logits: the
    probabilities are their softmax over the actions of each state. Disc-1 uses `accuracy` if it is given. Up to `batch`
    states are evaluated in one call of the module.

    >>> policy = RelationalPolicy(module)  # doctest: +SKIP
    >>> fsplan.focal(task, "disc2", 1.5, policy=policy)  # doctest: +SKIP
    """

    def __init__(self, module: Any, *, accuracy: float | None = None, batch: int = 64) -> None:
        self.module, self.accuracy, self.batch = module, accuracy, batch
        self.name = type(module).__name__

    def __repr__(self) -> str:
        return f"<RelationalPolicy {self.name}>"

    def on(self, task: Task) -> RelationalPolicyOnTask:
        return RelationalPolicyOnTask(self, task)


class RelationalPolicyOnTask(ArrayPolicy):
    """A RelationalPolicy that is bound to one task."""

    def __init__(self, policy: RelationalPolicy, task: Task) -> None:
        super().__init__(policy.batch)
        self.module, self.accuracy, self.name = policy.module, policy.accuracy, policy.name
        self.view = RelationalView(task)

    def score_arrays(
        self, values: npt.NDArray[np.int32], edges_begin: npt.NDArray[np.uint32], actions: npt.NDArray[np.uint32]
    ) -> npt.NDArray[np.float32]:
        import torch

        from fsplan.planner.policies.network import log_softmax

        batch = self.view.batch(values, edges_begin, actions)
        with torch.inference_mode():
            scores = self.module(batch).detach().cpu().numpy().astype(np.float32)
        if scores.shape != (len(actions),):
            raise ValueError(f"the module gave scores of shape {scores.shape} for {len(actions)} applicable actions")
        return log_softmax(scores, batch.edges_begin)
