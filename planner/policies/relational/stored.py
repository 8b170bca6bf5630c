"""Files of domain policies, which hold the weights of features and a description that is checked before they are used.

The format is safetensors (see `container`). The metadata contains one JSON text with the name and the fingerprint of
the domain, the version of the features, the measured accuracy and the training options. Nothing in a file is executed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from fsplan.planner._core import (
    FEATURE_VERSION,
    LiftedRelationalPolicy,
    LinearRelationalPolicy,
    RelaxedPlanPolicy,
    all_finite,
    are_features,
    reads_relaxed_plans,
)
from fsplan.planner.policies.container import (
    PolicyFileError,
    Tensor,
    aligned,
    read_container,
    read_document,
    section_lines,
    write_container,
)
from fsplan.planner.policies.relational.describe import lifted_relations_of, relations_of
from fsplan.planner.tasks.task import Task

FORMAT = "fsplan-domain-policy"
VERSION, VERSION_WITH_PLAIN = 1, 2
ENDING = ".policy"
# "linear" means weights of features; "ff" means that relaxed plans were better than all learned candidates.
KINDS = ("linear", "ff")
_SECTIONS = ("domain", "accuracy", "training")
_TENSORS = {"features": "I64", "weights": "F32", "first_weights": "F32"}
_PLAIN_TENSORS = {"plain_features": "I64", "plain_weights": "F32"}


class PolicyOnTask(LinearRelationalPolicy):
    """A domain policy that is bound to one task."""

    name = "domain policy"
    accuracy: float | None = None


class LiftedPolicyOnTask(LiftedRelationalPolicy):
    """A domain policy that is bound to a task which is not grounded."""

    name = "domain policy"
    accuracy: float | None = None


class Plain(NamedTuple):
    """Weights of features that need no relaxed plans; used for tasks that are too large to ground."""

    features: bytes
    weights: bytes


class DomainPolicy:
    """A policy for all tasks of a domain.

    domain              {"name", "fingerprint"}
    features            bytes of the features: 64-bit hashes in ascending order
    weights             bytes of one 32-bit float per feature
    first_weights       weights that select a shortlist of actions; may be empty
    plain               weights for tasks that are too large to ground, if the others read relaxed plans; may be None
    accuracy, training  measured accuracy and training options
    """

    __slots__ = ("accuracy", "domain", "features", "first_weights", "kind", "plain", "training", "weights")

    def __init__(
        self,
        domain: Mapping[str, Any],
        features: bytes,
        weights: bytes,
        first_weights: bytes = b"",
        *,
        kind: str = "linear",
        plain: Plain | None = None,
        accuracy: Mapping[str, Any] | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        self.domain, self.kind, self.plain = dict(domain), kind, plain
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
        if not task.is_grounded:
            return self._on_lifted(task)
        if self.kind == "ff":
            return RelaxedPlanPolicy()
        policy = PolicyOnTask(*relations_of(task), self.features, self.weights, self.first_weights)
        policy.accuracy = self.measured_accuracy
        policy.name = f"{self.domain['name']}{ENDING}"
        return policy

    @property
    def needs_grounding(self) -> bool:
        """Whether the policy reads relaxed plans and has no weights for tasks that are not grounded."""
        return self.plain is None and (self.kind == "ff" or self._reads_relaxed_plans())

    def _reads_relaxed_plans(self) -> bool:
        columns = [self.weights, self.first_weights] if self.first_weights else [self.weights]
        return any(reads_relaxed_plans(self.features, column) for column in columns)

    def _on_lifted(self, task: Task) -> LiftedPolicyOnTask:
        if self.needs_grounding:
            raise PolicyFileError("reads relaxed plans, which need the ground task: train it again, or ground the task")
        space, description = lifted_relations_of(task)
        own = (self.features, self.weights, self.first_weights) if self.plain is None else (*self.plain, b"")
        policy = LiftedPolicyOnTask(space, description, *own)
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
    version = VERSION if policy.plain is None else VERSION_WITH_PLAIN
    document = {"version": version, "features": FEATURE_VERSION, "kind": policy.kind}
    document |= {section: getattr(policy, section) for section in _SECTIONS}
    tensors = {
        "features": Tensor("I64", (len(policy),), policy.features),
        "weights": Tensor("F32", (len(policy),), policy.weights),
        "first_weights": Tensor("F32", (len(policy.first_weights) // 4,), policy.first_weights),
    }
    if policy.plain is not None:
        count = len(policy.plain.weights) // 4
        tensors["plain_features"] = Tensor("I64", (count,), policy.plain.features)
        tensors["plain_weights"] = Tensor("F32", (count,), policy.plain.weights)
    write_container(path, tensors, {FORMAT: json.dumps(document, allow_nan=False)})


def describe(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The content of a policy file without the weights."""
    policy = read(path)
    plain = 0 if policy.plain is None else len(policy.plain.weights) // 4
    return {"kind": policy.kind, "weights": len(policy), "plain_weights": plain} | {
        section: getattr(policy, section) for section in _SECTIONS
    }


def show(path: str | os.PathLike[str]) -> str:
    """A description of a policy file as text."""
    policy = read(path)
    lines = [
        ("domain", f"{policy.domain['name']} ({policy.domain['fingerprint'][:12]})"),
        ("kind", f"{policy.kind}, {len(policy):,} weights" if policy.kind == "linear" else "relaxed plans (ff)"),
    ]
    if policy.plain is not None:
        lines.append(("tasks too large to ground", f"{len(policy.plain.weights) // 4:,} weights"))
    for title in ("accuracy", "training"):
        lines += section_lines(title, getattr(policy, title))
    return aligned(lines)


def _from_document(document: Any, tensors: dict[str, Tensor]) -> DomainPolicy:
    if not isinstance(document, dict):
        raise PolicyFileError(f"not a domain policy: its metadata has no {FORMAT}")
    version = document.get("version")
    if version not in (VERSION, VERSION_WITH_PLAIN):
        raise PolicyFileError(f"unknown format version {version!r}, expected {VERSION} or {VERSION_WITH_PLAIN}")
    if document.get("features") != FEATURE_VERSION:
        raise PolicyFileError(
            f"made with version {document.get('features')!r} of the features, this is {FEATURE_VERSION}: train it again"
        )
    for section in _SECTIONS:
        if not isinstance(document.get(section), dict):
            raise PolicyFileError(f"the metadata lacks {section}")
    expected = _TENSORS if version == VERSION else _TENSORS | _PLAIN_TENSORS
    if {name: tensor.dtype for name, tensor in tensors.items()} != expected:
        raise PolicyFileError(
            f"expected the tensors {', '.join(f'{name} ({kind})' for name, kind in expected.items())}"
        )
    if any(len(tensor.shape) != 1 for tensor in tensors.values()):
        raise PolicyFileError("features and weights must be lists")
    sections = {section: document[section] for section in ("accuracy", "training")}
    return DomainPolicy(
        document["domain"],
        *(tensors[name].data for name in _TENSORS),
        kind=str(document.get("kind")),
        plain=None if version == VERSION else Plain(*(tensors[name].data for name in _PLAIN_TENSORS)),
        **sections,
    )


def _check(policy: DomainPolicy) -> None:
    if policy.kind not in KINDS:
        raise PolicyFileError(f"unknown kind of domain policy {policy.kind!r}, expected one of {', '.join(KINDS)}")
    if not all(isinstance(policy.domain.get(key), str) for key in ("name", "fingerprint")):
        raise PolicyFileError("the domain needs a name and a fingerprint")
    if len(policy.first_weights) not in (0, len(policy.weights)):
        raise PolicyFileError(f"{len(policy.first_weights) // 4} first weights, but {len(policy)} weights")
    _check_weights(policy.features, policy.weights, policy.first_weights)
    if policy.plain is not None:
        _check_weights(*policy.plain)
        if reads_relaxed_plans(*policy.plain):
            raise PolicyFileError("the weights for tasks that are not grounded read relaxed plans")


def _check_weights(features: bytes, weights: bytes, first_weights: bytes = b"") -> None:
    if len(features) != 2 * len(weights):
        raise PolicyFileError(f"{len(features) // 8} features, but {len(weights) // 4} weights")
    if not (all_finite(weights) and all_finite(first_weights)):
        raise PolicyFileError("a weight is not finite")
    if not are_features(features):
        raise PolicyFileError("the features are not ascending")
