"""The manual is built without warnings, needs no network, and its pictures are those of the searches."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from support import ROOT

pytestmark = pytest.mark.docs

NEEDS_MKDOCS = pytest.mark.skipif(find_spec("mkdocs") is None, reason="pip install 'fsplan[docs]' builds the manual")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manual") / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONSAFEPATH": "1", "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@NEEDS_MKDOCS
def test_every_page_is_in_the_manual(site: Path) -> None:
    assert {page.stem for page in (ROOT / "docs").glob("*.md")} <= {page.stem for page in site.glob("*.html")}


@NEEDS_MKDOCS
def test_the_manual_needs_no_network(site: Path) -> None:
    for page in site.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|img|link|source)\b[^>]*?(?:src|href)="(https?:[^"]*)"', text)
        assert [address for address in loaded if "rel=canonical" not in address] == [], page.name


@NEEDS_MKDOCS
def test_the_reference_has_the_docstrings(site: Path) -> None:
    text = (site / "api.html").read_text(encoding="utf-8")
    assert "Searches for a plan whose cost is at most w times the least possible" in text
    assert "&gt;&gt;&gt;" in text or "gp" in text  # examples are blocks of code


def test_the_pictures_show_what_the_searches_do(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="pip install 'fsplan[plot]' draws the pictures")
    subprocess.run([sys.executable, ROOT / "scripts" / "manual_figures.py", tmp_path], check=True, cwd=tmp_path)
    for drawn in tmp_path.glob("*.svg"):
        committed = (ROOT / "docs" / "figures" / drawn.name).read_text(encoding="utf-8")
        assert _texts(drawn.read_text(encoding="utf-8")) == _texts(committed), "run scripts/manual_figures.py"


def _texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)
