"""Writes files atomically: a reader never sees half a file, and a failed write leaves the old file in place.

>>> import os, tempfile
>>> folder = tempfile.mkdtemp()
>>> write(os.path.join(folder, "plan.txt"), "(pick-up b)")
>>> os.listdir(folder)
['plan.txt']
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

STDOUT = ("-", "/dev/stdout")
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")

# Escapes for control characters, which XML forbids and terminals interpret.
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\r\t"}


def check_writable(path: str) -> None:
    """Raises an OSError if `write` would certainly fail, so that the error comes before a long search."""
    if path in STDOUT:
        return
    special = is_special(path)
    place = path if special else os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path} is a folder: name a file")
    if special and not os.path.exists(path):
        raise FileNotFoundError(f"{path} cannot be written: there is no such device")
    if not special and not os.path.isdir(place):
        raise FileNotFoundError(f"{path} cannot be written: there is no folder {place}")
    if not os.access(place, os.W_OK):
        raise PermissionError(f"{path} cannot be written: no permission to write to {place}")


def write(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Replaces the file in one step; the path `-` is stdout. Text is written as UTF-8."""
    path = os.fspath(path)
    if path in STDOUT and isinstance(content, str):
        _print(content)
        return
    data = content.encode() if isinstance(content, str) else content
    mode = "ab" if is_special(path) else "wb"

    def fill(place: str) -> None:
        with open(place, mode) as file:
            file.write(data)

    replace(path, fill)


def replace(path: str | os.PathLike[str], fill: Callable[[str], None]) -> None:
    """Calls `fill` with the path of a new file beside the old one, then renames the new file to `path`.

    A symbolic link stays a link, to the new file. A pipe or a device cannot be replaced: `fill` writes to it directly.
    """
    new = NewFile(path)
    try:
        fill(new.place)
        new.finish()
    except OSError as error:
        if error.errno:
            raise OSError(error.errno, error.strerror, new.path) from error
        raise
    finally:
        new.discard()


class NewFile:
    """A file that replaces the one at `path` when it is complete; until then it is at `place`, in the same folder."""

    __slots__ = ("path", "place")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.place = self.path if is_special(self.path) else f"{os.path.realpath(self.path)}.{os.getpid()}.part"

    def finish(self) -> None:
        """Renames the complete file to `path`."""
        if self.place != self.path:
            _flush_to_disk(self.place)
            os.replace(self.place, os.path.realpath(self.path))

    def discard(self) -> None:
        """Removes the file if it was not finished."""
        if self.place != self.path and os.path.exists(self.place):
            os.unlink(self.place)


def plain_name(name: str) -> str:
    """Returns a name, such as that of a domain, in a form that is safe inside a file name: it names no other folder.

    >>> plain_name("../../Blocks"), plain_name("..")
    ('blocks', 'unnamed')
    """
    return "".join(each for each in name.lower() if each in _PLAIN)[:40] or "unnamed"


def unfinished_places(*paths: str | None) -> list[str]:
    """Returns the temporary paths of files while they are written; pipes, devices and stdout have none."""
    new = [NewFile(path) for path in paths if path and path not in STDOUT]
    return [each.place for each in new if each.place != each.path]


def _flush_to_disk(path: str) -> None:
    """Flushes the content to disk. Without this, a power failure after the renaming could leave an empty file."""
    descriptor = os.open(path, os.O_RDWR)  # Windows flushes only descriptors that are open for writing
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def lock(descriptor: int, wait: bool = True) -> None:
    """Locks a file until it is closed; raises OSError if another process holds the lock and `wait` is false."""
    if sys.platform == "win32":
        import msvcrt

        position = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, 1 << 40, os.SEEK_SET)  # far behind the content, because a locked byte cannot be read
        msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, position, os.SEEK_SET)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        drop_stdout()
        if not isinstance(error, BrokenPipeError):  # a reader that closes the pipe early is no error
            raise


def drop_stdout() -> None:
    """Discards all further output to stdout."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def is_special(path: str) -> bool:
    """Whether a path is a pipe, a device, or a file that is open already, such as /dev/stderr or /dev/fd/3."""
    return path.startswith(("/dev/std", "/dev/fd/", "/proc/")) or (os.path.exists(path) and not os.path.isfile(path))
