"""Planning tasks, the input of the searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from fsplan.planner._core import GroundStateSpace, LiftedStateSpace
from fsplan.planner.tasks.actions import ActionIndex

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Hashable, Iterable, Sequence
    from typing import TypeAlias

    from fsplan.pddl.syntax import Problem
    from fsplan.planner._core import GroundTask, StateSpace
    from fsplan.planner.tasks.states import Action, State, TaskHeuristic, Walker

    # Argument of `load`: a path or name of a task, or a pair of domain and problem.
    TaskName = str | os.PathLike[str] | tuple[str | os.PathLike[str], str | os.PathLike[str]]
    AnyTask: TypeAlias = "Task | SearchTask | StateSpace | TaskName"
else:
    Protocol = object


class SearchTask(Protocol):
    """A task written in Python: any object with these members; there is no need to inherit.

    States and actions must be hashable; plans contain the actions as text. Optional members:

    actions           list of all actions, which fixes their numbers; without it actions are numbered as they are found
    cost_denominator  costs are multiples of 1 / cost_denominator: with 10, costs may be 2.5 and 0.1; without it they
                      are integers
    heuristic         method heuristic(state): a lower bound on the goal distance, None or infinity at dead ends;
                      without it h is 0

    >>> class Count:
    ...     start = 0
    ...     def successors(self, state):
    ...         return [("add one", 1, state + 1), ("double", 1, state * 2)]
    ...     def is_goal(self, state):
    ...         return state == 10
    >>> from fsplan.planner.search.named import astar
    >>> astar(Count()).plan
    ['add one', 'add one', 'double', 'add one', 'double']
    """

    @property
    def start(self) -> Hashable: ...
    def successors(self, state: Any, /) -> Iterable[tuple[Hashable, int, Hashable]]: ...
    def is_goal(self, state: Any, /) -> bool: ...


class Task:
    """A task with a native state space: PDDL, usually grounded, or a puzzle.

    `state_space` runs searches; `actions` numbers the ground actions; `problem` is the syntax tree of the PDDL, if any.
    Costs and bounds of the state space are in units of 1 / `cost_denominator`.
    `details` has sizes and timings for reports: facts, variables, actions, bytes per state. `words` and `reader` are
    the arguments from which it was loaded, for the record of a result; `words` is None for a task that a program made.
    `recipe` is the function that made it and its arguments; a task without one cannot be pickled.

    A task also has the members of a SearchTask, so that its states can be generated one by one.

    >>> import fsplan
    >>> task = fsplan.load(fsplan.example("blocks-8-0"))
    >>> lmcut = task.heuristic("lmcut")
    >>> [(action.name, lmcut(state)) for action, cost, state in task.successors(task.start)]
    [('pick-up c', 12), ('pick-up b', 14), ('unstack d h', 13), ('unstack a g', 13)]
    """

    __slots__ = (
        "__weakref__",
        "_walker",
        "actions",
        "cost_denominator",
        "details",
        "name",
        "problem",
        "reader",
        "recipe",
        "state_space",
        "unit_cost",
        "words",
    )

    def __init__(
        self,
        name: str,
        state_space: StateSpace,
        actions: ActionIndex,
        *,
        unit_cost: bool = True,
        problem: Problem | None = None,
        details: dict[str, Any] | None = None,
    ) -> None:
        self.name, self.state_space, self.actions = name, state_space, actions
        self.unit_cost, self.problem, self.details = unit_cost, problem, details or {}
        self.cost_denominator = problem.cost_denominator() if problem is not None else 1
        self.words: tuple[str, ...] | None = None
        self.reader = "fsplan"
        self.recipe: tuple[Callable[..., Task], tuple[Any, ...]] | None = None
        self._walker: Walker | None = None

    @property
    def is_grounded(self) -> bool:
        """Whether all actions are known; False for PDDL that was loaded without grounding it."""
        return not isinstance(self.state_space, LiftedStateSpace)

    @property
    def walker(self) -> Walker:
        """Generator of single states with its own copy of the state space; made at the first use."""
        if self._walker is None:
            from fsplan.planner.tasks.states import Walker

            self._walker = Walker(self.state_space, self.cost_denominator, self.recipe)
        return self._walker

    @property
    def start(self) -> State:
        return self.state(self.state_space.start_values())

    def state(self, values: Iterable[int]) -> State:
        """Returns the state with these values of the task's variables."""
        return self.walker.state(values)

    def action(self, action: int | str) -> Action:
        """Returns the ground action with a number or a name."""
        return self.walker.action(self.actions.number(action) if isinstance(action, str) else action)

    def successors(self, state: Sequence[int]) -> list[tuple[Action, Any, State]]:
        """Returns (action, cost, successor) of every applicable action, sorted by action number."""
        return self.walker.successors(state)

    def is_goal(self, state: Sequence[int]) -> bool:
        return self.walker.state_space.is_goal(state)

    def atoms(self, state: Sequence[int]) -> frozenset[tuple[str, ...]]:
        """Returns the true atoms, including derived ones, in the form ("on", "a", "b").

        Grounding removes atoms that never change and atoms that are irrelevant for the goal; they are not returned.
        """
        return self.walker.ground.atoms(state)

    @property
    def facts(self) -> list[tuple[str, ...]]:
        """Returns all atoms that `state.atoms` may contain, in a fixed order.

        >>> import fsplan
        >>> task = fsplan.load(fsplan.example("blocks-8-0"))
        >>> row = [fact in task.start.atoms for fact in task.facts]
        >>> len(row), sum(row), task.facts[0]
        (81, 13, ('on', 'h', 'g'))
        """
        return list(self.walker.ground.facts)

    def to_sas(self, path: str | os.PathLike[str]) -> None:
        """Writes the ground task in the format of Fast Downward's translator; its costs are in units."""
        from fsplan.planner.base.files import write
        from fsplan.planner.tasks.write_task import sas_text

        write(path, sas_text(self))

    def to_pddl(self, path: str | os.PathLike[str]) -> None:
        """Writes the ground task as PDDL without parameters: the problem `task.pddl` and its `task-domain.pddl`."""
        from pathlib import Path

        from fsplan.planner.base.files import write
        from fsplan.planner.tasks.write_pddl import pddl_texts

        domain, problem = pddl_texts(self)
        write(Path(path).with_suffix("").with_name(f"{Path(path).stem}-domain.pddl"), domain)
        write(path, problem)

    def to_json(self, path: str | os.PathLike[str]) -> None:
        """Writes the ground task as JSON; docs/json.md describes the fields."""
        from json import dumps

        from fsplan.planner.base.files import write
        from fsplan.planner.tasks.write_task import json_document

        write(path, dumps(json_document(self)) + "\n")

    def execute(self, plan: Sequence[str]) -> list[tuple[Any, bool]]:
        """Executes a plan and returns (cost, whether a goal is reached).

        Ground actions may share a name; then the list has one entry per choice of actions. Raises ValueError if a step
        is not applicable.
        """
        from fsplan.pddl.costs import from_units

        ends = self.state_space.execute(list(plan))
        return [(from_units(cost, self.cost_denominator), self.state_space.is_goal(values)) for cost, values in ends]

    def heuristic(self, name: str | None = None) -> TaskHeuristic:
        """Returns a heuristic of `catalogue.heuristics()` as a function of a state; by default the strongest one."""
        return self.walker.heuristic(name)

    def sizes(self) -> dict[str, Any]:
        """Returns the sizes that `fsplan ground` prints."""
        return {**self.details, "actions": len(self.actions), "bytes_per_state": self.state_space.bytes_per_state()}

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickles a task as its recipe: unpickling grounds the problem, or loads the files, again."""
        if self.recipe is None:
            raise TypeError(f"{self.name} was made by a program and cannot be pickled")
        return self.recipe

    def __repr__(self) -> str:
        return f"Task({self.name!r}, {len(self.actions)} actions)"

    def _repr_html_(self) -> str:
        from html import escape

        from fsplan.planner.base.html_pieces import table

        return f"<div class='fsplan'><p><b>{escape(self.name)}</b></p>{table(self.sizes())}</div>"


def from_ground(task: GroundTask, name: str, problem: Problem | None = None) -> Task:
    """Makes a task from a native ground task; if its PDDL is given, plans are checked against the PDDL."""
    actions = ActionIndex.of_task(task, problem) if problem else ActionIndex(task.action_names())
    details = {"facts": task.fact_count(), "variables": task.variable_count(), "axioms": task.rule_count()}
    return Task(name, GroundStateSpace(task), actions, unit_cost=task.unit_cost, problem=problem, details=details)


def from_lifted(space: LiftedStateSpace, name: str, problem: Problem) -> Task:
    """Makes a task that is not grounded. Its actions are those of the states that have been expanded."""
    task = space.task
    details = {"facts": task.fact_count(), "variables": task.variable_count(), "axioms": 0}
    actions = ActionIndex.of_task(task, problem)
    return Task(name, space, actions, unit_cost=task.unit_cost, problem=problem, details=details)
