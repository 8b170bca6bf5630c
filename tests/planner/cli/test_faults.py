"""Messages and exit codes for bad input, signals and closed terminals."""

from __future__ import annotations

import itertools
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support import fsplan, on_terminal

import fsplan as api
from fsplan.planner.base import limits as limits_module
from fsplan.planner.base.limits import LimitReached
from fsplan.planner.cli import run as main_of_command
from fsplan.planner.experiments.records import COLUMNS, RecordError, read
from fsplan.planner.experiments.report import page
from fsplan.planner.pictures.replay import replay
from fsplan.planner.search.repeat import read_record, repeat

DOMAIN = """(define (domain d) (:requirements :strips :action-costs) (:predicates (p) (q)) (:constants o)
  (:functions (total-cost) - number (c ?x) - number)
  (:action a :parameters () :precondition (p) :effect (and (q) (increase (total-cost) (c o)))))"""
PROBLEM = """(define (problem p) (:domain d)
  (:init (p) VALUE) (:goal (q)) (:metric minimize (total-cost)))"""


@pytest.mark.parametrize(("value", "code"), [("", 31), ("(= (c o) 2147483647)", 34)])
def test_missing_and_too_large_costs_are_reported_at_their_place_in_the_problem(
    value: str, code: int, tmp_path: Path
) -> None:
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
    heed = partial(signal.signal, number, signal.SIG_DFL)  # under nohup, child processes inherit that SIGHUP is ignored
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/", preexec_fn=heed)
    try:
        process.communicate(timeout=4)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
        process.communicate(timeout=60)
        assert process.returncode in (128 + number, -number)
    finally:
        process.kill()


ODD: list[Any] = [None, [], {}, "x", "", True, -1, 1.5, 10**400, 2**63, "\ud800", ["a"], {"a": 1}, [[1]], [None]]
TRACE: list[dict[str, Any]] = [
    {"schema": "fsplan-trace-1", "task": "t", "denominator": 2},
    {"n": 0, "state": 0, "parent": None, "action": None, "g": 0, "h": 1, "queue": None, "key": 1.0, "f_min": 1,
     "bound": 1, "plan": None, "atoms": "a"},
    {"search": "x", "w": "1", "status": "solved", "cost": 1, "lower_bound": 1, "expanded": 1, "truncated": False,
     "plan": ["a"]},
]  # fmt: skip


def accepts_or_refuses(call: Callable[[], object]) -> bool:
    """Whether a call succeeds; False for ValueError and OSError, which report wrong input. Other errors are raised."""
    try:
        call()
    except (ValueError, OSError):
        return False
    return True


def test_hostile_traces_are_refused_or_replayed(tmp_path: Path) -> None:
    path, page = tmp_path / "trace", str(tmp_path / "page.html")
    answers = []
    for number, line in enumerate(TRACE):
        for field, value in itertools.product(line, ODD):
            changed = [*TRACE[:number], {**line, field: value}, *TRACE[number + 1 :]]
            path.write_text("".join(json.dumps(each) + "\n" for each in changed))
            answers.append(accepts_or_refuses(lambda: replay([str(path)], page)))
    assert (answers.count(True), answers.count(False)) == (72, 273)
    path.write_text('{"schema": "fsplan-trace-1"}\n' + "[" * 100_000 + "\n")
    with pytest.raises(ValueError, match=":2: not a JSON object"):
        replay([str(path)], page)


def test_hostile_results_are_refused_or_reported(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    full: dict[str, Any] = {name: {str: "a", float: 0.5, int: 1, bool: True}[kind] for name, kind in COLUMNS.items()}
    answers = []
    for field, value in itertools.product([*COLUMNS, "plan"], ODD):
        path.write_text("".join(json.dumps(row) + "\n" for row in (GOOD, {**full, "plan": ["a"], field: value})))
        answers.append(accepts_or_refuses(lambda: page([("results", read(path))])))
    assert (answers.count(True), answers.count(False)) == (132, 513)


def test_hostile_records_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    record = api.solve("tiles8:random/7", order="disc2", w="1.25", expansion_limit=3).to_dict()
    for field, value in itertools.product(record, ODD):
        path.write_text(json.dumps({**record, field: value}))
        accepts_or_refuses(lambda: read_record(str(path)))
    for field, value in itertools.product(
        ("task", "reader", "search", "statistics", "w_exact"), ([[1]], {"a": 1}, True)
    ):
        path.write_text(json.dumps({**record, field: value}))
        with pytest.raises(ValueError, match=f"record.json: {field} is "):
            repeat(str(path))


def test_ctrl_c_waits_until_an_import_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "interrupted.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\nwhole = True\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    def import_and_wait() -> None:
        import interrupted  # type: ignore[import-not-found]

        assert interrupted.whole
        while True:
            time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt), limits_module.interruptible():
        import_and_wait()
    assert sys.modules["interrupted"].whole


def test_ctrl_c_while_the_command_is_imported_is_no_error() -> None:
    script = """
import signal, sys
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "fsplan.planner.cli":
            signal.raise_signal(signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder)
from fsplan.__main__ import main
main()
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd="/")
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "fsplan: interrupted\n")


def test_control_characters_in_names_leave_graphs_well_formed(tmp_path: Path) -> None:
    from xml.dom.minidom import parse

    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text("(define (domain d) (:predicates (p\x1b[31m) (q$)) (:action a\x07$x_$ :parameters () "
                      ":precondition (p\x1b[31m) :effect (q$)))")  # fmt: skip
    problem.write_text("(define (problem p) (:domain d) (:init (p\x1b[31m)) (:goal (q$)))")
    for ending in ("graphml", "svg"):
        path = tmp_path / f"graph.{ending}"
        assert main_of_command(["graph", str(domain), str(problem), "-o", str(path)]) == 0
        assert "a\\x07$x_$" in path.read_text()
        assert parse(str(path)).documentElement.tagName == ending
