"""The server of `fsplan serve`: planning over HTTP for editors and scripts, and a page for people.

It answers as the online solver does (`/solve`) and as planning-as-a-service does (`/package/NAME/solve`, then the link
`/check/…` until its status is no longer PENDING). `/api/TOOL` gives the documents of `fsplan mcp`. Each call runs in a
process of its own under limits (`calls`); it is killed when the client leaves.

A web page of another site must not reach the server through the browser of its user: a request whose Origin is another
site is refused unless that site is allowed, and so is one whose Host is not the server's (DNS rebinding).
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from fsplan.planner.base.json_text import parse
from fsplan.planner.integrations.calls import ARGUMENTS, LEAST_MEGABYTES, Answer, Calls, Maxima, listen
from fsplan.planner.integrations.teaching import page

T = TypeVar("T")

WEIGHTS = {"fsplan": 1.5, "fsplan-optimal": 1.0}  # w by package
# The package used if a client names an unknown one. So a script that was written for another server, with other
# planners, needs only the new address.
ANY_PACKAGE = "fsplan"
PLAN_FOUND = "Solution found.\n --- OK.\n"  # lines of Fast Downward and dual-bfws-ffparser that clients look for
MOST_JOBS = 1000  # queued calls whose answers are kept
KEPT_SECONDS = 600.0  # seconds for which an answer is kept
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass
class Job:
    """A queued call: the package that the client named, and the answer, or None until the call ends."""

    package: str
    started: float = field(default_factory=monotonic)
    answer: dict[str, Any] | None = None


class Server:
    """The endpoints; `_jobs` maps the last part of a link `/check/…` to its queued call."""

    def __init__(self, maxima: Maxima) -> None:
        self._maxima, self._calls = maxima, Calls(maxima)
        self._jobs: dict[str, Job] = {}
        self._group: Any = None

    @asynccontextmanager
    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        async with anyio.create_task_group() as self._group:
            yield
            self._group.cancel_scope.cancel()

    async def show_page(self, request: Request) -> Response:
        return HTMLResponse(page())

    async def solve(self, request: Request) -> Response:
        call = self._checked(await self._read(request), {"w": WEIGHTS[ANY_PACKAGE]})
        return JSONResponse(await unless_left(request.receive, partial(self._solve, call)))

    async def show_packages(self, request: Request) -> Response:
        return JSONResponse({name: manifest(name) for name in WEIGHTS})

    async def show_package(self, request: Request) -> Response:
        return JSONResponse(manifest(_package(request)))

    async def queue(self, request: Request) -> Response:
        """Starts a call and returns the link under which its answer will be."""
        call = self._checked(await self._read(request), {"w": WEIGHTS[_package(request)]})
        self._forget_old_jobs()
        if len(self._jobs) >= MOST_JOBS:
            raise HTTPException(429, "too many queued calls; try again later")
        name = uuid4().hex
        self._jobs[name] = Job(request.path_params["package"])
        self._group.start_soon(self._work, self._jobs[name], call)
        return JSONResponse({"result": f"/check/{name}?external=True"})

    async def _work(self, job: Job, call: dict[str, Any]) -> None:
        job.answer = await self._solve(call)

    async def check(self, request: Request) -> Response:
        """Returns the answer of a queued call, on request in the format of the online editor."""
        job = self._jobs.get(request.path_params["name"])
        if job is None:
            raise HTTPException(404, "there is no such call, or its answer is no longer kept")
        if job.answer is None:
            return JSONResponse({"status": "PENDING"})
        wanted = await self._read(request) if request.method == "POST" else {}
        return JSONResponse(for_editor(job.answer) if "adaptor" in wanted else as_package(job.answer, job.package))

    async def call_tool(self, request: Request) -> Response:
        tool = request.path_params["tool"]
        if tool not in ARGUMENTS:
            raise HTTPException(404, f"there is no tool {tool}; the tools are {', '.join(ARGUMENTS)}")
        given = await self._read(request)
        call = partial(self._calls.run, tool, **self._checked(given, ARGUMENTS[tool]))
        if tool == "plan" and given.get("stream"):
            return Lines(partial(call, stream=True))
        return JSONResponse((await unless_left(request.receive, call)).document)

    async def replay(self, request: Request) -> Response:
        """Returns a page that replays a search. The request is a form, so that the browser opens a new window."""
        call = self._checked(await self._read(request), {"w": WEIGHTS[ANY_PACKAGE]})
        answer = await unless_left(request.receive, partial(self._calls.run, "replay", **call))
        if "page" not in answer.document:
            return PlainTextResponse(answer.document["message"], 422)
        return HTMLResponse(answer.document["page"])

    async def _solve(self, call: dict[str, Any]) -> dict[str, Any]:
        answer = await self._calls.run("solve", **call)
        if answer.failed or "verdict" in answer.document:
            text = "\n".join([answer.document["message"], *(fault["excerpt"] for fault in answer.document["faults"])])
            return {"status": "error", "result": {"output": text, "error": text, "parse_status": "err"}}
        return answer.document

    def _checked(self, given: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
        """Returns the arguments of a call; refuses limits beyond the maxima and values of the wrong kind."""
        seconds, megabytes = self._maxima.defaults
        most = self._maxima.memory // 10**6
        call = {
            name: given.get(name, default) for name, default in {"domain": ..., "problem": ..., **arguments}.items()
        }
        if missing := [name for name, value in call.items() if value is ...]:
            raise HTTPException(400, f"the request lacks {' and '.join(missing)}")
        for name in ("domain", "problem"):
            if not isinstance(call[name], str):
                raise HTTPException(400, f"{name} is not a text")
        if not all(_is_plan(call[name]) for name in ("plan",) if call.get(name) is not None):
            raise HTTPException(400, "plan is neither a text nor a list of steps")
        if "plans" in call and not (isinstance(call["plans"], list) and all(map(_is_plan, call["plans"]))):
            raise HTTPException(400, "plans is not a list of plans")
        if "w" in call:
            call["w"] = _number(call["w"], "w", 1, 1e9)
        call["time_limit"] = _number(given.get("time_limit", seconds), "time_limit", 0.01, self._maxima.seconds)
        least = min(LEAST_MEGABYTES, most)
        call["memory_limit"] = int(_number(given.get("memory_limit", megabytes), "memory_limit", least, most))
        return call

    async def _read(self, request: Request) -> dict[str, Any]:
        """Returns the fields of a request: JSON or a form, and the query of its address."""
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > 2 * self._maxima.size:
                raise HTTPException(413, f"this server takes at most {self._maxima.size:,} bytes")
        fields: dict[str, Any] = dict(request.query_params)
        if "json" in request.headers.get("content-type", "") or body.lstrip()[:1] == b"{":
            try:
                read = parse(body)
            except ValueError as error:
                raise HTTPException(400, f"the request is not JSON: {error}") from None
            if not isinstance(read, dict):
                raise HTTPException(400, "the request is not a JSON object")
            return {**fields, **read}
        try:
            form = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=100)
        except ValueError:
            raise HTTPException(400, "the request is neither JSON nor a form") from None
        return {**fields, **{name: values[-1] for name, values in form.items()}}

    def _forget_old_jobs(self) -> None:
        old = monotonic() - KEPT_SECONDS
        self._jobs = {name: job for name, job in self._jobs.items() if job.answer is None or job.started > old}


class Lines(Response):
    """Sends a line of JSON for every better plan or bound as it is found, and the document as the last line."""

    def __init__(self, call: Callable[..., Awaitable[Answer]]) -> None:
        super().__init__(media_type="application/x-ndjson")
        del self.headers["content-length"]
        self._call = call

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})

        async def send_line(document: dict[str, Any]) -> None:
            line = json.dumps(document).encode() + b"\n"
            await send({"type": "http.response.body", "body": line, "more_body": True})

        answer = await unless_left(receive, partial(self._call, on_progress=send_line))
        await send_line(answer.document)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def unless_left(receive: Receive, work: Callable[[], Awaitable[T]]) -> T:
    """Returns what `work` returns; cancels it if the client closes the connection."""
    found: list[T] = []
    async with anyio.create_task_group() as group:

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()

        group.start_soon(watch)
        found.append(await work())
        group.cancel_scope.cancel()
    if not found:
        raise ClientDisconnect
    return found[0]


def _package(request: Request) -> str:
    name = request.path_params["package"]
    return name if name in WEIGHTS else ANY_PACKAGE


def _is_plan(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(step, str) for step in value))


def _number(value: Any, name: str, least: float, most: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if isinstance(value, bool) or not isfinite(number) or not least <= number <= most:
        raise HTTPException(400, f"{name} is a number from {least:g} to {most:g}")
    return number


def manifest(name: str) -> dict[str, Any]:
    """Describes a package as planning-as-a-service does."""
    what = "optimal plans" if WEIGHTS[name] == 1 else f"plans that cost at most {WEIGHTS[name]:g} times the optimum"
    files = [{"name": each, "type": "file", "description": f"{each} file"} for each in ("domain", "problem")]
    call = {"args": files, "call": f"{name} {{domain}} {{problem}}", "return": {"type": "generic", "files": "plan"}}
    return {
        "package_name": name,
        "name": f"fsplan: {what}, proven",
        "description": f"fsplan finds {what}, and proves it by a lower bound.",
        "runnable": True,
        "install-size": "0",
        "dependencies": [],
        "endpoint": {"services": {"solve": call}},
    }


def as_package(answer: dict[str, Any], package: str) -> dict[str, Any]:
    """Returns the answer of a package: its plan files, and what the planner printed.

    Clients decide by lines of well-known planners in `stdout`, and by the name in `call`, how to read the files: `plan`
    has only steps, as that of dual-bfws-ffparser and delfi, and `sas_plan` ends with a comment, as that of lama-first.
    """
    result = answer["result"]
    printed = {"stdout": result["output"], "stderr": "", "call": f"{package} domain problem"}
    if answer["status"] != "ok":
        return {"status": "ok", "result": {**result, **printed, "stderr": result["error"], "output": {}}}
    steps = "".join(f"{step['name']}\n" for step in result["plan"])
    printed["stdout"] = f"{PLAN_FOUND}{result['output']}\n"
    return {"status": "ok", "result": {**result, **printed, "output": {"plan": steps, "sas_plan": result["text"]}}}


def for_editor(answer: dict[str, Any]) -> dict[str, Any]:
    """Returns the answer in the form of the online editor's plugin."""
    return {"status": "ok", "plans": [answer]} if answer["status"] == "ok" else answer


class Guard:
    """Refuses requests from pages of other sites, and requests for other hosts."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str], origins: Sequence[str]) -> None:
        self._app, self._hosts, self._origins = app, hosts, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["path"] = "/" + scope["path"].lstrip("/")  # planutils requests //check/…
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
            host = headers.get("host", "")
            if self._hosts and urlsplit(f"//{host}").hostname not in self._hosts:
                return await PlainTextResponse("this host is not served", 403)(scope, receive, send)
            origin = headers.get("origin")
            is_own = origin in (None, f"http://{host}", f"https://{host}")
            if not (is_own or "*" in self._origins or origin in self._origins):
                return await PlainTextResponse("see fsplan serve --allow-origin", 403)(scope, receive, send)
        return await self._app(scope, receive, send)


def make_app(maxima: Maxima, hosts: Sequence[str] = LOOPBACK, origins: Sequence[str] = ()) -> Starlette:
    """Returns the application; empty `hosts` allow every Host header."""
    server = Server(maxima)
    routes = [
        Route("/", server.show_page),
        Route("/solve", server.solve, methods=["POST"]),
        Route("/package", server.show_packages),
        Route("/package/{package}", server.show_package),
        Route("/package/{package}/solve", server.queue, methods=["POST"]),
        Route("/package/{package}/solve", server.show_package),
        Route("/check/{name}", server.check, methods=["GET", "POST"]),
        Route("/replay", server.replay, methods=["POST"]),
        Route("/api/{tool}", server.call_tool, methods=["POST"]),
    ]
    middleware = [
        Middleware(Guard, hosts=hosts, origins=origins),
        Middleware(CORSMiddleware, allow_origins=origins, allow_methods=["*"], allow_headers=["*"]),
    ]
    return Starlette(routes=routes, middleware=middleware, lifespan=server.lifespan, exception_handlers=_HANDLERS)


async def _refuse(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse(
        {"status": "error", "error": error.detail, "result": {"error": error.detail}}, error.status_code
    )


async def _leave(_request: Request, _error: Exception) -> Response:
    return Response(status_code=499)  # the client has left


_HANDLERS: Any = {HTTPException: _refuse, ClientDisconnect: _leave}


def serve(maxima: Maxima, host: str, port: int, origins: Sequence[str]) -> None:
    """Serves until it is interrupted. If the host is not the loopback interface, other machines may use the server."""
    import uvicorn

    is_local = host in LOOPBACK
    with listen(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        print(f"fsplan serves http://{shown}:{listening.getsockname()[1]}", file=sys.stderr, flush=True)
        app = make_app(maxima, LOOPBACK if is_local else (), origins)
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
        uvicorn.Server(config).run([listening])
