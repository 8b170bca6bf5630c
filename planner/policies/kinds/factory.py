"""`--policy my.module:factory`: the policy that factory(task) returns."""

from __future__ import annotations

from typing import Any

from fsplan.planner._core import Policy
from fsplan.planner.base.imports import import_named, names_object
from fsplan.planner.policies.kind import PolicyKind


def call(factory: Any, name: str, task: Any) -> Any:
    """The policy that a factory returns for a task; raises ValueError with the reason if it fails."""
    if not callable(factory):
        raise ValueError(f"policy {name}: a factory is called with the task and returns a policy; this is not callable")
    policy = call_with_task(factory, name, task)
    methods = (callable(getattr(policy, name, None)) for name in ("scores", "on"))
    if not isinstance(policy, Policy) and not any(methods):
        raise ValueError(
            f"policy {name}: the factory returned {policy!r} instead of a policy: an object with a method "
            f"scores(states, actions)"
        )
    return policy


def call_with_task(factory: Any, name: str, task: Any) -> Any:
    """Returns factory(task); raises ValueError with the reason if it fails."""
    try:
        return factory(task)
    except (TypeError, AttributeError, LookupError, ArithmeticError) as error:
        raise ValueError(
            f"policy {name}: factory(task) raised {type(error).__name__}: {error} (FSPLAN_TRACEBACK=1 shows where)"
        ) from error


def _make(text: str, task: Any, seed: int, masked: bool) -> Any:
    return call(import_named(text), text, task)


KIND = PolicyKind(
    "factory",
    "the policy that factory(task) returns; from an installed module or this folder",
    example="my.module:factory",
    accepts=names_object,
    make=_make,
    reads=("masked",),
    forms=lambda: ("MODULE:FACTORY",),
)
