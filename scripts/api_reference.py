"""Makes the Python reference of the manual from the docstrings, as Markdown. `doc_tables.py` writes it to docs/api.md.

Docstrings are written for `help()`. Their examples become code blocks, and tables of parameters ("name   meaning")
become lists.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import fsplan

_PARAMETER = re.compile(r"^(\*{0,2}\w+(?:, \w+)*) {2,}(.*)$")


def markdown(docstring: str) -> str:
    """Converts a docstring to Markdown, paragraph by paragraph."""
    return "\n\n".join(_paragraph(text) for text in re.split(r"\n{2,}", inspect.cleandoc(docstring)))


def _paragraph(text: str) -> str:
    lines = text.split("\n")
    if lines[0].startswith(">>>"):
        return f"```pycon\n{text}\n```"
    if not _PARAMETER.match(lines[0]):
        return text
    return "\n".join(
        _PARAMETER.sub(r"- `\1`: \2", line) if _PARAMETER.match(line) else f"  {line.strip()}" for line in lines
    )


def reference(name: str) -> str:
    """Returns the section about a public name: its signature, its docstring and, for a class, its members."""
    thing = getattr(fsplan, name)
    parts = [f"### {name}", f"```py\nfsplan.{name}{_signature(thing)}\n```", markdown(thing.__doc__ or "")]
    if inspect.isclass(thing) and (members := _members(thing)):
        parts.append("\n".join(members))
    return "\n\n".join(parts) + "\n\n"


def _signature(thing: Any) -> str:
    try:
        signature = inspect.signature(thing)
    except ValueError:
        return ""
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in signature.parameters.values()]
    return str(signature.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def _members(cls: type) -> list[str]:
    found = []
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("fsplan"):
            found += [(name, member) for name, member in vars(base).items() if not name.startswith("_")]
    return [line for name, member in dict(found).items() if (line := _member(name, member))]


def _member(name: str, member: Any) -> str:
    function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
    if not callable(function) or not function.__doc__:
        return ""
    call = "" if isinstance(member, property) else re.sub(r"\((self|cls)(, )?", "(", _signature(function))
    summary = " ".join(inspect.cleandoc(function.__doc__).split("\n\n")[0].split())
    return f"- `{name}{call}`: {summary}"
