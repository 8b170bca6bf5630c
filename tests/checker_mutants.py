"""Unsound variants of the checkers: holes that were found once, and others like them. The forger has to find each.

checker_mutants.txt lists them: a checker with a title, then texts of its source (-) and what replaces them (+). Every
text occurs once in the source, so a mutant that no longer fits is noticed. Variants that are sound, because they refuse
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


@dataclass(frozen=True)
class Mutant:
    module: str
    title: str
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


def found(mutant: Mutant, most: int, seed: int = 0) -> tuple[int, Forgery, str] | None:
    """The number of the first forged proof that the mutant accepts falsely, the proof, and what is false."""
    proofs = forge(mutant.checkers(), Random(seed), KINDS[mutant.module], SIZES)
    for number, forgery in enumerate(islice(proofs, most), 1):
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
        title, _, changes = block.partition("\n")
        module, _, title = title.partition(": ")
        pairs = re.findall(r"((?:^-.*\n)+)((?:^\+.*\n?)+)", changes + "\n", re.MULTILINE)
        mutants.append(Mutant(module, title, tuple((unmarked(old), unmarked(new)) for old, new in pairs)))
    return mutants


def unmarked(lines: str) -> str:
    return "\n".join(line[1:] for line in lines.splitlines())


MUTANTS = read_mutants(Path(__file__).with_suffix(".txt").read_text())
