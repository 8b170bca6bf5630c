"""The representations of policies as text and as HTML, for `repr` and notebooks."""

from __future__ import annotations

from html import escape
from typing import Any

from fsplan.planner.base.html_pieces import known, table
from fsplan.planner.tasks.spaces import label


def policy_repr(policy: Any) -> str:
    accuracy = getattr(policy, "accuracy", None)
    shown = "" if accuracy is None else f", accuracy {accuracy:.4g}"
    return f"<{type(policy).__name__} {label(policy)}{shown}>"


def policy_html(policy: Any) -> str:
    facts = {"accuracy": getattr(policy, "accuracy", None), **(getattr(policy, "details", None) or {})}
    return f"<div class='fsplan'><p><b>{escape(str(label(policy)))}</b></p>{table(known(facts))}</div>"
