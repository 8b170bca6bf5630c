"""The connection to a Dask cluster, for sweeps and for learning."""

from __future__ import annotations

from typing import Any

_CONNECT_SECONDS = 30


class ClusterError(ConnectionError):
    """The cluster cannot be reached, or does not do its work."""


def connect(scheduler: str) -> Any:
    """A client of the scheduler, e.g. `tcp://10.0.0.1:8786`."""
    try:
        from distributed import Client
    except ImportError:
        raise ImportError("a cluster needs Dask: pip install 'fsplan[cluster]'") from None
    try:
        return Client(scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no Dask scheduler answers at {scheduler}: {error}") from None
