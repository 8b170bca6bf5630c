"""A network that was trained as the paper describes; it is shipped in addition to fsplan's own network."""

from __future__ import annotations

import fsplan
from fsplan.domains.instances import korf_cost
from fsplan.planner.policies.files import read
from fsplan.planner.policies.registry import file_of


def test_it_was_trained_as_the_paper_describes() -> None:
    stored = read(file_of("tiles15-paper") or "")
    assert stored.training["labels"] == "trace"
    assert stored.training["loss"] == "unmasked"
    assert stored.training["hidden"] == [160, 80, 16]
    assert stored.training["mirrored"] is False
    assert (stored.training["epochs"], stored.training["traces"]) == (200, 30367)
    assert (
        0.875
        < stored.accuracy["trace_action"]
        < stored.accuracy["test"]
        < read(file_of("tiles15") or "").accuracy["test"]
    )


def test_it_guides_focal_search_within_the_bound() -> None:
    result = fsplan.focal("tiles15:korf/1", "disc2", w=2, policy="tiles15-paper", paper=True)
    assert result.certified
    assert korf_cost(1) <= result.cost <= 2 * korf_cost(1)
