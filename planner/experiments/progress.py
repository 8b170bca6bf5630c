"""Shows the progress of experiments: finished runs, all runs and remaining time; on a terminal as one updated line."""

from __future__ import annotations

import sys
import time
from typing import TextIO


class Progress:
    """Writes progress to a terminal, at most five times per second.

    With `lines` it also writes to other streams, such as files: first the number of runs, then a line whenever the
    elapsed time has grown by a tenth, but by at least ten seconds.
    """

    def __init__(self, total: int, stream: TextIO | None = None, *, lines: bool = False) -> None:
        self.total, self.done = total, 0
        self._stream = sys.stderr if stream is None else stream
        self._in_place = self._stream.isatty()
        self._visible = self._in_place or lines
        self._start = time.monotonic()
        self._shown = 0.0
        if lines and not self._in_place and total:
            self._write(f"{total:,} runs; how long they take is estimated in ten seconds\n")

    def advance(self, count: int) -> None:
        self.done += count
        elapsed = time.monotonic() - self._start
        pause = 0.2 if self._in_place else max(10.0, self._shown / 10)
        if self._visible and count and (elapsed - self._shown > pause or self.done >= self.total):
            self._shown = elapsed
            line = self.line(elapsed)
            self._write(f"\r\x1b[K{line}" if self._in_place else f"{line}\n")

    def line(self, elapsed: float) -> str:
        left = elapsed / self.done * (self.total - self.done) if self.done else 0.0
        share = 100 * self.done // self.total if self.total else 100
        return f"{self.done}/{self.total} runs ({share} %), {duration(elapsed)} gone, {duration(left)} left"

    def close(self) -> None:
        if self._in_place and self._shown:
            self._write("\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def duration(seconds: float) -> str:
    """A duration as text.

    >>> duration(75), duration(4000)
    ('1 min 15 s', '1 h 06 min')
    """
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
