"""The result of a search: status, plan, lower bound, statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fsplan.pddl.names import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from fractions import Fraction

    from fsplan.planner.search.gap import GapPoint

SCHEMA = "fsplan-result-1"  # the number increases when a field changes its name or meaning

# Exit codes by status, as in Fast Downward.
EXIT_CODES = {
    "solved": 0,
    "unsolvable": 11,
    "not_found": 12,
    "memout": 22,
    "timeout": 23,
    "expansion_limit": 23,
    "interrupted": 130,
}
# Exit codes if a limit ended the search after it had found a plan but before w was proven.
EXIT_CODES_WITH_PLAN = {"memout": 1, "timeout": 2, "expansion_limit": 2}


def proven_ratio(cost: Any, lower_bound: Any) -> float | None:
    """Returns cost / lower_bound, or None if that is undefined.

    >>> proven_ratio(18, 12), proven_ratio(0, 0), proven_ratio(3, 0), proven_ratio(None, 7)
    (1.5, 1.0, None, None)
    """
    if cost is None or lower_bound is None:
        return None
    if cost == lower_bound:
        return 1.0
    return float(cost / lower_bound) if lower_bound else None


def _rounded(accuracy: float) -> str:
    """Returns the accuracy with two decimals, or with four if it is so close to 1 that two would show 1.

    >>> _rounded(0.807843), _rounded(0.99874), _rounded(1.0)
    ('0.81', '0.9987', '1')
    """
    return f"{accuracy:.2g}" if accuracy < 0.99 else f"{accuracy:.4g}"


class Result:
    """The result of a search.

    `lower_bound` is proven: no plan costs less. `proven_ratio` is cost / lower_bound, None without a plan or
    if `certified` is false. Costs are ints, or exact fractions if the task's costs are not integers.
    `record` holds what is needed to repeat the run: search, order, heuristic, policy, w, seed, ties.
    `step_costs` are the costs of the plan's steps, if the plan was validated against PDDL.
    `gap_history` lists, as `GapPoint`s, when better plans were found and greater bounds proven.
    `plan` has the names of the steps, `actions` the actions themselves.

    >>> import fsplan
    >>> result = fsplan.astar(fsplan.example("blocks-8-0"))
    >>> result.actions[0].name, result.actions[0].cost, result.expanded == result.statistics["expanded"]
    ('unstack a g', 1, True)
    """

    __slots__ = ("_actions", "certified", "cost", "gap_history", "lower_bound", "plan", "record", "statistics",
                 "status", "step_costs", "weight")  # fmt: skip

    def __init__(
        self,
        status: str,
        plan: list[str] | None,
        cost: int | Fraction | None,
        lower_bound: int | Fraction | None,
        certified: bool,
        weight: tuple[int, int],
        record: Mapping[str, Any],
        statistics: Mapping[str, Any],
        step_costs: list[int | Fraction] | None = None,
        gap_history: Sequence[GapPoint] = (),
        actions: Callable[[], list[Any]] | None = None,
    ) -> None:
        self.status, self.plan, self.cost, self.lower_bound = status, plan, cost, lower_bound
        self.certified, self.weight, self.record, self.statistics = certified, weight, record, statistics
        self.step_costs, self.gap_history, self._actions = step_costs, list(gap_history), actions

    @property
    def actions(self) -> list[Any] | None:
        """The plan's steps as `fsplan.Action`s, or as the objects of a task written in Python; None without a plan."""
        if self.plan is None:
            return None
        if self._actions is None:
            raise ValueError("this result was stored without its task: use [task.action(step) for step in result.plan]")
        return self._actions()

    @property
    def expanded(self) -> int:
        """Number of expanded states."""
        return int(self.statistics["expanded"])

    @property
    def seconds(self) -> float:
        """Duration of the search in seconds, without loading the task."""
        return float(self.statistics["search_seconds"])

    @property
    def w(self) -> Fraction:
        """The requested weight w as an exact fraction."""
        from fractions import Fraction

        return Fraction(*self.weight)

    @property
    def exit_code(self) -> int:
        """Exit code of the command line for this result."""
        with_plan = EXIT_CODES_WITH_PLAN.get(self.status) if self.solved else None
        return EXIT_CODES[self.status] if with_plan is None else with_plan

    @property
    def solved(self) -> bool:
        return self.plan is not None

    @property
    def proven_ratio(self) -> float | None:
        """Cost / lower bound, even if a limit ended the search before w was proven; None if nothing is proven."""
        is_sound = self.certified or self.record.get("reopen") is not False  # without re-opening the bound may be wrong
        return proven_ratio(self.cost, self.lower_bound) if is_sound else None

    @property
    def description(self) -> str:
        """One line with the search, its options and its assumptions.

        >>> record = {"search": "focal", "order": "disc1", "heuristic": "lmcut", "policy": "ff", "accuracy": 0.73,
        ...           "accuracy_origin": "measured", "w_exact": "3/2"}
        >>> Result("timeout", None, None, 0, False, (3, 2), record, {}).description
        'focal disc1, lmcut, policy ff (measured accuracy 0.73), w = 3/2'
        """
        record = self.record
        name = " ".join(filter(None, (record["search"], record.get("order"))))
        parts = [f"{name} as in the paper" if record.get("paper") else name, record["heuristic"]]
        if record.get("policy"):
            accuracy = record.get("accuracy")
            shown = f"{accuracy:g}" if record.get("accuracy_origin") == "given" else _rounded(accuracy or 0)
            known = f" ({record.get('accuracy_origin')} accuracy {shown})" if accuracy else ""
            parts.append(f"policy {record['policy']}{known}")
        return ", ".join([*parts, f"w = {record['w_exact'].removesuffix('/1')}"])

    def to_dict(self) -> dict[str, Any]:
        """Returns all fields as plain values; docs/json.md describes them."""
        from fsplan.pddl.costs import plain

        return {
            "schema": SCHEMA,
            "status": self.status,
            "cost": plain(self.cost),
            "lower_bound": plain(self.lower_bound),
            "proven_ratio": self.proven_ratio,
            "certified": self.certified,
            "w": self.weight[0] / self.weight[1],
            "plan": self.plan,
            **self.record,
            "statistics": dict(self.statistics),
            "gap_history": [point.to_json() for point in self.gap_history],
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Returns `to_dict` as JSON text."""
        from json import dumps

        return dumps(self.to_dict(), indent=indent)

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """Leaves out the task when a result is pickled, because it may be large."""
        return None, {name: getattr(self, name) for name in self.__slots__} | {"_actions": None}

    def __bool__(self) -> bool:
        """Whether there is a plan."""
        return self.solved

    def __repr__(self) -> str:
        """
        >>> Result("solved", ["a", "b"], 2, 2, True, (1, 1), {}, {})
        <Result solved: 2 steps, cost 2, lower bound 2, ratio 1>
        >>> Result("timeout", None, None, 7, False, (1, 1), {}, {})
        <Result timeout: no plan, lower bound 7>
        """
        return f"<Result {self.status}: {', '.join(self._findings())}>"

    def _findings(self) -> list[str]:
        found = ["no plan"] if self.plan is None else [plural(len(self.plan), "step"), f"cost {self.cost}"]
        if self.lower_bound is not None:
            found.append(f"lower bound {self.lower_bound}")
        if self.proven_ratio is not None:
            found.append(f"ratio {self.proven_ratio:.4g}")
        return found

    def _repr_html_(self) -> str:
        from fsplan.planner.search.result_html import result_html

        return result_html(self)
