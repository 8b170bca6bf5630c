"""The paper's claims against the numbers of a sweep: two tables of claims, and claims.md.

A claim is tested cell by cell (a domain, a w, an accuracy). It holds if it does in every cell, does not if it does in
none, and otherwise depends on the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fsplan.planner.experiments.findings import (
    METRIC_TITLES,
    Cell,
    Finding,
    alone_beats,
    beat,
    cells,
    faster_with_more,
    is_fastest,
    keeps_up,
    leads,
    near_the_bound,
    rarely_within_w,
    slower_per_expansion,
    trails,
)
from fsplan.planner.experiments.records import Row
from fsplan.planner.experiments.style import title
from fsplan.planner.experiments.sweep import DOMAIN_TITLES, PAPER_ORDERS, Sweep
from fsplan.planner.experiments.tables import Value, markdown

EVERY_DOMAIN = ""
DISC_2_3, SCORE_1_2, SCORE_3_4 = ("disc2", "disc3"), ("score1", "score2"), ("score3", "score4")


@dataclass(frozen=True)
class Statement:
    """A claim of the paper: the domain it is about, the sentence, how we read it, its test, and where it is tested."""

    domain: str
    text: str
    reading: str
    test: Callable[..., Iterator[Finding]]
    arguments: tuple[Any, ...]
    where: Callable[[Cell], bool] = lambda _: True


def _accuracy_from(least: float, most: float = 1.0) -> Callable[[Cell], bool]:
    return lambda cell: cell.accuracy is None or least <= cell.accuracy <= most


def _at_w(w: float | None = None) -> Callable[[Cell], bool]:
    """Cells of this w, or of the smallest one of the sweep."""
    return lambda cell: cell.w == (cell.sweep.ws[0] if w is None else w)


LOW, HIGH, FROM_80 = _accuracy_from(0, 0.8), _accuracy_from(0.95), _accuracy_from(0.8)
AT_2, AT_1_5, SMALLEST_W = _at_w(2), _at_w(1.5), _at_w()

# fmt: off
SMALL = (
    Statement("tiles8", "8-puzzle: Disc-2 and Disc-3 are superior to other orders in expansions.",
              "One of the two has the fewest mean expansions of Score-1..4 and Disc-1..3.",
              leads, (DISC_2_3, "expansions")),
    Statement("tiles8", "8-puzzle: Disc-2 and Disc-3 are superior to other orders in solution quality.",
              "One of the two has the least mean cost / optimal cost.",
              leads, (DISC_2_3, "suboptimality")),
    Statement("tiles8", "8-puzzle: Score-3 and Score-4 are less competitive.",
              "One of the two has the most mean expansions of the orders.",
              trails, (SCORE_3_4, "expansions")),
    Statement("tiles8", "8-puzzle: WA* is competitive at w = 1.2.",
              "At the smallest w, WA* takes at most twice the time of the better of Disc-2 and Disc-3.",
              keeps_up, ("wastar", DISC_2_3, "seconds", 2), SMALLEST_W),
    Statement("pancake9", "Pancakes: Score-3 and Score-4 outperform the others at low accuracy.",
              "Low is up to .80; one of the two has the fewest mean expansions.",
              leads, (SCORE_3_4, "expansions"), LOW),
    Statement("pancake9", "Pancakes: Disc-1 and Disc-2 outperform the others as accuracy improves.",
              "From .95 on; one of the two has the fewest mean expansions.",
              leads, (("disc1", "disc2"), "expansions"), HIGH),
    Statement("pancake9", "Pancakes: WA* is faster though it expands more.",
              "For each order: WA* takes less mean time, with more mean expansions.",
              faster_with_more, ("wastar", PAPER_ORDERS)),
    Statement("blocks", "Blocks: Disc-2 and Disc-3 outperform all others in expansions, from accuracy .70 on.",
              "One of the two has the fewest mean expansions of the orders.",
              leads, (DISC_2_3, "expansions")),
    Statement("blocks", "Blocks: Disc-2 and Disc-3 outperform all others in time, from accuracy .70 on.",
              "One of the two has the least mean search time of the orders.",
              leads, (DISC_2_3, "seconds")),
    Statement("blocks", "Blocks: their solutions are just within the bound.",
              "The mean excess over the optimum is at least half of what w allows.",
              near_the_bound, (DISC_2_3, 0.5)),
    Statement(EVERY_DOMAIN, "From accuracy .80 on, focal search pays off against WA* (expansions).",
              "Disc-2 and Disc-3 both need fewer mean expansions than WA*.",
              beat, (DISC_2_3, "wastar", "expansions"), FROM_80),
    Statement(EVERY_DOMAIN, "From accuracy .80 on, focal search pays off against WA* (time).",
              "Disc-2 and Disc-3 both take less mean search time than WA*.",
              beat, (DISC_2_3, "wastar", "seconds"), FROM_80),
    Statement(EVERY_DOMAIN, "PrefA* is the fastest.",
              "It takes the least mean search time of all.",
              is_fastest, ("prefastar", (*PAPER_ORDERS, "wastar"))),
    Statement(EVERY_DOMAIN, "PrefA* exceeds the suboptimality bound.",
              "Some of its plans cost more than w times the optimum.",
              rarely_within_w, ("prefastar", 1)),
)

TILES15 = (
    Statement("tiles15", "15-puzzle, w = 2: Score-3, Score-4, Disc-2, Disc-3 need ten times fewer expansions than WA*.",
              "An order of magnitude is taken as a factor of at least 5, for each.",
              beat, ((*SCORE_3_4, *DISC_2_3), "wastar", "expansions", 5), AT_2),
    Statement("tiles15", "15-puzzle, w = 2: and half an order of magnitude less time.",
              "Half an order of magnitude is a factor of at least 2, for each.",
              beat, ((*SCORE_3_4, *DISC_2_3), "wastar", "seconds", 2), AT_2),
    Statement("tiles15", "15-puzzle, w = 2: Score-1 and Score-2 give the best solutions.",
              "One of the two has the least mean cost / optimal cost of the orders.",
              leads, (SCORE_1_2, "suboptimality"), AT_2),
    Statement("tiles15", "15-puzzle, w = 2: Score-4, Disc-2 and Disc-3 return better solutions than WA*.",
              "Least mean cost / optimal cost.",
              beat, (("score4", *DISC_2_3), "wastar", "suboptimality"), AT_2),
    Statement("tiles15", "15-puzzle, w = 2: Score-4, Disc-2 and Disc-3 return better solutions than PrefA*.",
              "Least mean cost / optimal cost.",
              beat, (("score4", *DISC_2_3), "prefastar", "suboptimality"), AT_2),
    Statement("tiles15", "15-puzzle, w = 1.5: Disc-2, Disc-3 and Score-2 need fewer expansions than WA*.",
              'The paper\'s second "w = 2.0" is read as 1.5.',
              beat, ((*DISC_2_3, "score2"), "wastar", "expansions"), AT_1_5),
    Statement("tiles15", "15-puzzle, w = 1.5: only Disc-2 takes less time than WA*.",
              "Disc-2 does, and no other order does.",
              alone_beats, ("disc2", "wastar", "seconds"), AT_1_5),
    Statement("tiles15", "15-puzzle: PrefA* solves very few tasks within w = 1.5.",
              "Fewer than half of its plans cost at most w times the optimum.",
              rarely_within_w, ("prefastar", 0.5), AT_1_5),
    Statement("tiles15", "An expansion with the trained policy is an order of magnitude slower.",
              "A factor of at least 5 between Disc-2 and WA*; not expected here, as fsplan runs the network natively.",
              slower_per_expansion, ("disc2", "wastar", 5)),
)
# fmt: on


@dataclass(frozen=True)
class Claim:
    """A claim with what was found."""

    text: str
    reading: str
    findings: list[Finding]

    @property
    def held(self) -> int:
        return sum(finding.holds for finding in self.findings)

    @property
    def short(self) -> str:
        """In how many cells the claim holds, of how many."""
        return f"{self.held}/{len(self.findings)}" if self.findings else "-"

    @property
    def verdict(self) -> str:
        if not self.findings:
            return "not tested"
        if self.held == len(self.findings):
            return "holds"
        return f"depends on the cell ({self.held} of {len(self.findings)})" if self.held else "does not hold"


def small_claims(rows: Iterable[Row]) -> list[Claim]:
    return _decided(SMALL, Sweep(rows))


def tiles15_claims(rows: Iterable[Row]) -> list[Claim]:
    return _decided(TILES15, Sweep(rows))


def _decided(statements: Iterable[Statement], sweep: Sweep) -> list[Claim]:
    present = (EVERY_DOMAIN, *sweep.domains)
    return [Claim(each.text, each.reading, _findings(each, sweep)) for each in statements if each.domain in present]


def _findings(statement: Statement, sweep: Sweep) -> list[Finding]:
    return [
        finding if statement.domain else replace(finding, where=f"{domain}: {finding.where}")
        for domain in ([statement.domain] if statement.domain else sweep.domains)
        for cell in filter(statement.where, cells(sweep, domain))
        for finding in statement.test(cell, *statement.arguments)
    ]


HOW = (
    "A claim is tested cell by cell (a domain, a w, an accuracy). It holds if it does in every cell, does not if it "
    "does in none, and otherwise depends on the cell. Means within 1 % of each other count as equal."
)


def claims_text(name: str, claims: Sequence[Claim], rows: list[Row], about: str, variants: Sequence[str] = ()) -> str:
    """claims.md: the verdicts, then each claim with how it was read and its numbers, then the means."""
    numbered = list(enumerate(claims, start=1))
    overview: list[list[Value]] = [[f"{number}", claim.text, claim.verdict] for number, claim in numbered]
    parts = [f"# {name}", about, "## Verdicts", HOW, markdown(("", "claim of the paper", "verdict"), overview)]
    unsolved = Sweep(rows).unsolved()
    if unsolved:
        parts.append(f"{len(unsolved)} runs were not solved; they count with what they spent until then.")
    parts += ["## The claims one by one", *(part for each in numbered for part in _claim_parts(*each))]
    if variants:
        parts += ["## Which conclusions are sturdy", "Cells in which the claim holds, of those tested."]
        parts.append(_sturdiness(claims, rows, variants))
    domains = "; ".join(DOMAIN_TITLES.get(domain, domain) for domain in Sweep(rows).domains)
    parts += ["## Means", f"Over draws of the policy and starts. {domains}.", means_table(rows)]
    return "\n\n".join(parts) + "\n"


def _claim_parts(number: int, claim: Claim) -> list[str]:
    parts = [f"### {number}. {claim.text}", f"Read as: {claim.reading}", f"**Verdict: {claim.verdict}.**"]
    findings: list[list[Value]] = [[each.where, "yes" if each.holds else "no", each.numbers] for each in claim.findings]
    return [*parts, markdown(("where", "holds", "means"), findings)] if findings else parts


def _sturdiness(claims: Sequence[Claim], rows: list[Row], variants: Sequence[str]) -> str:
    """In how many cells each claim holds under other readings of what the paper leaves open."""
    by_variant = {variant: small_claims(Sweep(rows, variant).rows_as_base()) for variant in variants}
    listed: list[list[Value]] = []
    for number, claim in enumerate(claims):
        others = [made[number].short if number < len(made) else "-" for made in by_variant.values()]
        listed.append([claim.text, claim.short, *others])
    return markdown(("claim", "default reading", *by_variant), listed)


def means_table(rows: Iterable[Row]) -> str:
    """Every mean that the claims rest on."""
    sweep = Sweep(rows)
    metrics = ("literal_accuracy", "measured_accuracy", *METRIC_TITLES)
    listed: list[list[Value]] = [
        [cell.domain, cell.w, cell.accuracy, title(series), len(found), *(cell.mean(series, each) for each in metrics)]
        for domain in sweep.domains
        for cell in cells(sweep, domain)
        for series in sweep.series
        if (found := sweep.cell(domain, cell.w, cell.accuracy, series))
    ]
    header = ("domain", "w", "target accuracy", "search", "runs", "accuracy by Eq. 1", "among applicable")
    return markdown((*header, *METRIC_TITLES.values()), listed)
