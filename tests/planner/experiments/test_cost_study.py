"""scripts/cost_study.py: a task without its metric has unit costs; searches are compared on common tasks."""

from __future__ import annotations

import runpy

from support import ROOT

import fsplan
from fsplan.planner.experiments.suites import TaskName

STUDY = runpy.run_path(str(ROOT / "scripts/cost_study.py"))
EXAMPLES = ROOT / "docs/examples"
COURIER = TaskName("courier", "courier", (str(EXAMPLES / "domain.pddl"), str(EXAMPLES / "problem.pddl")))


def _result(cost: int | None, expanded: int) -> fsplan.Result:
    status = "solved" if cost is not None else "expansion_limit"
    return fsplan.Result(status, cost and ["step"], cost, 4, True, (3, 2), {}, {"expanded": expanded})


def test_without_its_metric_a_task_has_unit_costs() -> None:
    assert STUDY["has_costs"](COURIER)
    assert not STUDY["loaded"](COURIER, "costs").unit_cost
    task = STUDY["loaded"](COURIER, "unit")
    assert task.unit_cost
    for name in ("ees", "disc2"):
        assert STUDY["run"](task, name, "1.5", 1000).status == "solved"


def test_a_search_is_compared_on_tasks_that_it_and_wastar_solve_with_both_kinds_of_costs() -> None:
    found = {(kind, "wastar", task): _result(5, 100) for kind in ("costs", "unit") for task in ("a", "b")}
    found |= {(kind, "ees", "a"): _result(5, 50) for kind in ("costs", "unit")}
    found |= {("costs", "ees", "b"): _result(6, 10), ("unit", "ees", "b"): _result(None, 10)}
    assert STUDY["line"]("ees", "costs", found) == "2 of 2 | 0.50 | 1.250 | 1"
    assert STUDY["line"]("ees", "unit", found) == "1 of 2 | 0.50 | 1.250 | 1"


def test_a_search_without_common_tasks_has_no_means() -> None:
    found = {(kind, name, "a"): _result(None, 9) for kind in ("costs", "unit") for name in ("wastar", "ees")}
    assert STUDY["line"]("ees", "costs", found) == "0 of 1 | - | - | 0"
