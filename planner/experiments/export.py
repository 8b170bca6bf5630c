"""Writes the rows of results as JSON, CSV and Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fsplan.planner.base.files import write
from fsplan.planner.experiments.records import COLUMNS, JSON_STATISTICS, Row

SCHEMA = "fsplan-comparison-1"  # schema of `compare --json`; incremented when a field changes its name or meaning
# Columns that have a different name in the JSON of a single result.
JSON_NAMES = {"ratio": "proven_ratio"}


def json_document(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The rows with the field names of the JSON of a single result; docs/json.md describes the fields.

    >>> json_document([{"cost": 3, "ratio": 1.5, "expansions": 7}])["runs"]
    [{'cost': 3, 'proven_ratio': 1.5, 'statistics': {'expanded': 7}}]
    """
    return {"schema": SCHEMA, "runs": [_as_result(row) for row in rows]}


def _as_result(row: Mapping[str, Any]) -> dict[str, Any]:
    run = {JSON_NAMES.get(name, name): value for name, value in row.items() if name not in JSON_STATISTICS}
    return {**run, "statistics": {name: row[column] for column, name in JSON_STATISTICS.items() if column in row}}


def csv_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows as CSV. Cells that a spreadsheet would interpret as formulas are prefixed with an apostrophe."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(COLUMNS))
    writer.writeheader()
    writer.writerows({name: _plain(row.get(name)) for name in COLUMNS} for row in rows)
    return text.getvalue()


def _plain(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@")) else cell


def write_parquet(rows: Iterable[Mapping[str, Any]], path: str | Path) -> bool:
    """Writes the rows as Parquet; returns False without writing if pyarrow is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return False
    types = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in COLUMNS.items()])
    listed = [{name: row.get(name) for name in COLUMNS} for row in rows]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(listed, schema=schema), path)
    return True


def export(rows: list[Row], folder: str | Path) -> list[str]:
    """Writes results.csv and, if pyarrow is installed, results.parquet; returns notes on files not written."""
    folder = Path(folder)
    write(folder / "results.csv", csv_text(rows))
    if write_parquet(rows, folder / "results.parquet"):
        return []
    return ["results.parquet was not written: pip install pyarrow"]
