"""Any torch module that scores the applicable actions of a batch of states in the relational view, as a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fsplan.planner._core import ArrayPolicy

from .view import RelationalView

if TYPE_CHECKING:
    import numpy.typing as npt

    from fsplan.planner.task import Task


class RelationalPolicy:
    """A torch module from a RelationalBatch to a tensor with one score per applicable action, for any task of a domain.

    Scores are logits: a softmax over the actions of each state makes probabilities of them. `accuracy`, if it is known,
    is read by Disc-1; a call sees up to `batch` states.

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
    """A RelationalPolicy, ready to score the states of one task."""

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
