"""On small random graphs, every native search makes the same steps as its reference implementation.

FSPLAN_RANDOM_GRAPHS is the number of graphs (20,000 by default).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import reference
from random_graphs import large_tree, native, random_graph
from reference import Answer, Graph
from reference_bounded import (
    Beam,
    BestFirstWidth,
    Bounded,
    Convex,
    DynamicPotential,
    DynamicSuboptimality,
    ExplicitEstimation,
    ImprovedOptimistic,
    Levin,
    LimitedDiscrepancy,
    QStar,
    Rerooted,
    RoundRobin,
)
from reference_focal import Focal, FocalOptions, ProbabilisticFocal, draws
from reference_optimistic import Optimistic
from support import known, seeds

from fsplan.planner import _core
from fsplan.planner.search import catalogue

GRAPHS = int(os.environ.get("FSPLAN_RANDOM_GRAPHS", "20000"))
WEIGHTS = [Fraction(1), Fraction(23, 20), Fraction(3, 2), Fraction(3), Fraction(10**12 + 1, 10**12)]
TIES = [["f", "h", "newest"], ["h", "newest"], ["newest"], ["h", "f", "oldest"], ["oldest"]]
ANYTIME = [search.name for search in catalogue.searches() if "anytime" in search.reads and search.name != "auto"]
ORDERS = [order.name for order in catalogue.orders()]


class Case:
    """A graph with random options, searched natively and by the reference."""

    def __init__(self, seed: int, make: Callable[[int], Graph] = random_graph) -> None:
        random = Random(-seed - 1)
        self.seed = seed
        self.graph = make(seed)
        self.space, self.policy = native(self.graph)
        self.best = self.graph.costs_to_go()[self.graph.start]
        self.w = random.choice(WEIGHTS)
        self.ties = random.choice(TIES)
        self.reopen = random.random() < 0.8
        self.orders = random.sample(ORDERS, 2)
        self.together = random.choice([1, 1, 2, 3])
        self.lookahead = random.choice([1, 1, 2, 4])
        self.alpha = random.choice(["all", "applicable"])
        self.accuracy = random.choice([1.0, 0.99, min(1.0, 1 / self.graph.actions + 0.05)])
        self.beyond = {
            "lazy": random.random() < 0.3,
            "fresh": random.random() < 0.3,
            "hedge": random.random() < 0.3,
            "prove": random.choice([0, 0, 1, 3]),
            "deepen": random.choice([0, 0, 1, 7]),
        }
        self.alternate, self.helpful = random.random() < 0.5, random.random() < 0.5
        self.profile = tuple(random.choice([0.0, 0.3, 0.9, 1.0]) for _ in range(random.randint(1, 6)))

    def focal_options(self, order: str) -> FocalOptions:
        shared = (order, self.w, self.ties, self.reopen, self.accuracy, self.alpha)
        return FocalOptions(*shared, together=self.together, profile=self.profile, **self.beyond)

    def native(self, search: str, **options: Any) -> _core.SearchResult:
        parts = {"policy": options.pop("policy", self.policy), "on_incumbent": options.pop("on_incumbent", None)}
        parts["accuracy_profile"] = list(self.profile)
        chosen = {"order": "disc2", "w": str(self.w), "ties": self.ties, "reopen": self.reopen, **options}
        return self.space.search(_core.SearchOptions(search=search, **chosen), **parts)

    def check(self, found: _core.SearchResult, expected: Answer) -> None:
        """Asserts the same result and counts as the reference, and a correct certificate."""
        counts = found.statistics
        assert (found.status, found.plan, found.cost, found.lower_bound) == (
            expected.status,
            expected.plan,
            expected.cost,
            expected.lower_bound,
        )
        assert [counts[name] for name in ("expanded", "generated", "reopened", "evaluated")] == [
            expected.expanded,
            expected.generated,
            expected.reopened,
            expected.evaluated,
        ]
        self.check_truth(found)

    def check_truth(self, found: _core.SearchResult) -> None:
        if found.plan is not None:
            assert found.cost == self.graph.plan_cost(found.plan)
        assert (found.status == "unsolvable") == (found.lower_bound is None)
        if found.lower_bound is None:
            assert self.best == float("inf")
        else:
            assert found.lower_bound <= self.best
        if found.certified:
            assert found.cost is not None
            assert found.cost <= self.w * known(found.lower_bound)

    def check_complete(self, found: _core.SearchResult) -> None:
        """Without limits, a complete search solves the task or proves it unsolvable; a bounded one is within w."""
        assert found.status == ("unsolvable" if self.best == float("inf") else "solved")

    def check_bounded(self, found: _core.SearchResult) -> None:
        self.check_complete(found)
        if self.reopen and found.plan is not None:
            assert found.certified


def focal(case: Case, graph: Graph | None = None, **options: Any) -> None:
    for order in case.orders:
        found = case.native(
            "focal",
            order=order,
            accuracy=case.accuracy,
            alpha=case.alpha,
            k_focal=case.together,
            lookahead=case.lookahead,
            **case.beyond,
            **options,
        )
        expected = Focal(graph or case.graph, case.focal_options(order)).search()
        case.check(found, expected)
        assert found.statistics["deepened"] == expected.deepened
        case.check_bounded(found)


def probabilistic_focal(case: Case) -> None:
    order, probability = case.orders[0], [0.0, 0.3, 0.8, 1.0][case.seed % 4]
    shared = {"order": order, "accuracy": case.accuracy, "alpha": case.alpha, "lookahead": case.lookahead}
    found = case.native("pfs", **shared, probability=probability, seed=case.seed)
    plain = replace(case.focal_options(order), together=1, **dict.fromkeys(case.beyond, 0))
    case.check(found, ProbabilisticFocal(case.graph, plain, case.seed, probability).search())
    case.check_bounded(found)


def astar(case: Case) -> None:
    found = case.native("astar")
    case.check(found, reference.best_first(case.graph, 1, 1, case.ties, case.reopen))
    case.check_bounded(found)
    if case.reopen and found.plan is not None:
        assert found.cost == found.lower_bound == case.best


def prefastar(case: Case, graph: Graph | None = None, **options: Any) -> None:
    preferred = "ff" if case.helpful else "policy"
    found = case.native("prefastar", preferred=preferred, alternate=case.alternate, **options)
    expected = reference.prefastar(graph or case.graph, case.ties, case.reopen, case.helpful, case.alternate)
    case.check(found, expected)
    case.check_complete(found)


def unroll(case: Case, graph: Graph | None = None, **options: Any) -> None:
    case.check(case.native("unroll", **options), reference.unroll(graph or case.graph))


def sampled_unroll(case: Case, graph: Graph | None = None, **options: Any) -> None:
    steps, samples = 1 + case.seed % 9, 1 + case.seed % 5
    found = case.native("unroll", sample=True, steps=steps, samples=samples, seed=case.seed, **options)
    numbers = [draws(case.seed + run, 0xD2A3) for run in range(samples)]
    expected, costs = reference.sampled_unrolls(graph or case.graph, numbers, steps)
    case.check(found, expected)
    counts = found.statistics
    assert (counts["unrolled"], counts["arrived"], counts["arrived_cost"]) == (samples, len(costs), sum(costs))


def unmasked(case: Case) -> None:
    """The policy ranks all actions, so its first choice may be inapplicable, and ranks of applicable ones have gaps."""
    graph = replace(case.graph, unmasked=True)
    for search in (focal, prefastar, unroll, sampled_unroll, limited_discrepancy):
        search(case, graph, masked=False)


class SharingTies:
    """The policy of a graph as a Python policy; actions with equal scores have the same rank."""

    shares_ties = True

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def scores(self, states: list[tuple[int]], actions: list[list[int]]) -> list[list[float]]:
        return [[self.graph.score(state, a) for a in row] for (state,), row in zip(states, actions, strict=True)]


def shared_ties(case: Case) -> None:
    graph = replace(case.graph, shares_ties=True)
    focal(case, graph, policy=SharingTies(graph))
    limited_discrepancy(case, graph, policy=SharingTies(graph))


def anytime(case: Case) -> None:
    """Anytime searches end with an optimal plan, and each reported plan is cheaper than the one before."""
    for algorithm in ANYTIME:
        better: list[_core.Incumbent] = []
        found = case.native(algorithm, anytime=True, reopen=True, **case.beyond, on_incumbent=better.append)
        costs = [plan.cost for plan in better]
        case.check_truth(found)
        case.check_bounded(found)
        if found.plan is not None:
            assert found.cost == found.lower_bound == case.best
            assert costs[-1] == found.cost
            assert all(later < earlier for earlier, later in pairwise(costs))


def relaxed_plan(case: Case) -> None:
    """Focal search with the policy `ff`, whose helpful actions and guides come from earlier evaluations."""
    graph = replace(case.graph, policy=reference.relaxed_plan_policy(case.graph))
    order = case.orders[0]
    options: dict[str, Any] = {"accuracy": case.accuracy, "alpha": case.alpha, "policy": _core.RelaxedPlanPolicy()}
    found = case.native("focal", order=order, **options)
    plain = dict.fromkeys(case.beyond, 0)
    case.check(found, Focal(graph, replace(case.focal_options(order), together=1, **plain)).search())
    found = case.native("focal", order=order, **options, **case.beyond)
    case.check_truth(found)
    case.check_bounded(found)


def rounded(w: Fraction, bits: int) -> Fraction:
    """w, or 1 if the numerator of w has too many bits: the native search rounds such weights, which are close to 1."""
    return w if w.numerator < 2**bits else Fraction(1)


def improved_optimistic(case: Case) -> None:
    found = case.native("ios", reopen=True)
    case.check(found, ImprovedOptimistic(case.graph, rounded(case.w, 29), case.ties).search())
    case.check_complete(found)
    assert found.certified == (found.plan is not None)


def limited_discrepancy(case: Case, graph: Graph | None = None, **options: Any) -> None:
    found = case.native("lds", **options)
    case.check(found, LimitedDiscrepancy(graph or case.graph, case.reopen).search())
    case.check_complete(found)


def beam(case: Case) -> None:
    normalise, width = ["none", "first", "length"][case.seed % 3], 1 + case.seed % 4
    found = case.native("beam", width=width, normalise=normalise)
    case.check(found, Beam(case.graph, case.ties, case.reopen, width, normalise).search())
    case.check_complete(found)


class Values(SharingTies):
    """A policy whose scores are values -Q(s, a) instead of log-probabilities."""

    shares_ties = False
    gives_values = True


def qstar(case: Case) -> None:
    for policy in (case.policy, Values(case.graph)):
        found = case.native("qstar", policy=policy)
        expected = QStar(case.graph, case.w, case.ties, case.reopen, gives_values=policy is not case.policy)
        case.check(found, expected.search())
        case.check_complete(found)


def optimistic(case: Case) -> None:
    for policy in (None, case.policy):
        found = case.native("optimistic", policy=policy)
        case.check(found, Optimistic(case.graph, case.w, case.reopen, policy is not None).search())
        case.check_bounded(found)


def optimistic_anytime(case: Case) -> None:
    found = case.native("optimistic", anytime=True)
    case.check_truth(found)
    case.check_bounded(found)
    if case.reopen and found.plan is not None:
        assert found.cost == found.lower_bound == case.best


def wastar(case: Case) -> Answer:
    w = rounded(case.w, 31)
    return reference.best_first(case.graph, w.denominator, w.numerator, case.ties, case.reopen)


def made(search: Callable[..., Bounded], w_bits: int | None = None, **options: Any) -> Callable[[Case], Answer]:
    """Returns a function that runs the reference implementation `search` on a case."""

    def answer(case: Case) -> Answer:
        w = case.w if w_bits is None else rounded(case.w, w_bits)
        return search(case.graph, w=w, ties=case.ties, reopen=case.reopen, **options).search()

    return answer


# References of the searches that have no options of their own; those of BOUNDED guarantee w.
BOUNDED: dict[str, Callable[[Case], Answer]] = {
    "rr-d": made(RoundRobin),
    "ees": made(ExplicitEstimation),
    "dps": made(DynamicPotential),
    "xdp": made(Convex, 29, upward=False),
    "xup": made(Convex, 29, upward=True),
    "dswa": made(DynamicSuboptimality, 12),
    "rlts-focal": made(Rerooted, focal=True),
}
UNBOUNDED: dict[str, Callable[[Case], Answer]] = {
    "levin": made(Levin, with_h=False),
    "phs": made(Levin, with_h=True),
    "rlts": made(Rerooted, focal=False),
    "bfws": made(BestFirstWidth),
}
EXACT: dict[str, Callable[[Case], Answer]] = {"wastar": wastar, "idastar": lambda case: reference.idastar(case.graph)}
GREEDY: dict[str, Callable[[Case], Answer]] = {
    "gbfs": lambda case: reference.best_first(case.graph, 0, 1, case.ties, case.reopen),
    "follow": lambda case: reference.follow(case.graph),
}


def equals(name: str, expected: Callable[[Case], Answer], is_bounded: bool) -> Callable[[Case], None]:
    def check(case: Case) -> None:
        found = case.native(name)
        case.check(found, expected(case))
        (case.check_bounded if is_bounded else case.check_complete)(found)

    return check


def named(*searches: Callable[[Case], None]) -> dict[str, Callable[[Case], None]]:
    return {search.__name__: search for search in searches}


TO_COMPARE_WITH = {
    **{name: equals(name, expected, is_bounded=True) for name, expected in BOUNDED.items()},
    **{name: equals(name, expected, is_bounded=False) for name, expected in UNBOUNDED.items()},
    **named(improved_optimistic, limited_discrepancy, beam, qstar),
}
SEARCHES = {
    **TO_COMPARE_WITH,
    **{name: equals(name, expected, is_bounded=True) for name, expected in EXACT.items()},
    **{name: equals(name, expected, is_bounded=False) for name, expected in GREEDY.items()},
    **named(focal, relaxed_plan, probabilistic_focal, astar, prefastar, unroll, sampled_unroll, unmasked, shared_ties),
    **named(anytime, optimistic, optimistic_anytime),
}


@seeds(400, GRAPHS, parts=20)
def test_native_searches_equal_the_reference(seeds: range) -> None:
    for seed in seeds:
        check_all(Case(seed), SEARCHES)


@seeds(2, 10)
def test_optimistic_search_equals_the_reference_on_graphs_with_long_plans(seeds: range) -> None:
    for seed in seeds:
        check_all(Case(seed, large_tree), named(optimistic))


@seeds(1, 3)
def test_bounded_searches_equal_the_reference_on_graphs_with_many_open_nodes(seeds: range) -> None:
    for seed in seeds:
        check_all(Case(seed, large_tree), TO_COMPARE_WITH)


def check_all(case: Case, searches: dict[str, Callable[[Case], None]]) -> None:
    for name, search in searches.items():
        try:
            search(case)
        except AssertionError as error:
            raise AssertionError(f"{name}, seed {case.seed}: {error}") from error
