"""The manual is built without warnings and needs no network; its pictures show what the searches really do."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import pytest
from support import ROOT

pytestmark = pytest.mark.docs


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manual, built in a folder of its own, since the builder writes beside its configuration."""
    if find_spec("zensical") is None:
        pytest.skip("pip install 'fsplan[docs]' builds the manual")
    folder = tmp_path_factory.mktemp("manual")
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    (folder / "scripts").symlink_to(ROOT / "scripts")
    (folder / "build").mkdir()
    (folder / "build" / "typing").symlink_to(ROOT / "build" / "typing")
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No issues found" in done.stdout + done.stderr
    return folder / "build" / "site"


def test_every_page_is_in_the_manual_and_its_menu(site: Path) -> None:
    pages = {page.stem for page in (ROOT / "docs").glob("*.md")}
    assert pages <= {page.stem for page in site.glob("*.html")}
    assert pages == set(re.findall(r"^ *- .*: ([\w-]+)\.md$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))


def test_the_manual_needs_no_network(site: Path) -> None:
    for page in site.glob("*.html"):
        loaded = re.findall(
            r'<(?:script|img|link|source)\b[^>]*?(?:src|href)="?(https?:[^" >]*)', page.read_text("utf-8")
        )
        assert loaded == [], page.name


def test_links_and_pictures_lead_to_files(site: Path) -> None:
    """The builder checks the links between pages, not the pictures."""
    for page in site.glob("*.html"):
        for address in re.findall(r'(?:src|href)="?([^" >#?]+)', page.read_text("utf-8")):
            if page.name != "404.html" and ":" not in address:
                assert (site / unquote(address)).exists(), f"{page.name}: {address}"


def test_the_reference_has_the_docstrings(site: Path) -> None:
    text = (site / "api.html").read_text(encoding="utf-8")
    assert "Searches for a plan whose cost is at most w times the optimum" in text
    assert '<code><span class="gp">&gt;&gt;&gt; </span>' in text  # examples are blocks of code


def test_the_pictures_show_what_the_searches_do(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="pip install 'fsplan[plot]' draws the pictures")
    subprocess.run([sys.executable, ROOT / "scripts" / "manual_figures.py", tmp_path], check=True, cwd=tmp_path)
    for drawn in tmp_path.glob("*.svg"):
        committed = (ROOT / "docs" / "figures" / drawn.name).read_text(encoding="utf-8")
        assert _texts(drawn.read_text(encoding="utf-8")) == _texts(committed), "run scripts/manual_figures.py"


def _texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)
