"""Searches respect their limits with any heuristic or policy and in any thread."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from random_ground_tasks import strips_task
from support import read_by

import fsplan
from fsplan.planner import _core
from fsplan.planner.base.limits import Limits
from fsplan.planner.policies.registry import resolve

MOST = 2**31 - 2  # the greatest cost of an action
BOUNDED = ["rr-d", "dps", "ees", "xdp", "xup", "dswa"]


def graph(states: int, edges: list[tuple[int, int, int, int]], **options: Any) -> _core.ExplicitStateSpace:
    """A state space with these edges; the last state is the goal."""
    return _core.ExplicitStateSpace(states=states, actions=3, start=0, goals=[states - 1], edges=edges, **options)


def test_anytime_ends_where_nothing_can_be_proven() -> None:
    edges = [
        (0, 0, 5, 1),
        (0, 1, 1, 2),
        (0, 2, 1, 3),
        (2, 0, 1, 1),
        (3, 0, 9, 6),
        (3, 1, 0, 4),
        (4, 0, 9, 5),
        (5, 0, 1, 6),
    ]
    space = graph(7, edges, h=[0, 0, 0, 9, 0, 0, 0])
    found = fsplan.focal(space, policy="uniform", w=5, reopen=False, anytime=True, paper=True)
    assert (found.status, found.cost) == ("solved", 10)


def test_anytime_ends_without_a_bound() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    found = fsplan.focal(task, heuristic="hff", uncertified=True, anytime=True, expansion_limit=100_000)
    assert found.cost is not None


class Line:
    start = 0

    def successors(self, state: int) -> list[tuple[str, int, int]]:
        return [("on", 1, state + 1)]

    def is_goal(self, state: int) -> bool:
        return state == 3


@pytest.mark.parametrize("search", ["focal", "astar", "wastar", "optimistic", *BOUNDED])
def test_a_heuristic_that_a_plan_shows_to_be_inadmissible_is_refused(search: str) -> None:
    options: dict[str, Any] = {"order": "score1"} if search == "focal" else {}
    with pytest.raises(ValueError, match="not admissible: by it no plan costs less than 300, and one costs 3"):
        fsplan.solve(Line(), search, heuristic=lambda state: 100 * abs(3 - state), policy=None, **options)


@pytest.mark.parametrize("search", ["focal", "astar", "wastar", "gbfs", "prefastar", "optimistic", "idastar", *BOUNDED])
def test_a_path_whose_cost_exceeds_the_range_is_ignored(search: str) -> None:
    space = graph(4, [(0, 0, 5, 3), (0, 1, 1, 1), (1, 0, MOST, 2), (1, 1, 1, 3), (2, 0, MOST, 3)])
    found = fsplan.solve(
        space, search, **read_by(search, policy="uniform"), **({"anytime": True} if search == "focal" else {})
    )
    assert found.status == "solved"
    assert found.cost == 2 or search in ("gbfs", "prefastar")


@pytest.mark.parametrize("search", ["focal", "astar", "optimistic", "idastar", *BOUNDED])
def test_if_all_plans_exceed_the_range_of_costs_an_error_is_raised(search: str) -> None:
    with pytest.raises(OverflowError, match="scale the costs down"):
        fsplan.solve(graph(3, [(0, 0, MOST, 1), (1, 0, MOST, 2)]), search, **read_by(search, policy="uniform"))


def test_an_f_value_beyond_the_range_is_rounded_down() -> None:
    space = graph(3, [(0, 0, 1, 2), (0, 1, 1, 1), (1, 0, MOST - 1, 2)], h=[1, MOST - 1, 0])
    assert fsplan.astar(space).cost == 1


class Slow:
    def scores(self, states: Sequence[object], actions: Sequence[Sequence[object]]) -> list[list[float]]:
        time.sleep(0.001)
        return [[-1.0] * len(row) for row in actions]


def test_the_time_limit_is_respected_when_expansions_become_slower() -> None:
    task = fsplan.load("tiles8:random/7")
    found = fsplan.focal(task, policy=Slow(), w=1, heuristic="blind", deepen=100_000, time_limit=0.2)
    assert found.status == "timeout"
    assert found.statistics["expanded"] < 2000


def test_only_one_search_at_a_time_may_use_a_task() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    alone = fsplan.wastar(task, w="1.5").statistics["expanded"]
    counts: list[int] = []
    refused: list[str] = []

    def search() -> None:
        try:
            counts.append(fsplan.wastar(task, w="1.5").statistics["expanded"])
        except RuntimeError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts
    assert set(counts) == {alone}
    assert all("load it again" in message for message in refused)


def test_a_callback_may_not_use_the_state_space_that_is_being_searched() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    start = task.state_space.start_values()
    with pytest.raises(RuntimeError, match="load it again"):
        fsplan.astar(task, heuristic="blind", on_progress=lambda _: bool(task.state_space.successors(start)))


@pytest.mark.parametrize("score", [0.5, 12.0, float("inf")])
def test_scores_that_are_no_log_probabilities_are_refused(score: float) -> None:
    class Policy:
        def scores(self, states: Sequence[object], actions: Sequence[Sequence[object]]) -> list[list[float]]:
            return [[score] * len(row) for row in actions]

    with pytest.raises(ValueError, match="log-probabilities, at most 0"):
        fsplan.focal(fsplan.load("tiles8:random/7"), policy=Policy())


SMALL_STACK = """
import threading
import fsplan
from fsplan.planner import _core

space = _core.ExplicitStateSpace(
    states=19000, actions=1, start=0, goals=[18999], edges=[(i, 0, 0, i + 1) for i in range(18999)]
)
def search():
    try:
        fsplan.idastar(space)
    except ValueError as error:
        print(error)
threading.stack_size(512 * 1024)
thread = threading.Thread(target=search)
thread.start()
thread.join()
"""


def test_idastar_ends_before_the_stack_does() -> None:
    done = subprocess.run([sys.executable, "-c", SMALL_STACK], capture_output=True, text=True)
    assert (done.returncode, "use astar" in done.stdout) == (0, True), done.stderr


class Interrupted:
    """A policy, heuristic and task in one class, in each of which Ctrl-C may arrive."""

    start = 0

    def __init__(self, calls: int) -> None:
        self.calls = calls

    def count(self) -> None:
        self.calls -= 1
        if self.calls < 0:
            raise KeyboardInterrupt

    def scores(self, states: Sequence[object], actions: Sequence[Sequence[object]]) -> list[list[float]]:
        self.count()
        return [[-1.0] * len(row) for row in actions]

    def successors(self, state: int) -> list[tuple[str, int, int]]:
        self.count()
        return [("on", 1, state + 1), ("over", 3, state + 2)]

    def is_goal(self, state: int) -> bool:
        return state == 100

    def __call__(self, state: int) -> int:
        self.count()
        return max(0, 100 - state)


@pytest.mark.parametrize("search", ["focal", "prefastar", "optimistic"])
def test_ctrl_c_in_a_policy_ends_the_search_with_its_bound(search: str) -> None:
    task = fsplan.load("tiles15:korf/1")
    best = 57
    for calls in range(1, 60, 7):
        with pytest.raises(KeyboardInterrupt) as stopped:
            fsplan.solve(task, search, policy=Interrupted(calls), w=1)
        found = stopped.value.result  # type: ignore[attr-defined]
        assert found.status == "interrupted"
        assert 35 <= found.lower_bound <= best


@pytest.mark.parametrize("search", ["focal", "astar", "wastar", "prefastar", "optimistic", *BOUNDED])
def test_ctrl_c_in_a_task_ends_the_search_with_its_bound(search: str) -> None:
    for calls in (3, 20, 50):
        task = Interrupted(calls)
        with pytest.raises(KeyboardInterrupt) as stopped:
            fsplan.solve(task, search, heuristic=task, **read_by(search, policy="uniform", w=1))
        found = stopped.value.result  # type: ignore[attr-defined]
        assert found.status == "interrupted"
        assert found.lower_bound <= 100


@pytest.mark.parametrize("policy", ["synthetic:0.8", "ff"])
def test_searches_in_threads_may_share_a_policy(policy: str) -> None:
    def search(found: list[tuple[float | None, int]]) -> None:
        own = fsplan.load(fsplan.example("blocks-8-0"))
        for _ in range(20):
            answer = fsplan.solve(own, "focal", order="disc2", policy=shared, w=2)
            found.append((answer.cost, answer.statistics["expanded"]))

    shared = resolve(policy, fsplan.load(fsplan.example("blocks-8-0")), seed=1)
    alone: list[tuple[float | None, int]] = []
    search(alone)
    together: list[list[tuple[float | None, int]]] = [[], []]
    threads = [threading.Thread(target=search, args=(found,)) for found in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == [alone, alone]


@pytest.mark.parametrize("heuristic", ["hmax", "lmcut", "hadd"])
def test_limits_cover_the_preparation_of_a_search(heuristic: str) -> None:
    """Preparation builds the successor generator and the delete relaxation; later searches must still be possible."""
    count = 60_000
    actions = [(f"go {value}", [(0, value - 1)], [(0, value)], 1) for value in range(1, count)]
    space = _core.GroundStateSpace(strips_task([count], actions, [(0, 3)]))
    stopped = fsplan.solve(space, "wastar", heuristic=heuristic, time_limit=1e-6, uncertified=True)
    assert (stopped.status, stopped.statistics["expanded"]) == ("timeout", 0)
    assert fsplan.solve(space, "wastar", heuristic=heuristic, uncertified=True).cost == 3


@pytest.mark.parametrize("hang", [lambda: time.sleep(30), lambda: sum(1 for _ in range(10**9))])
def test_a_time_limit_ends_python_code_of_the_user(hang: Callable[[], object]) -> None:
    class Hanging:
        start, actions = 0, ["step"]

        def successors(self, state: int) -> list[tuple[str, int, int]]:
            if state == 3:
                hang()
            return [("step", 1, state + 1)]

        def is_goal(self, _state: int) -> bool:
            return False

        def heuristic(self, _state: int) -> int:
            return 0

    result = fsplan.solve(Hanging(), search="astar", time_limit=0.1)
    assert result.status == "timeout"
    assert result.lower_bound == 3
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


def test_limits_restore_signal_handlers() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with Limits(time=60).enforced():
        assert signal.getsignal(signal.SIGALRM) != before
    assert signal.getsignal(signal.SIGALRM) == before
