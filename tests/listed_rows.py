"""Inequalities over operator counts that a test lists by hand, in the form in which the native code returns them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Listed:
    """A list of inequalities Σ coefficient · count(action) ≥ right-hand side, as (coefficient by action, right
    side)."""

    rows: list[tuple[dict[int, int], int]]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def begin(self) -> np.ndarray:
        return np.cumsum([0, *(len(terms) for terms, _ in self.rows)])

    @property
    def action(self) -> np.ndarray:
        return np.array([action for terms, _ in self.rows for action in terms], np.uint32)

    @property
    def coefficient(self) -> np.ndarray:
        return np.array([factor for terms, _ in self.rows for factor in terms.values()], np.int64)

    @property
    def lower(self) -> np.ndarray:
        return np.array([lower for _, lower in self.rows], np.int64)
