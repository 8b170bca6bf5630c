"""The contest between the candidates for a domain policy: fitted weights by name, and their examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fsplan.planner._core import LabelledFeatures
    from fsplan.planner.learning.relational.candidates import Candidate, Weights
    from fsplan.planner.learning.relational.labels import Labelled
    from fsplan.planner.learning.relational.measures import LearningReport

REFITTED = 5  # number of candidates, the best ones, that are fitted again to other examples


class Fitted(NamedTuple):
    """A candidate with its weights; `safest` is True if it was fitted to the safest of the optimal actions."""

    candidate: Candidate
    weights: Weights
    safest: bool


class Contest:
    """The fitted candidates by name, and their examples: labelled tasks, and `more` from failures of candidates."""

    def __init__(
        self, report: LearningReport, train: list[Labelled], test: list[Labelled], more: Sequence[LabelledFeatures] = ()
    ) -> None:
        self.report, self.train, self.test = report, train, test
        self.more, self.more_reads_successors = list(more), True
        self.fitted: dict[str, Fitted] = {}

    @property
    def has_dead_ends(self) -> bool:
        return any(part.safest is not part.examples for part in self.train)

    def examples(self, safest: bool) -> list[LabelledFeatures]:
        return [*examples_of(self.train, safest), *self.more]

    def ranked(self) -> list[str]:
        return [name for name in self.report.ranked() if name in self.fitted]

    def best_candidates(self) -> list[Candidate]:
        found = dict.fromkeys(self.fitted[name].candidate for name in self.ranked()[:REFITTED])
        return [each for each in found if self.more_reads_successors or not each.reads_successors]

    def reads_successors(self) -> bool:
        """Whether further examples must have features of successors: only if the best candidates read them.

        These features take most of the time. Once there are examples without them, candidates that read successors
        are not fitted again.
        """
        self.more_reads_successors = any(each.reads_successors for each in self.best_candidates())
        return self.more_reads_successors

    def more_for(self, candidate: Candidate) -> list[LabelledFeatures]:
        return self.more if self.more_reads_successors or not candidate.reads_successors else []


def examples_of(parts: Sequence[Labelled], safest: bool) -> list[LabelledFeatures]:
    """The examples of labelled tasks: with all optimal actions, or with the safest of them."""
    return [part.safest if safest else part.examples for part in parts]
