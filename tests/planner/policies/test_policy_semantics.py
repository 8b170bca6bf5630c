"""How searches use a policy: masking, sampling, policies from heuristics, and accuracy by goal distance."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support import ROOT
from support import fsplan as command

import fsplan
from fsplan.planner import _core
from fsplan.planner.search.profile import accuracy_profile

# A corridor of states. Of four actions, 1 leads to the next state, 3 back to state 0; 0 and 2 are not applicable.
CORRIDOR = [(state, 1, 1, state + 1) for state in range(4)] + [(state, 3, 1, 0) for state in range(4)]
SCORES = [math.log(share) for share in (0.5, 0.3, 0.15, 0.05)]


def corridor() -> tuple[_core.ExplicitStateSpace, _core.TablePolicy]:
    source = _core.ExplicitStateSpace(5, 4, 0, [4], sorted(CORRIDOR), [0] * 5, [], [])
    return source, _core.TablePolicy(SCORES * 5, 4)


@pytest.mark.parametrize("search", ["follow", "unroll"])
def test_only_the_successors_of_taken_actions_are_generated(search: str) -> None:
    """Every state has two applicable actions, but only one successor is generated per expansion."""
    source, policy = corridor()
    counts = fsplan.solve(source, search, policy=policy).statistics
    assert (counts["expanded"], counts["generated"], counts["registered"]) == (4, 4, 5)


def test_follow_tries_all_actions_of_a_state_with_many() -> None:
    """The state has more actions than `follow` stores scores for; only the second worst of 40 leads to the goal."""
    edges = [(0, action, 1, action + 1) for action in range(40)]
    source = _core.ExplicitStateSpace(41, 40, 0, [39], edges, [0] * 41, [], [])
    policy = _core.TablePolicy([-0.1 * action for action in range(40)] * 41, 40)
    result = fsplan.solve(source, "follow", policy=policy)
    assert (result.plan, result.statistics["expanded"]) == (["38"], 39)
    assert result.statistics["policy_evaluations"] == 3  # states without actions are not scored


@pytest.mark.parametrize(("gap", "expanded"), [(1.0, 12), (4.0, 62)])
def test_follow_goes_back_to_where_the_policy_was_least_certain(gap: float, expanded: int) -> None:
    """In state 0, action 0 leads into a trap of ten states with six actions each, and action 1 to the goal."""
    trap = [(state, action, 1, 12 + 6 * state + action) for state in range(1, 11) for action in range(1, 6)]
    chain = [(state, 0, 1, state + 1) for state in range(11)]
    source = _core.ExplicitStateSpace(79, 6, 0, [78], sorted([*chain, *trap, (0, 1, 1, 78)]), [0] * 79, [], [])
    policy = _core.TablePolicy([-1e-3, -gap, *[-5.0] * 4] + [-1e-3, *[-3.0] * 5] * 78, 6)
    result = fsplan.solve(source, "follow", policy=policy)
    assert (result.plan, result.statistics["expanded"]) == (["1"], expanded)


@pytest.mark.parametrize("search", ["follow", "unroll"])
def test_the_successors_of_ground_tasks_are_generated_one_by_one(search: str) -> None:
    task = fsplan.load(ROOT / "docs/examples/domain.pddl", ROOT / "docs/examples/problem.pddl")
    counts = fsplan.solve(task, search, policy="uniform", expansion_limit=3).statistics
    assert counts["evaluated"] == counts["registered"] <= counts["generated"] + 1


@pytest.mark.parametrize(
    ("edges", "options", "end", "steps"),
    [
        (CORRIDOR, {}, "goal", 4),
        (CORRIDOR, {"steps": 3}, "step limit", 3),
        (CORRIDOR, {"masked": False}, "inapplicable action", 0),
        ([(0, 1, 1, 1), (1, 1, 1, 2), (2, 1, 1, 0), (2, 2, 1, 4)], {}, "circle", 3),
        ([(0, 1, 1, 1), (1, 1, 1, 2), (0, 2, 1, 4)], {}, "dead end", 2),
    ],
)
def test_the_result_says_how_an_unrolled_policy_ended(
    edges: list[tuple[int, int, int, int]], options: dict[str, Any], end: str, steps: int
) -> None:
    source = _core.ExplicitStateSpace(5, 4, 0, [4], sorted(edges), [0] * 5, [], [])
    result = fsplan.solve(source, "unroll", policy=_core.TablePolicy(SCORES * 5, 4), **options)
    assert (result.statistics["unrolled_end"], result.statistics["unrolled_steps"]) == (end, steps)
    assert result.solved == (end == "goal")


def test_sampled_runs_reach_the_goal_as_often_as_the_probabilities_predict() -> None:
    """The plan has four actions of probability 0.3. Masking makes it 0.3 / 0.35: inapplicable actions have 0.65."""
    source, policy = corridor()
    for masked, rate in ((False, 0.3**4), (True, (0.3 / 0.35) ** 4)):
        options: dict[str, Any] = {"sample": True, "steps": 4, "samples": 5000, "seed": 1, "masked": masked}
        counts = fsplan.solve(source, "unroll", policy=policy, **options).statistics
        assert counts["unrolled"] == 5000
        deviation = math.sqrt(rate * (1 - rate) / 5000)
        assert abs(counts["arrived"] / 5000 - rate) < 4 * deviation
        assert counts["arrived_cost"] == 4 * counts["arrived"]


def test_several_runs_must_be_sampled() -> None:
    source, policy = corridor()
    with pytest.raises(ValueError, match="without --sample every run is the same"):
        fsplan.solve(source, "unroll", policy=policy, samples=2)


def test_masking_can_be_switched_off_only_for_policies_that_score_all_actions() -> None:
    source, policy = corridor()
    with pytest.raises(ValueError, match="does not read masked"):
        fsplan.solve(source, order="disc2", policy="uniform", masked=False)
    with pytest.raises(ValueError, match="does not read masked"):
        fsplan.solve(source, order="disc2", policy=_core.UniformPolicy(), masked=False)
    assert fsplan.solve(source, order="disc2", policy=policy, masked=False, w=2).record["masked"] is False


def manhattan(state: Sequence[int]) -> int:
    """The Manhattan distance in the 8-puzzle whose goal has the blank in the first cell."""
    cells = [(tile, *divmod(cell, 3)) for cell, tile in enumerate(state) if tile]
    return sum(abs(row - tile // 3) + abs(column - tile % 3) for tile, row, column in cells)


def test_a_heuristic_is_a_policy() -> None:
    """A native heuristic and the same heuristic as a Python function lead the search to the same states."""
    task = fsplan.load("tiles8:random/3")
    native = fsplan.solve(task, order="disc2", policy="h:manhattan")
    python = fsplan.solve(task, order="disc2", policy=f"h:{__name__}:manhattan")
    assert native.certified
    assert native.plan == python.plan
    assert native.statistics["expanded"] == python.statistics["expanded"]
    assert native.record["policy"] == "h:manhattan"
    with pytest.raises(ValueError, match="heuristic 'nothing' is unknown"):
        fsplan.solve(task, order="disc2", policy="h:nothing")


def test_heuristics_of_ground_and_python_tasks_are_policies() -> None:
    blocks = fsplan.load(fsplan.example("blocks-8-0"))
    for name in ("hff", "goalcount"):
        assert fsplan.solve(blocks, order="disc3", policy=f"h:{name}").certified
    assert fsplan.solve(Line(), order="disc2", policy="h:heuristic").plan == ["right"] * 3
    with pytest.raises(ValueError, match="the task has no method hff"):
        fsplan.solve(Line(), order="disc2", policy="h:hff")


class Line:
    start, actions = 0, ("left", "right")

    def successors(self, state: int) -> list[tuple[str, int, int]]:
        return [("left", 1, state - 1), ("right", 1, state + 1)]

    def is_goal(self, state: int) -> bool:
        return state == 3

    def heuristic(self, state: int) -> int:
        return abs(3 - state)


def test_the_profile_comes_from_the_policy_or_is_measured() -> None:
    stored: Any = SimpleNamespace(accuracy_by_distance={2: 0.5, 4: 0.25})
    assert accuracy_profile(stored, None) == [0.5, 0.5, 0.5, 0.5, 0.25]
    task = fsplan.load("pancake7:random/1")
    linear = fsplan.synthetic(task, 0.7, error_profile="linear", seed=1)
    profile = accuracy_profile(linear, task)
    assert sum(profile[1:4]) > sum(profile[-3:])
    assert fsplan.solve(task, order="disc1-profile", policy=linear).certified
    with pytest.raises(ValueError, match="disc1-profile needs the policy's accuracy by distance"):
        fsplan.solve(Line(), order="disc1-profile", policy="uniform")


def test_a_custom_order_is_given_by_module_and_name(tmp_path: Path) -> None:
    (tmp_path / "worst.py").write_text("def order(step):\n    return max(step.parent, step.rank)\n\nnumber = 3\n")
    found = {"PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    done = command("tiles8:random/3", "--focal", "worst:order", "--json", "-", environment=found)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["order"] == "worst:order"
    compared = command("compare", "tiles8:random/3", "--searches", "worst:order,disc2", environment=found)
    assert compared.returncode == 0, compared.stderr
    assert "worst:order" in compared.stdout
    refused = command("tiles8:random/3", "--focal", "worst:number", environment=found)
    assert refused.returncode not in (0, 1)
    assert "an order is a function of a step" in refused.stderr
    assert "disc9" in command("tiles8:random/3", "--focal", "disc9").stderr


def test_the_command_line_suggests_other_options_when_unroll_fails() -> None:
    done = command(str(ROOT / "docs/examples/problem.pddl"), "--search", "unroll")
    assert done.returncode == 12
    assert "came back to a state that it had visited, after 2 steps: --search follow goes on from there" in done.stderr
    done = command("tiles15:korf/1", "--search", "unroll", "--steps", "1")
    assert "the policy reached no goal in 1 step: allow more with --steps" in done.stderr


def test_sampled_runs_are_summarised() -> None:
    done = command("tiles8:random/3", "--search", "unroll", "--sample", "--samples", "50", "--steps", "100")
    assert done.returncode == 0, done.stderr
    assert "50 runs, " in done.stderr
    assert "mean cost" in done.stderr
