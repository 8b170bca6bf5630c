"""Unsound variants of the checkers: holes that were found once, and others like them. The forger has to find each.

checker_mutants.txt lists them: a checker with a title and the seed whose forged proofs fool the mutant, then texts of
the checker's source (-) and what replaces them (+). Every text occurs once in the source, so a mutant that no longer
fits is noticed. `scripts/forge.py --mutants --write` tries the seeds 0, 1, 2, … and writes the first one that fools the
mutant; tests try only that seed. Variants that are sound, because they refuse
more or because the hole is closed elsewhere, are of no use here. For example, if only the check that no step
leads out of a table's dead ends is left out, the step's charge is ∞, and a proof with an infinite charge is malformed;
so that mutant leaves out the charge as well.
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
PROOFS_PER_SEED = 1000  # a search for a forgery begins anew with the next seed after so many proofs


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
    """The number of the seed's first forged proof that the mutant accepts falsely, the proof, and what is false."""
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
