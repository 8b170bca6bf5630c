from __future__ import annotations

import math
from typing import Any

import pytest

from fsplan.planner.experiments.compare import (
    common_tasks,
    configurations,
    exact_weight,
    parse_search,
    report_text,
    runs_of,
)
from fsplan.planner.experiments.records import Row, Run, row_of
from fsplan.planner.experiments.suites import TaskName
from fsplan.planner.experiments.summary import confidence_band, configuration, geometric_mean, group_by, wins
from fsplan.planner.experiments.tables import markdown, table


def row(task: str, search: str, cost: int | None, expansions: int | None = None, **rest: Any) -> Row:
    measured = {"status": "solved" if cost is not None else "timeout", "cost": cost, "expansions": expansions, **rest}
    return row_of(Run(task=task, domain="d", search=search), measured)


ROWS = [
    row("a", "astar", 10, 100, ratio=1.0, memory=2_000_000),
    row("a", "wastar", 12, 20, ratio=1.2),
    row("b", "astar", None, 500, lower_bound=7),
    row("b", "wastar", 9, 90, ratio=1.5),
]


def test_only_combinations_that_make_a_difference() -> None:
    made = configurations(
        ["astar", "disc2", "wastar@lmcut", "fd-lama"], ["ff", "uniform"], [1.2, "3/2"], ["hmax", "lmcut"]
    )
    assert [(each.search, each.w, each.policy, each.heuristic) for each in made if each.search == "astar"] == [
        ("astar", "1", None, "hmax"),
        ("astar", "1", None, "lmcut"),
    ]
    assert len([each for each in made if each.search == "focal"]) == 2 * 2 * 2
    assert [(each.w, each.heuristic) for each in made if each.search == "wastar"] == [
        ("1.2", "lmcut"),
        ("1.5", "lmcut"),
    ]
    assert len([each for each in made if each.search == "fd-lama"]) == 1


@pytest.mark.parametrize("w", ["0.9", "x", "1/0", "nan", "-2"])
def test_bad_weights(w: str) -> None:
    with pytest.raises(ValueError, match="w ="):
        exact_weight(w)


def test_thirds_stay_exact() -> None:
    assert exact_weight("4/3") == "4/3"


def test_unknown_search() -> None:
    with pytest.raises(ValueError, match="unknown search 'disc9'; there are score1"):
        parse_search("disc9")


def test_fast_is_a_variant_of_focal_search_alone() -> None:
    plain, fast = configurations(["disc1", "disc1+fast@lmcut"])
    assert (plain.fast, fast.fast, fast.order, fast.heuristic) == (False, True, "disc1", "lmcut")
    (run,) = runs_of([TaskName("tiles8:random/1", "tiles8")], [fast])
    assert (run.variant, run.options) == ("fast", {"fast": True})
    with pytest.raises(ValueError, match="goes with focal search's orders"):
        parse_search("wastar+fast")


def test_fast_downward_reads_pddl_only() -> None:
    configured = configurations(["fd-lama", "wastar"])
    puzzles = list(runs_of([TaskName("tiles8:random/1", "tiles8")], configured))
    assert [run.search for run in puzzles] == ["wastar"]


def test_wins() -> None:
    groups = group_by(ROWS, configuration)
    assert wins(groups["astar"], groups["wastar"], "cost") == (1, 0, 1)
    assert wins(groups["wastar"], groups["astar"], "expansions") == (2, 0, 0)
    assert common_tasks(groups) == {"a"}


def test_an_invalid_plan_is_no_plan() -> None:
    groups = group_by([row("a", "astar", 5, valid=False), row("a", "wastar", 9)], configuration)
    assert wins(groups["wastar"], groups["astar"], "cost") == (1, 0, 0)
    assert "invalid plan" in report_text(groups["astar"])


def test_text() -> None:
    text = report_text(ROWS)
    lines = text.splitlines()
    assert lines[0].split() == [
        "task",
        "search",
        "status",
        "cost",
        "bound",
        "ratio",
        "expansions",
        "seconds",
        "memory",
        "MB",
    ]
    assert any(line.split()[:4] == ["b", "astar", "timeout", "-"] for line in lines)
    assert "wins by expansions" in text
    assert "cost (1 common)" in text


def test_table_is_aligned_and_prints_no_control_characters() -> None:
    text = table(("name", "n"), [("a\x1b[31m\n", 5), ("bb", 12345)])
    assert text.splitlines()[2:] == ["a?[31m?       5", "bb       12,345"]
    assert markdown(("a",), [["x|y"]]).splitlines()[-1] == "| x\\|y |"


def test_geometric_mean() -> None:
    assert geometric_mean([2, 8]) == 4
    assert geometric_mean([]) is None
    assert geometric_mean([0, 1]) is None


def test_confidence_band() -> None:
    low, high = confidence_band([[1, 2, 3], [2, 3, 4]])
    assert 1 <= low < 2.5 < high <= 4
    assert confidence_band([[5.0], [5.0]]) == (5, 5)
    assert all(map(math.isnan, confidence_band([])))
