from __future__ import annotations

import csv
import json
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from fsplan.planner.experiments.export import export
from fsplan.planner.experiments.progress import Progress, duration
from fsplan.planner.experiments.records import (
    COLUMNS,
    RecordError,
    Run,
    Store,
    digest_files,
    read,
    row_of,
)


def run(**changes: Any) -> Run:
    return Run(**{"task": "t", "domain": "d", "search": "focal", **changes})


def row(task: str) -> dict[str, Any]:
    return row_of(run(task=task), {"status": "solved", "cost": 3, "lower_bound": 2})


def test_the_key_of_a_run_depends_on_its_settings_and_not_on_paths() -> None:
    assert run().key == run(files=("/elsewhere/p.pddl",)).key
    changed = [run(w="1.5"), run(order="disc2"), run(seed=1), run(options={"alpha": "applicable"}), run(digest="x")]
    changed += [run(policy_digest="x"), run(version="x")]
    assert len({each.key for each in [run(), *changed]}) == len(changed) + 1
    assert Run.from_json(json.loads(json.dumps(run(files=("a", "b")).to_json()))) == run(files=("a", "b"))


def test_suboptimality_of_a_task_with_optimal_cost_zero() -> None:
    assert row_of(run(), {"cost": 0, "optimal_cost": 0})["suboptimality"] == 1.0
    assert row_of(run(), {"cost": 3, "optimal_cost": 0})["suboptimality"] is None


def test_a_weight_may_be_a_fraction() -> None:
    assert row_of(run(w="4/3"), {"cost": 3})["w"] == 4 / 3


def test_a_run_is_stored_only_once(tmp_path: Path) -> None:
    with Store(tmp_path / "r.jsonl") as store:
        assert store.append(row("a"), row("a"), row("b")) == 2
        assert store.append(row("b")) == 0
    with Store(tmp_path / "r.jsonl") as store:
        assert store.append(row("a")) == 0
    assert [each["task"] for each in read(tmp_path / "r.jsonl")] == ["a", "b"]


def test_a_run_that_failed_is_tried_again_and_counted_once(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path) as store:
        store.append({**row("a"), "status": "error"}, row("b"))
    with Store(path) as store:
        assert store.append(row("a"), row("b")) == 1
    assert [(each["task"], each["status"]) for each in read(path)] == [("a", "solved"), ("b", "solved")]


@pytest.mark.parametrize("cut", [1, 10, 100])
def test_a_run_with_a_truncated_line_counts_as_missing(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "r.jsonl"
    with Store(path) as store:
        store.append(row("a"), row("b"))
    path.write_bytes(path.read_bytes()[:-cut])
    assert [each["task"] for each in read(path)] == ["a"]
    with Store(path) as store:
        assert store.append(row("b")) == 1
    assert [each["task"] for each in read(path)] == ["a", "b"]


def test_a_file_of_one_truncated_line_has_no_runs(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"{" * 200_000)
    assert read(path) == []
    with Store(path) as store:
        assert store.append(row("a")) == 1


@pytest.mark.parametrize("line", ["no JSON", "[1]", '{"key": 3}', "[" * 100_000])
def test_a_file_that_has_no_records_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(RecordError, match=r"r\.jsonl:1"):
        read(path)
    with pytest.raises(RecordError, match=r"r\.jsonl"):
        Store(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"results\.jsonl: No such file"):
        read(tmp_path)


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with Store(tmp_path / "r.jsonl"), pytest.raises(RecordError, match="another process"):
        Store(tmp_path / "r.jsonl")


def test_export(tmp_path: Path) -> None:
    rows = [row("a"), row('b "quoted", with\nnewline'), row("=formula()")]
    notes = export(rows, tmp_path)
    with open(tmp_path / "results.csv", newline="") as file:
        written = list(csv.DictReader(file))
    assert [each["task"] for each in written] == ["a", 'b "quoted", with\nnewline', "'=formula()"]
    assert list(written[0]) == list(COLUMNS)
    parquet = pytest.importorskip("pyarrow.parquet")
    assert notes == []
    table = parquet.read_table(tmp_path / "results.parquet")
    assert table.column_names == list(COLUMNS)
    assert table.column("cost").to_pylist() == [3, 3, 3]


def test_export_without_pyarrow_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert export([row("a")], tmp_path) == ["results.parquet was not written: pip install pyarrow"]
    assert not (tmp_path / "results.parquet").exists()


def test_the_digest_depends_on_where_one_file_ends_and_the_next_begins(tmp_path: Path) -> None:
    for name, text in {"a": "xy", "b": "z", "c": "x", "d": "yz"}.items():
        (tmp_path / name).write_text(text)
    assert digest_files([tmp_path / "a", tmp_path / "b"]) != digest_files([tmp_path / "c", tmp_path / "d"])


def test_progress_line() -> None:
    progress = Progress(10)
    progress.advance(4)
    assert progress.line(8.0) == "4/10 runs (40 %), 8 s gone, 12 s left"
    assert duration(7322) == "2 h 02 min"


def test_progress_is_written_to_a_file_only_as_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10_000, 8))  # every call returns a time eight seconds later
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    silent, stream = StringIO(), StringIO()
    for file, lines in ((silent, False), (stream, True)):
        progress = Progress(2000, file, lines=lines)
        for _ in range(4):
            progress.advance(500)
        progress.close()
    assert silent.getvalue() == ""
    assert stream.getvalue().splitlines() == [
        "2,000 runs; how long they take is estimated in ten seconds",
        "1000/2000 runs (50 %), 16 s gone, 16 s left",
        "2000/2000 runs (100 %), 32 s gone, 0 s left",
    ]
