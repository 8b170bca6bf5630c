"""Branch and bound over operator counts, which must be integers: a tree of linear programs, each proven exactly.

To prove that every plan costs more than some value, the count of one action is split into "at most k" and "at least
k + 1", recursively, until the linear program of each leaf proves a greater cost or is infeasible. The proof of a leaf
consists of integer multipliers (exact.py), where the two branching conditions are ordinary rows. So the tree is exact
although the LP solver uses floating-point numbers. At each node, landmarks that the LP solution violates are added as
rows. They hold for every plan, so they are kept for the whole tree. If an integer solution violates no landmark, the
value cannot be excluded and the attempt ends.

Example: four actions of cost 1, where every pair of actions is a landmark. The linear program sets each count to 1/2,
which gives the bound 2. In integers at most one count can be 0. If a is used at most 0 times, the three other actions
are needed; if a is used at least once, the tree branches on b, and so on. This proves the bound 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fsplan.planner.bounds.allowance import Allowance
from fsplan.planner.bounds.exact import round_up
from fsplan.planner.bounds.program import CountingProgram

NODES = 300  # maximal number of nodes per attempt to raise the bound
CUTS = 10  # rounds of landmarks per node
INTEGRAL = 1e-6  # a count that is closer to an integer than this is integral


@dataclass(frozen=True)
class Branch:
    """A node of the tree: lower limits (`at_least`) and upper limits (`at_most`) on the counts of some actions."""

    at_least: dict[int, int]
    at_most: dict[int, int]

    def split(self, action: int, count: float) -> tuple[Branch, Branch]:
        below = int(np.floor(count))
        return (
            Branch(self.at_least, {**self.at_most, action: below}),
            Branch({**self.at_least, action: below + 1}, self.at_most),
        )


def raise_bound(program: CountingProgram, separate: Callable[[], int], allowance: Allowance) -> int:
    """The greatest lower bound that branching proves.

    `separate` adds landmarks that the program's current solution violates, and returns the number of added rows.
    """
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
