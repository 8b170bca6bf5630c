"""Every part is declared once, and all lists and choices are derived from the declarations."""

from __future__ import annotations

import inspect
import itertools
import subprocess
import sys
from typing import Any

import pytest
from support import ROOT

import fsplan
from fsplan.planner import _core
from fsplan.planner.policies import registry
from fsplan.planner.policies.kind import PolicyKind
from fsplan.planner.search import catalogue, named
from fsplan.planner.sources import registry as source_registry
from fsplan.planner.sources.source import TaskSource

TABLES = {
    "search": catalogue.searches,
    "order": catalogue.orders,
    "heuristic": catalogue.heuristics,
    "policy": catalogue.policies,
    "source": catalogue.sources,
}
# A value other than the default for each option.
VALUES: dict[str, Any] = {
    "w": 2,
    "policy": "uniform",
    "accuracy": 0.9,
    "anytime": True,
    "paper": True,
    "seed": 1,
    "alpha": "applicable",
    "masked": False,
    "ties": "newest",
    "reopen": False,
    "uncertified": True,
    "preferred": "ff",
    "alternate": True,
    "lookahead": 2,
    "k_focal": 2,
    "lazy": True,
    "fresh": True,
    "hedge": True,
    "prove": 2,
    "deepen": 2,
    "probability": 0.25,
    "width": 7,
    "normalise": "none",
    "sample": True,
    "steps": 5,
    "samples": 2,
    "order": "score1",
}


@pytest.mark.parametrize("kind", TABLES)
def test_entries_have_names_and_sentences(kind: str) -> None:
    entries = TABLES[kind]()
    options = {option.name for option in catalogue.options()} | {"reader"}
    for entry in entries:
        assert entry.name
        assert entry.summary
        assert entry.proves
        assert set(entry.reads) <= options
        assert set(entry.defaults) <= options or kind == "policy"
    first = entries[0].name
    assert getattr(catalogue, kind)(first).name == first
    with pytest.raises(ValueError, match=f"is unknown; did you mean '{first}'"):
        getattr(catalogue, kind)(f"{first}x")
    with pytest.raises(ValueError, match=catalogue.LISTINGS.get(kind, f"choose one of: {first}")):
        getattr(catalogue, kind)("nothing")


def test_options_are_described() -> None:
    for option in catalogue.options():
        assert option.summary
        assert option.kind in ("flag", "integer", "number", "text", "choice", "list")
        assert option.group in ("common", "advanced")
        assert (option.kind in ("choice", "list")) == bool(option.choices)
    assert len([option for option in catalogue.options() if option.group == "common"]) <= 12


def test_every_search_is_a_function_whose_signature_lists_what_it_reads() -> None:
    assert sorted(named.__all__) == sorted(search.name.replace("-", "_") for search in catalogue.searches())
    for search in catalogue.searches():
        parameters = set(inspect.signature(getattr(fsplan, search.name.replace("-", "_"))).parameters)
        assert parameters - {"task", "on_progress", "on_incumbent", "on_gap", "lower_bound", "incumbent"} == {
            name for name in search.reads if name != "search"
        }


def test_the_typed_options_are_the_declared_ones() -> None:
    declared = {option.name for option in catalogue.options()} - {"search", "order", "w"}
    assert set(named.Options.__annotations__) == declared


def test_too_many_positional_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match="takes a task by position"):
        fsplan.astar(fsplan.example("blocks-8-0"), 2)


def combinations() -> list[tuple[str, str | None]]:
    return [
        (search.name, order)
        for search in catalogue.searches()
        for order in ([order.name for order in catalogue.orders()] if "order" in search.reads else [None])
    ]


@pytest.mark.parametrize(("search", "order"), combinations())
def test_a_search_accepts_exactly_the_options_that_it_reads(search: str, order: str | None) -> None:
    reads = catalogue.reads(search, order)
    assert set(VALUES) <= {option.name for option in catalogue.options()}
    for name, value in VALUES.items():
        if name == "order" and order is not None:
            continue
        options = _core.SearchOptions(**{"search": search, "order": order, name: value})
        if name in reads:
            options.refuse_unread()
        else:
            with pytest.raises(ValueError, match=f"does not read {name}; it is read by: "):
                options.refuse_unread()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "astar", "w": 1}, "astar does not read w"),
        ({"search": "astar", "order": lambda step: step.parent}, "astar does not read order"),
        ({"order": "disc2", "policy": "ff", "masked": False}, "policy ff does not read masked"),
        ({"search": "unroll", "policy": "ff", "seed": 1}, "policy ff does not read seed"),
        ({"search": "focal", "alpha": "all"}, "focal with order disc2 does not read alpha"),
        ({"order": "score1", "policy": "uniform", "masked": False}, "policy uniform does not read masked"),
        ({"order": "disc2", "policy": "ff", "seed": 0}, "policy ff does not read seed"),
    ],
)
def test_an_unread_option_is_refused_even_with_its_default_value(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fsplan.solve(fsplan.load("tiles8:random/1"), **options)


def test_options_are_checked_and_can_be_read_back() -> None:
    options = _core.SearchOptions(search="focal", order="disc1", w="23/20", ties=["h", "oldest"], prove=3, lazy=True)
    assert (options.w, options.ties, options.prove, options.lazy) == ("23/20", ["h", "oldest"], 3, True)
    again = _core.SearchOptions(**options.to_dict())
    assert again.to_dict() == options.to_dict()
    options.prove = 4
    assert options.to_dict()["prove"] == 4
    for name, value in (("prove", -1), ("prove", "many"), ("lazy", 2), ("alpha", "some"), ("accuracy", 2)):
        with pytest.raises(ValueError, match=name):
            setattr(options, name, value)
    with pytest.raises(ValueError, match="choose one of: search, order, w"):
        _core.SearchOptions(speed=3)


TASKS = ("blocks-8-0", "tiles8:random/5")
RUNS: list[dict[str, Any]] = [
    {},
    {"time_limit": 60.0},
    {"order": "disc1"},
    {"order": "disc3", "paper": True, "w": "1.2", "k_focal": 2},
    {"order": "score2", "policy": "synthetic:0.8", "seed": 3, "masked": False},
    {"search": "astar", "ties": "h,oldest"},
    {"search": "prefastar", "preferred": "ff", "alternate": True},
    {"search": "unroll"},
    {"search": "unroll", "sample": True, "samples": 3, "steps": 50, "seed": 4},
    {"search": "pfs", "order": "disc3", "seed": 2, "probability": 0.7},
    {"search": "beam", "width": 5, "normalise": "length"},
    {"search": "wastar", "w": "4/3", "expansion_limit": 20},
    {"search": "wastar", "heuristic": "blind", "time_limit": 0.01},
]


@pytest.mark.parametrize(("name", "options"), list(itertools.product(TASKS, RUNS)))
def test_a_record_repeats_its_run(name: str, options: dict[str, Any]) -> None:
    if name == "blocks-8-0" and "policy" in options:
        pytest.skip("a synthetic policy of blocks takes the whole graph")
    first = fsplan.solve(fsplan.load(name if ":" in name else fsplan.example(name)), **options)
    again = fsplan.repeat(first.to_dict())
    # If a time limit ended the first run, the repetition ends after the same number of expansions. The time limit may
    # have interrupted the last expansion, so the repetition may prove a slightly better bound.
    timed_out = first.status == "timeout"
    assert again.status == ("expansion_limit" if timed_out else first.status)
    assert (again.plan, again.cost) == (first.plan, first.cost)
    assert again.lower_bound >= first.lower_bound if timed_out else again.lower_bound == first.lower_bound
    assert again.statistics["expanded"] == first.statistics["expanded"]
    differ = {"time_limit", "expansion_limit", "accuracy_origin"}
    assert {k: v for k, v in again.record.items() if k not in differ} == {
        k: v for k, v in first.record.items() if k not in differ
    }


def test_a_run_of_auto_that_a_limit_ended_is_not_repeated() -> None:
    first = fsplan.solve(fsplan.load(fsplan.example("blocks-8-0")), time_limit=60)
    with pytest.raises(ValueError, match="cannot be repeated exactly"):
        fsplan.repeat({**first.to_dict(), "status": "timeout"})


def test_a_record_without_files_needs_the_task() -> None:
    task = fsplan.load("tiles8:random/3")
    first = fsplan.solve(task.state_space, "wastar")
    with pytest.raises(ValueError, match="which files"):
        fsplan.repeat(first.to_dict())
    assert fsplan.repeat(first.to_dict(), task).plan == first.plan


def test_the_description_says_what_ran_and_what_was_assumed() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    assert fsplan.focal(task, "disc1", accuracy=0.75).description == (
        "focal disc1, auto, policy ff (given accuracy 0.75), w = 3/2"
    )
    assert (
        fsplan.focal(task, "disc2", 2, paper=True).description == "focal disc2 as in the paper, hmax, policy ff, w = 2"
    )
    assert fsplan.focal(task, "disc1").description == "focal disc1, auto, policy ff (assumed accuracy 0.8), w = 3/2"
    assert fsplan.astar(task).description == "astar, auto, w = 1"


def test_a_kind_of_policy_is_added_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = PolicyKind(
        "toy",
        "every action is as good as any",
        example="toy",
        accepts=lambda text: text == "toy",
        make=lambda text, task, seed, masked: _core.UniformPolicy(),
    )
    monkeypatch.setattr(registry, "KINDS", (toy, *registry.KINDS))
    assert catalogue.policy("toy").summary == toy.summary
    result = fsplan.focal(fsplan.load("tiles8:random/1"), policy="toy")
    assert result.record["policy"] == "toy"


def test_a_source_is_added_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    from fsplan.planner.sources.load import load_arguments

    toy = TaskSource(
        "toy",
        "the first random 8-puzzle",
        example="toy",
        accepts=lambda words: tuple(words) == ("toy",),
        load=lambda words, reader, limits: load_arguments(["tiles8:random/1"], reader=reader, limits=limits),
    )
    monkeypatch.setattr(source_registry, "SOURCES", (toy, *source_registry.SOURCES))
    assert catalogue.source("toy").summary == toy.summary
    first = fsplan.focal(fsplan.load("toy"))
    assert first.record["task"] == ["toy"]
    assert fsplan.repeat(first.to_dict()).plan == first.plan


def test_the_tables_of_the_docs_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts/doc_tables.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
