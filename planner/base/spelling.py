"""Finds the name that a user means: `A*` is astar, `Disc-1` is disc1. Errors suggest the nearest known name."""

from __future__ import annotations

from collections.abc import Sequence

from fsplan.pddl.errors import nearest


def spelt(what: str, name: str, names: Sequence[str], listing: str = "") -> str:
    """Returns the known name that is meant; the error suggests a similar name, or else shows `listing` or all names.

    >>> spelt("search", "WA*", ["astar", "wastar"]), spelt("heuristic", "LM-cut", ["lmcut"])
    ('wastar', 'lmcut')
    >>> spelt("order", "dsic1", ["disc1", "score1"])
    Traceback (most recent call last):
    ValueError: order 'dsic1' is unknown; did you mean 'disc1'?
    """
    if name in names:
        return name
    for known in names:
        if _plain(known) == _plain(name):
            return known

    near = nearest(name.lower(), names)
    raise ValueError(f"{what} {name!r} is unknown{near or f'; {listing or _choices(names)}'}")


def _choices(names: Sequence[str]) -> str:
    return f"choose one of: {', '.join(names)}"


def _plain(name: str) -> str:
    """Returns a name in lower case without punctuation, for comparison.

    >>> _plain("Disc-1"), _plain("h_max"), _plain("IDA*")
    ('disc1', 'hmax', 'idastar')
    """
    return "".join(letter for letter in name.lower().replace("*", "star") if letter.isalnum())
