"""States, actions, goals and heuristics of native tasks in Python."""

from __future__ import annotations

import copy
import math
import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest
from downward_oracle import translate
from lifted_oracle import Oracle, name_of
from lifted_oracle import State as Facts
from random_tasks import Features, random_task
from support import BENCHMARKS, known

import fsplan
from fsplan.planner.plans.plan_files import read_plan
from fsplan.planner.sources.pddl import from_pddl
from fsplan.planner.tasks.task import Task


@pytest.fixture(scope="module")
def blocks() -> Task:
    return fsplan.load(fsplan.example("blocks-8-0"))


def known_atoms(task: Task) -> set[tuple[str, ...]]:
    return {tuple(words) for words in task.state_space.task.fact_atoms() if words}  # type: ignore[attr-defined]


def check_state(task: Task, state: fsplan.State, oracle: Oracle, facts: Facts) -> None:
    """Asserts that atoms, goal test and applicable actions agree with the plain semantics.

    Grounding removes irrelevant atoms, and actions that change only irrelevant atoms.
    """
    known = known_atoms(task)
    done = oracle.complete(facts)
    assert task.atoms(state) == done & known == state.atoms
    assert task.is_goal(state) == oracle.is_goal(facts)
    applicable = {name_of(action, binding): (action, binding) for action, binding in oracle.applicable(facts)}
    offered = {action.name: (action, cost, after) for action, cost, after in task.successors(state)}
    assert offered.keys() <= applicable.keys()
    for name, (action, binding) in applicable.items():
        expected = oracle.complete(oracle.successor(facts, action, binding)) & known
        if name not in offered:
            assert expected == done & known
            continue
        ground_action, cost, after = offered[name]
        assert after.atoms == expected
        assert cost == ground_action.cost == oracle.cost(action, binding)
        assert ground_action.name == " ".join((ground_action.schema, *ground_action.arguments))


def holds(literal: tuple[str, ...], atoms: frozenset[tuple[str, ...]]) -> bool:
    return literal[1:] not in atoms if literal[0] == "not" else literal in atoms


def check_effects(task: Task, state: fsplan.State) -> None:
    """Asserts that preconditions and effects agree with the successors and consist of atoms of the domain."""
    known, offered = set(task.facts), {action: after for action, _, after in task.successors(state)}
    derived = set(task.problem.domain.predicates) & {rule.head.name for rule in task.problem.domain.derived}  # type: ignore[union-attr]
    for number in range(len(task.actions)):
        action = task.action(number)
        literals = {*action.preconditions, *(each for effect in action.effects for each in effect.conditions)}
        if any("@" in word for literal in literals for word in literal):
            continue
        assert all(holds(literal, state.atoms) for literal in action.preconditions) == (action in offered)
        if action in offered:
            happening = [e for e in action.effects if all(holds(literal, state.atoms) for literal in e.conditions)]
            adds = frozenset().union(*(effect.adds for effect in happening))
            deletes = frozenset().union(*(effect.deletes for effect in happening))
            assert not adds & deletes
            after = (state.atoms - deletes) | adds
            assert {a for a in after if a[0] not in derived} == {
                a for a in offered[action].atoms if a[0] not in derived
            }
            assert adds | deletes <= known


def walk(task: Task, oracle: Oracle, random: Random) -> None:
    state, facts = task.start, oracle.start()
    for _ in range(6):
        check_state(task, state, oracle, facts)
        check_effects(task, state)
        edges = task.successors(state)
        if not edges:
            return
        action, _, state = random.choice(edges)
        chosen = {name_of(*choice): choice for choice in oracle.applicable(facts)}[action.name]
        facts = oracle.successor(facts, *chosen)


@pytest.mark.parametrize("seed", range(80))
def test_walks_follow_the_plain_semantics(seed: int) -> None:
    random = Random(seed)
    problem = random_task(seed, Features(*[random.random() < 0.7 for _ in fields(Features)]))
    task = from_pddl(problem)
    if task.state_space.task.solvable_relaxed:  # type: ignore[attr-defined]
        walk(task, Oracle(problem), random)


@pytest.mark.parametrize("feature", ["derived", "conditional"])
def test_walks_with_one_feature(feature: str) -> None:
    walked = 0
    for seed in range(40):
        problem = random_task(seed, Features(**{field.name: field.name == feature for field in fields(Features)}))
        task = from_pddl(problem)
        ground = task.state_space.task  # type: ignore[attr-defined]
        if not ground.solvable_relaxed or not (ground.has_derived() or ground.has_conditional_effects()):
            continue
        walk(task, Oracle(problem), Random(seed))
        walked += 1
    assert walked >= 3


def test_states_are_hashable_and_print_as_atoms(blocks: Task) -> None:
    again = blocks.state(list(blocks.start))
    assert again == blocks.start
    assert hash(again) == hash(blocks.start)
    assert "on(h, f)" in str(again)
    assert repr(again) == f"State({again})"
    assert str(blocks.action("stack a b")) == "stack a b"
    assert blocks.action("stack a b") == blocks.actions.number("stack a b")


def test_heuristics_by_name_agree_with_the_searches(blocks: Task) -> None:
    graph = fsplan.explore(blocks, heuristic="hmax")
    hmax, lmcut = blocks.heuristic("hmax"), blocks.heuristic("lmcut")
    assert hmax.admissible
    assert lmcut.admissible
    assert not blocks.heuristic("hff").admissible
    for number in range(0, 2000, 97):
        state = blocks.state(graph.values(number, number + 1)[0].tolist())
        assert hmax(state) == graph.h[number]
        assert lmcut(state) <= graph.h_star[number]
    assert blocks.heuristic().name in blocks.state_space.heuristics()
    with pytest.raises(ValueError, match="lmcut"):
        blocks.heuristic("no-such")


def test_helpful_actions_are_applicable(blocks: Task) -> None:
    applicable = {action for action, _, _ in blocks.successors(blocks.start)}
    helpful = blocks.heuristic("hff").helpful_actions(blocks.start)
    assert helpful
    assert set(helpful) <= applicable


def test_a_task_is_a_search_task(blocks: Task) -> None:
    """The loaded task can be searched as if it were a Python task, with the same result as the native search."""

    class Wrapped:
        start = blocks.start
        successors = staticmethod(blocks.successors)
        is_goal = staticmethod(blocks.is_goal)
        heuristic = staticmethod(blocks.heuristic("lmcut"))

    assert fsplan.astar(Wrapped()).plan == fsplan.astar(blocks, heuristic="lmcut").plan


def test_a_heuristic_in_python_is_the_native_one(blocks: Task) -> None:
    """If a Python function calls h_max, expansions are the same. (LM-cut would differ: its values depend on paths.)"""
    hmax = blocks.heuristic("hmax")

    def mine(state: fsplan.State) -> float:
        assert isinstance(state, fsplan.State)
        assert ("holding", "z") not in state.atoms
        return hmax(state)

    native = fsplan.astar(blocks, heuristic="hmax")
    own = fsplan.astar(blocks, heuristic=mine)
    assert own.plan == native.plan
    assert own.statistics["expanded"] == native.statistics["expanded"]
    assert own.record["heuristic"] == "mine"
    assert fsplan.astar(blocks, heuristic=hmax).plan == native.plan
    guided = fsplan.focal(blocks, "disc2", 1.5, policy="ff", heuristic=mine)
    assert guided.certified
    assert known(guided.cost) <= 27
    assert fsplan.solve(blocks, w=2, heuristic=mine).certified


def test_an_inadmissible_function_proves_nothing(blocks: Task) -> None:
    def twice(state: fsplan.State) -> float:
        return 2 * blocks.heuristic("lmcut")(state)

    twice.admissible = False  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="not admissible"):
        fsplan.wastar(blocks, 2, heuristic=twice)
    result = fsplan.wastar(blocks, 2, heuristic=twice, uncertified=True)
    assert result.solved
    assert not result.certified


def test_a_function_may_find_dead_ends(blocks: Task) -> None:
    result = fsplan.astar(blocks, heuristic=lambda state: math.inf)
    assert result.status == "unsolvable"
    with pytest.raises(ValueError, match="heuristic value"):
        fsplan.astar(blocks, heuristic=lambda state: -1)


def test_policies_in_python_see_states_and_actions(blocks: Task) -> None:
    class NoPutDown:
        def scores(
            self, states: Sequence[fsplan.State], actions: Sequence[Sequence[fsplan.Action]]
        ) -> list[list[float]]:
            assert all(isinstance(state, fsplan.State) and state.atoms for state in states)
            return [[-5.0 if action.schema == "put-down" else -0.1 for action in row] for row in actions]

    result = fsplan.focal(blocks, "disc2", 1.5, policy=NoPutDown())
    assert result.certified


def test_puzzles_are_walked_by_their_values() -> None:
    tiles = fsplan.load("tiles8:random/1")
    action, cost, state = tiles.successors(tiles.start)[0]
    assert cost == action.cost == 1
    assert action.name in tiles.actions
    assert tiles.heuristic("manhattan")(state) <= tiles.heuristic("linear_conflict")(state)
    assert not tiles.is_goal(state)
    assert tiles.is_goal(tiles.state(range(9)))
    with pytest.raises(ValueError, match="not sets of atoms"):
        tiles.atoms(state)
    pancakes = fsplan.load("pancake5:random/1")
    assert pancakes.is_goal(pancakes.state(range(5)))
    with pytest.raises(ValueError, match="heuristic is one of"):
        fsplan.astar(tiles, heuristic=lambda state: 0)


def test_facts_of_sas_files_have_names(tmp_path: Path) -> None:
    if not BENCHMARKS.is_dir():
        pytest.skip(f"no benchmark tasks at {BENCHMARKS}")
    folder = BENCHMARKS / "gripper"
    path = translate(folder / "domain.pddl", folder / "prob01.pddl", tmp_path)
    task: Any = fsplan.load(str(path))
    assert ("at-robby", "rooma") in task.start.atoms
    moved = {action.name: state for action, _, state in task.successors(task.start)}["move rooma roomb"]
    assert ("at-robby", "roomb") in moved.atoms


def test_native_objects_in_a_reference_cycle_are_released_at_exit() -> None:
    """A reference cycle of a module, a graph and a task's class would otherwise keep native objects alive at exit."""
    program = """
import fsplan
class Count:
    start = 0
    def successors(self, state):
        return [("add", 1, state + 1)] if state < 5 else []
    def is_goal(self, state):
        return state == 5
graph = fsplan.explore(Count())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_states_and_actions_are_copied_and_pickled(blocks: Task) -> None:
    action, _, state = blocks.successors(blocks.start)[0]
    for copied in (copy.copy(state), copy.deepcopy([state])[0], pickle.loads(pickle.dumps(state))):
        assert copied == state
        assert hash(copied) == hash(state)
        assert copied.atoms == state.atoms
    for same in (copy.deepcopy(action), pickle.loads(pickle.dumps(action))):
        assert (same, same.name, same.preconditions) == (action, action.name, action.preconditions)


def test_many_pickled_states_carry_their_task_once(blocks: Task) -> None:
    states = [state for _, _, state in blocks.successors(blocks.start)]
    one, four = (len(pickle.dumps(part)) for part in (states[:1], states[:4]))
    assert four < one + 400


def test_a_pickled_state_is_read_in_another_process(blocks: Task, tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(pickle.dumps([blocks.start, pickle.loads(pickle.dumps(blocks.start))]))
    program = "import pickle, sys; a, b = pickle.load(open(sys.argv[1], 'rb')); print(a == b, a.walker is b.walker, a)"
    command = [sys.executable, "-c", program, str(tmp_path / "state")]
    done = subprocess.run(command, capture_output=True, text=True, cwd="/", check=True)
    assert done.stdout == f"True True {blocks.start}\n"


def test_states_of_a_programs_own_task_say_that_they_cannot_be_pickled(blocks: Task) -> None:
    own = Task("own", blocks.state_space, blocks.actions)
    with pytest.raises(TypeError, match="store tuple"):
        pickle.dumps(own.start)


def test_a_result_has_actions(blocks: Task) -> None:
    result = fsplan.astar(blocks)
    assert result.actions is not None
    assert [action.name for action in result.actions] == result.plan
    assert sum(action.cost for action in result.actions) == result.cost
    assert (result.expanded, result.seconds) == (result.statistics["expanded"], result.statistics["search_seconds"])
    stored = pickle.loads(pickle.dumps(result))
    assert stored.plan == result.plan
    with pytest.raises(ValueError, match="stored without its task"):
        stored.actions  # noqa: B018
    assert fsplan.astar("tiles8:random/1", expansion_limit=1).actions is None


def test_actions_of_a_python_task_are_its_own_objects() -> None:
    class Line:
        start = 0

        def successors(self, state: int) -> list[tuple[tuple[str, int], int, int]]:
            return [(("move", state), 1, state + 1)]

        def is_goal(self, state: int) -> bool:
            return state == 2

    assert fsplan.astar(Line()).actions == [("move", 0), ("move", 1)]


def test_no_repr_shows_an_address(blocks: Task) -> None:
    problem = known(blocks.problem)
    graph = fsplan.explore(fsplan.load("tiles8:random/1"), heuristic=None)
    shown: list[object] = [blocks, blocks.state_space, blocks.state_space.task, blocks.walker, blocks.start]  # type: ignore[attr-defined]
    shown += [blocks.actions, blocks.action(0), *blocks.action(0).effects, blocks.heuristic("hmax"), graph]
    shown += [graph.native, problem, problem.domain, problem.goal, *problem.domain.actions.values()]
    shown += [*problem.domain.predicates.values(), read_plan("(pick-up a)"), *read_plan("(pick-up a)").steps]
    shown += [fsplan.validate(blocks, []), fsplan.judge(blocks, [])]
    seen: list[object] = []
    shown.append(fsplan.solve(blocks, "astar", on_expansion=seen.append, expansion_limit=2))
    fsplan.focal(blocks, lambda step: seen.append(step) or step.rank, expansion_limit=2)
    for thing in (*shown, *seen):
        assert "object at 0x" not in repr(thing)
        assert len(repr(thing)) > len(type(thing).__name__)
