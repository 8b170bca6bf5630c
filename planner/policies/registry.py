"""Creates the policy for a name such as `synthetic:0.9`. Each kind of policy is a module in `kinds`, listed here.

>>> kind_of("synthetic:0.9").name
'synthetic'
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from fsplan.pddl.errors import nearest
from fsplan.planner._core import Policy
from fsplan.planner.policies.kind import PolicyKind
from fsplan.planner.policies.kinds import shipped
from fsplan.planner.tasks.states import SeesStates
from fsplan.planner.tasks.task import Task

# The first kind that accepts a text creates the policy. Kinds with a prefix, as in h:NAME, must precede `factory`.
_FILES = (
    "ff",
    "uniform",
    "synthetic",
    "heuristic",
    "domain",
    "file",
    "shipped",
    "factory",
    "entry_point",
)
KINDS: tuple[PolicyKind, ...] = tuple(import_module(f"{__package__}.kinds.{file}").KIND for file in _FILES)


def kind_of(text: str) -> PolicyKind:
    """The kind of the policy that the text names; raises ValueError with suggestions if there is none."""
    for kind in KINDS:
        if kind.accepts(text):
            return kind
    for kind in KINDS:
        if kind.name == text:
            raise ValueError(f"policy {text!r} is incomplete; write for example {kind.example}")

    forms = [form for kind in KINDS for form in kind.forms()]
    beginnings = [form.partition(":")[0] for form in forms]
    near = nearest(text.lower(), forms) or nearest(text.lower().partition(":")[0], beginnings)
    near = near or f"; choose from {', '.join(forms)}"
    raise ValueError(f"policy {text!r} is unknown{near}")


def resolve(policy: Any, task: Any, *, seed: int = 0, masked: bool = True) -> Any:
    """The policy with the given name, or the given policy object, prepared for the task.

    A policy for a domain is instantiated for the task, and a Python policy is wrapped, so that it is called with state
    and action objects instead of numbers.
    """
    made = kind_of(policy).make(policy, task, seed, masked) if isinstance(policy, str) else policy
    if callable(getattr(made, "on", None)):  # a policy for a domain
        made = made.on(task)
    return _seeing_states(made, task) if callable(getattr(made, "scores", None)) else made


def _seeing_states(policy: Any, task: Any) -> Any:
    native = isinstance(policy, (Policy, SeesStates)) or not isinstance(task, Task)
    return policy if native else SeesStates(policy, task.walker)


def file_of(policy: str) -> str | None:
    """The file that a policy is read from; None for policies without a file and for unknown names."""
    return next((kind.file(policy) or None for kind in KINDS if kind.accepts(policy)), None)


def default_policy(task: Any) -> str:
    """The name of the shipped policy for a puzzle, such as tiles15; ff for all other tasks."""
    puzzle, colon, _ = getattr(task, "name", "").partition(":")
    is_puzzle = colon and getattr(task, "problem", None) is None
    return puzzle if is_puzzle and shipped.KIND.accepts(puzzle) else "ff"


def split(text: str) -> list[str]:
    """Splits a comma-separated list of policies; a part NAME=VALUE is an option of the policy before it.

    >>> split("ff,synthetic:0.7,support=applicable,own.safetensors,net=my:Net")
    ['ff', 'synthetic:0.7,support=applicable', 'own.safetensors,net=my:Net']
    """
    policies: list[str] = []
    for word in text.split(","):
        if "=" in word and policies:
            policies[-1] += f",{word}"
        else:
            policies.append(word.strip())
    return policies
