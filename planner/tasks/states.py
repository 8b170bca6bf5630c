"""States and actions of a native task as Python objects.

A state is a tuple of its variables' values, and an action is an integer, its number in the action index. In addition a
state prints as its atoms, and an action has a schema, arguments and a cost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from fsplan.pddl.costs import from_units, heuristic_in_units
from fsplan.planner import _core
from fsplan.planner._core import GroundTask, StateSpace

Atom = tuple[str, ...]
Literal = tuple[str, ...]  # an atom, or a negated one as ("not", "on", "a", "b")


class State(tuple[int, ...]):
    """A state of a task: hashable, comparable, printed as its atoms.

    >>> import fsplan
    >>> task = fsplan.load(fsplan.example("blocks-8-0"))
    >>> action, cost, state = task.successors(task.start)[0]
    >>> action.name, state == task.start, len({state, task.start})
    ('pick-up c', False, 2)
    >>> ("holding", "c") in state.atoms
    True

    A pickled state contains the recipe of its task, once for all states of one pickle. After unpickling, the task is
    loaded again when the atoms or the text of a state are first used.
    """

    origin: Walker | bytes  # a pickled recipe (bytes) after unpickling, until the walker is needed

    @property
    def walker(self) -> Walker:
        if isinstance(self.origin, bytes):
            self.origin = walker_of(self.origin)
        return self.origin

    @property
    def atoms(self) -> frozenset[Atom]:
        return self.walker.ground.atoms(self)

    def __str__(self) -> str:
        return _core.state_name(self.walker.state_space, self)

    def __repr__(self) -> str:
        return f"State({self})"

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: object) -> State:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        stored = self.origin if isinstance(self.origin, bytes) else self.origin.stored()
        return _state_of, (stored, tuple(self))


def _state_of(origin: Walker | bytes, values: Iterable[int]) -> State:
    state = State(values)
    state.origin = origin
    return state


class Effect(NamedTuple):
    """A conditional effect: if the conditions hold, the atoms of `adds` become true and those of `deletes` false."""

    conditions: frozenset[Literal]
    adds: frozenset[Atom]
    deletes: frozenset[Atom]


class Action(int):
    """A ground action: its number in the action index, with `name`, `schema`, `arguments` and `cost`.

    >>> import fsplan
    >>> action = fsplan.load(fsplan.example("blocks-8-0")).action("stack a b")
    >>> action.schema, action.arguments, action.cost
    ('stack', ('a', 'b'), 1)
    >>> sorted(action.preconditions)
    [('clear', 'b'), ('holding', 'a')]
    >>> [effect] = action.effects
    >>> sorted(effect.adds), sorted(effect.deletes)
    ([('clear', 'a'), ('handempty',), ('on', 'a', 'b')], [('clear', 'b'), ('holding', 'a')])
    """

    name: str
    cost: Any  # an int, or an exact decimal
    walker: Walker

    @property
    def preconditions(self) -> frozenset[Literal]:
        """Precondition literals: ("on", "a", "b") or ("not", "on", "a", "b"). Those that always hold are left out."""
        return self.walker.ground.preconditions(self)

    @property
    def effects(self) -> list[Effect]:
        """One Effect for each set of conditions; the set is empty for unconditional effects.

        Effects that apply together never contradict each other. `deletes` may contain atoms that are false already.
        """
        return self.walker.ground.effects(self)

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

    def __copy__(self) -> Action:
        return self

    def __deepcopy__(self, memo: object) -> Action:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _stored_action, (int(self), self.walker.stored())


def _stored_action(number: int, stored: bytes) -> Action:
    return walker_of(stored).action(number)


# Cache of the most recent walkers by the pickled recipe of their tasks: unpickled states of a task share one walker.
_walkers: dict[bytes, Walker] = {}
_MOST_WALKERS = 8


def walker_of(stored: bytes) -> Walker:
    """Returns the walker of the task with the pickled recipe `stored`; loads the task unless the walker is cached."""
    if stored not in _walkers:
        from pickle import loads

        make, arguments = loads(stored)
        _keep(stored, make(*arguments).walker)
    return _walkers[stored]


def _keep(stored: bytes, walker: Walker) -> None:
    while len(_walkers) >= _MOST_WALKERS:
        del _walkers[next(iter(_walkers))]
    _walkers[stored] = walker


class TaskHeuristic:
    """A native heuristic as a function from a state to its h-value; infinity at a detected dead end."""

    def __init__(self, walker: Walker, name: str, admissible: bool) -> None:
        self.name, self.admissible = name, admissible
        self._walker = walker

    def __repr__(self) -> str:
        return f"<TaskHeuristic {self.name}{', admissible' if self.admissible else ''}>"

    def __call__(self, state: Sequence[int]) -> Any:
        h, _, _ = self._walker.state_space.evaluate(self.name, state)
        return inf if h is None else from_units(h, self._walker.cost_denominator)

    def helpful_actions(self, state: Sequence[int]) -> list[Action]:
        """Returns the helpful actions: the applicable actions of the heuristic's relaxed plan. Ground tasks only."""
        return [self._walker.action(number) for number in self._walker.state_space.evaluate(self.name, state)[2]]


class Walker:
    """Generates single states of a native task.

    It has its own copy of the state space, so that a callback may use it while a search runs. `recipe` is a function
    and its arguments that make the task again, for pickled states.
    """

    def __init__(
        self, state_space: StateSpace, cost_denominator: int = 1, recipe: tuple[Any, tuple[Any, ...]] | None = None
    ) -> None:
        self.state_space, self.cost_denominator = state_space.at(state_space.start_values()), cost_denominator
        self._actions: dict[int, Action] = {}
        self._ground: GroundFacts | None = None
        self._recipe, self._stored = recipe, b""
        is_ground = isinstance(state_space, _core.GroundStateSpace)
        self._costs: list[int] | None = state_space.task.cost if is_ground else None  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return f"<Walker of {self.state_space!r}>"

    def stored(self) -> bytes:
        """Returns the pickled recipe, from which `walker_of` makes a walker in this process or another one."""
        if not self._stored:
            from pickle import dumps

            if self._recipe is None:
                raise TypeError("a program made this task, so its states cannot be pickled: store tuple(state)")
            self._stored = dumps(self._recipe)
        if self._stored not in _walkers:
            _keep(self._stored, self)
        return self._stored

    def state(self, values: Iterable[int]) -> State:
        return _state_of(self, values)

    def action(self, number: int) -> Action:
        action = self._actions.get(number)
        if action is None:
            action = self._actions[number] = Action(number)
            action.name, action.walker = self.state_space.action_name(number), self
            action.cost = 1 if self._costs is None else from_units(self._costs[number], self.cost_denominator)
        return action

    def successors(self, state: Sequence[int]) -> list[tuple[Action, Any, State]]:
        edges = [(self.action(action), self.state(values)) for action, _, values in self.state_space.successors(state)]
        return [(action, action.cost, state) for action, state in edges]

    @property
    def ground(self) -> GroundFacts:
        if self._ground is None:
            if not isinstance(self.state_space, _core.GroundStateSpace):
                raise ValueError("the states of puzzles are not sets of atoms: use their values, state[0], state[1], …")
            self._ground = GroundFacts(self.state_space.task)
        return self._ground

    def heuristic(self, name: str | None) -> TaskHeuristic:
        from fsplan.planner.tasks.spaces import attach_files, heuristic_name

        name = heuristic_name(self.state_space, name, strongest=True)
        attach_files(self.state_space, name)
        infos = (info for infos in _core.heuristic_table().values() for info in infos)
        return TaskHeuristic(self, name, any(info.name == name and info.admissible for info in infos))


class GroundFacts:
    """The facts of a ground task as atoms, and the conditions and effects of its actions in terms of them."""

    def __init__(self, task: GroundTask) -> None:
        self.task, self.first_fact = task, task.first_fact
        self.named = [tuple(words) for words in task.fact_atoms()]  # () for facts that are not atoms of the domain

    def atoms(self, state: Sequence[int]) -> frozenset[Atom]:
        facts = [self.named[first + value] for first, value in zip(self.first_fact, state, strict=False)]
        return frozenset(filter(None, facts))

    @cached_property
    def facts(self) -> list[Atom]:
        return list(dict.fromkeys(filter(None, self.named)))

    @cached_property
    def _lists(self) -> tuple[list[list[int]], list[list[tuple[int, list[int]]]]]:
        return self.task.precondition, self.task.effects

    @cached_property
    def _pairs(self) -> list[tuple[int, int]]:
        """(variable, value) of every fact."""
        return [(variable, value) for variable, size in enumerate(self.task.domain_size) for value in range(size)]

    def _literals(self, condition: Mapping[int, int]) -> frozenset[Literal]:
        """Returns the literals of a partial state; "none of those" means that all atoms of the variable are false."""
        found: set[Literal] = set()
        for variable, value in condition.items():
            first, end = self.first_fact[variable : variable + 2]
            words = self._words(first + value)
            found |= {words} if words else {("not", *self._words(f)) for f in range(first, end) if f != first + value}
        return frozenset(found)

    def _words(self, fact: int) -> Literal:
        """Returns a fact as a literal such as ("on", "a", "b") or ("not", "on", "a", "b"); () for "none of those"."""
        name = self.task.fact_name(fact)
        return () if name == "none of those" else tuple(filter(None, re.split(r"[(), ]", name)))

    def _condition(self, facts: Iterable[int]) -> dict[int, int]:
        return dict(self._pairs[fact] for fact in facts)

    def preconditions(self, action: int) -> frozenset[Literal]:
        return self._literals(self._condition(self._lists[0][action]))

    def effects(self, action: int) -> list[Effect]:
        from fsplan.planner.tasks.write_task import exclusive_effects

        given = self._condition(self._lists[0][action])
        effects = [(self._pairs[fact], self._condition(facts)) for fact, facts in self._lists[1][action]]
        found: dict[frozenset[Literal], tuple[set[Atom], set[Atom]]] = {}
        for when, (variable, value) in exclusive_effects(self.task.domain_size, given, effects):
            adds, deletes = found.setdefault(self._literals(when), (set(), set()))
            first, end = self.first_fact[variable : variable + 2]
            known = (given | when).get(variable)  # value before the action, if the conditions determine it
            adds |= {self.named[first + value]} - {()}
            before = range(first, end) if known is None else [first + known]
            deletes |= {self.named[fact] for fact in before if fact != first + value} - {()}
        return [Effect(when, frozenset(adds), frozenset(deletes)) for when, (adds, deletes) in found.items()]


class SeesStates:
    """Wraps a Python policy so that it receives State and Action objects instead of integers."""

    def __init__(self, policy: Any, walker: Walker) -> None:
        self.policy, self._walker = policy, walker

    def __repr__(self) -> str:
        return repr(self.policy)

    def scores(self, states: Sequence[Sequence[int]], actions: Sequence[Sequence[int]]) -> Any:
        walker = self._walker
        rows = [[walker.action(number) for number in row] for row in actions]
        return self.policy.scores([walker.state(values) for values in states], rows)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.policy, name)


def on_values(function: Callable[[State], Any], walker: Walker) -> Callable[[tuple[int, ...]], Any]:
    """Converts a user's heuristic for the native searches: a function of a state's values, with h-values in units."""

    def evaluate(values: tuple[int, ...]) -> Any:
        return function(walker.state(values))

    evaluate.admissible = getattr(function, "admissible", True)  # type: ignore[attr-defined]
    return evaluate if walker.cost_denominator == 1 else heuristic_in_units(evaluate, walker.cost_denominator)
