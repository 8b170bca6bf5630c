"""The shared IPC tasks as pairs of files."""

from __future__ import annotations

from pathlib import Path


def domain_of(problem: Path) -> Path:
    """The domain file that belongs to a problem file: `domain.pddl`, or one named after the problem."""
    stem = problem.stem
    names = [
        "domain.pddl",
        f"domain-{stem}.pddl",
        f"domain_{stem}.pddl",
        f"{stem}-domain.pddl",
        f"{stem[:3]}-domain.pddl",
    ]
    return next(problem.with_name(name) for name in names if problem.with_name(name).exists())


def tasks(folder: Path) -> list[tuple[Path, Path]]:
    """Every (domain file, problem file) of one domain's folder, in order of names."""
    problems = sorted(path for path in folder.glob("*.pddl") if "domain" not in path.name)
    return [(domain_of(problem), problem) for problem in problems]


def all_tasks(benchmarks: Path) -> list[tuple[Path, Path]]:
    return [task for folder in sorted(benchmarks.iterdir()) if folder.is_dir() for task in tasks(folder)]
