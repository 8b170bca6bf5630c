"""`load` finds the source of a task in the registry of task sources."""

from __future__ import annotations

import pytest

from fsplan.planner.sources import load, registry
from fsplan.planner.sources.source import TaskSource
from fsplan.planner.tasks.task import Task


def test_every_source_is_described() -> None:
    assert len({source.name for source in registry.SOURCES}) == len(registry.SOURCES)
    for source in registry.SOURCES:
        assert source.summary
        assert source.example


@pytest.mark.parametrize(
    "source", [each for each in registry.SOURCES if each.load is not None], ids=lambda each: each.name
)
def test_the_example_of_a_source_is_its_own(source: TaskSource) -> None:
    assert registry.task_source(source.example.split()) is source


def test_a_new_source_needs_only_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    def load_toy(words: object, reader: str, limits: object) -> Task:
        return load.load("tiles8:random/1")

    toy = TaskSource("toy", "a toy", example="toy:1", accepts=lambda words: words[0].startswith("toy:"), load=load_toy)
    monkeypatch.setattr(registry, "SOURCES", (toy, *registry.SOURCES))
    assert load.load("toy:1").name == "tiles8:random/1"
