"""One line on a terminal: runs done, runs in total, time left."""

from __future__ import annotations

import sys
import time
from typing import TextIO


class Progress:
    """Writes to a terminal only, at most five times per second."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self.total, self.done = total, 0
        self._stream = sys.stderr if stream is None else stream
        self._visible = self._stream.isatty()
        self._start = time.monotonic()
        self._shown = 0.0

    def advance(self, count: int) -> None:
        self.done += count
        now = time.monotonic()
        if self._visible and (now - self._shown > 0.2 or self.done >= self.total):
            self._shown = now
            self._stream.write("\r\x1b[K" + self.line(now - self._start))
            self._stream.flush()

    def line(self, elapsed: float) -> str:
        left = elapsed / self.done * (self.total - self.done) if self.done else 0.0
        share = 100 * self.done // self.total if self.total else 100
        return f"{self.done}/{self.total} runs ({share} %), {duration(elapsed)} gone, {duration(left)} left"

    def close(self) -> None:
        if self._visible and self._shown:
            self._stream.write("\n")
            self._stream.flush()


def duration(seconds: float) -> str:
    """
    >>> duration(75), duration(4000)
    ('1 min 15 s', '1 h 06 min')
    """
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
