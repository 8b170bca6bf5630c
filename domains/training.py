"""A policy for sliding tiles from a data set: the paper's network, all optimal actions as targets, mirrored boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fsplan.domains import dataset
from fsplan.domains.generators import SplitMix, tiles
from fsplan.domains.specs import board_size, load
from fsplan.planner.policies import files
from fsplan.planner.policies.encoders import Encoder
from fsplan.planner.policies.examples import Examples
from fsplan.planner.policies.network import NetworkPolicy, store_module
from fsplan.planner.policies.signature import signature_of
from fsplan.planner.policies.training import TrainingOptions, train

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from numpy.typing import NDArray
    from torch import nn

    from fsplan.planner.policies.report import Epoch, TrainingReport

HIDDEN = (160, 80, 16)
# Mirroring at the diagonal exchanges up with left and right with down.
_MIRRORED_ACTIONS = [1, 0, 3, 2]


def default_options(**changes: Any) -> TrainingOptions:
    return TrainingOptions(
        **{
            "hidden": HIDDEN,
            "epochs": 40,
            "batch": 4096,
            "learning_rate": 4e-3,
            "weight_decay": 1e-2,
            "validation": 0.01,
            "test": 0.1,
            **changes,
        }
    )


def train_tiles(
    domain: str,
    data: str,
    output: str | os.PathLike[str],
    options: TrainingOptions | None = None,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    on_progress: Callable[[Epoch], bool | None] | None = None,
) -> TrainingReport:
    """Trains on a data set of `fsplan dataset` and writes the policy file.

    The file's accuracy counts any optimal action; `trace_action` counts the trace's action alone. Both are of traces
    that were left out of training, boards as they are.
    """
    options = options or default_options()
    columns, rows = board_size(domain)
    task = load(f"{domain}:{','.join(map(str, tiles(columns, rows, SplitMix(0))))}")
    recorded = dataset.load(data)
    if recorded.values.shape[1] != columns * rows:
        raise ValueError(f"{data} holds boards of {recorded.values.shape[1]} cells, {domain} has {columns * rows}")
    examples = with_mirrored(recorded, columns) if columns == rows else as_examples(recorded)
    module, report = train(examples, options, checkpoint=checkpoint, on_progress=on_progress)
    test = examples.split([options.validation, options.test], options.seed)[2]
    accuracy = measure(module, recorded, test[test < len(recorded.actions)])
    encoder = Encoder.one_hot(examples.domain_sizes)
    signature = signature_of(task)
    stored = store_module(module, encoder, signature.actions, task=signature.as_task() | {"name": domain})
    stored.accuracy = report.accuracy_json() | accuracy
    stored.training = report.training_json() | {
        "traces": int(recorded.traces.max()) + 1,
        "states": len(recorded.actions),
        "mirrored": columns == rows,
    }
    files.write(output, stored)
    return report


def as_examples(recorded: dataset.Examples) -> Examples:
    cells = recorded.values.shape[1]
    return Examples.from_masks(
        recorded.values,
        [cells] * cells,
        recorded.applicable,
        recorded.optimal,
        recorded.traces,
        recorded.distances,
    )


def with_mirrored(recorded: dataset.Examples, side: int) -> Examples:
    """Every example, then every example mirrored at the diagonal, which leaves the goal where it is."""
    both = recorded._replace(
        values=np.concatenate([recorded.values, mirrored(recorded.values, side)]),
        applicable=np.concatenate([recorded.applicable, recorded.applicable[:, _MIRRORED_ACTIONS]]),
        optimal=np.concatenate([recorded.optimal, recorded.optimal[:, _MIRRORED_ACTIONS]]),
        traces=np.tile(recorded.traces, 2),
        distances=np.tile(recorded.distances, 2),
    )
    return as_examples(both)


def mirrored(values: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """
    >>> mirrored(np.array([[1, 2, 0, 3]], np.uint8), 2).tolist()
    [[2, 0, 1, 3]]
    """
    transposed = np.arange(side * side, dtype=np.uint8).reshape(side, side).T.ravel()
    moved: NDArray[np.uint8] = transposed[values[:, transposed]]
    return moved


def measure(module: nn.Module, recorded: dataset.Examples, index: NDArray[np.int64]) -> dict[str, float]:
    """The share of states whose first choice is optimal, and whose first choice is the trace's action."""
    if not len(index):
        return {}
    cells = recorded.values.shape[1]
    policy = NetworkPolicy(module, Encoder.one_hot([cells] * cells), ["up", "left", "right", "down"])
    optimal = same = 0
    for part in np.array_split(index, max(1, len(index) // 8192)):
        logits = policy.logits(recorded.values[part].astype(np.int32))
        choice = np.where(recorded.applicable[part], logits, -np.inf).argmax(1)
        optimal += int(recorded.optimal[part, choice].sum())
        same += int((recorded.actions[part] == choice).sum())
    count = len(index)
    return {"test": round(optimal / count, 6), "trace_action": round(same / count, 6), "test_states": len(index)}
