"""Self-contained HTML pages: styles, scripts and data are in one file.

A page loads nothing from the network (its content security policy forbids it), and names of tasks and actions are
escaped, so that they cannot insert markup or scripts.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from importlib.resources import files
from string import Template
from typing import Any


def fill(
    package: str, body: str, title: str, styles: Sequence[str], scripts: Sequence[str], data: Any, **parts: str
) -> str:
    """Returns the page made of a package's files: its body, styles and scripts.

    `parts` are HTML texts that the body names as $PART. All pages share the head, the colours, and the button that
    switches the colours. A page may call the server that it comes from only if `SERVER` is "'self'".
    """
    style = "\n".join([asset(__package__, "page/frame.css"), *(asset(package, name) for name in styles)])
    script = "\n".join([asset(__package__, "page/theme.js"), *(asset(package, name) for name in scripts)])
    texts = {"TITLE": html.escape(title), "SERVER": "'none'", **parts}
    return Template(asset(__package__, "page/frame.html")).substitute(
        texts,
        BODY=Template(asset(package, body)).substitute(texts),
        STYLE=style,
        SCRIPT=script,
        STYLE_HASH=content_hash(style),
        SCRIPT_HASH=content_hash(script),
        DATA=embedded(data),
    )


def asset(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")


def content_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def embedded(data: Any) -> str:
    """Returns JSON that is safe inside a script element: the characters <, > and & are escaped."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
