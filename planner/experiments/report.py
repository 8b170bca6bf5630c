"""Implements `fsplan report`, which shows a results file as a single HTML page.

The page makes no network requests (its content security policy forbids them). Names of tasks and messages are escaped,
so that they cannot insert markup or scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fsplan.planner.base.files import write
from fsplan.planner.base.pages import fill
from fsplan.planner.experiments.names import is_weighted
from fsplan.planner.experiments.records import COLUMNS, Row, read
from fsplan.planner.experiments.style import styles
from fsplan.planner.experiments.style import title as series_title
from fsplan.planner.experiments.summary import draw_values, group_by, interval, search_name
from fsplan.planner.experiments.tables import markdown_to_html

SCRIPTS = [f"page/{name}.js" for name in ("data", "chart", "tables", "sides", "main")]
METRICS = ("seconds", "expansions", "suboptimality", "ratio")
# The page contains plans up to this number of characters in total; the results file contains all plans.
_PLAN_BUDGET = 4_000_000
_EXTRA = ("repeat", "plan", "label", "weighted")


def report(results: str | Path, out: str | Path, other: str | Path | None = None, title: str | None = None) -> Path:
    """Writes the page for a results file or folder; with `other`, the page compares both."""
    sources = [results] if other is None else [results, other]
    text = page([(name_of(source), read(source)) for source in sources], title, claims_beside(results))
    write(out, text)
    return Path(out)


def claims_beside(results: str | Path) -> str:
    """The texts of claims.md and evidence.md in the folder of a sweep; empty if there are none."""
    path = Path(results)
    texts = [(path if path.is_dir() else path.parent) / name for name in ("claims.md", "evidence.md")]
    return "\n".join(text.read_text(encoding="utf-8") for text in texts if text.is_file())


def name_of(source: str | Path) -> str:
    path = Path(source)
    return path.resolve().name if path.is_dir() or path.stem != "results" else path.resolve().parent.name


def page(sets: Sequence[tuple[str, list[Row]]], title: str | None = None, claims: str = "") -> str:
    """The HTML of the page; `claims` is the text of claims.md."""
    names = [name for name, _ in sets]
    if len(names) == 2 and names[0] == names[1]:
        names = [f"{names[0]} (1)", f"{names[1]} (2)"]
    rows = [row for _, each in sets for row in each]
    labels = series_labels(rows)
    looks = styles((label, each[0]) for each, label in labels.items())
    encoded = [encoded_set(name, _page_rows(listed, labels)) for name, (_, listed) in zip(names, sets, strict=True)]
    data = {"about": about(rows), "styles": {label: look.for_page() for label, look in looks.items()}, "sets": encoded}
    title = title or f"fsplan: {' and '.join(names)}"
    return fill(__package__, "page/page.html", title, ["page/page.css"], SCRIPTS, data, CLAIMS=markdown_to_html(claims))


def encoded_set(name: str, rows: list[Row]) -> dict[str, Any]:
    return {"name": name, "size": len(rows), "columns": encode(rows), "intervals": intervals(rows)}


def intervals(rows: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """For each point in the figures against accuracy, the number of runs and the confidence interval of each metric."""
    drawn = group_by([row for row in rows if row["accuracy"] is not None], interval_key)
    return {
        key: {"runs": len(group), **{metric: interval(draw_values(group, metric)) for metric in METRICS}}
        for key, group in drawn.items()
    }


def interval_key(row: Row) -> str:
    """The key of a row's point; numbers have six digits, because the page stores them so and computes the same key."""
    return "|".join([row["domain"], row["variant"], row["label"], f"{row['w']:.6g}", f"{row['accuracy']:.6g}"])


def about(rows: Iterable[Row]) -> str:
    listed = list(rows)
    versions = sorted({str(row["versions"]) for row in listed if row.get("versions")})
    machines = sorted({str(row["machine"]) for row in listed if row.get("machine")})
    known = [" / ".join(versions) or "version unknown", " / ".join(machines) or "machine unknown"]
    return "; ".join([f"{len(listed):,} runs", *known])


def base_policy(policy: str | None) -> str:
    """The name of the policy without the accuracy of a synthetic policy, which has a column of its own.

    >>> base_policy("synthetic:0.7,support=applicable"), base_policy("ff"), base_policy(None)
    ('synthetic,support=applicable', 'ff', '')
    """
    return re.sub(r"^synthetic:[^,]*", "synthetic", policy or "")


def series_labels(rows: Iterable[Row]) -> dict[tuple[Any, ...], str]:
    """A label for each line in the figures: the search, with policy or heuristic if these differ within a domain."""
    listed = {(row["domain"], *series(row)): None for row in rows}
    labels: dict[tuple[Any, ...], str] = {}
    for _, *each in listed:
        rivals = [other for other in listed if other[1] == each[0]]
        parts = [
            str(value)
            for place, value in enumerate(each[1:], start=2)
            if value and _differs_within_a_domain(rivals, place)
        ]
        labels[tuple(each)] = " ".join([series_title(each[0]), *([f"({', '.join(parts)})"] if parts else [])])
    return labels


def _differs_within_a_domain(rivals: Iterable[tuple[Any, ...]], place: int) -> bool:
    found: dict[Any, Any] = {}
    return any(found.setdefault(rival[0], rival[place]) != rival[place] for rival in rivals)


def series(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return search_name(row), base_policy(row["policy"]), row["heuristic"] or ""


def _page_rows(rows: list[Row], labels: Mapping[tuple[Any, ...], str]) -> list[Row]:
    budget = _PLAN_BUDGET
    made = []
    for row in rows:
        plan = "\n".join(f"({step})" for step in row.get("plan") or [])
        budget -= len(plan)
        shown = {
            "plan": plan if plan and budget >= 0 else None,
            "label": labels[series(row)],
            "weighted": is_weighted(row["search"]),
            "variant": row["variant"] or "",
            "repeat": row.get("repeat") if isinstance(row.get("repeat"), str) else None,
        }
        made.append({**row, **shown})
    return made


def encode(rows: list[Row]) -> dict[str, Any]:
    """The columns in compact form: a constant, a list of numbers, or texts as indices into a list of distinct texts."""
    return {name: _column([row.get(name) for row in rows]) for name in (*COLUMNS, *_EXTRA)}


def _column(column: list[Any]) -> dict[str, Any]:
    if all(value == column[0] for value in column):
        return {"constant": column[0] if column else None}
    if not any(isinstance(value, str) for value in column):
        return {"values": [float(f"{value:.6g}") if isinstance(value, float) else value for value in column]}
    texts: dict[str, int] = {}
    codes = [-1 if value is None else texts.setdefault(str(value), len(texts)) for value in column]
    return {"texts": list(texts), "codes": codes}
