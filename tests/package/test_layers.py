"""The folders ("rooms") form no cycles: each imports only rooms above it in the tables of docs/internals.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import ROOT, python_files

CORE = ROOT / "planner" / "core"
_ROW = re.compile(r"^\| `([\w/]+)` \|", re.MULTILINE)
_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def layers(heading: str) -> list[str]:
    """The rooms of one table, from the top down."""
    text = (ROOT / "docs" / "internals.md").read_text(encoding="utf-8")
    section = text.partition(f"\n### {heading}\n")[2].partition("\n#")[0]
    return _ROW.findall(section)


PYTHON, NATIVE = layers("Python"), layers("C++")


def room_of(path: str, rooms: list[str]) -> str | None:
    """
    >>> room_of("planner/tasks/task", ["pddl", "planner/tasks"])
    'planner/tasks'
    """
    return next((room for room in rooms if path == room or path.startswith(f"{room}/")), None)


def imported(path: Path) -> Iterator[str]:
    """The modules of fsplan that a Python file imports, as paths; also inside functions and for type checkers."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name.removeprefix("fsplan.").replace(".", "/") for name in names if name.startswith("fsplan."))


def included(path: Path) -> list[str]:
    """The headers of the core that a C++ file includes, as paths below planner/core."""
    return [name for name in _INCLUDE.findall(path.read_text(encoding="utf-8")) if not name.startswith("every_")]


def points_down(source: str | None, target: str | None, rooms: list[str]) -> bool:
    return source is not None and target is not None and rooms.index(target) > rooms.index(source)


def backward_imports(path: Path) -> list[str]:
    source = room_of(path.relative_to(ROOT).as_posix(), PYTHON)
    return [name for name in imported(path) if points_down(source, room_of(name, PYTHON), PYTHON)]


def backward_includes(path: Path) -> list[str]:
    source = room_of(path.relative_to(CORE).as_posix(), NATIVE)
    return [name for name in included(path) if points_down(source, room_of(name, NATIVE), NATIVE)]


def test_no_import_points_down() -> None:
    assert {str(path): found for path in python_files() if (found := backward_imports(path))} == {}


def test_no_include_points_down() -> None:
    files = [path for path in sorted(CORE.rglob("*")) if path.suffix in (".cpp", ".hpp", ".inl")]
    assert {str(path): found for path in files if (found := backward_includes(path))} == {}


def test_every_folder_is_a_room() -> None:
    rooms = {path.relative_to(ROOT).parts[1] for path in (ROOT / "planner").rglob("*.py")}
    assert {f"planner/{room}" for room in rooms - {"__init__.py"}} == set(PYTHON) - {"pddl", "domains"}
    assert {path.relative_to(CORE).parts[0] for path in CORE.rglob("*pp")} == {*NATIVE, "tests"}


@pytest.mark.parametrize("source", ["planner/tasks/task.py", "pddl/reader.py"])
def test_a_backward_import_is_found(source: str) -> None:
    assert points_down(room_of(source, PYTHON), room_of("planner/search/solve", PYTHON), PYTHON)
    assert not points_down(room_of("planner/search/solve", PYTHON), room_of(source, PYTHON), PYTHON)
