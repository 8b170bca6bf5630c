"""Runs jobs on a Dask cluster. A worker runs a job as a local sweep does, in a process with its own supervisor.

When a worker dies, the processes of its job end too. Dask gives the job to another worker; if Dask reports failure,
this process submits the job again. Only this process writes to the store, by the key of each run, so that no row is
lost and none is counted twice.
"""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from fsplan.planner.base.cluster import ClusterError, connect
from fsplan.planner.experiments.jobs import Job
from fsplan.planner.experiments.progress import Progress
from fsplan.planner.experiments.records import Row, Store
from fsplan.planner.experiments.runner import Stopped, execute, remaining

# Dask tries a job on several workers before it reports failure. Such a job is submitted again at most this often.
RESUBMISSIONS = 20
_stops: dict[str, threading.Event] = {}


def run_on_cluster(jobs: Iterable[Job], store: Store, scheduler: str, *, progress: Progress | None = None) -> None:
    """Runs the jobs that are not yet in the store on the workers of a scheduler, such as `tcp://10.0.0.1:8786`."""
    with connect(scheduler) as client:
        _Sweep(client, store, progress).run(list(remaining(jobs, store)))


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
        """Stores the rows of a finished job; if its workers died, submits it again and returns the new future."""
        from distributed import CancelledError, KilledWorker

        job = self.jobs.pop(str(future.key))
        try:
            rows = future.result()
        except (KilledWorker, CancelledError) as error:
            number, attempt = map(int, str(future.key).rsplit("-", 2)[1:])
            if attempt >= RESUBMISSIONS:
                raise ClusterError(f"the workers given {job.runs[0].task} died repeatedly: {error}") from None
            return self._submit(job, number, attempt + 1)
        self.store.append(*rows)
        if self.progress is not None:
            self.progress.advance(len(rows))
        return None


def do_job(job: Mapping[str, Any], sweep: str) -> list[Row]:
    """Runs a job on a worker; returns its rows, or the rows finished so far if the sweep is stopped."""
    rows: list[Row] = []
    with contextlib.suppress(Stopped):
        execute(Job.from_json(job), rows.extend, _stops.setdefault(sweep, threading.Event()))
    return rows


def stop_sweep(sweep: str) -> None:
    """Stops the running jobs of a sweep on a worker, and prevents its other jobs from starting there."""
    _stops.setdefault(sweep, threading.Event()).set()
