from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from support import BENCHMARKS, ROOT

# `python -m pytest` adds the working folder to sys.path, where the folder `pddl` would hide the PyPI package `pddl`.
sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != ROOT]


@pytest.fixture(autouse=True)
def same_search_path() -> Iterator[None]:
    """Restores sys.path after each test: fsplan adds the current folder when it imports a user's module."""
    before = list(sys.path)
    yield
    sys.path[:] = before


@pytest.fixture(scope="session")
def benchmarks() -> Path:
    """The folder of IPC tasks; tests that need it skip where it is absent."""
    if not BENCHMARKS.is_dir():
        pytest.skip(f"no IPC tasks at {BENCHMARKS}: FSPLAN_BENCHMARKS=FOLDER pytest, see CONTRIBUTING.md")
    return BENCHMARKS


# Flags that keep Chromium from opening windows and from using the network in the background.
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Chromium without a window; tests that need it skip where it is not installed."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="driving a browser needs selenium")
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("no chromium and chromedriver installed")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=driver)
    started = webdriver.Chrome(options=options, service=service)
    yield started
    started.quit()


# Policies that a developer has installed for the user account must not influence the tests.
os.environ["XDG_DATA_HOME"] = "/nonexistent"

# `nohup` and many CI systems start processes with SIGINT ignored; the tests of Ctrl-C need Python's own handler.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Hypothesis must not fail a test for taking long: the machine may be busy.
settings.register_profile("fsplan", deadline=None)
settings.load_profile("fsplan")
