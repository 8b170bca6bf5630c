"""The accuracy parameter of the order Disc-1. `catalogue.orders()` lists all orders of FOCAL with their equations.

An order assigns each node a value that is computed step by step along its path from the initial state; FOCAL expands
the node with the smallest value first. π is the policy and δ its most probable applicable action (ties go to the lower
action number); the rank of an action is its position by probability, so δ has rank 0.

A custom order is a callable. Its argument is a step with `parent` (the value of the path so far, 0 in the initial
state), `log_probability`, `rank`, `applicable`, `action`, `cost`, `g`, `h` and `f`. It returns the value of the longer
path.
"""

from __future__ import annotations


def check_accuracy(accuracy: float, actions: int) -> None:
    """Raises ValueError for an accuracy at which Disc-1 is not defined."""
    if not 0 < accuracy <= 1:
        raise ValueError(f"accuracy must be in (0, 1], not {accuracy}")
    if actions > 1 and accuracy <= 1 / actions:
        raise ValueError(
            f"disc1 needs an accuracy above 1/|A| = 1/{actions}, not {accuracy}: "
            "at or below it the policy's first choice is no better than any other action"
        )
