"""Where the user's library of domain policies lies. Most users have none, so this module imports nothing slow."""

from __future__ import annotations

import os
import sys


def folder() -> str:
    """XDG_DATA_HOME or ~/.local/share on Linux, ~/Library/Application Support on macOS, LOCALAPPDATA on Windows."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser(r"~\AppData\Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.path.join(base, "fsplan", "policies")
