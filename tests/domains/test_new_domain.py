"""The Python domain of docs/new-domain.md runs; tests/package/test_recipes.py builds the native one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from recipes import text_of


def test_the_python_domain_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    exec("\n".join(re.findall(r"```python\n(.*?)```", text_of("new-domain.md"), re.DOTALL)), names)
    assert names["optimal"].cost <= names["bounded"].cost <= 1.5 * names["optimal"].cost
    ring = list(names["task"].start)
    for step in names["bounded"].plan:
        place = int(step.split()[1])
        cells = [(place + offset) % len(ring) for offset in range(4)]
        for cell, token in zip(cells, [ring[cell] for cell in reversed(cells)], strict=True):
            ring[cell] = token
    assert ring == sorted(ring)
    assert capsys.readouterr().out
