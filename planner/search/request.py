"""Converts the arguments of `solve` to the arguments of the native search: options, policy, functions.

Options are one native object, `_core.SearchOptions`: it checks values, refuses options that the chosen search and order
do not read, fills in the search's defaults, and becomes the record of the result. This module adds the parts that are
not text (Python tasks, heuristics, policies and orders) and the defaults that depend on the task.
"""

from __future__ import annotations

from typing import Any

from fsplan.planner._core import RelaxedPlanPolicy, SearchOptions
from fsplan.planner.base.imports import import_named
from fsplan.planner.base.quantities import LARGEST, seconds, size
from fsplan.planner.base.weights import parse_weight
from fsplan.planner.search.catalogue import option, search_and_order
from fsplan.planner.tasks.spaces import attach_files, heuristic_function, heuristic_name, label, state_space_of

DEFAULT_SEARCH = "auto"
# Accuracy of the `ff` policy that Disc-1 assumes. Measuring it takes longer than most searches, so it is measured only
# by the command `fsplan policy accuracy ff`.
_ASSUMED = 0.8
# Options whose values may be Python objects; the record then contains their names.
_PARTS = ("order", "heuristic", "policy")


class Request:
    """The arguments of a search: `options`, and the objects that belong to them, such as the policy.

    `accuracy_origin` says where Disc-1's accuracy comes from: "given", "measured" (when the policy was made) or
    "assumed".
    """

    __slots__ = (
        "accuracy_origin",
        "accuracy_profile",
        "given_policy",
        "heuristic",
        "labels",
        "options",
        "order",
        "policy",
        "state_space",
    )

    def __init__(self, task: Any, given: dict[str, Any], on_progress: Any = None) -> None:
        self.accuracy_origin: str | None = None
        given = with_known_names(given)
        self.labels = {name: label(given.get(name)) for name in _PARTS}
        given = given | {"order": order_of(given.get("order"))}
        self.options = options_of(given)
        self.order = given["order"] if callable(given["order"]) else None
        self.heuristic = heuristic_function(task, given.get("heuristic"))
        self.state_space = state_space_of(task, given.get("heuristic"))
        self._choose_heuristic(given, on_progress)
        self._choose_policy(task, given)
        if self.options.reads("accuracy"):
            self._find_accuracy()
        self.accuracy_profile = self._find_profile(task)
        limit = given.get("time_limit")
        self.options.time_limit = _seconds(limit() if callable(limit) else limit)

    def _choose_heuristic(self, given: dict[str, Any], on_progress: Any) -> None:
        name = heuristic_name(self.state_space, given.get("heuristic"), strongest=_uses_strongest(self.options))
        self.options.set_defaults(self.state_space.is_expensive(name))
        self.options.heuristic = self.labels["heuristic"] = name
        attach_files(self.state_space, name, on_progress)

    def _choose_policy(self, task: Any, given: dict[str, Any]) -> None:
        policy = given.get("policy")
        if policy is None and self.options.needs_policy():
            from fsplan.planner.policies.registry import default_policy

            policy = default_policy(task)
        self.labels["policy"] = label(policy)
        self.given_policy = policy
        self.policy: Any = None
        if policy is not None:
            from fsplan.planner.policies.registry import resolve

            _refuse_unread_by_policy(self.options, policy)
            self.policy = resolve(policy, task, seed=self.options.seed, masked=self.options.masked)

    def _find_accuracy(self) -> None:
        from fsplan.planner.search.orders import check_accuracy

        if self.options.is_given("accuracy"):
            self.accuracy_origin = "given"
        else:
            self.options.accuracy, self.accuracy_origin = _known_accuracy(self.policy)
        actions = self.state_space.action_count() if self.options.alpha == "all" else 1
        check_accuracy(float(self.options.accuracy), actions)

    def _find_profile(self, task: Any) -> list[float]:
        """Returns the policy's accuracy by goal distance; empty for orders that do not read it."""
        if not self.options.needs_profile():
            return []
        from fsplan.planner.search.profile import accuracy_profile

        return accuracy_profile(self.policy, task)

    def record(self) -> dict[str, Any]:
        """Returns all options for repeating the run; options that were not read are None."""
        read: dict[str, Any] = self.options.record()
        del read["w"]
        for name in _unread_by_policy(self.options, self.given_policy):
            read[name] = None
        return {
            **read,
            **self.labels,
            "order": self.labels["order"] or read["order"],
            "w_exact": self.options.w,
            "policy_details": getattr(self.policy, "details", None),
            "accuracy_origin": self.accuracy_origin,
        }


def with_known_names(given: dict[str, Any]) -> dict[str, Any]:
    """Returns the given options with search and order by their catalogue names; raises ValueError for unknown ones."""
    known = {option(name).name: value for name, value in given.items()}
    search, order = search_and_order(known.get("search"), known.get("order"))
    return known | {"search": search, "order": order}


def options_of(given: dict[str, Any]) -> SearchOptions:
    """Returns the checked options; those that are None keep their defaults."""
    texts = {name: value for name, value in given.items() if value is not None}
    order = texts.pop("order", None)
    by_order = order is not None or texts.get("paper")
    texts.setdefault("search", "focal" if by_order else DEFAULT_SEARCH)
    for name, convert in _CONVERTED.items():
        if name in texts:
            texts[name] = convert(texts[name])
    options = SearchOptions(**texts)
    if callable(order):
        options.set_custom_order()
    elif order is not None:
        options.order = order
    options.refuse_unread()
    return options


def order_of(order: Any) -> Any:
    """Returns the order; the name of a user's function (module:name) is replaced by the function."""
    if not isinstance(order, str) or ":" not in order:
        return order

    function = import_named(order)
    if not callable(function):
        raise ValueError(f"order {order}: an order is a function of a step; this is not callable")
    return function


def _weight(w: Any) -> str:
    numerator, denominator = parse_weight(w)
    return f"{numerator}/{denominator}"


def _seconds(limit: Any) -> float | None:
    return seconds(limit) if isinstance(limit, str) else limit


def _bytes(limit: Any) -> int:
    return min(size(limit), LARGEST) if isinstance(limit, str) else limit


def _time(limit: Any) -> float | None:
    """Returns the limit in seconds; None if it is a function, which is called later, after the policy was built."""
    return None if callable(limit) else _seconds(limit)


_CONVERTED: dict[str, Any] = {
    "w": _weight,
    "time_limit": _time,
    "memory_limit": _bytes,
    "heuristic": lambda heuristic: label(heuristic),
    "policy": lambda policy: label(policy),
}


def _uses_strongest(options: SearchOptions) -> bool:
    """Whether the default is the strongest heuristic: for searches with a guarantee, except the paper's Algorithm 1."""
    return not options.paper and options.proves() != "nothing"


def _refuse_unread_by_policy(options: SearchOptions, policy: Any) -> None:
    for name in _unread_by_policy(options, policy):
        if options.is_given(name):
            raise ValueError(f"policy {label(policy)} does not read {name}; leave it out")


def _unread_by_policy(options: SearchOptions, policy: Any) -> list[str]:
    """Returns those policy options (seed, masked) that neither the policy nor the search reads."""
    reads = {"seed"} if options.draws() else set()
    reads |= {*_read_by_policy(policy)}
    return [name for name in ("seed", "masked") if name not in reads]


def _read_by_policy(policy: Any) -> tuple[str, ...]:
    """Returns the options that a policy reads; for a policy given by name its kind declares them.

    A policy that is given as an object was already made, so it does not read the seed. It reads `masked` unless it
    always gives inapplicable actions the probability 0.
    """
    if isinstance(policy, str):
        from fsplan.planner.policies.registry import kind_of

        return kind_of(policy).reads
    native = getattr(policy, "is_well_defined", None)
    well_defined = native() if callable(native) else getattr(policy, "well_defined", policy is None)
    return () if well_defined else ("masked",)


def _known_accuracy(policy: Any) -> tuple[float, str]:
    if isinstance(policy, RelaxedPlanPolicy):
        return _ASSUMED, "assumed"
    known = getattr(policy, "accuracy", None)
    if known is None:
        raise ValueError("disc1 needs the policy's accuracy: give accuracy=…, or use disc2")
    return float(known), "measured"
