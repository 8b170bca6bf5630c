"""The Python in docs/policies.md runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import ROOT


def test_the_python_of_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    text = (ROOT / "docs" / "policies.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 2
    monkeypatch.chdir(tmp_path)
    exec("\n".join(blocks), {})
