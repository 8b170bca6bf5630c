"""Search traces, their replay, and the search debugger: the recorded expansions are those of the search."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from support import show_page

import fsplan
from fsplan.planner.cli import run
from fsplan.planner.integrations.debugger import SearchDebugger
from fsplan.planner.pictures.replay import page, replay
from fsplan.planner.pictures.trace import TraceWriter, read_trace

PROBLEM = fsplan.example("blocks-8-0")


def traced(path: Path, name: str, **options: Any) -> fsplan.Result:
    task = fsplan.load(name)
    writer = TraceWriter(path, task.name, task.state_space)
    result = fsplan.solve(task, on_expansion=writer, **options)
    writer.end(result)
    return result


@pytest.mark.parametrize("search", ["astar", "wastar", "gbfs", "optimistic", "dps", "ees", "idastar", "unroll"])
def test_every_expansion_is_recorded_with_its_path(tmp_path: Path, search: str) -> None:
    task = fsplan.load("tiles8:random/7")
    result = traced(tmp_path / "trace", "tiles8:random/7", search=search)
    trace = read_trace(tmp_path / "trace")
    assert [line["n"] for line in trace.expansions] == list(range(1, len(trace.expansions) + 1))
    assert trace.result["cost"] == result.cost
    if search not in ("idastar", "unroll"):  # these have no open list and count differently
        assert len(trace.expansions) == result.statistics["expanded"]
    g = {line["state"]: line["g"] for line in trace.expansions}
    for line in trace.expansions[1:]:
        if line["parent"] is not None:
            assert line["parent"] in g
            assert line["action"] in list(task.actions)


def test_focal_search_records_queue_key_and_bound(tmp_path: Path) -> None:
    traced(tmp_path / "trace", PROBLEM, order="disc2", w=1.5)
    lines = read_trace(tmp_path / "trace").expansions
    assert {line["queue"] for line in lines} == {"FOCAL", "weighted f", "least f"}
    bounds = [line["bound"] for line in lines]
    assert bounds == sorted(bounds)
    for line in lines:
        if line["queue"] == "FOCAL":
            assert 2 * (line["g"] + line["h"]) <= 3 * line["bound"]
            assert line["key"] == int(line["key"]) >= 0
    assert "ontable(" in lines[0]["atoms"]


def test_recording_a_trace_does_not_change_the_search(tmp_path: Path) -> None:
    watched = traced(tmp_path / "trace", PROBLEM, order="disc1", w=1.5)
    alone = fsplan.solve(PROBLEM, order="disc1", w=1.5)
    assert watched.plan == alone.plan
    assert watched.statistics["expanded"] == alone.statistics["expanded"]


def test_a_trace_of_auto_is_refused_because_it_runs_several_searches(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="choose the one to watch"):
        fsplan.solve(PROBLEM, on_expansion=print)


def test_an_incomplete_trace_leaves_nothing_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([PROBLEM, "--trace", str(tmp_path / "trace"), "-q"]) != 0  # the default search `auto` has no trace
    assert list(tmp_path.iterdir()) == []
    assert run([PROBLEM, "--focal", "disc2", "--trace", str(tmp_path / "trace"), "-q"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["trace"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a search trace"),
        ("{}", "not a search trace"),
        ("[1]", ":1: not a JSON object: is this a trace"),
        ('{"schema":"fsplan-trace-1"}', "cut off"),
        ('{"schema":"fsplan-trace-1"}\n{"n":1}', "line 2"),
        ('{"schema":"fsplan-trace-1"}\n\x00', ":2: not a JSON object"),
    ],
)
def test_a_file_that_is_not_a_trace_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "trace").write_text(text)
    with pytest.raises(ValueError, match=message):
        read_trace(tmp_path / "trace")
    assert run(["replay", str(tmp_path / "trace"), "-o", str(tmp_path / "page.html")]) != 0
    assert not (tmp_path / "page.html").exists()


def test_names_are_escaped_in_the_page(tmp_path: Path) -> None:
    traced(tmp_path / "trace", "tiles8:random/7", search="wastar", w=2)
    trace = read_trace(tmp_path / "trace")
    text = page([trace._replace(task="</script><script>alert(1)</script>")])
    assert "<script>alert" not in text


def drawn(path: Path, *words: object) -> str:
    """Runs `fsplan graph --trace`, and returns the texts of the SVG."""
    pytest.importorskip("matplotlib")
    assert run(["graph", *map(str, words), "-o", str(path)]) == 0
    return path.read_text()


def test_a_picture_shows_order_numbers_and_the_plan(tmp_path: Path) -> None:
    result = traced(tmp_path / "t.jsonl", "tiles8:random/7", order="disc2", w=2)
    trace = read_trace(tmp_path / "t.jsonl")
    text = drawn(tmp_path / "explored.svg", "--trace", tmp_path / "t.jsonl")
    for line in trace.expansions:
        assert f">{line['g']} + {line['h']} = {line['g'] + line['h']}<" in text
    assert f">{result.cost} + 0 = {result.cost}<" in text  # the goal, which is not expanded
    for shown in ("goal, not expanded", f"plan of cost {result.cost}", "action (each costs 1)", ">left<"):
        assert shown in text


DECIMAL_DOMAIN = """(define (domain roads) (:predicates (at-a) (at-b) (done))
  (:functions (total-cost) - number)
  (:action go :precondition (at-a) :effect (and (not (at-a)) (at-b) (increase (total-cost) 2.5)))
  (:action stop :precondition (at-b) :effect (and (done) (increase (total-cost) 1))))"""
DECIMAL_PROBLEM = """(define (problem p) (:domain roads) (:init (at-a) (= (total-cost) 0)) (:goal (done))
  (:metric minimize (total-cost)))"""


def test_decimal_costs_are_shown_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("domain.pddl", DECIMAL_DOMAIN), ("p.pddl", DECIMAL_PROBLEM)):
        (tmp_path / name).write_text(text)
    trace = tmp_path / "t.jsonl"
    assert run([str(tmp_path / "p.pddl"), "--search", "astar", "--heuristic", "blind", "--trace", str(trace)]) == 0
    assert [line["g"] for line in read_trace(trace).expansions] == [0, 2.5]
    assert read_trace(trace).result["cost"] == 3.5
    text = drawn(tmp_path / "explored.svg", "--trace", trace)
    for shown in (">go: 2.5<", ">stop: 1<", "3.5 + 0 = 3.5", "action: its cost"):
        assert shown in text


def test_a_trace_is_drawn_without_its_task_as_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    traced(tmp_path / "t.jsonl", "tiles8:random/7", search="wastar", w=2)
    trace = ["graph", "--trace", str(tmp_path / "t.jsonl")]
    for words, message in (
        ([*trace, "tiles8:random/7"], "leave out TASK"),
        ([*trace, "-o", str(tmp_path / "t.dot")], "ends in svg, png, pdf"),
        (trace, "ends in svg, png, pdf"),
        (["graph"], "name a task, or a trace"),
        (["replay", str(tmp_path / "t.jsonl"), "-o", str(tmp_path / "t.svg")], "fsplan graph --trace draws"),
    ):
        assert run(words) != 0
        assert message in capsys.readouterr().err


def test_replay_takes_one_or_two_traces(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="found 3"):
        replay(["a", "b", "c"], str(tmp_path / "page.html"))


def test_the_page_plays_two_searches_in_a_browser(tmp_path: Path, browser: Any) -> None:
    traced(tmp_path / "focal", PROBLEM, order="disc2", w=1.5)
    traced(tmp_path / "wastar", PROBLEM, search="wastar", w=1.5)
    replay([str(tmp_path / "focal"), str(tmp_path / "wastar")], str(tmp_path / "page.html"))
    for width in (1280, 400):
        show_page(browser, (tmp_path / "page.html").as_uri(), width)
        assert browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
    assert len(browser.find_elements("css selector", "canvas.course")) == 2
    slider = browser.find_element("id", "position")
    last = int(slider.get_attribute("max"))
    browser.find_element("id", "back").click()
    assert int(slider.get_property("value")) == last - 1
    for _ in range(2):  # light, dark
        browser.find_element("id", "theme").click()
    assert browser.execute_script("return document.documentElement.dataset.theme") == "dark"
    assert browser.get_log("browser") == []


class Extension(BaseHTTPRequestHandler):
    """A stand-in for the search debugger of VS Code's extension; it fails at messages that lack a field."""

    messages: list[tuple[str, dict[str, Any]]]
    known: set[str]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(200 if self.path == "/about" else 404, b"Visual search debugger.")

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.messages.append((self.path, message))
        self._answer(201 if self._is_understood(message) else 500, b"")

    def _is_understood(self, message: dict[str, Any]) -> bool:
        if self.path == "/state/initial":
            self.known.add(message["id"])
            return True
        if self.path == "/state/heuristic":
            evaluated = "h" not in message or {"relaxedPlan", "helpfulActions", "totalMakespan"} <= message.keys()
            return message["id"] in self.known and evaluated
        steps = [*message["planHead"], *([message["appliedAction"]] if "appliedAction" in message else [])]
        fields = {"actionName", "earliestTime", "shotCounter", "iterations", "kind"}
        understood = all(fields <= step.keys() and step["kind"] == "INSTANTANEOUS" for step in steps)
        if self.path == "/state":
            understood &= message["parentId"] in self.known and message["id"] not in self.known
            self.known.add(message["id"])
        return understood and message["id"] in self.known

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def extension() -> Iterator[HTTPServer]:
    Extension.messages, Extension.known = [], set()
    server = HTTPServer(("127.0.0.1", 0), Extension)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def test_the_search_debugger_sees_the_tree_and_the_plan(extension: HTTPServer, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{extension.server_port}"
    assert run(["tiles8:random/7", "--search", "wastar", "--debugger", url, "-q"]) == 0
    paths = [path for path, _ in Extension.messages]
    assert paths[0] == "/state/initial"
    assert paths[-1] == "/plan"
    result = fsplan.solve("tiles8:random/7", search="wastar")
    assert result.plan is not None
    assert paths.count("/state/heuristic") == result.statistics["expanded"]
    assert paths.count("/state") + 1 == result.statistics["registered"]
    assert [step["actionName"] for step in Extension.messages[-1][1]["planHead"]] == result.plan


def test_the_debugger_is_expected_on_this_machine_by_default() -> None:
    space = fsplan.load("tiles8:random/7").state_space
    with pytest.raises(ValueError, match="not this machine"):
        SearchDebugger("http://example.org:80", space)
    with pytest.raises(ValueError, match="http://localhost:PORT"):
        SearchDebugger("file:///etc/passwd", space)
    with pytest.raises(OSError, match="start it in VS Code"):
        SearchDebugger("http://127.0.0.1:9", space)
