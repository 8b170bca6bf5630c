"""From what a user names to a policy the searches take.

ff, uniform               need no training
synthetic:0.9             a synthetic policy of that accuracy; options follow: synthetic:0.9,error_profile=linear
path.safetensors          a policy file; one that holds a network of your own needs its class, which is built with
                          (inputs, outputs): path.safetensors,net=my.module:Net
my.module:factory         factory(task) returns a policy
tiles15                   a name that fsplan ships, or that an installed package registers in the entry-point group
                          `fsplan.policies` (an object as in my.module:factory)
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fsplan.planner.task import Task

    from .files import StoredPolicy

BUILT_IN = ("ff", "uniform")
ENTRY_POINTS = "fsplan.policies"


def resolve(policy: Any, task: Task | Any, *, seed: int = 0, masked: bool = True) -> Any:
    """The policy that a name stands for; anything but text is returned as it is."""
    if not isinstance(policy, str):
        return policy
    name, _, rest = policy.partition(":")
    if policy in BUILT_IN:
        return _built_in(policy)
    if name == "synthetic":
        return _synthetic(rest, task, seed, masked)
    path = file_of(policy)
    if path is not None:
        return from_file(path, task, masked=masked, net=policy.partition(",net=")[2])
    if rest:
        return _called(import_named(policy), policy, task)
    return _registered(policy, task)


def file_of(policy: str) -> str | None:
    """The file of a policy named by its path, or shipped; None for policies that are code."""
    path = policy.partition(",net=")[0]
    return path if path.endswith(".safetensors") or os.sep in path else _shipped().get(policy)


def default_policy(task: Any) -> str:
    """The policy shipped for a puzzle, such as tiles15; ff for everything else."""
    puzzle, colon, _ = getattr(task, "name", "").partition(":")
    return puzzle if colon and getattr(task, "problem", None) is None and puzzle in _shipped() else "ff"


def from_file(path: str, task: Task | Any, *, masked: bool = True, net: str = "") -> Any:
    """The policy in a file, once it is known to fit the task; PolicyFileError if it does not.

    A multilayer perceptron becomes a native policy. `net` names the class of any other network, as module:class; a
    file never chooses what is imported.
    """
    from .container import PolicyFileError
    from .files import read
    from .signature import signature_of

    stored = read(path)
    try:
        stored.check_fits(signature_of(task))
        policy = _network(stored, net, masked) if net else stored.native(masked)
    except PolicyFileError as error:
        raise PolicyFileError(f"{path}: {error}") from None
    policy.name = os.path.basename(path)
    return policy


def _network(stored: StoredPolicy, net: str, masked: bool) -> Any:
    from .encoders import Encoder
    from .network import NetworkPolicy, load_module

    encoder = Encoder.from_json(stored.encoder)
    module = import_named(net)(encoder.input_count, len(stored.actions))
    loaded = load_module(stored, module)
    return NetworkPolicy(loaded, encoder, stored.actions, accuracy=stored.measured_accuracy, masked=masked)


def _built_in(name: str) -> Any:
    from fsplan.planner import _core

    return _core.RelaxedPlanPolicy() if name == "ff" else _core.UniformPolicy()


def _synthetic(text: str, task: Any, seed: int, masked: bool) -> Any:
    from .synthetic import synthetic

    accuracy, *options = text.split(",")
    arguments: dict[str, Any] = {"seed": seed, "masked": masked}
    for option in options:
        key, equals, value = option.partition("=")
        if key not in _SYNTHETIC or not equals:
            raise ValueError(f"synthetic:{text}: {option!r} is not one of {', '.join(f'{k}=…' for k in _SYNTHETIC)}")
        arguments[key] = _converted(_SYNTHETIC[key], value, option)
    return synthetic(task, _converted(float, accuracy, f"synthetic:{text}"), **arguments)


def _truth(text: str) -> bool:
    return {"yes": True, "true": True, "no": False, "false": False}[text]


_SYNTHETIC: dict[str, Any] = {
    "distribution": str,
    "scale": float,
    "shared": _truth,
    "support": str,
    "masked": _truth,
    "error_profile": str,
    "seed": int,
    "max_states": int,
}


def _converted(kind: Any, text: str, where: str) -> Any:
    try:
        return kind(text)
    except (ValueError, KeyError):
        raise ValueError(f"{where}: {text!r} is not a legal value") from None


def import_named(name: str) -> Any:
    """What my.module:attribute names."""
    from importlib import import_module

    module, colon, attribute = name.partition(":")
    if not module or not colon or not attribute:
        raise ValueError(f"{name}: expected module:name")
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError as error:
        if error.name and module.startswith(error.name):
            raise ValueError(f"{name}: no module named {error.name}") from None
        raise
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise ValueError(f"{name}: {module} has no {attribute}")
        found = getattr(found, part)
    return found


def _called(factory: Any, name: str, task: Any) -> Any:
    if not callable(factory):
        raise ValueError(f"policy {name}: a factory is called with the task and returns a policy; this is not callable")
    policy = factory(task)
    if policy is None or isinstance(policy, str):
        raise ValueError(f"policy {name}: the factory returned {policy!r} instead of a policy")
    return policy


def _registered(name: str, task: Any) -> Any:
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name == name:
            return _called(entry.load(), name, task)
    known = [*BUILT_IN, "synthetic:ACCURACY", *_shipped(), *(entry.name for entry in entry_points(group=ENTRY_POINTS))]
    raise ValueError(f"policy {name!r} is unknown; choose from {', '.join(known)}, a policy file, or module:factory")


def _shipped() -> dict[str, str]:
    """Name -> file of the policies that come with fsplan."""
    from fsplan import domains

    folder = os.path.join(os.path.dirname(domains.__file__), "weights")
    if not os.path.isdir(folder):
        return {}
    files = sorted(file for file in os.listdir(folder) if file.endswith(".safetensors"))
    return {file.removesuffix(".safetensors"): os.path.join(folder, file) for file in files}
