"""Measures PrefA* on blocks for two definitions of the synthetic policies: the table of docs/experiments.md.

    python scripts/prefastar_table.py -o prefastar [--starts 50]

The runs are those of `fsplan reproduce small` for PrefA* only. The policies assign probabilities to the applicable
actions (the default) or to all actions. Results are stored in the folder, and the same command resumes the runs.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import fmean, median
from typing import Any

from fsplan.planner.experiments.compare import carry_out
from fsplan.planner.paper.reproduce import synthetic_jobs
from fsplan.planner.paper.settings import Effort, Synthetic

ALL_ACTIONS = "scores of all actions"


def settings(starts: int) -> Synthetic:
    effort = Effort(starts, starts, starts)
    return Synthetic({"blocks": effort}, searches=("prefastar",), variants=(ALL_ACTIONS,))


def cells(rows: list[dict[str, Any]]) -> list[str]:
    """Returns the cells of a row: measured accuracy, mean and median of the expansions."""
    expansions = [row["expansions"] for row in rows]
    accuracy = fmean(row["measured_accuracy"] for row in rows)
    return [f"{accuracy:.3f}", f"{fmean(expansions):,.0f}", f"{median(expansions):,.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--starts", type=int, default=50, help="initial states, each with its own draw of the policy")
    asked = parser.parse_args()
    chosen = settings(asked.starts)
    rows = carry_out(synthetic_jobs(chosen), asked.output / "results.jsonl", workers=1)
    print("| target accuracy | all actions, masked: measured | mean expansions | median "
          "| applicable actions: measured | mean expansions | median | cost / optimal, mean and largest |\n"
          "|---|---|---|---|---|---|---|---|")  # fmt: skip
    for accuracy in chosen.accuracies:
        here = [row for row in rows if row["accuracy"] == accuracy]
        masked = [row for row in here if row["variant"] == ALL_ACTIONS]
        default = [row for row in here if not row["variant"]]
        ratios = [row["suboptimality"] for row in default]
        quality = f"{fmean(ratios):.2f}, {max(ratios):.2f}"
        print("|", " | ".join([f"{accuracy:.2f}", *cells(masked), *cells(default), quality]), "|")


if __name__ == "__main__":
    main()
