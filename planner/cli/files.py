"""Writes files whole or not at all."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

STDOUT = ("-", "/dev/stdout")


def check_writable(path: str) -> None:
    """Raises an OSError where `write` could not but fail, before a search has been run for it."""
    if path in STDOUT:
        return
    place = path if _is_special(path) else os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path} is a folder: name a file")
    if not os.path.exists(place):
        raise FileNotFoundError(f"{path} cannot be written: there is no folder {place}")
    if not os.access(place, os.W_OK):
        raise PermissionError(f"{path} cannot be written: no permission to write to {place}")


def write(path: str, text: str) -> None:
    """Replaces the file in one step, so that a reader never sees half of it; `-` is stdout."""
    if path in STDOUT:
        _print(text)
        return
    mode = "a" if _is_special(path) else "x"

    def fill(place: str) -> None:
        with open(place, mode, encoding="utf-8") as file:
            file.write(text)

    replace(path, fill)


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has seen enough; the command goes on
        drop_stdout()


def drop_stdout() -> None:
    """From now on, what is written to stdout goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def replace(path: str, fill: Callable[[str], None]) -> None:
    """Puts a new file, which `fill` writes, in the place of an old one. A link stays a link to the new file; a pipe or
    a device cannot be replaced: `fill` writes to it."""
    special = _is_special(path)
    final = os.path.realpath(path)
    place = path if special else f"{final}.{os.getpid()}.part"
    try:
        fill(place)
        if not special:
            os.replace(place, final)
    except BaseException as error:
        if not special and os.path.exists(place):
            os.unlink(place)
        if isinstance(error, OSError) and error.errno:
            raise OSError(error.errno, error.strerror, path) from error
        raise


def _is_special(path: str) -> bool:
    """A pipe, a device, or a file that is open already and may hold something: /dev/stderr, /dev/fd/3."""
    return path.startswith(("/dev/std", "/dev/fd/", "/proc/")) or (os.path.exists(path) and not os.path.isfile(path))
