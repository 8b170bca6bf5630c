"""`fsplan reproduce`: the paper's experiments by one command."""

from __future__ import annotations

import sys

from fsplan.planner.experiments.reproduce import VARIANTS, reproduce


def run(
    what: str,
    output: str | None,
    quick: bool,
    variants: str | None,
    policy: str | None,
    workers: int | None,
    scheduler: str | None,
    quiet: bool,
) -> int:
    folder = output or f"reproduce-{what}"
    chosen = None if variants is None else _variants(variants)
    notes = reproduce(
        what,
        folder,
        quick=quick,
        variants=chosen,
        policy=policy,
        workers=workers,
        scheduler=scheduler,
        quiet=quiet,
    )
    for note in notes:
        print(f"fsplan: {note}", file=sys.stderr)
    if not quiet:
        print(f"{folder}: results.csv, claims.md, report.html and figures", file=sys.stderr)
    return 0


def _variants(text: str) -> list[str]:
    if text in ("all", "none"):
        return list(VARIANTS) if text == "all" else []
    return [word.strip().replace("-", " ") for word in text.split(",")]
