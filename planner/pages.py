"""Pages that need nothing but a browser: styles, scripts and data in one file.

A page asks the network for nothing (its content policy forbids it), and no name of a task or an action can put markup
or script into it.
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
    """The page that a template of a package makes of style, script and data; `parts` are further pieces of HTML."""
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
    """JSON that may stand inside a script element whatever its texts are."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
