"""Mutants: unsound variants of the proof checkers. The forger (forging.py) must find a false proof that fools each.

Some mutants restore errors that the checkers once had. checker_mutants.txt lists all: the name of the checker, a title,
the seed of a forged proof that fools the mutant, then lines of the checker's source (-) and their replacements (+).
Each replaced text must occur exactly once in the source, so a mutant that no longer fits the source is reported.
`scripts/forge.py --mutants --write` tries the seeds 0, 1, 2, … and writes the first one that fools the mutant; the
tests begin with that seed.

A mutant must be unsound. Leaving out a single check is not always enough, because another check may refuse the same
proofs. Example: one check demands that no transition leads out of a table's dead ends. Without it, such a transition
has an infinite charge, and a proof with an infinite charge is malformed. So that mutant drops the charge as well.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from types import ModuleType

from forging import Checkers, Forgery, forge

from fsplan.planner.proofs import check, check_puzzle, check_sas

MODULES = {"check": check, "check_sas": check_sas, "check_puzzle": check_puzzle}
FIELDS = {"check": "pddl", "check_sas": "sas", "check_puzzle": "puzzle"}
KINDS = {"check": ("pddl", "pddl", "sas"), "check_sas": ("sas",), "check_puzzle": ("puzzle",)}
SIZES = (0, 0, 0, 0, 0, 40)
PROOFS_PER_SEED = 1000  # after this number of proofs the forger continues with the next seed


@dataclass(frozen=True)
class Mutant:
    module: str
    title: str
    seed: int
    changes: tuple[tuple[str, str], ...]

    def source(self) -> str:
        text = Path(MODULES[self.module].__file__ or "").read_text()
        for old, new in self.changes:
            if text.count(old) != 1:
                raise ValueError(f"{self.title}: {old!r} occurs {text.count(old)} times in {self.module}.py")
            text = text.replace(old, new)
        return text

    def checkers(self) -> Checkers:
        module = ModuleType(f"mutant_{self.module}")
        sys.modules[module.__name__] = module  # dataclasses look the module up by name
        exec(compile(self.source(), f"mutant {self.title}", "exec"), module.__dict__)
        return Checkers(**{FIELDS[self.module]: module})


def found(mutant: Mutant, seed: int) -> tuple[int, Forgery, str] | None:
    """Number of the seed's first proof that the mutant accepts although it is false, the proof, and the false claim."""
    proofs = forge(mutant.checkers(), Random(seed), KINDS[mutant.module], SIZES)
    for number, forgery in enumerate(islice(proofs, PROOFS_PER_SEED), 1):
        try:
            falsehood = forgery.falsehood()
        except Exception:  # a mutant may crash
            continue
        if falsehood is not None:
            return number, forgery, falsehood
    return None


def read_mutants(text: str) -> list[Mutant]:
    mutants = []
    for block in text.strip().split("\n\n"):
        heading, _, changes = block.partition("\n")
        named = re.fullmatch(r"(\w+): (.*) @ (\d+)", heading)
        if named is None:
            raise ValueError(f"expected 'checker: title @ seed', found {heading!r}")
        pairs = re.findall(r"((?:^-.*\n)+)((?:^\+.*\n?)+)", changes + "\n", re.MULTILINE)
        texts = tuple((unmarked(old), unmarked(new)) for old, new in pairs)
        mutants.append(Mutant(named[1], named[2], int(named[3]), texts))
    return mutants


def write_seed(mutant: Mutant, seed: int) -> None:
    heading = f"{mutant.module}: {mutant.title} @ "
    LIST.write_text(LIST.read_text().replace(f"{heading}{mutant.seed}\n", f"{heading}{seed}\n"))


def unmarked(lines: str) -> str:
    return "\n".join(line[1:] for line in lines.splitlines())


LIST = Path(__file__).with_suffix(".txt")
MUTANTS = read_mutants(LIST.read_text())
