"""Writes the outputs of a sweep: tables, verdicts, figures, pages, and the archive.

reproduction.html, .pdf   the report, laid out like a paper: setup, figures, verdicts, threats to validity
report.html               an interactive page of all runs
archive.zip               the results with checksums, versions and machine
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Sequence
from pathlib import Path

from fsplan.planner.base.files import write
from fsplan.planner.experiments.export import export
from fsplan.planner.experiments.records import Row
from fsplan.planner.experiments.report import page
from fsplan.planner.paper import figures
from fsplan.planner.paper.claims import synthetic_claims, trained_claims
from fsplan.planner.paper.claims_text import claims_text, evidence_text
from fsplan.planner.paper.document import to_html, write_pdf
from fsplan.planner.paper.figures import Drawn
from fsplan.planner.paper.settings import TEMPERATURES, VARIANTS
from fsplan.planner.paper.sweep import Sweep

ARCHIVED = (
    "results.jsonl",
    "results.csv",
    "results.parquet",
    "settings.json",
    "policies.json",
    "claims.md",
    "evidence.md",
)
PAPER = '"Exploiting Learned Policies in Focal Search" by Pablo Araneda, Matias Greco and Jorge A. Baier'


def write_outputs(rows: list[Row], folder: Path, name: str, command: str, *, is_synthetic: bool) -> list[str]:
    """Writes all outputs of a sweep, which `command` made; returns notes on files that could not be written."""
    notes = export(rows, folder)
    base = [row for row in rows if not row["variant"]]
    made = synthetic_claims(base) if is_synthetic else trained_claims(base)
    groups = variant_groups(rows)
    text, evidence = claims_text(name, made, rows, about(rows), groups), evidence_text(made)
    write(folder / "claims.md", text)
    write(folder / "evidence.md", evidence)
    title = folder.resolve().name
    write(folder / "report.html", page([(title, rows)], f"fsplan: {title}", f"{text}\n{evidence}"))
    write_archive(folder, about(rows))
    if not figures.available():
        return [*notes, figures.MISSING]
    if is_synthetic:
        drawn = [*figures.accuracy_figures(base, folder), *figures.variant_figures(rows, folder, groups)]
    else:
        drawn = figures.solved_figures(base, folder)
    report = report_text(command, text, drawn)
    write(folder / "reproduction.html", to_html(report, folder))
    write_pdf(report, folder, folder / "reproduction.pdf")
    return notes


def report_text(command: str, claims: str, drawn: Sequence[Drawn]) -> str:
    """The report as Markdown: claims.md with figures and the command that writes it again."""
    head, *sections = claims.strip().split("\n\n## ")
    title, *setup, tally = head.split("\n\n")
    again = (
        f"`{command}` does the runs that are missing in the folder; with `--report` it writes this report from the "
        "stored results alone. evidence.md has the tests of every cell, results.csv every run, archive.zip both with "
        "checksums."
    )
    parts = [
        title.replace("Claims", "A reproduction"),
        f"The paper is {PAPER}. This report says which of its sentences our runs support.",
        tally,
        "## Setup",
        *setup,
        "## Figures",
        *(f"![{each.caption}]({each.paths[1].name})" for each in drawn),
        *(f"## {section}" for section in sections),
        "## How to run it again",
        again,
    ]
    return "\n\n".join(parts) + "\n"


def variant_groups(rows: list[Row]) -> dict[str, list[str]]:
    """The variants that were run, in two groups; those of the temperature come first."""
    run = {row["variant"] for row in rows}
    hot = [name for name in TEMPERATURES if name in run]
    other = [name for name in VARIANTS if name in run and name not in TEMPERATURES]
    return {"the temperature": hot, "other readings": other}


def about(rows: list[Row]) -> str:
    """Describes the runs. Counts are taken from the rows, so they are correct for an interrupted sweep, too."""
    sweep = Sweep(row for row in rows if not row["variant"])
    parts = []
    for domain in sweep.domains:
        here = [row for row in sweep.rows if row["domain"] == domain]
        starts = len({row["task"] for row in here})
        draws = len({row["draw"] for row in here if row["accuracy"] is not None})
        drawn = f", {draws} draws of the policy" if draws else ""
        parts.append(f"{domain}: {starts} initial state{'s' * (starts != 1)}{drawn}")
    accuracies = ", ".join(f"{value:g}" for value in sweep.accuracies)
    policies = f" Synthetic policies of target accuracy {accuracies}." if accuracies else ""
    weights = ", ".join(f"{w:g}" for w in sweep.ws)
    low = f" (Disc-2, Disc-3 and WA* also {', '.join(f'{w:g}' for w in sweep.low_ws)})" if sweep.low_ws else ""
    stamp = "; ".join(
        " / ".join(sorted({str(row[column]) for row in rows if row.get(column)})) for column in ("versions", "machine")
    )
    readings = (
        "FOCAL is minimised; Score-1/2 are sums of logarithms; Score-3/4 have the minus sign that the text implies; "
        "Disc-3 is the sum of ranks; states are re-opened; ties: key, f, h, newest in FOCAL."
    )
    return f"{len(rows):,} runs. {'; '.join(parts)}.{policies} w = {weights}{low}. {readings}\n\nMade by {stamp}."


def with_best_bounds(rows: list[Row]) -> list[Row]:
    """The rows, where unknown optimal costs are replaced by the best proven lower bound to compute the suboptimality.

    This value is an upper bound on the suboptimality; it is exact if some run has proven its plan optimal.
    """
    bounds: dict[str, float] = {}
    for row in rows:
        if row["lower_bound"] is not None and row.get("certified", True):
            bounds[row["task"]] = max(row["lower_bound"], bounds.get(row["task"], 0))
    return [
        {**row, "suboptimality": row["cost"] / bounds[row["task"]]}
        if row["suboptimality"] is None and row["cost"] is not None and bounds.get(row["task"])
        else row
        for row in rows
    ]


def write_archive(folder: Path, about: str) -> None:
    """Packs the results with their checksums; the same results give the same bytes."""
    files = [folder / name for name in ARCHIVED if (folder / name).is_file()]
    contents = {path.name: path.read_bytes() for path in files}
    contents["ABOUT.txt"] = f"{about}\n".encode()
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(contents.items()))
    contents["SHA256SUMS"] = sums.encode()
    with zipfile.ZipFile(folder / "archive.zip", "w") as archive:
        for name, data in sorted(contents.items()):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
