"""Branching on operator counts raises the bound of the linear program, and never above the integer optimum."""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from time import perf_counter

import numpy as np
import pytest
from listed_rows import Listed

from fsplan.planner.bounds.allowance import Allowance
from fsplan.planner.bounds.branching import raise_bound
from fsplan.planner.bounds.exact import round_up
from fsplan.planner.bounds.program import CountingProgram


def program_of(costs: list[int], listed: list[tuple[dict[int, int], int]]) -> CountingProgram:
    program = CountingProgram(np.array(costs, np.int64))
    program.add(Listed(listed))
    program.solve(Allowance(perf_counter() + 60))
    return program


def nothing() -> int:
    return 0


@pytest.mark.parametrize("count", [4, 5, 6])
def test_branching_is_tight_where_any_two_actions_are_a_landmark(count: int) -> None:
    program = program_of([1] * count, [({a: 1, b: 1}, 1) for a, b in combinations(range(count), 2)])
    assert round_up(program.value, program.costs) == (count + 1) // 2
    assert raise_bound(program, nothing, Allowance(perf_counter() + 60)) == count - 1


def test_branching_never_exceeds_the_integer_optimum() -> None:
    raised = 0
    for seed in range(150):
        random = Random(seed)
        actions = random.randint(2, 4)
        costs = [random.choice([0, 1, 1, 2, 5]) for _ in range(actions)]
        listed = [
            ({a: random.randint(-1, 3) for a in range(actions)}, random.randint(-1, 4))
            for _ in range(random.randint(1, 5))
        ]
        best = min(
            (
                sum(c * x for c, x in zip(costs, counts, strict=True))
                for counts in product(range(9), repeat=actions)
                if all(sum(f * counts[a] for a, f in terms.items()) >= lower for terms, lower in listed)
            ),
            default=None,
        )
        program = program_of(costs, listed)
        if program.infeasible or best is None:
            continue
        before, after = (
            round_up(program.value, program.costs),
            raise_bound(program, nothing, Allowance(perf_counter() + 60)),
        )
        assert before <= after <= best, seed
        raised += after > before
    assert raised > 10
