"""Results, tasks, graphs and policies as HTML, for notebooks.

Everything is plain HTML with inline styles: notebooks remove scripts from files that are not trusted.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from fsplan.planner.request import label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fsplan.planner.explore import SearchGraph
    from fsplan.planner.result import Result
    from fsplan.planner.task import Task

STEPS_SHOWN = 200
STATES_DRAWN = 300  # larger graphs are unreadable


def result_html(result: Result) -> str:
    """The certificate as a bar, the plan as a table, the statistics folded away."""
    parts = [f"<p><b>{escape(result.status)}</b>: {escape(', '.join(result._findings()))}</p>"]
    if result.proven_ratio is not None:
        parts.append(gap_bar(result))
    if result.plan is not None:
        parts.append(_folded(f"plan ({len(result.plan)} steps)", _plan_table(result), is_open=len(result.plan) <= 30))
    parts.append(_folded("how it was found", _table(_known(result.record))))
    parts.append(_folded("statistics", _table(_known(result.statistics))))
    return f"<div class='fsplan'>{''.join(parts)}</div>"


def gap_bar(result: Result) -> str:
    """A bar as long as the cost, filled up to the lower bound: what is empty is not yet proven necessary."""
    assert result.cost is not None
    assert result.lower_bound is not None
    share = 100 * result.lower_bound / result.cost if result.cost else 100
    text = f"lower bound {result.lower_bound} of cost {result.cost}"
    proven = f"<div style='width:{share:.1f}%;height:100%;background:#3b7a57'></div>"
    style = "width:24em;height:1em;border:1px solid #888;border-radius:3px;background:#f3d9b1"
    return f"<div role='img' aria-label='{text}' title='{text}' style='{style}'>{proven}</div>"


def task_html(task: Task) -> str:
    return f"<div class='fsplan'><p><b>{escape(task.name)}</b></p>{_table(task.sizes())}</div>"


def graph_html(graph: SearchGraph) -> str:
    """The drawn graph where it is small and the packages for drawing are there; else its sizes."""
    sizes = _table({"states": len(graph), "edges": graph.edge_count, "goals": int(graph.goal.sum())})
    picture = _drawing(graph) if len(graph) <= STATES_DRAWN else ""
    return f"<div class='fsplan'>{picture}{sizes}</div>"


def policy_repr(policy: Any) -> str:
    accuracy = getattr(policy, "accuracy", None)
    known = "" if accuracy is None else f", accuracy {accuracy:.4g}"
    return f"<{type(policy).__name__} {label(policy)}{known}>"


def policy_html(policy: Any) -> str:
    facts = {"accuracy": getattr(policy, "accuracy", None), **(getattr(policy, "details", None) or {})}
    return f"<div class='fsplan'><p><b>{escape(str(label(policy)))}</b></p>{_table(_known(facts))}</div>"


def _drawing(graph: SearchGraph) -> str:
    import tempfile
    from pathlib import Path

    from fsplan.planner.explore import write_graph

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.svg"
        try:
            write_graph(graph, str(path))
        except ImportError as error:
            return f"<p>{escape(str(error))}</p>"
        return path.read_text(encoding="utf-8")


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


def _table(facts: Mapping[str, Any]) -> str:
    rows = (f"<tr><th>{escape(str(name))}</th><td>{escape(str(value))}</td></tr>" for name, value in facts.items())
    return f"<table>{''.join(rows)}</table>"


def _folded(title: str, content: str, *, is_open: bool = False) -> str:
    return f"<details{' open' * is_open}><summary>{escape(title)}</summary>{content}</details>"


def _known(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value is not None}
