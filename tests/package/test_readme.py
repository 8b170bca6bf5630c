"""What the README shows is true: its Python runs, its commands run (the two that install are run by .ci/run)."""

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
COMMANDS = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    for line in block.splitlines()
    if line.startswith("fsplan ")
]


def test_the_python_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 2
    exec("\n".join(blocks), {"__name__": "readme"})
    assert "minus one" in capsys.readouterr().out


def test_the_commands_run(tmp_path: Path) -> None:
    assert len(COMMANDS) >= 5
    (tmp_path / "pddl").symlink_to(ROOT / "pddl")
    for line in COMMANDS:
        words = shlex.split(line)[1:]
        environment = {**os.environ, "PYTHONSAFEPATH": "1"}
        ran = subprocess.run([sys.executable, "-m", "fsplan", *words], cwd=tmp_path, env=environment, check=False)
        assert ran.returncode == 0, line
