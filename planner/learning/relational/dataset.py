"""Writes labelled states of the tasks of a domain, in the relational view, to a file of arrays for other programs.

    types, predicates, schemas             names, shared by all tasks; atoms and actions refer to them by number
    tasks                                  names
    objects, objects_begin                 names of the objects of each task; numbers start at 0 in each task
    is_of_type                             [objects, types], True if the object has the type
    static_*, goals_*, goals_wanted        for each task, its static atoms and goal atoms; if wanted, they must hold
    state_task, cost_to_go                 for each state, the number of its task and its goal distance
    atoms_*                                the atoms of each state
    actions_*                              the applicable actions of each state
    action_optimal, action_cost            one entry per applicable action

`X_*` stands for four arrays. The terms (atoms or actions) of task or state i are X_begin[i] : X_begin[i + 1]. Term t
has the predicate or schema X_symbol[t] and the objects X_objects[X_objects_begin[t] : X_objects_begin[t + 1]].
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fsplan.planner._core import TooManyStates
from fsplan.planner.base.files import replace
from fsplan.planner.learning.relational.labels import MOST_STATES, STATES, OptimalActions, optimal_actions
from fsplan.planner.policies.relational.view import RelationalBatch, RelationalView, Terms
from fsplan.planner.tasks.task import Task


class Part(NamedTuple):
    """The labelled states of one task."""

    batch: RelationalBatch
    optimal: npt.NDArray[np.uint8]
    costs: npt.NDArray[np.int32]
    cost_to_go: npt.NDArray[np.int32]


def part_of(view: RelationalView, found: OptimalActions) -> Part:
    batch = view.batch(found.values, found.edges_begin, found.actions)
    return Part(batch, found.optimal, found.costs, found.distance)


def collect(
    tasks: Iterable[Task],
    *,
    states: int = STATES,
    max_states: int = MOST_STATES,
    seed: int = 0,
    note: Callable[[str], Any] = lambda text: None,
) -> list[Part]:
    """The labelled states of every task whose graph can be enumerated; `note` is called for the others."""
    parts = []
    for task in tasks:
        try:
            found = optimal_actions(task, states, max_states, seed)
        except TooManyStates:
            note(f"{task.name}: more than {max_states:,} states, left out")
            continue
        if found is not None:
            parts.append(part_of(RelationalView(task), found))
    return parts


def write(path: str | os.PathLike[str], parts: list[Part]) -> None:
    if not parts:
        raise ValueError("no task can be enumerated and has a plan: there is nothing to write")

    def fill(place: str) -> None:
        with open(place, "wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays_of(parts))

    replace(path, fill)


def arrays_of(parts: list[Part]) -> dict[str, npt.NDArray[Any]]:
    """The arrays of the file by name, as described above."""
    views = [part.batch.view for part in parts]
    first = views[0]
    return {
        "types": np.array(first.types),
        "predicates": np.array(first.predicates),
        "schemas": np.array(first.schemas),
        "tasks": np.array([view.task.name for view in views]),
        "objects": np.array([name for view in views for name in view.objects]),
        "objects_begin": np.cumsum([0, *(len(view.objects) for view in views)]),
        "is_of_type": np.concatenate([view.is_of_type for view in views]),
        **_joined("static", [(np.array([0, len(view.static.symbol)]), view.static) for view in views]),
        **_joined("goals", [(np.array([0, len(view.goals.symbol)]), view.goals) for view in views]),
        "goals_wanted": np.concatenate([view.wanted for view in views]),
        "state_task": np.repeat(np.arange(len(parts)), [len(part.batch) for part in parts]),
        "cost_to_go": np.concatenate([part.cost_to_go for part in parts]),
        **_joined("atoms", [(part.batch.atoms_begin, part.batch.atoms) for part in parts]),
        **_joined("actions", [(part.batch.edges_begin, part.batch.actions) for part in parts]),
        "action_optimal": np.concatenate([part.optimal for part in parts]),
        "action_cost": np.concatenate([part.costs for part in parts]),
    }


def _joined(name: str, rows: list[tuple[npt.NDArray[np.int64], Terms]]) -> dict[str, npt.NDArray[Any]]:
    return {
        f"{name}_begin": _joined_begin([begin for begin, _ in rows]),
        f"{name}_symbol": np.concatenate([terms.symbol for _, terms in rows]),
        f"{name}_objects_begin": _joined_begin([terms.begin for _, terms in rows]),
        f"{name}_objects": np.concatenate([terms.objects for _, terms in rows]),
    }


def _joined_begin(begins: list[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    """The `begin` array for the concatenated rows of several arrays.

    >>> _joined_begin([np.array([0, 2, 3]), np.array([0, 1])]).tolist()
    [0, 2, 3, 4]
    """
    counts = np.concatenate([np.diff(begin) for begin in begins])
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
