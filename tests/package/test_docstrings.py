"""The examples in docstrings run."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import fsplan

SKIPPED = ("__main__", "_core")  # importing the first runs the program; the second has no examples
MODULES = ["fsplan", *(module.name for module in walk_packages(fsplan.__path__, "fsplan."))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith(SKIPPED)])
def test_examples_run(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
