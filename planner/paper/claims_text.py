"""Writes claims.md: the verdicts on the paper's claims, each with its numbers, and a table of all means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fsplan.planner.experiments.records import Row
from fsplan.planner.experiments.style import title
from fsplan.planner.experiments.tables import Value, markdown
from fsplan.planner.paper.claims import UNDECIDED, Claim, synthetic_claims
from fsplan.planner.paper.findings import METRIC_TITLES, cells
from fsplan.planner.paper.sweep import Sweep, alike, domain_title

HOW = (
    "A claim is tested cell by cell (a domain, a w, an accuracy). It holds if it does in every cell, does not if it "
    "does in none, and otherwise depends. Strictly, means are compared as they are, and an order of magnitude is a "
    "factor of 10; tolerantly, means within 1 % of each other count as equal, and a factor of 5 is enough. In brackets "
    "are 95 % confidence intervals of the means."
)


def claims_text(claims: Sequence[Claim], rows: list[Row], about: str, variants: Sequence[str] = ()) -> str:
    """The text of claims.md: the verdicts, then each claim with our interpretation and its numbers, then the means."""
    numbered = list(enumerate(claims, start=1))
    overview: list[list[Value]] = [
        [f"{number}", claim.place, claim.text, claim.verdict(strict=True), claim.verdict()]
        for number, claim in numbered
    ]
    header = ("", "where in the paper", "claim", "strictly", "tolerantly")
    parts = ["# The paper's claims", about, "## Verdicts", HOW, markdown(header, overview), _tally(claims)]
    unsolved = Sweep(rows).unsolved()
    if unsolved:
        parts.append(f"{len(unsolved)} runs were not solved; they count with what they spent until then.")
    if variants:
        parts += ["## Which conclusions are sturdy", _STURDY, _sturdiness(rows, variants)]
    parts += ["## Not decided here", markdown(("where in the paper", "sentence", "why"), [list(u) for u in UNDECIDED])]
    parts += ["## The claims one by one", *(part for each in numbered for part in _claim_parts(*each))]
    domains = "; ".join(map(domain_title, Sweep(rows).domains))
    parts += ["## Means", f"Over draws of the policy and starts. {domains}.", means_table(rows)]
    return "\n\n".join(parts) + "\n"


_PLURALS = {
    "holds": "hold",
    "does not hold": "do not hold",
    "depends": "depend on the cell",
    "not tested": "not tested",
}


def _tally(claims: Sequence[Claim]) -> str:
    lines = [f"{len(claims)} claims decided."]
    for strict, name in ((True, "Strictly"), (False, "Tolerantly")):
        verdicts = [claim.verdict(strict).split(" (")[0] for claim in claims]
        counts = (f"{verdicts.count(each)} {plural}" for each, plural in _PLURALS.items() if each in verdicts)
        lines.append(f"{name}: {', '.join(counts)}.")
    return " ".join(lines)


def _claim_parts(number: int, claim: Claim) -> list[str]:
    parts = [f"### {number}. {claim.text}", f"Place: {claim.place}. Read as: {claim.reading}"]
    parts.append(f"**Verdict: strictly {claim.verdict(strict=True)}; tolerantly {claim.verdict()}.**")
    findings: list[list[Value]] = [
        [each.where, "yes" if each.strict else "no", "yes" if each.tolerant else "no", each.numbers]
        for each in claim.findings
    ]
    return [*parts, markdown(("where", "strictly", "tolerantly", "means [95 % interval]"), findings)]


_STURDY = (
    "Cells in which the claim holds, of those tested, strictly and tolerantly: in the default reading and under "
    "others, all on the starts and draws of the variants."
)


def _sturdiness(rows: list[Row], variants: Sequence[str]) -> str:
    """A table of the number of cells in which each claim holds, for each interpretation of the paper's open points."""
    common = alike(rows)
    by_variant = {
        name or "default reading": {claim.text: claim for claim in synthetic_claims(sweep.rows_as_base())}
        for name in ("", *variants)
        if (sweep := Sweep(common, name)).rows
    }
    texts = dict.fromkeys(text for made in by_variant.values() for text in made)
    listed: list[list[Value]] = [
        [text, *(_both(made[text]) if text in made else "-" for made in by_variant.values())] for text in texts
    ]
    return markdown(("claim", *by_variant), listed)


def _both(claim: Claim) -> str:
    return f"{claim.short(strict=True)}, {claim.short()}"


def means_table(rows: Iterable[Row]) -> str:
    """A table of all means that the claims are tested on."""
    sweep = Sweep(rows)
    metrics = ("literal_accuracy", "measured_accuracy", *METRIC_TITLES)
    listed: list[list[Value]] = [
        [cell.domain, cell.w, cell.accuracy, title(series), len(found), *(cell.mean(series, each) for each in metrics)]
        for domain in sweep.domains
        for cell in cells(sweep, domain, [*sweep.low_ws, *sweep.ws])
        for series in sweep.series
        if (found := sweep.cell(domain, cell.w, cell.accuracy, series))
    ]
    header = ("domain", "w", "target accuracy", "search", "runs", "accuracy by Eq. 1", "among applicable")
    return markdown((*header, *METRIC_TITLES.values()), listed)
