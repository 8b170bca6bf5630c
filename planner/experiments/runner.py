"""Runs jobs on all cores; every run has its own limits, and results are stored as soon as a run ends."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from fsplan.planner.base.limits import available_cores
from fsplan.planner.experiments import supervise
from fsplan.planner.experiments.jobs import Job
from fsplan.planner.experiments.progress import Progress
from fsplan.planner.experiments.records import Row, Run, Store, row_of

# A search stops at its time limit and reports its bound; if it does not, it is killed this many seconds later.
GRACE_SECONDS = 2.0
_TICK_SECONDS = 0.1
_STDERR_KEPT = 2000


class Stopped(Exception):
    """Raised in a running job when the sweep is stopped."""


class _Process:
    """The process of a job, started by a supervisor process, and the events that it reports."""

    def __init__(self, job: Job) -> None:
        with contextlib.ExitStack() as stack:
            self._errors = stack.enter_context(tempfile.TemporaryFile())
            job_file = stack.enter_context(tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8"))
            json.dump(job.to_json(), job_file)
            job_file.flush()
            self._start(job, job_file.name)
            stack.callback(os.close, self._events)
            self._open = stack.pop_all()
        self._pending = b""

    def _start(self, job: Job, path: str) -> None:
        self._events, writer = os.pipe()
        module = "fsplan.planner.experiments.jobs"
        command = [sys.executable, "-m", module, path, str(writer)]
        limits = [run.memory_limit or 0 for run in job.runs]
        memory = 0 if 0 in limits else max(limits)
        try:
            self._supervisor = subprocess.Popen(
                [sys.executable, "-I", "-S", supervise.__file__, str(memory), *command],
                stdin=subprocess.PIPE,
                stdout=self._errors,
                stderr=self._errors,
                pass_fds=(writer,),
                env=_environment(),
                start_new_session=True,
            )
        finally:
            os.close(writer)

    def events(self, timeout: float) -> list[Mapping[str, Any]] | None:
        """The events that arrived, after waiting for at most `timeout` seconds; None if the process has ended."""
        readable, _, _ = select.select([self._events], [], [], timeout)
        if not readable:
            return []
        data = os.read(self._events, 1 << 16)
        if not data:
            return None
        *lines, self._pending = (self._pending + data).split(b"\n")
        return [json.loads(line) for line in lines]

    def end(self) -> int:
        """Ends all processes of the job and returns the exit code of the supervisor."""
        if self._supervisor.stdin is not None:
            self._supervisor.stdin.close()
        return self._supervisor.wait()

    def error_output(self) -> str:
        """The last part of the standard error output of the job."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - _STDERR_KEPT))
        return self._errors.read().decode(errors="replace").strip()

    def close(self) -> None:
        self._open.close()


def _environment() -> dict[str, str]:
    """The environment of a job: it imports the same modules as this process, but none from the current folder."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return {**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}


class _Attempt:
    """A running job: its current run, the start time of that run, and the runs finished so far."""

    def __init__(self, job: Job, deliver: Callable[[list[Row]], None]) -> None:
        self.job = job
        self.runs = {run.key: run for run in job.runs}
        self.deliver = deliver
        self.done: set[str] = set()
        self.current: Run | None = None
        self.about: dict[str, Any] = {}
        self.failed: Mapping[str, Any] | None = None
        self.since = time.monotonic()

    def take(self, events: list[Mapping[str, Any]]) -> None:
        rows: list[Row] = []
        for event in events:
            self.since = time.monotonic()
            if "begin" in event:
                self.current = self.runs[event["begin"]]
            elif "end" in event:
                rows.append(self._row(self.runs[event["end"]], event["measured"]))
                self.current = None
            elif "about" in event:
                self.about = dict(event["about"])
            else:
                self.failed = event
        if rows:
            self.deliver(rows)

    def _row(self, run: Run, measured: Mapping[str, Any]) -> Row:
        self.done.add(run.key)
        return row_of(run, {**self.about, **measured})

    def overdue(self) -> bool:
        return time.monotonic() - self.since > self._allowed()

    def _allowed(self) -> float:
        if self.current is None:
            return self.job.setup_seconds
        limit = self.current.time_limit
        return float("inf") if limit is None else limit * 1.1 + GRACE_SECONDS

    def fail(self, status: str, message: str) -> None:
        """Records this status for the current run, or for all remaining runs if none has begun."""
        measured = {"status": status, "message": message or None, "total_seconds": time.monotonic() - self.since}
        lost = [self.current] if self.current else [run for key, run in self.runs.items() if key not in self.done]
        self.deliver([self._row(run, measured) for run in lost])


def execute(job: Job, deliver: Callable[[list[Row]], None], stop: threading.Event) -> None:
    """Does every run of the job. If a run crashes or is killed, that is its result, and the other runs continue."""
    while job.runs:
        attempt = _Attempt(job, deliver)
        _attempt(attempt, stop)
        job = job.without(attempt.done)


def _attempt(attempt: _Attempt, stop: threading.Event) -> None:
    process = _Process(attempt.job)
    killed = False
    try:
        while (events := process.events(_TICK_SECONDS)) is not None:
            attempt.take(events)
            if stop.is_set():
                raise Stopped
            if attempt.overdue():
                killed = True
                break
        code = process.end()
        if killed:
            attempt.fail("timeout", "killed at the time limit")
        elif attempt.failed is not None:
            attempt.fail(str(attempt.failed["failed"]), str(attempt.failed["message"]))
        elif code == supervise.MEMORY_EXIT:
            attempt.fail("memout", "killed at the memory limit")
        elif len(attempt.done) < len(attempt.runs):
            attempt.fail("crashed", f"the process ended with code {code}: {process.error_output()}")
    finally:
        process.end()
        process.close()


def run_all(
    jobs: Iterable[Job],
    store: Store,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Does the runs that are not yet in the store, by default on all cores.

    Ctrl-C stops all jobs; the results so far are stored, and KeyboardInterrupt is raised again.
    """
    if sys.platform != "linux":
        raise RuntimeError("experiments need Linux: runs are limited and ended by a supervisor that only works there")
    waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
    todo = list(remaining(jobs, store))
    for job in todo:
        waiting.put(job)
    stop = threading.Event()
    delivered: queue.SimpleQueue[list[Row] | BaseException | None] = queue.SimpleQueue()

    def work() -> None:
        try:
            while not stop.is_set():
                execute(waiting.get_nowait(), delivered.put, stop)
        except (queue.Empty, Stopped):
            delivered.put(None)
        except BaseException as error:
            delivered.put(error)

    count = min(workers or available_cores(), len(todo))
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        _collect(delivered, count, store, progress)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        _keep_rest(delivered, store)


def _collect(
    delivered: queue.SimpleQueue[list[Row] | BaseException | None],
    workers: int,
    store: Store,
    progress: Progress | None,
) -> None:
    """Stores rows as they arrive, until every worker is done; all rows in the queue are written at once."""
    while workers:
        rows: list[Row] = []
        items = [delivered.get()]
        while not delivered.empty():
            items.append(delivered.get())
        for item in items:
            if isinstance(item, list):
                rows += item
        store.append(*rows)
        if progress is not None:
            progress.advance(len(rows))
        for item in items:
            if isinstance(item, BaseException):
                raise item
        workers -= items.count(None)


def _keep_rest(delivered: queue.SimpleQueue[list[Row] | BaseException | None], store: Store) -> None:
    """Stores the rows that arrived after the stop and before the end of the workers."""
    while not delivered.empty():
        item = delivered.get()
        if isinstance(item, list):
            store.append(*item)


def remaining(jobs: Iterable[Job], store: Store) -> Iterator[Job]:
    """The jobs, reduced to the runs that are not yet in the store; jobs with no such runs are omitted."""
    for job in jobs:
        rest = job.without(store.keys)
        if rest.runs:
            yield rest
