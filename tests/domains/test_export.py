from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fsplan.domains import export, generators, specs
from fsplan.domains.generators import SplitMix
from fsplan.planner.search.solve import solve
from fsplan.planner.sources.load import load


@pytest.mark.parametrize(
    "spec", [*(f"tiles8:random/{seed}" for seed in range(4)), "tiles2x3:random/1", "tiles3:random/2"]
)
def test_tiles_cost_the_same_as_pddl(spec: str, tmp_path: Path) -> None:
    check(spec, tmp_path, lambda step: step.split()[0])


@pytest.mark.parametrize("spec", ["pancake:5,2,1,4,3", "pancake6:random/4", "pancake7:random/3", "pancake2:random/1"])
def test_pancakes_cost_the_same_as_pddl(spec: str, tmp_path: Path) -> None:
    check(spec, tmp_path, lambda step: step)


def check(spec: str, folder: Path, native_name: Callable[[str], str]) -> None:
    """Both forms have the same optimal cost, and the PDDL plan is valid in the native task."""
    domain, problem = export.export(spec, str(folder / "pddl"))
    space = specs.state_space(spec)
    native = solve(space, "astar")
    exported = solve(load(domain, problem), "astar", heuristic="hmax")
    assert exported.cost == native.cost
    assert exported.plan is not None
    names = {space.action_name(action) for action in range(space.action_count())}
    assert {native_name(step) for step in exported.plan} <= names


def test_a_solved_puzzle_can_be_exported(tmp_path: Path) -> None:
    domain, problem = export.export("tiles8:0,1,2,3,4,5,6,7,8", str(tmp_path))
    assert solve(load(domain, problem), "astar").cost == 0


def test_a_bad_spec_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="repeated"):
        export.export("tiles8:0,1,1,3,4,5,6,7,8", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_blocks_are_drawn_evenly() -> None:
    """Each of the 13 arrangements of three blocks is drawn about equally often."""
    drawn: dict[tuple[tuple[int, ...], ...], int] = {}
    generator = SplitMix(9)
    for _ in range(13_000):
        state = tuple(sorted(map(tuple, generators.towers(3, generator))))
        drawn[state] = drawn.get(state, 0) + 1
    assert len(drawn) == 13
    assert all(850 < count < 1150 for count in drawn.values())


def test_blocks_tasks_can_be_solved(tmp_path: Path) -> None:
    for seed in range(3):
        domain, problem = generators.blocks(5, seed)
        (tmp_path / "domain.pddl").write_text(domain)
        (tmp_path / "problem.pddl").write_text(problem)
        result = solve(load(str(tmp_path / "problem.pddl")), "astar")
        assert result.status == "solved"


def test_blocks_repeat_with_the_seed() -> None:
    assert generators.blocks(30, 5) == generators.blocks(30, 5)
    assert generators.blocks(30, 5) != generators.blocks(30, 6)
    assert generators.blocks(200, 1)[1].count("(on ") > 200


@pytest.mark.parametrize("count", [0, -1, 1001])
def test_odd_numbers_of_blocks_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match="blocks"):
        generators.blocks(count, 1)
