"""`fsplan list` prints the catalogue, and `fsplan repeat` repeats a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import ROOT, fsplan

from fsplan.planner.cli.commands.list import KINDS
from fsplan.planner.search import catalogue

PROBLEM = ROOT / "pddl/tasks/blocks/probBLOCKS-8-0.pddl"


@pytest.mark.parametrize("kind", KINDS)
def test_the_list_is_the_catalogue(kind: str) -> None:
    names = [entry.name for entry in getattr(catalogue, kind)()]
    shown = fsplan("list", kind).stdout.splitlines()
    assert [line.split()[0] for line in shown[1:] if line[2] != " "] == names
    assert [entry["name"] for entry in json.loads(fsplan("list", kind, "--json").stdout)[kind]] == names


def test_list_without_a_kind_prints_all_kinds() -> None:
    assert [line[:-1] for line in fsplan("list").stdout.splitlines() if not line.startswith(" ") and line] == list(
        KINDS
    )


@pytest.mark.parametrize(
    "words",
    [[], ["--focal", "disc1", "--w", "1.5"], ["--focal", "disc2", "--paper"], ["--search", "astar"]],
    ids=" ".join,
)
def test_a_run_is_repeated(words: list[str], tmp_path: Path) -> None:
    record = tmp_path / "result.json"
    assert fsplan(PROBLEM, *words, "--json", record).returncode == 0
    ran = fsplan("repeat", record)
    assert (ran.returncode, ran.stdout.startswith("repeated: the same plan of cost 18")) == (0, True), ran


def test_a_difference_is_reported(tmp_path: Path) -> None:
    record = tmp_path / "result.json"
    fsplan(PROBLEM, "--search", "astar", "--json", record)
    changed = json.loads(record.read_text())
    changed["statistics"]["expanded"] += 1
    record.write_text(json.dumps(changed))
    ran = fsplan("repeat", record)
    assert ran.returncode == 1
    assert ran.stdout.startswith("expanded: ")


@pytest.mark.parametrize("text", ["{}", "[]", "no JSON"])
def test_a_file_that_is_not_a_result_is_refused(text: str, tmp_path: Path) -> None:
    record = tmp_path / "result.json"
    record.write_text(text)
    ran = fsplan("repeat", record)
    assert (ran.returncode, ran.stdout) == (36, "")
    assert "result.json" in ran.stderr
