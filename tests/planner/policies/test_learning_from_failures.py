"""Learning a domain policy from states in which a candidate policy fails, and labels of the safest actions."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from scalable_problems import DOMAINS, problem_text, write_problems
from support import known

import fsplan
from fsplan.planner.graphs.explore import DEAD_END
from fsplan.planner.learning.relational.failures import (
    label_plans,
    possible_first_steps,
    relabel,
    states_visited,
)
from fsplan.planner.learning.relational.gather import Gathered
from fsplan.planner.learning.relational.labels import chance_to_stay_alive, label, optimal_actions
from fsplan.planner.learning.relational.learn import LearnOptions, learn
from fsplan.planner.learning.relational.measures import Followed, LearningReport
from fsplan.planner.learning.relational.trials import Trial
from fsplan.planner.policies.relational.stored import DomainPolicy, domain_of
from fsplan.planner.tasks.task import Task


@pytest.fixture(scope="module")
def task() -> Task:
    return fsplan.load(DOMAINS["canteen"], problem_text("canteen", 3, seed=2))


def policy_without_weights(task: Task) -> DomainPolicy:
    return DomainPolicy(domain_of(task), b"", b"")


def test_the_rest_of_a_plan_may_begin_with_each_possible_first_step(task: Task) -> None:
    plan = known(fsplan.astar(task).plan)
    numbers = [task.actions.number(step) for step in plan]
    state = task.start
    for k, firsts in enumerate(possible_first_steps(task, numbers)):
        assert numbers[k] in firsts
        for first in firsts:
            rest = numbers[k:]
            rest.remove(first)
            assert reaches_goal(task, state, [first, *rest])
        state = next(after for action, _, after in task.successors(state) if action == numbers[k])
    assert any(len(firsts) > 1 for firsts in possible_first_steps(task, numbers))


def reaches_goal(task: Task, state: object, steps: list[int]) -> bool:
    for step in steps:
        found = [after for action, _, after in task.successors(state) if action == step]  # type: ignore[arg-type]
        if not found:
            return False
        state = found[0]
    return task.is_goal(state)  # type: ignore[arg-type]


def test_states_of_plans_are_labelled(task: Task) -> None:
    plan = known(fsplan.astar(task).plan)
    start = tuple(task.state_space.start_values())
    labelled = known(label_plans(task, [(start, plan)], 100))
    assert 0 < len(labelled.examples) <= len(plan)
    assert labelled.distance.max() <= len(plan)
    few = known(label_plans(task, [(start, plan)], 2))
    assert len(few.examples) == 2


def test_visited_states_are_labelled_by_plans(task: Task) -> None:
    policy = policy_without_weights(task)
    visited = states_visited(policy, task, 60)
    assert len(set(visited)) == len(visited) > 1
    labelled, cost = relabel(policy, Trial(task), None, 1.0)
    assert labelled is not None
    assert cost == fsplan.astar(task).cost


def test_failures_are_missed_goals_and_expensive_plans(task: Task) -> None:
    report = LearningReport(Gathered(), [Trial(task, cost) for cost in (10, 10, 10, None)])
    report.followed["a"] = [Followed("", 1, cost) for cost in (10, 12, None, None)]
    assert report.failures("a", 1.1) == [1, 2]
    assert report.failures("a", 1.3) == [2]
    report.learn_cost(1, 11)
    report.learn_cost(0, 5)
    assert [trial.cost for trial in report.trials] == [5, 10, 10, None]
    report.chosen = "a"
    assert report.headline == "following: reached the goal of 2 of 3 tasks, of 15 to 15 objects"
    assert not report.why_not_to_follow
    report.followed["a"] = [Followed("", 1, cost) for cost in (15, 30, 30, None)]
    assert report.why_not_to_follow == "its plans cost 3.0 times those of a search"
    report.followed["a"] = report.followed["a"][3:]
    assert report.reaches_no_goal
    assert "do not follow this policy" in report.text()


@pytest.mark.training
def test_a_policy_for_the_barge_solves_tasks_of_ten_times_the_size(tmp_path: Path) -> None:
    domain, small = write_problems(tmp_path, "barge", [1, 2, 3, 4], seeds=4)
    policy, report = learn([fsplan.load(domain, path) for path in small], LearnOptions(seconds=600, tasks=100))
    assert report.solved(report.chosen) == len(report.known) >= 12
    assert max(trial.size for trial in report.trials) >= 80
    _, [large] = write_problems(tmp_path, "barge", [40])
    task = fsplan.load(domain, large)
    result = fsplan.solve(task, "follow", policy=policy.on(task), expansion_limit=200)
    assert known(result.cost) <= 150


def test_only_dead_ends_make_a_difference_between_optimal_and_safest_actions() -> None:
    barge = known(label(fsplan.load(DOMAINS["barge"], problem_text("barge", 2))))
    assert barge.safest is barge.examples
    found = known(optimal_actions(fsplan.load(DOMAINS["trail"], problem_text("trail", 3, seed=2)), 1000, 10_000, 0))
    assert (found.safest <= found.optimal).all()
    assert found.safest.sum() < found.optimal.sum()
    begin = found.edges_begin.astype(int)
    assert all(found.safest[i:j].any() for i, j in pairwise(begin))


def test_the_chance_that_a_random_walk_avoids_dead_ends() -> None:
    """If the hiker walks on without the only token, the gate stays closed: a random action may lead to a dead end."""
    task = fsplan.load(DOMAINS["trail"], problem_text("trail", 1))
    graph = fsplan.explore(task, 1000, heuristic=None)
    alive = chance_to_stay_alive(graph)
    assert (alive[graph.h_star == DEAD_END] == 0).all()
    assert (alive[graph.goal == 1] == 1).all()
    assert 0 < alive[0] < 1
