"""The paper's claims against the numbers of a sweep: claims.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsplan.planner.experiments.findings import METRIC_TITLES, PAPER_ORDERS, Cells, Claim, Finding
from fsplan.planner.experiments.records import Row
from fsplan.planner.experiments.sweep import DOMAIN_TITLES, TITLES, Sweep
from fsplan.planner.experiments.tables import Cell, markdown, show


def small_claims(rows: Iterable[Row]) -> list[Claim]:
    sweep = Sweep(rows)
    makers = {"tiles8": _tiles8, "pancake9": _pancake9, "blocks": _blocks}
    claims = [
        claim for domain, make in makers.items() if domain in sweep.domains for claim in make(Cells(sweep, domain))
    ]
    return [*claims, *_everywhere(sweep)]


def _low(accuracy: float) -> bool:
    return accuracy <= 0.8


def _high(accuracy: float) -> bool:
    return accuracy >= 0.95


def _tiles8(cells: Cells) -> list[Claim]:
    small_w = [(w, accuracy) for w, accuracy in cells.each() if w == min(cells.sweep.ws)]
    return [
        Claim(
            "8-puzzle: Disc-2 and Disc-3 are superior to other orders in expansions.",
            "One of the two has the fewest mean expansions of Score-1..4 and Disc-1..3.",
            cells.leads(("disc2", "disc3"), "expansions", cells.each()),
        ),
        Claim(
            "8-puzzle: Disc-2 and Disc-3 are superior to other orders in solution quality.",
            "One of the two has the least mean cost / optimal cost.",
            cells.leads(("disc2", "disc3"), "suboptimality", cells.each()),
        ),
        Claim(
            "8-puzzle: Score-3 and Score-4 are less competitive.",
            "One of the two has the most mean expansions of the orders.",
            cells.trails(("score3", "score4"), "expansions", cells.each()),
        ),
        Claim(
            "8-puzzle: WA* is competitive at w = 1.2.",
            "At the smallest w, WA* takes no more time than the better of Disc-2 and Disc-3 does twice over.",
            [
                Finding(
                    cells.name(w, accuracy, "seconds"),
                    rival <= 2 * best,
                    f"WA* {show(rival)}, {TITLES[name]} {show(best)}",
                )
                for w, accuracy in small_w
                for best, name in cells.ranked(w, accuracy, "seconds", ("disc2", "disc3"))[:1]
                if (rival := cells.mean(w, accuracy, "wastar", "seconds")) is not None
            ],
        ),
    ]


def _pancake9(cells: Cells) -> list[Claim]:
    everywhere = list(cells.each())
    slower = [
        finding
        for order in PAPER_ORDERS
        for w, accuracy in everywhere
        for finding in _faster_with_more(cells, w, accuracy, order)
    ]
    return [
        Claim(
            "Pancakes: Score-3 and Score-4 outperform the others at low accuracy.",
            "Low is up to .80; one of the two has the fewest mean expansions.",
            cells.leads(("score3", "score4"), "expansions", cells.each(_low)),
        ),
        Claim(
            "Pancakes: Disc-1 and Disc-2 outperform the others as accuracy improves.",
            "From .95 on; one of the two has the fewest mean expansions.",
            cells.leads(("disc1", "disc2"), "expansions", cells.each(_high)),
        ),
        Claim(
            "Pancakes: WA* is faster though it expands more.",
            "For each order: WA* takes less time in the mean, with more expansions.",
            slower,
        ),
    ]


def _faster_with_more(cells: Cells, w: float, accuracy: float | None, order: str) -> Iterator[Finding]:
    numbers = {
        (series, metric): cells.mean(w, accuracy, series, metric)
        for series in (order, "wastar")
        for metric in ("seconds", "expansions")
    }
    known = {key: value for key, value in numbers.items() if value is not None}
    if len(known) < 4:
        return
    faster = known["wastar", "seconds"] < known[order, "seconds"]
    more = known["wastar", "expansions"] > known[order, "expansions"]
    text = "; ".join(
        f"{TITLES[series]} {show(known[series, 'seconds'])} s, {show(known[series, 'expansions'])} expansions"
        for series in ("wastar", order)
    )
    where = f"{TITLES[order]}, w {w:g}" + ("" if accuracy is None else f", accuracy {accuracy:g}")
    yield Finding(where, faster and more, text)


def _blocks(cells: Cells) -> list[Claim]:
    close = []
    for w, accuracy in cells.each():
        for value, name in cells.ranked(w, accuracy, "suboptimality", ("disc2", "disc3")):
            holds = value - 1 >= 0.5 * (w - 1)
            where = f"{TITLES[name]}, {cells.name(w, accuracy, 'suboptimality')}"
            close.append(Finding(where, holds, f"{show(value)} of {w:g}"))
    return [
        Claim(
            "Blocks: Disc-2 and Disc-3 outperform all others in expansions, from accuracy .70 on.",
            "One of the two has the fewest mean expansions of the orders.",
            cells.leads(("disc2", "disc3"), "expansions", cells.each()),
        ),
        Claim(
            "Blocks: Disc-2 and Disc-3 outperform all others in time, from accuracy .70 on.",
            "One of the two has the least mean search time of the orders.",
            cells.leads(("disc2", "disc3"), "seconds", cells.each()),
        ),
        Claim(
            "Blocks: their solutions are just within the bound.",
            "The mean excess over the optimum is at least half of what w allows.",
            close,
        ),
    ]


def _everywhere(sweep: Sweep) -> list[Claim]:
    def from_eighty(metric: str) -> list[Finding]:
        return [
            Finding(f"{domain}: {finding.where}", finding.holds, finding.numbers)
            for domain in sweep.domains
            for cells in [Cells(sweep, domain)]
            for finding in cells.beats(("disc2", "disc3"), "wastar", metric, cells.each(lambda value: value >= 0.8))
        ]

    fastest, broken = [], []
    for domain in sweep.domains:
        cells = Cells(sweep, domain)
        for w, accuracy in cells.each():
            ranking = cells.ranked(w, accuracy, "seconds", (*PAPER_ORDERS, "wastar", "prefastar"))
            if any(name == "prefastar" for _, name in ranking):
                where = f"{domain}: {cells.name(w, accuracy, 'seconds')}"
                numbers = ", ".join(f"{TITLES[name]} {show(value)}" for value, name in ranking[:3])
                fastest.append(Finding(where, ranking[0][1] == "prefastar", numbers))
            share = sweep.optimal_share(domain, w, accuracy, "prefastar")
            if share is not None:
                where = f"{domain}: w {w:g}" + ("" if accuracy is None else f", accuracy {accuracy:g}")
                broken.append(Finding(where, share < 1, f"{100 * share:.1f} % of the plans keep within w"))
    return [
        Claim(
            "From accuracy .80 on, focal search pays off against WA* (expansions).",
            "Disc-2 and Disc-3 both need fewer mean expansions than WA*.",
            from_eighty("expansions"),
        ),
        Claim(
            "From accuracy .80 on, focal search pays off against WA* (time).",
            "Disc-2 and Disc-3 both take less mean search time than WA*.",
            from_eighty("seconds"),
        ),
        Claim("PrefA* is the fastest.", "It takes the least mean search time of all.", fastest),
        Claim(
            "PrefA* exceeds the suboptimality bound.", "Some of its plans cost more than w times the optimum.", broken
        ),
    ]


def tiles15_claims(rows: Iterable[Row]) -> list[Claim]:
    sweep = Sweep(rows)
    if "tiles15" not in sweep.domains:
        return []
    cells = Cells(sweep, "tiles15")
    large = [(w, None) for w in sweep.ws if w == 2.0]
    small = [(w, None) for w in sweep.ws if w == 1.5]
    order_of_magnitude = ("score3", "score4", "disc2", "disc3")
    return [
        Claim(
            "15-puzzle, w = 2: Score-3, Score-4, Disc-2, Disc-3 need ten times fewer expansions than WA*.",
            "An order of magnitude is taken as a factor of at least 5, for each.",
            cells.beats(order_of_magnitude, "wastar", "expansions", large, factor=5),
        ),
        Claim(
            "15-puzzle, w = 2: and half an order of magnitude less time.",
            "Half an order of magnitude is a factor of at least 2, for each.",
            cells.beats(order_of_magnitude, "wastar", "seconds", large, factor=2),
        ),
        Claim(
            "15-puzzle, w = 2: Score-1 and Score-2 give the best solutions.",
            "One of the two has the least mean cost / optimal cost of the orders.",
            cells.leads(("score1", "score2"), "suboptimality", large),
        ),
        Claim(
            "15-puzzle, w = 2: Score-4, Disc-2 and Disc-3 return better solutions than WA*.",
            "Least mean cost / optimal cost.",
            cells.beats(("score4", "disc2", "disc3"), "wastar", "suboptimality", large),
        ),
        Claim(
            "15-puzzle, w = 2: Score-4, Disc-2 and Disc-3 return better solutions than PrefA*.",
            "Least mean cost / optimal cost.",
            cells.beats(("score4", "disc2", "disc3"), "prefastar", "suboptimality", large),
        ),
        Claim(
            "15-puzzle, w = 1.5: Disc-2, Disc-3 and Score-2 need fewer expansions than WA*.",
            'The paper\'s second "w = 2.0" is read as 1.5.',
            cells.beats(("disc2", "disc3", "score2"), "wastar", "expansions", small),
        ),
        Claim(
            "15-puzzle, w = 1.5: only Disc-2 takes less time than WA*.",
            "Disc-2 does, and no other order does.",
            _only_disc2(cells, small),
        ),
        _prefastar_within(sweep, small),
        _cost_of_a_net(cells),
    ]


def _only_disc2(cells: Cells, where: Iterable[tuple[float, None]]) -> list[Finding]:
    found = []
    for w, accuracy in where:
        rival = cells.mean(w, accuracy, "wastar", "seconds")
        ranking = cells.ranked(w, accuracy, "seconds", PAPER_ORDERS)
        if rival is None or not ranking:
            continue
        faster = [name for value, name in ranking if value < rival]
        numbers = ", ".join(f"{TITLES[name]} {show(value)}" for value, name in [*ranking, (rival, "wastar")])
        found.append(Finding(cells.name(w, accuracy, "seconds"), faster == ["disc2"], numbers))
    return found


def _prefastar_within(sweep: Sweep, where: Iterable[tuple[float, None]]) -> Claim:
    found = []
    for w, _ in where:
        share = sweep.optimal_share("tiles15", w, None, "prefastar")
        if share is not None:
            found.append(Finding(f"w {w:g}", share < 0.5, f"{100 * share:.0f} % of its plans keep within w"))
    return Claim(
        "15-puzzle: PrefA* solves very few tasks within w = 1.5.", "Fewer than half of its plans keep within w.", found
    )


def _cost_of_a_net(cells: Cells) -> Claim:
    found = []
    for w in cells.sweep.ws:
        rates = {}
        for series in ("disc2", "wastar"):
            seconds = cells.mean(w, None, series, "seconds")
            expansions = cells.mean(w, None, series, "expansions")
            if seconds and expansions:
                rates[series] = seconds / expansions * 1e6
        if len(rates) == 2:
            factor = rates["disc2"] / rates["wastar"]
            text = f"Disc-2 {rates['disc2']:.2f} µs, WA* {rates['wastar']:.2f} µs an expansion: factor {factor:.1f}"
            found.append(Finding(f"w {w:g}", factor >= 5, text))
    return Claim(
        "An expansion with the trained policy is an order of magnitude slower.",
        "A factor of at least 5 between Disc-2 and WA*. fsplan runs the network natively, so it should not hold here.",
        found,
    )


def means_table(rows: Iterable[Row], variant: str = "") -> str:
    """Every mean that the claims rest on."""
    sweep = Sweep(rows, variant)
    listed: list[list[Cell]] = []
    for domain in sweep.domains:
        for w in sweep.ws:
            for accuracy in sweep.accuracies or [None]:
                for series in sweep.series:
                    cell = sweep.cell(domain, w, accuracy, series)
                    if cell:
                        metrics = ("literal_accuracy", "measured_accuracy", *METRIC_TITLES)
                        means = [sweep.mean(domain, w, accuracy, series, metric) for metric in metrics]
                        listed.append([domain, w, accuracy, TITLES[series], len(cell), *means])
    header = (
        "domain",
        "w",
        "target accuracy",
        "search",
        "runs",
        "accuracy by Eq. 1",
        "among applicable",
        *METRIC_TITLES.values(),
    )
    return markdown(header, listed)


def claims_text(title: str, claims: Sequence[Claim], rows: list[Row], about: str, variants: Sequence[str] = ()) -> str:
    """claims.md: the verdicts, then each claim with how it was read and its numbers, then the means."""
    overview: list[list[Cell]] = [
        [f"{number}", claim.text, claim.verdict] for number, claim in enumerate(claims, start=1)
    ]
    how = (
        "A claim is looked at in cells (a domain, a w, an accuracy). It holds if it does in every cell; if in none, it "
        "does not; else it depends on where one looks. Means within 1 % are as good as each other."
    )
    parts = [f"# {title}", about, "## Verdicts", how, markdown(("", "claim of the paper", "verdict"), overview)]
    unsolved = Sweep(rows).unsolved()
    if unsolved:
        parts.append(f"{len(unsolved)} runs were not solved; they count with what they spent until then.")
    parts.append("## The claims one by one")
    for number, claim in enumerate(claims, start=1):
        parts += [f"### {number}. {claim.text}", f"Read as: {claim.reading}", f"**Verdict: {claim.verdict}.**"]
        findings: list[list[Cell]] = [
            [finding.where, "yes" if finding.holds else "no", finding.numbers] for finding in claim.findings
        ]
        if findings:
            parts.append(markdown(("where", "holds", "means"), findings))
    if variants:
        parts += ["## Which conclusions are sturdy", "Cells in which the claim holds, of those looked at."]
        parts.append(_sturdiness(claims, rows, variants))
    domains = "; ".join(DOMAIN_TITLES.get(domain, domain) for domain in Sweep(rows).domains)
    parts += ["## Means", f"Over draws of the policy and starts. {domains}.", means_table(rows)]
    return "\n\n".join(parts) + "\n"


def _sturdiness(claims: Sequence[Claim], rows: list[Row], variants: Sequence[str]) -> str:
    """In how many cells each claim holds under other readings of what the paper leaves open."""
    by_variant = {variant: small_claims(Sweep(rows, variant).rows_as_base()) for variant in variants}
    listed: list[list[Cell]] = []
    for number, claim in enumerate(claims):
        others = [made[number].short if number < len(made) else "-" for made in by_variant.values()]
        listed.append([claim.text, claim.short, *others])
    return markdown(("claim", "default reading", *by_variant), listed)
