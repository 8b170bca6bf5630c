"""Every native computation of bounds checks its limits of time and memory."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np
import pytest
from random_ground_tasks import side_by_side

import fsplan
from fsplan.planner._core import (
    Abstractions,
    Budget,
    GroundStateSpace,
    Landmarks,
    action_costs,
    pruned_task,
    state_equation,
)
from fsplan.planner.bounds.allowance import Allowance
from fsplan.planner.bounds.root import bound, steps
from fsplan.planner.tasks.task import from_ground

TASK = side_by_side(150, 0, free=False, conditional=False)
SPACE = GroundStateSpace(TASK)
COSTS = action_costs(SPACE)
ORDER = np.arange(len(COSTS), dtype=np.uint32)
AMPLE = Budget()

Step = Callable[[Budget], object]
STEPS: dict[str, Step] = {
    "Landmarks": lambda watch: Landmarks(SPACE, watch),
    "cuts": lambda watch: Landmarks(SPACE, AMPLE).cuts(COSTS, watch),
    "last_of": lambda watch: Landmarks(SPACE, AMPLE).last_of(ORDER, watch),
    "make_pairs": lambda watch: Landmarks(SPACE, AMPLE).make_pairs(10**7, watch),
    "state_equation": lambda watch: state_equation(SPACE, watch),
    "small": lambda watch: Abstractions(SPACE, "small", 2, 20_000, 10**7, watch),
    "large": lambda watch: Abstractions(SPACE, "large", 20, 20_000, 10**7, watch),
    "refined": lambda watch: Abstractions(SPACE, "refined", 0, 1_000, 10**7, watch),
    "partition of small": lambda watch: Abstractions(SPACE, "small", 2, 20_000, 10**7, AMPLE).partition(COSTS, watch),
    "partition of large": lambda watch: Abstractions(SPACE, "large", 6, 20_000, 10**7, AMPLE).partition(COSTS, watch),
    "partition of refined": lambda watch: Abstractions(SPACE, "refined", 0, 300, 10**7, AMPLE).partition(COSTS, watch),
    "pruned_task": lambda watch: pruned_task(SPACE, watch),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_call_without_time_left_raises_an_error(step: str) -> None:
    with pytest.raises(TimeoutError, match="no time left"):
        STEPS[step](Budget(seconds=1e-6))


@pytest.mark.parametrize("step", STEPS)
def test_a_call_without_memory_left_raises_an_error(step: str) -> None:
    with pytest.raises(MemoryError, match="no memory left"):
        STEPS[step](Budget(memory_limit=1))


def test_without_time_or_memory_the_bound_is_zero() -> None:
    """No method finishes, so the only bound is the trivial one."""
    assert list(steps(SPACE, lambda: Allowance(perf_counter()))) == []
    assert list(steps(SPACE, lambda: Allowance(perf_counter() + 60), memory_limit=1)) == []
    late = bound(from_ground(TASK, "late"), time_limit=0.0)
    assert (late.value, late.method, late.methods) == (0, "none", ())


def test_a_method_ends_early_when_its_budget_is_used_up() -> None:
    """The budget is counted in work instead of time, so two runs agree."""
    space = fsplan.load(fsplan.example("blocks-8-0")).state_space

    def values(work: float) -> list[tuple[str, int | None, bool]]:
        found = steps(space, lambda: Allowance(perf_counter() + 60, work))
        return [(step.method, step.value, step.finished) for step, _ in zip(found, range(10), strict=False)]

    little, much = values(10_000), values(1e12)
    assert little == values(10_000)
    assert not all(finished for _, _, finished in little)
    assert all(finished for _, _, finished in much)
    assert max(value or 0 for _, value, _ in little) <= max(value or 0 for _, value, _ in much) == 18


def test_landmarks_continue_from_slice_to_slice() -> None:
    """Other methods run to their end in one slice, because they cannot be resumed. Every slice's bound is valid."""
    space = fsplan.load(fsplan.example("blocks-8-0")).state_space

    def found(of_slice: float) -> list[tuple[str, int | None, bool]]:
        made = steps(space, lambda: Allowance(perf_counter() + 60, 1e12, of_slice))
        return [(step.method, step.value, step.finished) for step in made]

    sliced, whole = found(4_000), found(1e12)
    assert sliced == found(4_000)
    unfinished = [method for method, _, finished in sliced if not finished]
    assert set(unfinished) == {"landmarks", "pair-landmarks"}
    assert len(unfinished) > 1
    assert [method for method, _, finished in sliced if finished] == [method for method, _, _ in whole]
    values = [value for method, value, _ in sliced if method.endswith("landmarks")]
    assert values == sorted(values)
    assert max(value or 0 for _, value, _ in sliced) <= 18
