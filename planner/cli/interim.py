# ruff: noqa: E501
"""Options of the search as data, until the library declares them."""

from __future__ import annotations

from typing import Any, NamedTuple

from fsplan.planner.cli.errors import UsageError
from fsplan.planner.orders import ORDERS
from fsplan.planner.search import SEARCHES


class Descriptor(NamedTuple):
    name: str
    summary: str
    kind: str = "text"
    default: Any = None
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    group: str = "common"


def options() -> list[Descriptor]:
    flag, advanced = "flag", "advanced"
    return [
        Descriptor("search", "The search.", "choice", choices=SEARCHES),
        Descriptor("order", "Focal search with this order of FOCAL.", "choice", choices=tuple(ORDERS)),
        Descriptor("w", "Suboptimality bound, at least 1, such as 1.2 or 4/3. [default: 1.5]", metavar="W"),
        Descriptor("anytime", "Go on after a plan, towards an optimal one.", flag, False),
        Descriptor("fast", "Focal search beyond the paper's Algorithm 1.", flag, False),
        Descriptor("heuristic", "hmax, lmcut, blind, goalcount, hadd, hff; a puzzle's own.", metavar="H"),
        Descriptor("policy", "ff, uniform, synthetic:ACCURACY, a policy file, a shipped name, module:factory.", metavar="P"),
        Descriptor("accuracy", "The policy's accuracy, for disc1.", "number", metavar="A", group=advanced),
        Descriptor("masked", "Keep the probability that policies give to inapplicable actions.", flag, True, group=advanced),
        Descriptor("alpha", "disc1's α + 1: all or the applicable actions.", "choice", choices=("all", "applicable"), group=advanced),
        Descriptor("preferred", "prefastar: what is preferred.", "choice", choices=("policy", "ff"), group=advanced),
        Descriptor("alternate", "prefastar: alternate between the queues.", flag, False, group=advanced),
        Descriptor("ties", "Tie-breaking, e.g. f,h,newest.", "list", metavar="LIST", group=advanced),
        Descriptor("reopen", "Never re-open a node; the bound is then not certified.", flag, True, group=advanced),
        Descriptor("uncertified", "Allow an inadmissible heuristic; no bound is proven.", flag, False, group=advanced),
        Descriptor("lookahead", "Score this many nodes of FOCAL at once.", "integer", metavar="K", group=advanced),
        Descriptor("k_focal", "K-Focal search: freeze the bound for K expansions.", "integer", metavar="K", group=advanced),
        Descriptor("lazy", "focal: evaluate states when they surface.", flag, False, group=advanced),
        Descriptor("fresh", "focal: rank only actions to states not yet reached so cheaply.", flag, False, group=advanced),
        Descriptor("hedge", "focal: turns for the least g + w·h of FOCAL.", flag, False, group=advanced),
        Descriptor("prove", "focal: N expansions of least f per expansion of the order.", "integer", metavar="N", group=advanced),
        Descriptor("deepen", "focal, puzzles: N depth-first nodes per expansion.", "integer", metavar="N", group=advanced),
        Descriptor("seed", "Seed of everything random.", "integer", metavar="N", group=advanced),
        Descriptor("expansion_limit", "Stop after this many expansions.", "integer", metavar="N", group=advanced),
    ]  # fmt: skip


DISC1 = ("accuracy", "alpha")
READ_BY = {
    **dict.fromkeys(("lookahead", "k_focal", "fast", "lazy", "fresh", "hedge", "prove", "deepen"), ("focal",)),
    **dict.fromkeys(DISC1, ("focal",)),
    **dict.fromkeys(("policy", "masked"), ("focal", "prefastar", "unroll", "optimistic")),
    "preferred": ("prefastar",),
    "ties": ("focal", "astar", "wastar", "gbfs", "prefastar"),
}


def refuse_unread(given: set[str], search: str, order: str) -> None:
    """An option that would change nothing is a mistake."""
    for name, readers in READ_BY.items():
        switch = f"--{name.replace('_', '-')}"
        if name in given and search not in readers:
            raise UsageError(f"{switch} is read by --search {', '.join(readers)}; --search {search} does not read it")
        if name in given and name in DISC1 and order != "disc1":
            raise UsageError(f"{switch} is read by --focal disc1; --focal {order} does not read it")
