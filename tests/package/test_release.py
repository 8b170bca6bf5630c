"""The version and the date of a release are the same in all files."""

from __future__ import annotations

import re

from support import ROOT

import fsplan


def found(file: str, pattern: str) -> tuple[str, ...]:
    match = re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert match, f"{file} has no {pattern}"
    return match.groups()


def test_the_files_name_one_release() -> None:
    version, date = found("CHANGELOG.md", r"^## \[(\d\S*)\] - (\d{4}-\d\d-\d\d)$")
    assert fsplan.__version__ == version
    assert found("CITATION.cff", r"^version: (.*)$") == (version,)
    assert found("CITATION.cff", r'^date-released: "(.*)"$') == (date,)


def test_the_changelog_has_the_usual_sections() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^### (.*)$", text, re.MULTILINE)) <= {
        "Added",
        "Changed",
        "Deprecated",
        "Removed",
        "Fixed",
        "Security",
    }
