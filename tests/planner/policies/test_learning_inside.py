"""Learning as a part of `auto` starts when the gap stalls, is deterministic, and keeps plans and bounds valid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from blocks_problems import blocks_task

import fsplan
from fsplan.planner.cli import run as main
from fsplan.planner.learning.relational import inside
from fsplan.planner.learning.relational.inside import LearningPart, learner
from fsplan.planner.search.gap import GapLog
from fsplan.planner.search.portfolio.run import Portfolio, Turn, next_turn
from fsplan.planner.search.request import Request
from fsplan.planner.tasks.task import Task

START, GOAL = "ab cd ef gh ij", "jihgfedcba"


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learning starts as soon as there is a plan, with few tasks; short slices keep searches from ending before it."""
    for name in ("FIRST_SLICE", "LARGEST_SLICE"):
        monkeypatch.setattr(f"fsplan.planner.search.portfolio.run.{name}", 10_000)
    monkeypatch.setattr(inside, "LEARN_AFTER", 0)
    monkeypatch.setattr(inside, "STALLED", 1e-9)
    monkeypatch.setattr(inside, "TASKS", 6)


def started(task: Task, **options: Any) -> tuple[Portfolio, Turn]:
    """A run of `auto` whose incumbent is a poor plan, and the turn of its part `learning`."""
    run = Portfolio(Request(task, {"search": "auto", "w": 1, **options}), gap=GapLog())
    poor = fsplan.gbfs(task, heuristic="goalcount", uncertified=True)
    assert poor.plan is not None
    assert poor.cost is not None
    run.offer(([task.actions.number(name) for name in poor.plan], int(poor.cost)), 0)
    run.gap.note(int(poor.cost), 0, "given", 0)
    return run, Turn(LearningPart(run, task))


@pytest.mark.usefixtures("at_once")
def test_a_learned_policy_finds_a_cheaper_plan_and_guides_a_search(tmp_path: Path) -> None:
    task = blocks_task(tmp_path, START, GOAL)
    run, turn = started(task)
    before = run.incumbents.cost
    while run.incumbents.cost == before:
        assert turn.part.is_ready()
        run.take(turn)
    best = run.incumbents.best()
    assert before is not None
    assert best.cost < before
    names = [task.actions[action] for action in best.plan]
    assert fsplan.validate(task.problem, "\n".join(f"({name})" for name in names)).valid
    assert turn.part.statistics()["learned"].startswith("learned from 6 small tasks, followed to a cheaper plan")
    for _ in range(3):
        run.take(turn)
    optimal = fsplan.astar(task).cost
    assert optimal is not None
    assert (run.incumbents.lower_bound or 0) <= optimal <= (run.incumbents.cost or 0)


@pytest.mark.usefixtures("at_once")
def test_runs_repeat_exactly() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    first, second = (fsplan.solve(task, w=1, learner=learner(task)) for _ in range(2))
    assert first.statistics["work"]["learning"] > 0
    assert (first.plan, first.lower_bound) == (second.plan, second.lower_bound)
    for count in ("expanded", "generated", "evaluated", "plan_by", "bound_by", "work", "learned"):
        assert first.statistics[count] == second.statistics[count]
    assert first.cost == first.lower_bound == fsplan.astar(task).cost


def test_learning_waits_until_the_gap_stalls(tmp_path: Path) -> None:
    task = blocks_task(tmp_path, START, GOAL)
    run, turn = started(task)
    assert not turn.part.is_ready()
    run.work = 3 * inside.LEARN_AFTER
    assert turn.part.is_ready()
    run.gap.note(10, 5, "another part", 2 * inside.LEARN_AFTER)
    assert not turn.part.is_ready(), "the gap has become smaller since half of the work"
    run.work *= 2
    assert turn.part.is_ready()


def test_the_part_starts_with_the_smallest_clock_of_all_parts(tmp_path: Path) -> None:
    run, turn = started(blocks_task(tmp_path, START, GOAL))
    other = Turn(LearningPart(run, blocks_task(tmp_path, START, GOAL)), clock=70.0)
    run.work = 3 * inside.LEARN_AFTER
    assert next_turn([other]) is other
    assert next_turn([other, turn]) is other
    assert turn.clock == 70


@pytest.mark.usefixtures("at_once")
def test_the_result_says_why_nothing_was_learned(tmp_path: Path) -> None:
    from fsplan.pddl.syntax import Or

    task = blocks_task(tmp_path, "ab c", "cab")
    assert task.problem is not None
    run, turn = started(task)
    task.problem.goal = Or([task.problem.goal, task.problem.goal])
    run.take(turn)
    assert "not a conjunction" in turn.part.statistics()["learned"]
    assert not turn.part.is_ready()


def test_learning_is_refused_without_pddl_and_with_other_searches(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not a PDDL task"):
        learner(fsplan.load("tiles8:random/1"))
    task = blocks_task(tmp_path, "ab", "ba")
    with pytest.raises(ValueError, match="part of the search auto"):
        fsplan.solve(task, "astar", learner=learner(task))


def test_a_run_with_a_policy_does_not_learn(tmp_path: Path) -> None:
    run, turn = started(blocks_task(tmp_path, START, GOAL), policy="ff")
    run.work = 10 * inside.LEARN_AFTER
    assert not turn.part.is_ready()


@pytest.mark.usefixtures("at_once")
def test_the_summary_says_what_was_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(inside, "LEAST_TASKS", 10**6)
    monkeypatch.setattr(inside, "DRAWS", 1)
    problem = str(fsplan.example("blocks-8-0"))
    record = str(tmp_path / "result.json")
    assert main([problem, "--learn", "auto", "--w", "1", "--json", record]) == 0
    assert "nothing learned: only" in capsys.readouterr().err
    assert main(["repeat", record]) == 36
    assert "--learn auto" in capsys.readouterr().err
    assert main([problem, "--learn", "auto", "--search", "astar"]) == 36
    assert main([problem, "--learn", "soon"]) == 36


@pytest.mark.usefixtures("at_once")
def test_an_interrupt_ends_the_slice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The budget of the slice allows many more steps; the handler of Ctrl-C would end the run only after the slice."""
    drawn = []

    def interrupted(*_: object) -> None:
        drawn.append(True)
        raise KeyboardInterrupt

    monkeypatch.setattr(inside, "label_drawn", interrupted)
    monkeypatch.setattr(inside, "LARGEST_SLICE", 10**12)
    run, turn = started(blocks_task(tmp_path, START, GOAL))
    turn.part.run(10**12)
    assert len(drawn) == 1
    assert run.status == "interrupted"
