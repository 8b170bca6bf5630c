"""The report of a reproduction: pages, and the archive of its results."""

from __future__ import annotations

import hashlib
import re
import zipfile
from pathlib import Path

import pytest

from fsplan.planner.paper.document import to_html, wrapped, write_pdf
from fsplan.planner.paper.figures import Drawn
from fsplan.planner.paper.outputs import report_text, write_archive

CLAIMS = """# Claims: the small domains

7 runs.

Made by us.

**1 claims: 1 supported.**

## Verdicts

How.

| claim | verdict |
| --- | --- |
| a \\| b < c | supported |
"""


@pytest.fixture
def text(tmp_path: Path) -> str:
    pytest.importorskip("matplotlib", reason="figures need fsplan[plot]")
    from matplotlib.figure import Figure

    paths = [tmp_path / f"one.{kind}" for kind in ("png", "svg")]
    for path in paths:
        Figure(figsize=(7, 2)).savefig(path)
    return report_text("fsplan reproduce small -o here", CLAIMS, [Drawn(paths, "one", "n = 3 & more")])


def test_the_report_has_the_parts_of_a_paper(text: str) -> None:
    title, *headings = re.findall(r"(?m)^#+ (.*)$", text)
    assert title == "A reproduction: the small domains"
    assert headings == ["Setup", "Figures", "Verdicts", "How to run it again"]
    assert "![n = 3 & more](one.svg)" in text
    assert "`fsplan reproduce small -o here`" in text


def test_html(text: str, tmp_path: Path) -> None:
    page = to_html(text, tmp_path)
    assert 'name="viewport"' in page
    assert "color-scheme:light dark" in page
    assert page.count("<figure><img") == page.count("data:image/svg+xml;base64,") == 1
    assert "<figcaption>n = 3 &amp; more</figcaption>" in page
    assert ">a | b &lt; c<" in page
    assert not re.search(r'(?:src|href)="(?!data:)', page)


def test_pdf_has_as_many_pages_as_needed(text: str, tmp_path: Path) -> None:
    write_pdf(text, tmp_path, tmp_path / "short.pdf")
    rows = "\n".join(f"| {number} | supported |" for number in range(150))
    write_pdf(text.replace("| a \\| b < c | supported |", rows), tmp_path, tmp_path / "long.pdf")
    pages = [(tmp_path / name).read_bytes().count(b"/Type /Page ") for name in ("short.pdf", "long.pdf")]
    assert pages == [1, 4]


def test_lines_are_as_wide_as_the_page() -> None:
    pytest.importorskip("matplotlib", reason="text is measured by matplotlib")
    lines = wrapped("word " * 50, 100, 8)
    assert sum(line.count("word") for line in lines) == 50
    assert len({*lines[:-1]}) == 1
    assert 2 <= lines[0].count("word") <= 6
    assert wrapped("a `code` **bold** x\\|y", 500, 8) == ["a code bold x|y"]


def test_the_archive_can_be_checked(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text("a,b\n")
    write_archive(tmp_path, "fsplan 0.1.0; a machine")
    first = (tmp_path / "archive.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "archive.zip") as archive:
        assert archive.namelist() == ["ABOUT.txt", "SHA256SUMS", "results.csv"]
        for line in archive.read("SHA256SUMS").decode().splitlines():
            digest, name = line.split("  ")
            assert hashlib.sha256(archive.read(name)).hexdigest() == digest
    write_archive(tmp_path, "fsplan 0.1.0; a machine")
    assert (tmp_path / "archive.zip").read_bytes() == first
