"""Measures a policy of the 24-puzzle against weighted A* and PrefA*: the table of docs/puzzles.md.

    python scripts/tiles24_table.py tiles24.safetensors [--instances 10] [--expansions 1000000]

The instances are `tiles24:random/1` and the following ones, with linear conflict. A run ends at the limit of
expansions; means are over the instances that the search has solved.
"""

from __future__ import annotations

import argparse
from statistics import fmean, geometric_mean
from typing import Any

import fsplan

SEARCHES: list[tuple[str, str, dict[str, Any]]] = [
    *(
        (w, name, {"search": search, "w": w, **options})
        for w in ("2", "1.5")
        for name, search, options in (
            ("weighted A*", "wastar", {}),
            ("`--focal disc2` with the network", "focal", {"order": "disc2"}),
            ("the same with `--paper`", "focal", {"order": "disc2", "paper": True}),
            ("`rlts-focal` with the network", "rlts-focal", {}),
        )
    ),
    ("–", "PrefA* with the network, no bound", {"search": "prefastar"}),
    ("–", "`rlts` with the network, no bound", {"search": "rlts"}),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policy")
    parser.add_argument("--instances", type=int, default=10)
    parser.add_argument("--expansions", type=int, default=1_000_000, help="limit of every run")
    asked = parser.parse_args()
    tasks = [fsplan.load(f"tiles24:random/{number}") for number in range(1, asked.instances + 1)]
    print("| w | search | solved | expansions (geometric mean) | mean cost | mean proven ratio |")
    print("|---|---|---|---|---|---|")
    for w, name, options in SEARCHES:
        policy = {} if options["search"] == "wastar" else {"policy": asked.policy}
        found = [fsplan.solve(task, **options, **policy, expansion_limit=asked.expansions) for task in tasks]
        solved = [each for each in found if each.cost is not None]
        print("|", " | ".join([w, name, str(len(solved)), *cells(solved, bounded=w != "–")]), "|", flush=True)


def cells(solved: list[Any], *, bounded: bool) -> list[str]:
    if not solved:
        return ["–"] * 3
    expansions = geometric_mean([each.statistics["expanded"] for each in solved])
    ratio = f"{fmean(each.cost / each.lower_bound for each in solved):.2f}" if bounded else "–"
    return [f"{expansions:,.0f}", f"{fmean(each.cost for each in solved):.1f}", ratio]


if __name__ == "__main__":
    main()
