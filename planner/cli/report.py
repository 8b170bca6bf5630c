"""`fsplan report`: results as one page."""

from __future__ import annotations

import sys

from fsplan.planner.cli.errors import UsageError
from fsplan.planner.experiments.report import report


def run(results: tuple[str, ...], output: str, title: str | None, quiet: bool) -> int:
    if len(results) > 2:
        raise UsageError(f"a report shows one result set, or two side by side; found {len(results)}")
    page = report(results[0], output, results[1] if len(results) > 1 else None, title)
    if not quiet:
        print(f"{page}: open it in a browser", file=sys.stderr)
    return 0
