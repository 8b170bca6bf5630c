"""Learns from failures: labels states that a candidate visits in trials where it reaches no goal or pays too much.

From some of the visited states, the default search looks for a cheap plan. The states on this plan become examples. The
right actions of a state are the next step of the plan and every later step that can be moved to its front because it
is independent of the steps between: an equally cheap plan begins with each of them. So the order in which two parcels
happen to be loaded is not learned.

These labels are not exact, because the plans need not be optimal. Ross et al. (2011) call this imitation with data
aggregation: the examples come from the states that the policy itself visits.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from fsplan.pddl.costs import plain
from fsplan.planner._core import LabelledFeatures, policy_scores
from fsplan.planner.learning.relational.labels import MOST_EDGES, STATES, Labelled
from fsplan.planner.learning.relational.trials import Trial, copied_space, edges_along
from fsplan.planner.policies.relational.describe import relations_of
from fsplan.planner.policies.relational.stored import DomainPolicy
from fsplan.planner.search.solve import solve
from fsplan.planner.tasks.states import Action
from fsplan.planner.tasks.task import Task

# A plan that costs more than this many times the best known plan is a failure, too.
TOO_EXPENSIVE = 1.05
VISITED = 4  # states per failure from which a plan is searched for
MOST_STEPS = 400  # a policy is followed for at most this many steps
MOST_SUCCESSORS = 2_000  # limit of the edges of labelled states, instead of MOST_EDGES, if successors are evaluated


class Relabelled(NamedTuple):
    """Labelled states, or None, and the cost of the best plan that was found for the trial, or None."""

    labelled: Labelled | None
    cost: float | None


def relabel(
    policy: DomainPolicy, trial: Trial, plan: list[str] | None, seconds: float, successors: bool = True
) -> Relabelled:
    """Labels states that the policy visits in a trial.

    `plan` is the best plan known, `seconds` the time per search; the examples have features of successors if asked for.
    """
    task = trial.task
    visited = states_visited(policy, task, seconds)
    plans = [] if plan is None else [(visited[0], plan)]
    cost = None
    for state in visited[:: -(-len(visited) // VISITED)]:
        result = solve(task.state_space.at(list(state)), "auto", time_limit=seconds, w=1)
        if result.plan:
            plans.append((state, result.plan))
            cost = plain(result.cost) if state == visited[0] else cost
    return Relabelled(label_plans(task, plans, successors=successors), cost)


def states_visited(policy: DomainPolicy, task: Task, seconds: float) -> list[tuple[int, ...]]:
    """The states from the initial one to a goal, to a state without new successors, or to a limit."""
    end = time.perf_counter() + seconds
    space, on_task = copied_space(task), policy.on(task)
    states = {tuple(space.start_values()): None}
    for _ in range(MOST_STEPS):
        state = next(reversed(states))
        successors = space.successors(state)
        if space.is_goal(state) or not successors or time.perf_counter() > end:
            break
        actions = np.array([action for action, _, _ in successors], np.uint32)
        begin = np.array([0, len(actions)], np.uint32)
        scores = policy_scores(on_task, np.array([state], np.int32), begin, actions)
        ranked = [tuple(successors[i][2]) for i in np.argsort(-np.asarray(scores), kind="stable")]
        following = next((each for each in ranked if each not in states), None)
        if following is None:
            break
        states[following] = None
    return list(states)


class Example(NamedTuple):
    """A state on a plan: its applicable actions, the right ones (`possible_first_steps`), and the steps to the goal."""

    values: list[int]
    actions: list[int]
    right: set[int]
    distance: int


def label_plans(
    task: Task, plans: Sequence[tuple[tuple[int, ...], list[str]]], count: int = STATES, *, successors: bool = True
) -> Labelled | None:
    """The features of at most `count` states on the plans; None if no state has a decision to learn.

    Each plan is given with the state in which it begins.
    """
    found = {tuple(each.values): each for start, plan in plans for each in examples_on(task, start, plan)}
    examples = [each for each in found.values() if len(each.right) < len(each.actions)]
    examples = [examples[i] for i in np.random.default_rng(0).permutation(len(examples))[:count]]
    begin = np.cumsum([0, *(len(each.actions) for each in examples)])
    most = MOST_SUCCESSORS if successors else MOST_EDGES
    examples = [each for each, end in zip(examples, begin[1:], strict=True) if end <= most]
    if not examples:
        return None
    features = LabelledFeatures(
        *relations_of(task),
        np.array([each.values for each in examples], np.int32),
        begin[: len(examples) + 1].astype(np.uint32),
        np.concatenate([each.actions for each in examples]).astype(np.uint32),
        np.array([action in each.right for each in examples for action in each.actions], np.uint8),
        successors=successors,
    )
    distance = np.array([each.distance for each in examples], np.int32)
    return Labelled(task, features, distance, int(distance.max()))


def examples_on(task: Task, start: tuple[int, ...], plan: list[str]) -> Iterator[Example]:
    values, begin, actions = edges_along(task, plan, start)
    right = possible_first_steps(task, [task.actions.number(step) for step in plan])
    for i, state in enumerate(values.tolist()):
        yield Example(state, actions[begin[i] : begin[i + 1]].tolist(), right[i], len(plan) - i)


def possible_first_steps(task: Task, plan: Sequence[int]) -> list[set[int]]:
    """For every state on the plan, the steps of the remaining plan that can be moved to its front."""
    firsts = [{number} for number in plan]
    if task.state_space.task.has_derived():  # type: ignore[attr-defined]
        return firsts
    steps = [(read_by(action), written_by(action)) for action in map(task.action, plan)]
    for j, (reads, writes) in enumerate(steps):
        for i in range(j - 1, -1, -1):
            if steps[i][1] & (reads | writes) or writes & steps[i][0]:
                break
            firsts[i].add(plan[j])
    return firsts


def read_by(action: Action) -> set[tuple[str, ...]]:
    """The atoms in preconditions and in conditions of effects, also negated ones."""
    literals = action.preconditions.union(*(effect.conditions for effect in action.effects))
    return {literal[1:] if literal[0] == "not" else literal for literal in literals}


def written_by(action: Action) -> set[tuple[str, ...]]:
    return set().union(*(effect.adds | effect.deletes for effect in action.effects))
