"""Solves random PDDL tasks by every search with every heuristic, and compares with an oracle and Fast Downward.

    python scripts/differential_campaign.py --tasks 2000

The tasks use any mixture of the features of tests/random_tasks.py; the costs of every fourth one are decimal numbers.
tests/differential.py describes the comparisons. Differences are printed with the seed that reproduces them; the exit
code is 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from differential import compare  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--no-downward", action="store_true", help="without Fast Downward")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.tasks):
            try:
                for wrong in compare(seed, Path(folder), counts, not options.no_downward, symmetric=seed % 2 == 1):
                    counts["differences"] += 1
                    print(f"seed {seed}: {wrong}", flush=True)
            except Exception as error:
                counts["differences"] += 1
                print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)
            if seed % 50 == 49:
                print(f"up to seed {seed}: {dict(counts)}", flush=True)
    print(dict(counts))
    return 1 if counts["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
