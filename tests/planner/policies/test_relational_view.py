"""The relational view of states (objects, atoms, schemas), data sets in it, and torch modules as policies."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from random_tasks import Features, random_task
from support import ROOT

import fsplan
from fsplan.planner.learning.relational.dataset import arrays_of, collect
from fsplan.planner.policies import registry
from fsplan.planner.policies.relational.view import RelationalBatch, RelationalView, Terms
from fsplan.planner.sources.pddl import from_pddl
from fsplan.planner.tasks.task import Task

EXAMPLES = ROOT / "docs" / "examples"


@pytest.fixture(scope="module")
def courier() -> list[Task]:
    return [fsplan.load(EXAMPLES / "domain.pddl", EXAMPLES / "small" / f"p{number}.pddl") for number in (1, 2)]


def named(view: RelationalView, terms: Terms, symbols: list[str], number: int) -> tuple[str, ...]:
    return (symbols[terms.symbol[number]], *(view.objects[place] for place in terms.row(number)))


@pytest.mark.parametrize("seed", range(25))
def test_batches_have_the_atoms_and_actions_of_the_states(seed: int) -> None:
    random = Random(seed)
    problem = random_task(seed, Features(*[random.random() < 0.7 for _ in fields(Features)]))
    task = from_pddl(problem)
    if not task.state_space.task.solvable_relaxed:  # type: ignore[attr-defined]
        return
    states = [task.start]
    for _ in range(3):
        edges = task.successors(states[-1])
        if edges:
            states.append(random.choice(edges)[2])
    view = RelationalView(task)
    batch = view.of_states(states)
    assert len(batch) == len(states)
    for i, state in enumerate(states):
        atoms = range(batch.atoms_begin[i], batch.atoms_begin[i + 1])
        assert {named(view, batch.atoms, view.predicates, a) for a in atoms} == state.atoms
        actions = range(batch.edges_begin[i], batch.edges_begin[i + 1])
        found = [" ".join(named(view, batch.actions, view.schemas, a)) for a in actions]
        assert found == [action.name for action, _, _ in task.successors(state)]


def test_static_atoms_goals_and_types_are_stored_once_per_task(courier: list[Task]) -> None:
    view = RelationalView(courier[0])
    statics = {named(view, view.static, view.predicates, i)[0] for i in range(len(view.static.symbol))}
    assert statics == {"road"}
    goals = {named(view, view.goals, view.predicates, i) for i in range(len(view.goals.symbol))}
    assert all(goal[0] == "at" for goal in goals)
    assert view.wanted.all()
    van = view.objects.index(next(name for name in view.objects if name.startswith("van")))
    assert [name for name, own in zip(view.types, view.is_of_type[van], strict=True) if own] == [
        "object",
        "thing",
        "vehicle",
    ]
    other = RelationalView(courier[1])
    assert (other.predicates, other.schemas, other.types) == (view.predicates, view.schemas, view.types)


def test_data_sets_label_all_optimal_actions(courier: list[Task]) -> None:
    parts = collect(courier, states=40, seed=1)
    for task, part in zip(courier, parts, strict=True):
        graph = fsplan.explore(task, heuristic=None)
        assert (part.cost_to_go > 0).all()
        assert part.cost_to_go.max() <= graph.h_star[graph.h_star < 2**31 - 1].max()
        best = np.add.reduceat(part.optimal, part.batch.edges_begin[:-1])
        assert (best >= 1).all()
    arrays = arrays_of(parts)
    assert len(arrays["state_task"]) == len(arrays["cost_to_go"]) == len(arrays["atoms_begin"]) - 1
    assert len(arrays["action_optimal"]) == arrays["actions_begin"][-1] == len(arrays["actions_symbol"])
    assert arrays["atoms_objects_begin"][-1] == len(arrays["atoms_objects"])
    assert arrays["objects_begin"][-1] == len(arrays["objects"]) == len(arrays["is_of_type"])


def test_tasks_that_are_too_large_are_named(courier: list[Task]) -> None:
    notes: list[str] = []
    assert collect(courier[:1], max_states=2, note=notes.append) == []
    assert "more than 2 states" in notes[0]


class ShortNames:
    """A stand-in for a torch module without weights: the score of an action is minus the number of its schema."""

    def __call__(self, batch: RelationalBatch) -> Any:
        import torch

        return torch.from_numpy(-batch.actions.symbol.astype(np.float32))


def test_modules_are_policies(courier: list[Task], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    policy = fsplan.RelationalPolicy(ShortNames(), accuracy=0.6)
    for task in courier:
        assert fsplan.focal(task, "disc2", 1.5, policy=policy).certified
        assert fsplan.focal(task, "disc1", 1.5, policy=policy).certified
    on_task = registry.resolve(policy, courier[0])
    graph = fsplan.explore(courier[0], heuristic=None)
    values, begin, edges = graph.rows(np.arange(5))
    scores = on_task.score_arrays(values, begin.astype(np.uint32), graph.action[edges])
    assert np.allclose(np.add.reduceat(np.exp(scores), begin[:-1]), 1, atol=1e-5)
    (tmp_path / "relational_factory.py").write_text(
        "import fsplan\nfrom test_relational_view import ShortNames\n"
        "def make(task):\n    return fsplan.RelationalPolicy(ShortNames())\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    assert fsplan.focal(courier[0], "disc2", 1.5, policy="relational_factory:make").certified


def test_modules_that_score_wrongly_are_refused(courier: list[Task]) -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(ValueError, match="scores of shape"):
        fsplan.focal(courier[0], "disc2", 1.5, policy=fsplan.RelationalPolicy(lambda batch: torch.zeros(1)))
    with pytest.raises(ValueError, match="not a PDDL task"):
        RelationalView(fsplan.load("tiles8:random/1"))
