"""Detects the content of a file by its beginning, so that an error about a wrong file can name the right command."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BEGIN = re.compile(r"\s*\(\s*define\s*\(\s*(domain|problem)\b", re.IGNORECASE)
_STEP = re.compile(r"\s*([\d.]+\s*:\s*)?\([^()]+\)")
_PART = 100_000  # number of characters read; the file may begin with long comments


def content_of(path: str) -> str:
    """The content of a file: "domain", "problem", "sas" or "plan"; empty for anything else."""
    try:
        with open(path, encoding="latin-1") as file:
            text = file.read(_PART)
    except OSError:
        return ""
    if text.startswith("begin_version"):
        return "sas"
    text = re.sub(r";.*", "", text)
    if begin := _BEGIN.match(text):
        return begin[1].lower()
    return "plan" if _STEP.match(text) else ""


def misplaced(arguments: Sequence[str]) -> str:
    """An error message if these files are not a PDDL task, with the probably intended command; otherwise empty."""
    found = {content_of(word): word for word in arguments}
    if "sas" in found and len(arguments) > 1:
        return f"{found['sas']} is a ground task and needs no domain: fsplan {found['sas']}"
    if "plan" in found:
        return f"{found['plan']} is a plan and not a task; to check it: {_validation(found)}"
    return ""


def check_plan_last(command: str, *arguments: str) -> None:
    """Raises ValueError if the plan is missing, or if the files are in another order than domain, problem, plan."""
    found = {content_of(word): word for word in arguments}
    if content_of(arguments[-1]) == "problem" and "plan" not in found:
        raise ValueError(f"{arguments[-1]} is a problem; name a plan after it: {_validation(found, command)}")
    if [*found] == ["plan", "sas"]:
        raise ValueError(f"the order is task, plan: {_validation(found, command)}")
    if found.keys() == {"domain", "problem", "plan"} and [*found] != ["domain", "problem", "plan"]:
        raise ValueError(f"the order is domain, problem, plan: {_validation(found, command)}")


def _validation(found: dict[str, str], command: str = "validate") -> str:
    kinds = ("sas", "plan") if "sas" in found else ("domain", "problem", "plan")
    return " ".join(["fsplan", command, *(found.get(kind, kind.upper()) for kind in kinds)])
