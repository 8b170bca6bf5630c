"""Every page of the documentation is executed from top to bottom (see documents.py)."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from documents import PAGES, RUN, Reader, blocks, unknown_options
from support import ROOT

import fsplan

# Packages that pages need besides fsplan; the extra `test` installs all of them.
NEEDED = {
    "experiments.md": "up_fast_downward",
    "graphs.md": "networkx",
    "lab.md": "lab",
    "mcp.md": "mcp",
    "policies.md": "torch",
    "preferred-operators.md": "up_fast_downward",
    "puzzles.md": "torch",
    "plug-in.md": "torch",
    "relational-networks.md": "torch",
    "serve.md": "starlette",
    "unified-planning.md": "unified_planning",
    "your-domain.md": "up_fast_downward",
}


@pytest.mark.docs
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_page_can_be_followed(page: Path, tmp_path: Path) -> None:
    if find_spec(NEEDED.get(page.name, "fsplan")) is None:
        pytest.skip(f"pip install 'fsplan[test]': this page needs {NEEDED[page.name]}")
    reader = Reader(tmp_path)
    for block in blocks(page):
        reader.follow(block)


def test_all_blocks_are_run_except_those_that_need_a_server_or_a_gpu() -> None:
    left_out = [
        (block.page, block.comment)
        for page in PAGES
        for block in blocks(page)
        if block.language in RUN and not block.is_run and not block.file and not block.comment.startswith("ci: ")
    ]
    assert len(left_out) == 4, left_out
    for page, comment in left_out:
        assert comment.startswith(("not run: it needs a server", "not run: it needs a GPU")), page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_that_uses_example_files_names_their_folder_in_its_first_paragraph(page: Path) -> None:
    used = {path.name for path in (ROOT / "docs" / "examples").iterdir()}
    text = "".join(block.text for block in blocks(page) if block.is_run)
    if any(re.search(rf"(?<![\w/-]){re.escape(name)}", text) for name in used):
        first = page.read_text(encoding="utf-8").split("\n\n")[1]
        assert "`docs/examples`" in first


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_options_exist_in_commands_that_are_not_run_as_shown(page: Path) -> None:
    for block in blocks(page):
        if block.language in ("sh", "console") and block.comment:
            for command, _ in block.commands():
                assert unknown_options(command) == [], command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_stand_in_blocks_that_are_run(page: Path) -> None:
    """Indented blocks and blocks without a language are not executed, so they may not contain commands."""
    text = re.sub(r"^```\w+[^\n]*\n.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert re.findall(r"^ *(?:\$ )?fsplan [^\n]*(?:\.pddl|--\w)[^\n]*$", text, re.MULTILINE) == []


def test_the_reference_has_every_public_name() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    names = fsplan.__all__  # type: ignore[attr-defined]
    assert [name for name in names if not re.search(rf"\bfsplan\.{name}\b", text)] == []
