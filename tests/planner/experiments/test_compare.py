from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsplan.planner.experiments.compare import carry_out, compare, configurations, jobs_of, refuse_unread, runs_of
from fsplan.planner.experiments.comparison import common_tasks, report_text, summary_table
from fsplan.planner.experiments.names import parse_search
from fsplan.planner.experiments.records import Row, Run, row_of
from fsplan.planner.experiments.suites import TaskName
from fsplan.planner.experiments.summary import configuration, group_by, wins
from fsplan.planner.experiments.tables import markdown, table
from fsplan.planner.policies import files
from fsplan.planner.policies.container import Tensor
from fsplan.planner.policies.registry import file_of, split


def row(task: str, search: str, cost: int | None, expansions: int | None = None, **rest: Any) -> Row:
    measured = {"status": "solved" if cost is not None else "timeout", "cost": cost, "expansions": expansions, **rest}
    return row_of(Run(task=task, domain="d", search=search), measured)


TASK = TaskName("tiles8:random/1", "tiles8")
ROWS = [
    row("a", "astar", 10, 100, ratio=1.0, memory=2_000_000),
    row("a", "wastar", 12, 20, ratio=1.2),
    row("b", "astar", None, 500, lower_bound=7),
    row("b", "wastar", 9, 90, ratio=1.5),
]


def test_a_search_is_combined_only_with_the_options_that_it_reads() -> None:
    made = configurations(
        ["astar", "disc2", "wastar@lmcut", "fd-lama"], ["ff", "uniform"], [1.2, "3/2"], ["hmax", "lmcut"]
    )
    by_search = {
        name: [each for each in made if each.search.algorithm == name] for name in ("astar", "focal", "wastar")
    }
    assert [(each.w, each.policy, each.heuristic) for each in by_search["astar"]] == [
        ("1", None, "hmax"),
        ("1", None, "lmcut"),
    ]
    assert len(by_search["focal"]) == 2 * 2 * 2
    assert [(each.w, each.heuristic) for each in by_search["wastar"]] == [("1.2", "lmcut"), ("1.5", "lmcut")]
    assert len([each for each in made if each.search.algorithm == "fd-lama"]) == 1


@pytest.mark.parametrize("search", ["disc2", "prefastar", "unroll", "optimistic"])
def test_every_search_that_reads_a_policy_gets_it(search: str) -> None:
    made = configurations([search], ["ff", "uniform"])
    assert [each.policy for each in made] == ["ff", "uniform"]
    assert len(list(runs_of([TASK], made, seeds=(1, 2)))) == 4


def test_options_that_none_of_the_searches_reads_are_refused() -> None:
    with pytest.raises(ValueError, match="policy is given, but is read by none of: astar, wastar"):
        compare("tiles8:random/1", ["astar", "wastar"], policies=["uniform"])
    with pytest.raises(ValueError, match="w is given, but is read by none of: astar"):
        compare("tiles8:random/1", ["astar"], w=1.2)
    refuse_unread(["astar", "disc2"], w=["1.2"], policy=["uniform"])


def test_options_in_a_name() -> None:
    best, paper = configurations(["disc1", "disc1+paper@lmcut"])
    assert (paper.search.order, paper.heuristic, paper.search.name) == ("disc1", "lmcut", "disc1+paper")
    assert best.search.further != paper.search.further
    (run,) = runs_of([TASK], [paper])
    assert configuration(row_of(run, {})) == "disc1+paper lmcut w=1.5"
    assert dict(parse_search("disc1[applicable,ties=(f,h,oldest),w=2]").options) == {
        "alpha": "applicable",
        "ties": "f,h,oldest",
        "w": "2",
    }
    assert [each.policy for each in configurations(["prefastar[ff,alternate]"], ["ff", "uniform"])] == [None]
    assert parse_search('fd:"astar(blind())"').algorithm == "fd:astar(blind())"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wastar+paper", "wastar\\+paper does not read 'paper'"),
        ("wastar[alternate]", "does not read 'alternate'"),
        ("disc2[prove=x]", "'x' is not a value of prove"),
        ("disc1[alpha=some]", "'some' is not a value of alpha"),
        ("fd-lama@hmax", "it reads no options"),
        ("disc2[w=0.5]", "not a value of w"),
        ("disc2[", "'disc2\\[' is not a search; write for example"),
    ],
)
def test_mistakes_in_a_name(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_search(name)


def test_commas_within_the_options_of_a_policy_do_not_split_it() -> None:
    words = split("synthetic:0.7,support=applicable, ff,own.safetensors,net=my:Net")
    assert words == ["synthetic:0.7,support=applicable", "ff", "own.safetensors,net=my:Net"]
    (run,) = runs_of([TASK], configurations(["disc2"], words[:1]))
    assert (run.policy, run.accuracy) == ("synthetic:0.7,support=applicable", 0.7)


def test_a_heuristic_or_policy_that_does_not_fit_the_task_is_replaced_and_reported(tmp_path: Path) -> None:
    runs = runs_of([TASK], configurations(["disc2", "prefastar"], ["ff"], heuristics=["lmcut"]))
    rows = carry_out(jobs_of(runs), tmp_path / "results.jsonl", workers=1, quiet=True)
    assert [each["status"] for each in rows] == ["solved", "solved"]
    assert rows[0]["repeat"].startswith("fsplan tiles8:random/1 --focal disc2 --w 1.5")
    text = report_text(rows)
    assert (
        "heuristic linear_conflict instead of lmcut, which does not fit the task, policy tiles8 instead of ff" in text
    )
    assert "(2 runs): disc2(ff) lmcut w=1.5, prefastar(ff) lmcut" in text


def test_fast_downward_reads_pddl_only() -> None:
    configured = configurations(["fd-lama", "wastar"])
    puzzles = list(runs_of([TaskName("tiles8:random/1", "tiles8")], configured))
    assert [run.search for run in puzzles] == ["wastar"]


def test_wins_count_the_tasks_on_which_one_search_is_better() -> None:
    groups = group_by(ROWS, configuration)
    assert wins(groups["astar"], groups["wastar"], "cost") == (1, 0, 1)
    assert wins(groups["wastar"], groups["astar"], "expansions") == (2, 0, 0)
    assert common_tasks(groups) == {"a"}


def test_an_invalid_plan_counts_as_no_plan() -> None:
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
        *["search", "s", "total", "s", "MB"],
    ]
    assert any(line.split()[:4] == ["b", "astar", "timeout", "-"] for line in lines)
    assert "wins by expansions" in text
    assert "mean ratio (1 common)" in text


def summary_line(rows: list[Row], search: str) -> list[str]:
    lines = summary_table(group_by(rows, configuration)).splitlines()
    return next(line.split()[1:] for line in lines if search in line)


def test_a_plan_at_the_time_limit_is_unproven_and_not_solved() -> None:
    rows = [*ROWS, row("a", "optimistic", 11, 5, ratio=1.1), row("b", "optimistic", 9, 5, status="timeout")]
    assert summary_line(rows, "optimistic")[:3] == ["1", "1", "2"]
    assert wins(rows[-1:], ROWS[3:], "cost") == (0, 0, 1)


def test_the_mean_ratio_is_over_the_common_tasks_and_only_if_all_have_one() -> None:
    assert summary_line(ROWS, "wastar")[:5] == ["2", "0", "2", "1.2", "12"]
    assert summary_line([*ROWS, row("a", "gbfs", 30, 5), row("b", "gbfs", 30, 5, ratio=3.0)], "gbfs")[3] == "-"


def test_a_task_counts_once_for_any_number_of_seeds() -> None:
    """A search with a policy has one run per seed; a search without a policy has a single run."""
    seeded = [
        row_of(Run(task="a", domain="d", search="focal", policy="p", seed=seed), {"status": "solved", "cost": cost})
        for seed, cost in enumerate((9, 10, 14))
    ]
    rows = [*seeded, row("a", "astar", 10)]
    assert summary_line(rows, "focal")[4:6] == ["11", "11"]
    assert summary_line(rows, "astar")[4:6] == ["10", "10"]
    assert wins(rows[:3], rows[3:], "cost") == (1, 1, 1)
    assert wins(rows[3:], rows[:3], "cost") == (1, 1, 1)


def test_a_search_that_solved_nothing_has_no_cost() -> None:
    rows = [*ROWS, row("a", "gbfs", None, 5), row("b", "gbfs", None, 5)]
    assert summary_line(rows, "gbfs") == ["0", "0", "2", *["-"] * 6]


def test_table_is_aligned_and_prints_no_control_characters() -> None:
    text = table(("name", "n"), [("a\x1b[31m\n", 5), ("bb", 12345)])
    assert text.splitlines()[2:] == ["a?[31m?       5", "bb       12,345"]
    assert markdown(("a",), [["x|y"]]).splitlines()[-1] == "| x\\|y |"


def compared(folder: Path, policy: Path) -> Row:
    runs = runs_of([TaskName("tiles8:random/3", "tiles8")], configurations(["disc2"], [str(policy)], ["2"]))
    (found,) = carry_out(jobs_of(runs), folder / "results.jsonl", workers=1, quiet=True)
    return found


def test_another_policy_in_the_same_file_is_another_run(tmp_path: Path) -> None:
    policy, shipped = tmp_path / "p.safetensors", file_of("tiles8")
    assert shipped is not None
    stored = files.read(shipped)
    files.write(policy, stored)
    first = compared(tmp_path, policy)
    assert compared(tmp_path, policy) == first
    last = f"layers.{len(stored.layers) - 1}.weight"
    weights = stored.tensors[last]
    stored.tensors[last] = Tensor("F32", weights.shape, (-np.frombuffer(weights.data, "<f4")).tobytes())
    files.write(policy, stored)
    second = compared(tmp_path, policy)
    assert second["key"] != first["key"]
    assert second["expansions"] > first["expansions"]


def test_several_plans() -> None:
    found = compare("tiles8:random/1", ["plans[k=1]", "plans[different=actions,k=50]", "astar"], w=1)
    first, second, single = found.rows
    assert (first["plans"], first["all_plans"], first["status"], first["certified"]) == (1, False, "solved", True)
    assert (second["plans"] < 50, second["all_plans"]) == (True, True)
    assert first["cost"] == second["cost"] == single["cost"] == first["lower_bound"]
    assert (single["plans"], single["all_plans"]) == (None, None)
    assert first["repeat"] == "fsplan tiles8:random/1 --w 1 --plans 1 --different sequences"
    header, _, *lines = str(found).splitlines()
    assert header.endswith("plans")
    assert [line.split()[-1] for line in lines[:3]] == ["1", str(second["plans"]), "-"]
    assert f"all {second['plans']}" in lines[1]
    assert "plans" not in report_text([single]).splitlines()[0]
    for wrong in ("plans[k=0]", "plans[k=x]", "plans[different=x]", "plans[alternate]"):
        with pytest.raises(ValueError, match="plans"):
            parse_search(wrong)
