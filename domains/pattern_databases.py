"""Pattern databases of the 15-puzzle: built on first use, kept in the user's cache directory.

A file is written beside its final name and renamed, so that a reader sees a whole file or none; a lock keeps a second
process from building the same one; a damaged file is built again.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from fsplan.planner._core import tile_partitions
from fsplan.planner.files import lock, replace
from fsplan.planner.limits import available_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from fsplan.planner._core import PatternDatabase, StateSpace

    # (pattern, level, placements finished, placements in all) -> whether to go on
    Progress = Callable[[Sequence[int], int, int, int], bool]

# Columns, rows and the patterns, by name. One pattern of all tiles holds the distances themselves.
PARTITIONS = {name: (columns, rows, patterns) for name, columns, rows, patterns in tile_partitions()}


def cache_directory() -> str:
    """$FSPLAN_CACHE, else fsplan in $XDG_CACHE_HOME, else ~/.cache/fsplan."""
    if chosen := os.environ.get("FSPLAN_CACHE"):
        return chosen
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "fsplan")


class BuildStep:
    """What a search's `on_progress` sees while a database is built: the fields of its Progress, and a `note`."""

    __slots__ = ("expanded", "f_min", "incumbent", "lower_bound", "memory_bytes", "note", "seconds")

    def __init__(self, tiles: Sequence[int], level: int, finished: int, placements: int, seconds: float) -> None:
        self.expanded, self.seconds, self.f_min, self.lower_bound = 0, seconds, 0, 0
        self.incumbent, self.memory_bytes = None, 4 * placements
        done = finished / placements
        self.note = f"{seconds:6.1f}s  building the database of tiles {', '.join(map(str, tiles))}: {done:4.0%}"


def attach(space: StateSpace, name: str, on_progress: Callable[[Any], bool | None] | None = None) -> None:
    """Gives the state space the databases of a partition, which are built if need be."""
    from fsplan.planner._core import TilesStateSpace

    assert isinstance(space, TilesStateSpace)
    begin = perf_counter()

    def report(tiles: Sequence[int], level: int, finished: int, placements: int) -> bool:
        step = BuildStep(tiles, level, finished, placements, perf_counter() - begin)
        return on_progress is None or on_progress(step) is not False

    space.use_databases(name, databases(name, report))


def databases(name: str, progress: Progress | None = None) -> list[PatternDatabase]:
    """The databases of a partition, opened, built where need be; KeyboardInterrupt once `progress` returns False."""
    columns, rows, patterns = PARTITIONS[name]
    return [database(columns, rows, tiles, progress) for tiles in patterns]


def database(columns: int, rows: int, tiles: Sequence[int], progress: Progress | None = None) -> PatternDatabase:
    from fsplan.planner._core import PatternDatabase

    directory = cache_directory()
    path = os.path.join(directory, f"tiles{columns}x{rows}-{'-'.join(map(str, tiles))}.pdb")
    try:
        return PatternDatabase(path, columns, rows, list(tiles))
    except RuntimeError:
        pass
    try:
        os.makedirs(directory, exist_ok=True)
        lock_file = os.open(path + ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError:  # a read-only folder, for example
        return _temporary(columns, rows, tiles, progress)
    with _locked(lock_file):
        try:
            return PatternDatabase(path, columns, rows, list(tiles))
        except RuntimeError:
            _build(path, columns, rows, tiles, progress)
    return PatternDatabase(path, columns, rows, list(tiles))


def _temporary(columns: int, rows: int, tiles: Sequence[int], progress: Progress | None) -> PatternDatabase:
    """A database for this process only, for users without a cache. Its file has no name once it is mapped; Windows
    keeps it in the folder for temporary files."""
    from contextlib import suppress
    from tempfile import mkdtemp

    from fsplan.planner._core import PatternDatabase

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
    """Held by one process at a time; the system frees it when a process dies."""
    try:
        lock(file)
        yield
    finally:
        os.close(file)


def _build(path: str, columns: int, rows: int, tiles: Sequence[int], progress: Progress | None) -> None:
    from fsplan.planner._core import build_pattern_database

    def report(level: int, finished: int, placements: int) -> bool:
        return progress is None or progress(tiles, level, finished, placements)

    def fill(place: str) -> None:
        if not build_pattern_database(place, columns, rows, list(tiles), available_cores(), report):
            raise KeyboardInterrupt

    replace(path, fill)
