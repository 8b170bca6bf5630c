"""The proof checker as a single file that runs without fsplan, and as the command `fsplan-check`."""

from __future__ import annotations

import gzip
import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

import fsplan
from fsplan.planner.plans.plan_files import read_plan
from fsplan.planner.proofs.check import Refuted, main, plan_steps
from fsplan.planner.proofs.writer import write_proof

DOMAIN = Path(fsplan.example("blocks-8-0")).with_name("domain.pddl")
BLOCKS = """\
(define (problem four) (:domain blocks) (:objects a b c d)
  (:init (clear c) (clear a) (clear b) (clear d) (ontable c) (ontable a) (ontable b) (ontable d) (handempty))
  (:goal (and (on d c) (on c b) (on b a))))
"""
PLAN = "(pick-up b)\n(stack b a)\n(pick-up c)\n(stack c b)\n(pick-up d)\n(stack d c)\n; cost = 6 (unit cost)\n"


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    path = tmp_path / "four.pddl"
    path.write_text(BLOCKS)
    return path


@pytest.fixture
def proof(problem: Path, tmp_path: Path) -> Path:
    path = tmp_path / "bound.proof"
    assert write_proof(fsplan.load(str(DOMAIN), str(problem)), 6, path).bound == 6
    return path


def test_check_py_runs_without_fsplan(problem: Path, proof: Path, tmp_path: Path) -> None:
    shutil.copy(ROOT / "planner" / "proofs" / "check.py", tmp_path)
    (tmp_path / "plan").write_text(PLAN)

    def run(*words: object) -> tuple[int, str, str]:
        command = [sys.executable, "-I", "check.py", *map(str, words)]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        return ran.returncode, ran.stdout, ran.stderr

    verified = "verified: every plan costs at least 6; the plan is valid and costs 6: it is optimal\n"
    assert run(DOMAIN, problem, proof, "--plan", "plan") == (0, verified, "")
    assert run(DOMAIN, problem, proof) == (0, "verified: every plan costs at least 6\n", "")
    (tmp_path / "plan").write_text(PLAN.replace("(stack b a)\n", ""))
    code, _, message = run(DOMAIN, problem, proof, "--plan", "plan")
    assert (code, message) == (1, "refuted: step 2 of the plan, (pick-up c), is not applicable\n")
    code, _, message = run(problem, DOMAIN, proof)
    assert (code, message) == (31, f"refused: {problem}:1:9: expected (domain NAME)\n")
    assert run(DOMAIN, problem, "missing")[0] == 36


def test_the_command_is_installed(problem: Path, proof: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [entry] = re.findall(r'^fsplan-check = "(.*):(.*)"$', (ROOT / "pyproject.toml").read_text(), re.M)
    assert getattr(importlib.import_module(entry[0]), entry[1]) is main
    assert main([str(DOMAIN), str(problem), str(proof)]) == 0
    assert capsys.readouterr().out == "verified: every plan costs at least 6\n"


def test_a_damaged_file_is_malformed(
    problem: Path, proof: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = gzip.compress(proof.read_bytes())
    for place, data in enumerate([whole[: len(whole) // 2], b"no gzip", whole[:20] + b"\xff\xff" + whole[22:]]):
        (path := tmp_path / f"{place}.proof.gz").write_bytes(data)
        assert main([str(DOMAIN), str(problem), str(path)]) == 36
        assert capsys.readouterr().err.startswith("malformed: ")
    (path := tmp_path / "whole.proof.gz").write_bytes(whole)
    assert main([str(DOMAIN), str(problem), str(path)]) == 0


@pytest.mark.parametrize(
    "text",
    [
        PLAN,
        PLAN.upper().replace("\n", "\r\n"),
        PLAN.replace("\n", " ; a comment\r"),
        "\ufeff0: (pick-up b) [1]\n1.5 : (stack\nb a) [ 0.5 ]",
    ],
)
def test_plans_are_read_as_the_planner_reads_them(text: str) -> None:
    assert plan_steps(text) == [str(step)[1:-1] for step in read_plan(text).steps]
    assert plan_steps(text)[:2] == ["pick-up b", "stack b a"]


@pytest.mark.parametrize("text", ["pick-up b\n", "(pick-up b) stack b a", "(pick-up b", "(pick-up (b))"])
def test_text_between_the_steps_of_a_plan_is_refused(text: str) -> None:
    with pytest.raises(Refuted, match="text that is no step"):
        plan_steps(text)
