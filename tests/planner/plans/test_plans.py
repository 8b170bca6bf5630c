"""Every plan that `solve` returns has been checked."""

from __future__ import annotations

from pathlib import Path

import pytest

import fsplan
from fsplan.planner.plans.plan_files import WrongPlan, check_plan, format_plan, read_steps

SAS = """begin_version
3
end_version
begin_metric
1
end_metric
1
begin_variable
var0
-1
3
Atom at(a)
Atom at(b)
Atom at(c)
end_variable
0
begin_state
0
end_state
begin_goal
1
0 2
end_goal
3
begin_operator
go
0
1
0 0 0 1
2
end_operator
begin_operator
go
0
1
0 0 1 2
3
end_operator
begin_operator
fly
0
1
0 0 0 2
9
end_operator
0
"""


@pytest.fixture
def sas(tmp_path: Path) -> fsplan.Task:
    file = tmp_path / "output.sas"
    file.write_text(SAS)
    return fsplan.load(file)


def test_plans_of_sas_files_are_replayed(sas: fsplan.Task) -> None:
    found = fsplan.astar(sas)
    assert (found.plan, found.cost) == (["go", "go"], 5)
    check_plan(sas, ["fly"], 9)


@pytest.mark.parametrize(
    ("plan", "cost", "fault"),
    [(["go"], 2, "no goal"), (["go", "go"], 4, "at cost 4"), (["go", "fly"], 11, "step 2"), ([], 0, "no goal")],
)
def test_wrong_plans_of_sas_files_are_found(sas: fsplan.Task, plan: list[str], cost: int, fault: str) -> None:
    with pytest.raises(WrongPlan, match=fault):
        check_plan(sas, plan, cost)


@pytest.mark.parametrize("spec", ["tiles8:random/3", "pancake6:random/1"])
def test_plans_of_puzzles_are_replayed(spec: str) -> None:
    task = fsplan.load(spec)
    found = fsplan.astar(task)
    assert found.plan
    assert found.cost is not None
    with pytest.raises(WrongPlan, match="no goal"):
        check_plan(task, found.plan[:-1], found.cost - 1)


def test_plans_of_pddl_tasks_pass_the_validator() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    found = fsplan.solve(task, "wastar", w=5)
    assert found.plan is not None
    assert found.cost is not None
    with pytest.raises(WrongPlan, match="step 1"):
        check_plan(task, found.plan[1:], found.cost - 1)
    with pytest.raises(WrongPlan, match="states cost"):
        check_plan(task, found.plan, found.cost + 1)


def test_a_written_plan_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "plan"
    file.write_text(format_plan(["pick-up b", "stack b a"], 2, True))
    assert read_steps(str(file)) == ["pick-up b", "stack b a"]
