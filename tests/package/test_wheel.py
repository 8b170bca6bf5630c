"""The wheel installs one import name and everything a user needs."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support import ROOT

pytestmark = pytest.mark.build


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".git", ".venv", "build", "*.so", ".hypothesis", "*_cache")
    )
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "--config-settings=cmake.build-type=Debug",
        "--config-settings=cmake.define.CMAKE_CXX_FLAGS_DEBUG=-O0",
        "-w",
        str(folder),
        str(source),
    ]
    subprocess.run(command, check=True, cwd="/")
    (wheel,) = Path(folder).glob("fsplan-*.whl")
    return zipfile.ZipFile(wheel).namelist()


def test_nothing_is_installed_outside_the_import_name(names: list[str]) -> None:
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"fsplan"}


@pytest.mark.parametrize(
    "part",
    [
        "fsplan/__init__.py",
        "fsplan/py.typed",
        "fsplan/planner/_core.pyi",
        "fsplan/pddl/tasks/blocks/domain.pddl",
        "fsplan/pddl/tasks/blocks/probBLOCKS-8-0.pddl",
    ],
)
def test_the_wheel_has_its_parts(names: list[str], part: str) -> None:
    assert part in names


def test_the_wheel_has_the_module_and_no_sources(names: list[str]) -> None:
    assert sum(name.startswith("fsplan/planner/_core.") and name.endswith(".so") for name in names) == 1
    assert not [name for name in names if name.endswith((".cpp", ".hpp"))]
