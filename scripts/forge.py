"""Tests the checkers with forged proofs, and tests that forging finds known faults put back into the checkers.

    python scripts/forge.py --proofs 1000000
    python scripts/forge.py --mutants --write

tests/forging.py describes how proofs are forged, and tests/checker_mutants.txt lists the faults. The exit code is 1 if
a checker accepts a false bound or rejects a correct proof, or if a fault is not found.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from checker_mutants import MUTANTS, PROOFS_PER_SEED, Mutant, found, write_seed  # noqa: E402
from forging import Checkers, Forgery, forge  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--proofs", type=int, default=20_000, help="forged proofs in all, or for each mutant")
    parser.add_argument("--mutants", action="store_true", help="attack the mutants instead of the checkers")
    parser.add_argument("--only", default="", help="mutants whose title contains this")
    parser.add_argument("--write", action="store_true", help="write the seeds that fool the mutants to their list")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.mutants:
        return attack_mutants(options.proofs, options.only, options.write)
    return attack(options.proofs, options.seed)


def attack(proofs: int, seed: int) -> int:
    counts: Counter[str] = Counter()
    wrong = 0
    for forgery in islice(forge(Checkers(), Random(seed)), proofs):
        falsehood = forgery.falsehood()
        if falsehood is None and forgery.is_honest and forgery.outcome == "refused":
            falsehood = "refused an honest proof"
        if falsehood is not None:
            wrong += 1
            show(forgery, falsehood)
        counts[f"{forgery.kind}, {forgery.outcome}"] += 1
        if counts.total() % 50_000 == 0:
            print(f"{counts.total():,} forged proofs, {wrong} wrong answers", flush=True)
    for kind, count in sorted(counts.items()):
        print(f"{count:9,}  {kind}")
    print(f"{counts.total():,} forged proofs, {wrong} wrong answers, {process_time():.0f} CPU seconds")
    return 1 if wrong else 0


def show(forgery: Forgery, falsehood: str) -> None:
    print(f"{forgery.kind}: {falsehood}", *forgery.task, "".join(forgery.lines), sep="\n", flush=True)


class Hole(NamedTuple):
    """The first seed whose forged proofs expose a mutant (None if none does), and the number of the exposing proof."""

    seed: int | None
    number: int
    seconds: float


def find_hole(mutant: Mutant, proofs: int) -> Hole:
    begin = process_time()
    for seed in range(max(1, proofs // PROOFS_PER_SEED)):
        answer = found(mutant, seed)
        if answer is not None:
            return Hole(seed, seed * PROOFS_PER_SEED + answer[0], process_time() - begin)
    return Hole(None, 0, process_time() - begin)


def attack_mutants(proofs: int, only: str, write: bool) -> int:
    chosen = [mutant for mutant in MUTANTS if only in mutant.title]
    missed = 0
    print("| hole put back | in | forged proofs until it was found | CPU seconds |\n|---|---|---:|---:|")
    with ProcessPoolExecutor() as pool:
        for mutant, hole in zip(chosen, pool.map(find_hole, chosen, [proofs] * len(chosen)), strict=True):
            missed += hole.seed is None
            number = "not found" if hole.seed is None else f"{hole.number:,}"
            print(f"| {mutant.title} | {mutant.module} | {number} | {hole.seconds:.1f} |", flush=True)
            if write and hole.seed is not None:
                write_seed(mutant, hole.seed)
    print(f"{len(chosen) - missed} of {len(chosen)} mutants found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
