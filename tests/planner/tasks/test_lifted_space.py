"""Tasks that are not grounded: applicable actions, successors and goals equal those of direct implementations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lifted_oracle import Oracle, cheapest
from random_tasks import STRIPS, random_task
from scalable_problems import DOMAINS, problem_text

import fsplan
from fsplan.pddl import parse_task
from fsplan.pddl.normalise import normalise
from fsplan.pddl.syntax import Problem
from fsplan.pddl.whole_costs import with_whole_costs
from fsplan.planner._core import GroundStateSpace, LiftedStateSpace, TooManyActions, UnsupportedLifted
from fsplan.planner.base.limits import LimitReached, Limits
from fsplan.planner.sources import pddl
from fsplan.planner.sources.load import load_arguments
from fsplan.planner.sources.pddl import from_pddl
from fsplan.planner.tasks.ground import ground, to_native
from fsplan.planner.tasks.states import GroundFacts

Values = list[int] | tuple[int, ...]


def lifted(problem: Problem, *, merge_twins: bool = False) -> LiftedStateSpace:
    return LiftedStateSpace(to_native(normalise(with_whole_costs(problem))), merge_twins=merge_twins)


def if_supported(problem: Problem, *, merge_twins: bool = False) -> LiftedStateSpace:
    try:
        return lifted(problem, merge_twins=merge_twins)
    except UnsupportedLifted:
        assume(False)
        raise


class Atoms:
    """A state space, with states as sets of atoms and actions by name."""

    def __init__(self, space: GroundStateSpace | LiftedStateSpace) -> None:
        self.space, self.facts = space, GroundFacts(space.task)

    def of(self, values: Values) -> frozenset[tuple[str, ...]]:
        return self.facts.atoms(values)

    def steps(self, values: Values) -> dict[str, tuple[int, Any]]:
        """Cost and values of the successor by each action."""
        return {self.space.action_name(a): (cost, after) for a, cost, after in self.space.successors(values)}


@pytest.mark.parametrize("domain", [*DOMAINS, "blocks"])
def test_actions_and_successors_are_those_of_the_ground_task(domain: str) -> None:
    if domain == "blocks":
        path = fsplan.example("blocks-8-0")
        problem = pddl.read_problem([path])
    else:
        problem = parse_task(DOMAINS[domain], problem_text(domain, 6))
    ground_atoms, lifted_atoms = Atoms(GroundStateSpace(ground(problem))), Atoms(lifted(problem))
    random = Random(0)
    one, other = ground_atoms.space.start_values(), lifted_atoms.space.start_values()
    for _ in range(30):
        steps, others = ground_atoms.steps(one), lifted_atoms.steps(other)
        assert steps.keys() == others.keys()
        for name, (cost, after) in steps.items():
            assert (cost, ground_atoms.of(after)) == (others[name][0], lifted_atoms.of(others[name][1]))
        assert ground_atoms.space.is_goal(one) == lifted_atoms.space.is_goal(other)
        if not steps:
            break
        name = random.choice(sorted(steps))
        one, other = steps[name][1], others[name][1]


def supported_tasks() -> st.SearchStrategy[Problem]:
    features = st.builds(
        lambda *flags: replace(STRIPS, **dict(zip(FLAGS, flags, strict=True))), *[st.booleans()] * len(FLAGS)
    )
    return st.builds(random_task, st.integers(0, 2**32), features)


FLAGS = ("typing", "either", "constants", "equality", "negative", "costs")


@given(problem=supported_tasks(), seed=st.integers(0, 2**32))
@settings(max_examples=150)
def test_actions_and_successors_are_those_of_the_semantics(problem: Problem, seed: int) -> None:
    """An action that the lifted space lacks changes no atom that matters to the goal."""
    oracle, atoms, random = Oracle(problem), Atoms(if_supported(problem)), Random(seed)
    known = set(atoms.facts.facts)
    state, values = oracle.start(), atoms.space.start_values()
    for _ in range(10):
        assert atoms.of(values) == state & known
        expected = {name: (cost, after) for name, cost, after in oracle.steps(state)}
        found = atoms.steps(values)
        for name, (cost, after) in found.items():
            assert (cost, atoms.of(after)) == (expected[name][0], expected[name][1] & known)
        for name in expected.keys() - found.keys():
            assert expected[name][1] & known == state & known
        if not found:
            break
        name = random.choice(sorted(found))
        state, values = expected[name][1], found[name][1]


def cost_of(space: LiftedStateSpace, most_states: int) -> float | None:
    def steps(values: tuple[int, ...]) -> Iterator[tuple[str, int, tuple[int, ...]]]:
        for action, cost, after in space.successors(values):
            yield space.action_name(action), cost, tuple(after)

    found = cheapest(tuple(space.start_values()), space.is_goal, steps, most_states)
    return None if found is None else float(found[0])


@given(problem=supported_tasks())
@settings(max_examples=150)
def test_one_of_the_actions_that_swaps_map_to_each_other_suffices(problem: Problem) -> None:
    optimum = cost_of(if_supported(problem), 300)
    assume(optimum is not None)
    if ground(problem).solvable_relaxed:
        assert cost_of(lifted(problem, merge_twins=True), 300) == optimum


COINS = """(define (domain coins) (:types coin box)
  (:predicates (on-table ?c - coin) (inside ?c - coin ?b - box) (marked ?c - coin))
  (:action insert :parameters (?c ?d - coin ?b - box)
    :precondition (and (on-table ?c) (on-table ?d) (not (= ?c ?d)))
    :effect (and (not (on-table ?c)) (inside ?c ?b) (marked ?d))))"""


def coins(count: int, goal: str) -> Problem:
    names = " ".join(f"c{i}" for i in range(count))
    tables = " ".join(f"(on-table c{i})" for i in range(count))
    return parse_task(COINS, f"(define (problem p) (:domain coins) (:objects {names} - coin b - box) (:init {tables}) "
                             f"(:goal {goal}))")  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "actions"),
    [
        ("(and (inside c0 b) (marked c1) (inside c2 b) (marked c3) (inside c4 b) (marked c5))", 4),
        ("(inside c0 b)", 3),
    ],
)
def test_interchangeable_objects_have_one_action(goal: str, actions: int) -> None:
    """First goal: three coins have to be in the box and three to be marked, so there are two kinds of coins for each of
    two parameters. Second goal: only one coin matters, as the first argument, as the second, or not at all."""
    space = lifted(coins(6, goal), merge_twins=True)
    found = [space.action_name(action) for action, _, _ in space.successors(space.start_values())]
    assert len(found) == actions, found


def test_an_unreachable_goal_is_proven_without_a_search() -> None:
    problem = parse_task(DOMAINS["barge"], problem_text("barge", 3).replace("(empty)", ""))
    task = from_pddl(problem, grounding="none")
    result = fsplan.solve(task, "follow", policy="uniform")
    assert result.status == "unsolvable"


def test_only_searches_without_a_guarantee_run() -> None:
    task = from_pddl(parse_task(DOMAINS["barge"], problem_text("barge", 3)), grounding="none")
    with pytest.raises(ValueError, match="can only be followed"):
        fsplan.astar(task)


@pytest.mark.parametrize(
    ("effect", "reason"),
    [
        ("(forall (?c - crate) (aboard ?c))", "conditional or quantified effects"),
        ("(when (empty) (not (empty)))", "conditional or quantified effects"),
    ],
)
def test_unsupported_features_are_named(effect: str, reason: str) -> None:
    domain = DOMAINS["barge"].rstrip()[:-1] + f"(:action more :parameters (?p - port) :effect {effect}))"
    with pytest.raises(UnsupportedLifted, match=reason):
        from_pddl(parse_task(domain, problem_text("barge", 3)), grounding="none")


def test_a_task_with_too_many_actions_is_not_grounded(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = parse_task(DOMAINS["barge"], problem_text("barge", 5))
    count = ground(problem).action_count()
    assert from_pddl(problem, grounding="auto").is_grounded
    monkeypatch.setattr(pddl, "MOST_ACTIONS", count - 1)
    assert not from_pddl(problem, grounding="auto").is_grounded
    assert from_pddl(problem).is_grounded
    monkeypatch.undo()
    limits = Limits(memory=10**10)
    assert from_pddl(problem, limits=limits, grounding="auto").is_grounded
    monkeypatch.setattr(pddl, "BYTES_PER_ACTION", 10**10 // (count - 1))
    assert not from_pddl(problem, limits=limits, grounding="auto").is_grounded
    with pytest.raises(TooManyActions):
        ground(problem, most_actions=count - 1)


def test_a_large_unsupported_task_is_grounded(monkeypatch: pytest.MonkeyPatch) -> None:
    domain = DOMAINS["barge"].rstrip()[:-1] + "(:action more :parameters (?p - port) :effect (when (empty) (empty))))"
    monkeypatch.setattr(pddl, "MOST_ACTIONS", 1)
    assert from_pddl(parse_task(domain, problem_text("barge", 3)), grounding="auto").is_grounded


def test_limits_hold_while_atoms_are_found(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(DOMAINS["barge"])
    (tmp_path / "problem.pddl").write_text(problem_text("barge", 60))
    words = (str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl"))
    with pytest.raises(LimitReached):
        load_arguments(words, limits=Limits(memory=1), grounding="none")
    assert load_arguments(words, grounding="none").sizes()["variables"] > 60
