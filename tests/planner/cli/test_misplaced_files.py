"""Arguments in the wrong place are recognised by the content of the files, and the message has the correct command."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support import ROOT

from fsplan.planner.cli import run
from fsplan.planner.sources.contents import content_of

SAS = "begin_version\n3\nend_version\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("domain.pddl", "problem.pddl"):
        shutil.copy(ROOT / "docs" / "examples" / name, tmp_path)
    (tmp_path / "steps").write_text("; found\n(drive van depot harbour)\n(load van fish harbour)\n")
    (tmp_path / "timed").write_text("0.000: (drive van depot harbour) [1.0]\n")
    (tmp_path / "output.sas").write_text(SAS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_contents_are_recognised(folder: Path) -> None:
    names = ("domain.pddl", "problem.pddl", "steps", "timed", "output.sas", "absent")
    assert [content_of(name) for name in names] == ["domain", "problem", "plan", "plan", "sas", ""]
    for text in ("", "; nothing but a comment", "(define (something))", "(a (b))", "\x00\xff"):
        (folder / "other").write_text(text, encoding="latin-1")
        assert content_of("other") == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["domain.pddl", "steps"], "a plan and not a task; to check it: fsplan validate domain.pddl PROBLEM steps"),
        (["steps"], "steps is a plan and not a task; to check it: fsplan validate domain.pddl PROBLEM steps"),
        (["problem.pddl", "steps"], "to check it: fsplan validate DOMAIN problem.pddl steps"),
        (["domain.pddl", "problem.pddl", "steps"], "to check it: fsplan validate domain.pddl problem.pddl steps"),
        (["domain.pddl", "output.sas"], "output.sas is a ground task and needs no domain: fsplan output.sas"),
        (["output.sas", "problem.pddl"], "output.sas is a ground task and needs no domain: fsplan output.sas"),
        (["tiles15"], "tiles15 is a puzzle without an instance; write for example fsplan tiles15:random/1"),
        (["pancake9"], "pancake9 is a puzzle without an instance; write for example fsplan pancake9:random/1"),
        (["validate", "steps", "domain.pddl", "problem.pddl"], "domain, problem, plan: fsplan validate domain.pddl p"),
        (["validate", "problem.pddl", "domain.pddl", "steps"], "fsplan validate domain.pddl problem.pddl steps"),
        (["judge", "domain.pddl", "timed", "problem.pddl"], "fsplan judge domain.pddl problem.pddl timed"),
        (["judge", "domain.pddl", "problem.pddl"], "name a plan after it: fsplan judge domain.pddl problem.pddl PLAN"),
        (["validate", "domain.pddl", "problem.pddl"], "name a plan after it: fsplan validate domain.pddl problem.pddl"),
        (["check", "domain.pddl", "problem.pddl"], "name a proof after it: fsplan check DOMAIN PROBLEM PROOF"),
        (["validate", "steps", "output.sas"], "the order is task, plan: fsplan validate output.sas steps"),
        (["validate", "domain.pddl", "problem.pddl", "output.sas"], "output.sas: line 1: found 'begin_version'"),
        (["check", "domain.pddl", "problem.pddl", "steps"], "steps: this is a plan; give it with --plan steps"),
        (["repeat", "steps"], "steps is not JSON (Expecting value"),
        (["replay", "steps"], "steps:1: not a JSON object: is this a trace of fsplan plan --trace?"),
        (["."], ". is a folder: name a problem in it; fsplan compare . runs all of them"),
        (["domain.pddl", "problem.pddl", "--plan-file", "steps/plan"], "cannot be written: there is no folder"),
        (["tiles8:random/1", "--heuristic", "hmax"], "for this kind of task choose one of: linear_conflict, manhattan"),
        (["reproduce"], "Missing argument 'small|tiles15'"),
        (["mcp", "--port", "99999"], "99999 is not in the range 0<=x<=65535"),
        (["domian.pddl", "problem.pddl"], "domian.pddl: no such file; did you mean domain.pddl?"),
        (["domain.pddl", "problem.pddl", "--policy", "sythetic:0.9"], "did you mean 'synthetic'?"),
        (["problem.pddl", "domain.pddl"], "definition of a domain, found a problem: are the two files swapped?"),
    ],
)  # fmt: skip
def test_the_message_has_the_correct_command(
    folder: Path, words: list[str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(words) in (1, 31, 36)
    printed = capfd.readouterr()
    assert message in printed.err
    assert printed.out == ""
