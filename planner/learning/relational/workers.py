"""Runs independent function calls in parallel, in threads of this process or on the workers of a Dask cluster.

Functions and arguments for a cluster are pickled; a pickled task is grounded again by the worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from fsplan.planner.base.cluster import ClusterError, connect

Answer = TypeVar("Answer")
Thing = TypeVar("Thing")


class Workers(Protocol):
    """Workers that run function calls in parallel; `count` is the number of simultaneous calls."""

    count: int

    def map(self, function: Callable[..., Answer], *columns: Iterable[Any]) -> list[Answer]:
        """The results of the function for each row of arguments, in order; `columns` holds a list per parameter."""

    def share(self, thing: Thing) -> Any:
        """A handle for an argument that many calls use, so that it is sent to a cluster only once."""


class Threads:
    def __init__(self, pool: ThreadPoolExecutor, count: int) -> None:
        self.pool, self.count = pool, count

    def map(self, function: Callable[..., Answer], *columns: Iterable[Any]) -> list[Answer]:
        return list(self.pool.map(function, *columns))

    def share(self, thing: Thing) -> Any:
        return thing


class Cluster:
    def __init__(self, client: Any) -> None:
        self.client = client
        self.count = max(1, sum(client.nthreads().values()))

    def map(self, function: Callable[..., Answer], *columns: Iterable[Any]) -> list[Answer]:
        from distributed import CancelledError, KilledWorker

        rows = zip(*columns, strict=False)
        futures = [self.client.submit(function, *row, pure=False) for row in rows]
        try:
            return list(self.client.gather(futures))
        except (KilledWorker, CancelledError) as error:
            raise ClusterError(f"the cluster's workers died: {error}") from None

    def share(self, thing: Thing) -> Any:
        return self.client.scatter([thing])[0]


@contextmanager
def workers(threads: int, scheduler: str | None) -> Iterator[Workers]:
    """The workers of the Dask cluster with this scheduler, or threads if it is None."""
    if scheduler is None:
        with ThreadPoolExecutor(threads) as pool:
            yield Threads(pool, threads)
        return

    with connect(scheduler) as client:
        yield Cluster(client)
