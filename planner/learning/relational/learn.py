"""Learns a policy for a domain from small tasks: label states, fit candidates, select one by following, measure it.

Weights are fitted to three quarters of the labelled tasks, for several subsets of the features and several strengths
of regularisation (`candidates`). Each candidate is then followed on tasks larger than those (`trials`), and the quality
of the resulting plans decides. Accuracy alone is not sufficient, because a policy may be right in nearly all states and
still run into cycles. If no candidate is better than relaxed plans, these become the policy. The chosen candidate is
fitted again to all tasks, and followed again: the new weights are kept if they are not worse.

In domains with dead ends the best candidates are also fitted to the safest of the optimal actions (`labels`), and
compete with the others. Then there are rounds of learning from failures: if the best candidate reaches no goal of a
task or its plan is too expensive, states that it visits are labelled by plans (`failures`), and the best candidates are
fitted again.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fsplan.planner._core import LabelledFeatures
from fsplan.planner.learning.relational.candidates import CANDIDATES, FEW, PLAIN, Candidate, Weights, fit, joined
from fsplan.planner.learning.relational.contest import Contest, Fitted, examples_of
from fsplan.planner.learning.relational.derive import Deriver
from fsplan.planner.learning.relational.failures import TOO_EXPENSIVE, VISITED, relabel
from fsplan.planner.learning.relational.gather import Gathered, Gatherer, How, derivers_of
from fsplan.planner.learning.relational.grow import Grower
from fsplan.planner.learning.relational.labels import MOST_STATES, STATES, Labelled
from fsplan.planner.learning.relational.measures import LearningReport
from fsplan.planner.learning.relational.trials import (
    FACTORS,
    Trial,
    edges_along,
    follow,
    given_trials,
    grown_trials,
    size_of,
)
from fsplan.planner.learning.relational.workers import Workers, workers
from fsplan.planner.policies.relational.stored import DomainPolicy, Plain, domain_of
from fsplan.planner.tasks.task import Task

# A candidate may be chosen for its accuracy if its quality per task is within this tolerance of the best quality. The
# quality of a task is 1 if it is solved with the best known cost.
TOLERANCE = 0.01
FOLD = 4
# Deadlines of the phases (labelling given tasks, labelling derived tasks, growing larger tasks, fitting and following
# candidates in several rounds, fitting the chosen one again to all tasks), as fractions of the time limit. Then the
# candidates for tasks that are too large to ground get the time that is left, but at least LEAST_FOR_PLAIN.
LABELLED_BY, DERIVED_BY, GROWN_BY, CHOSEN_BY, FITTED_BY = 0.25, 0.35, 0.45, 0.75, 0.82
LEAST_FOR_PLAIN = 0.05
# Share of the remaining time until the deadline for fitting and following candidates before learning from failures.
FIRST_SHARE = 0.65
# Candidates that were fitted are followed for at least this share of the time limit.
LEAST_TO_FOLLOW = 0.02
# Time for grounding a grown task or for a quick search, as a fraction of the time limit.
QUICK_SHARE = 1 / 100
# Time for a search from a state where a candidate failed, as a fraction of the time limit.
RELABEL_SHARE = 1 / 60
TASKS, ROUNDS = 100, 3  # defaults of LearnOptions for a time limit of one minute
PATIENCE = 2  # learning from failures ends after this many rounds without progress
MOST_FAILURES = 8  # number of failures that a round learns from, in the smallest trials first
LEAST_GAIN = 0.02  # a round makes progress if it raises the best quality, a sum over tasks, by more than this
# Time limit for following a candidate, as a multiple of its share of the remaining time. This is only a safeguard: the
# number of expansions is limited as well.
SHARES_OF_TIME = 3
# A candidate is followed on no further trials if its quality is below the best one by more than this number of tasks.
TOO_FAR_BEHIND = 1.5
# A shortlist that lacks the best action in more than one of a thousand states is dropped.
LEAST_RECALL = 0.999
RECALL_TRIALS = 3  # recall is measured on the plans of this many trials, the largest ones


class LearnOptions:
    """Options for learning a domain policy.

    states               number of labelled states per task
    max_states           limit of states in the graph of a task; larger tasks are not labelled
    tasks                number of labelled tasks that is sufficient
    generate             True to derive further tasks if fewer are given
    follow               number of tasks, the largest ones, on which candidates are followed
    seconds              time limit
    threads              number of threads for labelling tasks and fitting candidates; None means one per core
    scheduler            address of a Dask cluster that is used instead of threads, such as tcp://10.0.0.1:8786
    few                  True to fit only a few candidates
    rounds               number of times that candidates learn from their failures
    plain                True to also learn weights for tasks that are too large to ground

    If max_states, tasks or rounds are not given, they grow with the time limit: by default 50,000 states, 100 tasks and
    3 rounds for up to a minute, and at most 8 times the states, 4 times the tasks and rounds for more.
    """

    def __init__(
        self,
        *,
        states: int = STATES,
        max_states: int | None = None,
        tasks: int | None = None,
        generate: bool = True,
        follow: int = 6,
        seconds: float = 60.0,
        threads: int | None = None,
        scheduler: str | None = None,
        seed: int = 0,
        few: bool = False,
        rounds: int | None = None,
        plain: bool = True,
    ) -> None:
        threads = threads if threads is not None else os.cpu_count() or 1
        minutes = max(1.0, seconds / 60)
        max_states = int(MOST_STATES * min(8, minutes)) if max_states is None else max_states
        tasks = int(TASKS * min(4, minutes)) if tasks is None else tasks
        rounds = int(ROUNDS * min(4, minutes)) if rounds is None else rounds
        if min(states, max_states, tasks, follow, threads) < 1 or not seconds > 0:
            raise ValueError("states, max_states, tasks, follow, threads and seconds must be positive")
        self.states, self.max_states, self.tasks, self.generate = states, max_states, tasks, generate
        self.follow, self.seconds, self.threads, self.seed, self.few = follow, seconds, threads, seed, few
        self.scheduler, self.rounds, self.plain = scheduler, rounds, plain

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "scheduler"}


class Learner:
    def __init__(
        self,
        tasks: Sequence[Task],
        options: LearnOptions,
        on_progress: Callable[[str], None] | None,
        derivers: Sequence[Deriver] | None,
    ) -> None:
        if not tasks:
            raise ValueError("no tasks to learn from")
        self.tasks = sorted(tasks, key=size_of)
        self.options, self.tell = options, on_progress or (lambda text: None)
        self.domain = domain_of(self.tasks[0])
        for task in self.tasks:
            if domain_of(task) != self.domain:
                raise ValueError(f"{task.name} belongs to another domain than {self.tasks[0].name}")
        self.begin = time.perf_counter()
        self.candidates = FEW if options.few else CANDIDATES
        self.derivers = derivers
        self.deadline = CHOSEN_BY  # deadline of the current contest, as a fraction of the time limit

    def left(self, share: float = 1.0) -> float:
        """The seconds until this share of the time limit is over."""
        return share * self.options.seconds - (time.perf_counter() - self.begin)

    def learn(self) -> tuple[DomainPolicy, LearningReport]:
        with workers(self.options.threads, self.options.scheduler) as pool:
            gathered = self.gather(pool)
            if not gathered.labelled:
                raise ValueError("none of the tasks could be labelled: give smaller ones, or more time")
            gathered.labelled.sort(key=lambda part: (part.size, len(part.examples), part.name))
            report = LearningReport(gathered, self.trials(pool, gathered.labelled[-1].size))
            return self.fit_and_select(pool, gathered.labelled, report)

    def gather(self, pool: Workers) -> Gathered:
        how = How(self.options.states, self.options.max_states, self.options.seed)
        given = Gatherer(pool, how, lambda: self.left(LABELLED_BY), self.tell)
        given.label_given(self.tasks)
        if not self.options.generate:
            return given
        given.left = lambda: self.left(DERIVED_BY)
        # Tasks that were too large to be labelled are used first.
        known = {part.name for part in given.labelled}
        ordered = sorted(self.tasks, key=lambda task: task.name in known)
        derivers = self.derivers or derivers_of(ordered, self.options.seed, self.options.seconds / 60)
        if derivers:
            given.label_derived(derivers, self.options.tasks)
        else:
            given.why_none_generated = "no goal is a conjunction of atoms"
        return given

    def trials(self, pool: Workers, largest: int) -> list[Trial]:
        """The tasks on which candidates are followed, from small to large; `largest` is the largest labelled size."""
        self.tell("growing larger tasks")
        seconds = QUICK_SHARE * self.options.seconds
        found = given_trials(pool, self.tasks[-self.options.follow :], seconds)
        sizes = [size for factor in FACTORS if (size := math.ceil(factor * largest)) > size_of(self.tasks[-1])]
        if self.options.generate and len(self.tasks) > 1 and sizes:
            grower = Grower([task.problem for task in self.tasks if task.problem is not None], self.options.seed)
            if grower.is_possible:
                found += grown_trials(pool, grower, sizes, lambda: min(seconds, self.left(GROWN_BY)))
        return sorted(found, key=lambda trial: trial.size)

    def fit_and_select(
        self, pool: Workers, labelled: list[Labelled], report: LearningReport
    ) -> tuple[DomainPolicy, LearningReport]:
        test = labelled[::-FOLD] if len(labelled) >= FOLD else []
        train = [part for part in labelled if part not in test]
        contest = Contest(report, train, test)
        self.fit_and_follow(pool, contest, self.candidates)
        if self.options.rounds and contest.has_dead_ends:
            self.fit_and_follow(pool, contest, contest.best_candidates(), safest=True, name="safest actions")
        self.learn_from_failures(pool, contest)
        chosen = report.best(TOLERANCE)
        if chosen == "ff":
            report.measure("ff", [])
            return self.finish(self.with_plain(pool, self.stored(None), contest, False), report)
        candidate, weights, safest = contest.fitted[chosen]
        report.measure(chosen, [(part, _choices(part, weights)) for part in test])
        self.tell(f"fitting {chosen} to all tasks")
        examples = [*examples_of(labelled, safest), *contest.more_for(candidate)]
        again = self.fit_all(pool, examples, [candidate], self.left(FITTED_BY)) if test else []
        if again:
            weights = self.better(pool, report, again[0][1], weights, "fitted to all tasks")
        report.recall = self.recall(weights, report)
        # Relaxed plans of the successors of all actions would take too long in large tasks.
        if report.recall is not None and report.recall < LEAST_RECALL and not candidate.reads_successors:
            weights = self.better(pool, report, weights.without_shortlist(), weights, "no shortlist")
            report.recall = self.recall(weights, report)
        return self.finish(self.with_plain(pool, self.stored(weights), contest, safest), report)

    def with_plain(self, pool: Workers, policy: DomainPolicy, contest: Contest, safest: bool) -> DomainPolicy:
        """Adds weights for tasks that are too large to ground to a policy that needs grounding, if they solve a trial.

        Their candidates compete in a separate contest, which begins with the examples from failures in this contest.
        """
        if not self.options.plain or not policy.needs_grounding:
            return policy
        self.deadline = max(1.0, 1.0 + LEAST_FOR_PLAIN - self.left() / self.options.seconds)
        plain = Contest(contest.report, [*contest.train, *contest.test], [], contest.more)
        self.fit_and_follow(pool, plain, PLAIN, safest=safest)
        self.learn_from_failures(pool, plain)
        names = [name for name in plain.ranked() if contest.report.solved(name)]
        if names:
            weights = plain.fitted[names[0]].weights
            contest.report.plain = names[0]
            policy.plain = Plain(weights.features.tobytes(), weights.weights.tobytes())
        return policy

    def fit_and_follow(
        self,
        pool: Workers,
        contest: Contest,
        candidates: Sequence[Candidate],
        *,
        safest: bool = False,
        name: str = "",
        rounds_after: int | None = None,
    ) -> list[str]:
        """Fits candidates, follows them and adds them to the contest; returns their names, which end with `name`."""
        seconds = self.left(self.deadline) * (FIRST_SHARE if rounds_after is None else 1 / (rounds_after + 1))
        self.tell(f"fitting {len(candidates)} candidates")
        report, fitted = contest.report, {}
        for each, weights in self.fit_all(pool, contest.examples(safest), candidates, seconds / 2):
            full = f"{each.name}, {name}" if name else each.name
            fitted[full] = Fitted(each, weights, safest)
            report.prices[full] = [*self.candidates, *PLAIN].index(each)
            if contest.test:
                report.accuracies[full] = _accuracy([_choices(part, weights) for part in contest.test])
        followers = {full: self.stored(each.weights) for full, each in fitted.items()}
        relaxed = {} if "ff" in report.followed else {"ff": self.stored(None)}
        self.follow_all(pool, followers | relaxed, report, max(seconds / 2, LEAST_TO_FOLLOW * self.options.seconds))
        contest.fitted |= fitted
        return list(fitted)

    def learn_from_failures(self, pool: Workers, contest: Contest) -> None:
        """Adds candidates that have also learned from the failures of the best one, in several rounds."""
        report, idle = contest.report, 0
        for number in range(1, 1 + self.options.rounds):
            names = contest.ranked()
            if not names or not self.relabel(pool, contest, names[0]) or self.left(self.deadline) <= 0:
                break
            new = self.fit_and_follow(
                pool,
                contest,
                contest.best_candidates(),
                safest=contest.fitted[names[0]].safest,
                name=f"round {number + 1}",
                rounds_after=self.options.rounds - number,
            )
            progress = max(map(report.quality, new), default=0.0) - report.quality(names[0])
            idle = 0 if progress > LEAST_GAIN else idle + 1
            if idle == PATIENCE:
                break

    def relabel(self, pool: Workers, contest: Contest, name: str) -> bool:
        """Adds examples from the trials in which the candidate with this name fails; False if there are none."""
        report = contest.report
        failures = report.failures(name, TOO_EXPENSIVE)[:MOST_FAILURES]
        if not failures:
            return False
        self.tell(f"learning from {len(failures)} failures")
        count = len(failures)
        seconds = min(RELABEL_SHARE * self.options.seconds, self.left(self.deadline) / (2 * VISITED * count))
        trials, plans = [report.trials[i] for i in failures], [report.best_plan(i) for i in failures]
        policy = self.stored(contest.fitted[name].weights)
        successors = contest.reads_successors()
        answers = pool.map(relabel, [policy] * count, trials, plans, [max(seconds, 0.1)] * count, [successors] * count)
        for number, answer in zip(failures, answers, strict=True):
            report.learn_cost(number, answer.cost)
        found = [answer.labelled.examples for answer in answers if answer.labelled is not None]
        contest.more += found
        report.relabelled += sum(map(len, found))
        return bool(found)

    def better(self, pool: Workers, report: LearningReport, new: Weights, old: Weights, name: str) -> Weights:
        """The new weights, or the old ones if their plans are better; updates the chosen candidate in the report."""
        chosen, name = report.chosen, f"{report.chosen}, {name}"
        self.follow_all(pool, {name: self.stored(new)}, report, self.left())
        if report.quality(name) < report.quality(chosen) - TOLERANCE * len(report.known):
            return old
        report.chosen = name
        if chosen in report.accuracies:
            report.accuracies[name] = report.accuracies[chosen]
        return new

    def recall(self, weights: Weights, report: LearningReport) -> float | None:
        """The share of states whose best action is on the shortlist, on the followed plans of the largest trials."""
        plans = [(trial, row.plan) for trial, row in zip(report.trials, report.followed[report.chosen], strict=False)]
        largest = [(trial.task, plan) for trial, plan in plans if plan][-RECALL_TRIALS:]
        if not len(weights.first) or not largest:
            return None
        policy = self.stored(weights)
        recalled = sum(policy.on(task).count_recalled(*edges_along(task, plan)) for task, plan in largest)
        return float(recalled / sum(len(plan) for _, plan in largest))

    def fit_all(
        self, pool: Workers, examples: list[LabelledFeatures], candidates: Sequence[Candidate], seconds: float
    ) -> list[tuple[Candidate, Weights]]:
        """The candidates with their weights; a candidate is omitted if its fit exceeds its share of the seconds."""
        fits = list(dict.fromkeys(fit for candidate in candidates for fit in candidate.fits))
        count = len(fits)
        rounds = -(-count // pool.count)
        limit = max(seconds / rounds, 0.02 * self.options.seconds)
        found = pool.map(fit, fits, [pool.share(examples)] * count, [limit] * count)
        done = {each: weights for each, weights in zip(fits, found, strict=True) if weights is not None}
        return [(each, joined(each, done)) for each in candidates if all(fit in done for fit in each.fits)]

    def follow_all(
        self, pool: Workers, followers: Mapping[str, DomainPolicy], report: LearningReport, seconds: float
    ) -> None:
        """Follows policies on the trials, from small to large, as long as they are not too far behind the best one."""
        report.followed |= {name: [] for name in followers}
        names, end = list(followers), time.perf_counter() + seconds
        for number, trial in enumerate(list(report.trials) if followers else []):
            if number and time.perf_counter() > end:
                report.drop_unfollowed_trials()
                break
            self.tell(f"following {len(names)} candidates on {trial.size} objects")
            count = len(names)
            share = (end - time.perf_counter()) * pool.count / count / (len(report.trials) - number)
            limit = max(0.2, SHARES_OF_TIME * share)
            rows = pool.map(follow, [followers[name] for name in names], [trial] * count, [limit] * count)
            for name, row in zip(names, rows, strict=True):
                report.followed[name].append(row)
            so_far = {name: report.quality(name, number + 1) for name in report.followed}
            names = [name for name in names if so_far[name] >= max(so_far.values()) - TOO_FAR_BEHIND]
            if not names:
                break

    def stored(self, weights: Weights | None) -> DomainPolicy:
        return DomainPolicy(self.domain, b"", b"", kind="ff") if weights is None else weights.stored(self.domain)

    def finish(self, policy: DomainPolicy, report: LearningReport) -> tuple[DomainPolicy, LearningReport]:
        report.seconds = time.perf_counter() - self.begin
        policy.accuracy = report.accuracy_json()
        policy.training = report.training_json() | {"options": self.options.to_json()}
        return policy, report


def learn(
    tasks: Sequence[Task],
    options: LearnOptions | None = None,
    *,
    on_progress: Callable[[str], None] | None = None,
    derivers: Sequence[Deriver] | None = None,
) -> tuple[DomainPolicy, LearningReport]:
    """Learns a policy for the domain of the tasks; returns it with a report. `derivers` draw additional tasks."""
    return Learner(tasks, options or LearnOptions(), on_progress, derivers).learn()


def _accuracy(choices: list[npt.NDArray[np.float32]]) -> float:
    return float(np.concatenate(choices).mean())


def _choices(part: Labelled, weights: Weights) -> npt.NDArray[np.float32]:
    return np.asarray(part.examples.first_choices(weights.features, weights.weights, weights.first))
