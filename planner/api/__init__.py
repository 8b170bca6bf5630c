"""fsplan: plans with a proven quality bound, guided by policies.

>>> import fsplan
>>> task = fsplan.load(fsplan.example("blocks-8-0"))
>>> result = fsplan.solve(task, order="disc1", w=1.5)
>>> result.solved, result.proven_ratio <= 1.5
(True, True)

Modules are imported lazily, when one of their names is first used, so `import fsplan` is fast.
"""

TYPE_CHECKING = False  # importing `typing` would take most of the time of `import fsplan`
if TYPE_CHECKING:
    from fsplan.pddl import from_tarski as from_tarski
    from fsplan.pddl import read_task as read_task
    from fsplan.planner.actions import ActionIndex as ActionIndex
    from fsplan.planner.bounds.root import bound as bound
    from fsplan.planner.experiments.compare import compare as compare
    from fsplan.planner.explore import SearchGraph as SearchGraph
    from fsplan.planner.explore import explore as explore
    from fsplan.planner.judge import judge as judge
    from fsplan.planner.load import example as example
    from fsplan.planner.load import load as load
    from fsplan.planner.named import *  # noqa: F403
    from fsplan.planner.policies.encoders import Encoder as Encoder
    from fsplan.planner.policies.network import TorchPolicy as TorchPolicy
    from fsplan.planner.policies.pipeline import train as train
    from fsplan.planner.policies.relational.network import RelationalPolicy as RelationalPolicy
    from fsplan.planner.policies.relational.view import RelationalView as RelationalView
    from fsplan.planner.policies.synthetic import synthetic as synthetic
    from fsplan.planner.repeat import repeat as repeat
    from fsplan.planner.result import Result as Result
    from fsplan.planner.search import solve as solve
    from fsplan.planner.sources.pddl import from_pddl as from_pddl
    from fsplan.planner.states import Action as Action
    from fsplan.planner.states import State as State
    from fsplan.planner.task import SearchTask as SearchTask
    from fsplan.planner.task import Task as Task
    from fsplan.planner.validate import validate as validate
    from fsplan.planner.version import __version__ as __version__

# Public names by module. The functions for single searches, such as `astar`, are generated and added below.
_HOMES: dict[str, tuple[str, ...]] = {
    "pddl": ("from_tarski", "read_task"),
    "planner.actions": ("ActionIndex",),
    "planner.bounds.root": ("bound",),
    "planner.experiments.compare": ("compare",),
    "planner.explore": ("SearchGraph", "explore"),
    "planner.judge": ("judge",),
    "planner.load": ("example", "load"),
    "planner.sources.pddl": ("from_pddl",),
    "planner.policies.encoders": ("Encoder",),
    "planner.policies.network": ("TorchPolicy",),
    "planner.policies.pipeline": ("train",),
    "planner.policies.relational.network": ("RelationalPolicy",),
    "planner.policies.relational.view": ("RelationalView",),
    "planner.policies.synthetic": ("synthetic",),
    "planner.result": ("Result",),
    "planner.repeat": ("repeat",),
    "planner.search": ("solve",),
    "planner.states": ("Action", "State"),
    "planner.task": ("SearchTask", "Task"),
    "planner.validate": ("validate",),
    "planner.version": ("__version__",),
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "__all__":
        return sorted({name for names in _homes().values() for name in names if name != "__version__"})
    for home, names in (_HOMES if any(name in names for names in _HOMES.values()) else _homes()).items():
        if name in names:
            try:
                value: object = getattr(import_module(f"fsplan.{home}"), name)
            except ImportError as error:
                from fsplan.planner.extras import stand_in

                return stand_in(name, error)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'fsplan' has no attribute {name!r}")


def _homes() -> dict[str, tuple[str, ...]]:
    from fsplan.planner import named

    return {**_HOMES, "planner.named": tuple(named.__all__)}


def __dir__() -> list[str]:
    return sorted(name for names in _homes().values() for name in names)
