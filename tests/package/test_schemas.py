"""The JSON output of the commands conforms to planner/schemas."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, check_schema, fsplan, schema

EXAMPLES = ROOT / "docs" / "examples"
COURIER = (EXAMPLES / "domain.pddl", EXAMPLES / "problem.pddl")


def printed(*words: object, code: int = 0) -> Any:
    done = fsplan(*words, "--json", "-")
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (COURIER, 0),
        ((*COURIER, "--focal", "disc1", "--w", "1.2"), 0),
        ((*COURIER, "--search", "gbfs", "--heuristic", "hff", "--uncertified"), 0),
        ((*COURIER, "--search", "astar", "--expansion-limit", "2"), 23),
        (("tiles8:random/1", "--focal", "score1", "--policy", "synthetic:0.9"), 0),
    ],
)
def test_results(words: tuple[object, ...], code: int) -> None:
    check_schema(printed(*words, "-q", code=code), "result")


def test_a_result_has_every_option() -> None:
    from fsplan.planner.search.catalogue import options

    assert {option.name for option in options()} <= printed("tiles8:random/1", "-q").keys()


def test_bounds() -> None:
    check_schema(printed("bound", *COURIER), "bound")


def test_comparisons() -> None:
    document = printed("compare", *COURIER, "--searches", "disc2,astar,gbfs", "-q")
    check_schema(document, "comparison")
    assert len(document["runs"]) == 3


def test_validations_judgements_and_checks(tmp_path: Path) -> None:
    plan, wrong, proof = tmp_path / "plan", tmp_path / "wrong", tmp_path / "proof"
    assert fsplan(*COURIER, "--w", 1, "--plan-file", plan, "--proof", proof, "-q").returncode == 0
    wrong.write_text("(drive van depot depot)\n")

    def shown(*words: object) -> Any:
        return json.loads(fsplan(*words, "--json").stdout)

    check_schema(validations := shown("validate", *COURIER, plan, wrong), "validations")
    for each in validations["plans"]:
        check_schema(each, "validation")
    for each, valid in ((plan, True), (wrong, False)):
        check_schema(judged := shown("judge", *COURIER, each, "--w", 1), "judgement")
        assert judged["valid"] is valid
    for each, status in ((proof, "verified"), (plan, "malformed")):
        check_schema(checked := shown("check", *COURIER, each), "check")
        assert checked["status"] == status


def test_explanations(tmp_path: Path) -> None:
    problem = tmp_path / "problem.pddl"
    for cut, code, facts in (("(room van)", 11, [["(room van)"]]), ("(nothing)", 0, [])):
        problem.write_text(COURIER[1].read_text().replace(cut, ""))
        ran = fsplan("explain", COURIER[0], problem, "--json")
        assert ran.returncode == code, ran.stderr
        check_schema(document := json.loads(ran.stdout), "explanation")
        assert [each["facts"] for each in document["suggestions"] if each["plan_found"]] == facts


def test_explanations_of_wrong_pddl(tmp_path: Path) -> None:
    problem = tmp_path / "problem.pddl"
    for old, new, code, verdict in (
        ("(room van)", "(rom van)", 31, "wrong_pddl"),
        ("(:goal", "(:constraints (always (room van))) (:goal", 34, "unsupported_pddl"),
    ):
        problem.write_text(COURIER[1].read_text().replace(old, new))
        ran = fsplan("explain", COURIER[0], problem, "--json")
        assert ran.returncode == code, ran.stderr
        check_schema(document := json.loads(ran.stdout), "explanation")
        assert document["verdict"] == verdict
        assert document["faults"][0]["line"] > 1
        assert document["faults"][0]["file"] == str(problem)


def test_errors_are_json_if_the_option_json_is_given(tmp_path: Path) -> None:
    problem, plan, proof = tmp_path / "problem.pddl", tmp_path / "plan", tmp_path / "proof"
    problem.write_text(COURIER[1].read_text().replace("(room van)", "(rom van)"))
    plan.write_text("(load van books depot)\n")
    proof.write_text("fsplan-proof 2\n")
    task = (COURIER[0], problem)
    for words in (
        ("validate", *task, plan, "--json"),
        ("judge", *task, plan, "--json"),
        ("check", *task, proof, "--json"),
        ("plan", *task, "--json", "-"),
    ):
        ran = fsplan(*words)
        assert (ran.returncode, f"{problem}:10:2" in ran.stderr) == (31, True), ran.stderr
        check_schema(document := json.loads(ran.stdout), "explanation")
        [fault] = document["faults"]
        assert (document["verdict"], fault["file"], fault["line"]) == ("wrong_pddl", str(problem), 10)
        assert fault["column"] in (25, 26)
        assert "declared predicate" in fault["message"]
    ran = fsplan("validate", *COURIER, tmp_path / "missing", "--json")
    check_schema(document := json.loads(ran.stdout), "explanation")
    assert (ran.returncode, document["verdict"], document["faults"]) == (36, "error", [])


def test_a_comparison_names_things_as_a_result_does() -> None:
    known = schema("result")["properties"]
    run = schema("comparison")["$defs"]["run"]["properties"]
    assert run["statistics"]["properties"].keys() <= known["statistics"]["properties"].keys()
    assert {
        "status",
        "cost",
        "lower_bound",
        "proven_ratio",
        "certified",
        "plan",
        "search",
        "order",
    } <= run.keys() & known.keys()


def test_an_unsolvable_task(tmp_path: Any) -> None:
    problem = tmp_path / "problem.pddl"
    problem.write_text(COURIER[1].read_text().replace("(room van)", ""))
    document = printed(COURIER[0], problem, "-q", code=11)
    check_schema(document, "result")
    assert document["unreachable_goals"]
    assert all(goal.startswith("(") for group in document["unreachable_goals"] for goal in group)
    check_schema(printed("bound", COURIER[0], problem, code=11), "bound")


def test_documents_of_tasks_with_decimal_costs_or_without_a_metric(tmp_path: Any) -> None:
    text = COURIER[1].read_text()
    decimal, dropped = tmp_path / "decimal.pddl", tmp_path / "dropped.pddl"
    decimal.write_text(re.sub(r"(\(= \([a-z-]+ [^)]*\) )(\d+)\)", r"\g<1>\g<2>.5)", text))
    dropped.write_text(re.sub(r"\(:metric[^)]*\)\)", "", text))
    document = printed(COURIER[0], decimal, "--search", "astar", "-q")
    check_schema(document, "result")
    assert document["cost"] != int(document["cost"])
    assert document["notes"] == []
    check_schema(printed("bound", COURIER[0], decimal), "bound")
    check_schema(printed("compare", COURIER[0], decimal, "--searches", "astar", "-q"), "comparison")
    [note] = printed(COURIER[0], dropped, "-q")["notes"]
    assert "every action counts as 1" in note
