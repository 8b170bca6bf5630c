"""Pattern databases of sliding-tile puzzles, which are built on first use and stored in the user's cache directory.

A database is written to a temporary file and then renamed, so that other processes never see an incomplete file. A lock
prevents two processes from building the same database. A damaged file is built again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from tempfile import mkdtemp
from time import perf_counter
from typing import Any

from fsplan.planner._core import PatternDatabase, StateSpace, TilesStateSpace, build_pattern_database, tile_partitions
from fsplan.planner.base.files import lock, replace
from fsplan.planner.base.limits import available_cores

# progress(pattern, level, finished placements, all placements) returns False to stop
Progress = Callable[[Sequence[int], int, int, int], bool]

# Columns, rows and patterns of each partition, by name. A pattern of all tiles stores exact goal distances.
PARTITIONS = {name: (columns, rows, patterns) for name, columns, rows, patterns in tile_partitions()}


def cache_directory() -> str:
    """The cache directory: $FSPLAN_CACHE, or else $XDG_CACHE_HOME/fsplan, or else ~/.cache/fsplan."""
    if chosen := os.environ.get("FSPLAN_CACHE"):
        return chosen
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "fsplan")


class BuildStep:
    """The argument of a search's `on_progress` while a database is built: the fields of Progress, and a `note`."""

    __slots__ = ("expanded", "f_min", "incumbent", "lower_bound", "memory_bytes", "note", "seconds")

    def __init__(self, tiles: Sequence[int], level: int, finished: int, placements: int, seconds: float) -> None:
        self.expanded, self.seconds, self.f_min, self.lower_bound = 0, seconds, 0, 0
        self.incumbent, self.memory_bytes = None, 4 * placements
        done = finished / placements
        self.note = f"{seconds:6.1f}s  building the database of tiles {', '.join(map(str, tiles))}: {done:4.0%}"


def attach(space: StateSpace, name: str, on_progress: Callable[[Any], bool | None] | None = None) -> None:
    """Adds the databases of a partition to the state space; databases that are not in the cache are built."""
    assert isinstance(space, TilesStateSpace)
    begin = perf_counter()

    def report(tiles: Sequence[int], level: int, finished: int, placements: int) -> bool:
        step = BuildStep(tiles, level, finished, placements, perf_counter() - begin)
        return on_progress is None or on_progress(step) is not False

    space.use_databases(name, databases(name, report))


def databases(name: str, progress: Progress | None = None) -> list[PatternDatabase]:
    """The databases of a partition, which are built if they are not in the cache.

    Raises KeyboardInterrupt once `progress` returns False.
    """
    columns, rows, patterns = PARTITIONS[name]
    return [database(columns, rows, tiles, progress) for tiles in patterns]


def database(columns: int, rows: int, tiles: Sequence[int], progress: Progress | None = None) -> PatternDatabase:
    directory = cache_directory()
    path = os.path.join(directory, f"tiles{columns}x{rows}-{'-'.join(map(str, tiles))}.pdb")
    try:
        return PatternDatabase(path, columns, rows, list(tiles))
    except RuntimeError:
        pass
    try:
        os.makedirs(directory, exist_ok=True)
        lock_file = os.open(path + ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError:  # for example because the cache directory is read-only
        return _temporary(columns, rows, tiles, progress)
    with _locked(lock_file):
        try:
            return PatternDatabase(path, columns, rows, list(tiles))
        except RuntimeError:
            _build(path, columns, rows, tiles, progress)
    return PatternDatabase(path, columns, rows, list(tiles))


def _temporary(columns: int, rows: int, tiles: Sequence[int], progress: Progress | None) -> PatternDatabase:
    """A database for this process only, used if the cache directory is not writable.

    Its file is deleted as soon as it is mapped; Windows cannot delete it then, so it remains in the temporary folder.
    """
    folder = mkdtemp(prefix="fsplan-")
    path = os.path.join(folder, "database.pdb")
    try:
        _build(path, columns, rows, tiles, progress)
        return PatternDatabase(path, columns, rows, list(tiles))
    finally:
        with suppress(OSError):
            os.unlink(path)
            os.rmdir(folder)


@contextmanager
def _locked(file: int) -> Iterator[None]:
    """Locks the file, so that one process at a time enters; the system releases the lock when a process dies."""
    try:
        lock(file)
        yield
    finally:
        os.close(file)


def _build(path: str, columns: int, rows: int, tiles: Sequence[int], progress: Progress | None) -> None:
    def report(level: int, finished: int, placements: int) -> bool:
        return progress is None or progress(tiles, level, finished, placements)

    def fill(place: str) -> None:
        if not build_pattern_database(place, columns, rows, list(tiles), available_cores(), report):
            raise KeyboardInterrupt

    replace(path, fill)
