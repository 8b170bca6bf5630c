"""All C++ files are compiled as one, which detects different definitions of one name; the linker does not."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from pathlib import Path

import nanobind
import pytest
from support import ROOT

CORE = ROOT / "planner" / "core"


@pytest.mark.build
@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_a_name_means_one_thing_in_all_files(tmp_path: Path) -> None:
    files = sorted(path for path in CORE.glob("*/*.cpp") if path.parent.name != "tests")
    assert files
    together = tmp_path / "together.cpp"
    together.write_text("".join(f'#include "{path}"\n' for path in files))
    options = ["-std=c++20", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    # The build writes the headers that include every search and every order.
    generated = max(ROOT.glob("build/*/generated"), key=lambda folder: folder.stat().st_mtime, default=None)
    if generated is None:
        pytest.skip("the tree is not built")
    folders = [
        f"-I{CORE}",
        f"-I{generated}",
        f"-isystem{nanobind.include_dir()}",
        f"-isystem{sysconfig.get_path('include')}",
    ]
    answer = subprocess.run(["g++", *options, *folders, together], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr[:2000]
