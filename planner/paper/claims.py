"""Tests the claims of the paper on the results of a sweep. `claims_text` writes the verdicts to claims.md.

Every sentence of the paper that our runs can decide is a Statement. A cell is a combination of domain, w and accuracy.
A statement is tested in each cell; if it compares cells, it is tested in each domain; if it compares domains, on the
whole sweep. The verdict is "holds" if all tests succeed, "does not hold" if none does, and otherwise "depends".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from fsplan.planner.experiments.records import Row
from fsplan.planner.paper.findings import (
    METRIC_TITLES,
    Cell,
    Finding,
    Group,
    alone_beats,
    beat,
    cells,
    falls_with_accuracy,
    first_are_optimal,
    gains_less_at_small_w,
    gains_with_accuracy,
    is_more,
    keeps_up,
    leads,
    near_the_bound,
    similar,
    slower_per_expansion,
    trails,
    within_w,
)
from fsplan.planner.paper.sweep import PAPER_ORDERS, Sweep

DISC = ("disc1", "disc2", "disc3")
DISC_2_3, DISC_1_2 = ("disc2", "disc3"), ("disc1", "disc2")
SCORES = ("score1", "score2", "score3", "score4")
SCORE_1_2, SCORE_3_4 = SCORES[:2], SCORES[2:]
ALL = (*PAPER_ORDERS, "wastar")
# Domains, sorted from the least to the best informed heuristic according to the paper.
BY_INFORMATION = ("blocks", "tiles8", "pancake9")


@dataclass(frozen=True)
class Statement:
    """A sentence of the paper: its domain, its place in the paper, its text, our interpretation, and its test."""

    domain: str
    place: str
    text: str
    reading: str
    test: Callable[..., Iterator[Finding]]
    arguments: tuple[Any, ...]
    where: Callable[[Cell], bool] = lambda _: True
    scope: str = "cell"


def _accuracy_from(least: float, most: float = 1.0) -> Callable[[Cell], bool]:
    return lambda cell: cell.accuracy is None or least <= cell.accuracy <= most


def _at_w(w: float | None = None) -> Callable[[Cell], bool]:
    """A filter for the cells with this w, or with the smallest w of the sweep."""
    return lambda cell: cell.w == (cell.sweep.ws[0] if w is None else w)


def at_low_w(sweep: Sweep, test: Callable[..., Iterator[Finding]], *arguments: Any) -> Iterator[Finding]:
    """The findings of a test in all cells with the smallest w near 1."""
    for domain in sweep.domains if sweep.low_ws else []:
        for cell in cells(sweep, domain, sweep.low_ws[:1]):
            for finding in test(cell, *arguments):
                yield replace(finding, where=f"{domain}: {finding.where}")


def gains_by_information(sweep: Sweep, order: Sequence[str], series: Sequence[str], metric: str) -> Iterator[Finding]:
    """Tests that the factor by which WA* needs more than the best series grows as the heuristic is less informed.

    The tolerant test compares only the first and the last domain.
    """
    domains = [domain for domain in order if domain in sweep.domains]
    for cell in cells(sweep, domains[0]) if len(domains) > 1 else []:
        gains = [replace(cell, domain=domain).gain(series, "wastar", metric) for domain in domains]
        values = [gain for gain in gains if gain is not None]
        if len(values) == len(domains):
            numbers = ", ".join(f"{domain} {gain:.3g}×" for domain, gain in zip(domains, values, strict=True))
            strict = all(a > b for a, b in pairwise(values))
            yield Finding(f"{METRIC_TITLES[metric]}, {cell}", strict, values[0] > values[-1], numbers)


def chance_of_an_optimal_plan(sweep: Sweep) -> Iterator[Finding]:
    chance = 0.95**50
    yield Finding("arithmetic", round(chance, 3) == 0.077, True, f"0.95 ^ 50 = {chance:.4f}")


def policy_accuracy(sweep: Sweep, wanted: float) -> Iterator[Finding]:
    """Tests that the accuracy on test states, as stored in the policy file, is as wanted; tolerantly within 2 %."""
    from fsplan.planner.policies.registry import file_of

    for policy in dict.fromkeys(row["policy"] for row in sweep.rows if row["policy"]):
        if not (path := file_of(policy)) or not path.endswith(".safetensors"):
            continue
        from fsplan.planner.policies.files import read

        accuracy = read(path).accuracy or {}
        taken, optimal = accuracy.get("trace_action"), accuracy.get("test")
        value = taken if isinstance(taken, float) else optimal if isinstance(optimal, float) else None
        if value is not None:
            numbers = (
                f"the trace's action in {_percent(taken)}, an optimal action in {_percent(optimal)} of test states"
            )
            yield Finding(policy, abs(value - wanted) < 0.005, abs(value - wanted) < 0.02, numbers)


def _percent(share: Any) -> str:
    return f"{100 * share:.1f} %" if isinstance(share, float) else "?"


LOW, HIGH, FROM_80 = _accuracy_from(0, 0.8), _accuracy_from(0.95), _accuracy_from(0.8)
LOWEST, ABOVE_80 = _accuracy_from(0, 0.7), _accuracy_from(0.81)
AT_2, AT_1_5, SMALLEST_W = _at_w(2), _at_w(1.5), _at_w()

# fmt: off
# Sentences about all domains, which are tested on any task.
GENERAL = (
    Statement("", "abstract", "Discrepancy focal search obtains, in general, the best results in runtime.",
              "One of Disc-1..3 has the least mean search time of the orders.", leads, (DISC, "seconds")),
    Statement("", "abstract", "Discrepancy focal search obtains, in general, the best results in solution quality.",
              "One of Disc-1..3 has the least mean cost / optimal cost.", leads, (DISC, "suboptimality")),
    Statement("", "introduction, conclusions", "Discrepancy-based focal search yields the best results in expansions.",
              "One of Disc-1..3 has the fewest mean expansions of the orders.", leads, (DISC, "expansions")),
    Statement("", "introduction, conclusions", "Score-based approaches find better-quality solutions.",
              "One of Score-1..4 has the least mean cost / optimal cost.", leads, (SCORES, "suboptimality")),
    Statement("", "introduction", "Above accuracy .80, focal search outperforms WA* in expansions.",
              "Disc-2 and Disc-3 both need fewer mean expansions than WA*.",
              beat, (DISC_2_3, "wastar", "expansions"), ABOVE_80),
    Statement("", "introduction", "Above accuracy .80, focal search outperforms WA* in solution quality.",
              "Disc-2 and Disc-3 both have a smaller mean cost / optimal cost than WA*.",
              beat, (DISC_2_3, "wastar", "suboptimality"), ABOVE_80),
    Statement("", "synthetic policies, summary", "Disc-2 and Disc-3 are superior to other algorithms (expansions).",
              "One of the two has the fewest mean expansions, WA* included.", leads, (DISC_2_3, "expansions", ALL)),
    Statement("", "synthetic policies, summary", "Disc-2 and Disc-3 are superior to other algorithms (time).",
              "One of the two has the least mean search time, WA* included.", leads, (DISC_2_3, "seconds", ALL)),
    Statement("", "synthetic policies, summary; conclusions",
              "From accuracy .80 on, focal search is worth using rather than WA* (expansions).",
              "Disc-2 and Disc-3 both need fewer mean expansions than WA*.",
              beat, (DISC_2_3, "wastar", "expansions"), FROM_80),
    Statement("", "synthetic policies, summary; conclusions",
              "From accuracy .80 on, focal search is worth using rather than WA* (time).",
              "Disc-2 and Disc-3 both take less mean search time than WA*.",
              beat, (DISC_2_3, "wastar", "seconds"), FROM_80),
    Statement("", "conclusions", "Discrepancy-based orders outperform WA* when w is 1.2 or greater.",
              "Disc-2 and Disc-3 both need fewer mean expansions than WA*, at every accuracy.",
              beat, (DISC_2_3, "wastar", "expansions")),
    Statement("", "conclusions", "The benefit of focal search grows with the policy's accuracy.",
              "WA*'s mean expansions, divided by those of the better of Disc-2 and Disc-3, grow.",
              gains_with_accuracy, (DISC_2_3, "wastar", "expansions"), scope="domain"),
    Statement("", "synthetic policies, summary", "Very close to w = 1 WA* is faster than focal search.",
              "At the smallest w, WA* takes less mean search time than Disc-2 and Disc-3.",
              at_low_w, (beat, ("wastar",), "disc2", "seconds"), scope="sweep"),
    Statement("", "synthetic policies, summary; conclusions",
              "Very close to w = 1 both need to expand a similar number of nodes.",
              "At the smallest w, Disc-2 and WA* differ by at most 10 % (tolerantly 50 %) in mean expansions.",
              at_low_w, (similar, ("disc2", "wastar"), "expansions", 1.1, 1.5), scope="sweep"),
    Statement("", "conclusions", "As w approaches 1, the effectiveness of focal search relative to WA* decreases.",
              "WA*'s mean time, divided by that of the better of Disc-2 and Disc-3, falls with w.",
              gains_less_at_small_w, (DISC_2_3, "wastar", "seconds"), scope="domain"),
    Statement("", "8-puzzle, pancake sorting", "PrefA* is the fastest.",
              "It takes less mean search time than all others.",
              beat, (("prefastar",), "best of the others", "seconds")),
    Statement("", "8-puzzle, pancake sorting, blocks", "PrefA* returns solutions that exceed the suboptimality bound.",
              "Not all of its plans cost at most w times the optimum; tolerantly the same.",
              within_w, ("prefastar", 1, 1)),
    Statement("", "discussion", "Score-1 and Score-2 obtain similar results (expansions).",
              "Means differ by at most 10 %, tolerantly 50 %.", similar, (SCORE_1_2, "expansions", 1.1, 1.5)),
    Statement("", "discussion", "Score-1 and Score-2 obtain similar results (quality).",
              "Means differ by at most 1 %, tolerantly 5 %.", similar, (SCORE_1_2, "suboptimality", 1.01, 1.05)),
    Statement("", "discussion", "Score-3 and Score-4 obtain similar results (expansions).",
              "Means differ by at most 10 %, tolerantly 50 %.", similar, (SCORE_3_4, "expansions", 1.1, 1.5)),
    Statement("", "discussion", "Score-3 and Score-4 obtain similar results (quality).",
              "Means differ by at most 1 %, tolerantly 5 %.", similar, (SCORE_3_4, "suboptimality", 1.01, 1.05)),
)

SMALL = (
    Statement("tiles8", "8-puzzle", "8-puzzle: Disc-2 and Disc-3 are superior to other orders in expansions.",
              "One of the two has the fewest mean expansions of Score-1..4 and Disc-1..3.",
              leads, (DISC_2_3, "expansions")),
    Statement("tiles8", "8-puzzle", "8-puzzle: Disc-2 and Disc-3 are superior to other orders in solution quality.",
              "One of the two has the least mean cost / optimal cost.", leads, (DISC_2_3, "suboptimality")),
    Statement("tiles8", "8-puzzle", "8-puzzle: Score-3 and Score-4 are less competitive.",
              "Both have more mean expansions than every other order; tolerantly, one of them has.",
              trails, (SCORE_3_4, "expansions")),
    Statement("tiles8", "8-puzzle", "8-puzzle: WA* is competitive at w = 1.2.",
              "WA* takes no more time than the better of Disc-2 and Disc-3; tolerantly, at most twice as much.",
              keeps_up, ("wastar", DISC_2_3, "seconds", 2), SMALLEST_W),
    Statement("pancake9", "pancake sorting", "Pancakes: Score-3 and Score-4 outperform the others at low accuracy.",
              "Low is up to .80; one of the two has the fewest mean expansions.",
              leads, (SCORE_3_4, "expansions"), LOW),
    Statement("pancake9", "pancake sorting", "Pancakes: Disc-1 and Disc-2 outperform the others as accuracy improves.",
              "From .95 on; one of the two has the fewest mean expansions.", leads, (DISC_1_2, "expansions"), HIGH),
    Statement("pancake9", "pancake sorting", "Pancakes: WA* is faster than the other algorithms.",
              "WA* takes less mean time than every order; tolerantly, than the orders but the best.",
              keeps_up, ("wastar", PAPER_ORDERS, "seconds", 1.5)),
    Statement("pancake9", "pancake sorting", "Pancakes: WA* performs more expansions.",
              "WA* has more mean expansions than every order; tolerantly, than the best of them.",
              is_more, ("wastar", PAPER_ORDERS, "expansions")),
    Statement("blocks", "blocks", "Blocks: Disc-2 and Disc-3 outperform all other algorithms in expansions.",
              "One of the two has the fewest mean expansions, WA* included.", leads, (DISC_2_3, "expansions", ALL)),
    Statement("blocks", "blocks", "Blocks: Disc-2 and Disc-3 outperform all other algorithms in time.",
              "One of the two has the least mean search time, WA* included.", leads, (DISC_2_3, "seconds", ALL)),
    Statement("blocks", "blocks", "Blocks: their solutions are just within the bound.",
              "The mean excess over the optimum is at least three quarters of what w allows; tolerantly, half.",
              near_the_bound, (DISC_2_3, 0.75, 0.5)),
    Statement("blocks", "blocks", "Blocks: Disc-2 and Score-2 yield higher-quality solutions.",
              "One of the two has the least mean cost / optimal cost.", leads, (("disc2", "score2"), "suboptimality")),
    Statement("blocks", "introduction", "Blocks: WA* is outperformed even by policies of accuracy .70.",
              "At .70, Disc-2 and Disc-3 need fewer mean expansions.",
              beat, (DISC_2_3, "wastar", "expansions"), LOWEST),
    Statement("blocks", "blocks", "Blocks: WA* performs poorly.",
              "WA* has more mean expansions than every order; tolerantly, than the best of them.",
              is_more, ("wastar", PAPER_ORDERS, "expansions")),
    Statement("blocks", "blocks", "Blocks: PrefA* performs poorly when the policy has a low accuracy.",
              "At .70 it takes more mean time than every order; tolerantly, than the best of them.",
              is_more, ("prefastar", PAPER_ORDERS, "seconds"), LOWEST),
    Statement("blocks", "blocks", "Blocks: PrefA* becomes faster as the accuracy grows.",
              "Its mean expansions fall from each accuracy to the next; tolerantly, from the first to the last.",
              falls_with_accuracy, ("prefastar", "expansions"), scope="domain"),
    Statement("", "synthetic policies, summary",
              "Where the heuristic is more informed (pancakes) WA* is more competitive.",
              "WA*'s mean time, divided by that of the better of Disc-2 and Disc-3, falls from blocks to the 8-puzzle "
              "to the pancakes; tolerantly, from blocks to the pancakes.",
              gains_by_information, (BY_INFORMATION, DISC_2_3, "seconds"), scope="sweep"),
    Statement("", "conclusions", "Exploiting policies yields more benefits when the heuristics are less informed.",
              "The same in expansions.",
              gains_by_information, (BY_INFORMATION, DISC_2_3, "expansions"), scope="sweep"),
    Statement("", "introduction", "A 95 %-accurate policy yields a 50-step optimal plan with probability 0.077 only.",
              "If every step is independent.", chance_of_an_optimal_plan, (), scope="sweep"),
)

KORF = (
    Statement("tiles15", "15-puzzle", "The trained policy's accuracy is 87.5 % on test states.",
              "Counted by the trace's action, as the paper does; tolerantly within 2 %.",
              policy_accuracy, (0.875,), scope="sweep"),
    Statement("tiles15", "15-puzzle",
              "w = 2: Score-3, Score-4, Disc-2, Disc-3 need ten times fewer expansions than WA*.",
              "Each of the four, by a factor of 10; tolerantly of 5.",
              beat, ((*SCORE_3_4, *DISC_2_3), "wastar", "expansions", 10, 5), AT_2),
    Statement("tiles15", "15-puzzle", "w = 2: and half an order of magnitude less time.",
              "Each of the four, by a factor of 3.16; tolerantly of 2.",
              beat, ((*SCORE_3_4, *DISC_2_3), "wastar", "seconds", 3.16, 2), AT_2),
    Statement("tiles15", "15-puzzle", "w = 2: Score-1 and Score-2 obtain solutions closer to the optimal ones.",
              "One of the two has the least mean cost / optimal cost of the orders.",
              leads, (SCORE_1_2, "suboptimality"), AT_2),
    Statement("tiles15", "15-puzzle", "w = 2: Score-4, Disc-2 and Disc-3 return better solutions than WA*.",
              "Each has a smaller mean cost / optimal cost.",
              beat, (("score4", *DISC_2_3), "wastar", "suboptimality"), AT_2),
    Statement("tiles15", "15-puzzle", "w = 2: Score-4, Disc-2 and Disc-3 return better solutions than PrefA*.",
              "Each has a smaller mean cost / optimal cost.",
              beat, (("score4", *DISC_2_3), "prefastar", "suboptimality"), AT_2),
    Statement("tiles15", "15-puzzle", "w = 1.5: Disc-2, Disc-3 and Score-2 need fewer expansions than WA*.",
              'The paper\'s second "w = 2.0" is read as 1.5.',
              beat, ((*DISC_2_3, "score2"), "wastar", "expansions"), AT_1_5),
    Statement("tiles15", "15-puzzle", "w = 1.5: only Disc-2 takes less time than WA*.",
              "Disc-2 does, and no other order does; tolerantly, it is the fastest of those that do.",
              alone_beats, ("disc2", "wastar", "seconds"), AT_1_5),
    Statement("tiles15", "15-puzzle", "An expansion with the trained policy is an order of magnitude slower.",
              "A factor of 10 between Disc-2 and WA*, tolerantly of 5; not expected: fsplan runs the network natively.",
              slower_per_expansion, ("disc2", "wastar", 10, 5)),
    Statement("tiles15", "15-puzzle", "PrefA* solves very few tasks within w = 1.5.",
              "Fewer than a tenth of its plans cost at most w times the optimum; tolerantly, fewer than half.",
              within_w, ("prefastar", 0.1, 0.5), AT_1_5),
    Statement("tiles15", "15-puzzle, summary", "Disc-2 and Disc-3 outperform all other algorithms in expansions.",
              "One of the two has the fewest mean expansions, WA* included.", leads, (DISC_2_3, "expansions", ALL)),
    Statement("tiles15", "15-puzzle, summary", "Disc-2 and Disc-3 outperform all other algorithms in runtime.",
              "One of the two has the least mean search time, WA* included.", leads, (DISC_2_3, "seconds", ALL)),
    Statement("tiles15", "15-puzzle, summary", "Score-3 and Score-4 show good results at a higher bound.",
              "At w = 2 one of the two has the fewest mean expansions of the orders.",
              leads, (SCORE_3_4, "expansions"), AT_2),
    Statement("tiles15", "15-puzzle, summary", "and their performance decreases when the bound decreases.",
              "At w = 1.5 both have more mean expansions than every other order; tolerantly, one of them has.",
              trails, (SCORE_3_4, "expansions"), AT_1_5),
    Statement("tiles15", "discussion", "The policy solves Korf's first ten problems optimally.",
              "PrefA*'s plans of numbers 1 to 10; tolerantly, half of them.",
              first_are_optimal, ("prefastar", 10), scope="domain"),
)
# fmt: on

UNDECIDED = (
    ("related work, introduction", "what earlier approaches did and did not guarantee", "about other papers"),
    (
        "empirical evaluation",
        "PrefA* without alternation is faster than with it",
        "`fsplan compare TASKS --searches 'prefastar,prefastar[alternate]' --policies P` decides it on any tasks",
    ),
    ("discussion", "other architectures would yield other accuracies", "not run"),
    ("discussion", "the conclusions may extend to other larger domains", "`fsplan study` is for that"),
    (
        "discussion",
        "EES does not significantly outperform WA* with unit costs; non-unit costs are future work",
        "`fsplan compare TASKS --searches 'wastar,ees,optimistic,disc2'` decides it on any tasks",
    ),
    ("conclusions", "what the orders maximise", "proven, not measured"),
)


@dataclass(frozen=True)
class Claim:
    """A claim of the paper with its findings."""

    text: str
    place: str
    reading: str
    findings: list[Finding]

    def count(self, strict: bool) -> int:
        return sum(finding.strict if strict else finding.tolerant for finding in self.findings)

    def short(self, strict: bool = False) -> str:
        """The number of cells in which the claim holds, and the number of tested cells, as in 3/4."""
        return f"{self.count(strict)}/{len(self.findings)}" if self.findings else "-"

    def verdict(self, strict: bool = False) -> str:
        if not self.findings:
            return "not tested"
        held = self.count(strict)
        if held == len(self.findings):
            return "holds"
        return f"depends ({held} of {len(self.findings)})" if held else "does not hold"


def synthetic_claims(rows: Iterable[Row]) -> list[Claim]:
    return _decided((*SMALL, *GENERAL), Sweep(rows))


def trained_claims(rows: Iterable[Row]) -> list[Claim]:
    return _decided((*KORF, *GENERAL), Sweep(rows))


def _decided(statements: Iterable[Statement], sweep: Sweep) -> list[Claim]:
    """The claims about domains in the sweep; claims that compare domains are included only if all of them are."""
    known = [each for each in statements if not each.domain or _domains(each, sweep)]
    made = [Claim(each.text, each.place, each.reading, list(_findings(each, sweep))) for each in known]
    return [claim for claim in made if claim.findings or not sweep.rows]


def _domains(statement: Statement, sweep: Sweep) -> list[str]:
    """The domains that a statement is about: all, or one domain including its variants with other policies."""
    return [each for each in sweep.domains if statement.domain in ("", each, each.partition(" with ")[0])]


def _findings(statement: Statement, sweep: Sweep) -> Iterator[Finding]:
    if statement.scope == "sweep":
        yield from statement.test(sweep, *statement.arguments)
        return
    domains = _domains(statement, sweep)
    for domain in domains:
        for finding in _domain_findings(statement, sweep, domain):
            yield finding if len(sweep.domains) == 1 else replace(finding, where=f"{domain}: {finding.where}")


def _domain_findings(statement: Statement, sweep: Sweep, domain: str) -> Iterator[Finding]:
    if statement.scope == "domain":
        yield from statement.test(Group(sweep, domain), *statement.arguments)
        return
    for cell in filter(statement.where, cells(sweep, domain)):
        yield from statement.test(cell, *_with_best(cell, statement.arguments))


def _with_best(cell: Cell, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, with "best of the others" replaced by the best of the orders and WA* in this cell."""
    if "best of the others" not in arguments:
        return arguments
    ranking = cell.ranked(str(arguments[-1]), ALL)
    best = ranking[0][1] if ranking else "wastar"
    return tuple(best if each == "best of the others" else each for each in arguments)
