"""Policy files, which hold the weights of a network and a description that is checked before it is used.

The format is safetensors. The metadata contains one JSON text with the architecture, the encoder, the action names,
fingerprints of the training tasks, the measured accuracy and the training options. Reading needs neither torch nor
numpy.

>>> from fsplan.planner.policies import files
>>> stored = files.read("policy.safetensors")          # doctest: +SKIP
>>> policy = stored.native()                           # doctest: +SKIP
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isfinite
from struct import iter_unpack
from typing import Any

from fsplan.planner import _core
from fsplan.planner._core import all_finite
from fsplan.planner.policies.container import (
    PolicyFileError,
    Tensor,
    aligned,
    read_document,
    section_lines,
    write_container,
)
from fsplan.planner.policies.signature import Signature

__all__ = ["PolicyFileError", "StoredPolicy", "Tensor", "describe", "read", "show", "write"]

FORMAT = "fsplan-policy"
VERSION = 1
ENCODERS = ("one-hot", "bits")
_SECTIONS = ("architecture", "encoder", "actions", "task", "accuracy", "training")


class MlpPolicy(_core.MlpPolicy):
    """A multilayer perceptron from a policy file, evaluated by the native core."""

    name = "network"
    accuracy: float | None = None
    accuracy_by_distance: dict[int, float] | None = None


class StoredPolicy:
    """The content of a policy file.

    architecture  {"kind": "mlp", "layers": [256, 160, 80, 16, 4]}, or {"kind": "module", "name": "my.module:Net"} for
                  a user's torch module
    encoder       {"kind": "one-hot", "domain_sizes": [...]}, or {"kind": "bits", "domain_sizes": [...], "inputs":
                  [...]}, where `inputs` has the number of the input that each value sets, or -1
    actions       the name of the action of each output
    task          {"name", "domain": fingerprint, "problems": [fingerprints]}
    tensors       layers.0.weight, layers.0.bias, layers.1.weight, … for a multilayer perceptron
    """

    __slots__ = ("accuracy", "actions", "architecture", "encoder", "task", "tensors", "training")

    def __init__(
        self,
        architecture: Mapping[str, Any],
        encoder: Mapping[str, Any],
        actions: Sequence[str],
        tensors: Mapping[str, Tensor],
        task: Mapping[str, Any] | None = None,
        accuracy: Mapping[str, Any] | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        self.architecture, self.encoder, self.actions = dict(architecture), dict(encoder), list(actions)
        self.tensors = dict(tensors)
        self.task, self.accuracy, self.training = dict(task or {}), dict(accuracy or {}), dict(training or {})
        _check_stored(self)

    @property
    def is_native(self) -> bool:
        return bool(self.architecture["kind"] == "mlp")

    @property
    def layers(self) -> list[tuple[Tensor, Tensor]]:
        count = len(self.architecture["layers"]) - 1
        return [(self.tensors[f"layers.{i}.weight"], self.tensors[f"layers.{i}.bias"]) for i in range(count)]

    def __repr__(self) -> str:
        return f"<StoredPolicy {self.architecture.get('kind')}: {len(self.actions):,} actions>"

    @property
    def measured_accuracy(self) -> float | None:
        """The accuracy that Disc-1 uses: on test states, else over all states, else the agreement with optimal traces.

        In older files, such as the shipped tiles15, test states may also occur in traces used for training.
        """
        known = [self.accuracy[name] for name in ("test", "exact", "trace_action") if name in self.accuracy]
        return float(known[0]) if known and isinstance(known[0], int | float) else None

    @property
    def accuracy_by_distance(self) -> dict[int, float]:
        """The accuracy for each goal distance; empty if the file does not contain it."""
        return {int(distance): value for distance, value in self.accuracy.get("test_by_distance", {}).items()}

    def native(self, masked: bool = True, instruction_set: str = "") -> MlpPolicy:
        """The network as a policy of the native core."""
        if not self.is_native:
            name = str(self.architecture.get("name"))
            raise PolicyFileError(
                f"a network that the file calls {name!r:.60} and only torch runs: name the class that you trained, "
                "FILE,net=MODULE:CLASS. It is imported and run, so do not take the name from the file"
            )
        try:
            policy = MlpPolicy(
                [(weight.data, bias.data) for weight, bias in self.layers],
                self.architecture["layers"][0],
                self.encoder["domain_sizes"],
                self.encoder.get("inputs", []),
                masked,
                instruction_set,
            )
        except ValueError as error:
            raise PolicyFileError(str(error)) from None
        policy.accuracy = self.measured_accuracy
        policy.accuracy_by_distance = self.accuracy_by_distance
        return policy

    def check_fits(self, signature: Signature) -> None:
        """Raises PolicyFileError with the reason if the policy does not fit a task with this signature."""
        if list(signature.domain_sizes) != self.encoder["domain_sizes"]:
            raise PolicyFileError(
                f"made for another task: its states have {len(self.encoder['domain_sizes'])} variables with "
                f"other domains than the {len(signature.domain_sizes)} here"
            )
        if signature.actions != self.actions:
            raise PolicyFileError(f"made for another task: {_first_difference(self.actions, signature.actions)}")
        if self.task.get("domain", signature.domain) != signature.domain:
            raise PolicyFileError("made for another task: the PDDL domain is another")
        problems = self.task.get("problems", [])
        if problems and signature.problem not in problems:
            raise PolicyFileError("made for another task: it was trained towards another goal")


def read(path: str | os.PathLike[str]) -> StoredPolicy:
    """Reads a policy file; raises PolicyFileError if it is invalid."""
    return read_document(path, FORMAT, _from_document)


def write(path: str | os.PathLike[str], policy: StoredPolicy) -> None:
    document = {"version": VERSION, **{section: getattr(policy, section) for section in _SECTIONS}}
    write_container(path, policy.tensors, {FORMAT: json.dumps(document, allow_nan=False)})


def describe(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The content of a policy file without the weights."""
    stored = read(path)
    return {section: getattr(stored, section) for section in _SECTIONS} | {
        "parameters": sum(len(tensor.data) // 4 for tensor in stored.tensors.values())
    }


def show(path: str | os.PathLike[str]) -> str:
    """A description of a policy file as text, for `fsplan policy show`."""
    stored = read(path)
    architecture, encoder = stored.architecture, stored.encoder
    network = "-".join(map(str, architecture["layers"])) if stored.is_native else architecture["name"]
    lines = [
        ("network", f"{architecture['kind']} {network}"),
        ("parameters", f"{sum(len(tensor.data) // 4 for tensor in stored.tensors.values()):,}"),
        ("states", f"{len(encoder['domain_sizes'])} variables, {encoder['kind']} encoded"),
        ("actions", f"{len(stored.actions)}: {_shortened(stored.actions)}"),
    ]
    for title in ("task", "accuracy", "training"):
        lines += section_lines(title, getattr(stored, title))
    return aligned(lines)


def _shortened(names: list[str]) -> str:
    return ", ".join(names[:4]) + (", …" if len(names) > 4 else "")


def _first_difference(ours: list[str], theirs: Sequence[str]) -> str:
    if len(ours) != len(theirs):
        return f"it knows {len(ours)} actions, the task has {len(theirs)}"
    for number, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        if mine != other:
            return f"action {number} is ({mine}) in the file and ({other}) here"
    return "the actions agree"


def _from_document(document: Any, tensors: dict[str, Tensor]) -> StoredPolicy:
    if not isinstance(document, dict):
        raise PolicyFileError("a safetensors file, but not a policy: its metadata has no fsplan-policy")
    if document.get("version") != VERSION:
        raise PolicyFileError(f"unknown format version {document.get('version')!r}, expected {VERSION}")
    for section in _SECTIONS:
        expected: type = list if section == "actions" else dict
        if not isinstance(document.get(section), expected):
            raise PolicyFileError(f"the metadata lacks {section}")
    return StoredPolicy(tensors=tensors, **{section: document[section] for section in _SECTIONS})


def _check_stored(stored: StoredPolicy) -> None:
    _check_encoder(stored.encoder)
    if not stored.actions or not all(isinstance(name, str) for name in stored.actions):
        raise PolicyFileError("actions is not a list of names")
    problems = stored.task.get("problems", [])
    if not isinstance(problems, list) or not all(isinstance(item, str) for item in problems):
        raise PolicyFileError("task.problems is not a list of fingerprints")
    if not _are_accuracies(stored.accuracy.get("test_by_distance", {})):
        raise PolicyFileError("accuracy.test_by_distance does not give a number from 0 to 1 for each distance")
    _check_finite(stored.tensors)
    kind = stored.architecture.get("kind")
    if kind == "mlp":
        _check_mlp(stored)
    elif kind != "module" or not isinstance(stored.architecture.get("name"), str):
        raise PolicyFileError(f"unknown kind of network {kind!r}")


def _are_accuracies(by_distance: Any) -> bool:
    return isinstance(by_distance, dict) and all(
        distance.isdecimal() and len(distance) < 10 and type(value) in (int, float) and 0 <= value <= 1
        for distance, value in by_distance.items()
    )


def _check_encoder(encoder: dict[str, Any]) -> None:
    kind, sizes = encoder.get("kind"), encoder.get("domain_sizes")
    if kind not in ENCODERS:
        raise PolicyFileError(f"unknown encoder {kind!r}, expected one of {', '.join(ENCODERS)}")
    if not _integers(sizes, 1, 1 << 30) or not sizes or sum(sizes) > 1 << 30:
        raise PolicyFileError("the encoder's domain sizes are not positive integers")
    inputs = encoder.get("inputs", [])
    if (inputs or kind == "bits") and not (_integers(inputs, -1, 1 << 30) and len(inputs) == sum(sizes)):
        raise PolicyFileError("the encoder's inputs do not number the values of the domains")


def _integers(numbers: Any, lowest: int, highest: int) -> bool:
    return isinstance(numbers, list) and all(type(n) is int and lowest <= n <= highest for n in numbers)


def input_count(encoder: Mapping[str, Any]) -> int:
    """The number of inputs of a network with this encoder."""
    if encoder["kind"] == "bits":
        return int(max(encoder["inputs"])) + 1
    return int(sum(encoder["domain_sizes"]))


def _check_mlp(stored: StoredPolicy) -> None:
    sizes = stored.architecture.get("layers")
    if not isinstance(sizes, list) or not _integers(sizes, 1, 1 << 30) or len(sizes) < 2:
        raise PolicyFileError("the architecture's layers are not positive integers")
    if sizes[0] != input_count(stored.encoder):
        raise PolicyFileError(f"{sizes[0]} inputs, but the encoder gives {input_count(stored.encoder)}")
    if sizes[-1] != len(stored.actions):
        raise PolicyFileError(f"{sizes[-1]} outputs, but {len(stored.actions)} actions")

    expected: dict[str, tuple[int, ...]] = {}
    for i, (inputs, outputs) in enumerate(pairwise(sizes)):
        expected[f"layers.{i}.weight"] = (outputs, inputs)
        expected[f"layers.{i}.bias"] = (outputs,)
    _check_tensors(stored.tensors, expected)


def _check_finite(tensors: dict[str, Tensor]) -> None:
    for name, tensor in tensors.items():
        if not _is_finite(tensor):
            raise PolicyFileError(f"tensor {name} has a number that is not finite")


def _is_finite(tensor: Tensor) -> bool:
    if tensor.dtype == "F64":
        return all(isfinite(number) for (number,) in iter_unpack("<d", tensor.data))
    return tensor.dtype != "F32" or all_finite(tensor.data)


def _check_tensors(tensors: dict[str, Tensor], expected: dict[str, tuple[int, ...]]) -> None:
    if set(tensors) != set(expected):
        odd = sorted(set(tensors) ^ set(expected))
        raise PolicyFileError(f"tensors and architecture disagree about {_shortened(odd)}")
    for name, shape in expected.items():
        tensor = tensors[name]
        if tensor.dtype != "F32" or tensor.shape != shape:
            raise PolicyFileError(f"tensor {name} is {tensor.dtype} {tensor.shape}, expected F32 {shape}")
