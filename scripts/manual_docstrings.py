"""Docstrings as Markdown, for the API reference of the manual: an extension of griffe, named in mkdocs.yml.

Our docstrings are written for `help()`. Two of their forms would be lost in Markdown: examples, which become blocks of
code, and tables of parameters ("name   what it is"), which become lists.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_PARAMETER = re.compile(r"^(\*{0,2}\w+) {2,}(.*)$")


def markdown(docstring: str) -> str:
    """Paragraph by paragraph."""
    return "\n\n".join(_paragraph(text) for text in re.split(r"\n{2,}", docstring))


def _paragraph(text: str) -> str:
    lines = text.split("\n")
    if lines[0].startswith(">>>"):
        return f"```python\n{text}\n```"
    if not _PARAMETER.match(lines[0]):
        return text
    return "\n".join(_PARAMETER.sub(r"- `\1`: \2", line) if _PARAMETER.match(line) else line.strip() for line in lines)


class Markdown(griffe.Extension):
    """Rewrites every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = markdown(obj.docstring.value)
