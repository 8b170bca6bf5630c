"""Small blocks-world problems, with the bundled domain."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import fsplan
from fsplan.planner.tasks.task import Task

DOMAIN = Path(fsplan.example("blocks-8-0")).with_name("domain.pddl")


def tower_problem(start: str, goal: str) -> str:
    """The problem of building the tower `goal`. A tower is written from the bottom up: in "ab c", b is on a."""
    blocks = " ".join(sorted(start.replace(" ", "")))
    facts = ["(handempty)"]
    for tower in start.split():
        facts += [f"(ontable {tower[0]})", f"(clear {tower[-1]})"]
        facts += [f"(on {above} {below})" for below, above in pairwise(tower)]
    wanted = " ".join(f"(on {above} {below})" for below, above in pairwise(goal))
    return (
        f"(define (problem towers) (:domain blocks) (:objects {blocks})\n"
        f"(:init {' '.join(facts)})\n(:goal (and {wanted})))\n"
    )


def blocks_task(folder: Path, start: str, goal: str) -> Task:
    path = folder / f"{start.replace(' ', '_')}-{goal}.pddl"
    path.write_text(tower_problem(start, goal))
    return fsplan.load(str(DOMAIN), str(path))
