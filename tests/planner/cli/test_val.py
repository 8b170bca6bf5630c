"""`fsplan-validate`, which has the command line and output of VAL, and the JSON of `fsplan validate`."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT, fsplan

from fsplan.pddl import parse_task
from fsplan.pddl.tasks import path
from fsplan.planner.cli.val import Unusable, main, validate_as_val
from fsplan.planner.experiments.fast_downward import driver
from fsplan.planner.plans.validate import validate

PROBLEM = Path(path("blocks-8-0"))
DOMAIN = PROBLEM.with_name("domain.pddl")
GOOD = """
(unstack a g) (put-down a) (unstack d h) (put-down d) (unstack g e) (stack g b) (pick-up a) (stack a g) (pick-up c)
(stack c a) (unstack h f) (stack h c) (pick-up e) (stack e h) (pick-up f) (stack f e) (pick-up d) (stack d f)
"""
PLANS = {
    "good": GOOD,
    "longer": f"(pick-up b) (put-down b) {GOOD} ; cost = 3",
    "bad": "(pick-up b)\n(stack c a)\n",
    "short": "0.5: (pick-up b) [1]\n",
    "unknown": "(pick-up b)\n(stack b z)\n",
    "garbled": "pick-up b\n",
}


@pytest.fixture
def plans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in PLANS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    options = [word for word in words if word[0] == "-"]
    code = validate_as_val([*options, str(DOMAIN), str(PROBLEM), *words[len(options) :]])
    return code, capsys.readouterr().out


def test_a_valid_plan(plans: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "good") == (
        0,
        "Checking plan: good\nPlan executed successfully - checking goal\nPlan valid\nFinal value: 18 \n"
        "\nSuccessful plans:\nValue: 18\n good \n\n",
    )


def test_several_plans_are_ranked(plans: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, printed = run(capsys, "longer", "bad", "good", "short", "unknown", "garbled", "missing")
    assert code == 5
    assert "Successful plans:\nValue: 18\n good \nValue: 20\n longer \n" in printed
    assert printed.endswith("Failed plans:\n bad short unknown garbled missing \n")
    assert printed.count("Plan valid\n") == 2
    assert printed.count("Plan failed to execute\n") == 1
    assert printed.count("Goal not satisfied\nPlan invalid\n") == 1
    assert "unknown, line 2: (stack b z): unknown object 'z'\nBad plan description!\n" in printed
    assert "garbled: line 1: found 'pick-up b', expected (action argument …)\nBad plan description!\n" in printed
    assert "Bad plan file!\nmissing: No such file or directory\n" in printed


def test_silent_modes(plans: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "-S", "good", "bad", "longer", "garbled") == (2, "18\nfailed\n20\nfailed\n")
    assert run(capsys, "-s", "good") == (0, "")
    assert run(capsys, "-s", "bad") == (1, "\nPlan failed to execute\n\n\nFailed plans:\n bad \n")


def test_verbose_reports_effects_and_advice_where_clients_look_for_them(
    plans: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """VS Code's extension and published scripts parse VAL's output with these regular expressions."""
    _, printed = run(capsys, "-v", "bad")
    assert re.findall(r"Checking next happening \(time (\d+)\)", printed) == ["1", "2"]
    assert "(time 1)\nDeleting (clear b)\nDeleting (handempty)\nDeleting (ontable b)\nAdding (holding b)\n" in printed
    [advice] = re.findall(r"Plan Repair Advice:([\s\S]+)Failed plans:", printed)
    assert advice.strip() == "(stack c a) has an unsatisfied precondition at time 2\n(Set (holding c) to true)"
    _, printed = run(capsys, "-v", "short")
    assert "Checking next happening (time 0.5)\n" in printed
    [advice] = re.findall(r"Plan Repair Advice:([\s\S]+)Failed plans:", printed)
    assert advice.strip().startswith(
        "The goal is not satisfied\n(Follow each of:\n    (Set (on d f) to true)\n    and ("
    )
    assert "Advice" not in run(capsys, "-v", "-a", "bad")[1]


def test_times_of_steps_without_times(plans: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """VS Code's extension passes `-t N`; then steps have the times 0, N, 2 N, …, which identify a failed step."""
    assert validate_as_val(["-v", "-t", "0.001", str(DOMAIN), str(PROBLEM), "bad"]) == 1
    printed = capsys.readouterr().out
    assert re.findall(r"Checking next happening \(time (\d+.\d+)\)", printed) == ["0.00000", "0.00100"]
    with pytest.raises(Unusable, match="-t x: expected a number"):
        validate_as_val(["-t", "x", str(DOMAIN), str(PROBLEM), "bad"])


def test_the_task_is_read_without_plans(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert validate_as_val([str(DOMAIN)]) == validate_as_val(["-t", "0.001", str(DOMAIN), str(PROBLEM)]) == 0
    assert capsys.readouterr().out == ""
    assert validate_as_val([]) == validate_as_val(["-h"]) == 0
    assert capsys.readouterr().out.count("fsplan-validate [options] DOMAIN PROBLEM PLAN...") == 2
    with pytest.raises(Unusable, match=r"^Bad problem file!\nnone.pddl: no such file"):
        validate_as_val([str(DOMAIN), "none.pddl", "plan"])
    with pytest.raises(Unusable, match=r"^Problem in domain definition!\n.*probBLOCKS-8-0.pddl:2:10: "):
        validate_as_val([str(PROBLEM), str(DOMAIN), "plan"])
    with pytest.raises(Unusable, match="Unrecognised command line switch: -l;"):
        validate_as_val(["-l", str(DOMAIN), str(PROBLEM), "plan"])


def test_the_command_is_installed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    [entry] = re.findall(r'^fsplan-validate = "(.*):(.*)"$', (ROOT / "pyproject.toml").read_text(), re.M)
    assert getattr(importlib.import_module(entry[0]), entry[1]) is main
    for words, code in (([str(DOMAIN)], 0), (["none.pddl"], 255)):
        monkeypatch.setattr(sys, "argv", ["fsplan-validate", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == code
    assert capsys.readouterr().err == "fsplan: Bad domain file!\nnone.pddl: no such file\n"


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for the installed command is a shell script")
def test_fast_downwards_driver(tmp_path: Path) -> None:
    installed = driver()
    if installed is None:
        pytest.skip("up-fast-downward is not installed")
    command = tmp_path / "bin" / "validate"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fsplan.planner.cli.val "$@"\n')
    command.chmod(0o755)
    done = subprocess.run(
        [sys.executable, installed, "--validate", DOMAIN, PROBLEM, "--search", "astar(lmcut())"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Running validate" in done.stdout
    assert (
        "Checking plan: sas_plan\nPlan executed successfully - checking goal\nPlan valid\nFinal value: 18"
        in done.stdout
    )
    assert "validate exit code: 0" in done.stdout


def test_json_of_several_plans(plans: Path) -> None:
    ran = fsplan("validate", DOMAIN, PROBLEM, *PLANS, "--json", folder=plans)
    assert (ran.returncode, ran.stderr) == (1, "")
    document = json.loads(ran.stdout)
    assert (document["schema"], document["valid"]) == ("fsplan-validations-1", False)
    good, longer, bad, short, unknown, garbled = document["plans"]
    assert (good["valid"], good["cost"], good["step"], good["unsatisfied"]) == (True, 18, None, [])
    assert (longer["valid"], longer["message"]) == (False, "the plan states cost 3, its cost is 20")
    assert bad == {
        "plan": "bad",
        "schema": "fsplan-validation-1",
        "valid": False,
        "message": "step 2, (stack c a): (holding c) is false",
        "cost": 1,
        "step": 2,
        "action": "(stack c a)",
        "line": 2,
        "condition": "(holding c)",
        "unsatisfied": [{"condition": "(holding c)", "values": {"(holding c)": False}}],
        "nearest_action": "(stack b a)",
    }
    assert len(short["unsatisfied"]) == 6
    assert (unknown["step"], unknown["unsatisfied"], unknown["nearest_action"]) == (2, [], "(stack b a)")
    assert (garbled["line"], garbled["step"]) == (1, None)


def test_plans_of_a_problem_beside_its_domain_and_of_a_puzzle(plans: Path) -> None:
    ran = fsplan("validate", PROBLEM, "good", "bad", folder=plans)
    assert (ran.returncode, ran.stdout) == (1, "good: plan valid, 18 steps, cost 18\n")
    assert ran.stderr == "bad: step 2, (stack c a): (holding c) is false\n"
    ran = fsplan("validate", "tiles8:random/1", "good", "bad", "--json", folder=plans)
    assert ran.returncode == 1
    assert all(each["step"] == 1 and each["nearest_action"] for each in json.loads(ran.stdout)["plans"])
    ran = fsplan("validate", DOMAIN)
    assert (ran.returncode, "at least one plan" in ran.stderr) == (36, True)


def test_conditions_have_the_values_of_their_atoms() -> None:
    task = parse_task(
        """(define (domain lamps) (:types lamp) (:predicates (on ?l - lamp) (broken ?l - lamp) (power))
        (:action switch :parameters (?l - lamp)
          :precondition (and (or (power) (not (broken ?l))) (not (on ?l)) (forall (?o - lamp) (imply (on ?o) (power)))
                             (exists (?o - lamp) (on ?o)))
          :effect (on ?l)))""",
        """(define (problem p) (:domain lamps) (:objects a b - lamp) (:init (broken a) (on a)) (:goal (on b)))""",
    )
    found = validate(task, ["switch a"], suggest=True)
    assert [(each.condition, each.values) for each in found.unsatisfied] == [
        ("(or (power) (not (broken a)))", {"(power)": False, "(broken a)": True}),
        ("(not (on a))", {"(on a)": True}),
        ("(imply (on a) (power))", {"(on a)": True, "(power)": False}),
    ]
    assert found.nearest_action is None
    assert validate(task, ["switch a"]).condition == "(or (power) (not (broken a)))"
