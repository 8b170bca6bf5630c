"""Names for shell completion."""

from __future__ import annotations

from fsplan.planner.search.catalogue import heuristics


def search_names() -> list[str]:
    """Returns the names of searches for `compare`: each order of FOCAL stands for focal search with that order."""
    from fsplan.planner.experiments.names import legal_names

    return legal_names()


def split_searches(text: str) -> list[str]:
    from fsplan.planner.experiments.names import split_list

    return split_list(text)


def heuristic_names() -> list[str]:
    return [entry.name for entry in heuristics()]


def policy_names() -> list[str]:
    from fsplan.planner.policies.registry import KINDS

    return [form for kind in KINDS for form in kind.forms()]


def split_policies(text: str) -> list[str]:
    from fsplan.planner.policies.registry import split

    return split(text)
