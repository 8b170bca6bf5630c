"""Writes the proof of a lower bound to a file that `fsplan check` verifies; the format is described in docs/proofs.md.

Whoever found the bound, it is proven anew in a form that can be checked: states with labels, and evidence for the
bounds of the states around them (core/proofs).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fsplan.planner import _core
from fsplan.planner.costs import from_units, in_units
from fsplan.planner.files import replace
from fsplan.planner.quantities import readable_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fsplan.planner.task import Task

DEFAULT_LIMIT = 10**9  # bytes
MOST_STATES = 20_000_000
VERSION = "fsplan-proof 1"


@dataclass(frozen=True)
class Written:
    """What was written. `bound` is None where the proof shows that there is no plan."""

    bound: Any
    labels: int
    bounds: int
    size: int

    @property
    def states(self) -> int:
        return self.labels + self.bounds

    def text(self) -> str:
        what = "there is no plan" if self.bound is None else f"every plan costs at least {self.bound}"
        return f"{what}, {self.states:,} states, {readable_size(self.size)}"


class TooLarge(ValueError):
    """The proof needs more than the limit."""


def write_proof(
    task: Task,
    bound: Any,
    path: str | os.PathLike[str],
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    size_limit: int = DEFAULT_LIMIT,
) -> Written:
    """Writes a proof that no plan costs less than the bound; None stands for: there is no plan.

    If a limit does not allow it, the proof is of the greatest bound that it allows: the result says which.
    """
    space = task.state_space
    if not isinstance(space, _core.GroundStateSpace) or task.problem is None:
        raise ValueError("proofs are of PDDL tasks: their checker works on the PDDL")
    search = _core.ProofSearch(space, time_limit or 0.0, memory_limit or 0)
    names = AtomTable(task, space)
    target = None if bound is None else in_units(bound, task.cost_denominator)
    proven = search.prove(target, MOST_STATES)
    try:
        return _write(search, names, proven, path, size_limit)
    except TooLarge:
        search = _core.ProofSearch(space)
        return _write(search, names, search.prove(target, 0), path, size_limit)


def _write(
    search: _core.ProofSearch, names: AtomTable, bound: int | None, path: str | os.PathLike[str], limit: int
) -> Written:
    size = 0

    def fill(place: str) -> None:
        nonlocal size
        with _open(place, compressed=os.fspath(path).endswith(".gz")) as write:

            def emit(text: str) -> None:
                nonlocal size
                size += len(text)
                if size > limit:
                    raise TooLarge(f"the proof needs more than {readable_size(limit)}")
                write(text.encode())

            emit("".join(f"{line}\n" for line in names.header(bound)))
            search.write(names.literals, names.atom_of, emit)
            emit("end\n")

    replace(path, fill)
    return Written(from_units(bound, names.denominator), search.label_count(), search.evidence_count(), size)


class _open:
    """A file, compressed or not, as the function that writes to it."""

    def __init__(self, place: str, compressed: bool) -> None:
        import gzip

        self._file = gzip.open(place, "wb", 5) if compressed else open(place, "wb")  # noqa: SIM115

    def __enter__(self) -> Callable[[bytes], object]:
        return self._file.write

    def __exit__(self, *_: object) -> None:
        self._file.close()


class AtomTable:
    """The atoms that a proof names: first those that its states are made of."""

    def __init__(self, task: Task, space: _core.GroundStateSpace) -> None:
        from fsplan.pddl.ground import hand_over
        from fsplan.pddl.normalise import normalise

        assert task.problem is not None
        self.denominator = task.cost_denominator
        self.number: dict[tuple[str, ...], int] = {}
        ground = space.task
        facts = [(tuple(words), negated) for words, negated in _core.fact_words(space)]
        layer = [ground.layer[variable] for variable, size in enumerate(ground.domain_size) for _ in range(size)]
        for (words, _), each in zip(facts, layer, strict=True):
            if words and each < 0:
                self._add(words)
        self.listed = len(self.number)
        self.groups = _core.invariant_groups(hand_over(normalise(task.problem)))
        twins = dict(self._twins({words for words, _ in facts}))
        self.atom_of = [
            self.number[words] if words and not negated and each < 0 else -1
            for (words, negated), each in zip(facts, layer, strict=True)
        ]
        self.literals = [
            self._literals(words, negated, twins) if words and each < 0 else []
            for (words, negated), each in zip(facts, layer, strict=True)
        ]

    def _add(self, words: tuple[str, ...]) -> int:
        return self.number.setdefault(words, len(self.number))

    def _twins(self, named: set[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Where exactly one of two atoms is true, the grounder uses one for the negation of the other."""
        for atoms, exact in self.groups:
            pair = [tuple(words) for words in atoms]
            if exact and len(pair) == 2 and named.issuperset(pair):
                yield pair[0], pair[1]
                yield pair[1], pair[0]

    def _literals(
        self, words: tuple[str, ...], negated: bool, twins: dict[tuple[str, ...], tuple[str, ...]]
    ) -> list[int]:
        own = [2 * self._add(words) + negated]
        return own if negated or words not in twins else [*own, 2 * self._add(twins[words]) + 1]

    def header(self, bound: int | None) -> Iterator[str]:
        groups = [[self._add(tuple(words)) for words in atoms] for atoms, _ in self.groups]
        yield VERSION
        yield f"bound {'inf' if bound is None else bound}"
        for words in self.number:
            yield f"atom {' '.join(words)}"
        for number, group in enumerate(groups):
            if group:
                yield f"{'one' if number else 'never'} {' '.join(map(str, group))}"
        yield f"task {self.listed} 1/{self.denominator}"
