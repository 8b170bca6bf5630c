"""`fsplan.plans` finds the same plans as plain enumerations that follow the definitions without pruning."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from random_ground_tasks import random_ground_task
from support import ROOT, check_schema, fsplan, seeds

from fsplan import plans, validate
from fsplan.planner.tasks.task import from_ground

COURIER = (ROOT / "docs" / "examples" / "domain.pddl", ROOT / "docs" / "examples" / "problem.pddl")
WEIGHTS = (Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(2))


class RandomGraph:
    """A graph with random edges, shared names of actions, costs that may be 0, and an h that is not consistent."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        size = random.randint(3, 6)
        self.start, self._goals = 0, set(random.sample(range(1, size), random.randint(1, 2)))
        costs = [0, 1, 1, 2, 3] if seed % 2 else [1, 2, 3]
        self._edges: dict[int, list[tuple[str, int, int]]] = {
            state: [
                (random.choice("abcde"), random.choice(costs), random.randrange(size))
                for _ in range(random.randint(1, 3))
            ]
            for state in range(size)
        }
        exact = {state: self._distance(state) for state in range(size)}
        self._h = {state: None if cost is None else random.randint(0, cost) for state, cost in exact.items()}

    def _distance(self, state: int) -> int | None:
        costs = {state: 0}
        for _ in self._edges:
            for source, edges in self._edges.items():
                for _, cost, target in edges:
                    if source in costs:
                        costs[target] = min(costs.get(target, 1000), costs[source] + cost)
        return min((costs[goal] for goal in self._goals if goal in costs), default=None)

    def successors(self, state: int) -> list[tuple[str, int, int]]:
        return self._edges[state]

    def is_goal(self, state: int) -> bool:
        return state in self._goals

    def heuristic(self, state: int) -> int | None:
        return self._h[state]


def simple_paths(task: Any, state: Any, visited: list[Any], steps: list[str], cost: Any, limit: Any) -> Any:
    """Yields (steps, cost) of all paths to a goal that visit no state twice and cost at most `limit`."""
    if cost > limit:
        return
    if task.is_goal(state):
        yield tuple(steps), cost
        return
    for action, more, successor in task.successors(state):
        if successor not in visited:
            yield from simple_paths(task, successor, [*visited, successor], [*steps, str(action)], cost + more, limit)


def all_sequences(task: Any, w: Fraction) -> dict[tuple[str, ...], int]:
    """The plans without repeated states that cost at most w times the optimum, as action sequences with costs."""
    every: dict[tuple[str, ...], int] = {}
    for steps, cost in simple_paths(task, task.start, [task.start], [], 0, 10**9):
        every[steps] = min(cost, every.get(steps, cost))
    optimum = min(every.values(), default=0)
    return {steps: cost for steps, cost in every.items() if cost <= w * optimum}


def minimal_sets(task: Any, w: Fraction) -> dict[frozenset[str], int]:
    """The sets of actions of plans within w of the optimum, with their least cost, without dominated sets.

    A set is dominated if a proper subset of it does not cost more.
    """
    cost: dict[tuple[Any, frozenset[str]], int] = {(task.start, frozenset()): 0}
    changed = set(cost)
    while changed:
        state, used = changed.pop()
        for action, more, successor in [] if task.is_goal(state) else task.successors(state):
            pair, reached = (successor, used | {str(action)}), cost[state, used] + more
            if reached < cost.get(pair, reached + 1):
                cost[pair] = reached
                changed.add(pair)
    least: dict[frozenset[str], int] = {}
    for (state, used), reached in cost.items():
        if task.is_goal(state):
            least[used] = min(reached, least.get(used, reached))
    optimum = min(least.values(), default=0)
    return {
        used: reached
        for used, reached in least.items()
        if reached <= w * optimum and not any(other < used and less <= reached for other, less in least.items())
    }


def check_order(found: Any) -> list[Any]:
    listed = list(found)
    assert found.status == "exhausted"
    assert [each.cost for each in listed] == sorted(each.cost for each in listed)
    for each in listed:
        assert each.lower_bound == listed[0].cost
        assert each.cost <= Fraction(*found.weight) * each.lower_bound
    return listed


@seeds(60, 600)
def test_sequences_of_random_graphs(seeds: range) -> None:
    total = 0
    for seed, w in ((seed, w) for seed in seeds for w in WEIGHTS):
        task = RandomGraph(seed)
        listed = check_order(plans(task, w=w))
        assert {tuple(each.plan): each.cost for each in listed} == all_sequences(task, w), (seed, w)
        total += len(listed)
    assert total > 2 * len(seeds)


@seeds(60, 600)
def test_sets_of_actions_of_random_graphs(seeds: range) -> None:
    total = 0
    for seed, w in ((seed, w) for seed in seeds for w in WEIGHTS):
        task = RandomGraph(seed)
        listed = check_order(plans(task, w=w, different="actions"))
        expected = minimal_sets(task, w)
        assert {frozenset(each.plan): each.cost for each in listed} == expected, (seed, w)
        assert len(listed) == len(expected)
        total += len(listed)
    assert total > 2 * len(seeds)


@seeds(80, 600)
def test_sequences_of_ground_tasks(seeds: range) -> None:
    total = 0
    for seed in seeds:
        task = from_ground(random_ground_task(seed, free=False), str(seed))
        best = next(plans(task, 1), None)
        if best is None:
            continue
        limit = best.cost * 3 // 2
        expected = {}
        for steps, cost in simple_paths(task, task.start, [task.start], [], 0, limit):
            expected[steps] = min(cost, expected.get(steps, cost))
            if len(expected) > 300:
                break
        if len(expected) <= 300:
            assert {tuple(each.plan): each.cost for each in check_order(plans(task, w=1.5))} == expected, seed
            total += len(expected)
    assert total > len(seeds) / 4


def test_unsolvable() -> None:
    class Nowhere(RandomGraph):
        def is_goal(self, state: int) -> bool:
            return False

    task = Nowhere(1)
    task.heuristic = lambda state: 0  # type: ignore[method-assign]
    found = plans(task)
    assert (list(found), found.status, found.exit_code) == ([], "exhausted", 11)


def test_a_limit_on_the_number_of_plans_is_not_reported_as_complete() -> None:
    found = plans(COURIER, 2, 1.2)
    assert [each.cost for each in found] == [30, 32]
    assert (found.status, found.complete_to, next(found, None)) == ("enough", 31, None)


def test_plans_found_before_a_limit_are_valid_and_within_w() -> None:
    """The sliding-tile puzzle has too many plans for an enumeration, so only plans of the first search are returned."""
    found = plans("tiles15:korf/12", 1000, 3, time_limit=2)
    listed = list(found)
    assert found.status == "timeout"
    assert listed
    assert all(each.proven_ratio <= 3 for each in listed)
    assert len({tuple(each.plan) for each in listed}) == len(listed)
    assert found.exit_code == 2


def test_decimal_costs() -> None:
    class Decimals:
        start, cost_denominator = 0, 10

        def successors(self, state: int) -> list[tuple[str, float, int]]:
            return [("short", 0.1, state + 1), ("long", 0.3, state + 2)]

        def is_goal(self, state: int) -> bool:
            return state >= 2

    listed = check_order(plans(Decimals(), w=3))
    assert [(each.plan, float(each.cost)) for each in listed] == [
        (["short", "short"], 0.2),
        (["long"], 0.3),
        (["short", "long"], 0.4),
    ]


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        plans(COURIER, 0)
    with pytest.raises(ValueError, match="sequences"):
        plans(COURIER, 2, different="objects")


def test_the_command(tmp_path: Path) -> None:
    ran = fsplan(*COURIER, "--plans", 50, "--different", "actions", "--w", 1.3, "--json", tmp_path / "found.json")
    assert ran.returncode == 0, ran.stderr
    document = json.loads((tmp_path / "found.json").read_text())
    check_schema(document, "several-plans")
    assert (document["status"], document["lower_bound"], len(document["plans"])) == ("exhausted", 30, 8)
    assert "there are no others (proven)" in ran.stderr
    texts = ran.stdout.split("; plan ")[1:]
    for each, text in zip(document["plans"], texts, strict=True):
        assert f"; cost = {each['cost']} " in text
    sets = [frozenset(each["plan"]) for each in document["plans"]]
    assert not any(cheaper <= dearer for cheaper, dearer in combinations(sets, 2))


def test_plan_files(tmp_path: Path) -> None:
    assert fsplan(*COURIER, "--plans", 2, "--plan-file", tmp_path / "plan", "-q").stdout == ""
    texts = [(tmp_path / f"plan.{number}").read_text() for number in (1, 2)]
    assert [validate(COURIER, text).cost for text in texts] == [30, 32]
    assert not (tmp_path / "plan.3").exists()


def test_options_that_are_not_read() -> None:
    ran = fsplan(*COURIER, "--plans", 2, "--focal", "disc1", "--trace", "trace")
    assert ran.returncode == 36
    assert "--focal, --trace" in ran.stderr
