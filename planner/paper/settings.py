"""The settings of the paper's experiments: `Synthetic` (Figure 1) and `Trained` (Figure 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fsplan.planner.experiments.suites import TaskName, expand_spec
from fsplan.planner.paper import spaces
from fsplan.planner.paper.sweep import ORDERS
from fsplan.planner.search import catalogue

GIGABYTE = 1 << 30
SEARCHES = (*ORDERS, "prefastar", "wastar")


@dataclass(frozen=True)
class Variant:
    """An alternative interpretation of the paper's open points: options of the search and of the synthetic policy."""

    search: dict[str, Any] = field(default_factory=dict)
    policy: dict[str, Any] = field(default_factory=dict)

    def matters_to(self, search: str, order: str | None = None) -> bool:
        """Whether the variant affects the search; alpha, for example, is used only by Disc-1."""
        return bool(self.policy) or not set(self.search).isdisjoint(catalogue.reads(search, order))

    @property
    def options(self) -> dict[str, Any]:
        return {**self.search, **({"synthetic": self.policy} if self.policy else {})}


# Scale of the normal random numbers in the softmax with which a synthetic policy is as certain as the shipped network:
# the mean probability of the first choice is .913, and for the network .912 on the states of WA*'s plans for Korf's 100
# (w = 2). `tests/planner/paper/test_settings.py` computes both.
NETWORK_SCALE = 7
TEMPERATURES = ("scale 2", "scale 4", "scale 8", "as the network")
VARIANTS = {
    "scale 2": Variant(policy={"scale": 2}),
    "scale 4": Variant(policy={"scale": 4}),
    "scale 8": Variant(policy={"scale": 8}),
    "as the network": Variant(policy={"scale": NETWORK_SCALE, "shared": False}),
    "error profile": Variant(policy={"error_profile": "linear"}),
    "alpha applicable": Variant(search={"alpha": "applicable"}),
    "scores per state": Variant(policy={"shared": False}),
    "scores of all actions": Variant(policy={"support": "all"}),
    "unmasked": Variant(policy={"masked": False}),
    "uniform scores": Variant(policy={"distribution": "uniform"}),
    "oldest first": Variant(search={"ties": "f,h,oldest"}),
}


@dataclass(frozen=True)
class Effort:
    """The number of initial states and of policy draws in a state space, and of initial states for variants.

    Initial state number i is run with draw i modulo `draws`. With a draw for each initial state, the pairs that the
    claims are tested on are independent.
    """

    starts: int
    draws: int
    variant_starts: int = 0


@dataclass(frozen=True)
class Synthetic:
    """Settings of Figure 1: state spaces that fit in memory, with synthetic policies of given accuracies."""

    domains: dict[str, Effort]
    places: dict[str, spaces.Place] = field(default_factory=lambda: dict(spaces.PLACES))
    searches: tuple[str, ...] = SEARCHES
    ws: tuple[str, ...] = ("1.2", "1.5")
    low_ws: tuple[str, ...] = ("1.01", "1.05", "1.1")  # weights near 1, for the comparison with WA*
    low_searches: tuple[str, ...] = ("disc2", "disc3", "wastar")
    accuracies: tuple[float, ...] = (0.7, 0.8, 0.9, 0.95, 1.0)
    variants: tuple[str, ...] = ()
    time_limit: float = 120.0
    memory_limit: int = 4 * GIGABYTE
    title: str = "Claims"


SMALL = Synthetic(
    {"tiles8": Effort(100, 100, 60), "pancake9": Effort(100, 100, 60), "blocks": Effort(50, 50, 10)},
    variants=tuple(VARIANTS),
    title="Claims: the small domains",
)
QUICK_SMALL = replace(
    SMALL,
    domains={"tiles8": Effort(20, 20, 10), "pancake9": Effort(20, 20, 10), "blocks": Effort(1, 1, 1)},
    variants=(),
    low_ws=(),
    time_limit=20.0,
)


@dataclass(frozen=True)
class Trained:
    """Settings of Figure 2: tasks and trained policies; there is one figure per policy."""

    tasks: tuple[TaskName, ...]
    policies: tuple[str, ...]
    heuristic: str | None = None
    searches: tuple[str, ...] = SEARCHES
    ws: tuple[str, ...] = ("1.5", "2")
    time_limit: float = 300.0
    memory_limit: int = 8 * GIGABYTE
    title: str = "Claims"

    def domain_of(self, task: TaskName, policy: str) -> str:
        """The name of a figure: the domain of the task, and the policy unless it is the first."""
        return task.domain if policy == self.policies[0] else f"{task.domain} with {Path(policy).stem}"


Settings = Synthetic | Trained


def tiles15(instances: int = 100, policies: tuple[str, ...] = ("tiles15", "tiles15-paper"), **rest: Any) -> Trained:
    """The settings for Korf's instances, with our network and with a network trained as in the paper."""
    return Trained(
        tuple(expand_spec(f"tiles15:korf/1..{instances}")),
        policies,
        "linear_conflict",
        title="Claims: the 15-puzzle",
        **rest,
    )


def paper_settings(what: str, quick: bool, variants: Sequence[str] | None, policy: str | None) -> Settings:
    """The settings for `fsplan reproduce`; raises ValueError if the options are inconsistent."""
    if what == "tiles15":
        if variants:
            raise ValueError("variants are readings of the synthetic policies: they belong to `small`")
        chosen: dict[str, Any] = {} if policy is None else {"policies": (policy,)}
        return tiles15(20, time_limit=10.0, **chosen) if quick else tiles15(**chosen)
    if what != "small":
        raise ValueError(f"there is nothing called {what!r} to reproduce; choose small or tiles15")
    if policy is not None:
        raise ValueError("`small` draws its own policies; a policy belongs to `tiles15`")
    settings = QUICK_SMALL if quick else SMALL
    for name in variants or ():
        if name not in VARIANTS:
            raise ValueError(f"unknown variant {name!r}; there are {', '.join(VARIANTS)}")
    return settings if variants is None else replace(settings, variants=tuple(variants))
