"""Results as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from fsplan.planner.base.html_pieces import folded, known, table
from fsplan.planner.search.result import Result

STEPS_SHOWN = 200


def result_html(result: Result) -> str:
    """Returns a bar that shows cost and lower bound, the plan as a table, and the statistics in a folded section."""
    parts = [f"<p><b>{escape(result.status)}</b>: {escape(', '.join(result._findings()))}</p>"]
    if result.proven_ratio is not None:
        parts.append(gap_bar(result))
    if result.plan is not None:
        parts.append(folded(f"plan ({len(result.plan)} steps)", _plan_table(result), is_open=len(result.plan) <= 30))
    parts.append(folded("how it was found", table(known(result.record))))
    parts.append(folded("statistics", table(known(result.statistics))))
    return f"<div class='fsplan'>{''.join(parts)}</div>"


def gap_bar(result: Result) -> str:
    """Returns a bar whose length is the cost; it is filled up to the lower bound, so the empty part is the gap."""
    assert result.cost is not None
    assert result.lower_bound is not None
    share = 100 * result.lower_bound / result.cost if result.cost else 100
    text = f"lower bound {result.lower_bound} of cost {result.cost}"
    proven = f"<div style='width:{share:.1f}%;height:100%;background:#3b7a57'></div>"
    style = "width:24em;height:1em;border:1px solid #888;border-radius:3px;background:#f3d9b1"
    return f"<div role='img' aria-label='{text}' title='{text}' style='{style}'>{proven}</div>"


def _plan_table(result: Result) -> str:
    assert result.plan is not None
    costs: Iterable[object] = result.step_costs if result.step_costs is not None else [""] * len(result.plan)
    rows = [
        f"<tr><td>{number}</td><td style='text-align:left'><code>({escape(step)})</code></td><td>{cost}</td></tr>"
        for number, (step, cost) in enumerate(zip(result.plan[:STEPS_SHOWN], costs, strict=False), 1)
    ]
    if len(result.plan) > STEPS_SHOWN:
        rows.append(f"<tr><td></td><td>… and {len(result.plan) - STEPS_SHOWN} more</td><td></td></tr>")
    return f"<table><tr><th></th><th>step</th><th>cost</th></tr>{''.join(rows)}</table>"
