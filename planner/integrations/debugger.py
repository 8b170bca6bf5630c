"""The search debugger of the PDDL extension of VS Code: shows the search tree while a search runs.

The extension runs an HTTP server on this machine. fsplan sends these requests to it:

    GET  /about                   checks that a debugger answers
    POST /state/initial           the initial state
    POST /state                   a state that was reached for the first time
    POST /state/visitedOrWorse    a state that was reached again
    POST /state/heuristic         the h-value of a state, sent when the state is expanded
    POST /plan                    the goal state that the plan reaches
"""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from fsplan.planner._core import Expansion, StateSpace
from fsplan.planner.search.result import Result

LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PATIENCE = 5.0  # seconds to wait for an answer

State = tuple[int, ...]


class DebuggerError(OSError):
    """No debugger answers, or it has stopped answering."""


class SearchDebugger:
    """Sends the steps of a search to a debugger: pass it to `solve` as `on_expansion`, and call `end` with the result.

    A debugger on another machine receives the task, so other hosts are refused unless `any_host` is set.
    """

    def __init__(self, url: str, space: StateSpace, *, any_host: bool = False) -> None:
        self._space = space.at(space.start_values())  # a copy: the search is using the other one
        self._connection = _connect(url, any_host)
        self._numbers: dict[State, str] = {}
        self._reached: dict[str, tuple[str, str, int]] = {}  # state -> parent, action and g
        self._request("GET", "/about", None)

    def __call__(self, expansion: Expansion) -> None:
        values = tuple(expansion.values)
        if not self._numbers:
            self._post("/state/initial", {"id": self._number(values), "g": 0, "earliestTime": 0})
        here = self._number(values)
        self._post("/state/heuristic", _evaluation(here, expansion.g, expansion.h))
        for action, cost, child in self._space.successors(expansion.values):
            self._post_child(here, self._space.action_name(action), expansion.g + cost, tuple(child))

    def end(self, result: Result) -> None:
        """Marks the goal state that the plan reaches, if it was sent to the debugger."""
        goal = self._end_of(result.plan) if result.plan else None
        if goal is not None:
            self._post("/plan", self._message(goal))
        self._connection.close()

    def _post_child(self, parent: str, action: str, g: int, child: State) -> None:
        is_new = child not in self._numbers
        number = self._number(child)
        if is_new:
            self._reached[number] = (parent, action, g)
        self._post("/state" if is_new else "/state/visitedOrWorse", self._message(number))

    def _number(self, values: State) -> str:
        return self._numbers.setdefault(values, str(len(self._numbers)))

    def _message(self, number: str) -> dict[str, Any]:
        parent, action, g = self._reached.get(number, (None, None, 0))
        message: dict[str, Any] = {"id": number, "g": g, "earliestTime": g, "planHead": self._path_to(number)}
        if parent is not None:
            message |= {"parentId": parent, "appliedAction": _happening(str(action), g)}
        return message

    def _path_to(self, number: str) -> list[dict[str, Any]]:
        steps: list[dict[str, Any]] = []
        while number in self._reached:
            number, action, g = self._reached[number]
            steps.append(_happening(action, g))
        return steps[::-1]

    def _end_of(self, plan: list[str]) -> str | None:
        """Returns the state that the plan reaches; if several actions share a name, the first one found is followed."""
        state: State = tuple(self._space.start_values())
        for step in plan:
            following = [
                tuple(child)
                for action, _, child in self._space.successors(list(state))
                if self._space.action_name(action) == step and tuple(child) in self._numbers
            ]
            if not following:
                return None
            state = following[0]
        return self._numbers.get(state)

    def _post(self, path: str, message: dict[str, Any]) -> None:
        self._request("POST", path, json.dumps(message))

    def _request(self, method: str, path: str, body: str | None) -> None:
        try:
            self._connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = self._connection.getresponse()
            answer.read()
        except (OSError, HTTPException) as error:
            address = f"{self._connection.host}:{self._connection.port}"
            raise DebuggerError(f"no search debugger answers at {address}: {error}; start it in VS Code") from None
        if answer.status >= 400:
            raise DebuggerError(f"the search debugger refused {path}: {answer.status} {answer.reason}")


def _connect(url: str, any_host: bool) -> HTTPConnection:
    parts = urlsplit(url if "//" in url else f"http://{url}")
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError(f"a debugger's address is http://localhost:PORT, not {url}")
    if parts.hostname not in LOOPBACK and not any_host:
        raise ValueError(f"{parts.hostname} is not this machine; allow it with --debugger-any-host (any_host=True)")
    return HTTPConnection(parts.hostname, parts.port or 80, timeout=_PATIENCE)


def _evaluation(number: str, g: int, h: int | None) -> dict[str, Any]:
    """Returns the record of a state's g and h; h is left out at a dead end."""
    if h is None:
        return {"id": number}
    return {"id": number, "h": h, "totalMakespan": g + h, "relaxedPlan": [], "helpfulActions": []}


def _happening(action: str, time: int) -> dict[str, Any]:
    return {"actionName": action, "earliestTime": time, "shotCounter": 0, "iterations": 1, "kind": "INSTANTANEOUS"}
