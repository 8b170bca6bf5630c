"""fsplan as an engine of unified-planning, on the example problems that unified-planning ships for its own tests."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("unified_planning")

import unified_planning as up
from benchmark_tasks import all_tasks
from support import BENCHMARKS, ROOT
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.io import PDDLReader
from unified_planning.model.metrics import MinimizeActionCosts, MinimizeSequentialPlanLength
from unified_planning.shortcuts import AnytimePlanner, OneshotPlanner, PlanValidator, get_environment
from unified_planning.test.examples import get_example_problems

import fsplan
from fsplan.up import FsplanEngine, register

SUPPORTED = {
    name: example for name, example in get_example_problems().items() if FsplanEngine.supports(example.problem.kind)
}
EXAMPLES = ROOT / "docs" / "examples"
FOLDER = Path(up.__file__).parent / "test" / "pddl"


@pytest.fixture(autouse=True)
def _registered() -> None:
    get_environment().credits_stream = None
    register()


def _blocks() -> Any:
    path = fsplan.example("blocks-8-0")
    return PDDLReader().parse_problem(str(Path(path).parent / "domain.pddl"), path)


def solved(problem: Any, name: str = "fsplan", params: dict[str, Any] | None = None, **options: Any) -> Any:
    with OneshotPlanner(name=name, params=params or {}) as planner:
        return planner.solve(problem, **options)


def validated(problem: Any, plan: Any, name: str = "sequential_plan_validator", **params: Any) -> Any:
    with PlanValidator(name=name, params=params) as validator:
        return validator.validate(problem, plan)


def test_enough_of_the_examples_are_supported() -> None:
    assert len(SUPPORTED) >= 20


@pytest.mark.parametrize("name", SUPPORTED)
def test_plans_of_the_examples_pass_both_validators(name: str) -> None:
    problem = SUPPORTED[name].problem
    result = solved(problem, "fsplan-opt", timeout=30)
    assert (result.plan is not None) == SUPPORTED[name].solvable
    assert result.status == (Status.SOLVED_OPTIMALLY if problem.quality_metrics else Status.SOLVED_SATISFICING)
    for validator in ("sequential_plan_validator", "fsplan"):
        assert validated(problem, result.plan, validator)


@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(path.name, marks=[pytest.mark.long] if path.name == "citycar" else [])
        for path in sorted(FOLDER.iterdir())
        if (path / "problem.pddl").exists()
    ],
)
def test_plans_of_the_bundled_pddl_pass_the_validator(folder: str) -> None:
    try:
        problem = PDDLReader().parse_problem(
            str(FOLDER / folder / "domain.pddl"), str(FOLDER / folder / "problem.pddl")
        )
    except Exception as error:
        pytest.skip(f"unified-planning cannot read it: {str(error)[:60]}")
    if not FsplanEngine.supports(problem.kind):
        pytest.skip("a kind of problem that fsplan does not support")
    result = solved(problem, timeout=60)
    assert validated(problem, result.plan)


def test_the_certificate_is_in_the_metrics_and_the_log_in_the_stream() -> None:
    stream = StringIO()
    result = solved(_blocks(), params={"focal": "disc1", "w": 1.5}, output_stream=stream)
    metrics = result.metrics
    assert int(metrics["cost"]) == len(result.plan.actions)
    assert float(metrics["proven_ratio"]) <= 1.5
    assert int(metrics["lower_bound"]) <= 18 <= int(metrics["cost"])
    assert "focal disc1" in stream.getvalue()
    assert result.log_messages


def test_output_and_errors_may_have_streams_of_their_own() -> None:
    output, errors = StringIO(), StringIO()
    with OneshotPlanner(name="fsplan") as planner:
        planner.solve(get_example_problems()["basic"].problem, output_stream=(output, errors))
        planner.solve(get_example_problems()["basic"].problem, output_stream=(None, errors))
    assert "plan: cost 1" in output.getvalue()
    assert errors.getvalue() == ""


def test_the_status_is_optimal_only_if_proven_and_requested() -> None:
    problem = _blocks()
    problem.add_quality_metric(MinimizeSequentialPlanLength())
    assert solved(problem, "fsplan-opt").status == Status.SOLVED_OPTIMALLY
    assert (
        solved(problem, params={"search": "gbfs", "heuristic": "hff", "uncertified": True}).status
        == Status.SOLVED_SATISFICING
    )
    with OneshotPlanner(
        problem_kind=problem.kind, optimality_guarantee="SOLVED_OPTIMALLY", names=["fsplan-opt"]
    ) as planner:
        assert len(planner.solve(problem).plan.actions) == 18


def test_anytime_plans_get_cheaper_and_the_last_is_optimal() -> None:
    problem = _blocks()
    problem.add_quality_metric(MinimizeSequentialPlanLength())
    with AnytimePlanner(name="fsplan", anytime_guarantee="INCREASING_QUALITY") as planner:
        results = list(planner.get_solutions(problem))
    lengths = [len(result.plan.actions) for result in results]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] == 18
    assert results[-1].status == Status.SOLVED_OPTIMALLY
    assert {result.status for result in results[:-1]} <= {Status.INTERMEDIATE}


def test_a_caller_may_stop_reading_anytime_plans() -> None:
    with AnytimePlanner(name="fsplan") as planner:
        solutions = planner.get_solutions(_blocks())
        assert next(solutions).plan is not None
        solutions.close()  # type: ignore[attr-defined]


def test_a_given_plan_is_used_as_the_first_incumbent() -> None:
    problem = _blocks()
    best = solved(problem, "fsplan-opt").plan
    assert len(solved(problem, "fsplan-opt", warm_start_plan=best).plan.actions) == 18
    worse = up.plans.SequentialPlan(best.actions[:-1])
    with OneshotPlanner(name="fsplan") as planner, pytest.raises(up.exceptions.UPUsageError, match="not a plan"):
        planner.solve(problem, warm_start_plan=worse)
    assert not validated(problem, worse, "fsplan")


def test_a_time_limit_stops_the_search() -> None:
    problem = _blocks()
    result = solved(problem, params={"search": "astar", "heuristic": "blind"}, timeout=0.02)
    assert result.status == Status.TIMEOUT
    assert result.plan is None


def test_an_unsolvable_problem_has_the_status_unsolvable() -> None:
    problem = SUPPORTED["basic"].problem.clone()
    problem.clear_actions()
    result = solved(problem)
    assert result.status == Status.UNSOLVABLE_PROVEN
    assert "the goal cannot be reached: (x)" in [message.message for message in result.log_messages]


def test_the_validator_reports_how_far_a_plan_is_from_optimal() -> None:
    problem = _blocks()
    with OneshotPlanner(
        name="fsplan", params={"search": "gbfs", "heuristic": "goalcount", "uncertified": True}
    ) as planner:
        plan = planner.solve(problem).plan
    verdict = validated(problem, plan, "fsplan", judge=True, w=1)
    cost = len(plan.actions)
    assert verdict
    assert cost > 18
    assert verdict.metrics == {
        "cost": str(cost), "lower_bound": "18", "proven_ratio": str(1 + (cost / 18 - 1)), "better_cost": "18",
    }  # fmt: skip
    assert "a better plan costs 18, which is optimal" in verdict.log_messages[0].message
    assert not validated(problem, up.plans.SequentialPlan(plan.actions[:-1]), "fsplan", judge=True)


def test_a_time_limit_in_the_parameters_counts_if_the_call_has_none() -> None:
    params = {"search": "astar", "heuristic": "blind", "time_limit": 0.02}
    assert solved(_blocks(), params=params).status == Status.TIMEOUT


def test_costs_are_those_of_the_metric() -> None:
    problem = SUPPORTED["basic_with_costs"].problem
    assert isinstance(problem.quality_metrics[0], MinimizeActionCosts)
    result = solved(problem, "fsplan-opt")
    (value,) = validated(problem, result.plan).metric_evaluations.values()
    assert Fraction(result.metrics["cost"]) == value


def test_a_problem_of_another_kind_is_refused() -> None:
    problem = next(e.problem for e in get_example_problems().values() if e.problem.kind.has_continuous_time())
    with OneshotPlanner(name="fsplan") as planner, pytest.warns(UserWarning, match="cannot establish"):
        assert planner.solve(problem).status == Status.UNSUPPORTED_PROBLEM
    planner.error_on_failed_checks = True
    with pytest.raises(up.exceptions.UPUsageError):
        planner.solve(problem)


def test_what_cannot_be_written_as_pddl_is_refused() -> None:
    problem = SUPPORTED["basic"].problem.clone()
    problem.add_goal(up.shortcuts.FALSE())
    assert solved(problem).status == Status.UNSUPPORTED_PROBLEM


def _selected(problem: Any) -> type:
    """The engine that unified-planning selects for a problem if no other planner is installed."""
    factory = get_environment().factory
    before = factory.preference_list
    factory.preference_list = ["fsplan"]
    try:
        with OneshotPlanner(problem_kind=problem.kind) as planner:
            return type(planner)
    finally:
        factory.preference_list = before


@pytest.mark.parametrize("name", [str(path.relative_to(EXAMPLES)) for path in sorted(EXAMPLES.glob("**/[hp]*.pddl"))])
def test_unified_planning_selects_fsplan_for_the_examples_of_its_manual(name: str) -> None:
    problem = PDDLReader().parse_problem(str(EXAMPLES / "domain.pddl"), str(EXAMPLES / name))
    assert problem.kind.has_real_numbers_in_actions_cost()
    assert problem.kind.has_undefined_initial_numeric()
    assert _selected(problem) is FsplanEngine


def test_costs_that_a_file_states_are_kept() -> None:
    problem = PDDLReader().parse_problem(str(EXAMPLES / "domain.pddl"), str(EXAMPLES / "problem.pddl"))
    result = solved(problem, "fsplan-opt")
    assert Fraction(result.metrics["cost"]) == fsplan.solve(EXAMPLES / "problem.pddl", w=1).cost == 30


COSTLY = [
    (domain, problem)
    for domain, problem in (all_tasks(BENCHMARKS) if BENCHMARKS.is_dir() else [])
    if "total-cost" in domain.read_text(encoding="latin-1")
    and domain.stat().st_size + problem.stat().st_size < 100_000  # unified-planning's reader takes minutes for more
]


@pytest.mark.long
@pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="needs the shared benchmarks")
@pytest.mark.parametrize("name", sorted({domain.parent.name for domain, _ in COSTLY}))
def test_unified_planning_selects_fsplan_for_ipc_tasks_with_costs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_environment(), "error_used_name", False)  # floortile's predicates and actions share names
    tasks = [task for task in COSTLY if task[0].parent.name == name]
    assert tasks
    for domain, problem in tasks:
        read = PDDLReader().parse_problem(str(domain), str(problem))
        assert read.kind.has_actions_cost()
        assert _selected(read) is FsplanEngine, problem


def test_costs_that_pddl_cannot_express_are_refused() -> None:
    problem = SUPPORTED["basic_with_costs"].problem.clone()
    problem.clear_quality_metrics()
    cost = up.shortcuts.Real(Fraction(10**9, 3))
    problem.add_quality_metric(MinimizeActionCosts(dict.fromkeys(problem.actions, cost)))
    result = solved(problem)
    assert result.status == Status.UNSUPPORTED_PROBLEM
    assert "cannot exactly represent the real constant '1000000000/3'" in result.log_messages[0].message


def test_the_error_for_an_unknown_parameter_suggests_the_nearest_one() -> None:
    with pytest.raises(ValueError, match="parameter 'foccal' is unknown; did you mean 'focal'"):
        OneshotPlanner(name="fsplan", params={"foccal": "disc1"})
    planner = OneshotPlanner(name="fsplan", params={"focal": "dsic1"})
    with planner, pytest.raises(ValueError, match="order 'dsic1' is unknown; did you mean 'disc1'"):
        planner.solve(_blocks())


def _oversubscribed(gains: dict[str, Any]) -> Any:
    """Towers of blocks of which at most one can be built: (on a b), (on b a) and (on c a)."""
    problem = _blocks()
    on = problem.fluent("on")
    problem.clear_goals()
    goals = {on(*(problem.object(name) for name in pair.split())): gain for pair, gain in gains.items()}
    problem.add_quality_metric(up.model.metrics.Oversubscription(goals))
    return problem


@pytest.mark.parametrize(
    ("gains", "best"),
    [
        ({"a b": 5, "b a": 7, "c a": 3}, 8),
        ({"a b": Fraction(1, 3), "b a": Fraction(1, 4)}, Fraction(1, 3)),
        ({"a b": -2, "b a": 1}, 1),
        ({"a g": -4, "b a": 3}, 3),
    ],
)
def test_oversubscription_has_a_proven_optimum(gains: dict[str, Any], best: Any) -> None:
    problem = _oversubscribed(gains)
    with OneshotPlanner(problem_kind=problem.kind, optimality_guarantee="SOLVED_OPTIMALLY", name=None) as planner:
        assert type(planner).__name__ == "FsplanOptimalEngine"
        result = planner.solve(problem)
    assert result.status == Status.SOLVED_OPTIMALLY
    assert Fraction(result.metrics["gain"]) == Fraction(result.metrics["gain_bound"]) == best
    assert "cost" not in result.metrics
    for validator in ("sequential_plan_validator", "fsplan"):
        with PlanValidator(name=validator) as validate:
            verdict = validate.validate(problem, result.plan)
            assert verdict
            assert [Fraction(str(value)) for value in verdict.metric_evaluations.values()] == [best]
    with OneshotPlanner(name="oversubscription[fsplan-opt]") as meta:
        other = meta.solve(problem)
    assert list(validated(problem, other.plan).metric_evaluations.values()) == [best]


def test_the_shipped_oversubscription_example() -> None:
    problem = get_example_problems()["basic_oversubscription"].problem
    assert solved(problem).status == Status.SOLVED_OPTIMALLY


def test_plans_are_repaired() -> None:
    problem = _blocks()
    best = solved(problem, "fsplan-opt").plan
    broken = up.plans.SequentialPlan([*best.actions[:5], *best.actions[7:]])
    for plan in (best, broken, up.plans.SequentialPlan([])):
        with up.shortcuts.PlanRepairer(name="fsplan", params={"w": 1.2}) as repairer:
            result = repairer.repair(problem, plan)
        assert len(result.plan.actions) <= 1.2 * 18
        assert float(result.metrics["proven_ratio"]) <= 1.2
        assert validated(problem, result.plan)
    with up.shortcuts.PlanRepairer(problem_kind=problem.kind, plan_kind=best.kind) as repairer:
        assert isinstance(repairer, FsplanEngine)


def test_replanning_follows_the_changes_of_the_problem() -> None:
    problem = _blocks()
    on, ontable = problem.fluent("on"), problem.fluent("ontable")
    a, c = problem.object("a"), problem.object("c")
    with up.shortcuts.Replanner(problem, name="fsplan-opt") as replanner:
        assert len(replanner.resolve().plan.actions) == 18
        for goal in problem.goals:
            replanner.remove_goal(goal)
        replanner.add_goal(on(a, c))
        first = replanner.resolve(timeout=30)
        assert first.metrics["proven_ratio"] == "1.0"
        replanner.add_goal(up.shortcuts.Not(ontable(c)))
        second = replanner.resolve(timeout=30)
        assert len(second.plan.actions) >= len(first.plan.actions)
        replanner.remove_action("stack")
        assert replanner.resolve().status == Status.UNSOLVABLE_PROVEN
        with pytest.warns(UserWarning, match="no action stack"):
            replanner.remove_action("stack")
    assert len(problem.actions) == 4


# unified-planning's own tests of engines, and how many of them fsplan must pass at least.
OWN_TESTS = {"test_pyperplan": 6, "test_planner": 4, "test_replanner": 1, "test_validator": 3}
OTHERS = {
    "test_hierarchical_blocks_world_with_object_with_timeout": "expects that pyperplan ignores time limits",
    "test_check_flags": "expects a plan of a numeric problem, and ENHSP's name",
    "test_robot": "is about a numeric problem",
}


@pytest.mark.long
@pytest.mark.parametrize("module", OWN_TESTS)
def test_unified_plannings_own_tests_of_engines_pass_with_fsplan(module: str) -> None:
    """The tests request engines by name, or the first engine that supports a problem: here each of these is fsplan."""
    program = f"""
import sys, unittest
import unified_planning.shortcuts as up
from fsplan.up import register
register()
up.get_environment().credits_stream = None
factory = up.get_environment().factory
for name, engine in (("pyperplan", "FsplanEngine"), ("opt-pddl-planner", "FsplanOptimalEngine")):
    factory.add_engine(name, "fsplan.up", engine)
factory.preference_list = ["fsplan-opt", "fsplan", *factory.preference_list]
suite = unittest.defaultTestLoader.loadTestsFromName("unified_planning.test.{module}")
result = unittest.TextTestRunner(stream=sys.stderr, verbosity=2).run(suite)
print("PASSED", result.testsRun - len(result.skipped) - len(result.failures) - len(result.errors))
for test, trace in result.failures + result.errors:
    if test.id().rpartition(".")[2] not in {sorted(OTHERS)}:
        print(test.id().rpartition(".")[2], trace.strip().splitlines()[-1])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, cwd="/")
    passed, *failed = ran.stdout.partition("PASSED ")[2].splitlines()
    assert (int(passed) >= OWN_TESTS[module], failed) == (True, []), ran.stdout + ran.stderr[-3000:]


# unified-planning's report runs engines (one-shot, anytime, repair, validation) on test cases and validates their
# results. These are the packages of test cases that its wheel contains.
REPORTED = ("builtin.classical.basic_problems", "builtin.classical.metric_problems", "unified_planning.test")


@pytest.mark.long
def test_unified_plannings_report_on_fsplan_has_no_errors() -> None:
    pytest.importorskip("up_test_cases", reason="unified-planning's test cases come with its wheel")
    program = f"""
import os, sys
import up_test_cases
sys.path.insert(0, os.path.dirname(up_test_cases.__file__))
from fsplan.up import register
register()
import report
sys.argv = ["report", "fsplan", "fsplan-opt", "--timeout", "20", "--packages", *{REPORTED}]
report.main()
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, cwd="/")
    rows = [line for line in ran.stdout.splitlines() if line.startswith("|   fsplan")]
    assert ran.returncode == 0, ran.stderr
    assert len(rows) >= 170
    assert [row for row in rows if "OK(" not in row or "Err(" in row or "WARN(" in row] == []
    assert "errors:" not in ran.stdout


def test_fsplan_can_be_a_default_engine() -> None:
    """The entry that docs/unified-planning.md proposes for unified-planning's list makes `register` unnecessary."""
    program = """
from unified_planning.engines import factory
from unified_planning.environment import Environment
factory.DEFAULT_ENGINES.clear()
factory.DEFAULT_ENGINES["fsplan"] = ("fsplan.up", "FsplanEngine")
factory.DEFAULT_ENGINES["fsplan-opt"] = ("fsplan.up", "FsplanOptimalEngine")
factory.DEFAULT_ENGINES_PREFERENCE_LIST[:] = ["fsplan", "fsplan-opt"]
made = Environment().factory
print(made.preference_list[:2], [made.engine(name).get_credits().license for name in made.preference_list[:2]])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd="/")
    assert ran.stdout.strip() == "['fsplan', 'fsplan-opt'] ['MIT', 'MIT']", ran.stderr
