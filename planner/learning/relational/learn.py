"""Learns a policy for a domain from small tasks: label states, fit candidates, select one by following, measure it.

Weights are fitted to three quarters of the labelled tasks, for several subsets of the features and several strengths
of regularisation. A candidate consists of one fit, or of two: the first uses cheap features and selects a shortlist of
actions, and the second uses expensive features and decides among these.
Each candidate is then followed on the largest given tasks, and the quality of the resulting plans decides. Accuracy
alone is not sufficient, because a policy may be right in nearly all states and still run into cycles. If no candidate
is better than relaxed plans, these become the policy. The chosen candidate is fitted again to all tasks.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fsplan.pddl.costs import plain
from fsplan.planner._core import fit_relational
from fsplan.planner.learning.relational.gather import Gatherer, How, derivers_of
from fsplan.planner.learning.relational.labels import MOST_STATES, STATES
from fsplan.planner.learning.relational.measures import Followed, LearningReport
from fsplan.planner.learning.relational.workers import workers
from fsplan.planner.policies.relational.stored import DomainPolicy, domain_of
from fsplan.planner.search.solve import solve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from fsplan.planner._core import LabelledFeatures
    from fsplan.planner.learning.relational.derive import Deriver
    from fsplan.planner.learning.relational.labels import Labelled
    from fsplan.planner.learning.relational.workers import Workers
    from fsplan.planner.tasks.task import Task

# A candidate may be chosen for its accuracy if its quality per task is within this tolerance of the best quality. The
# quality of a task is 1 if it is solved with the best known cost.
TOLERANCE = 0.02
FOLD = 4
# Deadlines of the four phases (labelling given tasks, labelling derived tasks, fitting candidates, following them), as
# fractions of the time limit.
LABELLED_BY, DERIVED_BY, FITTED_BY, FOLLOWED_BY = 0.35, 0.45, 0.7, 0.9
# Following a candidate is limited by expansions, so that the choice does not depend on the load of the machine. The
# time limit is only a safeguard: it is this many times the task's share of the remaining time.
FOLLOWED_EXPANSIONS = 2000
SHARES_OF_TIME = 3


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
    """

    def __init__(
        self,
        *,
        states: int = STATES,
        max_states: int = MOST_STATES,
        tasks: int = 100,
        generate: bool = True,
        follow: int = 6,
        seconds: float = 60.0,
        threads: int | None = None,
        scheduler: str | None = None,
        seed: int = 0,
        few: bool = False,
    ) -> None:
        threads = threads if threads is not None else os.cpu_count() or 1
        if min(states, max_states, tasks, follow, threads) < 1 or not seconds > 0:
            raise ValueError("states, max_states, tasks, follow, threads and seconds must be positive")
        self.states, self.max_states, self.tasks, self.generate = states, max_states, tasks, generate
        self.follow, self.seconds, self.threads, self.seed, self.few = follow, seconds, threads, seed, few
        self.scheduler = scheduler

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "scheduler"}


class Fit(NamedTuple):
    """The parameters of a fit: the blocks of features that get weights, and the strength of regularisation."""

    blocks: tuple[str, ...]
    l2: float


class Candidate(NamedTuple):
    """A candidate policy; `first` is the fit that selects the shortlist, or None."""

    name: str
    fit: Fit
    first: Fit | None

    @property
    def fits(self) -> list[Fit]:
        return [self.fit] if self.first is None else [self.fit, self.first]


class Weights(NamedTuple):
    """One weight for each feature.

    `first` has the weights of a cheaper ranking, whose best actions (the shortlist) are then ranked by `weights`. It is
    empty if all actions are ranked by `weights`.
    """

    features: npt.NDArray[np.uint64]
    weights: npt.NDArray[np.float32]
    first: npt.NDArray[np.float32]


def _candidates(
    name: str, blocks: tuple[str, ...], strengths: Sequence[float], first: tuple[str, ...] | None = None
) -> list[Candidate]:
    return [
        Candidate(f"{name}, L2 {l2:g}", Fit(blocks, l2), None if first is None else Fit(first, l2)) for l2 in strengths
    ]


RELAXED = ("plan",)
COLOURS = ("colours", "plan")
CONTEXT = (*COLOURS, "context")
# Candidates from cheap to expensive. The first one whose accuracy is nearly the best is chosen.
CANDIDATES = (
    *_candidates("colours", COLOURS, (1e-2, 1e-3)),
    *_candidates("context of a shortlist", CONTEXT, (1e-2, 1e-3, 1e-4), first=COLOURS),
    *_candidates("context", CONTEXT, (1e-3, 1e-4)),
    *_candidates("successors of a shortlist by colours", (*CONTEXT, "guides"), (1e-2, 1e-3), first=COLOURS),
    *_candidates("successors of a shortlist by context", (*CONTEXT, "guides"), (1e-2, 1e-3), first=CONTEXT),
    *_candidates("relaxed plans, also of successors", (*RELAXED, "guides"), (1e-3,), first=RELAXED),
)
FEW = tuple(each for each in CANDIDATES if each.fit.l2 == 1e-3)


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
        self.tasks = sorted(tasks, key=_size)
        self.options, self.tell = options, on_progress or (lambda text: None)
        self.domain = domain_of(self.tasks[0])
        for task in self.tasks:
            if domain_of(task) != self.domain:
                raise ValueError(f"{task.name} belongs to another domain than {self.tasks[0].name}")
        self.begin = time.perf_counter()
        self.candidates = FEW if options.few else CANDIDATES
        self.derivers = derivers

    def left(self, share: float = 1.0) -> float:
        """The seconds until this share of the time limit is over."""
        return share * self.options.seconds - (time.perf_counter() - self.begin)

    def learn(self) -> tuple[DomainPolicy, LearningReport]:
        with workers(self.options.threads, self.options.scheduler) as pool:
            labelled, generated = self.gather(pool)
            if not labelled:
                raise ValueError("none of the tasks could be labelled: give smaller ones, or more time")
            return self.fit_and_select(pool, labelled, generated)

    def gather(self, pool: Workers) -> tuple[list[Labelled], int]:
        how = How(self.options.states, self.options.max_states, self.options.seed)
        given = Gatherer(pool, how, lambda: self.left(LABELLED_BY), self.tell)
        given.label_given(self.tasks)
        if not self.options.generate:
            return given.labelled, 0
        given.left = lambda: self.left(DERIVED_BY)
        # Tasks that were too large to be labelled are used first.
        known = {part.name for part in given.labelled}
        ordered = sorted(self.tasks, key=lambda task: task.name in known)
        derivers = self.derivers or derivers_of(ordered, self.options.seed, self.options.seconds / 60)
        if derivers:
            given.label_derived(derivers, self.options.tasks)
        return given.labelled, given.generated

    def fit_and_select(
        self, pool: Workers, labelled: list[Labelled], generated: int
    ) -> tuple[DomainPolicy, LearningReport]:
        labelled.sort(key=lambda part: (part.size, len(part.examples), part.name))
        test = labelled[::-FOLD] if len(labelled) >= FOLD else []
        train = [part.examples for part in labelled if part not in test]
        report = LearningReport(len(labelled), generated, sum(len(part.examples) for part in labelled))
        self.tell(f"fitting {len(self.candidates)} candidates")
        fitted = self.fit_all(pool, train, self.candidates, FITTED_BY)
        followers = [
            *((candidate.name, self.stored(weights)) for candidate, weights in fitted),
            ("ff", self.stored(None)),
        ]
        self.follow_all(pool, followers, report)
        for candidate, weights in fitted:
            report.accuracies[candidate.name] = _accuracy([_choices(part, weights) for part in test])
        chosen = report.best(TOLERANCE)
        if chosen == "ff":
            report.measure("ff", [])
            return self.finish(self.stored(None), report)
        candidate, weights = next(each for each in fitted if each[0].name == chosen)
        report.measure(chosen, [(part, _choices(part, weights)) for part in test])
        self.tell(f"fitting {chosen} to all tasks")
        again = self.fit_all(pool, [part.examples for part in labelled], [candidate], 1.0) if test else []
        return self.finish(self.stored(again[0][1] if again else weights), report)

    def fit_all(
        self, pool: Workers, examples: list[LabelledFeatures], candidates: Sequence[Candidate], share: float
    ) -> list[tuple[Candidate, Weights]]:
        """The candidates with their weights, without candidates whose fit exceeds its share of the time.

        `share` is the deadline of all fits as a fraction of the time limit.
        """
        fits = list(dict.fromkeys(fit for candidate in candidates for fit in candidate.fits))
        count = len(fits)
        rounds = -(-count // pool.count)
        seconds = max(self.left(share) / rounds, 0.02 * self.options.seconds)
        found = pool.map(fit, fits, [pool.share(examples)] * count, [seconds] * count)
        done = {each: weights for each, weights in zip(fits, found, strict=True) if weights is not None}
        return [(each, _joined(each, done)) for each in candidates if all(fit in done for fit in each.fits)]

    def follow_all(self, pool: Workers, followers: list[tuple[str, DomainPolicy]], report: LearningReport) -> None:
        hard = self.tasks[-self.options.follow :]
        for number, (name, policy) in enumerate(followers):
            self.tell(f"following {name}")
            share = self.left(FOLLOWED_BY) * pool.count / len(hard) / (len(followers) - number)
            limit = max(0.2, SHARES_OF_TIME * share)
            report.followed[name] = pool.map(follow, [policy] * len(hard), hard, [limit] * len(hard))

    def stored(self, weights: Weights | None) -> DomainPolicy:
        if weights is None:
            return DomainPolicy(self.domain, b"", b"", kind="ff")
        return DomainPolicy(self.domain, weights.features.tobytes(), weights.weights.tobytes(), weights.first.tobytes())

    def finish(self, policy: DomainPolicy, report: LearningReport) -> tuple[DomainPolicy, LearningReport]:
        report.seconds = time.perf_counter() - self.begin
        policy.accuracy = report.accuracy_json()
        policy.training = report.training_json() | {"options": self.options.to_json()}
        return policy, report


def fit(how: Fit, parts: list[LabelledFeatures], seconds: float) -> Weights | None:
    try:
        found = fit_relational(parts, blocks=list(how.blocks), l2=how.l2, seconds=seconds)
    except TimeoutError:
        return None
    return Weights(found.features, found.weights, np.empty(0, np.float32))


def _joined(candidate: Candidate, done: dict[Fit, Weights]) -> Weights:
    """The weights of the candidate's fit, combined with those of its first fit, if there is one."""
    weights = done[candidate.fit]
    if candidate.first is None:
        return weights
    first = done[candidate.first]
    features = np.union1d(weights.features, first.features)
    return Weights(features, _spread(weights, features), _spread(first, features))


def _spread(weights: Weights, features: npt.NDArray[np.uint64]) -> npt.NDArray[np.float32]:
    """The weight of each of the given features, 0 for features without a weight."""
    found = np.zeros(len(features), np.float32)
    found[np.searchsorted(features, weights.features)] = weights.weights
    return found


def follow(policy: DomainPolicy, task: Task, seconds: float) -> Followed:
    # The state space is copied, because it must not be used by two searches at the same time.
    result = solve(
        _copy(task), "follow", policy=policy.on(task), expansion_limit=FOLLOWED_EXPANSIONS, time_limit=seconds
    )
    return Followed(task.name, _size(task), plain(result.cost))


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
    return float(np.concatenate(choices).mean()) if choices else 0.0


def _choices(part: Labelled, weights: Weights) -> npt.NDArray[np.float32]:
    return np.asarray(part.examples.first_choices(weights.features, weights.weights, weights.first))


def _size(task: Task) -> int:
    assert task.problem is not None
    return len(task.problem.objects) + len(task.problem.domain.constants)


def _copy(task: Task) -> Any:
    return task.state_space.at(task.state_space.start_values())
