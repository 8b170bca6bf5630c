"""Writes claims.md, the verdicts on the paper's claims, and evidence.md, the tests of every cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from fsplan.planner.experiments.records import Row
from fsplan.planner.experiments.style import title
from fsplan.planner.experiments.tables import Value, markdown
from fsplan.planner.paper.claims import LEVEL, UNDECIDED, VERDICTS, Claim, synthetic_claims
from fsplan.planner.paper.evidence import PAPER_KAPPA, Cell, Evidence, break_even, cells
from fsplan.planner.paper.sweep import Sweep, alike

HOW = (
    "Searches are compared on pairs: the same initial state, the same draw of the policy. A cell (domain, w, accuracy) "
    "is for or against a claim if the exact sign test over its pairs has p < 0.05 and the 95 % bootstrap interval of "
    "the geometric mean of the ratios agrees. A sentence is **supported** if at least three quarters of the testable "
    'cells support it, and **contradicted** if more than a quarter contradict it. A hedged sentence ("in general", '
    '"seem", marked ~) is supported by more than half of the cells, and contradicted by half. These counts are tested, '
    "too (partial conjunction, p < 0.05 after Holm's correction over all claims), so a sentence whose cells look clear "
    "one by one may be **undecided**: the data do not decide it. A cell is untestable if all pairs are equal, if the "
    "outcome is certain without a run, or if it depends on the program; a claim is **untestable here** if most of its "
    "cells are. The best of several series is the one with the least geometric mean. The ratio says how much better "
    "the side is that the claim favours: the median over the cells of the geometric means, and in brackets the least "
    "and the greatest."
)
KAPPA = (
    "Our program is not the paper's, so times are modelled: an expansion takes one unit of time, and κ units more if "
    "it calls a policy. Claims about time are tested with our κ ({ours}) and with the paper's (about {paper:g}); a "
    "cell where the two contradict each other is untestable. The break-even is the κ at which focal search and WA* "
    "take equally long, from the geometric means of the expansions, with 95 % bootstrap intervals; where it is "
    "negative, WA* expands less. Focal search is faster with our κ where the interval is above it (marked °), and with "
    "the paper's, too, where it is **bold**."
)
THREATS = (
    "**Implementation.** Our program is not the paper's: expansions are compared, and times follow from a model with "
    "one parameter, κ. Ties, re-opening and the sum of ranks in Disc-3 are our readings.",
    "**Policies.** The paper does not give the distribution of the random numbers behind the softmax. Score-1 and "
    "Score-2 depend on its scale by orders of magnitude, so the scale is an axis of this study. Synthetic policies err "
    "independently of each other; networks do not.",
    "**Sampling.** Initial states are uniform, not those of the paper, which does not list them. Each has a policy "
    "draw of its own, so pairs are independent; blocks has fewer than the puzzles.",
    "**Statistics.** The sign test ignores the size of differences, and the geometric mean weighs ratios equally: a "
    "search that is rarely very slow looks better than by its arithmetic mean, which is given beside. The best of "
    "several searches is chosen on the same data on both sides of a comparison. Thresholds (three quarters of the "
    "cells, a half, 25 %, 1 %) are conventions, the same for all claims.",
)
MARKS = dict(zip(VERDICTS, ("+", "−", "?", "·"), strict=True))


def claims_text(
    name: str, claims: Sequence[Claim], rows: list[Row], about: str, groups: Mapping[str, Sequence[str]] | None = None
) -> str:
    """The text of claims.md; `groups` maps the names of groups of variants to their members."""
    sweep = Sweep(rows)
    overview: list[list[Value]] = [
        [number, claim.text + " ~" * claim.hedged, claim.place, _verdict(claim), _count(claim), _effect(claim)]
        for number, claim in enumerate(claims, start=1)
    ]
    header = ("", "claim", "place in the paper", "verdict", "cells for, against, open", "ratio")
    tables = [_turning(group, rows, names) for group, names in (groups or {}).items()]
    parts = [f"# {name}", about, tally(claims), *(tables[:1]), "## Verdicts", HOW, markdown(header, overview)]
    unsolved = sweep.unsolved()
    if unsolved:
        parts.append(f"{len(unsolved)} runs were not solved; they count with what they spent until then.")
    parts += [*tables[1:], *_kappa_parts(sweep)]
    parts += ["## Not tested", markdown(("place in the paper", "sentence", "why"), [list(u) for u in UNDECIDED])]
    parts += ["## Threats to validity", *THREATS]
    return "\n\n".join(filter(None, parts)) + "\n"


def evidence_text(claims: Sequence[Claim]) -> str:
    """The text of evidence.md: a folded table for each claim."""
    return "\n\n".join(["## Evidence", EVIDENCE, *(_folded(*each) for each in enumerate(claims, start=1))]) + "\n"


EVIDENCE = (
    "Ratios are above 1 where the claim's side is better: geometric mean with its 95 % interval, median, and ratio of "
    "the arithmetic means. Pairs: for the claim, against it, equal."
)


def tally(claims: Sequence[Claim]) -> str:
    verdicts = [claim.verdict for claim in claims]
    counts = ", ".join(f"{verdicts.count(each)} {each}" for each in VERDICTS)
    return f"**{len(claims)} claims: {counts}.**"


def _verdict(claim: Claim) -> str:
    return f"{claim.verdict}: {claim.reason}" if claim.reason else claim.verdict


def _count(claim: Claim) -> str:
    supporting, contradicting = claim.count(1), claim.count(-1)
    untestable = len(claim.evidence) - len(claim.testable)
    text = f"{supporting}, {contradicting}, {len(claim.testable) - supporting - contradicting}"
    return text + (f" ({untestable} untestable)" if untestable else "")


def _effect(claim: Claim) -> str:
    ratios = sorted(each.ratio for each in claim.evidence if each.ratio and not each.untestable)
    if not ratios:
        return "-"
    return f"{median(ratios):.3g} [{ratios[0]:.3g}, {ratios[-1]:.3g}]"


def _turning(name: str, rows: list[Row], variants: Sequence[str]) -> str:
    """A table of the claims whose verdicts differ between the default and these variants, on the same runs."""
    chosen = [row for row in rows if not row["variant"] or row["variant"] in variants]
    common = alike(chosen)
    verdicts = {
        variant or "default": {claim.text: claim for claim in synthetic_claims(sweep.rows_as_base())}
        for variant in ("", *variants)
        if (sweep := Sweep(common, variant)).rows
    }
    if len(verdicts) < 2:
        return ""
    texts = list(dict.fromkeys(text for made in verdicts.values() for text in made))
    turning = [text for text in texts if len({made[text].verdict for made in verdicts.values() if text in made}) > 1]
    listed: list[list[Value]] = [[text, *(_mark(made.get(text)) for made in verdicts.values())] for text in turning]
    signs = ", ".join(f"{mark} {verdict}" for verdict, mark in MARKS.items())
    starts = {
        domain: len({row["task"] for row in common if row["domain"] == domain}) for domain in Sweep(common).domains
    }
    numbers = ", ".join(f"{domain} {count}" for domain, count in starts.items())
    note = (
        f"{len(turning)} of {len(texts)} verdicts differ ({signs}; cells for, against, open). All columns are of the "
        f"same initial states ({numbers}), so the default may differ from the verdicts on all of them."
    )
    return f"## Verdicts that turn with {name}\n\n{note}\n\n{markdown(('claim', *verdicts), listed)}"


def _mark(claim: Claim | None) -> str:
    return f"{MARKS[claim.verdict]} {_count(claim).partition(' (')[0]}" if claim else "not run"


def _kappa_parts(sweep: Sweep) -> list[str]:
    kappas = {domain: sweep.kappa(domain) for domain in sweep.domains}
    ours = ", ".join(f"{domain} {kappa:.2g}" for domain, kappa in kappas.items() if kappa is not None)
    series = [name for name in ("disc2", "disc3") if name in sweep.series]
    listed: list[list[Value]] = [
        [cell.domain, cell.w, cell.accuracy, *(_break_even(cell, name) for name in series)]
        for domain in sweep.domains
        for cell in cells(sweep, domain)
        if break_even(cell, "disc2")
    ]
    if not listed or not ours:
        return []
    header = ("domain", "w", "accuracy", *(f"break-even κ, {title(name)}" for name in series))
    return ["## Break-even of time", KAPPA.format(ours=ours, paper=PAPER_KAPPA), markdown(header, listed)]


def _break_even(cell: Cell, series: str) -> str:
    found = break_even(cell, series)
    if found is None:
        return "-"
    ours = cell.sweep.kappa(cell.domain)
    text = f"{found[0]:.2g} [{found[1]:.2g}, {found[2]:.2g}]" + "°" * (ours is not None and found[1] > ours)
    return f"**{text}**" if found[1] > PAPER_KAPPA else text


def _folded(number: int, claim: Claim) -> str:
    summary = f'<details markdown="1"><summary>{number}. {claim.text}</summary>'
    header = ("cell", "compared", "result", "ratio", "median", "of means", "pairs", "p")
    listed = [_line(each) for each in claim.evidence]
    return "\n\n".join([summary, f"{claim.reading} **{_verdict(claim)}**", markdown(header, listed), "</details>"])


def _line(one: Evidence) -> list[Value]:
    band = f" [{one.band[0]:.3g}, {one.band[1]:.3g}]" if one.band else ""
    ratio = f"{one.ratio:.3g}{band}" if one.ratio else "-"
    signs = {1: "+", -1: "−", 0: "?"}
    result = one.untestable or (signs[one.direction] if one.p < LEVEL else "?")
    others = (f"{value:.3g}" if value else "-" for value in (one.median, one.arithmetic))
    pairs = ", ".join(map(str, one.pairs)) if any(one.pairs) else "-"
    return [one.where, one.what, result, ratio, *others, pairs, "-" if one.untestable else _p(one.p)]


def _p(p: float) -> str:
    return f"{p:.2g}" if p >= 1e-4 else "0" if p == 0 else f"{p:.0e}"
