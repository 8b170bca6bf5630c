"""Helpers of many tests: paths of the repository and of the benchmark tasks, a domain, running the command line."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import pytest

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = Path(os.environ.get("FSPLAN_BENCHMARKS", ROOT.parent / "shared" / "benchmarks"))

GRIPPER_DOMAIN = """
(define (domain gripper) (:requirements :typing) (:types room ball hand)
 (:predicates (at-robby ?r - room) (at ?b - ball ?r - room) (free ?h - hand) (carry ?b - ball ?h - hand))
 (:action move :parameters (?from ?to - room) :precondition (at-robby ?from)
  :effect (and (at-robby ?to) (not (at-robby ?from))))
 (:action pick :parameters (?b - ball ?r - room ?h - hand) :precondition (and (at ?b ?r) (at-robby ?r) (free ?h))
  :effect (and (carry ?b ?h) (not (at ?b ?r)) (not (free ?h))))
 (:action drop :parameters (?b - ball ?r - room ?h - hand) :precondition (and (carry ?b ?h) (at-robby ?r))
  :effect (and (at ?b ?r) (free ?h) (not (carry ?b ?h)))))
"""

T = TypeVar("T")


def known(value: T | None) -> T:
    """Asserts that the value is not None, and returns it."""
    assert value is not None
    return value


def seeds(short: int, full: int, parts: int = 1) -> pytest.MarkDecorator:
    """Parametrises a test by `seeds`: `short` seeds in the default run; the others, in parts, are marked `long`."""
    others = [range(first, full, parts) for first in range(short, short + parts)]
    portions = [range(short), *(pytest.param(part, marks=pytest.mark.long) for part in others)]
    return pytest.mark.parametrize("seeds", portions, ids=["first", *(f"part{part}" for part in range(parts))])


def fsplan(
    *words: object, environment: dict[str, str] | None = None, folder: object = "/"
) -> subprocess.CompletedProcess[str]:
    """Runs the command line in a process of its own, outside the repository, whose folders would shadow packages."""
    return subprocess.run(
        [sys.executable, "-m", "fsplan", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=str(folder),
        env={**os.environ, **(environment or {})},
    )


def on_terminal(*words: object) -> bytes:
    """The output of a command on a terminal."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "fsplan", *map(str, words)]
    process = subprocess.Popen(command, stdout=follower, stderr=follower, cwd="/")
    os.close(follower)
    seen = b""
    with contextlib.suppress(OSError):  # the terminal closes with the process
        while data := os.read(leader, 65536):
            seen += data
    process.wait()
    os.close(leader)
    return seen


def read_by(search: str, **options: Any) -> dict[str, Any]:
    """Those of the given options that the search accepts."""
    from fsplan.planner.search import catalogue

    return {name: value for name, value in options.items() if name in catalogue.search(search).reads}


def schema(name: str) -> dict[str, Any]:
    """One of the JSON schemas in planner/schemas."""
    text = (files("fsplan") / "planner" / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


def check_schema(document: Any, name: str) -> None:
    """Validates a document against one of planner/schemas."""
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(schema(name))
    jsonschema.Draft202012Validator(schema(name)).validate(document)
    assert document["schema"] == schema(name)["$id"]


def processes(mark: str) -> int:
    """The number of processes with the mark in their command line, such as those of a server's calls."""
    return sum(mark.encode() in _contents(path) for path in Path("/proc").glob("[0-9]*/cmdline"))


def _contents(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # the process has ended
        return b""


def show_page(browser: Any, url: str, width: int, dark: bool = False) -> Any:
    """Opens a page in a window of this width, as a mobile device if it is narrow; returns the browser."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    colours = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [colours]})
    browser.get(url)
    return browser


def python_files() -> list[Path]:
    """All Python files of the package."""
    return [path for top in ("planner", "pddl", "domains") for path in sorted((ROOT / top).rglob("*.py"))]
