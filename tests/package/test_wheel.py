"""The wheel, built from the source distribution, installs one import name and all files that users need."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support import ROOT

# The wheel is only inspected, so it is built without optimisation and with parallel compilation.
QUICK_BUILD = ("build-type=Debug", "define.CMAKE_CXX_FLAGS_DEBUG=-O0", "define.CMAKE_UNITY_BUILD=ON")
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "build", "dist", "*.so", "_core.pyi", ".hypothesis", "*_cache", ".cache"
)
PARTS = {
    "fsplan/__init__.py",
    "fsplan/py.typed",
    "fsplan/planner/_core.pyi",
    "fsplan/pddl/tasks/blocks/domain.pddl",
    "fsplan/pddl/tasks/blocks/probBLOCKS-8-0.pddl",
}


def run(*words: str | Path) -> str:
    done = subprocess.run([sys.executable, "-m", *words], cwd="/", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    return done.stdout


@pytest.mark.build
def test_a_release(tmp_path: Path) -> None:
    """There is only one test here: two tests may run in different processes, and each process would build the wheel."""
    pytest.importorskip("twine", reason="pip install 'fsplan[test]' brings twine")
    shutil.copytree(ROOT, tmp_path / "source", ignore=LEFT_OUT)
    options = [f"--config-setting=cmake.{option}" for option in QUICK_BUILD]
    run("build", "--no-isolation", "--outdir", tmp_path / "dist", *options, tmp_path / "source")
    (wheel,), (sources,) = (list((tmp_path / "dist").glob(f"fsplan-*{end}")) for end in (".whl", ".tar.gz"))
    assert run("twine", "check", "--strict", wheel, sources).count("PASSED") == 2
    check_names(zipfile.ZipFile(wheel).namelist())


def check_names(names: list[str]) -> None:
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"fsplan"}
    assert set(names) >= PARTS
    assert sum(name.startswith("fsplan/planner/_core.") and name.endswith(".so") for name in names) == 1
    assert not [name for name in names if name.endswith((".cpp", ".hpp"))]
