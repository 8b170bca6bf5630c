"""The path of the user's library of domain policies. Most users have no library, so slow imports are avoided here."""

from __future__ import annotations

import os
import sys


def folder() -> str:
    """The folder fsplan/policies in the user's data directory.

    The data directory is $XDG_DATA_HOME or ~/.local/share on Linux, ~/Library/Application Support on macOS, and
    %LOCALAPPDATA% on Windows.
    """
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser(r"~\AppData\Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.path.join(base, "fsplan", "policies")
