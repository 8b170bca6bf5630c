"""The connection to a Dask cluster, used by experiments and by training."""

from __future__ import annotations

from typing import Any

_CONNECT_SECONDS = 30


class ClusterError(ConnectionError):
    """The cluster cannot be reached, or its workers fail."""


def connect(scheduler: str) -> Any:
    """Returns a Dask client connected to the scheduler at an address such as `tcp://10.0.0.1:8786`."""
    try:
        from distributed import Client
    except ImportError:
        raise ImportError("a cluster needs Dask: pip install 'fsplan[cluster]'") from None
    try:
        return Client(scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no Dask scheduler answers at {scheduler}: {error}") from None
