"""Larger problems that are composed of given ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from blocks_problems import blocks_task
from scalable_problems import DOMAINS, problem_text
from support import known

import fsplan
from fsplan.pddl.syntax import Atom, Forall, Or, Problem, Typed
from fsplan.planner.learning.relational.derive import conjunction
from fsplan.planner.learning.relational.grow import Grower
from fsplan.planner.policies.relational.describe import goal_atoms, instantiated_goal
from fsplan.planner.sources.pddl import from_pddl


def grower_of(domain: str) -> Grower:
    return Grower([problem_of(domain, size) for size in (1, 2, 3, 4)])


def problem_of(domain: str, size: int) -> Problem:
    return known(fsplan.load(DOMAINS[domain], problem_text(domain, size)).problem)


def grown(grower: Grower, size: int, way: str) -> Problem:
    problem = known(grower.draw(1, size, (way,)))
    assert size <= len(problem.objects) < 2 * size
    return problem


@pytest.mark.parametrize(
    ("domain", "way"),
    [("barge", "union"), ("barge", "copies"), ("canteen", "copies"), ("corridor", "copies")],
)
def test_grown_problems_have_plans(domain: str, way: str) -> None:
    problem = grown(grower_of(domain), 20, way)
    assert fsplan.solve(from_pddl(problem), "lama", expansion_limit=20_000).plan


def test_there_is_still_one_barge_and_all_ports_are_connected() -> None:
    problem = grown(grower_of("barge"), 20, "union")
    facts = [fact[0] for fact in problem.init]
    ports = [name for name, typed in problem.objects.items() if typed.types == ("port",)]
    assert (facts.count("moored"), facts.count("empty")) == (1, 1)
    assert facts.count("other") == len(ports) * (len(ports) - 1)


def test_a_trail_gets_longer_and_keeps_its_end() -> None:
    grower = grower_of("trail")
    assert grower.chains == {"next"}
    problem = grown(grower, 60, "copies")
    links = [fact[1:] for fact in problem.init if fact[0] == "next"]
    assert len(links) > 4
    ends = {place for _, place in links} - {place for place, _ in links}
    assert {fact[2] for fact in problem.init if fact[0] == "stands"} == ends
    assert sum(fact[0] == "here" for fact in problem.init) == 1
    goals = len(list(conjunction(problem)))
    assert sum(fact[0] == "lies" for fact in problem.init) >= goals > 4


def test_towers_are_joined_but_blocks_are_not_copied(tmp_path: Path) -> None:
    tasks = [blocks_task(tmp_path, "ab c", "cab"), blocks_task(tmp_path, "abcd", "dcba")]
    grower = Grower([task.problem for task in tasks if task.problem is not None])
    problem = grown(grower, 8, "union")
    assert sum(fact[0] == "handempty" for fact in problem.init) == 1
    assert len({fact[2] for fact in problem.init if fact[0] == "on"}) == sum(fact[0] == "on" for fact in problem.init)
    assert grower.draw(1, 8, ("copies",)) is None


def test_goals_of_all_objects_are_conjunctions() -> None:
    problem = problem_of("trail", 3)
    goals = set(conjunction(problem))
    problem.goal = Forall([Typed("?g", ("gate",))], Atom("open", ("?g",)))
    assert set(conjunction(problem)) == goals == {("open", f"g{number}") for number in range(3)}
    assert len(list(goal_atoms(instantiated_goal(problem)))) == 3


def test_other_goals_than_conjunctions_are_not_grown() -> None:
    problems = [problem_of("barge", size) for size in (1, 2)]
    problems[1].goal = Or([problems[1].goal])
    assert not Grower(problems).is_possible
    assert not Grower(problems[:1]).is_possible
