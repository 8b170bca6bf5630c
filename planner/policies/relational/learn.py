"""Learns a policy for a domain from small tasks: label, fit, select by following, measure.

Weights for several subsets of the features and strengths of regularisation are fitted to most of the labelled tasks.
Each candidate then follows its own choices to the goals of the largest tasks at hand: that decides, because a policy
may be right in nearly all states and yet go round in circles. Where nothing learned does better than relaxed plans,
they are the policy. The one that is chosen is fitted again, to all tasks.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from fsplan.planner._core import TooManyStates, fit_relational
from fsplan.planner.costs import plain
from fsplan.planner.search import solve

from .derive import Deriver
from .labels import MOST_STATES, STATES, label
from .measures import Followed, LearningReport
from .stored import DomainPolicy, domain_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy.typing as npt

    from fsplan.planner._core import FittedWeights
    from fsplan.planner.task import Task

    from .labels import Labelled

# Quality per task that a candidate may lack and still be chosen for its accuracy; 1: solved at the best known cost.
TOLERANCE = 0.02
FOLD = 4
# Accuracy that relaxed plans of all successors must add: they take several times as long as all the rest.
SUCCESSORS_PRICE = 0.02


class LearnOptions:
    """How to learn.

    states, max_states   states per task, from tasks whose graph has at most `max_states`
    tasks                how many labelled tasks are enough
    generate             derive further tasks where fewer are given: "auto", True or False
    follow               how many of the largest tasks the candidates follow to a goal
    seconds              how long it may take altogether; a quarter of it for following
    threads              how many tasks are labelled, and how many candidates fitted, at the same time
    few                  fit a few candidates only, and give up where that takes longer than the time
    """

    def __init__(
        self,
        *,
        states: int = STATES,
        max_states: int = MOST_STATES,
        tasks: int = 40,
        generate: bool = True,
        follow: int = 6,
        seconds: float = 60.0,
        threads: int = 2,
        seed: int = 0,
        few: bool = False,
    ) -> None:
        if min(states, max_states, tasks, follow, threads) < 1 or not seconds > 0:
            raise ValueError("states, max_states, tasks, follow, threads and seconds must be positive")
        self.states, self.max_states, self.tasks, self.generate = states, max_states, tasks, generate
        self.follow, self.seconds, self.threads, self.seed, self.few = follow, seconds, threads, seed, few

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))


class Candidate:
    """What is fitted: the last block of features, whether colours are left out, and the strength of regularisation."""

    __slots__ = ("l2", "last", "relaxed_only")

    def __init__(self, last: str, relaxed_only: bool, l2: float) -> None:
        self.last, self.relaxed_only, self.l2 = last, relaxed_only, l2

    @property
    def name(self) -> str:
        blocks = "relaxed plans" if self.relaxed_only else _BLOCKS[self.last]
        return f"{blocks}, L2 {self.l2:g}"


_BLOCKS = {
    "colours": "colours",
    "helpful": "colours and helpful actions",
    "guides": "colours and relaxed plans of all successors",
}
# Where the others are hardly better the first is taken: it is cheap, and relaxed plans make up for what colours, which
# see two atoms far, cannot know.
CANDIDATES = tuple(
    Candidate(last, relaxed_only, l2)
    for last, relaxed_only in (("helpful", False), ("colours", False), ("guides", False), ("guides", True))
    for l2 in (1e-3, 1e-4)
    if not (relaxed_only and l2 == 1e-4)
)
FEW = tuple(candidate for candidate in CANDIDATES if candidate.l2 == 1e-3 and candidate.last != "colours")


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
        self.pool = ThreadPoolExecutor(options.threads)
        self.labelled: list[Labelled] = []
        self.generated = 0
        self.candidates = FEW if options.few else CANDIDATES
        self.derivers = derivers

    def elapsed(self) -> float:
        return time.perf_counter() - self.begin

    def learn(self) -> tuple[DomainPolicy, LearningReport]:
        with self.pool:
            self.label_given()
            if self.options.generate:
                self.label_generated()
            if not self.labelled:
                raise ValueError("none of the tasks could be labelled: give smaller ones")
            return self.fit_and_select()

    # Labelling

    def label_given(self) -> None:
        """From the smallest task up, until they become too large."""
        too_large = 0
        for first in range(0, len(self.tasks), self.options.threads):
            if too_large > self.options.threads or self.is_late(0.35):
                break
            batch = self.tasks[first : first + self.options.threads]
            answers = list(self.pool.map(self.label_one, batch))
            too_large += sum(answer == "too large" for answer in answers)
            self.tell(f"labelled {len(self.labelled)} of {len(self.tasks)} tasks")

    def label_one(self, task: Task) -> str:
        try:
            found = label(task, self.options.states, self.options.max_states, self.options.seed)
        except TooManyStates:
            return "too large"
        if found is not None:
            self.labelled.append(found)
        return ""

    def label_generated(self) -> None:
        """Tasks derived from the given ones in turn, first from those that are too large, until there are enough."""
        derivers = [deriver for deriver in self.derivers or self.make_derivers() if deriver.is_possible]
        draws = 0
        while derivers and len(self.labelled) < self.options.tasks and draws < 4 * self.options.tasks:
            if self.is_late(0.4):
                break
            batch = [derivers[(draws + i) % len(derivers)] for i in range(min(self.options.threads, len(derivers)))]
            before = len(self.labelled)
            list(self.pool.map(self.label_derived, batch))
            self.generated += len(self.labelled) - before
            draws += len(batch)
            self.tell(f"labelled {len(self.labelled)} tasks, {self.generated} of them generated")

    def make_derivers(self) -> list[Deriver]:
        known = {part.name for part in self.labelled}
        ordered = sorted(self.tasks, key=lambda task: task.name in known)
        return [
            Deriver(task.problem, self.options.seed + number)
            for number, task in enumerate(ordered)
            if task.problem is not None
        ]

    def label_derived(self, deriver: Deriver) -> None:
        task = deriver.draw()
        if task is not None:
            try:
                found = label(task, self.options.states, self.options.max_states // 10, self.options.seed)
            except TooManyStates:
                return
            if found is not None:
                self.labelled.append(found)

    def is_late(self, share: float) -> bool:
        return self.elapsed() > share * self.options.seconds

    # Fitting and selection

    def fit_and_select(self) -> tuple[DomainPolicy, LearningReport]:
        self.labelled.sort(key=lambda part: (part.size, len(part.examples), part.name))
        test = self.labelled[::-FOLD] if len(self.labelled) >= FOLD else []
        train = [part for part in self.labelled if part not in test]
        report = LearningReport(len(self.labelled), self.generated, sum(len(part.examples) for part in self.labelled))
        fitted = list(self.pool.map(lambda candidate: self.fit(candidate, train), self.candidates))
        policies = [self.stored(weights) for weights in fitted]
        followers = [*zip((c.name for c in self.candidates), policies, strict=True), ("ff", self.stored(None))]
        hard = self.tasks[-self.options.follow :]
        for name, policy in followers:
            self.tell(f"following {name}")
            report.followed[name] = list(self.pool.map(lambda task, p=policy: self.follow(p, task), hard))
        for candidate, weights in zip(self.candidates, fitted, strict=True):
            report.accuracies[candidate.name] = _accuracy([_choices(part, weights) for part in test])
            report.prices[candidate.name] = SUCCESSORS_PRICE if candidate.last == "guides" else 0.0
        chosen = report.best(TOLERANCE)
        if chosen == "ff":
            report.measure("ff", [])
            return self.finish(self.stored(None), report)
        number = [candidate.name for candidate in self.candidates].index(chosen)
        weights = fitted[number]
        report.measure(chosen, [(part, _choices(part, weights)) for part in test])
        self.tell(f"fitting {chosen} to all tasks")
        return self.finish(self.stored(self.fit(self.candidates[number], self.labelled)), report)

    def fit(self, candidate: Candidate, parts: Iterable[Labelled]) -> FittedWeights:
        self.tell(f"fitting {candidate.name}")
        return fit_relational(
            [part.examples for part in parts],
            last=candidate.last,
            relaxed_only=candidate.relaxed_only,
            l2=candidate.l2,
            seconds=max(self.options.seconds - self.elapsed(), 0.1) if self.options.few else 0.0,
        )

    def stored(self, weights: FittedWeights | None) -> DomainPolicy:
        if weights is None:
            return DomainPolicy(self.domain, b"", b"", kind="ff")
        return DomainPolicy(self.domain, weights.features.tobytes(), weights.weights.tobytes())

    def follow(self, policy: DomainPolicy, task: Task) -> Followed:
        limit = max(
            0.2, 0.25 * self.options.seconds / len(self.candidates) / self.options.follow * self.options.threads
        )
        # Another state space for every follower: one search at a time may use one.
        result = solve(_copy(task), "follow", policy=policy.on(task), time_limit=limit)
        return Followed(task.name, _size(task), plain(result.cost))

    def finish(self, policy: DomainPolicy, report: LearningReport) -> tuple[DomainPolicy, LearningReport]:
        report.seconds = self.elapsed()
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
    """A policy for the domain of the tasks, and what is known about it; `derivers` draw further tasks."""
    return Learner(tasks, options or LearnOptions(), on_progress, derivers).learn()


def _accuracy(choices: list[npt.NDArray[np.float32]]) -> float:
    return float(np.concatenate(choices).mean()) if choices else 0.0


def _choices(part: Labelled, weights: FittedWeights) -> npt.NDArray[np.float32]:
    return np.asarray(part.examples.first_choices(weights.features, weights.weights))


def _size(task: Task) -> int:
    assert task.problem is not None
    return len(task.problem.objects) + len(task.problem.domain.constants)


def _copy(task: Task) -> Any:
    return task.state_space.at(task.state_space.start_values())
