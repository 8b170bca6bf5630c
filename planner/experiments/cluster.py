"""The same jobs on a Dask cluster: every worker runs them as this machine would, below a supervisor of their own.

A worker that dies takes its job's processes along; Dask gives the job to another worker, or else it is submitted again
here. Rows reach the store from this process alone and by the run's key, so none is lost and none counted twice.
"""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from fsplan.planner.experiments.jobs import Job
from fsplan.planner.experiments.progress import Progress
from fsplan.planner.experiments.records import Row, Store
from fsplan.planner.experiments.runner import Stopped, execute, remaining

# Dask itself tries a job on several workers before it gives up; then it is submitted again, so often.
RESUBMISSIONS = 20
_CONNECT_SECONDS = 30
_stops: dict[str, threading.Event] = {}


class ClusterError(ConnectionError):
    """The cluster cannot be reached, or does not do its work."""


def run_on_cluster(jobs: Iterable[Job], store: Store, scheduler: str, *, progress: Progress | None = None) -> None:
    """Does what is not yet in the store on the workers of the scheduler, e.g. `tcp://10.0.0.1:8786`."""
    with _connect(scheduler) as client:
        _Sweep(client, store, progress).run(list(remaining(jobs, store)))


def _connect(scheduler: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise ImportError("a cluster needs Dask: pip install 'fsplan[cluster]'") from None
    try:
        return Client(scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no Dask scheduler answers at {scheduler}: {error}") from None


class _Sweep:
    def __init__(self, client: Any, store: Store, progress: Progress | None) -> None:
        self.client, self.store, self.progress = client, store, progress
        self.name = uuid.uuid4().hex
        self.jobs: dict[str, Job] = {}

    def run(self, jobs: list[Job]) -> None:
        from distributed import as_completed

        futures = [self._submit(job, number, 0) for number, job in enumerate(jobs)]
        finished = as_completed(futures, loop=self.client.loop)
        try:
            for future in finished:
                again = self._take(future)
                if again is not None:
                    finished.add(again)
        except BaseException:
            self.client.run(stop_sweep, self.name)
            raise

    def _submit(self, job: Job, number: int, attempt: int) -> Any:
        key = f"fsplan-{self.name}-{number}-{attempt}"
        self.jobs[key] = job
        return self.client.submit(do_job, job.to_json(), self.name, key=key, pure=False)

    def _take(self, future: Any) -> Any:
        """Records a finished job; one whose workers were lost is submitted again."""
        from distributed import CancelledError, KilledWorker

        job = self.jobs.pop(str(future.key))
        try:
            rows = future.result()
        except (KilledWorker, CancelledError) as error:
            number, attempt = map(int, str(future.key).rsplit("-", 2)[1:])
            if attempt >= RESUBMISSIONS:
                raise ClusterError(f"the workers given {job.runs[0].task} died again and again: {error}") from None
            return self._submit(job, number, attempt + 1)
        self.store.append(*rows)
        if self.progress is not None:
            self.progress.advance(len(rows))
        return None


def do_job(job: Mapping[str, Any], sweep: str) -> list[Row]:
    """On a worker: the rows of a job; those so far when the sweep is stopped."""
    rows: list[Row] = []
    with contextlib.suppress(Stopped):
        execute(Job.from_json(job), rows.extend, _stops.setdefault(sweep, threading.Event()))
    return rows


def stop_sweep(sweep: str) -> None:
    """On a worker: ends the jobs of a sweep that are under way, and those that would still begin."""
    _stops.setdefault(sweep, threading.Event()).set()
