"""Writes the proof of a lower bound to a file that `fsplan check` verifies; the format is described in docs/proofs.md.

The bound is proven again, independently of the search that found it, in a form that can be checked. The proof consists
of states with labels and evidence for the bounds of their successors (core/proofs), or of evidence from a linear
program for the initial state only (root_evidence.py).
"""

from __future__ import annotations

import gzip
import os
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from math import inf
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

from fsplan.pddl.costs import from_units, in_units
from fsplan.planner import _core
from fsplan.planner.base.files import is_special, replace
from fsplan.planner.base.limits import LimitReached
from fsplan.planner.base.quantities import readable_size
from fsplan.planner.proofs.puzzle_writer import lines_of_proof, rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from fsplan.planner.proofs.root_evidence import LinearEvidence
    from fsplan.planner.tasks.task import Task

    # First the atoms that are never true, then mutex groups; the flag says that exactly one atom of a group is true.
    Groups = list[tuple[list[list[str]], bool]]

DEFAULT_LIMIT = 10**9  # size limit of a proof, in bytes
MOST_STATES = 20_000_000
FEW_STATES = 300  # limit on the states of a first, short search, which runs before the linear programs
MOST_STATES_OF_TABLES = 200_000
# Shares of the remaining time for the search with FEW_STATES, the linear programs, and the search with MOST_STATES.
SHARE_OF_FEW, SHARE_OF_PROGRAMS, SHARE_OF_SEARCH = 0.15, 0.4, 0.9
MOST_SECONDS_OF_PROGRAMS = 60.0
FOREVER = 1e9
NO_PATH = 2**63 - 1
VERSION = "fsplan-proof 2"


@dataclass(frozen=True)
class Written:
    """The bound and the size of a written proof. `bound` is None if the proof shows that there is no plan.

    `labels` and `bounds` are the numbers of states with a label and with evidence; `size` is in characters.
    """

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
    """The proof is larger than the size limit."""


def write_proof(
    task: Task,
    bound: Any,
    path: str | os.PathLike[str],
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    size_limit: int = DEFAULT_LIMIT,
    on_written: Callable[[Written], None] | None = None,
) -> Written:
    """Writes a proof that no plan costs less than the bound; if the bound is None, that there is no plan.

    If the limits do not allow this, the greatest bound that they allow is proven; the result contains it. Whenever a
    proof of a greater bound is found, it replaces the file, so that there is a file early, and `on_written` is called
    with it. Raises a TimeoutError if the time limit is too short for any proof.
    """
    if is_special(os.fspath(path)):  # a pipe cannot be replaced, so only the final proof is written to it
        limits: dict[str, Any] = {"time_limit": time_limit, "memory_limit": memory_limit, "size_limit": size_limit}
        return _copied(path, lambda place: write_proof(task, bound, place, **limits))
    if not isinstance(task.state_space, _core.GroundStateSpace):
        return _write_of_puzzle(task, bound, path, time_limit or FOREVER, size_limit)
    writer = ProofWriter(task, time_limit, memory_limit)
    target = None if bound is None else in_units(bound, task.cost_denominator)
    written, best = None, -1.0
    failure: ValueError | OSError = TimeoutError("the time limit leaves no room for a proof")
    with suppress(TimeoutError, MemoryError, LimitReached):
        for proof in writer.proofs(target):
            if proof.strength() > best:
                try:
                    written = write_text(proof, writer.atoms, path, size_limit, writer.deadline)
                    best = proof.strength()
                    if on_written is not None:
                        on_written(written)
                except TooLarge as error:
                    failure = error
            if best >= (inf if target is None else target):
                break
    if written is None:
        raise failure
    return written


def _copied(path: str | os.PathLike[str], write: Callable[[str], Written]) -> Written:
    with TemporaryDirectory() as folder:
        place = os.path.join(folder, os.path.basename(path))
        written = write(place)
        with open(place, "rb") as source, open(path, "ab") as target:
            copyfileobj(source, target)
        return written


def check_provable(task: Task) -> None:
    """Raises a ValueError if proofs do not support this kind of task; call it before a long search."""
    if not isinstance(task.state_space, _core.GroundStateSpace) and rules_of(task) is None:
        raise ValueError("proofs are of PDDL tasks, .sas tasks and puzzles: their checkers know no others")


def _write_of_puzzle(
    task: Task, bound: Any, path: str | os.PathLike[str], time_limit: float, size_limit: int
) -> Written:
    check_provable(task)
    found = rules_of(task)
    assert found is not None
    proven, labels, lines = lines_of_proof(*found, bound, size_limit, perf_counter() + time_limit)

    def write(emit: Callable[[str], None]) -> None:
        for line in lines:
            emit(line)

    return Written(proven, labels, 0, write_lines(path, size_limit, write))


@dataclass
class Proof:
    """A proof that can be written.

    `bound` is in units, or None if there is no plan. `labels` and `bounds` are the numbers of states with a label and
    with evidence. `write` emits the lines after the header.
    """

    bound: int | None
    labels: int
    bounds: int
    write: Callable[[Callable[[str], None]], None]

    def strength(self) -> float:
        return inf if self.bound is None else self.bound


class ProofWriter:
    """Finds proofs in three ways: a short search with cuts as evidence, linear programs, and a long search."""

    def __init__(self, task: Task, time_limit: float | None, memory_limit: int | None) -> None:
        space = task.state_space
        assert isinstance(space, _core.GroundStateSpace)
        self.space, self.memory_limit = space, memory_limit
        self.deadline = perf_counter() + (time_limit or FOREVER)
        self.atoms = AtomTable(task, space)
        self.swaps: list[list[str]] = []  # pairs of interchangeable objects, as flat lists

    def proofs(self, target: int | None) -> Iterator[Proof]:
        """Yields proofs, the fastest method first. A proof must be written before the next one is computed."""
        search = self.search([])
        yield self.from_search(search, search.prove(target, 0, self._seconds()), Parts(self.atoms))
        self.swaps = self.atoms.kept_by(self.space.swaps(self._watch()))
        search = self.search(self.swaps) if self.swaps else search
        few = search.prove(target, FEW_STATES, self._seconds(SHARE_OF_FEW))
        yield self.from_search(search, few, Parts(self.atoms, self.swaps))
        linear = list(self.linear_evidence(target))
        yield from filter(None, (self.of_start(each) for each in linear[-1:]))
        yield self.by_search(target, linear)

    def _seconds(self, share: float = 1.0) -> float:
        """This share of the remaining time, in seconds; 0 means no limit."""
        left = max(self.deadline - perf_counter(), 1e-3)
        return 0.0 if left >= FOREVER / 2 else left * share

    def _watch(self) -> _core.Budget:
        """A budget of the remaining time."""
        return _core.Budget(max(self.deadline - perf_counter(), 1e-3), self.memory_limit or 0)

    def search(self, swaps: list[list[str]]) -> _core.ProofSearch:
        return _core.ProofSearch(self.space, self._seconds(), self.memory_limit or 0, swaps)

    def linear_evidence(self, target: int | None) -> Iterator[LinearEvidence]:
        try:
            from fsplan.planner.proofs.root_evidence import root_evidence
        except ImportError:  # no NumPy
            return
        left = self.deadline - perf_counter()
        seconds = min(left * SHARE_OF_PROGRAMS, MOST_SECONDS_OF_PROGRAMS)
        yield from root_evidence(
            self.space, inf if target is None else target, perf_counter() + seconds, self.memory_limit
        )

    def of_start(self, linear: LinearEvidence) -> Proof | None:
        """A proof for the initial state alone by a linear program; None if the file cannot express the evidence."""
        parts, search = Parts(self.atoms), self.search([])
        watch = self._watch()
        shares = parts.weighted(linear.weights)
        lost = 0
        for actions, share in linear.landmarks:
            facts = search.cut_of(actions)
            if facts is None:
                lost += share
            else:
                shares.append((parts.cut(*([fact] for fact in facts)), share))
        shares += [(parts.cut(*sets), share) for sets, share in linear.pair_cuts]
        for pattern, costs, share in linear.tables:
            table = _core.projection_table(self.space, pattern, costs, MOST_STATES_OF_TABLES, watch)
            if table is None:
                return None
            states, distances = (column.tolist() for column in table)
            shares.append((parts.table(pattern, states, distances), share))
        parts.sum(linear.denominator, shares)
        start = self.atoms.state(self.space.start_values())

        def write(emit: Callable[[str], None]) -> None:
            emit("".join(parts.lines))
            emit(" ".join(["b 0", *map(str, start)]) + "\n")

        return Proof(linear.value, 0, 1, write) if lost == 0 else None

    def by_search(self, target: int | None, linear: list[LinearEvidence]) -> Proof:
        """A proof by a search. States may also use the last `linear` evidence that is small and has no tables."""
        search = self.search(self.swaps)
        simple = [each for each in linear if not each.tables and not each.pair_cuts]
        usable = [each for each in simple if each.denominator > 0 and each.is_small()][-1:]
        cuts = [
            [(facts, share) for actions, share in each.landmarks if (facts := search.cut_of(actions)) is not None]
            for each in usable
        ]
        for each, of_each in zip(usable, cuts, strict=True):
            goal = sum(int(each.weights[fact]) for fact in self.space.task.goal)
            search.add(each.weights, goal, each.denominator, of_each)
        search.only_dead_ends = target is None
        proven = search.prove(target, MOST_STATES, self._seconds(SHARE_OF_SEARCH))
        parts = Parts(self.atoms, self.swaps)
        for each, of_each, used in zip(usable, cuts, search.linear_used(), strict=True):
            if used:
                shares = parts.weighted(each.weights)
                parts.sum(
                    each.denominator,
                    shares + [(parts.cut(*([fact] for fact in facts)), share) for facts, share in of_each],
                )
        return self.from_search(search, proven, parts)

    def from_search(self, search: _core.ProofSearch, bound: int | None, parts: Parts) -> Proof:
        def write(emit: Callable[[str], None]) -> None:
            emit("".join(parts.lines))
            search.write(self.atoms.literals, self.atoms.atom_of, parts.count, emit)

        return Proof(bound, search.label_count(), search.evidence_count(), write)


class Parts:
    """The lines of swaps, cuts, tables and sums; cuts and tables are numbered from 0."""

    def __init__(self, atoms: AtomTable, swaps: Iterable[list[str]] = ()) -> None:
        self.atoms, self.count = atoms, 0
        self.lines = [f"swap {' '.join(objects)}\n" for objects in swaps]

    def _add(self, *words: object) -> int:
        self.lines.append(" ".join(map(str, words)) + "\n")
        self.count += 1
        return self.count - 1

    def cut(self, *sets: Iterable[int]) -> int:
        """Adds a cut of sets of facts. A fact may have several literals: a set stands for all ways to choose them."""
        literals = (product(*(self.atoms.literals[fact] for fact in facts)) for facts in sets)
        conjunctions = sorted({tuple(sorted({*chosen})) for each in literals for chosen in each})
        return self._add("cut", *("+".join(map(str, each)) for each in conjunctions))

    def weighted(self, weights: Any) -> list[tuple[int, int]]:
        """Adds a table for each variable with nonzero weights; returns pairs (its number, coefficient 1) for `sum`.

        The value of a fact is the greatest weight of the variable's facts minus its own weight.
        """
        shares = []
        whole = weights.tolist()
        for variable, (first, size) in enumerate(zip(self.atoms.first_fact, self.atoms.domain_size, strict=False)):
            own = whole[first : first + size]
            if any(own):
                values = [max(own) - weight for weight in own]
                shares.append((self.table([variable], range(size), values), 1))
        return shares

    def table(self, pattern: Sequence[int], states: Sequence[int], values: Sequence[int]) -> int:
        """Adds a table and returns its number. `states` has the pattern's values of all states in one flat list."""
        atom_of, first = self.atoms.atom_of, [self.atoms.first_fact[each] for each in pattern]
        sizes = [self.atoms.domain_size[each] for each in pattern]
        atoms = [atom_of[fact] for begin, size in zip(first, sizes, strict=True) for fact in range(begin, begin + size)]
        number = self._add("table", *sorted(atom for atom in atoms if atom >= 0))
        least, before = min((value for value in values if value != NO_PATH), default=0), set[int]()
        for place, value in enumerate(values):
            chosen = zip(first, states[place * len(pattern) : (place + 1) * len(pattern)], strict=True)
            own = {atom_of[begin + each] for begin, each in chosen} - {-1}
            height = "inf" if value == NO_PATH else str(value - least)
            self.lines.append(" ".join(["row", height, *map(str, sorted(own ^ before))]) + "\n")
            before = own
        return number

    def sum(self, denominator: int, shares: Iterable[tuple[int, int]]) -> None:
        self.lines.append(" ".join([f"sum {denominator}", *(f"{part}:{share}" for part, share in shares)]) + "\n")


def write_text(
    proof: Proof,
    names: AtomTable,
    path: str | os.PathLike[str],
    limit: int = DEFAULT_LIMIT,
    deadline: float = inf,
) -> Written:
    def lines(emit: Callable[[str], None]) -> None:
        emit("".join(f"{line}\n" for line in names.header(proof.bound)))
        proof.write(emit)
        emit("end\n")

    size = write_lines(path, limit, lines, deadline)
    return Written(from_units(proof.bound, names.denominator), proof.labels, proof.bounds, size)


def write_lines(
    path: str | os.PathLike[str], limit: int, fill: Callable[[Callable[[str], None]], None], deadline: float = inf
) -> int:
    """Writes the text that `fill` emits and returns its length. If a limit is reached, an existing file is kept."""
    size = 0

    def write_to(place: str) -> None:
        with _open(place, compressed=os.fspath(path).endswith(".gz")) as write:

            def emit(text: str) -> None:
                nonlocal size
                size += len(text)
                if size > limit:
                    raise TooLarge(f"the proof needs more than {readable_size(limit)}")
                if perf_counter() > deadline:
                    raise TimeoutError("the proof was not finished in time")
                write(text.encode())

            fill(emit)

    replace(path, write_to)
    return size


class _open:
    """A context manager that opens a file, compressed or not, and yields its write function."""

    def __init__(self, place: str, compressed: bool) -> None:
        self._file = gzip.open(place, "wb", 5) if compressed else open(place, "wb")  # noqa: SIM115

    def __enter__(self) -> Callable[[bytes], object]:
        return self._file.write

    def __exit__(self, *_: object) -> None:
        self._file.close()


class AtomTable:
    """The numbered atoms of a proof; those of states come first, then those that only conditions and invariants use."""

    def __init__(self, task: Task, space: _core.GroundStateSpace) -> None:
        self.denominator = task.cost_denominator
        self.has_objects = task.problem is not None  # the atoms of a .sas task name no objects
        self.number: dict[tuple[str, ...], int] = {}
        ground = space.task
        self.first_fact, self.domain_size = list(ground.first_fact), list(ground.domain_size)
        self.groups = self._variables(ground) if task.problem is None else _core.invariant_groups(ground)
        names = self._facts(ground) if task.problem is None else _core.fact_words(space)
        facts = [(tuple(words), negated) for words, negated in names]
        layer = [each for each, size in zip(ground.layer, self.domain_size, strict=True) for _ in range(size)]
        for (words, _), each in zip(facts, layer, strict=True):
            if words and each < 0:
                self._add(words)
        self.listed = len(self.number)
        twins = dict(self._twins({words for words, _ in facts}))
        self.atom_of = [
            self.number[words] if words and not negated and each < 0 else -1
            for (words, negated), each in zip(facts, layer, strict=True)
        ]
        self.literals = [
            self._literals(words, negated, twins) if words and each < 0 else []
            for (words, negated), each in zip(facts, layer, strict=True)
        ]

    @staticmethod
    def _facts(ground: _core.GroundTask) -> list[tuple[list[str], bool]]:
        """Facts of a task that was not read from PDDL: the words of the atom, and False because it is not negated."""
        sizes = enumerate(ground.domain_size)
        return [([f"var{variable}", str(value)], False) for variable, size in sizes for value in range(size)]

    @staticmethod
    def _variables(ground: _core.GroundTask) -> Groups:
        """The groups of a .sas task: first an empty list of atoms that are never true, then one group per variable."""
        layered = enumerate(zip(ground.domain_size, ground.layer, strict=True))
        of_states = [(variable, size) for variable, (size, layer) in layered if layer < 0]
        own = [[[f"var{variable}", str(value)] for value in range(size)] for variable, size in of_states]
        return [([], False), *((atoms, False) for atoms in own)]

    def _add(self, words: tuple[str, ...]) -> int:
        return self.number.setdefault(words, len(self.number))

    def _twins(self, named: set[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Yields pairs of atoms of which always exactly one is true, so that each is the negation of the other."""
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

    def kept_by(self, swaps: Iterable[list[str]]) -> list[list[str]]:
        """Returns the swaps of objects that map the groups to groups.

        The result is empty if the planner and the checker would order states differently (core/task/symmetries.hpp), or
        if the atoms name no objects: for the checker such a swap changes nothing.
        """
        if not self.has_objects:
            return []
        numbers = [atom for atom in self.atom_of if atom >= 0]
        groups = {(number > 0, frozenset(map(tuple, atoms))) for number, (atoms, _) in enumerate(self.groups) if atoms}

        def is_kept(objects: list[str]) -> bool:
            left, right = objects[::2], objects[1::2]
            other = dict(zip(left + right, right + left, strict=True))
            swapped = {
                (kind, frozenset((words[0], *(other.get(word, word) for word in words[1:])) for words in atoms))
                for kind, atoms in groups
            }
            return swapped == groups

        return [swap for swap in swaps if is_kept(swap)] if numbers == sorted({*numbers}) else []

    def state(self, values: Sequence[int]) -> list[int]:
        """The numbers of the atoms that are true in the state, sorted."""
        atoms = [self.atom_of[first + value] for first, value in zip(self.first_fact, values, strict=False)]
        return sorted(atom for atom in atoms if atom >= 0)

    def header(self, bound: int | None) -> Iterator[str]:
        groups = [sorted({self._add(tuple(words)) for words in atoms}) for atoms, _ in self.groups]
        yield VERSION
        yield f"bound {'inf' if bound is None else bound}"
        for words in self.number:
            yield f"atom {' '.join(words)}"
        for number, group in enumerate(groups):
            if group:
                yield f"{'one' if number else 'never'} {' '.join(map(str, group))}"
        yield f"task {self.listed} 1/{self.denominator}"
