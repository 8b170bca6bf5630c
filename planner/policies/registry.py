"""From what a user names to a policy that the searches take. Each kind of policy is a file in `kinds` and a line here.

>>> kind_of("synthetic:0.9").name
'synthetic'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .kinds import shipped

if TYPE_CHECKING:
    from .kind import PolicyKind

# The first that accepts a text makes the policy, so a kind with a prefix of its own stands before `factory`.
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
    """The kind of the policy that a text names; ValueError says what can be written."""
    for kind in KINDS:
        if kind.accepts(text):
            return kind
    for kind in KINDS:
        if kind.name == text:
            raise ValueError(f"policy {text!r} is incomplete; write for example {kind.example}")
    from fsplan.pddl.errors import nearest

    forms = [form for kind in KINDS for form in kind.forms()]
    near = nearest(text.lower(), forms) or f"; choose from {', '.join(forms)}"
    raise ValueError(f"policy {text!r} is unknown{near}")


def resolve(policy: Any, task: Any, *, seed: int = 0, masked: bool = True) -> Any:
    """The policy that is named or given; one that is written in Python will see states and actions as objects."""
    made = kind_of(policy).make(policy, task, seed, masked) if isinstance(policy, str) else policy
    if callable(getattr(made, "on", None)):  # a policy for a domain
        made = made.on(task)
    return _seeing_states(made, task) if callable(getattr(made, "scores", None)) else made


def _seeing_states(policy: Any, task: Any) -> Any:
    from fsplan.planner._core import Policy
    from fsplan.planner.states import SeesStates
    from fsplan.planner.task import Task

    native = isinstance(policy, (Policy, SeesStates)) or not isinstance(task, Task)
    return policy if native else SeesStates(policy, task.walker)


def file_of(policy: str) -> str | None:
    """The file that a policy is read from; None for policies that are code, and for unknown ones."""
    return next((kind.file(policy) or None for kind in KINDS if kind.accepts(policy)), None)


def default_policy(task: Any) -> str:
    """The policy shipped for a puzzle, such as tiles15; ff for everything else."""
    puzzle, colon, _ = getattr(task, "name", "").partition(":")
    is_puzzle = colon and getattr(task, "problem", None) is None
    return puzzle if is_puzzle and shipped.KIND.accepts(puzzle) else "ff"


def split(text: str) -> list[str]:
    """The policies in a list joined by commas; what follows a comma as NAME=VALUE belongs to the policy before it.

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
