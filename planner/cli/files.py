"""Writes files whole or not at all."""

from __future__ import annotations

import os
import sys


def write(path: str, text: str) -> None:
    """Replaces the file in one step, so that a reader never sees half of it; `-` is stdout."""
    if path == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe or a device cannot be replaced
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return
    temporary = f"{path}.{os.getpid()}.part"
    try:
        with open(temporary, "x", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
