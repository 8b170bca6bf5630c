"""The commands in CONTRIBUTING.md exist and have the options that are shown there."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys

import pytest
from support import ROOT

COMMANDS = re.findall(r"^    python (scripts/\S+\.py)(.*)$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize(("script", "words"), COMMANDS)
def test_scripts_know_their_options(script: str, words: str) -> None:
    suite = re.findall(r"^ (\w[\w-]*)", words)
    done = subprocess.run([sys.executable, ROOT / script, *suite, "--help"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    for option in re.findall(r"--[a-z-]+", words):
        assert re.search(rf"{option}\b", done.stdout), f"{script} has no {option}"


def test_folders_of_the_tree_hide_no_packages() -> None:
    for folder in ("pddl", "planner", "domains"):
        sys.modules.pop(folder, None)  # another test may have imported the installed package of this name
        found = importlib.util.find_spec(folder)
        assert found is None or str(ROOT / folder / "__init__.py") != found.origin


def test_python_m_pytest_hides_no_packages_either() -> None:
    test = f"{__file__}::{test_folders_of_the_tree_hide_no_packages.__name__}"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", test]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout + done.stderr
