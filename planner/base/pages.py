"""Self-contained HTML pages: styles, scripts and data are in one file.

A page loads nothing from the network (its content security policy forbids it), and names of tasks and actions are
escaped, so that they cannot insert markup or scripts.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib.resources import files
from string import Template
from typing import Any


def fill(package: str, template: str, title: str, style: str, script: str, data: Any, **parts: str) -> str:
    """Returns the page: a template of a package, filled with style, script and data. `parts` are further HTML texts."""
    return Template(asset(package, template)).substitute(
        TITLE=html.escape(title),
        STYLE=style,
        SCRIPT=script,
        STYLE_HASH=content_hash(style),
        SCRIPT_HASH=content_hash(script),
        DATA=embedded(data),
        **parts,
    )


def asset(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")


def content_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def embedded(data: Any) -> str:
    """Returns JSON that is safe inside a script element: the characters <, > and & are escaped."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
