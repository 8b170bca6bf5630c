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
    from fsplan.pddl import read_task as read_task
    from fsplan.planner.base.version import __version__ as __version__
    from fsplan.planner.bounds.root import bound as bound
    from fsplan.planner.experiments.compare import compare as compare
    from fsplan.planner.graphs.explore import SearchGraph as SearchGraph
    from fsplan.planner.graphs.explore import explore as explore
    from fsplan.planner.learning.pipeline import train as train
    from fsplan.planner.plans.validate import validate as validate
    from fsplan.planner.policies.encoders import Encoder as Encoder
    from fsplan.planner.policies.network import TorchPolicy as TorchPolicy
    from fsplan.planner.policies.relational.network import RelationalPolicy as RelationalPolicy
    from fsplan.planner.policies.relational.view import RelationalView as RelationalView
    from fsplan.planner.policies.synthetic import synthetic as synthetic
    from fsplan.planner.search.judge import judge as judge
    from fsplan.planner.search.named import *  # noqa: F403
    from fsplan.planner.search.repeat import repeat as repeat
    from fsplan.planner.search.result import Result as Result
    from fsplan.planner.search.several import plans as plans
    from fsplan.planner.search.solve import solve as solve
    from fsplan.planner.sources.load import example as example
    from fsplan.planner.sources.load import load as load
    from fsplan.planner.sources.pddl import from_pddl as from_pddl
    from fsplan.planner.sources.tarski_bridge import from_tarski as from_tarski
    from fsplan.planner.tasks.actions import ActionIndex as ActionIndex
    from fsplan.planner.tasks.states import Action as Action
    from fsplan.planner.tasks.states import State as State
    from fsplan.planner.tasks.task import SearchTask as SearchTask
    from fsplan.planner.tasks.task import Task as Task

# Public names by module. The functions for single searches, such as `astar`, are generated and added below.
_HOMES: dict[str, tuple[str, ...]] = {
    "pddl": ("read_task",),
    "planner.sources.tarski_bridge": ("from_tarski",),
    "planner.tasks.actions": ("ActionIndex",),
    "planner.bounds.root": ("bound",),
    "planner.experiments.compare": ("compare",),
    "planner.graphs.explore": ("SearchGraph", "explore"),
    "planner.search.judge": ("judge",),
    "planner.sources.load": ("example", "load"),
    "planner.sources.pddl": ("from_pddl",),
    "planner.policies.encoders": ("Encoder",),
    "planner.policies.network": ("TorchPolicy",),
    "planner.learning.pipeline": ("train",),
    "planner.policies.relational.network": ("RelationalPolicy",),
    "planner.policies.relational.view": ("RelationalView",),
    "planner.policies.synthetic": ("synthetic",),
    "planner.search.result": ("Result",),
    "planner.search.repeat": ("repeat",),
    "planner.search.several": ("plans",),
    "planner.search.solve": ("solve",),
    "planner.tasks.states": ("Action", "State"),
    "planner.tasks.task": ("SearchTask", "Task"),
    "planner.plans.validate": ("validate",),
    "planner.base.version": ("__version__",),
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
                from fsplan.planner.base.extras import stand_in

                return stand_in(name, error)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'fsplan' has no attribute {name!r}")


def _homes() -> dict[str, tuple[str, ...]]:
    from fsplan.planner.search import named

    return {**_HOMES, "planner.search.named": tuple(named.__all__)}


def __dir__() -> list[str]:
    return sorted(name for names in _homes().values() for name in names)
