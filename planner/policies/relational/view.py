"""The relational view of a PDDL task: objects, atoms and ground actions as numbers, batches of states as flat arrays.

Lists of different lengths are stored as compressed rows: the items of row i are items[begin[i] : begin[i + 1]].

>>> import fsplan
>>> view = RelationalView(fsplan.load(fsplan.example("blocks-8-0")))
>>> view.predicates, view.schemas
(['on', 'ontable', 'clear', 'handempty', 'holding'], ['pick-up', 'put-down', 'stack', 'unstack'])
>>> batch = view.of_states([view.task.start])
>>> atoms = batch.atoms
>>> view.predicates[atoms.symbol[0]], [view.objects[number] for number in atoms.row(0)]
('on', ['h', 'f'])
>>> [view.schemas[schema] for schema in batch.actions.symbol]
['pick-up', 'pick-up', 'unstack', 'unstack']
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fsplan.pddl.names import closure
from fsplan.planner.policies.relational.describe import goal_atoms, instantiated_goal, relations_of
from fsplan.planner.tasks.task import Task

Numbers = npt.NDArray[np.int64]


class Terms(NamedTuple):
    """A list of atoms or of ground actions: the predicate or schema of each, and its objects in compressed rows."""

    symbol: Numbers
    begin: Numbers
    objects: Numbers

    def row(self, number: int) -> list[int]:
        row: list[int] = self.objects[self.begin[number] : self.begin[number + 1]].tolist()
        return row

    def owners(self, begin: Numbers) -> Numbers:
        """The number of the state of each term; the terms of state i are begin[i] : begin[i + 1]."""
        return np.repeat(np.arange(len(begin) - 1), np.diff(begin))

    def of_symbol(self, symbol: int, arity: int) -> tuple[Numbers, Numbers]:
        """The numbers of all terms with this predicate or schema, and a matrix with the objects of each in a row."""
        chosen = np.flatnonzero(self.symbol == symbol)
        return chosen, self.objects[self.begin[chosen][:, None] + np.arange(arity)]

    def take(self, chosen: Numbers) -> Terms:
        """The terms with the given numbers, in this order."""
        counts = np.diff(self.begin)[chosen]
        begin = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        places = np.repeat(self.begin[chosen] - begin[:-1], counts) + np.arange(begin[-1])
        return Terms(self.symbol[chosen], begin, self.objects[places])


@dataclass(frozen=True, repr=False)
class RelationalBatch:
    """States with their atoms and applicable actions, with the object numbers of the view's task.

    State i has the atoms atoms_begin[i] : atoms_begin[i + 1] and the actions edges_begin[i] : edges_begin[i + 1].
    """

    view: RelationalView
    atoms_begin: Numbers
    atoms: Terms
    edges_begin: Numbers
    actions: Terms

    def __repr__(self) -> str:
        return f"<RelationalBatch: {len(self):,} states, {len(self.atoms):,} atoms, {len(self.actions):,} actions>"

    def __len__(self) -> int:
        return len(self.atoms_begin) - 1


class RelationalView:
    """The data of a task that are the same for all its states.

    objects               names; `is_of_type[object, type]` is True for the types of an object and their ancestors
    types                 names
    predicates, schemas   names in the order of the domain, with arities; the same for all tasks of a domain
    static                atoms that hold in every state
    goals                 atoms of the goal; `wanted` is True for those that must hold
    """

    def __init__(self, task: Task) -> None:
        space, _ = relations_of(task)
        problem = task.problem
        assert problem is not None
        self.task = task
        named = {**problem.domain.constants, **problem.objects}
        self.objects, self.types = list(named), list(problem.domain.types)
        self.predicates, self.schemas = list(problem.domain.predicates), list(problem.domain.actions)
        self.predicate_arities = [len(entry.parameters) for entry in problem.domain.predicates.values()]
        self.schema_arities = [len(entry.parameters) for entry in problem.domain.actions.values()]
        self.is_of_type = np.array(
            [[name in closure(entry.types, problem.domain.types) for name in self.types] for entry in named.values()],
            dtype=bool,
        ).reshape(len(self.objects), len(self.types))
        self._object_number = {name: number for number, name in enumerate(self.objects)}
        self._first_fact = np.array(space.task.first_fact[:-1], dtype=np.int64)
        known = set(self.predicates)  # the task may have further predicates, which represent unreachable goals
        facts = [tuple(words) if words and words[0] in known else () for words in space.task.fact_atoms()]
        self._is_atom = np.array([bool(words) for words in facts], dtype=bool)
        self._facts = self._terms(facts, self.predicates)
        self._actions = self._terms((name.split(" ") for name in space.task.action_names()), self.schemas)
        changing = set(facts)
        static = [atom for atom in dict.fromkeys(problem.init) if atom not in changing]
        self.static = self._terms(static, self.predicates)
        goals = list(goal_atoms(instantiated_goal(problem)))
        self.goals = self._terms(((atom.predicate, *atom.arguments) for atom, _ in goals), self.predicates)
        self.wanted = np.array([wanted for _, wanted in goals], dtype=bool)

    def __repr__(self) -> str:
        return f"<RelationalView of {self.task.name}: {len(self.objects)} objects, {len(self.predicates)} predicates>"

    def _terms(self, terms: Iterable[Sequence[str]], symbols: list[str]) -> Terms:
        number = {name: place for place, name in enumerate(symbols)}
        rows = list(terms)
        objects = [self._object_number[name] for row in rows for name in row[1:]]
        begin = np.cumsum([0, *(max(0, len(row) - 1) for row in rows)])
        symbol = np.array([number[row[0]] if row else -1 for row in rows], dtype=np.int64)
        return Terms(symbol, begin.astype(np.int64), np.array(objects, dtype=np.int64))

    def batch(
        self, values: npt.NDArray[np.int32], edges_begin: npt.NDArray[np.uint32], actions: npt.NDArray[np.uint32]
    ) -> RelationalBatch:
        """The batch for states given by their values, with the numbers of their applicable actions."""
        facts = values.astype(np.int64) + self._first_fact
        holds = self._is_atom[facts]
        atoms_begin = np.concatenate([[0], np.cumsum(holds.sum(axis=1))]).astype(np.int64)
        return RelationalBatch(
            self,
            atoms_begin,
            self._facts.take(facts[holds]),
            edges_begin.astype(np.int64),
            self._actions.take(actions.astype(np.int64)),
        )

    def of_states(self, states: Sequence[Sequence[int]]) -> RelationalBatch:
        """The batch for the given states with all their applicable actions."""
        rows = [[int(action) for action, _, _ in self.task.successors(state)] for state in states]
        begin = np.cumsum([0, *map(len, rows)]).astype(np.uint32)
        actions = np.array([action for row in rows for action in row], dtype=np.uint32)
        return self.batch(np.array(states, dtype=np.int32).reshape(len(states), -1), begin, actions)
