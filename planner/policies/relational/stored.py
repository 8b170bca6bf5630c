"""Files of domain policies, which hold the weights of features and a description that is checked before they are used.

The format is safetensors (see `container`). The metadata contains one JSON text with the name and the fingerprint of
the domain, the version of the features, the measured accuracy and the training options. Nothing in a file is executed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from fsplan.planner._core import FEATURE_VERSION, LinearRelationalPolicy, RelaxedPlanPolicy, all_finite, are_features
from fsplan.planner.policies.container import (
    PolicyFileError,
    Tensor,
    aligned,
    read_container,
    read_document,
    section_lines,
    write_container,
)
from fsplan.planner.policies.relational.describe import relations_of
from fsplan.planner.tasks.task import Task

FORMAT = "fsplan-domain-policy"
VERSION = 1
ENDING = ".policy"
# "linear" means weights of features; "ff" means that relaxed plans were better than all learned candidates.
KINDS = ("linear", "ff")
_SECTIONS = ("domain", "accuracy", "training")
_TENSORS = {"features": "I64", "weights": "F32", "first_weights": "F32"}


class PolicyOnTask(LinearRelationalPolicy):
    """A domain policy that is bound to one task."""

    name = "domain policy"
    accuracy: float | None = None


class DomainPolicy:
    """A policy for all tasks of a domain.

    domain              {"name", "fingerprint"}
    features            bytes of the features: 64-bit hashes in ascending order
    weights             bytes of one 32-bit float per feature
    first_weights       weights that select a shortlist of actions; may be empty
    accuracy, training  measured accuracy and training options
    """

    __slots__ = ("accuracy", "domain", "features", "first_weights", "kind", "training", "weights")

    def __init__(
        self,
        domain: Mapping[str, Any],
        features: bytes,
        weights: bytes,
        first_weights: bytes = b"",
        *,
        kind: str = "linear",
        accuracy: Mapping[str, Any] | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        self.domain, self.kind = dict(domain), kind
        self.features, self.weights, self.first_weights = features, weights, first_weights
        self.accuracy, self.training = dict(accuracy or {}), dict(training or {})
        _check(self)

    def __len__(self) -> int:
        return len(self.weights) // 4

    def __repr__(self) -> str:
        return f"<DomainPolicy for {self.domain.get('name')}: {len(self.weights) // 4:,} weights>"

    @property
    def measured_accuracy(self) -> float | None:
        value = self.accuracy.get("test")
        return float(value) if isinstance(value, (int, float)) and 0 < value <= 1 else None

    def check_fits(self, task: Task) -> None:
        """Raises PolicyFileError if the task belongs to a different domain."""
        if task.problem is None:
            raise PolicyFileError(f"made for the domain {self.domain['name']}; {task.name} is not a PDDL task")
        name = task.problem.domain.name
        if domain_of(task)["fingerprint"] == self.domain["fingerprint"]:
            return
        if name == self.domain["name"]:
            raise PolicyFileError(f"made for another version of the domain {name}: its predicates or actions differ")
        raise PolicyFileError(f"made for the domain {self.domain['name']}; the task belongs to the domain {name}")

    def on(self, task: Task) -> Any:
        """The policy, bound to a task; raises PolicyFileError if the task belongs to a different domain."""
        self.check_fits(task)
        if self.kind == "ff":
            return RelaxedPlanPolicy()
        policy = PolicyOnTask(*relations_of(task), self.features, self.weights, self.first_weights)
        policy.accuracy = self.measured_accuracy
        policy.name = f"{self.domain['name']}{ENDING}"
        return policy


def domain_of(task: Task) -> dict[str, str]:
    """Name and fingerprint of the domain of a PDDL task; they do not depend on the problem."""
    assert task.problem is not None
    return {"name": task.problem.domain.name, "fingerprint": task.actions.fingerprints["domain"]}


def is_domain_policy(path: str | os.PathLike[str]) -> bool:
    """Whether the metadata of a file mark it as a domain policy; False if the file cannot be read."""
    try:
        return FORMAT in read_container(path)[1]
    except PolicyFileError:
        return False


def read(path: str | os.PathLike[str]) -> DomainPolicy:
    """Reads the policy in a file; raises PolicyFileError if the file is invalid."""
    return read_document(path, FORMAT, _from_document)


def write(path: str | os.PathLike[str], policy: DomainPolicy) -> None:
    document = {"version": VERSION, "features": FEATURE_VERSION, "kind": policy.kind}
    document |= {section: getattr(policy, section) for section in _SECTIONS}
    tensors = {
        "features": Tensor("I64", (len(policy),), policy.features),
        "weights": Tensor("F32", (len(policy),), policy.weights),
        "first_weights": Tensor("F32", (len(policy.first_weights) // 4,), policy.first_weights),
    }
    write_container(path, tensors, {FORMAT: json.dumps(document, allow_nan=False)})


def describe(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The content of a policy file without the weights."""
    policy = read(path)
    return {"kind": policy.kind, "weights": len(policy)} | {section: getattr(policy, section) for section in _SECTIONS}


def show(path: str | os.PathLike[str]) -> str:
    """A description of a policy file as text."""
    policy = read(path)
    lines = [
        ("domain", f"{policy.domain['name']} ({policy.domain['fingerprint'][:12]})"),
        ("kind", f"{policy.kind}, {len(policy):,} weights" if policy.kind == "linear" else "relaxed plans (ff)"),
    ]
    for title in ("accuracy", "training"):
        lines += section_lines(title, getattr(policy, title))
    return aligned(lines)


def _from_document(document: Any, tensors: dict[str, Tensor]) -> DomainPolicy:
    if not isinstance(document, dict):
        raise PolicyFileError(f"not a domain policy: its metadata has no {FORMAT}")
    if document.get("version") != VERSION:
        raise PolicyFileError(f"unknown format version {document.get('version')!r}, expected {VERSION}")
    if document.get("features") != FEATURE_VERSION:
        raise PolicyFileError(
            f"made with version {document.get('features')!r} of the features, this is {FEATURE_VERSION}: train it again"
        )
    for section in _SECTIONS:
        if not isinstance(document.get(section), dict):
            raise PolicyFileError(f"the metadata lacks {section}")
    if {name: tensor.dtype for name, tensor in tensors.items()} != _TENSORS:
        raise PolicyFileError(
            f"expected the tensors {', '.join(f'{name} ({kind})' for name, kind in _TENSORS.items())}"
        )
    if any(len(tensor.shape) != 1 for tensor in tensors.values()):
        raise PolicyFileError("features and weights must be lists")
    sections = {section: document[section] for section in ("accuracy", "training")}
    return DomainPolicy(
        document["domain"],
        *(tensors[name].data for name in _TENSORS),
        kind=str(document.get("kind")),
        **sections,
    )


def _check(policy: DomainPolicy) -> None:
    if policy.kind not in KINDS:
        raise PolicyFileError(f"unknown kind of domain policy {policy.kind!r}, expected one of {', '.join(KINDS)}")
    if not all(isinstance(policy.domain.get(key), str) for key in ("name", "fingerprint")):
        raise PolicyFileError("the domain needs a name and a fingerprint")
    if len(policy.features) != 8 * len(policy):
        raise PolicyFileError(f"{len(policy.features) // 8} features, but {len(policy)} weights")
    if len(policy.first_weights) not in (0, len(policy.weights)):
        raise PolicyFileError(f"{len(policy.first_weights) // 4} first weights, but {len(policy)} weights")
    if not (all_finite(policy.weights) and all_finite(policy.first_weights)):
        raise PolicyFileError("a weight is not finite")
    if not are_features(policy.features):
        raise PolicyFileError("the features are not ascending")
