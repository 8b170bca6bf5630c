"""Decimal costs are read exactly, scaled to integers for the search, and printed as decimals."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import fsplan
from fsplan.pddl import PddlError, UnsupportedError, read_task
from fsplan.pddl.costs import exact, from_units, in_units, plain
from fsplan.pddl.whole_costs import with_whole_costs
from fsplan.pddl.writer import write_domain, write_problem
from fsplan.planner.experiments import fast_downward
from fsplan.planner.experiments.execute import solve_run
from fsplan.planner.experiments.records import Run
from fsplan.planner.sources.pddl import from_pddl

DOMAIN = """
(define (domain roads)
  (:requirements :strips :typing :action-costs)
  (:types place)
  (:predicates (at ?p - place) (road ?a ?b - place) (fuelled))
  (:functions (total-cost) - number (road-length ?a ?b - place) - number)
  (:action drive :parameters (?a ?b - place)
    :precondition (and (at ?a) (road ?a ?b) (fuelled))
    :effect (and (at ?b) (not (at ?a)) (increase (total-cost) (road-length ?a ?b))))
  (:action refuel :parameters () :precondition (not (fuelled)) :effect (and (fuelled) (increase (total-cost) 1.25)))
  (:action walk :parameters (?a ?b - place)
    :precondition (and (at ?a) (road ?a ?b))
    :effect (and (at ?b) (not (at ?a)) (increase (total-cost) 40))))
"""


def problem_text(lengths: dict[tuple[str, str], str], goal: str, metric: bool = True) -> str:
    places = " ".join(sorted({place for road in lengths for place in road}))
    roads = " ".join(f"(road {a} {b}) (= (road-length {a} {b}) {length})" for (a, b), length in lengths.items())
    end = "(:metric minimize (total-cost))" if metric else ""
    return f"""(define (problem p) (:domain roads) (:objects {places} - place)
  (:init (at a) (= (total-cost) 0) {roads}) (:goal (at {goal})) {end})"""


SHORT = {("a", "b"): "2.5", ("b", "c"): "0.75", ("c", "d"): "5.0", ("a", "d"): "9.9"}


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p.pddl").write_text(problem_text(SHORT, "d"))
    return str(tmp_path / "domain.pddl"), str(tmp_path / "p.pddl")


def random_roads(seed: int) -> dict[tuple[str, str], str]:
    random = Random(seed)
    places = [f"{'abcdefgh'[n]}" for n in range(8)]
    pairs = [(a, b) for a in places for b in places if a != b and random.random() < 0.35]
    return {pair: f"{random.randrange(1, 4000) / 10 ** random.randrange(4):.3f}" for pair in pairs} | {("a", "b"): "7"}


def test_costs_and_bounds_are_reported_unscaled(files: tuple[str, str]) -> None:
    for search in ("auto", "astar", "wastar", "ees"):
        result = fsplan.solve(fsplan.load(*files), search, w=1) if search != "astar" else fsplan.astar(files)
        assert result.cost == result.lower_bound == Fraction("9.5")  # the plan: refuel, then drive through b and c
        assert result.to_dict()["cost"] == 9.5
        assert json.loads(result.to_json())["lower_bound"] == 9.5
        assert result.proven_ratio == 1.0
        assert isinstance(result.proven_ratio, float)
    assert result.step_costs == [Fraction("1.25"), Fraction("2.5"), Fraction("0.75"), 5]
    assert str(result.cost) == "9.5"
    assert fsplan.bound(files).value <= Fraction("9.5")


def test_incumbents_and_progress_are_reported_unscaled(files: tuple[str, str]) -> None:
    found: list[Any] = []
    fsplan.solve(files, "wastar", w=3, on_incumbent=lambda plan, cost, bound: found.append((cost, bound)), anytime=True)
    assert found[-1] == (Fraction("9.5"), Fraction("9.5"))
    known = fsplan.solve(files, "wastar", w=1, incumbent=(["walk a d"], 40), lower_bound=0)
    assert known.cost == Fraction("9.5")


def test_plans_state_their_cost_and_are_validated(files: tuple[str, str]) -> None:
    plan = "(refuel)\n(drive a b)\n(drive b c)\n(drive c d)\n; cost = {} (general cost)\n"
    assert fsplan.validate(files, plan.format("9.5")).valid
    assert fsplan.validate(files, plan.format("9.50")).message == "plan valid, 4 steps, cost 9.5"
    assert "states cost 9.25, its cost is 9.5" in fsplan.validate(files, plan.format("9.25")).message


def test_the_enumerated_graph_has_decimal_costs(files: tuple[str, str]) -> None:
    graph = fsplan.explore(files, heuristic="hmax")
    assert graph.cost_denominator == 20  # common denominator of 1.25, 2.5, 0.75 and 9.9
    assert graph.true_cost(graph.h_star[0]) == Fraction("9.5")
    assert {edge["cost"] for _, _, edge in graph.edges()} >= {1.25, 2.5, 40}
    assert "optimal cost  9.5" in graph.summary()


def test_the_tree_is_written_as_it_was_read(files: tuple[str, str], tmp_path: Path) -> None:
    problem = read_task(*files)
    again = read_task(_written(problem, tmp_path)[0], _written(problem, tmp_path)[1])
    assert again.costs == problem.costs
    assert "2.5" in write_problem(problem)
    assert "(increase (total-cost) 1.25)" in write_domain(problem.domain)


def _written(problem: Any, folder: Path) -> tuple[str, str]:
    paths = folder / "d2.pddl", folder / "p2.pddl"
    paths[0].write_text(write_domain(problem.domain))
    paths[1].write_text(write_problem(problem))
    return str(paths[0]), str(paths[1])


def test_without_the_metric_every_action_counts_as_one(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p.pddl").write_text(problem_text(SHORT, "d", metric=False))
    assert fsplan.astar(str(tmp_path / "p.pddl")).cost == 1


@pytest.mark.parametrize("seed", range(6))
def test_decimals_and_whole_numbers_agree(seed: int, tmp_path: Path) -> None:
    """A search on the task with integer costs, scaled by the denominator, has the same expansions."""
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p.pddl").write_text(problem_text(random_roads(seed), "h"))
    problem = read_task(str(tmp_path / "domain.pddl"), str(tmp_path / "p.pddl"))
    denominator = problem.cost_denominator()
    decimal, whole = from_pddl(problem), from_pddl(with_whole_costs(problem))
    for search in ("astar", "focal", "wastar", "ees"):
        one, other = fsplan.solve(decimal, search), fsplan.solve(whole, search)
        assert one.plan == other.plan
        assert one.statistics["expanded"] == other.statistics["expanded"]
        if other.cost is not None:
            assert one.cost * denominator == other.cost
            assert one.lower_bound * denominator == other.lower_bound


@pytest.mark.skipif(fast_downward.driver() is None, reason="Fast Downward is not installed (fsplan[compare])")
@pytest.mark.parametrize("seed", range(2))
def test_fast_downward_agrees_after_scaling(seed: int, tmp_path: Path) -> None:
    files = str(tmp_path / "domain.pddl"), str(tmp_path / "p.pddl")
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p.pddl").write_text(problem_text(random_roads(seed), "c"))
    common: dict[str, Any] = {"task": "roads/p", "domain": "roads", "files": files}
    ours = solve_run(Run(search="astar", heuristic="lmcut", **common))
    theirs = fast_downward.solve(Run(search="fd-astar", heuristic="lmcut", planner=fast_downward.PLANNER, **common))
    assert theirs["valid"]
    assert ours["cost"] == theirs["cost"] == theirs["lower_bound"]


@pytest.mark.parametrize(
    ("length", "message"),
    [
        ("2.1234567891", "costs with more than 9 decimals"),
        ("-2.5", "negative costs"),
        ("99999999999.5", "costs above 2147483647"),
        ("3000000.001", "common denominator of 1000"),
    ],
)
def test_costs_that_cannot_be_represented_are_refused_with_the_reason(
    tmp_path: Path, length: str, message: str
) -> None:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p.pddl").write_text(problem_text({("a", "b"): length}, "b"))
    with pytest.raises(UnsupportedError, match=message):
        read_task(str(tmp_path / "domain.pddl"), str(tmp_path / "p.pddl"))
    assert issubclass(UnsupportedError, PddlError)


class Ferry:
    """A Python task: sail three miles with a fast boat for 1.1 per mile or a slow one for 0.35 per mile."""

    start, actions, cost_denominator = 0, ("fast", "slow"), 20

    def successors(self, state: int) -> list[tuple[str, Any, int]]:
        return [("fast", 1.1, state + 1), ("slow", Fraction(7, 20), state + 1)] if state < 3 else []

    def is_goal(self, state: int) -> bool:
        return state == 3

    def heuristic(self, state: int) -> float:
        return 0.33 * (3 - state)


def test_python_tasks() -> None:
    result = fsplan.astar(Ferry())
    assert (result.cost, result.lower_bound, result.plan) == (Fraction("1.05"), Fraction("1.05"), ["slow"] * 3)
    assert fsplan.explore(Ferry()).true_cost(fsplan.explore(Ferry()).h_star[0]) == Fraction("1.05")
    unroll = fsplan.solve(Ferry(), "focal", "disc2", w=2, policy="synthetic:1.0")
    assert unroll.cost == Fraction("1.05")


def test_a_python_task_that_declares_too_coarse_a_denominator() -> None:
    class Coarse(Ferry):
        cost_denominator = 10

    with pytest.raises(ValueError, match=r"a cost of 7/20 needs a cost_denominator that 20 divides; the task has 10"):
        fsplan.astar(Coarse())


def test_numbers() -> None:
    assert (exact("2.50"), exact(3.0), exact(0.1)) == (Fraction(5, 2), 3, Fraction(1, 10))
    assert str(exact(Fraction(1, 3))) == "1/3"
    assert f"{exact('2.5')} {exact('2.5'):>6.2f}" == "2.5   2.50"
    assert (from_units(None, 10), in_units(2, 10), plain(exact("0.3"))) == (None, 20, 0.3)
