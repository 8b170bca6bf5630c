"""Source of sliding-tile puzzles, which are given by names such as tiles15:korf/1 (see `fsplan.domains.specs`)."""

from __future__ import annotations

from fsplan.planner.sources.puzzle import accepts_prefix, load_puzzle
from fsplan.planner.sources.source import TaskSource

SOURCE = TaskSource(
    "tiles",
    "sliding-tile puzzles: Korf's instances, random ones, or the tiles row by row",
    example="tiles15:korf/1",
    accepts=accepts_prefix("tiles"),
    load=load_puzzle,
)
