"""`fsplan mcp`, called by the client of the official SDK. The server and every call have a process of their own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any

import pytest
from support import ROOT, check_schema, processes

pytest.importorskip("mcp", reason="pip install 'fsplan[mcp]'")

import anyio
from mcp import Client, MCPError, StdioServerParameters, stdio_client

pytestmark = pytest.mark.long

EXAMPLES = ROOT / "docs" / "examples"
COURIER: dict[str, Any] = {
    "domain": (EXAMPLES / "domain.pddl").read_text(),
    "problem": (EXAMPLES / "problem.pddl").read_text(),
}
OPTIMUM = 30
WITHOUT_ROOM = {**COURIER, "problem": COURIER["problem"].replace("(room van)", "")}
SCHEMAS = {
    "plan": "result",
    "validate": "validation",
    "judge": "judgement",
    "bound": "bound",
    "explain": "explanation",
    "compare_plans": "plans",
}


def with_client(use: Callable[[Client], Awaitable[None]], *options: str) -> None:
    """Starts the server as clients start it, and passes a connected client to `use`."""
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "fsplan", "mcp", *options], env={"PYTHONPATH": ":".join(sys.path)}, cwd="/"
    )

    async def connect() -> None:
        async with Client(stdio_client(command)) as client:
            await use(client)

    anyio.run(connect)


async def call(client: Client, tool: str, fails: bool = False, **arguments: Any) -> Any:
    """Calls a tool and returns its JSON document, which must conform to its schema and equal the text of the answer."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error is fails, result
    check_schema(result.structured_content, "explanation" if fails else SCHEMAS[tool])
    assert json.loads(result.content[0].text) == result.structured_content  # type: ignore[union-attr]
    return result.structured_content


def hard() -> dict[str, Any]:
    """A task that takes longer than any test: fifteen discs in the towers of Hanoi."""
    discs = [f"d{number}" for number in range(15)]
    places = [*discs, "a", "b", "c"]
    smaller = [f"(smaller {disc} {place})" for number, disc in enumerate(discs) for place in places[number + 1 :]]
    tower = [f"(on {upper} {lower})" for upper, lower in zip(discs, [*discs[1:], "a"], strict=True)]
    goal = " ".join(f"(on {upper} {lower})" for upper, lower in zip(discs, [*discs[1:], "c"], strict=True))
    return {
        "domain": """(define (domain hanoi) (:predicates (on ?x ?y) (clear ?x) (smaller ?x ?y))
            (:action move :parameters (?x ?from ?to)
             :precondition (and (on ?x ?from) (clear ?x) (clear ?to) (smaller ?x ?to))
             :effect (and (on ?x ?to) (clear ?from) (not (on ?x ?from)) (not (clear ?to)))))""",
        "problem": f"""(define (problem towers) (:domain hanoi) (:objects {" ".join(places)})
            (:init {" ".join([*smaller, *tower])} (clear d0) (clear b) (clear c)) (:goal (and {goal})))""",
    }


def large() -> dict[str, Any]:
    """A task whose 40 ** 6 ground actions fit in no memory."""
    variables = " ".join(f"?x{number}" for number in range(6))
    objects = " ".join(f"o{number}" for number in range(40))
    return {
        "domain": f"""(define (domain large) (:predicates (done {variables}) (end))
            (:action act :parameters ({variables}) :effect (done {variables}))
            (:action stop :parameters ({variables}) :precondition (done {variables}) :effect (end)))""",
        "problem": f"(define (problem p) (:domain large) (:objects {objects}) (:init) (:goal (end)))",
    }


def test_plans_bounds_and_verdicts() -> None:
    async def use(client: Client) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} == SCHEMAS.keys()
        found = await call(client, "plan", **COURIER, w=1)
        assert (found["cost"], found["lower_bound"], found["proven_ratio"], found["task"]) == (
            OPTIMUM,
            OPTIMUM,
            1,
            None,
        )
        assert found["statistics"]["bound_by"]
        proven = await call(client, "bound", **COURIER)
        assert 0 < proven["lower_bound"] <= OPTIMUM
        assert proven["method"] in {each["method"] for each in proven["methods"]}
        assert (await call(client, "validate", **COURIER, plan=found["plan"]))["cost"] == OPTIMUM
        worse = [*found["plan"], "drive van market depot"]
        verdict = await call(client, "judge", **COURIER, plan="\n".join(f"({step})" for step in worse), w=1)
        assert verdict["valid"]
        assert verdict["lower_bound"] == OPTIMUM
        assert verdict["proven_ratio"] == verdict["cost"] / OPTIMUM
        assert verdict["bound_by"]
        assert verdict["cost"] > verdict["better_cost"] == OPTIMUM
        compared = await call(client, "compare_plans", **COURIER, plans=[worse[1:], worse, found["plan"]], w=1)
        assert [each["valid"] for each in compared["plans"]] == [False, True, True]
        assert [each["proven_ratio"] for each in compared["plans"]] == [None, verdict["proven_ratio"], 1]
        assert compared["plans"][compared["best"] - 1]["cost"] == compared["lower_bound"] == OPTIMUM

    with_client(use)


def test_explanations() -> None:
    async def use(client: Client) -> None:
        reason = await call(client, "explain", **WITHOUT_ROOM)
        assert reason["verdict"] == "no_plan"
        assert reason["unreachable_goals"]
        assert all(goal in reason["message"] for goal in reason["unreachable_goals"][0])
        assert (await call(client, "plan", **WITHOUT_ROOM))["status"] == "unsolvable"
        assert (await call(client, "explain", **COURIER))["verdict"] == "plan_exists"
        reason = await call(client, "explain", **COURIER, plan="(drive van depot harbour)\n(load van books depot)")
        assert (reason["verdict"], reason["validation"]["step"], reason["validation"]["line"]) == ("invalid_plan", 2, 2)
        assert reason["validation"]["condition"] == "(at van depot)"
        wrong = {
            **COURIER,
            "domain": COURIER["domain"].replace("(:action drive", "(:action drive\n  :precondtion ()", 1),
        }
        line = wrong["domain"].split(":precondtion")[0].count("\n") + 1
        reason = await call(client, "explain", **wrong)
        assert reason["verdict"] == "wrong_pddl"
        assert [(fault["file"], fault["line"], fault["column"]) for fault in reason["faults"]] == [("domain", line, 3)]
        assert (await call(client, "plan", fails=True, **wrong))["faults"] == reason["faults"]

    with_client(use)


def test_failures_fit_the_schemas_of_the_tools() -> None:
    """Some clients refuse documents that do not conform to the schema."""
    jsonschema = pytest.importorskip("jsonschema")
    plan = {"plan": "(drive van depot harbour)"}
    given: dict[str, Any] = {"validate": plan, "judge": plan, "compare_plans": {"plans": list(plan.values())}}

    async def use(client: Client) -> None:
        for tool in (await client.list_tools()).tools:
            validator = jsonschema.Draft202012Validator(tool.output_schema)
            assert not validator.is_valid({})
            for domain, fails in (("", tool.name != "explain"), (COURIER["domain"], False)):
                task = {**COURIER, "domain": domain}
                validator.validate(await call(client, tool.name, fails=fails, **task, **given.get(tool.name, {})))

    with_client(use)


def test_texts_of_a_call_are_never_used_as_file_names_or_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The module that the texts name writes a file when it is imported. No such file may appear."""
    mark = tmp_path / "imported"
    (tmp_path / "evil.py").write_text(f"open({str(mark)!r}, 'w')\nclass Task: pass\n")
    names = ["evil:Task", str(EXAMPLES / "domain.pddl"), "tiles8:random/1", "(define evil:Task)"]

    async def use(client: Client) -> None:
        for name in names:
            refused = await call(client, "plan", fails=True, domain=name, problem=name)
            assert refused["verdict"] == "wrong_pddl"
            assert refused["faults"][0]["file"] == "domain"
        for option in ("policy", "search", "heuristic", "order"):
            await client.call_tool("plan", {**COURIER, option: "evil:Task"})

    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])  # the server imports from here, too
    with_client(use)
    assert not mark.exists()


def test_limits() -> None:
    async def use(client: Client) -> None:
        found = await call(client, "plan", **hard(), w=1, time_limit=0.5)
        assert found["status"] == "timeout"
        assert found["statistics"]["total_seconds"] < 10
        reason = await call(client, "bound", fails=True, **large(), memory_limit=100)
        assert (reason["verdict"], "memory_limit" in reason["message"]) == ("limit", True)
        assert (await call(client, "bound", **COURIER, memory_limit=100))["lower_bound"] == OPTIMUM
        for limits in ({"time_limit": 21}, {"time_limit": 0}, {"memory_limit": 201}, {"w": 0.5}):
            refused = await client.call_tool("plan", {**COURIER, **limits})
            assert refused.is_error
            assert next(iter(limits)) in refused.content[0].text  # type: ignore[union-attr]
        long = {**COURIER, "problem": COURIER["problem"] + ";" * 50_000}
        refused = await call(client, "plan", fails=True, **long)
        assert (refused["verdict"], "at most 50,000" in refused["message"]) == ("refused", True)

    with_client(use, "--max-time", "20s", "--max-memory", "200MB", "--max-size", "50kB")


async def eventually(holds: Callable[[], bool]) -> bool:
    with anyio.move_on_after(30):
        while not holds():
            await anyio.sleep(0.05)
    return holds()


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are counted in /proc, which is Linux's")
def test_a_cancelled_call_ends_its_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])

    async def use(client: Client) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: client.call_tool("plan", {**hard(), "w": 1, "time_limit": 120}))
            assert await eventually(lambda: processes(str(tmp_path)) == 1)
            group.cancel_scope.cancel()
        assert await eventually(lambda: processes(str(tmp_path)) == 0)
        with pytest.raises(MCPError):  # the client stops waiting, which cancels the call as well
            await client.call_tool("plan", {**hard(), "w": 1, "time_limit": 120}, read_timeout_seconds=3)
        assert await eventually(lambda: processes(str(tmp_path)) == 0)
        assert (await call(client, "bound", **COURIER))["lower_bound"] > 0  # the server still answers

    with_client(use)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the processes end at their time limits")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_calls_of_a_killed_server_end(number: signal.Signals, tmp_path: Path) -> None:
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    arguments = {**hard(), "w": 1, "time_limit": 120}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": client},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "plan", "arguments": arguments}},
    ]
    environment = {**os.environ, "PYTHONPATH": ":".join([*sys.path, str(tmp_path)])}
    command = [sys.executable, "-m", "fsplan", "mcp"]
    with subprocess.Popen(command, cwd="/", env=environment, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL) as server:
        assert server.stdin is not None
        for message in messages:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            server.stdin.flush()
        assert anyio.run(eventually, lambda: processes(str(tmp_path)) == 1)
        anyio.run(anyio.sleep, 1)  # by now, the call's process has requested a signal for the death of its parent
        server.send_signal(number)
        assert server.wait(30) == -number
    assert anyio.run(eventually, lambda: processes(str(tmp_path)) == 0)


def test_http_on_the_loopback_interface() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "fsplan", "mcp", "--port", str(port)]

    async def use() -> None:
        with anyio.fail_after(60):
            while True:
                try:
                    await (await anyio.connect_tcp("127.0.0.1", port)).aclose()
                    break
                except OSError:
                    await anyio.sleep(0.1)
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            assert (await call(client, "plan", **COURIER, w=1))["cost"] == OPTIMUM

    with subprocess.Popen(command, cwd="/", stderr=subprocess.DEVNULL) as server:
        try:
            anyio.run(use)
        finally:
            server.terminate()
    assert server.returncode is not None
