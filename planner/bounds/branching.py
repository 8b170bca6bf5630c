"""Operator counts are integers: a branch tree of linear programs, each proven exactly.

To show that every plan costs more than some value, the counts of one action are split into "at most k" and "at least
k + 1", again and again, until in each leaf the linear program proves a greater cost, or has no solution. A leaf's proof
is one by multipliers in integers (exact.py), where the two branching conditions are rows like any other: so the tree is
exact although the solver is not. At each node landmarks that the solution violates are added; they hold for every plan
and stay for the whole tree. A solution in integers that violates no landmark ends the attempt.

Example: four actions of cost 1, of which any two are a landmark. The linear program counts each one half: 2. In
integers at most one count can be 0: if a is used at most 0 times, the three others are needed, if at least once, the
same is shown of b, and so on: 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fsplan.planner.bounds.exact import round_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from fsplan.planner.bounds.allowance import Allowance
    from fsplan.planner.bounds.program import CountingProgram

NODES = 300  # per attempt to raise the bound
CUTS = 10  # rounds of landmarks per node
INTEGRAL = 1e-6


@dataclass(frozen=True)
class Branch:
    """Limits of operator counts: per action at least, and at most."""

    at_least: dict[int, int]
    at_most: dict[int, int]

    def split(self, action: int, count: float) -> tuple[Branch, Branch]:
        below = int(np.floor(count))
        return (
            Branch(self.at_least, {**self.at_most, action: below}),
            Branch({**self.at_least, action: below + 1}, self.at_most),
        )


def raise_bound(program: CountingProgram, separate: Callable[[], int], allowance: Allowance) -> int:
    """The greatest bound that is proven; `separate` adds rows that the program's present solution violates."""
    proven = round_up(program.value, program.costs)
    step = max(1, int(np.gcd.reduce(program.costs, initial=0)))
    while program.costs.any() and not program.infeasible and _all_cost_more(program, proven, separate, allowance):
        proven += step
    return proven


def _all_cost_more(program: CountingProgram, value: int, separate: Callable[[], int], allowance: Allowance) -> bool:
    open_branches = [Branch({}, {})]
    for _ in range(NODES):
        if not open_branches:
            return True
        branch = open_branches.pop()
        if _costs_more(program, branch, value, separate, allowance):
            continue
        if allowance.is_used_up:
            return False
        distance = np.abs(program.counts - np.rint(program.counts))
        action = int(np.argmax(distance))
        if distance[action] < INTEGRAL:
            return False
        open_branches.extend(branch.split(action, float(program.counts[action])))
    return False


def _costs_more(
    program: CountingProgram, branch: Branch, value: int, separate: Callable[[], int], allowance: Allowance
) -> bool:
    for _ in range(CUTS):
        proven = program.solve_branch(branch.at_least, branch.at_most, allowance)
        if proven is None or round_up(proven, program.costs) > value:
            return True
        if allowance.is_used_up or separate() == 0:
            break
    return False
