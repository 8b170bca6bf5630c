"""What is particular to single orders of FOCAL. `catalogue.orders()` lists them with the paper's equations.

Each is a value folded over the path from the start; FOCAL takes the least first. π is the policy, δ its first choice
among the applicable actions (ties to the lower action number), rank 0 that of δ.

A custom order is a callable: given a step with `parent` (the value of the path so far, 0 at the start),
`log_probability`, `rank`, `applicable`, `action`, `cost`, `g`, `h` and `f`, it returns the value of the longer path, by
which FOCAL is ordered.
"""

from __future__ import annotations


def discrepancy_ratio(accuracy: float, actions: int) -> float:
    """Disc-1's price of a step along the policy; a step against it costs 1.

    >>> round(discrepancy_ratio(0.9, 4), 4)
    0.031
    """
    from fsplan.planner import _core

    check_accuracy(accuracy, actions)
    return _core.discrepancy_ratio(accuracy, actions - 1)


def check_accuracy(accuracy: float, actions: int) -> None:
    """Refuses an accuracy for which Disc-1 makes no sense."""
    if not 0 < accuracy <= 1:
        raise ValueError(f"accuracy must be in (0, 1], not {accuracy}")
    if actions > 1 and accuracy <= 1 / actions:
        raise ValueError(
            f"disc1 needs an accuracy above 1/|A| = 1/{actions}, not {accuracy}: "
            "at or below it the policy's first choice is no better than any other action"
        )
