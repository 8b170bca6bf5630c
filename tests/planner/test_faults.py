"""Bad input, signals and terminals: what a user meets when something is wrong."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support import fsplan

from fsplan.planner import limits as limits_module
from fsplan.planner.experiments.records import RecordError, read
from fsplan.planner.limits import LimitReached

DOMAIN = """(define (domain d) (:requirements :strips :action-costs) (:predicates (p) (q)) (:constants o)
  (:functions (total-cost) - number (c ?x) - number)
  (:action a :parameters () :precondition (p) :effect (and (q) (increase (total-cost) (c o)))))"""
PROBLEM = """(define (problem p) (:domain d)
  (:init (p) VALUE) (:goal (q)) (:metric minimize (total-cost)))"""


@pytest.mark.parametrize(("value", "code"), [("", 31), ("(= (c o) 2147483647)", 34)])
def test_costs_that_are_missing_or_too_large_are_faults_of_the_problem(value: str, code: int, tmp_path: Path) -> None:
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(DOMAIN)
    problem.write_text(PROBLEM.replace("VALUE", value))
    run = fsplan(domain, problem)
    assert run.returncode == code
    assert f"{problem}:2:" in run.stderr


GOOD = {"key": "k", "task": "t", "domain": "d", "search": "astar", "status": "solved", "cost": 3, "w": "1.5"}


@pytest.mark.parametrize(
    "change",
    [{"task": None}, {"domain": 3}, {"status": ["solved"]}, {"cost": "3"}, {"expansions": True}, {"message": {}}],
)
def test_rows_of_results_with_wrong_fields_are_refused_with_their_line(change: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (GOOD, {**GOOD, "key": "l", **change})))
    with pytest.raises(RecordError, match=r"results.jsonl:2: "):
        read(path)
    run = fsplan("report", path, "-o", tmp_path / "page.html")
    assert run.returncode == 36
    assert "results.jsonl:2: " in run.stderr


def test_an_alarm_waits_until_an_import_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "alarming.py").write_text("import signal\nsignal.raise_signal(signal.SIGALRM)\nwhole = True\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = signal.signal(signal.SIGALRM, limits_module._out_of_time)
    try:
        import alarming  # type: ignore[import-not-found]

        assert alarming.whole
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
        with pytest.raises(LimitReached):
            signal.raise_signal(signal.SIGALRM)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def on_terminal(*words: object) -> bytes:
    """What a command writes to a terminal."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "fsplan", *map(str, words)]
    process = subprocess.Popen(command, stdout=follower, stderr=follower, cwd="/")
    os.close(follower)
    seen = b""
    while True:
        try:
            data = os.read(leader, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
    process.wait()
    os.close(leader)
    return seen


def test_escape_sequences_in_names_do_not_reach_the_terminal(tmp_path: Path) -> None:
    domain, problem = tmp_path / "do\x1b[31mmain.pddl", tmp_path / "problem.pddl"
    domain.write_text("(define (domain d) (:predicates (p\x1b]0;x\x07) (q)) (:action a\x1b[2j :parameters () "
                      ":precondition (p\x1b]0;x\x07) :effect (q)))")  # fmt: skip
    problem.write_text("(define (problem p) (:domain d) (:init (p\x1b]0;x\x07)) (:goal (q)))")
    plan = tmp_path / "plan"
    plan.write_text("(a\x1b[2j)\n(a\x1b[2j b)\n")
    for words in (
        ("plan", domain, problem),
        ("validate", domain, problem, plan),
        ("plan", tmp_path / "no\x1b[1m.pddl"),
    ):
        seen = on_terminal(*words)
        assert seen
        assert b"\x1b" not in seen, words


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_end_a_search_with_their_code(number: signal.Signals) -> None:
    command = [sys.executable, "-m", "fsplan", "tiles24:random/3", "--search", "astar", "--memory-limit", "2GB"]
    heed = partial(signal.signal, number, signal.SIG_DFL)  # under nohup SIGHUP is ignored, and so it stays
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/", preexec_fn=heed)
    try:
        process.communicate(timeout=4)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
        process.communicate(timeout=60)
        assert process.returncode in (128 + number, -number)
    finally:
        process.kill()
