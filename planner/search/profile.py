"""The accuracy of a policy for each goal distance, which the order disc1-profile uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsplan.planner import _core
from fsplan.planner.graphs.explore import explore
from fsplan.planner.search.accuracy import PolicyAccuracy, exact_accuracy, measured_accuracy


def accuracy_profile(policy: Any, task: Any) -> list[float]:
    """The accuracy at goal distance 0, 1, 2, …, as stored in the policy or else measured on the task."""
    known = getattr(policy, "accuracy_by_distance", None) or _measured(policy, task)
    if not known:
        raise ValueError(
            "disc1-profile needs the policy's accuracy by distance to the goal, which trained policy files and "
            "synthetic policies have; use disc1 or disc2"
        )
    return filled(known)


def filled(known: Mapping[int, float]) -> list[float]:
    """A list of accuracies without gaps: a missing distance gets the accuracy of the nearest smaller known one.

    Distances below the smallest known one get the accuracy of that one.

    >>> filled({1: 1.0, 3: 0.5})
    [1.0, 1.0, 1.0, 0.5]
    """
    profile, accuracy = [], known[min(known)]
    for distance in range(max(known) + 1):
        accuracy = known.get(distance, accuracy)
        profile.append(accuracy)
    return profile


def _measured(policy: Any, task: Any) -> dict[int, float]:
    if isinstance(policy, _core.SyntheticPolicy):
        found: PolicyAccuracy | None = exact_accuracy(policy, explore(task))
    else:
        found = measured_accuracy(policy, task)
    return {} if found is None else {d: right / n for d, (n, right) in found.masked.by_distance.items()}
