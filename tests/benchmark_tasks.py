"""The shared IPC tasks as pairs of files."""

from __future__ import annotations

from pathlib import Path

from fsplan.planner.sources.pddl import domain_beside


def tasks(folder: Path) -> list[tuple[Path, Path]]:
    """Every (domain file, problem file) of one domain's folder, in order of names."""
    problems = sorted(path for path in folder.glob("*.pddl") if "domain" not in path.name)
    return [(Path(domain_beside(str(problem))), problem) for problem in problems]


def all_tasks(benchmarks: Path) -> list[tuple[Path, Path]]:
    return [task for folder in sorted(benchmarks.iterdir()) if folder.is_dir() for task in tasks(folder)]
