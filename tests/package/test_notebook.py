"""docs/notebook.ipynb runs from top to bottom and prints the outputs that are stored in it, except running times."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from support import ROOT

nbformat = pytest.importorskip("nbformat", reason="pip install 'fsplan[test]' runs the notebook")
nbclient = pytest.importorskip("nbclient", reason="pip install 'fsplan[test]' runs the notebook")
pytest.importorskip("ipykernel", reason="pip install 'fsplan[test]' runs the notebook")


@pytest.mark.docs
def test_the_notebook_runs(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "examples")
    stored = nbformat.read(ROOT / "docs" / "notebook.ipynb", as_version=4)
    run = nbformat.read(ROOT / "docs" / "notebook.ipynb", as_version=4)
    nbclient.NotebookClient(run, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    for before, after in zip(stored.cells, run.cells, strict=True):
        if "courier.policy" not in before.source:
            assert texts(after) == texts(before), before.source


def texts(cell: Any) -> str:
    """The output of a cell, which may consist of several pieces, and the plain text of its value."""
    found = (output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", []))
    return "".join(found).strip()


def test_the_notebook_shows_pictures() -> None:
    stored = nbformat.read(ROOT / "docs" / "notebook.ipynb", as_version=4)
    pages = [output.get("data", {}).get("text/html", "") for cell in stored.cells for output in cell.get("outputs", [])]
    assert any("<svg" in page for page in pages)
    assert any("lower bound 24 of cost 32" in page for page in pages)
