"""Applies the recipes of the documentation, exactly as they are printed, to a copy of the source tree.

A recipe is made of blocks of code, each under a line that names a file: "New file `PATH`:" comes before the whole file,
and "In `PATH`:" before a diff, whose context and removed lines must be found there exactly once.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from support import ROOT

QUICK_BUILD = ("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0")
# The scripts call `python`, which must be the one that runs the tests: its environment need not be activated.
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
_BLOCK = re.compile(r"^(New file|In) `([^`\n]+)`:\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def text_of(document: str) -> str:
    return (ROOT / "docs" / document).read_text(encoding="utf-8")


def apply(text: str, tree: Path) -> None:
    """Writes the files and makes the changes that a text shows."""
    for what, path, code in _BLOCK.findall(text):
        if what == "In":
            _change(tree / path, code.splitlines())
        else:
            assert not (tree / path).exists(), path
            (tree / path).write_text(code)


def _change(path: Path, lines: list[str]) -> None:
    before = "".join(line[1:] + "\n" for line in lines if line[0] in " -")
    after = "".join(line[1:] + "\n" for line in lines if line[0] in " +")
    text = path.read_text()
    assert text.count(before) == 1, f"the documentation shows lines of {path} that are not there:\n{before}"
    path.write_text(text.replace(before, after))


class Copy:
    """A copy of the sources that are needed to build and to run."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        for name in ("planner", "pddl", "domains", "scripts", "docs"):
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        shutil.copy(ROOT / "CMakeLists.txt", tree)

    def build(self) -> None:
        """Builds without optimisation and in parallel, because the speed of the result does not matter."""
        self._output(str(self.tree / "scripts/dev"), *QUICK_BUILD, "-DCMAKE_UNITY_BUILD=ON")

    def fsplan(self, *words: str) -> str:
        """The output of the copy's command line."""
        return self._output(sys.executable, "-m", "fsplan", *words)

    def python(self, program: str) -> str:
        """The output of a program that imports the copy."""
        return self._output(sys.executable, "-c", program)

    def run(self, script: str) -> str:
        """The output of a script of the copy."""
        return self._output(str(self.tree / script))

    def _output(self, *command: str) -> str:
        done = subprocess.run(
            command,
            cwd="/",
            env={**os.environ, "PATH": PATH, "PYTHONPATH": str(self.tree / "build/typing")},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
