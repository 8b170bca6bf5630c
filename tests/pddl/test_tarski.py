"""tarski problems as a source of tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchmark_tasks import tasks
from support import ROOT
from tree_forms import plain_effects, plain_formula

from fsplan.pddl import PddlError, UnsupportedError, parse_task, read_task
from fsplan.pddl.syntax import Problem
from fsplan.planner.tasks.ground import ground

pytest.importorskip("tarski", reason="needs fsplan[tarski]")

from fsplan.planner.sources.tarski_bridge import from_tarski, read_task_with_tarski

# tarski 0.9.1 does not support derived predicates, types declared twice, `either` or one name for two things.
UNREAD = {"philosophers", "psr-middle", "storage", "tidybot-opt11-strips"}


def shape(problem: Problem) -> dict[str, Any]:
    """The task in a normal form that does not depend on the reader."""
    domain = problem.domain
    return {
        "types": domain.types,
        "objects": {name: entry.types for name, entry in (domain.constants | problem.objects).items()},
        "predicates": {
            name: [parameter.types for parameter in signature.parameters]
            for name, signature in domain.predicates.items()
        },
        "actions": {
            name: (
                [(parameter.name, parameter.types) for parameter in action.parameters],
                plain_formula(action.precondition),
                plain_effects(action.effects),
            )
            for name, action in domain.actions.items()
        },
        "init": sorted(problem.init),
        "costs": problem.costs,
        "goal": plain_formula(problem.goal),
        "use_costs": problem.use_costs,
    }


def ground_form(problem: Problem) -> tuple[list[str], list[str], int]:
    """The ground task up to the order of objects, which tarski does not keep."""
    task = ground(problem)
    facts = [task.fact_name(fact) for fact in range(task.fact_count())]
    return sorted(task.action_names()), sorted(facts), task.rule_count()


def test_the_examples_of_the_manual_are_read() -> None:
    examples = ROOT / "docs" / "examples"
    domain = str(examples / "domain.pddl")
    problems = [str(path) for path in sorted(examples.glob("**/[hp]*.pddl"))]
    assert len(problems) == 8
    for problem in problems:
        assert shape(read_task_with_tarski(domain, problem)) == shape(read_task(domain, problem))


@pytest.mark.long
def test_both_readers_give_the_same_task_and_ground_task(benchmarks: Path) -> None:
    unread: set[str] = set()
    for folder in sorted(benchmarks.iterdir()):
        domain, problem = min(tasks(folder), key=lambda task: sum(file.stat().st_size for file in task))
        try:
            theirs = read_task_with_tarski(domain, problem)
        except PddlError:
            unread.add(folder.name)
            continue
        ours = read_task(domain, problem)
        assert shape(theirs) == shape(ours), folder.name
        assert ground_form(theirs) == ground_form(ours), folder.name
        assert ground_form(theirs)[0], folder.name
        assert theirs.file == str(problem)
    assert unread == UNREAD


def language() -> Any:
    from tarski.fstrips import language
    from tarski.theories import Theory

    made = language("toy", theories=[Theory.EQUALITY, Theory.ARITHMETIC])
    made.sort("Block")
    return made


def toy() -> tuple[Any, Any]:
    from tarski.fstrips import create_fstrips_problem

    made = language()
    made.predicate("On", made.get_sort("Block"), made.get_sort("Block"))
    made.predicate("Clear", made.get_sort("Block"))
    made.function("total-cost", made.Real)
    for name in ("A", "B", "C"):
        made.constant(name, "Block")
    problem = create_fstrips_problem(made, problem_name="My (first) problem", domain_name="toy")
    return made, problem


def test_a_problem_that_a_program_builds_with_tarski() -> None:
    from tarski import fstrips as fs
    from tarski.fstrips.action import AdditiveActionCost
    from tarski.syntax import exists, forall, land, neg

    made, problem = toy()
    on, clear, a, b = made.get("On"), made.get("Clear"), made.get("A"), made.get("B")
    x, y = made.variable("x", "Block"), made.variable("y", "Block")
    problem.init.add(on(a, b))
    problem.init.add(clear(a))
    problem.goal = land(*[on(b, a) for _ in range(1000)], neg(clear(a)))
    problem.action(
        "Move",
        [x, y],
        land(x != y, exists(made.variable("z", "Block"), on(x, made.variable("z", "Block")))),
        [
            fs.AddEffect(on(x, y)),
            fs.LiteralEffect(neg(clear(y)), condition=clear(y)),
            fs.UniversalEffect([made.variable("z", "Block")], [fs.DelEffect(clear(made.variable("z", "Block")))]),
        ],
        cost=AdditiveActionCost(made.constant(3, made.get_sort("Integer"))),
    )
    problem.derived("Clear", [x], forall(y, neg(on(y, x))))
    problem.metric(made.get("total-cost")(), fs.OptimizationType.MINIMIZE)
    wanted = parse_task(
        """(define (domain toy) (:types block) (:predicates (on ?x0 ?x1 - block) (clear ?x0 - block))
        (:derived (clear ?x - block) (forall (?y - block) (not (on ?y ?x)))))""",
        "(define (problem p) (:domain toy) (:objects a b c - block) (:init) (:goal (and (on b a))))",
    )
    tree = from_tarski(problem)
    assert tree.name == "my-first-problem"
    assert list(tree.domain.types) == ["object", "block"]
    assert sorted(tree.init) == [("clear", "a"), ("on", "a", "b")]
    assert tree.use_costs
    assert plain_formula(tree.domain.derived[0].body) == plain_formula(wanted.domain.derived[0].body)
    move = tree.domain.actions["move"]
    assert [(parameter.name, parameter.types) for parameter in move.parameters] == [
        ("?x", ("block",)),
        ("?y", ("block",)),
    ]
    assert plain_formula(move.precondition) == (
        "and",
        ("not", ("=", "?x", "?y")),
        ("exists", (("?z", ("block",)),), ("on", "?x", "?z")),
    )
    assert plain_effects(move.effects) == [
        ("add", "on", "?x", "?y"),
        ("when", ("clear", "?y"), ("delete", "clear", "?y")),
        ("forall", (("?z", ("block",)),), ("delete", "clear", "?z")),
        ("increase", 3),
    ]


def test_constants_that_actions_mention_belong_to_the_domain() -> None:
    from tarski import fstrips as fs
    from tarski.syntax import top

    made, problem = toy()
    problem.goal = top
    problem.action("reset", [], top, [fs.AddEffect(made.get("Clear")(made.get("B")))])
    tree = from_tarski(problem)
    assert list(tree.domain.constants) == ["b"]
    assert list(tree.objects) == ["a", "c"]


def test_what_is_beyond_classical_planning_is_refused() -> None:
    from tarski import fstrips as fs
    from tarski.syntax import top

    made, problem = toy()
    problem.goal = top
    problem.metric(made.get("total-cost")(), fs.OptimizationType.MAXIMIZE)
    with pytest.raises(UnsupportedError, match="metrics other than"):
        from_tarski(problem)

    made, problem = toy()
    problem.goal = made.get("total-cost")() > 3
    with pytest.raises(UnsupportedError, match="numeric conditions"):
        from_tarski(problem)

    made, problem = toy()
    made.function("place", made.get_sort("Block"), made.get_sort("Block"))
    problem.goal = top
    with pytest.raises(UnsupportedError, match=r"object fluents \('place'\)"):
        from_tarski(problem)


def test_names_that_differ_in_case_only_are_refused() -> None:
    from tarski.syntax import top

    made, problem = toy()
    problem.goal = top
    made.constant("a", "Block")
    with pytest.raises(PddlError, match="two constants are called 'a'"):
        from_tarski(problem)


def test_files_that_tarski_cannot_read(tmp_path: Path) -> None:
    bad = tmp_path / "bad.pddl"
    bad.write_text("(define (domain d) (:predicates (p)")
    with pytest.raises(PddlError, match=r"bad\.pddl: tarski cannot read this"):
        read_task_with_tarski(bad, bad)
    with pytest.raises(PddlError, match="no such file"):
        read_task_with_tarski(tmp_path / "missing.pddl", bad)
