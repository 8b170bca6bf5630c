from __future__ import annotations

import hashlib
from math import inf
from random import Random
from typing import Any

import numpy
import pytest
import slow_heuristics
from random_ground_tasks import random_ground_task, side_by_side, strips_task
from random_tasks import random_task
from support import seeds

from fsplan.planner._core import GroundStateSpace, GroundTask, build_task, heuristic_table
from fsplan.planner.graphs.explore import DEAD_END, SearchGraph, explore
from fsplan.planner.search.named import astar
from fsplan.planner.search.solve import solve
from fsplan.planner.tasks.ground import ground
from fsplan.planner.tasks.task import from_ground

HEURISTICS = {info.name: info for info in heuristic_table()["pddl"]}
ADMISSIBLE = [name for name, each in HEURISTICS.items() if each.admissible]
RELAXED_PLANS = [name for name in HEURISTICS if name != "progress"]  # its relaxed plan depends on the path
MAX_STATES = 3000

Explored = tuple[GroundTask, GroundStateSpace, SearchGraph]


def some_graphs(seeds: range, **features: bool) -> list[Explored]:
    """Explored random tasks of more than one state."""
    found = [explored(random_ground_task(seed, **features)) for seed in seeds]
    many = [each for each in found if len(each[2]) > 1]
    assert len(many) > len(seeds) // 2
    return many


def some_pddl_graphs(seeds: range) -> list[Explored]:
    """Explored random PDDL tasks with all features."""
    return [explored(ground(random_task(seed))) for seed in seeds]


def explored(task: GroundTask) -> Explored:
    space = GroundStateSpace(task)
    return task, space, explore(space, heuristic=None)


def number(value: int | None) -> float:
    return inf if value is None else value


def sample(graph: SearchGraph, count: int) -> list[list[int]]:
    states: list[list[int]] = graph.values().tolist()
    return states[:: max(1, len(states) // count)]


def check_equations(task: GroundTask, space: GroundStateSpace, values: list[int]) -> None:
    h_max, guide, max_helpful = space.evaluate("hmax", values)
    assert number(h_max) == slow_heuristics.h_max(task, values)
    assert number(space.evaluate("hadd", values)[0]) == slow_heuristics.h_add(task, values)
    if h_max is None or min(task.cost) == 0:
        return
    plan = slow_heuristics.relaxed_plan(task, values)
    h_ff, ff_guide, helpful = space.evaluate("hff", values)
    assert h_ff == ff_guide == sum(task.cost[action] for action in plan)
    assert helpful == [action for action in sorted(plan) if applicable(task, values, action)]
    plan = slow_heuristics.easiest_relaxed_plan(task, values)
    assert guide == sum(task.cost[action] for action in plan)
    assert max_helpful == [action for action in sorted(plan) if applicable(task, values, action)]


def test_h_max_h_add_and_h_ff_satisfy_their_equations() -> None:
    for free in (False, True):
        for task, space, graph in some_graphs(range(120), derived=False, free=free):
            for values in sample(graph, 8):
                check_equations(task, space, values)


@pytest.mark.parametrize("parts", [4, 8, 12, 16, 24, 32, 44])
def test_tasks_of_any_size_obey_the_equations(parts: int) -> None:
    """The heuristics use other data structures for large tasks; the sizes here cover all of them."""
    for first_seed in (0, 1000):
        task = side_by_side(parts, first_seed, free=False)
        space = GroundStateSpace(task)
        random = Random(parts)
        assert space.evaluate("hmax", task.initial)[0]
        check_equations(task, space, task.initial)
        for _ in range(3):
            changed = [random.randrange(size) if random.random() < 0.1 else value for value, size in zip(
                task.initial, task.domain_size, strict=True)]  # fmt: skip
            check_equations(task, space, changed)


def applicable(task: GroundTask, values: list[int], action: int) -> bool:
    facts = {first + value for first, value in zip(task.first_fact, values, strict=False)}
    return facts.issuperset(task.precondition[action])


@seeds(60, 300)
@pytest.mark.parametrize("name", ADMISSIBLE)
def test_admissible_heuristics_never_exceed_the_cost_to_go(name: str, seeds: range) -> None:
    graphs = some_graphs(seeds) + some_graphs(seeds, derived=False) + some_pddl_graphs(seeds[::3])
    for _, space, without in graphs:
        graph = explore(space, MAX_STATES, heuristic=name)
        assert (graph.h <= without.h_star).all()
        assert (graph.h[graph.goal == 1] == 0).all()


@pytest.mark.parametrize("name", [name for name, each in HEURISTICS.items() if each.consistent])
def test_consistent_heuristics_obey_the_triangle_inequality(name: str) -> None:
    for _, space, _ in some_graphs(range(300, 500)):
        graph = explore(space, MAX_STATES, heuristic=name)
        here, there = graph.h[graph.edge_sources()].astype(numpy.int64), graph.h[graph.target].astype(numpy.int64)
        assert (here <= graph.cost + there).all()


def test_lmcut_is_at_least_h_max_without_conditional_effects() -> None:
    better = 0
    for _, space, _ in some_graphs(range(200), conditional=False, derived=False):
        lmcut, hmax = (explore(space, MAX_STATES, heuristic=name).h for name in ("lmcut", "hmax"))
        assert (lmcut >= hmax).all()
        better += int((lmcut > hmax).sum())
    assert better > 20


def wide_task(seed: int) -> GroundTask:
    """A task whose actions have up to eight preconditions and effects, and costs that may exceed a bucket queue."""
    random, variables, actions = Random(seed), range(14), range(40)

    def facts(most: int) -> list[tuple[int, int]]:
        return [
            (variable, random.randrange(2)) for variable in sorted(random.sample(variables, random.randint(1, most)))
        ]

    initial = [random.randrange(2) for _ in variables]
    preconditions, effects = [facts(8) for _ in actions], [facts(8) for _ in actions]
    costs = [random.choice([0, 1, 1, 3, 5, 20_000] if seed % 2 else [0, 1, 1, 2, 3, 5]) for _ in actions]
    rows = zip([f"act {number}" for number in actions], preconditions, effects, costs, strict=True)
    return strips_task([2 for _ in variables], list(rows), facts(8), initial)


def test_lmcut_values_have_not_changed() -> None:
    """LM-cut's values depend on how ties between supporters are broken. A change would alter published expansions."""
    values: list[int | None] = []
    for _, space, _ in some_graphs(range(200)):
        values += explore(space, heuristic="lmcut").h.tolist()
    for seed in range(200):
        task, random = wide_task(seed), Random(seed)
        space = GroundStateSpace(task)
        for _ in range(10):
            values.append(space.evaluate("lmcut", [random.randrange(2) for _ in task.initial])[0])
    assert hashlib.sha256(repr(values).encode()).hexdigest()[:16] == "1afa89e5b72d8e1d"


@pytest.mark.parametrize("name", ["lmcut", "auto"])
@pytest.mark.parametrize("search", ["astar", "optimistic"])
def test_landmarks_kept_from_the_parent_are_landmarks(name: str, search: str) -> None:
    """In a search, LM-cut keeps landmarks of the parent. The value is admissible, but may differ from plain LM-cut."""
    different = 0
    for task, space, graph in some_graphs(range(100)) + [explored(wide_task(seed)) for seed in range(100)]:
        cost_to_go = dict(zip(map(tuple, graph.values().tolist()), graph.h_star.tolist(), strict=True))
        expanded: list[Any] = []
        solve(from_ground(task, "random"), search, heuristic=name, on_expansion=expanded.append)
        for each in expanded:
            assert each.h <= cost_to_go[tuple(each.values)]
            different += each.h != space.evaluate("lmcut", each.values)[0]
    assert different > 0


def test_heuristics_agree_on_dead_ends_of_the_delete_relaxation() -> None:
    seen = 0
    for _, space, _ in some_graphs(range(500, 600)):
        hmax, *others = (explore(space, MAX_STATES, heuristic=name).h for name in ("hmax", "lmcut", "hadd", "hff"))
        for h in others:
            assert ((h == DEAD_END) == (hmax == DEAD_END)).all()
        seen += int((hmax == DEAD_END).sum())
    assert seen > 100


@pytest.mark.parametrize("name", RELAXED_PLANS)
def test_guides_are_costs_of_relaxed_plans(name: str) -> None:
    """A relaxed plan costs at least h_max, and at most h_add if its supporters were chosen by h_add.

    The first inequality may fail with conditional effects, because an action with several of them is counted once.
    """
    for task, space, graph in some_graphs(range(600, 680)) + some_graphs(range(60), conditional=False):
        for values in sample(graph, 5):
            h, guide, helpful = space.evaluate(name, values)
            h_max, h_add = space.evaluate("hmax", values)[0], space.evaluate("hadd", values)[0]
            assert (guide is None) == (h_max is None or h is None)
            assert helpful == sorted(set(helpful))
            assert all(applicable(task, values, action) for action in helpful)
            if guide is None:
                assert helpful == []
                continue
            assert h_max is not None
            counts_steps = name == "lmcount"  # its guide is the length of a relaxed plan, not its cost
            assert guide >= h_max or counts_steps or task.has_conditional_effects()
            assert name not in ("hadd", "hff") or guide <= number(h_add)
            if guide > 0 and not task.has_derived():
                assert helpful != []
            assert h is not None


def test_blind_and_goalcount() -> None:
    actions = [("go b", [(0, 0)], [(0, 1)], 3), ("go c", [(0, 1)], [(0, 2)], 2), ("finish", [(0, 2)], [(1, 1)], 5)]
    space = GroundStateSpace(strips_task([3, 2], actions, [(0, 2), (1, 1)]))
    assert space.evaluate("blind", [0, 0]) == (2, 10, [0])
    assert space.evaluate("goalcount", [0, 0]) == (2, 10, [0])
    assert space.evaluate("blind", [2, 1]) == (0, 0, [])
    assert space.evaluate("lmcut", [0, 0])[0] == space.evaluate("hmax", [0, 0])[0] == 10
    assert space.evaluate("hmax", [1, 1]) == (2, 2, [1])
    assert space.bytes_per_state() == 4


def test_lmcut_counts_an_action_once_for_all_its_conditional_effects() -> None:
    """One action of cost 4 achieves both goals by two conditional effects: h* = 4, so a value of 8 would be wrong."""
    task = build_task(
        domain_size=[2, 2, 2, 2],
        layer=[-1] * 4,
        initial=[1, 1, 0, 0],
        fact_names=[f"Atom f{variable}{value}()" for variable in range(4) for value in range(2)],
        action_names=["both"],
        preconditions=[[]],
        effects=[[((2, 1), [(0, 1)]), ((3, 1), [(1, 1)])]],
        costs=[4],
        rules=[],
        goal=[(2, 1), (3, 1)],
        unit_cost=False,
    )
    assert GroundStateSpace(task).evaluate("lmcut", [1, 1, 0, 0])[0] == 4


def test_large_costs_neither_overflow_nor_lose_order() -> None:
    """A chain of actions whose costs exceed the range of the bucket queues, and whose sums exceed 32 bits."""
    steps = 40
    actions = [
        (f"step {number}", [(number - 1, 1)] if number else [], [(number, 1)], 5000 + number) for number in range(steps)
    ]
    space = GroundStateSpace(strips_task([2] * steps, actions, [(number, 1) for number in range(steps)]))
    total = sum(5000 + number for number in range(steps))
    assert space.evaluate("hmax", [0] * steps)[:2] == (total, total)
    assert space.evaluate("lmcut", [0] * steps)[:2] == (total, total)
    assert space.evaluate("hff", [0] * steps)[0] == total
    expensive = strips_task(
        [2, 2], [("one", [], [(0, 1)], 2**30), ("two", [(0, 1)], [(1, 1)], 2**30)], [(0, 1), (1, 1)]
    )
    assert GroundStateSpace(expensive).evaluate("hadd", [0, 0])[0] == 2**31 - 2


def test_declared_properties_are_the_native_ones() -> None:
    space = some_graphs(range(5))[0][1]
    assert list(HEURISTICS) == space.heuristics()
    for name, each in HEURISTICS.items():
        if each.admissible:
            astar(space, heuristic=name)
        else:
            with pytest.raises(ValueError, match="not admissible"):
                astar(space, heuristic=name)
    assert space.strongest_heuristic() == "auto"
    with pytest.raises(ValueError, match="no heuristic 'magic'; choose one of hmax, lmcut"):
        space.evaluate("magic", space.start_values())


def test_bad_tasks_are_refused() -> None:
    def build(**changes: Any) -> GroundTask:
        parts: dict[str, Any] = {
            "domain_size": [2], "layer": [-1], "initial": [0], "fact_names": ["Atom a()", "Atom b()"],
            "action_names": ["go"], "preconditions": [[(0, 0)]], "effects": [[((0, 1), [])]], "costs": [1],
            "rules": [], "goal": [(0, 1)], "unit_cost": True,
        }  # fmt: skip
        return build_task(**(parts | changes))

    assert build().action_count() == 1
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"initial": [2]}, "no variable 0 with a value 2"),
        ({"goal": [(1, 0)]}, "no variable 1"),
        ({"costs": [-1]}, "go has a negative cost"),
        ({"preconditions": [[(0, 0), (0, 1)]]}, "go: two values of one variable"),
        ({"rules": [((0, 1), [])]}, "must be a derived variable"),
        ({"layer": [0]}, "go sets a derived variable"),
        ({"domain_size": [0]}, "has no value"),
        ({"fact_names": []}, "one name per fact"),
    ]
    for changes, message in wrong:
        with pytest.raises(ValueError, match=message):
            build(**changes)


def test_the_heuristic_auto_combines_lmcut_and_scp() -> None:
    """`auto` starts as LM-cut. After enough work it is at least `scp` and at most the maximum of both."""
    task = side_by_side(16, 0, free=False)
    space, random = GroundStateSpace(task), Random(0)
    states = [space.start_values()]
    while len(states) < 200:
        successors = space.successors(random.choice(states))
        states.append(random.choice(successors)[2])
    values = {name: [space.evaluate(name, each)[0] for each in states] for name in ("lmcut", "scp")}
    auto = [space.evaluate("auto", each)[0] for each in states]
    assert auto == values["lmcut"]
    for _ in range(1500):
        auto = [space.evaluate("auto", each)[0] for each in states]
    assert auto != values["lmcut"]
    for h, lmcut, scp in zip(auto, *values.values(), strict=True):
        assert number(scp) <= number(h) <= max(number(lmcut), number(scp))
