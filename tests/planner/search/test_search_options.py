"""Options, limits, callbacks and Python parts of the searches."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy
import pytest
from random_graphs import native, random_graph
from support import known

from fsplan.planner import _core
from fsplan.planner.base.weights import parse_weight
from fsplan.planner.search.named import astar, focal, gbfs, idastar, optimistic, prefastar, unroll, wastar
from fsplan.planner.search.result import Result
from fsplan.planner.search.solve import solve


class Grid:
    """A task: move from one corner of a square grid to the other by unit steps."""

    start = (0, 0)

    def __init__(self, size: int) -> None:
        self.size = size

    def successors(self, state: tuple[int, int]) -> Iterator[tuple[str, int, tuple[int, int]]]:
        x, y = state
        for action, nx, ny in (("east", x + 1, y), ("north", x, y + 1), ("west", x - 1, y), ("south", x, y - 1)):
            if 0 <= nx <= self.size and 0 <= ny <= self.size:
                yield action, 1, (nx, ny)

    def is_goal(self, state: tuple[int, int]) -> bool:
        return state == (self.size, self.size)

    def heuristic(self, state: tuple[int, int]) -> int:
        return 2 * self.size - sum(state)


class Forever:
    """A task on an infinite line without a goal."""

    start = 0

    def successors(self, state: int) -> list[tuple[str, int, int]]:
        return [("on", 1, state + 1)]

    def is_goal(self, state: int) -> bool:
        return False


class NorthFirst:
    """A policy that prefers going north, has an accuracy and counts its calls."""

    accuracy = 0.9
    batch = 3

    def __init__(self) -> None:
        self.calls: list[int] = []

    def scores(self, states: Sequence[tuple[int, int]], actions: Sequence[Sequence[str]]) -> list[list[float]]:
        self.calls.append(len(states))
        return [[0.0 if action == "north" else -1.0 for action in row] for row in actions]


@pytest.mark.parametrize(
    ("text", "fraction"),
    [
        ("1.15", (23, 20)),
        (1.15, (23, 20)),
        ("3/2", (3, 2)),
        (2, (2, 1)),
        (Fraction(7, 5), (7, 5)),
        (Decimal("1.10"), (11, 10)),
        ("1.5e1", (15, 1)),
        (1e3, (1000, 1)),
        (" 1.50 ", (3, 2)),
        (numpy.float64(1.5), (3, 2)),
        (numpy.float32(1.5), (3, 2)),
        (numpy.int64(2), (2, 1)),
    ],
)
def test_weights_are_read_exactly(text: Any, fraction: tuple[int, int]) -> None:
    assert parse_weight(text) == fraction


@pytest.mark.parametrize(
    "text", ["0.9", "-2", "two", "", "1.5.2", "1/0", "3/2e1", float("nan"), float("inf"), "1e99", None]
)
def test_bad_weights_are_refused(text: Any) -> None:
    with pytest.raises(ValueError, match="w "):
        parse_weight(text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "dfs"}, "search 'dfs' is unknown; did you mean 'pfs'"),
        ({"order": "disc9"}, "order 'disc9' is unknown; did you mean 'disc3'"),
        ({"policy": "best"}, "policy"),
        ({"order": "disc1", "alpha": "some"}, "choose one of: all, applicable"),
        ({"search": "focal", "ties": "g"}, "choose one of: f, h, newest, oldest"),
        ({"search": "focal", "ties": "newest,h"}, "then newest or oldest"),
        ({"search": "prefastar", "preferred": "all"}, "choose one of: policy, ff"),
        ({"time_limit": -1}, "must be positive"),
        ({"time_limit": "5 parsecs"}, "such as 30s or 5m"),
        ({"memory_limit": "much"}, "such as 500MB or 4GB"),
        ({"search": "focal", "k_focal": 0}, "must be positive"),
        ({"search": "focal", "deepen": -1}, "from 0 to 1000000"),
        ({"search": "focal", "prove": 10**30}, "from 0 to 1000000"),
        ({"search": "focal", "deepen": 1}, "cheap states"),
        ({"heuristic": "hmax"}, "callable"),
        ({"order": "disc1", "policy": "uniform"}, "accuracy"),
        ({"order": "disc1", "accuracy": 0.9}, "actions"),
        ({"order": "disc1", "accuracy": 1.5, "alpha": "applicable"}, "accuracy"),
    ],
)
def test_bad_options_are_refused_with_the_legal_ones(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solve(Grid(2), **options)


def test_disc1_refuses_an_accuracy_no_better_than_chance() -> None:
    space = _core.ExplicitStateSpace(2, 4, 0, [1], [(0, 0, 1, 1)])
    with pytest.raises(ValueError, match=r"1/\|A\|"):
        solve(space, order="disc1", accuracy=0.25)
    assert solve(space, order="disc1", accuracy=0.26).cost == 1
    lonely = _core.ExplicitStateSpace(2, 1, 0, [1], [(0, 0, 1, 1)])
    assert solve(lonely, order="disc1", accuracy=0.5).cost == 1


def test_disc1_ratio_is_the_papers_formula() -> None:
    assert round(_core.discrepancy_ratio(0.9, 3), 4) == 0.0310
    assert _core.discrepancy_ratio(1.0, 3) == 0
    assert _core.discrepancy_ratio(0.3, 0) == 0


def test_every_search_solves_a_python_task() -> None:
    task = Grid(4)
    for search in (astar, wastar, gbfs, focal, prefastar, optimistic):
        result = search(task)
        assert (result.status, result.cost, result.lower_bound, result.certified) == ("solved", 8, 8, True)
    assert unroll(task).cost == 8
    with pytest.raises(ValueError, match="use astar"):
        idastar(task)


def test_a_python_policy_sees_states_and_actions_in_batches() -> None:
    policy = NorthFirst()
    result = focal(Grid(4), "disc1", policy=policy, alpha="applicable", ties="h")
    assert result.plan == ["north"] * 4 + ["east"] * 4
    assert 1 < max(policy.calls) <= 3
    assert result.record["accuracy"] == 0.9
    assert result.record["policy"] == "NorthFirst"


def test_a_wrong_python_policy_is_an_error() -> None:
    class Short:
        def scores(self, states: Sequence[Any], actions: Sequence[Sequence[Any]]) -> list[list[float]]:
            return [[0.0] for _ in states]

    with pytest.raises(ValueError, match="fewer scores"):
        focal(Grid(2), policy=Short())
    with pytest.raises(TypeError, match="scores"):
        focal(Grid(2), policy=object())  # type: ignore[arg-type]


def test_a_custom_order_equals_the_built_in_one() -> None:
    for seed in range(300):
        space, policy = native(random_graph(seed))
        built_in = solve(space, order="disc3", policy=policy)
        custom = solve(space, order=lambda step: step.parent + step.rank, policy=policy)
        assert (built_in.plan, built_in.statistics["expanded"]) == (custom.plan, custom.statistics["expanded"])
    with pytest.raises(ValueError, match="not finite"):
        solve(Grid(2), order=lambda step: float("nan"))


def test_a_lookahead_saves_calls_of_the_policy() -> None:
    one, many = (focal(Grid(6), "score1", policy=NorthFirst(), lookahead=k) for k in (1, 8))
    assert one.statistics["expanded"] == many.statistics["expanded"]
    assert one.statistics["policy_calls"] > many.statistics["policy_calls"]


def test_paths_too_deep_for_depth_first_passes_do_not_end_focal_search() -> None:
    states = 21_000
    chain = _core.ExplicitStateSpace(states, 1, 0, [states - 1], [(at, 0, 0, at + 1) for at in range(states - 1)])
    with pytest.raises(ValueError, match="use astar"):
        solve(chain, "idastar")
    result = focal(chain, policy="uniform", deepen=16)
    assert result.cost == 0
    assert result.statistics["deepened"] >= 20_000


def test_extensions_of_the_papers_search_work_on_python_tasks() -> None:
    eager, lazy, best = (
        focal(Grid(6), policy=NorthFirst(), w=1, **options)
        for options in ({"paper": True}, {"paper": True, "lazy": True}, {})
    )
    assert eager.cost == lazy.cost == best.cost == best.lower_bound
    assert lazy.statistics["evaluated"] < eager.statistics["evaluated"]


def test_an_inadmissible_heuristic_needs_permission_and_proves_nothing() -> None:
    space = _core.ExplicitStateSpace(2, 1, 0, [1], [(0, 0, 1, 1)], [5, 0], admissible=False)
    with pytest.raises(ValueError, match="not admissible"):
        astar(space)
    result = astar(space, uncertified=True)
    assert (result.cost, result.lower_bound, result.certified, result.proven_ratio) == (1, 0, False, None)
    unsolvable = _core.ExplicitStateSpace(2, 1, 0, [], [(0, 0, 1, 1)], [None, 0], admissible=False)
    assert astar(unsolvable, uncertified=True).status == "not_found"


def test_limits_end_the_search_with_the_bound_so_far() -> None:
    result = astar(Forever(), expansion_limit=1000)
    assert (result.status, result.statistics["expanded"], result.lower_bound) == ("expansion_limit", 1000, 1000)
    assert result.exit_code == 23
    for search in ("astar", "wastar", "gbfs", "focal", "optimistic"):
        stopped = solve(Forever(), search, time_limit=0.05)
        assert stopped.status == "timeout"
        assert known(stopped.lower_bound) > 0
    assert astar(Forever(), memory_limit=1).status == "memout"


def test_limits_are_numbers_or_texts() -> None:
    assert solve(Forever(), "astar", time_limit="50ms", memory_limit="64GB").status == "timeout"


def test_a_slow_heuristic_does_not_outlive_the_time_limit() -> None:
    def slow(state: int) -> int:
        time.sleep(0.02)
        return 0

    result = astar(Forever(), heuristic=slow, time_limit=0.2)
    assert result.status == "timeout"
    assert result.statistics["evaluated"] < 20


def test_progress_is_reported_and_can_stop_the_search() -> None:
    seen: list[int] = []

    def stop(progress: _core.Progress) -> bool:
        seen.append(progress.lower_bound)
        return len(seen) < 2

    result = astar(Forever(), on_progress=stop)
    assert result.status == "interrupted"
    assert len(seen) == 2
    assert known(result.lower_bound) >= seen[-1]


def test_an_exception_in_a_callback_is_passed_on() -> None:
    class Broken(Forever):
        def is_goal(self, state: int) -> bool:
            if state == 10:
                raise RuntimeError("broken")
            return False

    with pytest.raises(RuntimeError, match="broken"):
        astar(Broken())

    def tell(progress: _core.Progress) -> bool:
        raise KeyError("reported")

    with pytest.raises(KeyError, match="reported"):
        astar(Forever(), on_progress=tell)


def test_every_better_plan_is_reported() -> None:
    edges = [(0, 0, 9, 1), (0, 1, 1, 2), (2, 0, 4, 1), (2, 1, 1, 3), (3, 0, 1, 1)]
    space = _core.ExplicitStateSpace(4, 2, 0, [1], edges)
    reported: list[tuple[list[str], int]] = []
    policy = _core.TablePolicy([0.0, -1.0] * 4, 2)
    result = solve(
        space,
        "focal",
        w=10,
        policy=policy,
        anytime=True,
        on_incumbent=lambda plan, cost, bound: reported.append((plan, cost)),
    )
    assert (result.cost, result.lower_bound) == (3, 3)
    assert [cost for _, cost in reported] == sorted({cost for _, cost in reported}, reverse=True)
    assert reported[-1] == (["1", "1", "0"], 3)


@pytest.mark.parametrize(
    ("successor", "error"),
    [(("a", -1, 0), ValueError), (("a", 0.5, 0), TypeError), (("a", 1), ValueError), (("a", 1, []), TypeError)],
)
def test_wrong_successors_are_errors(successor: tuple[Any, ...], error: type[Exception]) -> None:
    class Wrong(Forever):
        def successors(self, state: int) -> Any:
            return [successor]

    with pytest.raises(error):
        astar(Wrong())


@pytest.mark.parametrize("value", [-1, 0.5, "far", float("nan")])
def test_wrong_heuristic_values_are_errors(value: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="heuristic"):
        astar(Grid(2), heuristic=lambda state: value)


def test_dead_ends_of_a_python_heuristic() -> None:
    assert astar(Grid(2), heuristic=lambda state: None).status == "unsolvable"
    assert astar(Grid(2), heuristic=lambda state: float("inf")).status == "unsolvable"


def test_a_task_without_the_members_is_refused() -> None:
    with pytest.raises(TypeError, match="lacks `successors`"):
        astar(type("Nothing", (), {"start": 0})())


def test_the_result_says_how_to_repeat_the_run() -> None:
    result = focal(Grid(3), "disc3", "1.25", policy="uniform", ties="h,f,oldest")
    assert result.w == Fraction(5, 4)
    assert result.record["search"] == "focal"
    assert result.record["order"] == "disc3"
    assert result.record["policy"] == "uniform"
    assert result.record["seed"] is None
    assert result.record["ties"] == ["h", "f", "oldest"]
    assert result.to_dict()["statistics"]["expanded"] == result.statistics["expanded"]


@pytest.mark.parametrize(
    ("certified", "reopen", "ratio"), [(True, True, 1.5), (False, True, 1.5), (False, None, 1.5), (False, False, None)]
)
def test_a_proven_ratio_greater_than_w_is_reported(certified: bool, reopen: bool | None, ratio: float | None) -> None:
    record = {"search": "focal", "reopen": reopen, "w_exact": "1/1"}
    assert Result("timeout", ["go"], 18, 12, certified, (1, 1), record, {}).proven_ratio == ratio
