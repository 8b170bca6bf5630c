"""What docs/new-domain.md shows is run and compiled."""

from __future__ import annotations

import re
import shutil
import subprocess
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


def test_the_native_domain_compiles_and_runs(tmp_path: Path) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("no g++")
    main = """
int main() {
    fsplan::HanoiSource source;
    fsplan::SearchRequest request;
    request.search = &fsplan::IdaStarSearch::info;
    return source.search(request).cost == 7 ? 0 : 1;
}
"""
    core = ROOT / "planner" / "core"
    (tmp_path / "hanoi.cpp").write_text(blocks("cpp")[0] + main)
    parts = [tmp_path / "hanoi.cpp", core / "source.cpp", core / "explore.cpp"]
    command = [
        compiler,
        "-std=c++20",
        "-O0",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-I",
        core,
        *parts,
        "-o",
        tmp_path / "hanoi",
    ]
    subprocess.run(list(map(str, command)), check=True)
    assert subprocess.run([str(tmp_path / "hanoi")]).returncode == 0
