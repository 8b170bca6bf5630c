"""The time and the memory that a command may take."""

from __future__ import annotations

import signal
import time

from fsplan.planner.quantities import seconds, size


class Budget:
    """What is left of the time and memory the user allows, from the start of the command on."""

    def __init__(self, time_limit: str | None, memory_limit: str | None) -> None:
        self.begin = time.perf_counter()
        self.seconds = seconds(time_limit) if time_limit else 0.0
        self.bytes = size(memory_limit) if memory_limit else 0
        if self.seconds:
            signal.signal(signal.SIGALRM, self._out_of_time)
            signal.setitimer(signal.ITIMER_REAL, self.seconds)
        if self.bytes:
            import resource

            resource.setrlimit(resource.RLIMIT_DATA, (self.bytes, resource.RLIM_INFINITY))

    def _out_of_time(self, *_: object) -> None:
        from fsplan.pddl.ground import LimitReached

        raise LimitReached("time", "while the task was prepared")

    def used(self) -> float:
        return time.perf_counter() - self.begin

    def left_for_search(self) -> float | None:
        """Seconds the search may take, None without a limit; it watches the clock itself, so the alarm is put off."""
        if not self.seconds:
            return None
        signal.setitimer(signal.ITIMER_REAL, 0)
        return max(self.seconds - self.used(), 1e-3)
