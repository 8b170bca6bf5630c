"""The policies that come with the puzzles."""

from __future__ import annotations

import pytest
from support import ROOT

from fsplan.domains import instances, specs
from fsplan.planner.policies import files
from fsplan.planner.policies.kinds.file import from_file
from fsplan.planner.policies.registry import default_policy, resolve
from fsplan.planner.search.solve import solve

WEIGHTS = ROOT / "domains" / "weights" / "tiles15.safetensors"


def test_the_record() -> None:
    stored = files.read(WEIGHTS)
    assert stored.architecture["layers"] == [256, 160, 80, 16, 4]
    assert stored.actions == ["up", "left", "right", "down"]
    assert stored.accuracy["test"] >= 0.90
    assert stored.accuracy["trace_action"] >= 0.875
    assert stored.training["traces"] == 30_367
    assert WEIGHTS.stat().st_size < 250_000


def test_it_is_the_default_of_its_puzzle() -> None:
    assert default_policy(specs.load("tiles15:korf/1")) == "tiles15"
    assert default_policy(specs.load("tiles24:random/1")) == "ff"
    assert solve(specs.load("tiles15:korf/79"), "focal", w=2).record["policy"] == "tiles15"


def test_focal_search_needs_a_fraction_of_the_expansions_of_wastar() -> None:
    tasks = [specs.load(f"tiles15:korf/{number}") for number in range(1, 101)]
    policy = resolve("tiles15", tasks[0])
    results = [solve(task, "focal", "disc2", 2, policy=policy, ties="h,newest", paper=True) for task in tasks]
    assert all(result.certified for result in results)
    assert all((result.cost or 0) <= 2 * instances.korf_cost(i) for i, result in enumerate(results, 1))
    # Weighted A* expands 354,402 and its plans cost 6471; other instruction sets round the network differently.
    assert sum(result.statistics["expanded"] for result in results) < 60_000
    assert sum(result.cost or 0 for result in results) < 6300


def test_it_is_refused_by_other_boards() -> None:
    with pytest.raises(files.PolicyFileError, match="made for another task"):
        from_file(str(WEIGHTS), specs.load("tiles8:random/1"))


@pytest.mark.parametrize(("puzzle", "accuracy"), [("tiles8", 0.75), ("pancake9", 0.85)])
def test_small_examples(puzzle: str, accuracy: float) -> None:
    assert files.read(WEIGHTS.with_name(f"{puzzle}.safetensors")).accuracy["test"] > accuracy
    tasks = [specs.load(f"{puzzle}:random/{seed}") for seed in range(100, 130)]
    focal = [solve(task, "focal", "disc2", 1.5, policy=puzzle, paper=True) for task in tasks]
    wastar = [solve(task, "wastar", w=1.5) for task in tasks]
    assert all(result.certified for result in focal)
    assert sum(result.statistics["expanded"] for result in focal) < sum(
        result.statistics["expanded"] for result in wastar
    )
