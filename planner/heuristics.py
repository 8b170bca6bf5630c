"""The heuristics of grounded tasks: what they are, and what may be concluded from them. They are computed natively.

h is 0 at a goal and finite wherever the relaxation reaches the goal. With s' = s after a: admissible, h(s) ≤ h*(s);
consistent, h(s) ≤ c(a) + h(s').
"""

from __future__ import annotations


class Heuristic:
    __slots__ = ("admissible", "consistent", "formula", "name")

    def __init__(self, name: str, formula: str, *, admissible: bool = False, consistent: bool = False) -> None:
        self.name, self.formula = name, formula
        self.admissible, self.consistent = admissible, consistent


HEURISTICS = {
    heuristic.name: heuristic
    for heuristic in (
        Heuristic("hmax", "max over goal facts p of c(p); c(p) = min over a that add p of c(a) + max over pre(a) of c",
                  admissible=True, consistent=True),
        Heuristic("lmcut", "Σ of the least costs of landmark cuts, each taken off its actions", admissible=True),
        Heuristic("blind", "0 at a goal, the cheapest action's cost elsewhere", admissible=True, consistent=True),
        Heuristic("goalcount", "how many goal facts do not hold"),
        Heuristic("hadd", "Σ over goal facts p of c(p); c(p) = min over a that add p of c(a) + Σ over pre(a) of c"),
        Heuristic("hff", "cost of a relaxed plan of the operators that are cheapest by hadd"),
    )
}  # fmt: skip


def heuristic(name: str) -> Heuristic:
    """
    >>> heuristic("lmcut").admissible, heuristic("hff").admissible
    (True, False)
    """
    if name not in HEURISTICS:
        raise ValueError(f"no heuristic '{name}'; choose one of {', '.join(HEURISTICS)}")
    return HEURISTICS[name]
