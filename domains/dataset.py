"""Training examples for policies: optimal plans of random boards (traces), with all optimal actions of each state.

A data set is an .npz file. An example consists of the packed state (the tile of cell i in bits 4i to 4i + 3), the
action that the trace takes, the set of optimal actions as bits, the number of the trace, and the goal distance.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from fsplan.domains.generators import SplitMix, tiles
from fsplan.domains.specs import board_size
from fsplan.planner._core import PatternDatabase, optimal_traces
from fsplan.planner.base.files import replace
from fsplan.planner.base.limits import available_cores
from fsplan.planner.tasks.pattern_databases import PARTITIONS, databases
from fsplan.planner.tasks.pattern_databases import Progress as BuildProgress

# progress(finished traces, all traces) returns False to stop
Progress = Callable[[int, int], bool]

ACTIONS = 4
_CHUNK = 256
# Combined with the seed by XOR, so that a data set does not contain the instances `tiles15:random/SEED`.
_STREAM = 0x7472616365730000

DEFAULT_DATABASES = {"tiles8": "pdb8", "tiles15": "pdb663"}


class Recorded(NamedTuple):
    """The examples of a data set, one array per property."""

    values: NDArray[np.uint8]  # examples × cells: the tile of each cell
    actions: NDArray[np.uint8]  # for each example, the action that its trace takes
    optimal: NDArray[np.bool_]  # examples × actions: True for optimal actions
    applicable: NDArray[np.bool_]  # examples × actions: True for applicable actions
    traces: NDArray[np.int32]  # number of the trace: examples of one trace stay on one side of a split
    distances: NDArray[np.uint8]


def generate(
    domain: str,
    traces: int,
    output: str,
    *,
    seed: int = 0,
    heuristic: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    build_progress: BuildProgress | None = None,
) -> None:
    """Writes a data set to the file `output`; a run that was interrupted is continued.

    Finished chunks are stored in the folder `output`.parts until all are merged. The result does not depend on the
    number of threads or on interruptions. With other pattern databases, another optimal plan may be found.
    """
    name = heuristic or DEFAULT_DATABASES.get(domain)
    if name is None or name not in PARTITIONS:
        raise ValueError(f"no pattern databases {name or 'for ' + domain}; choose from {', '.join(PARTITIONS)}")
    columns, rows, _ = PARTITIONS[name]
    if board_size(domain) != (columns, rows):
        raise ValueError(f"{name} is for boards of {columns}x{rows} cells, not for {domain}")
    if traces < 1:
        raise ValueError(f"{traces} traces; there must be at least one")
    opened = databases(name, build_progress)
    starts = random_starts(columns, rows, traces, seed)
    parts = f"{output}.parts"
    os.makedirs(parts, exist_ok=True)
    paths = []
    for first in range(0, traces, _CHUNK):
        chunk = starts[first : first + _CHUNK]
        path = os.path.join(parts, f"{domain}-{name}-{seed}-{first}-{len(chunk)}.npz")
        if not os.path.exists(path):
            report = _from(first, traces, progress)
            _save(path, _solve(columns, rows, opened, chunk, first, threads or available_cores(), report))
        paths.append(path)
    _merge(paths, output, domain=domain, columns=columns, rows=rows, seed=seed, databases=name)
    for path in paths:
        os.remove(path)
    if not os.listdir(parts):
        os.rmdir(parts)


def random_starts(columns: int, rows: int, count: int, seed: int) -> NDArray[np.uint8]:
    generator = SplitMix(seed ^ _STREAM)
    return np.array([tiles(columns, rows, generator) for _ in range(count)], np.uint8)


def load(path: str) -> Recorded:
    """Reads a data set; ValueError if the file is not one."""
    try:
        return _load(path)
    except (BadZipFile, KeyError, EOFError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is not a data set: {error}") from None


def _load(path: str) -> Recorded:
    with np.load(path, allow_pickle=False) as data:
        columns, rows = int(data["columns"]), int(data["rows"])
        states, optimal = data["states"], data["optimal"]
        values = unpack(states, columns * rows)
        blanks = (values == 0).argmax(1)
        return Recorded(
            values,
            data["actions"],
            _bits(optimal),
            applicable_moves(columns, rows)[blanks],
            data["traces"],
            data["distances"],
        )


def unpack(states: NDArray[np.uint64], cells: int) -> NDArray[np.uint8]:
    shifts = np.arange(0, 4 * cells, 4, dtype=np.uint64)
    values: NDArray[np.uint8] = (states[:, None] >> shifts & np.uint64(15)).astype(np.uint8)
    return values


def applicable_moves(columns: int, rows: int) -> NDArray[np.bool_]:
    """Cells × actions: whether the blank can move up, left, right, down."""
    row, column = np.divmod(np.arange(columns * rows), columns)
    return np.stack([row > 0, column > 0, column < columns - 1, row < rows - 1], axis=1)


def _bits(masks: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return (masks[:, None] >> np.arange(ACTIONS, dtype=np.uint8) & 1).astype(bool)


def _from(first: int, total: int, progress: Progress | None) -> Progress:
    return lambda finished, _: progress is None or progress(first + finished, total)


def _solve(
    columns: int,
    rows: int,
    opened: list[PatternDatabase],
    starts: NDArray[np.uint8],
    first: int,
    threads: int,
    progress: Progress,
) -> dict[str, NDArray[Any]]:
    solved = optimal_traces(columns, rows, opened, starts, threads, progress)
    if solved is None:
        raise KeyboardInterrupt
    states, actions, optimal, lengths = solved
    distances = np.concatenate([np.arange(length, 0, -1, dtype=np.uint8) for length in lengths.tolist()])
    numbers = np.repeat(np.arange(first, first + len(lengths), dtype=np.int32), lengths)
    return {"states": states, "actions": actions, "optimal": optimal, "traces": numbers, "distances": distances}


def _merge(paths: list[str], output: str, **record: Any) -> None:
    parts = [dict(np.load(path)) for path in paths]
    arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    _save(output, {**arrays, **{name: np.array(value) for name, value in record.items()}})


def _save(path: str, arrays: dict[str, NDArray[Any]]) -> None:
    def fill(place: str) -> None:
        with open(place, "wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]

    replace(path, fill)
