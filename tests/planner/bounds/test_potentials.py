"""Potential functions satisfy the consistency inequality of every action in exact integer arithmetic."""

from __future__ import annotations

import sys

import pytest
from random_ground_tasks import random_ground_task

import fsplan
from fsplan.planner import _core
from fsplan.planner.bounds.program import NoSolver
from fsplan.planner.bounds.root import bound


def check(space: _core.GroundStateSpace) -> int:
    """Checks the inequalities in Python integers, which do not overflow; returns the number of potentials."""
    changes, costs = _core.changes_of_facts(space), _core.action_costs(space).tolist()
    begin, action, change = changes.begin.tolist(), changes.action.tolist(), changes.coefficient.tolist()
    found = _core.potentials(space)
    for weights, denominator in found:
        assert denominator > 0
        assert (weights >= 0).all()
        gain = [0] * len(costs)
        for fact, weight in enumerate(weights.tolist()):
            for term in range(begin[fact], begin[fact + 1]):
                gain[action[term]] += change[term] * weight
        assert all(each <= denominator * cost for each, cost in zip(gain, costs, strict=True))
    return len(found)


@pytest.mark.parametrize("derived", [False, True])
def test_potentials_satisfy_the_inequality_of_every_action(derived: bool) -> None:
    several = 0
    for seed in range(200):
        several += check(_core.GroundStateSpace(random_ground_task(seed, derived=derived))) > 1
    assert several > 20


def test_the_potential_of_the_initial_state_is_the_bound_of_the_state_equation() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    space = task.state_space
    assert isinstance(space, _core.GroundStateSpace)
    assert check(space) >= 1
    (equation,) = [each.value for each in bound(task).methods if each.method == "state-equation"]
    assert space.evaluate("potential", space.start_values())[0] == equation


def test_astar_with_potentials_is_optimal() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    assert fsplan.solve(task, search="astar", heuristic="potential").cost == 18


def test_the_error_without_an_lp_solver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    task = fsplan.load(fsplan.example("blocks-8-0"))
    with pytest.raises(NoSolver, match="pip install highspy"):
        fsplan.solve(task, search="astar", heuristic="potential")
