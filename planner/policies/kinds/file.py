"""`--policy path.safetensors`: a trained network.

A network of a user's class needs this class, which is called with (inputs, outputs), as in
`--policy path.safetensors,net=my.module:Net`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from fsplan.planner.base.imports import import_named
from fsplan.planner.policies.kind import PolicyKind

if TYPE_CHECKING:
    from fsplan.planner.policies.files import StoredPolicy

_NET = ",net="


def from_file(path: str, task: Any, *, masked: bool = True, net: str = "") -> Any:
    """The policy in a file; raises PolicyFileError if it does not fit the task.

    A multilayer perceptron is evaluated by the native core. For any other network, `net` names its class as
    module:class. For security, the name in the file is not used for the import.
    """
    from fsplan.planner.policies.container import PolicyFileError
    from fsplan.planner.policies.files import read
    from fsplan.planner.policies.signature import signature_of

    stored = read(path)
    try:
        stored.check_fits(signature_of(task))
        if not net and not stored.is_native:
            raise PolicyFileError(_how_to_load(path, stored))
        policy = _run_by_torch(stored, net, masked) if net else stored.native(masked)
    except PolicyFileError as error:
        raise PolicyFileError(f"{path}: {error}") from None
    policy.name = os.path.basename(path)
    return policy


def _how_to_load(path: str, stored: StoredPolicy) -> str:
    name = stored.architecture["name"]
    return f"holds a network of the class {name}, which torch runs: name the class, as in {path}{_NET}{name}"


def _run_by_torch(stored: StoredPolicy, net: str, masked: bool) -> Any:
    from fsplan.planner.policies.encoders import Encoder
    from fsplan.planner.policies.network import TorchPolicy, load_module

    encoder = Encoder.from_json(stored.encoder)
    module = import_named(net)(encoder.input_count, len(stored.actions))
    loaded = load_module(stored, module)
    return TorchPolicy(loaded, encoder, stored.actions, accuracy=stored.measured_accuracy, masked=masked)


def _make(text: str, task: Any, seed: int, masked: bool) -> Any:
    path, _, net = text.partition(_NET)
    return from_file(path, task, masked=masked, net=net)


def _path(text: str) -> str:
    return text.partition(_NET)[0]


KIND = PolicyKind(
    "file",
    "a trained network; append ,net=MODULE:CLASS for a network class of your own, run by torch",
    example="policy.safetensors",
    accepts=lambda text: _path(text).endswith(".safetensors") or os.sep in _path(text),
    make=_make,
    reads=("masked",),
    forms=lambda: ("FILE.safetensors",),
    file=_path,
)
