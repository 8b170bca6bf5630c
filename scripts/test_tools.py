"""Prints what the test extra needs, a line each: to install the tools without building fsplan."""

from __future__ import annotations

from pathlib import Path

import tomllib

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
print(*project["optional-dependencies"]["test"], sep="\n")
