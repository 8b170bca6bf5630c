"""Every IPC task is read, with as many action schemas as occur in its text."""

from __future__ import annotations

from pathlib import Path

from benchmark_tasks import all_tasks

from fsplan.pddl import read_task


def test_every_shared_task_is_read(benchmarks: Path) -> None:
    count = 0
    for domain_path, problem_path in all_tasks(benchmarks):
        problem = read_task(domain_path, problem_path)
        assert problem.init
        assert len(problem.domain.actions) == domain_path.read_text("latin-1").lower().count("(:action")
        count += 1
    assert count == len(list(benchmarks.glob("*/*.pddl"))) - len(list(benchmarks.glob("*/*domain*.pddl")))
