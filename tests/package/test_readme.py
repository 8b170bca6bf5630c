"""What the README shows is true: its Python runs, and its commands print what stands below them.

In the output shown, `…` stands for anything. The two commands that install are run by .ci/run.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def commands() -> list[tuple[str, str]]:
    """Each command with the output that is shown below it."""
    return [
        (command, output)
        for block in blocks("console")
        for command, output in re.findall(r"^\$ (fsplan .*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]


def test_the_python_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(blocks("python")) >= 2
    exec("\n".join(blocks("python")), {"__name__": "readme"})
    assert "minus one" in capsys.readouterr().out


def test_the_commands_print_what_is_shown(tmp_path: Path) -> None:
    assert len(commands()) >= 4
    (tmp_path / "pddl").symlink_to(ROOT / "pddl")
    for command, shown in commands():
        ran = subprocess.run(
            [sys.executable, "-m", "fsplan", *shlex.split(command)[1:]],
            cwd=tmp_path,
            env={**os.environ, "PYTHONSAFEPATH": "1", "COLUMNS": "110"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert ran.returncode == 0, (command, ran.stdout)
        pattern = ".*".join(re.escape(part) for part in shown.split("…"))
        assert re.fullmatch(pattern, ran.stdout, re.DOTALL), f"{command}\n{ran.stdout}"
