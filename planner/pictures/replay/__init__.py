"""`fsplan replay`: makes an HTML page that replays a search trace.

The page has a chart of f, the lower bound and the incumbent over the number of expansions, and for a small search also
the tree of its expansions. Two traces are replayed side by side, expansion by expansion.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fsplan.planner.base.files import write
from fsplan.planner.base.pages import fill
from fsplan.planner.pictures.trace import Trace, read_trace

MOST_DRAWN = 1500  # expansions; larger trees are unreadable
MOST_POINTS = 20_000  # expansions in the chart; of longer traces an even sample is shown
COLUMNS = ("n", "state", "parent", "g", "h", "key", "f_min", "bound", "plan")


def replay(traces: Sequence[str], out: str) -> None:
    """Writes the page for one trace, or for two traces side by side."""
    if not 1 <= len(traces) <= 2:
        raise ValueError(f"replay shows one trace, or two side by side; found {len(traces)}")
    if out.lower().endswith((".svg", ".png", ".pdf")):
        raise ValueError(f"{out}: replay makes a page; fsplan graph --trace draws a picture")
    write(out, page([read_trace(path) for path in traces]))


def page(traces: Sequence[Trace]) -> str:
    names = " and ".join(dict.fromkeys(trace.task for trace in traces))
    data = {"runs": [_run(trace) for trace in traces], "most_drawn": MOST_DRAWN}
    return fill(__name__, "replay.html", f"fsplan: {names}", ["replay.css"], ["replay.js"], data)


def _run(trace: Trace) -> dict[str, Any]:
    kept = _thinned(trace.expansions)
    names: dict[str, int] = {}
    return {
        "task": trace.task,
        "result": trace.result,
        "columns": {name: [line.get(name) for line in kept] for name in COLUMNS},
        "action": [names.setdefault(line.get("action") or "start", len(names)) for line in kept],
        "queue": [names.setdefault(line.get("queue") or "", len(names)) for line in kept],
        "names": list(names),
        "atoms": [line.get("atoms", "") for line in kept[:MOST_DRAWN]],
    }


def _thinned(expansions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    step = max(1, -(-len(expansions) // MOST_POINTS))
    return expansions[::step]
