"""HTML elements for notebooks. They use no scripts, because notebooks remove scripts from untrusted files."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any


def table(facts: Mapping[str, Any]) -> str:
    rows = (f"<tr><th>{escape(str(name))}</th><td>{escape(str(value))}</td></tr>" for name, value in facts.items())
    return f"<table>{''.join(rows)}</table>"


def folded(title: str, content: str, *, is_open: bool = False) -> str:
    return f"<details{' open' * is_open}><summary>{escape(title)}</summary>{content}</details>"


def known(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the entries whose values are not None."""
    return {name: value for name, value in facts.items() if value is not None}
