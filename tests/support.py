"""What tests share: where the repository and the benchmark tasks are, and running the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = Path(os.environ.get("FSPLAN_BENCHMARKS", ROOT.parent / "shared" / "benchmarks"))


def seeds(short: int, full: int) -> pytest.MarkDecorator:
    """Gives a test its `seeds`: the default run has the first few, `pytest -m ""` the others as well."""
    others = pytest.param(range(short, full), marks=pytest.mark.long)
    return pytest.mark.parametrize("seeds", [range(short), others], ids=["first", "others"])


def fsplan(
    *words: object, environment: dict[str, str] | None = None, folder: object = "/"
) -> subprocess.CompletedProcess[str]:
    """Runs the command line in a process of its own, outside the repository, whose folders would shadow packages."""
    return subprocess.run(
        [sys.executable, "-m", "fsplan", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=str(folder),
        env={**os.environ, **(environment or {})},
    )


def read_by(search: str, **options: Any) -> dict[str, Any]:
    """Those of the options that the search reads."""
    from fsplan.planner import catalogue

    return {name: value for name, value in options.items() if name in catalogue.search(search).reads}
