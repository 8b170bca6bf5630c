"""Independent pieces of work at the same time, in threads of this process or on the workers of a Dask cluster.

What is sent to a cluster is pickled: functions of a module, tasks (a worker grounds them again), features, weights.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Answer = TypeVar("Answer")
    Thing = TypeVar("Thing")


class Workers(Protocol):
    """`count`: how many pieces of work are done at the same time."""

    count: int

    def map(self, function: Callable[..., Answer], *columns: Iterable[Any]) -> list[Answer]:
        """What the function gives for each row of the columns, in their order."""

    def share(self, thing: Thing) -> Any:
        """The thing as an argument of the function, for many rows: it is sent once."""


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

        from fsplan.planner.cluster import ClusterError

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
    """Threads, or the workers of the cluster with this scheduler."""
    if scheduler is None:
        with ThreadPoolExecutor(threads) as pool:
            yield Threads(pool, threads)
        return
    from fsplan.planner.cluster import connect

    with connect(scheduler) as client:
        yield Cluster(client)
