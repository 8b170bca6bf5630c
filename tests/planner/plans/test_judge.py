"""`judge` validates given plans, bounds their suboptimality, and finds better ones."""

from __future__ import annotations

import json
from pathlib import Path

from support import fsplan, known

import fsplan as api
from fsplan.planner.sources.pddl import domain_beside

OPTIMUM = 18


def long_plan() -> list[str]:
    """A valid plan with a detour."""
    plan = known(api.solve(api.load(api.example("blocks-8-0")), w=1).plan)
    assert len(plan) == OPTIMUM
    first = plan[0].split()
    assert first[0] == "unstack"
    return [plan[0], f"stack {first[1]} {first[2]}", *plan]


def files(tmp_path: Path, plan: list[str]) -> list[str]:
    path = tmp_path / "plan.txt"
    path.write_text("".join(f"({step})\n" for step in plan))
    problem = api.example("blocks-8-0")
    return [domain_beside(problem), problem, str(path)]


def test_a_plan_with_a_detour_is_improved() -> None:
    verdict = api.judge(api.load(api.example("blocks-8-0")), long_plan(), w=1)
    assert verdict.valid
    assert (verdict.cost, verdict.lower_bound) == (OPTIMUM + 2, OPTIMUM)
    assert len(known(verdict.better_plan)) == OPTIMUM
    assert abs(known(verdict.excess) - 2 / OPTIMUM) < 1e-9
    assert verdict.message.startswith("the plan is valid and costs 20, at most 12 % above the optimum; a better plan")


def test_a_plan_that_is_good_enough_is_left_alone() -> None:
    verdict = api.judge(api.load(api.example("blocks-8-0")), long_plan(), w=2)
    assert verdict.valid
    assert known(verdict.excess) <= 1


def test_the_step_that_fails_is_named(tmp_path: Path) -> None:
    plan = long_plan()
    run = fsplan("judge", *files(tmp_path, [plan[0], plan[0]]))
    assert run.returncode == 1
    assert run.stdout == ""
    assert "the plan is not valid: step 2" in run.stderr


def test_the_command_prints_the_better_plan_and_streams(tmp_path: Path) -> None:
    words = files(tmp_path, long_plan())
    run = fsplan("judge", *words, "--w", 1)
    assert run.returncode == 0
    assert run.stdout.splitlines()[-1] == "; cost = 18 (unit cost)"
    streamed = fsplan("judge", *words, "--w", 1, "--json-stream", "-")
    *points, last = [json.loads(line) for line in streamed.stdout.splitlines()]
    assert (last["valid"], last["better_cost"], last["lower_bound"]) == (True, OPTIMUM, OPTIMUM)
    assert set(points[0]) == {"seconds", "work", "cost", "lower_bound", "part", "ratio"}
    assert OPTIMUM <= points[0]["cost"] <= OPTIMUM + 2
    assert points[-1]["ratio"] == 1
    assert [point["lower_bound"] for point in points] == sorted(point["lower_bound"] for point in points)
