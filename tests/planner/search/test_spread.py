"""`auto` on a Dask cluster: workers exchange plans and bounds; if a worker is lost, only its parts are lost."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
from blocks_problems import DOMAIN, tower_problem
from support import fsplan as run_fsplan
from support import known

import fsplan
from fsplan.planner.base.cluster import ClusterError
from fsplan.planner.search.portfolio.spread import Coordinator, rows_of
from fsplan.planner.search.portfolio.table import TABLE

BLOCKS = fsplan.example("blocks-8-0")


def hard_task() -> fsplan.Task:
    """A task for which a plan is found quickly and an optimality proof would take minutes."""
    return fsplan.load(DOMAIN.read_text(), tower_problem("agmbhn cidjpe fkolq rsvtu", "kuvatsrbdqpcnlemohjgif"))


@pytest.fixture
def local() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="a cluster needs fsplan[cluster]")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as started:
        yield started


@pytest.mark.parametrize("count", [1, 2, 3, len(TABLE)])
def test_every_part_belongs_to_one_job(count: int) -> None:
    jobs = [rows_of(number, count) for number in range(count)]
    assert sorted(row.name for rows in jobs for row in rows) == sorted(row.name for row in TABLE)
    assert [any(row.decides for row in rows) for rows in jobs] == [
        any(row.last_resort for row in rows) for rows in jobs
    ]


def test_only_auto_on_a_pddl_task_is_spread() -> None:
    for task, search in ((fsplan.load("tiles8:random/1"), None), (fsplan.load(BLOCKS), "astar")):
        with pytest.raises(ValueError, match="only the search auto"):
            fsplan.solve(task, search, scheduler="tcp://127.0.0.1:1")


@pytest.mark.long
def test_two_workers_prove_what_one_process_proves(local: Any) -> None:
    task, gaps = fsplan.load(BLOCKS), list[Any]()
    result = fsplan.solve(task, w=1, scheduler=local.scheduler_address, on_gap=gaps.append)
    assert (result.status, result.cost, result.lower_bound, result.certified) == ("solved", 18, 18, True)
    work = result.statistics["work"]
    assert work["dive"] > 0
    assert work["optimistic"] > 0
    assert result.statistics["expanded"] > 0
    assert {result.statistics["plan_by"], result.statistics["bound_by"]} <= work.keys()
    assert gaps[-1].cost == gaps[-1].lower_bound == 18


@pytest.mark.long
def test_a_task_without_a_plan_is_proven_unsolvable(local: Any) -> None:
    domain = """(define (domain d) (:predicates (p ?x) (q ?x))
     (:action a :parameters (?x) :precondition (p ?x) :effect (and (q ?x) (not (p ?x))))
     (:action b :parameters (?x) :precondition (q ?x) :effect (and (p ?x) (not (q ?x)))))"""
    problem = "(define (problem x) (:domain d) (:objects o) (:init (p o)) (:goal (and (p o) (q o))))"
    result = fsplan.solve(fsplan.load(domain, problem), scheduler=local.scheduler_address)
    assert (result.status, result.plan) == ("unsolvable", None)


@pytest.mark.long
@pytest.mark.parametrize("killed", [1, 2])
def test_a_run_continues_without_lost_workers(local: Any, killed: int) -> None:
    """If both workers are lost, the main process continues with the plans and bounds that they have reported."""
    pids = [worker.pid for worker in local.workers.values()]
    seen = list[int]()

    def kill_at_first(plan: list[str], cost: int, bound: int) -> None:
        for pid in pids[:killed] if not seen else ():
            os.kill(pid, signal.SIGKILL)
        seen.append(cost)

    result = fsplan.solve(
        hard_task(), w=1, scheduler=local.scheduler_address, on_incumbent=kill_at_first, time_limit=20
    )
    assert result.status == "timeout"
    assert result.cost is not None
    assert result.cost <= min(seen)
    assert 0 < result.lower_bound < result.cost
    ran = {name for name, work in result.statistics["work"].items() if work > 0}
    assert ran
    if killed == 1:
        assert ran.issubset({row.name for row in rows_of(0, 2)}) or ran.issubset({row.name for row in rows_of(1, 2)})
    else:
        assert "optimistic" in ran


@pytest.mark.long
def test_a_plan_that_arrives_while_the_run_ends_is_kept(local: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    task = fsplan.load(BLOCKS)
    optimum = fsplan.solve(task, w=1)
    message = {"number": 0, "news": [optimum.actions, 18, 18], "part": "dive", "work": 1, "is_idle": False}
    monkeypatch.setattr(Coordinator, "follow", lambda coordinator: coordinator.messages.put(message))
    result = fsplan.solve(task, w=1, scheduler=local.scheduler_address)
    assert (result.status, result.plan, result.lower_bound) == ("solved", optimum.plan, 18)
    assert result.statistics["plan_by"] == "dive"


@pytest.mark.long
def test_limits_and_interrupts_end_the_run_with_plan_and_bound(local: Any) -> None:
    task, begin = hard_task(), time.perf_counter()

    def is_wanted(progress: Any) -> bool:
        return progress.incumbent is None or time.perf_counter() - begin < 3

    stopped = fsplan.solve(task, w=1, scheduler=local.scheduler_address, on_progress=is_wanted)
    limited = fsplan.solve(task, w=1, scheduler=local.scheduler_address, time_limit=12)
    assert (stopped.status, limited.status) == ("interrupted", "timeout")
    for result in (stopped, limited):
        assert 0 < result.lower_bound < known(result.cost)


@pytest.mark.long
def test_the_command_line_plans_on_a_cluster(local: Any) -> None:
    done = run_fsplan(str(BLOCKS), "--w", "1", "--scheduler", local.scheduler_address)
    assert done.returncode == 0
    assert "cost 18, 18 steps, optimal (proven)" in done.stderr


@pytest.mark.long
def test_a_missing_scheduler_is_named() -> None:
    pytest.importorskip("distributed", reason="a cluster needs fsplan[cluster]")
    with pytest.raises(ClusterError, match="no Dask scheduler answers"):
        fsplan.solve(fsplan.load(BLOCKS), scheduler="nowhere")
