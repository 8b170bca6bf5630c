"""Learns a policy for a single problem: small tasks are derived from it and labelled, and a policy is fitted to them.

The policy is then followed on the problem. It is used only if this leads to a plan that costs no more than the plan of
the quick search from which tasks are derived. The cheaper of both plans is used as the incumbent in any case.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from fsplan.pddl.costs import Cost
from fsplan.planner.learning.relational.derive import Deriver
from fsplan.planner.learning.relational.follow import follow
from fsplan.planner.learning.relational.learn import LearnOptions, learn
from fsplan.planner.policies.relational.stored import DomainPolicy
from fsplan.planner.tasks.task import Task

Plan = tuple[list[str], Cost]

# Derived tasks have at most half this number of states, so that their optimal actions are found in a fraction of a
# second.
MOST_STATES = 16_000
TASKS = 32
SHARE_OF_FOLLOWING = 0.15


class Learned(NamedTuple):
    """The learned policy, or None if it does not help; the best known plan, or None; and a description as text."""

    policy: DomainPolicy | None
    plan: Plan | None
    text: str


def learn_on_the_spot(
    task: Task, seconds: float, *, seed: int = 0, on_progress: Callable[[str], Any] | None = None
) -> Learned:
    """Learns a policy from tasks derived from this one. Runs are repeatable unless the time limit ends a step.

    >>> learned = learn_on_the_spot(fsplan.load("domain.pddl", "huge.pddl"), 20)  # doctest: +SKIP
    >>> fsplan.focal(task, "disc2", 1.5, policy=learned.policy, incumbent=learned.plan)  # doctest: +SKIP
    """
    if task.problem is None:
        raise ValueError(f"{task.name} is not a PDDL task: smaller tasks can only be derived from a PDDL problem")
    begin = time.perf_counter()
    deriver = Deriver(task.problem, seed, seconds_each=seconds / 10)
    if not deriver.is_possible:
        return Learned(None, None, "nothing learned: the goal is not a conjunction of atoms")
    quick = deriver.whole_plan()
    left = seconds * (1 - SHARE_OF_FOLLOWING) - (time.perf_counter() - begin)
    options = LearnOptions(
        max_states=MOST_STATES,
        tasks=TASKS,
        follow=1,
        seconds=max(left, 0.1),
        seed=seed,
        few=True,
        rounds=0,
        plain=False,
    )
    try:
        policy, report = learn([task], options, on_progress=on_progress, derivers=[deriver])
    except (ValueError, TimeoutError) as error:
        return Learned(None, quick, f"nothing learned: {error}")
    found = follow(task, policy, max(seconds - (time.perf_counter() - begin), 0.1))
    taught = f"learned from {report.tasks} small tasks in {time.perf_counter() - begin:.1f}s"
    return _judged(policy, found, quick, taught)


def _judged(policy: DomainPolicy, found: Plan | None, quick: Plan | None, taught: str) -> Learned:
    known = "no quick plan" if quick is None else f"the quick plan costs {quick[1]}"
    if found is None:
        return Learned(None, quick, f"{taught}, but following that leads to no goal; {known}")
    text = f"{taught}, followed to a plan of cost {found[1]}; {known}"
    if policy.kind == "ff":
        text += "; relaxed plans did better than what was learned"
    if quick is not None and quick[1] < found[1]:
        return Learned(None, quick, f"{text}, so planning goes on without what was learned")
    return Learned(policy, found, text)


def learned_arguments(learned: Learned, reads_policy: bool) -> dict[str, Any]:
    """Keyword arguments for a search: the plan as incumbent, and the policy if the search uses one."""
    arguments: dict[str, Any] = {} if learned.plan is None else {"incumbent": learned.plan}
    if reads_policy and learned.policy is not None:
        arguments["policy"] = learned.policy
    return arguments
