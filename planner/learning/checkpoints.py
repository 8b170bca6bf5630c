"""Checkpoints of a training run: weights, optimiser and history in one safetensors file."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from fsplan.planner.policies.container import PolicyFileError, Tensor, parse_json, read_container, write_container
from fsplan.planner.policies.network import to_numpy, to_tensor
from fsplan.planner.policies.report import Epoch

_FORMAT = "fsplan-checkpoint"


@dataclass
class Checkpoint:
    """The state of a training run; `identity` holds its options and a checksum of its examples."""

    module: nn.Module
    optimizer: torch.optim.Optimizer
    best: dict[str, torch.Tensor]
    history: list[Epoch]
    seconds: float
    identity: dict[str, Any]


def save(path: str | os.PathLike[str], state: Checkpoint) -> None:
    tensors = {f"model.{name}": to_tensor(tensor) for name, tensor in state.module.state_dict().items()}
    tensors |= {f"best.{name}": to_tensor(tensor) for name, tensor in state.best.items()}
    for number, entry in state.optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{number}.{name}": to_tensor(tensor) for name, tensor in entry.items()}
    document = {
        "identity": state.identity,
        "seconds": state.seconds,
        "history": [list(epoch) for epoch in state.history],
    }
    write_container(path, tensors, {_FORMAT: json.dumps(document, allow_nan=False)})


def resume(path: str | os.PathLike[str], state: Checkpoint) -> bool:
    """Loads `state` from a checkpoint file and returns True; False if there is no such file.

    Raises PolicyFileError if the checkpoint belongs to a different run.
    """
    if not os.path.exists(path):
        return False
    tensors, metadata = read_container(path)
    document = parse_json(metadata.get(_FORMAT, "null"))
    if not isinstance(document, dict) or not {"identity", "seconds", "history"} <= set(document):
        raise PolicyFileError(f"{path}: not a checkpoint of a training run")
    if document["identity"] != state.identity:
        raise PolicyFileError(
            f"{path}: a checkpoint of another run (other examples or options); remove it to start over"
        )
    try:
        _load(tensors, state)
        state.history = [Epoch(*numbers) for numbers in document["history"]]
        state.seconds = float(document["seconds"])
    except (KeyError, RuntimeError, TypeError, ValueError) as error:
        raise PolicyFileError(f"{path}: the checkpoint does not fit the network: {error}") from None
    return True


def _load(tensors: dict[str, Tensor], state: Checkpoint) -> None:
    state.module.load_state_dict(_part(tensors, "model."))
    state.best = _part(tensors, "best.")
    if {name: t.shape for name, t in state.best.items()} != {
        name: t.shape for name, t in state.module.state_dict().items()
    }:
        raise ValueError("the best weights have another shape")
    stored = state.optimizer.state_dict()
    stored["state"] = {}
    for name, tensor in _part(tensors, "optimizer.").items():
        number, _, key = name.partition(".")
        stored["state"].setdefault(int(number), {})[key] = tensor
    state.optimizer.load_state_dict(stored)


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, torch.Tensor]:
    return {
        name.removeprefix(prefix): torch.from_numpy(to_numpy(tensor))
        for name, tensor in tensors.items()
        if name.startswith(prefix)
    }
