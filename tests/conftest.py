from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from support import BENCHMARKS, ROOT

# `python -m pytest` puts the working folder on the path, where the folder `pddl` would hide a package of that name.
sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != ROOT]


@pytest.fixture(scope="session")
def benchmarks() -> Path:
    """The folder of IPC tasks; tests that need it skip where it is absent."""
    if not BENCHMARKS.is_dir():
        pytest.skip(f"no IPC tasks at {BENCHMARKS}: FSPLAN_BENCHMARKS=FOLDER pytest, see CONTRIBUTING.md")
    return BENCHMARKS


# Policies that a developer has installed must not guide the tests.
os.environ["XDG_DATA_HOME"] = "/nonexistent"

# `nohup` and many CI systems start processes with SIGINT ignored; the tests of Ctrl-C need Python's own handler.
signal.signal(signal.SIGINT, signal.default_int_handler)
