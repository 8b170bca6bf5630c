"""What the commands write as JSON is what planner/schemas says."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from support import ROOT, fsplan

EXAMPLES = ROOT / "docs" / "examples"
COURIER = (EXAMPLES / "domain.pddl", EXAMPLES / "problem.pddl")


def schema(name: str) -> dict[str, Any]:
    text = (files("fsplan") / "planner" / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


def printed(*words: object, code: int = 0) -> Any:
    done = fsplan(*words, "--json", "-")
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def check(document: Any, name: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(schema(name))
    jsonschema.Draft202012Validator(schema(name)).validate(document)
    assert document["schema"] == schema(name)["$id"]


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
    check(printed(*words, "-q", code=code), "result")


def test_a_result_has_every_option() -> None:
    from fsplan.planner.catalogue import options

    assert {option.name for option in options()} <= printed("tiles8:random/1", "-q").keys()


def test_bounds() -> None:
    check(printed("bound", *COURIER), "bound")


def test_comparisons() -> None:
    document = printed("compare", *COURIER, "--searches", "disc2,astar,gbfs", "-q")
    check(document, "comparison")
    assert len(document["runs"]) == 3


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
    check(printed(COURIER[0], problem, "-q", code=11), "result")
    check(printed("bound", COURIER[0], problem, code=11), "bound")
