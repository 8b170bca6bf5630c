"""The server of `fsplan mcp`: tools of the Model Context Protocol for agents that have PDDL as text.

Each call runs in a process of its own under limits (`calls`); it is killed when the client cancels the call or leaves.
"""

from __future__ import annotations

import json
import signal
from importlib.resources import files
from inspect import Parameter, Signature
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from fsplan.planner.base.version import __version__
from fsplan.planner.integrations.calls import ARGUMENTS, LEAST_MEGABYTES, Calls, Maxima, listen
from fsplan.planner.search.explanation import SCHEMA

KEYWORD = Parameter.KEYWORD_ONLY

_INSTRUCTIONS = (
    "Classical planning with proven bounds. Pass domain and problem as PDDL text. No plan costs less than lower_bound. "
    "A plan costs at most proven_ratio times the optimum. If a call fails, its faults have line and column of the PDDL."
)
_FAILURE = {"properties": {"schema": {"const": SCHEMA}}, "required": ["schema", "verdict", "message", "faults"]}

Domain = Annotated[str, Field(description="The PDDL domain as text, not a path.")]
ProblemText = Annotated[str, Field(description="The PDDL problem as text, not a path.")]
PlanText = Annotated[
    str | list[str], Field(description="A plan: text with (action argument …) on each line, or a list of such steps.")
]
Weight = Annotated[
    float, Field(ge=1, description="Stop when cost <= w * lower_bound is proven; 1 asks for an optimum.")
]

KINDS: dict[str, Any] = {"w": Weight, "plan": PlanText, "plans": list[PlanText]}

# The schema of a tool's results, and what agents read about the tool.
TOOLS = {
    "plan": (
        "result",
        "Finds a plan that costs at most w times the optimum, and a lower bound, or proves that there is none.",
    ),
    "validate": ("validation", "Checks a plan against the PDDL: the step that fails, and what is false there."),
    "judge": ("judgement", "Checks a plan, proves how far from optimal it can be, and looks for a cheaper one."),
    "bound": (
        "bound",
        "Proves a lower bound on the cost of every plan without a search, and says which method proved it.",
    ),
    "explain": (
        "explanation",
        "Says why there is no plan, which step of a given plan fails, or where the PDDL is wrong.",
    ),
    "compare_plans": ("plans", "Checks several plans, and proves how far from optimal each of them can be."),
}


def make_server(maxima: Maxima) -> MCPServer[Any]:
    """Returns the server with its six tools."""
    calls, most = Calls(maxima), maxima.memory // 10**6
    seconds, megabytes = maxima.defaults
    Seconds = Annotated[float, Field(gt=0, le=maxima.seconds, description="Time limit in seconds.")]
    Megabytes = Annotated[int, Field(ge=min(LEAST_MEGABYTES, most), le=most, description="Memory limit in megabytes.")]
    limits = {"time_limit": (Seconds, seconds), "memory_limit": (Megabytes, megabytes)}
    return MCPServer(
        "fsplan",
        version=__version__,
        instructions=_INSTRUCTIONS,
        log_level="WARNING",
        tools=[_tool(_function(calls, name, limits), schema) for name, (schema, _) in TOOLS.items()],
    )


def _function(calls: Calls, name: str, limits: dict[str, tuple[Any, Any]]) -> Any:
    """Returns a function with the signature of a tool; `mcp` makes the schema of the tool's arguments from it."""

    async def call(**given: Any) -> CallToolResult:
        answer = await calls.run(name, **given)
        text = TextContent(type="text", text=json.dumps(answer.document, ensure_ascii=False))
        return CallToolResult(content=[text], structured_content=answer.document, is_error=answer.failed)

    arguments: dict[str, tuple[Any, Any]] = {"domain": (Domain, ...), "problem": (ProblemText, ...)}
    for argument, default in ARGUMENTS[name].items():
        arguments[argument] = (KINDS[argument] if default is not None else KINDS[argument] | None, default)
    call.__name__, call.__doc__ = name, TOOLS[name][1]
    call.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(each, KEYWORD, annotation=kind, default=Parameter.empty if default is ... else default)
            for each, (kind, default) in {**arguments, **limits}.items()
        ]
    )
    return call


def _tool(function: Any, schema: str) -> Tool:
    """Returns the tool with one of planner/schemas as the schema of its results.

    Clients validate the document of a failed call, an explanation, against the same schema, so the schema allows both.
    """
    harmless = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    tool = Tool.from_function(function, annotations=harmless, structured_output=False)
    text = (files("fsplan") / "planner" / "schemas" / f"{schema}.schema.json").read_text(encoding="utf-8")
    answer = {name: value for name, value in json.loads(text).items() if name not in ("$schema", "$id")}
    tool.fn_metadata.output_schema = {"type": "object", "anyOf": [answer, _FAILURE]}
    return tool


def serve(maxima: Maxima, port: int | None = None) -> None:
    """Serves on stdin and stdout, or over HTTP on a port of the loopback interface, until it is stopped."""
    server = make_server(maxima)
    if port is None:
        for number in (signal.SIGINT, signal.SIGTERM):  # with Python's handlers, the exit would wait for input on stdin
            signal.signal(number, signal.SIG_DFL)
        server.run("stdio")
    else:
        listen("127.0.0.1", port).close()  # refuses a port that is in use with a message
        server.run("streamable-http", host="127.0.0.1", port=port, max_request_body_size=2 * maxima.size)
