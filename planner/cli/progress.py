"""A progress line for terminals; nothing is printed if stderr is not a terminal."""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fsplan.planner.base.quantities import readable_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fsplan.planner.cli.json_lines import JsonLines
    from fsplan.planner.search.gap import GapPoint


class ProgressLine:
    """Progress callback of a search; it returns False, which stops the search, after the user has pressed Ctrl-C."""

    def __init__(self, shown: bool, stream: JsonLines | None = None) -> None:
        self.shown = shown and sys.stderr.isatty()
        self.stream = stream
        self.gap: GapPoint | None = None  # the most recent gap
        self.stopped = False
        self._width = 0

    def __call__(self, now: Any) -> bool:
        if self.shown:
            self._draw(getattr(now, "note", None) or describe(now, self.gap))
        return not self.stopped

    def show_gap(self, gap: GapPoint) -> None:
        """Callback for `on_gap`: shows the gap in the progress line and writes it to the JSON stream."""
        self.gap = gap
        if self.stream is not None:
            self.stream.write(gap.to_json())

    def stop(self, *_: object) -> None:
        """Signal handler: the first Ctrl-C stops the search, the second one ends the process."""
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped = True

    @contextmanager
    def stopped_by_user(self) -> Iterator[None]:
        """Handles Ctrl-C while a search runs; clears the progress line afterwards."""
        before = signal.signal(signal.SIGINT, self.stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
            self.clear()

    def clear(self) -> None:
        if self._width:
            self._draw("")
            print(end="\r", file=sys.stderr, flush=True)
            self._width = 0

    def _draw(self, text: str) -> None:
        print(end=f"\r{text:{self._width}}", file=sys.stderr, flush=True)
        self._width = len(text)


class Note:
    """A text that a ProgressLine shows instead of the progress of a search."""

    __slots__ = ("note",)

    def __init__(self, note: str) -> None:
        self.note = note


def describe(now: Any, gap: GapPoint | None = None) -> str:
    """Returns the progress of a search; for `auto`, the gap and the part that last reduced it."""
    if gap is not None and gap.work is not None:
        return f"{describe_gap(gap)}  {now.expanded:,} expanded  {readable_size(now.memory_bytes)}"
    rate = now.expanded / now.seconds if now.seconds else 0.0
    plan = f"  plan {now.incumbent}" if now.incumbent is not None else ""
    return (
        f"{now.seconds:6.1f}s  {now.expanded:,} expanded ({rate:,.0f}/s)  f_min {now.f_min}  "
        f"bound {now.lower_bound}{plan}  {readable_size(now.memory_bytes)}"
    )


def describe_gap(gap: GapPoint) -> str:
    """Returns the gap as text.

    >>> from fsplan.planner.search.gap import GapPoint
    >>> describe_gap(GapPoint(1.5, 1200, 67, 50, "improvement"))
    '   1.5s  plan 67  bound 50  gap 25.4% (improvement)'
    """
    if gap.cost is None:
        return f"{gap.seconds:6.1f}s  no plan yet  bound {gap.lower_bound} ({gap.part})"
    percent = 0.0 if gap.cost == gap.lower_bound else float(100 * (gap.cost - gap.lower_bound) / gap.cost)
    return f"{gap.seconds:6.1f}s  plan {gap.cost}  bound {gap.lower_bound}  gap {percent:.1f}% ({gap.part})"
