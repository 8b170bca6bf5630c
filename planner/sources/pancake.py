"""Source of pancake puzzles, which are given by names such as pancake9:random/3 (see `fsplan.domains.specs`)."""

from __future__ import annotations

from fsplan.planner.sources.puzzle import accepts_prefix, load_puzzle
from fsplan.planner.sources.source import TaskSource

SOURCE = TaskSource(
    "pancake",
    "stacks of pancakes to be sorted by flipping their tops",
    example="pancake9:random/3",
    accepts=accepts_prefix("pancake"),
    load=load_puzzle,
)
