"""States and actions of a native task as Python sees them.

A state is the tuple of its variables' values and an action its number in the action index, as searches and policies
have them; beyond that a state prints as its atoms, and an action knows its schema, arguments and cost.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from fsplan.planner import _core
from fsplan.planner.costs import from_units, heuristic_in_units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from fsplan.planner._core import StateSpace

    Atom = tuple[str, ...]


class State(tuple[int, ...]):
    """A state of a task: hashable, comparable, printed as its atoms.

    >>> import fsplan
    >>> task = fsplan.load(fsplan.example("blocks-8-0"))
    >>> action, cost, state = task.successors(task.start)[0]
    >>> action.name, state == task.start, len({state, task.start})
    ('pick-up c', False, 2)
    >>> ("holding", "c") in state.atoms
    True
    """

    walker: Walker

    @property
    def atoms(self) -> frozenset[Atom]:
        return self.walker.atoms(self)

    def __str__(self) -> str:
        return _core.state_name(self.walker.state_space, self)

    def __repr__(self) -> str:
        return f"State({self})"


class Action(int):
    """A ground action: its number in the action index, with `name`, `schema`, `arguments` and `cost`.

    >>> import fsplan
    >>> action = fsplan.load(fsplan.example("blocks-8-0")).action("stack a b")
    >>> action.schema, action.arguments, action.cost
    ('stack', ('a', 'b'), 1)
    """

    name: str
    cost: Any  # an int, or an exact decimal

    @property
    def schema(self) -> str:
        return self.name.partition(" ")[0]

    @property
    def arguments(self) -> Atom:
        return tuple(self.name.split(" ")[1:])

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Action({self.name})"


class TaskHeuristic:
    """A native heuristic as a function: the estimated cost to go of a state, infinity at a dead end that it detects."""

    def __init__(self, walker: Walker, name: str, admissible: bool) -> None:
        self.name, self.admissible = name, admissible
        self._walker = walker

    def __call__(self, state: Sequence[int]) -> Any:
        h, _, _ = self._walker.state_space.evaluate(self.name, state)
        return inf if h is None else from_units(h, self._walker.cost_denominator)

    def helpful_actions(self, state: Sequence[int]) -> list[Action]:
        """The applicable actions of the relaxed plan that the heuristic's exploration implies; ground tasks only."""
        return [self._walker.action(number) for number in self._walker.state_space.evaluate(self.name, state)[2]]


class Walker:
    """The states of a native task one by one; its memory is its own, so that functions a search calls may use it."""

    def __init__(self, state_space: StateSpace, cost_denominator: int = 1) -> None:
        self.state_space, self.cost_denominator = state_space.at(state_space.start_values()), cost_denominator
        self._actions: dict[int, Action] = {}
        self._atoms: list[Atom] | None = None
        self._first_fact: list[int] = []
        is_ground = isinstance(state_space, _core.GroundStateSpace)
        self._costs: list[int] | None = state_space.task.cost if is_ground else None  # type: ignore[attr-defined]

    def state(self, values: Iterable[int]) -> State:
        state = State(values)
        state.walker = self
        return state

    def action(self, number: int) -> Action:
        action = self._actions.get(number)
        if action is None:
            action = self._actions[number] = Action(number)
            action.name = self.state_space.action_name(number)
            action.cost = 1 if self._costs is None else from_units(self._costs[number], self.cost_denominator)
        return action

    def successors(self, state: Sequence[int]) -> list[tuple[Action, Any, State]]:
        edges = [(self.action(action), self.state(values)) for action, _, values in self.state_space.successors(state)]
        return [(action, action.cost, state) for action, state in edges]

    def atoms(self, state: Sequence[int]) -> frozenset[Atom]:
        if self._atoms is None:
            self._atoms = self._read_atoms()
        facts = [self._atoms[first + value] for first, value in zip(self._first_fact, state, strict=False)]
        return frozenset(filter(None, facts))

    def _read_atoms(self) -> list[Atom]:
        if not isinstance(self.state_space, _core.GroundStateSpace):
            raise ValueError("the states of puzzles are not sets of atoms: use their values, state[0], state[1], …")
        self._first_fact = self.state_space.task.first_fact
        return [tuple(words) for words in self.state_space.task.fact_atoms()]

    def heuristic(self, name: str | None) -> TaskHeuristic:
        from fsplan.planner.spaces import attach_files, heuristic_name

        name = heuristic_name(self.state_space, name, strongest=True)
        attach_files(self.state_space, name)
        infos = (info for infos in _core.heuristic_table().values() for info in infos)
        return TaskHeuristic(self, name, any(info.name == name and info.admissible for info in infos))


class SeesStates:
    """A policy written in Python that gets states and actions as objects instead of bare numbers."""

    def __init__(self, policy: Any, walker: Walker) -> None:
        self.policy, self._walker = policy, walker

    def scores(self, states: Sequence[Sequence[int]], actions: Sequence[Sequence[int]]) -> Any:
        walker = self._walker
        rows = [[walker.action(number) for number in row] for row in actions]
        return self.policy.scores([walker.state(values) for values in states], rows)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.policy, name)


def on_values(function: Callable[[State], Any], walker: Walker) -> Callable[[tuple[int, ...]], Any]:
    """A heuristic written in Python as a function of a state's values, in units of cost, for the native searches."""

    def evaluate(values: tuple[int, ...]) -> Any:
        return function(walker.state(values))

    evaluate.admissible = getattr(function, "admissible", True)  # type: ignore[attr-defined]
    return evaluate if walker.cost_denominator == 1 else heuristic_in_units(evaluate, walker.cost_denominator)
