"""The paper's experiments in a small size, with real searches."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support import known

from fsplan.planner.cli.commands.study import print_outputs
from fsplan.planner.experiments.records import Run, read
from fsplan.planner.paper import figures
from fsplan.planner.paper.reproduce import carry_out_study, reproduce
from fsplan.planner.paper.settings import SMALL, Effort, tiles15
from fsplan.planner.paper.spaces import PLACES, DomainGraph
from fsplan.planner.paper.sweep import Sweep
from fsplan.planner.search.named import astar


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a sweep over a few initial states, without figures, which test_claims.py tests."""
    folder = tmp_path_factory.mktemp("small")
    settings = replace(
        SMALL,
        domains={"tiles8": Effort(3, 3, 1), "pancake9": Effort(2, 1)},
        accuracies=(0.8, 1.0),
        variants=("error profile", "scores per state", "alpha applicable", "unmasked"),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "available", lambda: False)
        assert figures.MISSING in carry_out_study(settings, folder, workers=2, quiet=True)
    return folder


def test_every_plan_is_within_w(sweep: Path) -> None:
    rows = read(sweep)
    assert {row["status"] for row in rows} == {"solved"}
    assert {row["domain"] for row in rows} == {"tiles8", "pancake9"}
    for row in rows:
        assert row["lower_bound"] <= row["optimal_cost"] <= row["cost"]
        if row["search"] != "prefastar":
            assert row["certified"]
            assert row["suboptimality"] <= row["w"]
            assert row["cost"] <= row["w"] * row["lower_bound"] + 1e-9


def test_a_perfect_policy_leads_straight_to_the_goal(sweep: Path) -> None:
    cells = Sweep(read(sweep))
    assert cells.mean("tiles8", 1.5, 1.0, "prefastar", "suboptimality") == 1
    perfect = known(cells.mean("tiles8", 1.5, 1.0, "disc2", "expansions"))
    assert perfect == cells.mean("tiles8", 1.5, 1.0, "disc1", "expansions")
    worse = known(cells.mean("tiles8", 1.5, 0.8, "disc2", "expansions"))
    assert perfect < worse


def test_accuracies_are_measured(sweep: Path) -> None:
    for row in read(sweep):
        if row["accuracy"] is None:
            assert row["search"] == "wastar"
        elif not row["variant"]:
            assert row["literal_accuracy"] == pytest.approx(row["accuracy"], abs=0.05)
            assert row["measured_accuracy"] >= row["literal_accuracy"]


def test_everything_is_written(sweep: Path) -> None:
    written = {path.name for path in sweep.iterdir()}
    assert {
        "results.jsonl",
        "results.csv",
        "claims.md",
        "evidence.md",
        "report.html",
        "settings.json",
        "policies.json",
    } <= written
    policies = json.loads((sweep / "policies.json").read_text())
    assert {policy["target"] for policy in policies} == {0.8, 1.0}
    assert "## Verdicts that turn with other readings" in (sweep / "claims.md").read_text()


def test_korf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "available", lambda: False)
    settings = tiles15(1, ("uniform",), ws=("2",), time_limit=0.5)
    carry_out_study(settings, tmp_path, workers=2, quiet=True)
    rows = {row["order"] or row["search"]: row for row in read(tmp_path)}
    assert rows["wastar"]["status"] == "solved"
    assert rows["wastar"]["optimal_cost"] == 57
    assert 57 <= rows["wastar"]["cost"] <= 114
    assert "accuracy" in rows.pop("disc1")["message"]  # a uniform policy has no accuracy
    assert all(row["status"] in ("solved", "timeout") for row in rows.values())


def test_starts_are_states_of_the_space() -> None:
    """The 8-puzzle replaces blocks, whose state space is too large for a test."""
    space = DomainGraph(["tiles8:random/1"])
    starts = [space.task(f"tiles8:start/{number}") for number in range(4)]
    assert starts[0][1] == space.graph.h_star[0]
    assert len({tuple(task.state_space.start_values()) for task, _ in starts}) == 4
    for task, cost in starts:
        assert astar(task).cost == cost > 0


def test_a_start_of_another_puzzle_is_refused() -> None:
    space = DomainGraph(PLACES["tiles8"].words)
    with pytest.raises(ValueError, match="other states or actions"):
        space.task("pancake9:random/1")
    run = Run(task=PLACES["tiles8"].start_names(1)[0], domain="tiles8", search="astar", w="1")
    row = space.solve(run)
    assert row["repeat"] == "fsplan tiles8:random/1 --search astar"
    guided = replace(run, search="focal", order="disc2", w="1.5", policy="synthetic:0.7", accuracy=0.7, seed=2)
    wanted = "fsplan tiles8:random/1 --focal disc2 --w 1.5 --policy synthetic:0.7,shared=no --seed 2 --paper"
    assert space.command(replace(guided, options={"paper": True, "synthetic": {"shared": False}})) == wanted
    assert space.command(replace(run, task="tiles8:start/3")) is None
    assert row["cost"] == row["optimal_cost"] == row["lower_bound"]


@pytest.mark.parametrize(
    ("what", "variants", "policy", "message"),
    [
        ("large", None, None, "choose small"),
        ("small", ["nothing"], None, "unknown variant"),
        ("tiles15", ["unmasked"], None, "belong to `small`"),
        ("small", None, "uniform", "belongs to `tiles15`"),
        ("tiles15", None, "no-such-policy", "no-such-policy"),
    ],
)
def test_unknown_studies_variants_and_policies_are_refused(
    tmp_path: Path, what: str, variants: list[str] | None, policy: str | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        reproduce(what, tmp_path / "out", variants=variants, policy=policy)
    assert not (tmp_path / "out").exists()


def test_figures_are_mentioned_only_if_they_were_drawn(capfd: pytest.CaptureFixture[str]) -> None:
    print_outputs("here", [], quiet=False)
    assert capfd.readouterr().err == "here: results.csv, claims.md, report.html, reproduction.pdf and figures\n"
    print_outputs("here", [figures.MISSING], quiet=False)
    assert capfd.readouterr().err == (
        "fsplan: the figures were not drawn: pip install 'fsplan[plot]'\nhere: results.csv, claims.md and report.html\n"
    )


def test_a_report_of_stored_results(sweep: Path, tmp_path: Path) -> None:
    """With `stored_only` no search runs. The report uses those runs of the full study that are stored."""
    with pytest.raises(ValueError, match="has no results"):
        reproduce("small", tmp_path / "none", stored_only=True)
    (tmp_path / "results.jsonl").write_bytes((sweep / "results.jsonl").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "available", lambda: False)
        reproduce("small", tmp_path, stored_only=True)
    assert len(read(tmp_path)) == len(read(sweep))
    assert "tiles8: 3 initial states" in (tmp_path / "claims.md").read_text()
