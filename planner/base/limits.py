"""Limits on the time, memory and expansions of a whole run, from reading the first file to the result.

The clock starts when the object is made, so that reading, grounding, building a policy and searching share one time
limit: each phase gets the time that the earlier phases have not used.

>>> limits = Limits(time="5m", memory="4GB")
>>> limits.seconds, limits.bytes, limits.expansions
(300.0, 4000000000, None)
"""

from __future__ import annotations

import os
import signal
from _thread import interrupt_main
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Timer, current_thread, main_thread
from time import perf_counter
from types import FrameType

from fsplan.planner._core import OutOfTime, exit_at_deadline, is_in_user_code, set_last_words
from fsplan.planner.base.quantities import seconds, size

_SHORTEST = 1e-3  # minimal time limit of a search in seconds, so that it still reports its first bound
_AGAIN = 0.01  # seconds after which an alarm or Ctrl-C is repeated if it could not raise its exception
# Grace period after the time limit before the process is killed: a share of the limit, and its minimum in seconds.
_PATIENCE, _SHORTEST_PATIENCE = 0.04, 0.7


class LimitReached(Exception):
    """The time or memory limit (`what`) was reached before the search began."""

    def __init__(self, what: str, when: str = "while grounding") -> None:
        super().__init__(f"{what} ran out {when}; allow more with --{what}-limit")
        self.what = what
        self.exit_code = 21 if what == "time" else 20


class Limits:
    """Limits of a run; None means unlimited. Times and sizes are numbers or text such as "5m" and "4GB"."""

    __slots__ = ("_has_alarm", "_seconds_of_process", "bytes", "expansions", "seconds", "started")

    def __init__(
        self,
        time: float | str | None = None,
        memory: int | str | None = None,
        expansions: int | None = None,
    ) -> None:
        self.started = perf_counter()
        self.seconds = seconds(time) if isinstance(time, str) else time
        self.bytes = size(memory) if isinstance(memory, str) else memory
        self.expansions = expansions
        self._has_alarm = False
        self._seconds_of_process = self.seconds

    def used(self) -> float:
        """Seconds since the start."""
        return perf_counter() - self.started

    def seconds_left(self) -> float | None:
        """Returns the seconds that the next phase may take; None without a time limit."""
        return None if self.seconds is None else max(self.seconds - self.used(), _SHORTEST)

    def part(self, share: float) -> Limits:
        """Returns the same limits with only this share of the remaining time."""
        left = Limits(self.seconds and self.used() + share * (self.seconds - self.used()), self.bytes, self.expansions)
        left.started, left._has_alarm, left._seconds_of_process = self.started, self._has_alarm, self.seconds
        return left

    @contextmanager
    def enforced(self) -> Iterator[None]:
        """Enforces the limits on this process, which must serve a single run only.

        An alarm interrupts Python code that reads and prepares the task; native code checks the clock itself. If
        neither helps, the process is killed at most one second or 5 % of the limit after the limit.
        """
        if self.bytes is not None:
            _limit_memory(self.bytes)
        if self.seconds is None:
            yield
            return
        handler = signal.signal(signal.SIGALRM, _out_of_time) if hasattr(signal, "SIGALRM") else None
        _set_alarm(self.seconds_left() or _SHORTEST)
        self._has_alarm = True
        self._set_deadline()
        self.leave_at_deadline(exit_code=21)
        try:
            yield
        finally:
            _set_alarm(0)
            if handler is not None:
                signal.signal(signal.SIGALRM, handler)
            self._has_alarm = False
            _cancel_deadline()

    def begin_search(self) -> float | None:
        """Returns the seconds that the search may take, and cancels the alarm: the search checks the clock itself."""
        if self._has_alarm:
            _set_alarm(0)
            self.leave_at_deadline(exit_code=23)
        return self.seconds_left()

    def leave_at_deadline(
        self, exit_code: int, known: str = "", output: str = "", unfinished: Sequence[str] = ()
    ) -> None:
        """Sets the exit code, the message and the output of the process for the case that it is killed at the deadline.

        Files in `unfinished` are then removed.
        """
        if not self._has_alarm:
            return

        message = f"fsplan: out of time after {self._seconds_of_process:g}s; what was running did not stop by itself\n"
        set_last_words(exit_code, f"{message}{known}\n" if known else message, output, list(unfinished))

    def _set_deadline(self) -> None:
        assert self.seconds is not None
        exit_at_deadline((self.seconds_left() or 0.0) + _patience(self.seconds))


def _patience(seconds: float) -> float:
    """Returns the grace period, in seconds, after which code that exceeds a time limit is stopped."""
    return max(_PATIENCE * seconds, _SHORTEST_PATIENCE)


def available_cores() -> int:
    """Returns the number of threads that this process may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _limit_memory(size: int) -> None:
    """Limits the memory of the process. Windows has no such limit; there only the search checks its memory."""
    try:
        import resource
    except ImportError:
        return
    with suppress(ValueError, OSError):  # macOS refuses a limit below the memory in use
        resource.setrlimit(resource.RLIMIT_DATA, (size, resource.RLIM_INFINITY))


def _set_alarm(delay: float, interval: float = 0.0) -> None:
    """Sets the alarm; a delay of 0 cancels it. Windows has no alarm: there only the deadline stops the preparation."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, delay, interval)


@contextmanager
def interrupting(seconds: float | None) -> Iterator[None]:
    """Stops the user's Python code (a task, a policy, a callback) if it runs beyond the time limit of a search.

    The alarm raises OutOfTime inside such code only, and native code turns it into the status `timeout`. All other code
    checks the clock itself, so the alarm does nothing there. Outside the main thread, or if the program uses the alarm
    for something else, no alarm is set.
    """
    if seconds is None or current_thread() is not main_thread() or not _alarm_is_free():
        yield
        return

    def ring(_signal: int, frame: FrameType | None) -> None:
        if is_in_user_code() and not _is_importing(frame):
            raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    _set_alarm(seconds + _patience(seconds), _AGAIN)
    try:
        yield
    finally:
        _set_alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def interruptible() -> Iterator[None]:
    """Lets Ctrl-C end the block with KeyboardInterrupt, after the installed handler has been called.

    This is for long calls without progress reports: a handler that only sets a flag would take effect after the call.
    An import is not interrupted, because the module would stay half loaded, and numpy cannot be imported twice.
    """
    installed = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(installed):
        yield
        return

    def raise_interrupt(number: int, frame: FrameType | None) -> None:
        if _is_importing(frame):
            Timer(_AGAIN, interrupt_main).start()
            return
        installed(number, frame)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, raise_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, installed)


def _alarm_is_free() -> bool:
    return hasattr(signal, "SIGALRM") and signal.getsignal(signal.SIGALRM) in (signal.SIG_DFL, _out_of_time)


def _cancel_deadline() -> None:
    exit_at_deadline(0)


def _out_of_time(_signal: int, frame: FrameType | None) -> None:
    """Raises LimitReached, but waits for the end of an import, which would otherwise leave a half-loaded module."""
    if _is_importing(frame):
        _set_alarm(_AGAIN)
    else:
        raise LimitReached("time", "while the task was prepared")


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
