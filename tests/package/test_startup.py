"""Starting is cheap: only modules that are used are imported."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support import ROOT

HEAVY = {"numpy", "networkx", "torch", "matplotlib", "tarski", "dataclasses", "json"}
BLOCKS = ROOT / "pddl/tasks/blocks/probBLOCKS-8-0.pddl"


def imported_by(program: str) -> set[str]:
    code = f"import sys\n{program}\nprint('IMPORTED', *sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd="/", check=True)
    return set(ran.stdout.partition("IMPORTED")[2].split())


def bare() -> set[str]:
    """Modules that the start of Python and `import fsplan` load, such as site hooks of an editable install."""
    return imported_by("import fsplan")


def with_click() -> set[str]:
    """The modules of `bare` and those that click, the command-line parser, imports; their import time is accepted."""
    return bare() | imported_by("import click")


@pytest.mark.parametrize(
    "words",
    [["--version"], ["ground", str(BLOCKS)], [str(BLOCKS), "--focal", "disc2", "--w", "1.5"]],
    ids=["version", "ground", "plan"],
)
def test_commands_import_nothing_heavy(words: list[str]) -> None:
    modules = imported_by(f"from fsplan.planner.cli import run\nassert run({words!r}) == 0") - with_click()
    assert not modules & HEAVY


def test_planning_without_options_needs_no_parser_of_command_lines() -> None:
    """Importing it would take as long as solving a small task."""
    words = [str(BLOCKS.with_name("domain.pddl")), str(BLOCKS)]
    modules = imported_by(f"from fsplan.planner.cli import run\nassert run({words!r}) == 0") - bare()
    assert not modules & (HEAVY | {"click", "inspect", "hashlib"})


def test_importing_fsplan_imports_nothing_of_it() -> None:
    assert {name for name in bare() if name.startswith("fsplan.")} <= {"fsplan.planner", "fsplan.pddl"}
