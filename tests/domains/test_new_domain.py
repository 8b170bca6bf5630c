"""What docs/new-domain.md shows is run and compiled."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import ROOT

TEXT = (ROOT / "docs" / "new-domain.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_the_python_domain_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    exec("\n".join(blocks("python")), names)
    assert names["optimal"].cost <= names["bounded"].cost <= 1.5 * names["optimal"].cost
    ring = list(names["task"].start)
    for step in names["bounded"].plan:
        place = int(step.split()[1])
        cells = [(place + offset) % len(ring) for offset in range(4)]
        for cell, token in zip(cells, [ring[cell] for cell in reversed(cells)], strict=True):
            ring[cell] = token
    assert ring == sorted(ring)
    assert capsys.readouterr().out


def write(tree: Path, code: str) -> None:
    """Puts a block of code into the file that its first line names."""
    first, _, rest = code.partition("\n")
    (tree / first.lstrip("/# ")).write_text(rest)


def insert(path: Path, after: str, code: str) -> None:
    text = path.read_text()
    assert text.count(after) == 1, after
    path.write_text(text.replace(after, f"{after}\n{code.rstrip()}"))


def test_the_native_domain_is_added_as_the_text_says(tmp_path: Path) -> None:
    """In a copy of the tree; most of it comes from ccache, where that is installed."""
    if shutil.which("cmake") is None:
        pytest.skip("no cmake")
    for name in ("planner", "pddl", "domains", "scripts"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    shutil.copy(ROOT / "CMakeLists.txt", tmp_path)
    domain, include, line = blocks("cpp")
    write(tmp_path, domain)
    bind = tmp_path / "planner/core/bind/bind_puzzles.cpp"
    insert(bind, '#include "bind/parts.hpp"', include)
    insert(bind, "void bind_puzzle_sources(nb::module_& module) {", line)
    write(tmp_path, *blocks("py"))
    insert(tmp_path / "planner/sources/registry.py", "_FILES = (", '"hanoi", ')
    subprocess.run([str(tmp_path / "scripts/dev")], check=True, capture_output=True)
    for search in ("idastar", "astar", "gbfs"):
        done = subprocess.run(
            [sys.executable, "-m", "fsplan", "hanoi:3", "--search", search],
            cwd=tmp_path / "scripts",
            env={**os.environ, "PYTHONPATH": str(tmp_path / "build/typing")},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert "cost = 7" in done.stdout or search == "gbfs"
