"""Focal search and its extensions of Algorithm 1, on random ground tasks with the policy `ff`."""

from __future__ import annotations

from itertools import product
from math import inf
from random import Random
from typing import Any

import pytest
from random_ground_tasks import random_ground_task
from support import known

import fsplan
from fsplan.planner._core import GroundStateSpace
from fsplan.planner.search.named import focal
from fsplan.planner.search.result import Result
from fsplan.planner.search.solve import solve

TASKS = 400


def walked(space: GroundStateSpace, plan: list[str]) -> int:
    values, total = space.start_values(), 0
    for name in plan:
        total, values = next(
            (total + cost, after)
            for action, cost, after in space.successors(values)
            if space.action_name(action) == name
        )
    return total


def check(space: GroundStateSpace, found: Result, best: float, w: float) -> None:
    assert found.status == ("unsolvable" if best == inf else "solved")
    if found.plan is not None:
        assert found.cost is not None
        assert found.certified
        assert best <= found.cost <= w * best
        assert known(found.lower_bound) <= best
        assert walked(space, found.plan) == found.cost


@pytest.mark.parametrize("heuristic", ["hmax", "lmcut", "blind"])
def test_plans_are_within_w_for_all_combinations_of_options(heuristic: str) -> None:
    random = Random(heuristic)
    solved = 0
    for seed in range(TASKS):
        derived = heuristic != "lmcut" and seed % 4 == 0
        space = GroundStateSpace(random_ground_task(seed, derived=derived, conditional=derived))
        best = solve(space, "astar", heuristic="blind").cost
        for lazy, fresh in product((False, True), repeat=2):
            options: dict[str, Any] = {
                "order": random.choice(["disc1", "disc2", "disc3", "score2"]),
                "hedge": random.random() < 0.5,
                "prove": random.choice([0, 1, 3]),
                "ties": random.choice(["f,h", "h,f", "oldest"]),
                "lazy": lazy,
                "fresh": fresh,
            }
            if options["order"] == "disc1":
                options |= {"alpha": "applicable", "accuracy": 0.8}
            found = focal(space, heuristic=heuristic, policy="ff", w=1.5, **options)
            check(space, found, inf if best is None else best, 1.5)
            solved += found.plan is not None
    assert solved > TASKS


@pytest.mark.parametrize("heuristic", ["hmax", "lmcut"])
def test_costs_near_the_limit_give_a_plan_or_a_message(heuristic: str) -> None:
    solved, messages = 0, []
    for seed in range(TASKS):
        task = random_ground_task(seed, conditional=False, derived=False, choices=(1, 2**28, 2**29, 2**31 - 2))
        space = GroundStateSpace(task)
        try:
            found = focal(space, heuristic=heuristic, policy="ff", w=1.5, paper=seed % 2 != 0)
        except OverflowError as error:
            messages.append(str(error))
        else:
            assert found.plan is None or walked(space, found.plan) == found.cost
            solved += found.plan is not None
    assert solved > 50
    assert len(messages) > 5
    assert all("scale the costs down" in message for message in messages)


@pytest.mark.parametrize(
    ("options", "expanded"),
    [({"paper": True}, 22_814), ({"paper": True, "prove": 1}, 13_938), ({"heuristic": "hmax"}, 17_460), ({}, 185)],
)
def test_expansions_on_blocks_with_and_without_turns_of_the_bound_queue(options: dict[str, Any], expanded: int) -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    result = solve(task, order="disc2", w=1.5, **options)
    assert result.certified
    assert result.statistics["expanded"] == expanded


def test_given_options_override_the_defaults() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    record = focal(task, heuristic="hmax", prove=3, ties="f,newest").to_dict()
    assert {name: record[name] for name in ("lazy", "hedge", "fresh", "prove", "ties")} == {
        "lazy": False,
        "hedge": False,
        "fresh": True,
        "prove": 3,
        "ties": ["f", "newest"],
    }
    record = focal(task).to_dict()
    assert (record["heuristic"], record["lazy"], record["hedge"]) == ("auto", True, True)
    record = solve(task, "wastar").to_dict()
    assert (record["prove"], record["ties"]) == (None, ["h", "newest"])
