"""Runs calls of `text_calls` in processes of their own and under limits, for `fsplan mcp` and `fsplan serve`.

A process is killed when the task that awaits it is cancelled. Needs anyio, which both servers bring along.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from subprocess import PIPE
from typing import Any

import anyio
from anyio.abc import ByteReceiveStream

from fsplan.planner.base.limits import available_cores
from fsplan.planner.integrations.text_calls import limit_reached
from fsplan.planner.search.explanation import explanation

OnProgress = Callable[[dict[str, Any]], Awaitable[None]]

DEFAULT_SECONDS, DEFAULT_MEGABYTES = 30.0, 1000
LEAST_MEGABYTES = 100  # `bound` needs 60 for a small task: Python, numpy and the library of linear programs
# Arguments of the tools besides domain and problem, with their defaults; ... marks those that must be given.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "plan": {"w": 1.5},
    "validate": {"plan": ...},
    "judge": {"plan": ..., "w": 1.2},
    "bound": {},
    "explain": {"plan": None},
    "compare_plans": {"plans": ..., "w": 1.2},
    "states": {"plan": ...},
}
_STARTUP = 10.0  # seconds beyond the time limit after which a process is killed; it normally ends itself before
_EXIT_CODES = {20: "memory", 21: "time", 22: "memory", 23: "time"}  # the limit that was reached, by exit code


@dataclass(frozen=True)
class Maxima:
    """Upper limits of a call: seconds, bytes of memory, and bytes of its texts."""

    seconds: float
    memory: int
    size: int

    @property
    def defaults(self) -> tuple[float, int]:
        """The default limits of a call: seconds and megabytes."""
        return min(DEFAULT_SECONDS, self.seconds), min(DEFAULT_MEGABYTES, self.memory // 10**6)


@dataclass(frozen=True)
class Answer:
    """The JSON document of a call; if `failed`, the document only explains why the call failed."""

    document: dict[str, Any]
    failed: bool


def listen(host: str, port: int) -> socket.socket:
    """Returns a socket that listens at an address; port 0 is any free port."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise OSError(f"port {port} of {host} cannot be served: {reason}; name another one with --port") from None


class Calls:
    """Runs calls, at most one per core at a time."""

    def __init__(self, maxima: Maxima) -> None:
        self._maxima = maxima
        self._free = anyio.Semaphore(available_cores())

    async def run(
        self,
        tool: str,
        time_limit: float,
        memory_limit: int,
        on_progress: OnProgress | None = None,
        **arguments: Any,
    ) -> Answer:
        """Runs one tool; `memory_limit` is in megabytes. `on_progress` gets the documents printed before the answer."""
        call = {"tool": tool, "time_limit": time_limit, "memory_limit": memory_limit * 10**6, "arguments": arguments}
        text = json.dumps(call).encode()
        if len(text) > self._maxima.size:
            message = f"the call has {len(text):,} bytes; this server takes at most {self._maxima.size:,}"
            return Answer(explanation("refused", message), failed=True)
        async with self._free:
            with anyio.move_on_after(time_limit * 1.05 + _STARTUP):
                return await _run_process(text, on_progress)
        return Answer(limit_reached("time"), failed=True)


async def _run_process(text: bytes, on_progress: OnProgress | None) -> Answer:
    last = b""
    process = await anyio.open_process(_command(), stdin=PIPE, stdout=PIPE, stderr=sys.stderr, env=_environment())
    async with process:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(anyio.BrokenResourceError):  # the process has ended; its exit code gives the reason
            await process.stdin.send(text)
            await process.stdin.aclose()
        async for line in _lines(process.stdout):
            if last and on_progress is not None:
                await on_progress(json.loads(last))
            last = line
        return _answer(await process.wait(), last)


async def _lines(stream: ByteReceiveStream) -> AsyncIterator[bytes]:
    rest = b""
    async for chunk in stream:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line
    if rest:
        yield rest


def _command() -> list[str]:
    """The command of a process that imports from the same folders as this one, but not from the working folder."""
    program = f"import sys; sys.path[:] = {sys.path!r}; from fsplan.planner.integrations.text_calls import main; main()"
    return [sys.executable, "-c", program]


def _environment() -> dict[str, str]:
    """The environment of the process; with more threads, numpy's linear algebra library reserves memory for each."""
    return {**os.environ, "OPENBLAS_NUM_THREADS": "1"}


def _answer(exit_code: int, printed: bytes) -> Answer:
    try:
        return Answer(json.loads(printed), failed=exit_code != 0)
    except ValueError:  # the process was ended before it printed its answer
        if exit_code in _EXIT_CODES:
            return Answer(limit_reached(_EXIT_CODES[exit_code]), failed=True)
        message = f"the call's process ended with code {exit_code}; the server's stderr may say why"
        return Answer(explanation("error", message), failed=True)
