"""What the experiments ask about fsplan's own searches: which options a search reads, and of what kind they are."""

from __future__ import annotations

from typing import Any

from fsplan.planner import _core

_COMMON = ("heuristic",)
_KINDS: dict[str, Any] = {
    **dict.fromkeys(("alternate", "reopen", "paper", "lazy", "fresh", "hedge", "masked"), "flag"),
    **dict.fromkeys(("prove", "deepen", "k_focal", "lookahead"), "integer"),
    **dict.fromkeys(("ties", "heuristic", "policy", "w"), "text"),
    "accuracy": "number",
}
_CHOICES = {"alpha": ("all", "applicable"), "preferred": ("policy", "ff")}


def searches() -> dict[str, Any]:
    return {each["name"]: each for each in _core.search_table()}


def orders() -> dict[str, Any]:
    return {each["name"]: each for each in _core.order_table()}


def read_by(search: str, order: str | None) -> tuple[str, ...]:
    """The options that a search reads, those of its order included.

    A weight that does not change the search, but only what its plan is checked for at the end, is left out.
    """
    entry = searches()[search]
    reads = [*_COMMON, *entry["reads"], *(orders()[order]["reads"] if order else ())]
    reads += ["seed"] if "policy" in reads else []
    reads += ["paper"] if search == "focal" else []
    return tuple(each for each in reads if each != "w" or entry["proves"] == "w")


def choices(option: str) -> tuple[str, ...]:
    return _CHOICES.get(option, ())


def converted(option: str, text: str) -> Any:
    """The value of an option written as text."""
    kind = _KINDS.get(option, "choice")
    if kind == "flag":
        return {"yes": True, "true": True, "no": False, "false": False}[text]
    if option in _CHOICES and text not in _CHOICES[option]:
        raise ValueError(text)
    return int(text) if kind == "integer" else float(text) if kind == "number" else text
