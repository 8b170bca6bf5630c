"""A part of the portfolio `auto` that learns a policy for the current problem when the gap of the run stalls.

Small tasks are derived from the problem and labelled with their optimal actions (`derive`, `labels`), a few candidates
are fitted to them (`candidates`), and each of them is followed on the problem. If this gives a cheaper plan than the
incumbent, focal search with that policy runs for the rest of the run; otherwise the part ends. The derived tasks start
in states of the incumbent, so no other plan of the problem is needed.

Work is counted as in the other parts, so that runs are repeatable. Labelling and fitting do not count their operations;
their work is estimated from the sizes of tasks and examples.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from typing import Any

from fsplan.pddl.names import plural
from fsplan.planner.base.limits import interruptible
from fsplan.planner.learning.relational.candidates import FEW, Fit, Weights, fit, joined
from fsplan.planner.learning.relational.derive import Deriver
from fsplan.planner.learning.relational.gather import How, label_drawn
from fsplan.planner.learning.relational.labels import STATES, Labelled
from fsplan.planner.learning.relational.trials import MORE_EXPANSIONS, TIMES_QUICK
from fsplan.planner.policies.relational.stored import domain_of
from fsplan.planner.search.portfolio.parts import SearchPart
from fsplan.planner.search.portfolio.run import Portfolio
from fsplan.planner.tasks.task import Task

# The part starts if this much work (about three seconds) has been done, and the ratio of cost and bound is still at
# least STALLED times the ratio after half of the work.
LEARN_AFTER, STALLED = 400_000_000, 0.9
TASKS, DRAWS, LEAST_TASKS = 24, 64, 4  # most labelled tasks, most attempts to derive one, fewest tasks to learn from
MOST_STATES, QUICK_EXPANSIONS = 8_000, 1_000  # limits of the states of a derived task, and of its quick search
# Estimated work. Deriving a task takes WORK_OF_TASK, and for each action of the problem WORK_PER_ACTION for grounding
# and WORK_PER_EVALUATION for each state that the quick search evaluates. A fit takes WORK_PER_STATE for each labelled
# state.
WORK_OF_TASK, WORK_PER_ACTION, WORK_PER_EVALUATION, WORK_PER_STATE = 3_000_000, 150, 5, 10_000
# The share of a part is halved after every slice without an improvement, and learning itself improves nothing. In
# compensation, only 1 / SHARE of the work of learning is charged.
SHARE = 4
# Largest work charged for a slice of learning. Slices are short, because no progress is reported during a slice.
LARGEST_SLICE = 10_000_000


class LearningPart:
    """The part `learning` of `auto`; `statistics` has the text `learned` once it has ended or learned something."""

    name = "learning"

    def __init__(self, run: Portfolio, task: Task) -> None:
        self._run, self._task = run, task
        self._ended = run.request.policy is not None
        self._stages: Iterator[int] | None = None
        self._slice, self._text, self._interrupted = 0, "", False
        self._searches: list[SearchPart] = []

    def is_ready(self) -> bool:
        return not self._ended and (self._stages is not None or self._stalls())

    def _stalls(self) -> bool:
        if not self._run.has_plan() or self._run.work < LEARN_AFTER:
            return False
        points = [point for point in self._run.gap.points if point.cost is not None]
        earlier = [point for point in points if (point.work or 0) <= self._run.work / 2]
        if not earlier:
            return False
        now, before = (point.ratio or inf for point in (points[-1], earlier[-1]))
        return now >= STALLED * before

    def run(self, work: int) -> int:
        """Runs steps until a slice of this work is used up, but at least one; returns the work charged.

        A step of learning labels a task or fits a candidate; a step of a search takes a whole slice.
        """
        if self._stages is None:
            self._stages = self._learn()
        done, self._slice, self._interrupted = 0, work, False
        while done < min(work, LARGEST_SLICE) and not (self._interrupted or self._run.is_over()):
            step = next(self._stages, None)
            if step is None:
                self._ended = True
                break
            done += step
        return max(1, done)

    def statistics(self) -> dict[str, Any]:
        total = Counter[str]()
        for search in self._searches:
            found = search.statistics()
            total.update({name: found[name] for name in ("expanded", "generated", "policy_evaluations") if found})
        return {**total, "learned": self._text} if self._text else dict(total)

    def _learn(self) -> Iterator[int]:
        """Learns candidates, follows them, and continues with focal search; yields the work of each step."""
        labelled: list[Labelled] = []
        yield from self._label(labelled)
        if len(labelled) < LEAST_TASKS:
            self._text = self._text or f"nothing learned: only {plural(len(labelled), 'small task')} could be labelled"
            return
        fitted: dict[Fit, Weights] = {}
        yield from self._fit(labelled, fitted)
        taught = f"learned from {plural(len(labelled), 'small task')}"
        self._text = f"{taught}, but following that leads to no cheaper plan"
        policies: list[Any] = []
        for work in self._follow(fitted, policies):
            if policies:
                self._text = f"{taught}, followed to a cheaper plan"
            yield work
        if policies:
            yield from self._search(policies[-1], **self._options("focal", order="disc2"))

    def _label(self, labelled: list[Labelled]) -> Iterator[int]:
        deriver = self._deriver()
        if not deriver.is_possible:
            self._text = "nothing learned: the goal is not a conjunction of atoms"
            return
        how = How(STATES, MOST_STATES, seed=0)
        for number in range(DRAWS):
            evaluated = deriver.evaluated
            answer = self._interruptible(partial(label_drawn, deriver, number, how, self._run.seconds_left()))
            if answer is not None and not isinstance(answer, str):
                labelled.append(answer)
            per_action = WORK_PER_ACTION + WORK_PER_EVALUATION * (deriver.evaluated - evaluated)
            yield (WORK_OF_TASK + per_action * len(self._task.actions)) // SHARE
            if len(labelled) == TASKS:
                return

    def _deriver(self) -> Deriver:
        problem, best = self._task.problem, self._run.incumbents.best()
        assert problem is not None
        plan = [self._run.request.state_space.action_name(action) for action in best.plan]
        return Deriver(problem, 0, self._run.seconds_left(), expansions=QUICK_EXPANSIONS, whole_plan=(plan, best.cost))

    def _fit(self, labelled: list[Labelled], fitted: dict[Fit, Weights]) -> Iterator[int]:
        examples = [part.examples for part in labelled]
        for each in dict.fromkeys(each for candidate in FEW for each in candidate.fits):
            found = self._interruptible(partial(fit, each, examples, self._run.seconds_left()))
            if found is not None:
                fitted[each] = found
            yield WORK_PER_STATE * sum(map(len, examples)) // SHARE

    def _follow(self, fitted: dict[Fit, Weights], policies: list[Any]) -> Iterator[int]:
        """Follows the candidates; appends to `policies` each one that finds a cheaper plan, so the last one is the
        best."""
        for candidate in FEW:
            if not all(each in fitted for each in candidate.fits):
                continue
            policy = joined(candidate, fitted).stored(domain_of(self._task)).on(self._task)
            cost = self._run.incumbents.cost
            limit = TIMES_QUICK * len(self._run.incumbents.best().plan) + MORE_EXPANSIONS
            options = {"search": "follow", "heuristic": "hmax", "uncertified": True, "expansion_limit": limit}
            for work in self._search(policy, **options):
                if self._run.incumbents.cost != cost and policy not in policies:
                    policies.append(policy)
                yield work

    def _search(self, policy: Any, **options: Any) -> Iterator[int]:
        search = SearchPart(self.name, self._run, policy, **options)
        self._searches.append(search)
        while search.is_ready():
            yield search.run(self._slice)

    def _options(self, search: str, **options: Any) -> dict[str, Any]:
        asked = self._run.options.to_dict()
        return {"search": search, **options, **{name: asked[name] for name in ("w", "heuristic", "anytime")}}

    def _interruptible(self, step: Callable[[], Any]) -> Any:
        """Runs a step that reports no progress; Ctrl-C ends the run."""
        try:
            with interruptible():
                return step()
        except KeyboardInterrupt:
            self._interrupted = True
            # Python's default handler ends the run here; another one ends it in the next search's progress callback.
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                self._run.status = "interrupted"
            return None


def learner(task: Task) -> Callable[[Portfolio], LearningPart]:
    """Makes the part for a run; to be passed to `solve`.

    >>> fsplan.solve(task, learner=learner(task), time_limit=60)  # doctest: +SKIP
    """
    if task.problem is None:
        raise ValueError(f"{task.name} is not a PDDL task: smaller tasks can only be derived from a PDDL problem")
    return lambda run: LearningPart(run, task)
