"""Judges a plan of any planner: is it valid, how far from optimal is it, and is there a better one?

>>> import fsplan
>>> task = fsplan.load(fsplan.example("blocks-8-0"))
>>> plan = fsplan.solve(task, search="wastar", w=3).plan
>>> verdict = judge(task, plan, w=1.5)
>>> verdict.valid, verdict.result.proven_ratio <= 1.5
(True, True)
>>> judge(task, plan[:-1]).valid
False
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from fsplan.pddl.costs import plain
from fsplan.planner.plans.plan_files import read_plan
from fsplan.planner.plans.validate import validate
from fsplan.planner.search.result import proven_ratio
from fsplan.planner.search.solve import solve
from fsplan.planner.sources.load import ensure_loaded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fsplan.planner.plans.validate import Validation
    from fsplan.planner.search.result import Result
    from fsplan.planner.search.solve import OnGap, OnIncumbent, OnProgress
    from fsplan.planner.tasks.task import Task, TaskName

DEFAULT_W = "1.2"
DEFAULT_SECONDS = 60.0
SCHEMA = "fsplan-judgement-1"  # the number increases when a field changes its name or meaning


@dataclass(frozen=True)
class Judgement:
    """The verdict on a plan. `result` is that of the search that started from the plan; None for an invalid plan."""

    validation: Validation
    result: Result | None = None

    @property
    def valid(self) -> bool:
        return self.validation.valid

    @property
    def cost(self) -> Any:
        """Cost of the plan that was judged."""
        return self.validation.cost

    @property
    def lower_bound(self) -> Any:
        return None if self.result is None else self.result.lower_bound

    @property
    def better_plan(self) -> list[str] | None:
        """A cheaper plan, or None if none was found."""
        return self.result.plan if self.result is not None and self.result.cost < self.cost else None

    @property
    def excess(self) -> float | None:
        """Upper bound on (cost - optimum) / optimum: 0.07 means at most 7 % more than the optimum."""
        return self._excess(self.cost)

    def _excess(self, cost: Any) -> float | None:
        if not self.lower_bound:
            return 0.0 if self.lower_bound == cost else None
        return float(cost / self.lower_bound) - 1

    @property
    def message(self) -> str:
        if not self.valid:
            return f"the plan is not valid: {self.validation.message}"
        known = f"the plan is valid and costs {self.cost}, {_quality(self.excess)}"
        if self.better_plan is None or self.result is None:
            return known
        return f"{known}; a better plan costs {self.result.cost}, {_quality(self._excess(self.result.cost))}"

    def to_json(self) -> dict[str, Any]:
        found = self.result
        return {
            "schema": SCHEMA,
            "valid": self.valid,
            "message": self.message,
            **self.validation.failure(),
            "cost": plain(self.cost) if self.valid else None,
            "lower_bound": plain(self.lower_bound),
            "proven_ratio": proven_ratio(self.cost, self.lower_bound) if self.valid else None,
            "excess": self.excess if self.valid else None,
            "better_cost": None if self.better_plan is None or found is None else plain(found.cost),
            "better_plan": self.better_plan,
            "status": None if found is None else found.status,
            "bound_by": None if found is None else found.statistics.get("bound_by"),
        }


def _quality(excess: float | None) -> str:
    if excess is None:
        return "and no lower bound above 0 is known"
    if excess <= 0:
        return "which is optimal"
    percent = 100 * excess
    return f"at most {ceil(percent - 1e-9) if percent >= 1 else f'{percent:.2g}'} % above the optimum"


def judge(
    task: Task | TaskName,
    plan: str | Iterable[str],
    *,
    w: str | float = DEFAULT_W,
    time_limit: float | None = DEFAULT_SECONDS,
    memory_limit: int | None = None,
    on_progress: OnProgress | None = None,
    on_incumbent: OnIncumbent | None = None,
    on_gap: OnGap | None = None,
) -> Judgement:
    """Validates a plan, given as text or as its steps, and then searches for lower bounds and for cheaper plans.

    The search `auto` gets the plan as its first incumbent. It raises the lower bound and looks for cheaper plans until
    the best plan is proven to cost at most w times the optimum, or the time limit is reached.
    """
    loaded: Task = ensure_loaded(task)
    text = plan if isinstance(plan, str) else list(plan)
    validation = validate(loaded, text, suggest=True)
    if not validation.valid:
        return Judgement(validation)
    steps = [str(step)[1:-1] for step in read_plan(text).steps]
    if loaded.problem is None:  # not PDDL: names may have upper case, but plans are read in lower case
        spelling = {name.lower(): name for name in loaded.actions}
        steps = [spelling.get(step, step) for step in steps]
    result = solve(
        loaded,
        "auto",
        w=w,
        time_limit=time_limit,
        memory_limit=memory_limit,
        on_progress=on_progress,
        on_incumbent=on_incumbent,
        on_gap=on_gap,
        incumbent=(steps, validation.cost),  # type: ignore[arg-type]
    )
    return Judgement(validation, result)
