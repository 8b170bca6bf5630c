"""`fsplan report`: a results file as one page that needs nothing but a browser.

The page asks the network for nothing (its content policy forbids it), and what a task or a message is called can put
neither markup nor script into it.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from fsplan.planner.experiments import names
from fsplan.planner.experiments.records import COLUMNS, Row, read
from fsplan.planner.experiments.summary import search_name

SCRIPTS = ("data.js", "chart.js", "tables.js", "sides.js", "main.js")
# Plans are shown with the certificates until they take up this many characters; the results file has them all.
_PLAN_BUDGET = 4_000_000
_EXTRA = ("repeat", "plan", "label", "weighted")


def report(results: str | Path, out: str | Path, other: str | Path | None = None, title: str | None = None) -> Path:
    """Writes the page for a results file or folder, and a second one beside it if given."""
    from fsplan.planner.files import write

    sources = [results] if other is None else [results, other]
    text = page([(name_of(source), read(source)) for source in sources], title)
    write(str(out), text)
    return Path(out)


def name_of(source: str | Path) -> str:
    path = Path(source)
    return path.resolve().name if path.is_dir() or path.stem != "results" else path.resolve().parent.name


def page(sets: Sequence[tuple[str, list[Row]]], title: str | None = None) -> str:
    """The whole page, as text."""
    names = [name for name, _ in sets]
    if len(names) == 2 and names[0] == names[1]:
        names = [f"{names[0]} (1)", f"{names[1]} (2)"]
    rows = [row for _, each in sets for row in each]
    labels = series_labels(rows)
    budget = _PLAN_BUDGET
    encoded = []
    for name, (_, listed) in zip(names, sets, strict=True):
        set_rows, budget = _page_rows(listed, labels, budget)
        encoded.append({"name": name, "size": len(set_rows), "columns": encode(set_rows)})
    style, script = _asset("page.css"), "\n".join(map(_asset, SCRIPTS))
    return Template(_asset("page.html")).substitute(
        TITLE=html.escape(title or f"fsplan: {' and '.join(names)}"),
        STYLE=style,
        SCRIPT=script,
        STYLE_HASH=content_hash(style),
        SCRIPT_HASH=content_hash(script),
        DATA=embedded({"about": about(rows), "sets": encoded}),
    )


def _asset(name: str) -> str:
    return (files("fsplan.planner.experiments") / "page" / name).read_text(encoding="utf-8")


def content_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def embedded(data: Any) -> str:
    """JSON that may stand inside a script element whatever its texts are."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def about(rows: Iterable[Row]) -> str:
    listed = list(rows)
    versions = sorted({str(row["versions"]) for row in listed if row.get("versions")})
    machines = sorted({str(row["machine"]) for row in listed if row.get("machine")})
    known = [" / ".join(versions) or "version unknown", " / ".join(machines) or "machine unknown"]
    return "; ".join([f"{len(listed):,} runs", *known])


def base_policy(policy: str | None) -> str:
    """The policy without a synthetic policy's accuracy, which is a column of its own.

    >>> base_policy("synthetic:0.7,support=applicable"), base_policy("ff"), base_policy(None)
    ('synthetic,support=applicable', 'ff', '')
    """
    return re.sub(r"^synthetic:[^,]*", "synthetic", policy or "")


def series_labels(rows: Iterable[Row]) -> dict[tuple[Any, ...], str]:
    """A name for each line of the figures: the search, and what tells it from others of the same search in a domain."""
    listed = {(row["domain"], *series(row)) for row in rows}
    labels: dict[tuple[Any, ...], str] = {}
    for _, *each in listed:
        rivals = [other for other in listed if other[1] == each[0]]
        parts = [
            str(value)
            for place, value in enumerate(each[1:], start=2)
            if value and _differs_within_a_domain(rivals, place)
        ]
        labels[tuple(each)] = f"{each[0]} ({', '.join(parts)})" if parts else str(each[0])
    return labels


def _differs_within_a_domain(rivals: Iterable[tuple[Any, ...]], place: int) -> bool:
    found: dict[Any, Any] = {}
    return any(found.setdefault(rival[0], rival[place]) != rival[place] for rival in rivals)


def series(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return search_name(row), base_policy(row["policy"]), row["heuristic"] or ""


def _page_rows(rows: list[Row], labels: Mapping[tuple[Any, ...], str], budget: int) -> tuple[list[Row], int]:
    made = []
    for row in rows:
        plan = "\n".join(f"({step})" for step in row.get("plan") or [])
        budget -= len(plan)
        made.append(
            {
                **row,
                "plan": plan if plan and budget >= 0 else None,
                "label": labels[series(row)],
                "weighted": names.is_weighted(row["search"]),
                "variant": row["variant"] or "",
            }
        )
    return made, budget


def encode(rows: list[Row]) -> dict[str, Any]:
    """Column by column: one value for all rows, numbers, or texts as numbers into a list of the distinct ones."""
    return {name: _column([row.get(name) for row in rows]) for name in (*COLUMNS, *_EXTRA)}


def _column(column: list[Any]) -> dict[str, Any]:
    if all(value == column[0] for value in column):
        return {"constant": column[0] if column else None}
    if not any(isinstance(value, str) for value in column):
        return {"values": [float(f"{value:.6g}") if isinstance(value, float) else value for value in column]}
    texts: dict[str, int] = {}
    codes = [-1 if value is None else texts.setdefault(str(value), len(texts)) for value in column]
    return {"texts": list(texts), "codes": codes}
