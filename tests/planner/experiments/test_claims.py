"""Artificial results for which every verdict is known."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from fsplan.planner.experiments.records import Row, Run, row_of
from fsplan.planner.paper import figures
from fsplan.planner.paper.claims import synthetic_claims, trained_claims
from fsplan.planner.paper.claims_text import claims_text
from fsplan.planner.paper.reproduce import synthetic_jobs, trained_jobs, write_outputs
from fsplan.planner.paper.settings import SMALL, Effort, Settings, tiles15
from fsplan.planner.paper.sweep import ORDERS, Sweep, alike

ACCURACIES = (0.7, 0.8, 0.95)
# Expansions of each search, the same for all accuracies; seconds are proportional to them. Disc-2 is the best order,
# Score-3 the worst.
EFFORT = {
    "score1": 50, "score2": 52, "score3": 90, "score4": 85, "disc1": 30, "disc2": 10, "disc3": 12, "disc3-last": 80,
    "wastar": 40, "prefastar": 5,
}  # fmt: skip


def row(
    domain: str, series: str, w: str, accuracy: float | None, draw: int, *, variant: str = "", effort: int = 0
) -> Row:
    run = Run(
        task=f"{domain}:random/{draw}",
        domain=domain,
        search="focal" if series in ORDERS else series,
        order=series if series in ORDERS else None,
        w="1" if series == "prefastar" else w,
        accuracy=None if series == "wastar" else accuracy,
        draw=0 if series == "wastar" else draw,
        variant=variant,
    )
    expansions = effort or EFFORT[series] + draw
    cost = 40 if series == "prefastar" else 22 if series == "disc2" else 23
    return row_of(
        run,
        {"status": "solved", "cost": cost, "optimal_cost": 20, "expansions": expansions, "seconds": expansions / 1e5},
    )


def sweep_rows(domains: tuple[str, ...] = ("tiles8", "pancake9", "blocks")) -> list[Row]:
    return [
        row(domain, series, w, accuracy, draw)
        for domain in domains
        for series in EFFORT
        for w in ("1.2", "1.5")
        for accuracy in ACCURACIES
        for draw in (0, 1)
    ]


def verdicts(rows: list[Row], strict: bool = False) -> dict[str, str]:
    return {claim.text: claim.verdict(strict) for claim in synthetic_claims(rows)}


def test_cells() -> None:
    sweep = Sweep(sweep_rows())
    assert sweep.ws == [1.2, 1.5]
    assert sweep.accuracies == list(ACCURACIES)
    assert sweep.mean("tiles8", 1.2, 0.7, "disc2", "expansions") == 10.5
    assert sweep.mean("tiles8", 1.2, 0.7, "wastar", "expansions") == sweep.mean(
        "tiles8", 1.2, 0.95, "wastar", "expansions"
    )
    assert sweep.mean("tiles8", 1.5, 0.7, "prefastar", "expansions") == 5.5
    assert sweep.mean("tiles8", 1.5, 0.5, "disc2", "expansions") is None
    assert sweep.share_within("tiles8", 1.5, 0.7, "prefastar") == 0
    assert sweep.share_within("tiles8", 1.5, 0.7, "disc2") == 1


def test_verdicts() -> None:
    found = verdicts(sweep_rows())
    assert found["8-puzzle: Disc-2 and Disc-3 are superior to other orders in expansions."] == "holds"
    assert found["8-puzzle: Disc-2 and Disc-3 are superior to other orders in solution quality."] == "holds"
    assert found["8-puzzle: Score-3 and Score-4 are less competitive."] == "holds"
    assert found["Pancakes: Score-3 and Score-4 outperform the others at low accuracy."] == "does not hold"
    assert found["Pancakes: WA* is faster than the other algorithms."] == "does not hold"
    assert found["Blocks: WA* is outperformed even by policies of accuracy .70."] == "holds"
    assert found["Blocks: PrefA* performs poorly when the policy has a low accuracy."] == "does not hold"
    assert found["From accuracy .80 on, focal search is worth using rather than WA* (expansions)."] == "holds"
    assert found["PrefA* is the fastest."] == "holds"
    assert found["PrefA* returns solutions that exceed the suboptimality bound."] == "holds"
    assert found["Score-1 and Score-2 obtain similar results (expansions)."] == "holds"
    assert found["A 95 %-accurate policy yields a 50-step optimal plan with probability 0.077 only."] == "holds"
    assert "Very close to w = 1 WA* is faster than focal search." not in found  # nothing was run there


def test_strictly_and_tolerantly() -> None:
    """If Disc-1 equals Disc-2, Disc-2 leads only tolerantly. A factor of 6 is "ten times fewer" only tolerantly."""
    level = [{**each, "expansions": 7} if each["order"] in ("disc1", "disc2") else each for each in sweep_rows()]
    claim = "8-puzzle: Disc-2 and Disc-3 are superior to other orders in expansions."
    assert (verdicts(level, strict=True)[claim], verdicts(level)[claim]) == ("does not hold", "holds")
    six = [{**each, "expansions": 60 if each["search"] == "wastar" else 10} for each in korf_rows()]
    tenfold = {each.text: each for each in trained_claims(six)}[
        "w = 2: Score-3, Score-4, Disc-2, Disc-3 need ten times fewer expansions than WA*."
    ]
    assert (tenfold.verdict(strict=True), tenfold.verdict()) == ("does not hold", "holds")


def test_a_claim_that_holds_in_some_cells_depends() -> None:
    rows = [
        {**each, "expansions": 500} if each["order"] in ("disc2", "disc3") and each["accuracy"] == 0.7 else each
        for each in sweep_rows(("blocks",))
    ]
    claim = "Blocks: Disc-2 and Disc-3 outperform all other algorithms in expansions."
    assert verdicts(rows)[claim] == "depends (4 of 6)"


def test_the_verdicts_are_counted() -> None:
    rows = sweep_rows(("blocks",))
    claims = synthetic_claims(rows)
    [strictly] = re.findall(r"decided\. Strictly: ([^.]*)\.", claims_text(claims, rows, "about", []))
    held = sum(claim.verdict(strict=True) == "holds" for claim in claims)
    assert strictly.startswith(f"{held} hold, ")
    assert sum(map(int, re.findall(r"\d+", strictly))) == len(claims)


def test_as_w_approaches_one() -> None:
    """WA* at w = 1.01 expands as much as Disc-2 and is faster; at 1.2 it expands four times as much."""
    low = [row("tiles8", name, "1.01", acc, d) for name in ("disc2", "wastar") for acc in ACCURACIES for d in (0, 1)]
    fast = [{**each, "expansions": 1000, "seconds": 1.0 if each["order"] else 0.5} for each in low]
    found = verdicts([*sweep_rows(("tiles8",)), *fast], strict=True)
    assert found["Very close to w = 1 WA* is faster than focal search."] == "holds"
    assert found["Very close to w = 1 both need to expand a similar number of nodes."] == "holds"
    text = "As w approaches 1, the effectiveness of focal search relative to WA* decreases."
    assert verdicts([*sweep_rows(("tiles8",)), *fast])[text] == "holds"


def test_means_have_intervals() -> None:
    rows = [row("tiles8", series, w, 0.7, draw) for series in EFFORT for w in ("1.2", "1.5") for draw in range(4)]
    claim = next(iter(synthetic_claims([{**each, "task": f"t{n % 3}"} for n, each in enumerate(rows)])))
    assert re.search(r"Disc-2 [\d.]+ \[[\d.]+, [\d.]+\]", claim.findings[0].numbers)


def test_nothing_to_look_at_is_not_tested() -> None:
    assert {claim.verdict() for claim in synthetic_claims([]) if claim.findings == []} == {"not tested"}


def test_readings_are_compared_on_the_same_starts_and_draws() -> None:
    base = sweep_rows(("tiles8",))
    varied = [row("tiles8", "disc2", "1.5", 0.7, 0, variant="unmasked")]
    common = Sweep(alike([*base, *varied]))
    assert {each["draw"] for each in common.rows} == {0}
    assert {each["task"] for each in common.rows} == {"tiles8:random/0"}


def test_a_variant_replaces_what_it_reruns_and_keeps_the_rest() -> None:
    changed = [row("tiles8", "disc2", w, 0.7, 0, variant="unmasked", effort=999) for w in ("1.2", "1.5")]
    rows = [*sweep_rows(("tiles8",)), *changed]
    assert Sweep(rows).mean("tiles8", 1.2, 0.7, "disc2", "expansions") == 10.5
    assert Sweep(rows, "unmasked").mean("tiles8", 1.2, 0.7, "disc2", "expansions") == 999
    assert Sweep(rows, "unmasked").mean("tiles8", 1.2, 0.7, "disc3", "expansions") == 12  # on the same task
    text = claims_text(synthetic_claims(rows), rows, "about", ["unmasked"])
    assert re.search(r"\| PrefA\* is the fastest\. \| \d+/\d+, \d+/\d+ \| \d+/\d+, \d+/\d+ \|", text)
    assert "## Which conclusions are sturdy" in text
    assert "| claim | default reading | unmasked |" in text


def test_a_variant_takes_the_draws_it_has() -> None:
    """Both draws have the same initial state; the variant has only the first."""
    base = [{**row("tiles8", series, "1.5", 0.7, draw), "task": "t"} for series in EFFORT for draw in (0, 1)]
    varied = Sweep([*base, {**row("tiles8", "disc1", "1.5", 0.7, 0, variant="alpha"), "task": "t"}], "alpha")
    assert {each["draw"] for each in varied.rows} == {0}
    assert varied.cell("tiles8", 1.5, 0.7, "wastar")


def test_a_w_of_few_series_is_apart() -> None:
    """Disc-2 and WA* alone were run at w = 1.01: no order leads there."""
    low = [row("tiles8", series, "1.01", 0.7, 0) for series in ("disc2", "wastar")]
    sweep = Sweep([*sweep_rows(("tiles8",)), *low])
    assert (sweep.ws, sweep.low_ws) == ([1.2, 1.5], [1.01])


def korf_rows() -> list[Row]:
    made = []
    for series in EFFORT:
        for w in ("1.5", "2"):
            for number in range(4):
                each = row("tiles15", series, w, None, number)
                factor = 10 if series == "wastar" else 1
                made.append({**each, "draw": 0, "expansions": each["expansions"] * factor})
    return made


def test_claims_on_the_15_puzzle() -> None:
    found = {claim.text: claim.verdict() for claim in trained_claims(korf_rows())}
    assert found["w = 1.5: Disc-2, Disc-3 and Score-2 need fewer expansions than WA*."] == "holds"
    assert found["PrefA* solves very few tasks within w = 1.5."] == "holds"
    tenfold = "w = 2: Score-3, Score-4, Disc-2, Disc-3 need ten times fewer expansions than WA*."
    assert found[tenfold] == "does not hold"


def test_each_policy_has_its_cells() -> None:
    rows = [*korf_rows(), *({**each, "domain": "tiles15 with mine"} for each in korf_rows())]
    claim = {each.text: each for each in trained_claims(rows)}["PrefA* solves very few tasks within w = 1.5."]
    assert [finding.where for finding in claim.findings] == ["tiles15: w 1.5", "tiles15 with mine: w 1.5"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("settings", "rows", "stems"),
    [
        (replace(SMALL, variants=()), sweep_rows(("tiles8",)), ["accuracy-tiles8"]),
        (tiles15(), korf_rows(), ["solved-tiles15"]),
    ],
)
def test_outputs(tmp_path: Path, settings: Settings, rows: list[Row], stems: list[str]) -> None:
    pytest.importorskip("matplotlib", reason="figures need fsplan[plot]")
    _results(tmp_path, rows)
    assert write_outputs(rows, tmp_path, settings) == []
    for stem in stems:
        assert (tmp_path / f"{stem}.png").read_bytes().startswith(b"\x89PNG")
        assert (tmp_path / f"{stem}.pdf").read_bytes().startswith(b"%PDF")
        svg = (tmp_path / f"{stem}.svg").read_text()
        assert "Disc-2" in svg
        assert "WA*" in svg
    assert "| 1 |" in (tmp_path / "claims.md").read_text()
    assert "Disc-2" in (tmp_path / "claims.md").read_text()
    assert (tmp_path / "report.html").stat().st_size > 10_000
    assert (tmp_path / "results.csv").exists()


def test_variants_are_drawn_side_by_side(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="figures need fsplan[plot]")
    varied = [row("tiles8", "disc2", w, 0.7, 0, variant=name) for w in ("1.2", "1.5") for name in ("one", "two")]
    paths = figures.variant_figures([*sweep_rows(("tiles8",)), *varied], tmp_path, "note")
    assert [path.name for path in paths] == ["variants.png", "variants.svg", "variants.pdf"]
    assert "8-puzzle: two" in paths[1].read_text()
    assert figures.variant_figures(sweep_rows(("tiles8",)), tmp_path / "none", "note") == []


def test_without_matplotlib_all_but_the_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    rows = sweep_rows(("tiles8",))
    _results(tmp_path, rows)
    assert figures.MISSING in write_outputs(rows, tmp_path, replace(SMALL, variants=()))
    assert (tmp_path / "claims.md").exists()
    assert (tmp_path / "report.html").exists()
    assert not list(tmp_path.glob("*.png"))


@pytest.mark.long
def test_the_page_shows_the_rows_of_this_sweep_alone(tmp_path: Path) -> None:
    """The folder may hold runs of other settings, too."""
    rows = sweep_rows(("tiles8",))
    _results(tmp_path, [*rows, *sweep_rows(("pancake9",))])
    write_outputs(rows, tmp_path, replace(SMALL, variants=()))
    assert "tiles8:random/1" in (text := (tmp_path / "report.html").read_text())
    assert "pancake9:random/1" not in text


def _results(folder: Path, rows: list[Row]) -> None:
    from fsplan.planner.experiments.records import Store

    with Store(folder / "results.jsonl") as store:
        store.append(*rows)


def test_accumulated_suboptimality_goes_by_time() -> None:
    rows = [
        {"suboptimality": 1.5, "seconds": 2.0, "expansions": 7},
        {"suboptimality": 1.25, "seconds": 1.0, "expansions": 9},
    ]
    assert figures.cumulated(rows, "suboptimality") == [0.25, 0.75]
    assert figures.cumulated(rows, "expansions") == [7.0, 9.0]


def test_jobs_of_the_sweeps() -> None:
    settings = replace(SMALL, domains={"tiles8": Effort(3, 2, 2, 1)}, variants=("unmasked", "alpha applicable"))
    runs = [run for job in synthetic_jobs(settings) for run in job.runs]
    assert len({run.key for run in runs}) == len(runs)
    low = 3 * 2  # three weights near 1, two orders
    guided = 3 * 5 * 2 * (2 * 8 + 1 + low)  # initial states, accuracies, draws, orders with both weights and PrefA*
    variants = 2 * 5 * (2 * 8 + 1 + 2 * 1)  # only Disc-1 uses alpha
    assert len(runs) == 3 * (2 + 3) + guided + variants
    korf = [run for job in trained_jobs(tiles15(2, ("tiles15",))) for run in job.runs]
    assert len({run.key for run in korf}) == len(korf) == 2 * (1 + 2 * 9)
    assert all(run.options == {"paper": True} for run in korf if run.order)


def test_names_of_lines_do_not_overlap() -> None:
    heights = figures.spread([0.0, 0.0, 0.01, 0.5, 1.0, 1.0], 0.1)
    assert all(b - a >= 0.1 - 1e-9 for a, b in pairwise(heights))
    assert heights[0] >= 0
    assert heights[-1] <= 1
    assert figures.spread([]) == []
