from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from fsplan.planner._core import PatternDatabase
from fsplan.planner.tasks import pattern_databases

TILES = (1, 2, 3, 4, 5)
NAME = "tiles3x3-1-2-3-4-5.pdb"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FSPLAN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


class Builds:
    """Counts the builds that were started."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, tiles: Sequence[int], level: int, finished: int, placements: int) -> bool:
        self.count += level == 0
        return finished <= placements


def test_a_database_is_built_once_and_then_read(cache: Path) -> None:
    builds = Builds()
    first = pattern_databases.database(3, 3, TILES, builds)
    second = pattern_databases.database(3, 3, TILES, builds)
    assert builds.count == 1
    assert first.tiles == second.tiles == list(TILES)
    assert len(first) == 9 * 8 * 7 * 6 * 5
    assert sorted(path.name for path in cache.iterdir()) == [NAME, NAME + ".lock"]


@pytest.mark.parametrize("damage", ["flip", "truncate", "extend", "header", "empty"])
def test_a_damaged_file_is_built_again(cache: Path, damage: str) -> None:
    pattern_databases.database(3, 3, TILES)
    file = cache / NAME
    intact = file.read_bytes()
    broken = {
        "flip": intact[:5000] + bytes([intact[5000] ^ 1]) + intact[5001:],
        "truncate": intact[:-1],
        "extend": intact + b"\0",
        "header": b"x" + intact[1:],
        "empty": b"",
    }[damage]
    file.write_bytes(broken)
    with pytest.raises(RuntimeError, match=NAME):
        PatternDatabase(str(file), 3, 3, list(TILES))
    builds = Builds()
    pattern_databases.database(3, 3, TILES, builds)
    assert builds.count == 1
    assert file.read_bytes() == intact


def test_a_file_of_another_pattern_is_refused(cache: Path) -> None:
    pattern_databases.database(3, 3, TILES)
    with pytest.raises(RuntimeError, match="another pattern"):
        PatternDatabase(str(cache / NAME), 3, 3, [1, 2, 3, 4, 6])


def test_a_stopped_build_leaves_nothing_behind(cache: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        pattern_databases.database(3, 3, TILES, lambda *_: False)
    assert [path.name for path in cache.iterdir()] == [NAME + ".lock"]


def test_an_error_in_the_callback_is_raised(cache: Path) -> None:
    def fail(*_: object) -> bool:
        raise OSError("no terminal")

    with pytest.raises(OSError, match="no terminal"):
        pattern_databases.database(3, 3, TILES, fail)


def test_two_processes_build_once(cache: Path) -> None:
    program = (
        "from fsplan.planner.tasks.pattern_databases import database\n"
        "def report(tiles, level, finished, placements):\n"
        "    print(level)\n"
        "    return True\n"
        "database(3, 3, (1, 2, 3, 4, 5, 6, 7, 8), report)\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd="/") for _ in range(2)]
    outputs = [process.communicate(timeout=60)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert sorted(bool(output) for output in outputs) == [False, True]


@pytest.mark.parametrize("tiles", [[], [0, 1], [1, 1], [9], [-1]])
def test_impossible_patterns_are_refused(cache: Path, tiles: list[int]) -> None:
    with pytest.raises(ValueError, match="pattern"):
        pattern_databases.database(3, 3, tiles)


@pytest.mark.parametrize(("columns", "rows"), [(1, 3), (6, 2), (5, 5)])
def test_boards_out_of_range_are_refused(cache: Path, columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match="board"):
        pattern_databases.database(columns, rows, [1])


def test_without_a_cache_a_database_is_built_for_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("FSPLAN_CACHE", str(tmp_path / "file" / "cache"))  # "file" is no folder
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    builds = Builds()
    for count in (1, 2):
        assert isinstance(pattern_databases.database(3, 3, TILES, builds), PatternDatabase)
        assert builds.count == count
        assert os.listdir(tmp_path / "temporary") == []
