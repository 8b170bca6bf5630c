"""The candidates for a domain policy: subsets of the features, strengths of regularisation, and their fits.

A candidate consists of one fit, or of two: the first uses cheap features and selects a shortlist of actions, and the
second uses expensive features and decides among these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fsplan.planner._core import LabelledFeatures, fit_relational
from fsplan.planner.policies.relational.stored import DomainPolicy


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

    @property
    def reads_successors(self) -> bool:
        return "guides" in self.fit.blocks


class Weights(NamedTuple):
    """One weight for each feature.

    `first` has the weights of a cheaper ranking, whose best actions (the shortlist) are then ranked by `weights`. It is
    empty if all actions are ranked by `weights`.
    """

    features: npt.NDArray[np.uint64]
    weights: npt.NDArray[np.float32]
    first: npt.NDArray[np.float32]

    def without_shortlist(self) -> Weights:
        return self._replace(first=np.empty(0, np.float32))

    def stored(self, domain: Mapping[str, Any]) -> DomainPolicy:
        """The policy with these weights; `domain` is its name and fingerprint."""
        return DomainPolicy(domain, self.features.tobytes(), self.weights.tobytes(), self.first.tobytes())


def _candidates(
    name: str, blocks: tuple[str, ...], strengths: Sequence[float], first: tuple[str, ...] | None = None
) -> list[Candidate]:
    return [
        Candidate(f"{name}, L2 {l2:g}", Fit(blocks, l2), None if first is None else Fit(first, l2)) for l2 in strengths
    ]


RELAXED = ("plan",)
COLOURS = ("colours", "plan")
CONTEXT = (*COLOURS, "context")
# Candidates from cheap to expensive; among equally good ones the first is chosen.
CANDIDATES = (
    *_candidates("colours", COLOURS, (1e-2, 1e-3)),
    *_candidates("context of a shortlist", CONTEXT, (1e-2, 1e-3, 1e-4), first=COLOURS),
    *_candidates("context", CONTEXT, (1e-2, 1e-3, 1e-4)),
    *_candidates("successors of a shortlist by colours", (*CONTEXT, "guides"), (1e-2, 1e-3), first=COLOURS),
    *_candidates("successors of a shortlist by context", (*CONTEXT, "guides"), (1e-2, 1e-3), first=CONTEXT),
    *_candidates("relaxed plans, also of successors", (*RELAXED, "guides"), (1e-3,), first=RELAXED),
)
# Candidates for tasks that are too large to ground: they need no relaxed plans.
PLAIN = (
    *_candidates("plain colours", ("colours",), (1e-3,)),
    *_candidates("plain context", ("colours", "context"), (1e-3, 1e-4)),
)
FEW = tuple(each for each in CANDIDATES if each.fit.l2 == 1e-3)


def fit(how: Fit, parts: list[LabelledFeatures], seconds: float) -> Weights | None:
    try:
        found = fit_relational(parts, blocks=list(how.blocks), l2=how.l2, seconds=seconds)
    except TimeoutError:
        return None
    return Weights(found.features, found.weights, np.empty(0, np.float32))


def joined(candidate: Candidate, done: dict[Fit, Weights]) -> Weights:
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
