"""Synthetic policies on explored tasks: accuracy, error profiles, determinism, and their use in searches."""

from __future__ import annotations

import numpy as np
import pytest
from blocks_problems import blocks_task
from support import known

import fsplan
from fsplan.planner.graphs.explore import DEAD_END, SearchGraph, explore
from fsplan.planner.policies.synthetic import accuracy_by_state, synthetic
from fsplan.planner.search.accuracy import exact_accuracy, measured_accuracy
from fsplan.planner.tasks.task import Task


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    return blocks_task(tmp_path_factory.mktemp("blocks"), "bace d", "abcde")


@pytest.fixture(scope="module")
def graph(task: Task) -> SearchGraph:
    return explore(task, heuristic=None)


def test_policies_of_a_task_and_of_its_graph_are_equal(task: Task, graph: SearchGraph) -> None:
    from_task, from_graph = synthetic(task, 0.8, seed=2), synthetic(graph, 0.8, seed=2)
    assert from_task.states == len(graph)
    assert from_task.details == from_graph.details
    found = exact_accuracy(from_task, graph)
    assert found.masked.hits == from_task.masked_correct == from_graph.masked_correct
    assert found.masked.value == from_task.accuracy
    assert known(found.literal).hits == from_task.literal_correct


def test_target_and_measured_accuracy(graph: SearchGraph) -> None:
    for accuracy in (0.7, 0.9, 1.0):
        policy = synthetic(graph, accuracy, support="all")
        assert policy.details["measured"] == pytest.approx(accuracy, abs=0.04)
        assert policy.details["measured_masked"] >= policy.details["measured"]
        assert len(policy.details["log_scores"]) == graph.state_space.action_count()


def test_scores_are_normalised_over_applicable_actions_unless_unmasked(graph: SearchGraph) -> None:
    masked, unmasked = synthetic(graph, 0.7), synthetic(graph, 0.7, masked=False)
    assert (masked.details["support"], unmasked.details["support"]) == ("applicable", "all")
    assert masked.details["measured"] == masked.details["measured_masked"]
    assert unmasked.details["measured"] < unmasked.details["measured_masked"]


def test_a_perfect_policy_needs_no_discrepancy(task: Task) -> None:
    policy = synthetic(task, 1.0)
    followed = fsplan.unroll(task, policy=policy)
    best = fsplan.astar(task)
    assert followed.cost == best.cost
    assert fsplan.focal(task, policy=policy, w="1.5").cost == best.cost


@pytest.mark.parametrize("profile", ["linear", "quadratic", "far"])
def test_error_profiles_keep_the_mean(graph: SearchGraph, profile: str) -> None:
    decides = (graph.goal == 0) & (graph.h_star != DEAD_END)
    wanted = known(accuracy_by_state(graph, 0.8, profile))
    assert float(wanted[decides].mean()) == pytest.approx(0.8, abs=1e-5)
    near, far = graph.h_star[decides] <= 4, graph.h_star[decides] >= graph.h_star[decides].max() - 2
    assert wanted[decides][near].min() > wanted[decides][far].max()
    middle = int(graph.h_star[decides].max()) // 2
    right, count = [0, 0], [0, 0]
    for seed in range(10):
        policy = synthetic(graph, 0.8, error_profile=profile, support="applicable", seed=seed)
        for distance, (states, hits) in exact_accuracy(policy, graph).masked.by_distance.items():
            right[distance > middle] += hits
            count[distance > middle] += states
    assert right[0] / count[0] > right[1] / count[1] + 0.03


def test_a_custom_error_profile(graph: SearchGraph) -> None:
    def only_odd(
        distance: np.ndarray[tuple[int], np.dtype[np.float64]],
    ) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return distance % 2

    wanted = known(accuracy_by_state(graph, 0.9, only_odd))
    assert set(np.unique(wanted[(graph.h_star % 2 == 0)])) == {1.0}
    assert synthetic(graph, 0.9, error_profile=only_odd).details["error_profile"] == "only_odd"
    with pytest.raises(ValueError, match="too few states may be wrong"):
        accuracy_by_state(graph, 0.01, "far")
    with pytest.raises(ValueError, match="not negative"):
        accuracy_by_state(graph, 0.9, lambda distance: -distance)
    with pytest.raises(ValueError, match="choose one of: constant, linear"):
        synthetic(graph, 0.9, error_profile="wavy")


def test_too_large_a_graph_is_refused(task: Task) -> None:
    with pytest.raises(ValueError, match="need the whole state space in memory, and more than 100 are reachable"):
        synthetic(task, 0.9, max_states=100)


def test_better_policies_need_fewer_expansions(task: Task) -> None:
    def mean(accuracy: float) -> float:
        policies = [synthetic(task, accuracy, seed=seed, support="applicable") for seed in range(5)]
        runs = [fsplan.focal(task, order="disc2", w=2, policy=policy, heuristic="lmcut") for policy in policies]
        return float(np.mean([run.statistics["expanded"] for run in runs]))

    assert mean(1.0) < mean(0.5)


def test_eight_puzzle_figures() -> None:
    """A target accuracy of .70 gives about .733 over 181,440 states, because 1.33 actions are optimal on average."""
    task = fsplan.load("tiles8:random/1")
    graph = explore(task, heuristic=None)
    assert len(graph) == 181_440
    policy = synthetic(graph, 0.7, support="all")
    assert policy.details["measured"] == pytest.approx(0.7333, abs=0.003)
    assert policy.decisions == 181_439


class Lights:
    """A Python task with three lights and switches; the last light can be switched only while the first is on."""

    start = (False, False, False)
    actions = ("first", "second", "third")

    def successors(self, state: tuple[bool, ...]) -> list[tuple[str, int, tuple[bool, ...]]]:
        may = [True, True, state[0]]
        return [
            (name, 1, tuple(light != (at == here) for at, light in enumerate(state)))
            for here, name in enumerate(self.actions)
            if may[here]
        ]

    def is_goal(self, state: tuple[bool, ...]) -> bool:
        return state == (False, True, True)

    def heuristic(self, state: tuple[bool, ...]) -> int:
        return sum(light != wanted for light, wanted in zip(state, (False, True, True), strict=True))


def test_a_python_task_is_explored_and_has_synthetic_policies() -> None:
    graph = explore(Lights())
    assert (len(graph), int(graph.h_star[0]), int(graph.h[0])) == (8, 4, 2)
    assert graph.state_name(0) == "(False, False, False)"
    for accuracy in (0.5, 1.0):
        policy = synthetic(Lights(), accuracy, seed=3)
        found = exact_accuracy(policy, graph)
        assert (found.masked.hits, found.masked.count) == (policy.masked_correct, 7)
    assert fsplan.unroll(Lights(), policy="synthetic:1.0,support=applicable").cost == 4
    result = fsplan.focal(Lights(), order="disc1", policy="synthetic:0.8", w=1.5)
    assert result.certified
    assert result.record["policy_details"]["target"] == 0.8


def test_the_accuracy_of_a_python_task_is_measured() -> None:
    measured = known(measured_accuracy("ff", Lights()))
    assert (measured.exact, measured.masked.count) == (True, 7)


@pytest.mark.parametrize(("goal", "cost"), [("(and (p a) (p b) (p c))", 3), ("(and)", 0)])
def test_auto_follows_one_on_small_tasks(goal: str, cost: int) -> None:
    """Edge cases: all actions of the first task are safe; the second task has neither variables nor actions."""
    domain = """(define (domain d) (:requirements :adl) (:predicates (p ?x))
        (:action a :parameters (?x) :precondition (not (p ?x)) :effect (p ?x)))"""
    task = fsplan.load(domain, f"(define (problem x) (:domain d) (:objects a b c) (:init) (:goal {goal}))")
    for seed in range(5):
        result = fsplan.solve(task, policy="synthetic:0.5", seed=seed, w=1)
        assert (result.cost, result.lower_bound) == (cost, cost)
