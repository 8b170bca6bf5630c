"""Executes pages of the documentation from top to bottom and compares their output.

A page's blocks of code are run in order, in a folder that holds the files of docs/examples:

    ```console      commands after "$ ", each followed by its output
    ```sh           commands without output
    ```python       code that shares its variables with the page's other Python blocks; the next block is its output
    ```text         the output of the Python block above

In an output, `…` matches any text. An HTML comment changes how the block below it is treated:

    <!-- file: NAME -->                          the block is written to a file of this name
    <!-- run with: OLD → NEW; … -->              the block is run with these replacements, which make it quicker
    <!-- run with benchmarks: OLD → NEW; … -->   the same, but only where the IPC benchmarks are installed
    <!-- not run: REASON -->                     the block is not run, because it needs a server or a GPU
    <!-- ci: NAME -->                            the block is run by .ci/run

If a command is not run exactly as shown, the test only checks that its options exist.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

from support import BENCHMARKS, ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
RUN = ("console", "sh", "python")
_BLOCK = re.compile(r"^(?:<!-- ([^\n]*?) -->\n)?```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^\$ (.*(?:\\\n.*)*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One block of code. `output` is the expected output shown below Python code, or None."""

    page: str
    language: str
    text: str
    comment: str = ""
    output: str | None = None

    @property
    def file(self) -> str | None:
        return self.comment.removeprefix("file: ") if self.comment.startswith("file: ") else None

    @property
    def is_run(self) -> bool:
        return self.language in RUN and (not self.comment or self.comment.startswith("run with"))

    def as_run(self) -> Block:
        """The block after the replacements listed in its comment; each of them must match."""
        how, _, pairs = self.comment.partition(": ")
        if how == "run with benchmarks" and not BENCHMARKS.is_dir():
            return replace(self, text="")
        text = self.text
        for pair in pairs.split("; ") if how.startswith("run with") else ():
            old, _, new = pair.partition(" → ")
            assert old in text, f"{self.page}: there is no {old!r} to be replaced"
            text = text.replace(old, new)
        return replace(self, text=text)

    def commands(self) -> list[tuple[str, str | None]]:
        """The commands with their expected output; None if the page shows none."""
        if self.language == "console":
            return [(command, shown) for command, shown in _COMMAND.findall(self.text)]
        joined = self.text.replace("\\\n", " ")
        return [(line, None) for line in joined.splitlines() if line.strip() and not line.startswith("#")]


def blocks(page: Path) -> list[Block]:
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    shown = [text if language == "text" and not comment else None for comment, language, text in found[1:]]
    return [
        Block(page.name, language, text, comment, output)
        for (comment, language, text), output in zip(found, [*shown, None], strict=False)
    ]


def agree(shown: str, printed: str) -> bool:
    """Whether the printed output matches the output on the page, where `…` matches any text.

    >>> agree("cost 18, … expanded", "cost 18, 158 expanded"), agree("cost 18", "cost 19")
    (True, False)
    """
    pattern = ".*".join(re.escape(part) for part in shown.rstrip().split("…"))
    return re.fullmatch(pattern, printed.rstrip(), re.DOTALL) is not None


class Reader:
    """Executes the blocks of a page in order, in a separate folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        shutil.copytree(ROOT / "docs" / "examples", self.folder)
        (self.folder / "pddl").symlink_to(ROOT / "pddl")
        tools = folder / "tools"
        tools.mkdir()
        (tools / "fsplan").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m fsplan "$@"\n')
        (tools / "fsplan").chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONSAFEPATH": "1",
            "COLUMNS": "110",
            "XDG_DATA_HOME": str(folder / "data"),
            "FSPLAN_BENCHMARKS": str(BENCHMARKS),
        }
        self.names: dict[str, Any] = {"__name__": "page"}

    def follow(self, block: Block) -> None:
        block = block.as_run()
        if block.file:
            (self.folder / block.file).write_text(block.text, encoding="utf-8")
        elif block.is_run and block.language == "python":
            self._run_python(block)
        elif block.is_run:
            for command, shown in block.commands():
                self._run_command(command, shown)

    def _run_python(self, block: Block) -> None:
        printed, before = StringIO(), os.getcwd()
        sys.path.insert(0, str(self.folder))
        os.chdir(self.folder)
        try:
            with redirect_stdout(printed):
                exec(compile(block.text, block.page, "exec"), self.names)
        finally:
            os.chdir(before)
            sys.path.remove(str(self.folder))
        if block.output is not None:
            assert agree(block.output, printed.getvalue()), f"{block.text}\n{printed.getvalue()}"

    def _run_command(self, command: str, shown: str | None) -> None:
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=1200,
        )
        assert ran.returncode == 0, f"{command}\n{ran.stdout}"
        assert shown is None or agree(shown, ran.stdout), f"{command}\n{ran.stdout}"


def unknown_options(command: str) -> list[str]:
    """The options of a command `fsplan …` that do not exist.

    >>> unknown_options("fsplan domain.pddl problem.pddl --focal disc2 --fcoal disc2")
    ['--fcoal']
    """
    import click

    from fsplan.planner.cli.app import NAMES, application

    words = shlex.split(command, comments=True)
    words = words[words.index("fsplan") + 1 :] if "fsplan" in words else []
    context = click.Context(application)
    name = words[0] if words and words[0] in NAMES else "plan"
    chosen = application.get_command(context, name)
    if isinstance(chosen, click.Group) and len(words) > 1:
        chosen = chosen.get_command(context, words[1])
    assert chosen is not None, command
    known = {each for parameter in chosen.params for each in (*parameter.opts, *parameter.secondary_opts)}
    known |= {"--help", "--help-all", "--version"}
    return [word for word in words if word.startswith("--") and word.partition("=")[0] not in known]
