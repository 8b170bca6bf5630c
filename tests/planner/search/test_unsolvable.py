"""The message about an unsolvable task names the unreachable goal."""

from __future__ import annotations

from pathlib import Path

from support import fsplan as run
from support import known

import fsplan
from fsplan.planner.base.limits import Limits
from fsplan.planner.search.unsolvable import conflicting_goals, unreachable_goals, why_unsolvable

DOMAIN = """(define (domain roads) (:requirements :typing) (:types place thing)
  (:predicates (at ?t - thing ?p - place) (road ?p ?q - place) (fuel ?t - thing))
  (:action go :parameters (?t - thing ?p ?q - place) :precondition (and (at ?t ?p) (road ?p ?q) (fuel ?t))
    :effect (and (at ?t ?q) (not (at ?t ?p)) (not (fuel ?t)))))"""
PROBLEM = """(define (problem p) (:domain roads) (:objects a b c d - place van cab - thing)
  (:init (at van a) (at cab a) (fuel van) (fuel cab) (road a b) (road b c) (road c a)) (:goal {goal}))"""


def _why(goal: str) -> str:
    task = fsplan.load(DOMAIN, PROBLEM.format(goal=goal))
    result = fsplan.solve(task)
    assert result.status == "unsolvable"
    return why_unsolvable(unreachable_goals(task, result) or [], result)


def test_goals_that_nothing_reaches_are_named() -> None:
    assert _why("(and (at van b) (at van d) (and (at cab d)))") == (
        "the goal cannot be reached: (at van d); (at cab d)"
    )
    assert _why("(at cab d)") == "the goal cannot be reached: (at cab d)"
    assert _why("(exists (?t - thing) (at ?t d))") == "the goal cannot be reached: (exists (?t - thing) (at ?t d))"


def test_goals_that_exclude_each_other_are_named() -> None:
    assert _why("(and (at van b) (at van a) (at cab a))") == "goals cannot hold together: (at van b) and (at van a)"


def test_without_a_single_reason_the_exhausted_search_is_the_proof() -> None:
    reason = _why("(and (at van c) (at cab a))")
    assert reason.startswith("proven by the search, which expanded")


def test_a_reachable_goal_has_no_reason_and_a_time_limit_ends_the_analysis() -> None:
    blocks = known(fsplan.load(fsplan.example("blocks-8-0")).problem)
    assert conflicting_goals(blocks, Limits(60)) == []
    assert conflicting_goals(blocks, Limits(1e-9)) == []


def test_the_command_line_prints_the_reason(tmp_path: Path) -> None:
    for name, text in (("domain.pddl", DOMAIN), ("p.pddl", PROBLEM.format(goal="(at cab d)"))):
        (tmp_path / name).write_text(text)
    ran = run(tmp_path / "domain.pddl", tmp_path / "p.pddl")
    assert (ran.returncode, ran.stdout) == (11, "")
    assert "unsolvable: proven\nthe goal cannot be reached: (at cab d)\n" in ran.stderr


def test_tasks_with_plans_and_tasks_without_pddl_have_no_reason() -> None:
    for task in (fsplan.load(DOMAIN, PROBLEM.format(goal="(at van b)")), fsplan.load("tiles3:random/1")):
        assert unreachable_goals(task, fsplan.solve(task)) is None
