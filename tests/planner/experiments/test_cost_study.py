"""scripts/cost_study.py: unit costs by leaving out the metric, and the comparison on common tasks."""

from __future__ import annotations

import runpy
from typing import Any

from support import ROOT

import fsplan

STUDY = runpy.run_path(str(ROOT / "scripts/cost_study.py"))


def _row(cost: int | None, expansions: int) -> dict[str, Any]:
    return {"status": "timeout" if cost is None else "solved", "cost": cost, "expansions": expansions, "ratio": 1.25}


def test_without_its_metric_a_task_has_unit_costs() -> None:
    domain, problem = ((ROOT / "docs/examples" / name).read_text() for name in ("domain.pddl", "problem.pddl"))
    assert not fsplan.load(domain, problem).unit_cost
    stripped = STUDY["METRIC"].sub("", problem)
    assert len(stripped) < len(problem)
    assert fsplan.load(domain, stripped).unit_cost


def test_a_search_is_compared_where_it_and_wastar_solve_both_kinds() -> None:
    common = {("wastar", "a"): _row(5, 100), ("ees", "a"): _row(5, 50), ("wastar", "b"): _row(9, 10)}
    rows = {"costs": {**common, ("ees", "b"): _row(8, 10)}, "unit": {**common, ("ees", "b"): _row(None, 7)}}
    assert STUDY["line"]("ees", "costs", rows) == "2 of 2 | 0.50 | 1.250 | 1"
    assert STUDY["line"]("ees", "unit", rows) == "1 of 2 | 0.50 | 1.250 | 1"


def test_a_search_without_common_tasks_has_no_means() -> None:
    rows = {kind: {("wastar", "a"): _row(5, 100), ("ees", "a"): _row(None, 1)} for kind in ("costs", "unit")}
    assert STUDY["line"]("ees", "costs", rows) == "0 of 1 | - | - | 0"
