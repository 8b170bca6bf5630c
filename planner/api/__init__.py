"""fsplan: plans with a proven quality bound, guided by policies.

>>> import fsplan
>>> task = fsplan.load(fsplan.example("blocks-8-0"))
>>> result = fsplan.solve(task, order="disc1", w=1.5)
>>> result.solved, result.proven_ratio <= 1.5
(True, True)

Names are imported when they are first used: `import fsplan` costs next to nothing.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsplan.pddl import from_tarski, read_task
    from fsplan.planner.actions import ActionIndex
    from fsplan.planner.bounds.root import bound
    from fsplan.planner.explore import SearchGraph, explore
    from fsplan.planner.load import example, load
    from fsplan.planner.policies.encoders import Encoder
    from fsplan.planner.policies.network import TorchPolicy
    from fsplan.planner.policies.synthetic import synthetic
    from fsplan.planner.result import Result
    from fsplan.planner.search import (
        astar,
        focal,
        gbfs,
        idastar,
        optimistic,
        prefastar,
        solve,
        unroll,
        wastar,
    )
    from fsplan.planner.sources.pddl import from_pddl
    from fsplan.planner.task import SearchTask, Task
    from fsplan.planner.validate import validate

_HOMES = {
    "pddl": ("from_tarski", "read_task"),
    "planner.actions": ("ActionIndex",),
    "planner.bounds.root": ("bound",),
    "planner.explore": ("SearchGraph", "explore"),
    "planner.load": ("example", "load"),
    "planner.sources.pddl": ("from_pddl",),
    "planner.policies.encoders": ("Encoder",),
    "planner.policies.network": ("TorchPolicy",),
    "planner.policies.synthetic": ("synthetic",),
    "planner.result": ("Result",),
    "planner.search": (
        "astar",
        "focal",
        "gbfs",
        "idastar",
        "optimistic",
        "prefastar",
        "solve",
        "unroll",
        "wastar",
    ),
    "planner.task": ("SearchTask", "Task"),
    "planner.validate": ("validate",),
}

__all__ = [
    "ActionIndex",
    "Encoder",
    "Result",
    "SearchGraph",
    "SearchTask",
    "Task",
    "TorchPolicy",
    "astar",
    "bound",
    "example",
    "explore",
    "focal",
    "from_pddl",
    "from_tarski",
    "gbfs",
    "idastar",
    "load",
    "optimistic",
    "prefastar",
    "read_task",
    "solve",
    "synthetic",
    "unroll",
    "validate",
    "wastar",
]


def __getattr__(name: str) -> object:
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(f"fsplan.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'fsplan' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
