"""The claims of the paper, and the verdicts on them. `claims_text` writes the verdicts to claims.md.

Every sentence of the paper that our runs can decide is a Statement, which is tested in cells: combinations of domain, w
and accuracy (evidence.py). The verdict is about the number of cells that truly support or contradict it:

supported     at least three quarters of the testable cells support it; for a hedged sentence ("in general", "seem")
              more than half
contradicted  more than a quarter contradict it; for a hedged sentence at least half
untestable    most cells cannot be tested, for example because all searches return the same costs
undecided     otherwise

Each of the first two is tested by a partial conjunction of the cells' tests, and must have p < 0.05 after Holm's
correction over all claims.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from fsplan.planner.experiments.records import Row
from fsplan.planner.paper.evidence import (
    Cell,
    Evidence,
    alone_beats,
    beat,
    beaten,
    cells,
    exceeds_w,
    falls_with_accuracy,
    first_are_optimal,
    gains_between_ws,
    gains_by_information,
    gains_with_accuracy,
    gains_with_w,
    keeps_up,
    leads,
    near_the_bound,
    rarely_within_w,
    similar,
    slower_per_expansion,
    trails,
)
from fsplan.planner.paper.statistics import at_least, holm
from fsplan.planner.paper.sweep import PAPER_ORDERS, Sweep
from fsplan.planner.policies.files import read
from fsplan.planner.policies.registry import file_of

DISC = ("disc1", "disc2", "disc3")
DISC_2_3, DISC_1_2 = ("disc2", "disc3"), ("disc1", "disc2")
SCORES = ("score1", "score2", "score3", "score4")
SCORE_1_2, SCORE_3_4 = SCORES[:2], SCORES[2:]
ALL = (*PAPER_ORDERS, "wastar")
# Domains, sorted from the least to the best informed heuristic according to the paper.
BY_INFORMATION = ("blocks", "tiles8", "pancake9")
VERDICTS = ("supported", "contradicted", "undecided", "untestable here")
LEVEL = 0.05


@dataclass(frozen=True)
class Statement:
    """A sentence of the paper: its domain, its place in the paper, its text, our interpretation, and its test."""

    domain: str
    place: str
    text: str
    reading: str
    test: Callable[..., Iterator[Evidence]]
    arguments: tuple[Any, ...]
    where: Callable[[Cell], bool] = lambda _: True
    scope: str = "cell"
    hedged: bool = False


def _accuracy_from(least: float, most: float = 1.0) -> Callable[[Cell], bool]:
    return lambda cell: cell.accuracy is None or least <= cell.accuracy <= most


def _at_w(w: float | None = None) -> Callable[[Cell], bool]:
    """A filter for the cells with this w, or with the smallest w of the sweep."""
    return lambda cell: cell.w == (cell.sweep.ws[0] if w is None else w)


def at_low_w(sweep: Sweep, domain: str, test: Callable[..., Iterator[Evidence]], *arguments: Any) -> Iterator[Evidence]:
    """Applies a test to all cells with the smallest of the weights near 1."""
    for cell in cells(sweep, domain, sweep.low_ws[:1]):
        yield from test(cell, *arguments)


def chance_of_an_optimal_plan(sweep: Sweep) -> Iterator[Evidence]:
    chance = 0.95**50
    yield Evidence("arithmetic", f"0.95 ^ 50 = {chance:.4f}", 1 if round(chance, 3) == 0.077 else -1, 0.0)


def policy_accuracy(sweep: Sweep, wanted: float) -> Iterator[Evidence]:
    """Tests that the accuracy on test states, as stored in the policy file, is within 0.02 of `wanted`."""
    for policy in dict.fromkeys(row["policy"] for row in sweep.rows if row["policy"]):
        if not (path := file_of(policy)) or not path.endswith(".safetensors"):
            continue

        file = read(path)
        accuracy = file.accuracy or {}
        taken, optimal = accuracy.get("trace_action"), accuracy.get("test")
        value = taken if isinstance(taken, float) else optimal if isinstance(optimal, float) else None
        if value is not None:
            what = f"the trace's action in {_percent(taken)}, an optimal action in {_percent(optimal)} of test states"
            if file.training.get("labels") != "trace":
                yield Evidence(policy, what, untestable="it is not trained as the paper's")
            else:
                yield Evidence(policy, what, 1 if abs(value - wanted) < 0.02 else -1, 0.0)


def _percent(share: Any) -> str:
    return f"{100 * share:.1f} %" if isinstance(share, float) else "?"


LOW, HIGH, FROM_80 = _accuracy_from(0, 0.8), _accuracy_from(0.95), _accuracy_from(0.8)
LOWEST, ABOVE_80 = _accuracy_from(0, 0.7), _accuracy_from(0.81)
AT_2, AT_1_5, SMALLEST_W = _at_w(2), _at_w(1.5), _at_w()

# fmt: off
# Sentences about all domains, which are tested on any task.
GENERAL = (
    Statement("", "abstract", "Discrepancy focal search obtains, in general, the best results in runtime.",
              "The best of Disc-1..3 against the best of Score-1..4.", leads, (DISC, "time"), hedged=True),
    Statement("", "abstract", "Discrepancy focal search obtains, in general, the best results in solution quality.",
              "The best of Disc-1..3 against the best of Score-1..4.", leads, (DISC, "suboptimality"), hedged=True),
    Statement("", "introduction, conclusions", "Discrepancy-based focal search yields the best results in expansions.",
              "The best of Disc-1..3 against the best of Score-1..4.", leads, (DISC, "expansions")),
    Statement("", "introduction, conclusions", "Score-based approaches find better-quality solutions.",
              "The best of Score-1..4 against the best of Disc-1..3.", leads, (SCORES, "suboptimality")),
    Statement("", "introduction", "Above accuracy .80, focal search outperforms WA* in expansions.",
              "Disc-2 and Disc-3, each against WA*.", beat, (DISC_2_3, "wastar", "expansions"), ABOVE_80),
    Statement("", "introduction", "Above accuracy .80, focal search outperforms WA* in solution quality.",
              "Disc-2 and Disc-3, each against WA*.", beat, (DISC_2_3, "wastar", "suboptimality"), ABOVE_80),
    Statement("", "synthetic policies, summary", "Disc-2 and Disc-3 are superior to other algorithms (expansions).",
              "The better of the two against the best of the others, WA* included.",
              leads, (DISC_2_3, "expansions", ALL)),
    Statement("", "synthetic policies, summary", "Disc-2 and Disc-3 are superior to other algorithms (time).",
              "The better of the two against the best of the others, WA* included.", leads, (DISC_2_3, "time", ALL)),
    Statement("", "synthetic policies, summary; conclusions",
              "From accuracy .80 on, focal search is worth using rather than WA* (expansions).",
              "Disc-2 and Disc-3, each against WA*.", beat, (DISC_2_3, "wastar", "expansions"), FROM_80),
    Statement("", "synthetic policies, summary; conclusions",
              "From accuracy .80 on, focal search is worth using rather than WA* (time).",
              "Disc-2 and Disc-3, each against WA*.", beat, (DISC_2_3, "wastar", "time"), FROM_80),
    Statement("", "conclusions", "Discrepancy-based orders outperform WA* when w is 1.2 or greater.",
              "Disc-2 and Disc-3, each against WA*, in expansions and at every accuracy.",
              beat, (DISC_2_3, "wastar", "expansions")),
    Statement("", "conclusions", "The benefit of focal search grows with the policy's accuracy.",
              "Trend of WA*'s expansions over those of Disc-2 and Disc-3.",
              gains_with_accuracy, (DISC_2_3, "wastar"), scope="domain"),
    Statement("", "synthetic policies, summary", "Very close to w = 1 WA* is faster than focal search.",
              "WA* against Disc-2 and Disc-3, in time and at the smallest w.",
              at_low_w, (beaten, "wastar", DISC_2_3, "time"), scope="domain"),
    Statement("", "synthetic policies, summary; conclusions",
              "Very close to w = 1 both need to expand a similar number of nodes.",
              "Disc-2 and WA* differ by less than 25 % at the smallest w.",
              at_low_w, (similar, ("disc2", "wastar"), "expansions", 1.25), scope="domain"),
    Statement("", "conclusions", "As w approaches 1, the effectiveness of focal search relative to WA* decreases.",
              "Trend of WA*'s expansions over those of Disc-2 and Disc-3; a constant κ does not change it.",
              gains_with_w, (DISC_2_3, "wastar"), scope="domain"),
    Statement("", "8-puzzle, pancake sorting", "PrefA* is the fastest.",
              "PrefA* against the best of the orders and WA*, in time.",
              leads, (("prefastar",), "time", (*ALL, "prefastar"))),
    Statement("", "8-puzzle, pancake sorting, blocks", "PrefA* returns solutions that exceed the suboptimality bound.",
              "Some of its plans do.", exceeds_w, ("prefastar",)),
    Statement("", "discussion", "Score-1 and Score-2 obtain similar results (expansions).",
              "They differ by less than 25 %.", similar, (SCORE_1_2, "expansions", 1.25)),
    Statement("", "discussion", "Score-1 and Score-2 obtain similar results (quality).",
              "They differ by less than 1 %.", similar, (SCORE_1_2, "suboptimality", 1.01)),
    Statement("", "discussion", "Score-3 and Score-4 obtain similar results (expansions).",
              "They differ by less than 25 %.", similar, (SCORE_3_4, "expansions", 1.25)),
    Statement("", "discussion", "Score-3 and Score-4 obtain similar results (quality).",
              "They differ by less than 1 %.", similar, (SCORE_3_4, "suboptimality", 1.01)),
)

SMALL = (
    Statement("tiles8", "8-puzzle", "8-puzzle: Disc-2 and Disc-3 are superior to other orders in expansions.",
              "The better of the two against the best of the other orders.", leads, (DISC_2_3, "expansions")),
    Statement("tiles8", "8-puzzle", "8-puzzle: Disc-2 and Disc-3 are superior to other orders in solution quality.",
              "The better of the two against the best of the other orders.", leads, (DISC_2_3, "suboptimality")),
    Statement("tiles8", "8-puzzle", "8-puzzle: Score-3 and Score-4 seem to be less competitive.",
              "The better of the two needs more expansions than the worst of the other orders.",
              trails, (SCORE_3_4, "expansions"), hedged=True),
    Statement("tiles8", "8-puzzle", "8-puzzle: WA* is competitive at w = 1.2.",
              "WA* takes less than twice the time of the better of Disc-2 and Disc-3.",
              keeps_up, ("wastar", DISC_2_3, "time", 2), SMALLEST_W),
    Statement("pancake9", "pancake sorting", "Pancakes: Score-3 and Score-4 outperform the others at low accuracy.",
              "Up to .80: the better of the two against the best of the other orders, in expansions.",
              leads, (SCORE_3_4, "expansions"), LOW),
    Statement("pancake9", "pancake sorting", "Pancakes: Disc-1 and Disc-2 outperform the others as accuracy improves.",
              "From .95 on: the better of the two against the best of the other orders, in expansions.",
              leads, (DISC_1_2, "expansions"), HIGH),
    Statement("pancake9", "pancake sorting", "Pancakes: WA* is faster than the other algorithms.",
              "WA* against the best order, in time.", keeps_up, ("wastar", PAPER_ORDERS, "time", 1)),
    Statement("pancake9", "pancake sorting", "Pancakes: WA* performs more expansions.",
              "Each order against WA*.", beat, (PAPER_ORDERS, "wastar", "expansions")),
    Statement("blocks", "blocks", "Blocks: Disc-2 and Disc-3 outperform all other algorithms in expansions.",
              "The better of the two against the best of the others, WA* included.",
              leads, (DISC_2_3, "expansions", ALL)),
    Statement("blocks", "blocks", "Blocks: Disc-2 and Disc-3 outperform all other algorithms in time.",
              "The better of the two against the best of the others, WA* included.", leads, (DISC_2_3, "time", ALL)),
    Statement("blocks", "blocks", "Blocks: their solutions are just within the bound.",
              "The excess over the optimum is more than half of what w allows, for each of the two.",
              near_the_bound, (DISC_2_3, 0.5)),
    Statement("blocks", "blocks", "Blocks: Disc-2 and Score-2 yield higher-quality solutions.",
              "The better of the two against the best of the other orders.",
              leads, (("disc2", "score2"), "suboptimality")),
    Statement("blocks", "introduction", "Blocks: WA* is outperformed even by policies of accuracy .70.",
              "Disc-2 and Disc-3 at .70, each against WA*, in expansions.",
              beat, (DISC_2_3, "wastar", "expansions"), LOWEST),
    Statement("blocks", "blocks", "Blocks: WA* performs poorly.",
              "Each order against WA*, in expansions.", beat, (PAPER_ORDERS, "wastar", "expansions")),
    Statement("blocks", "blocks", "Blocks: PrefA* performs poorly when the policy has a low accuracy.",
              "Each order against PrefA* at .70, in expansions.",
              beat, (PAPER_ORDERS, "prefastar", "expansions"), LOWEST),
    Statement("blocks", "blocks", "Blocks: PrefA* becomes faster as the accuracy grows.",
              "Trend of its expansions.", falls_with_accuracy, ("prefastar",), scope="domain"),
    Statement("", "synthetic policies, summary; conclusions",
              "Where the heuristic is less informed, policies yield more, and WA* is less competitive.",
              "Trend of WA*'s expansions over those of Disc-2 and Disc-3, from blocks to the 8-puzzle to the pancakes.",
              gains_by_information, (BY_INFORMATION, DISC_2_3, "wastar"), scope="sweep"),
    Statement("", "introduction", "A 95 %-accurate policy yields a 50-step optimal plan with probability 0.077 only.",
              "If every step is independent.", chance_of_an_optimal_plan, (), scope="sweep"),
)

KORF = (
    Statement("tiles15", "15-puzzle", "The trained policy's accuracy is 87.5 % on test states.",
              "Networks trained as the paper's, counted by the trace's action, as the paper does; within 2 %.",
              policy_accuracy, (0.875,), scope="sweep"),
    Statement("tiles15", "15-puzzle",
              "w = 2: Score-3, Score-4, Disc-2, Disc-3 need an order of magnitude fewer expansions than WA*.",
              "Each of the four, by more than 10^0.5, which rounds to one order of magnitude.",
              beat, ((*SCORE_3_4, *DISC_2_3), "wastar", "expansions", 10**0.5), AT_2),
    Statement("tiles15", "15-puzzle", "w = 2: and half an order of magnitude less time.",
              "Each of the four, by more than 10^0.25, which rounds to half an order of magnitude.",
              beat, ((*SCORE_3_4, *DISC_2_3), "wastar", "time", 10**0.25), AT_2),
    Statement("tiles15", "15-puzzle", "w = 2: Score-1 and Score-2 obtain solutions closer to the optimal ones.",
              "The better of the two against the best of the other orders.", leads, (SCORE_1_2, "suboptimality"), AT_2),
    Statement("tiles15", "15-puzzle", "w = 2: Score-4, Disc-2 and Disc-3 return better solutions than WA*.",
              "Each against WA*.", beat, (("score4", *DISC_2_3), "wastar", "suboptimality"), AT_2),
    Statement("tiles15", "15-puzzle", "w = 2: Score-4, Disc-2 and Disc-3 return better solutions than PrefA*.",
              "Each against PrefA*.", beat, (("score4", *DISC_2_3), "prefastar", "suboptimality"), AT_2),
    Statement("tiles15", "15-puzzle", "w = 1.5: Disc-2, Disc-3 and Score-2 need fewer expansions than WA*.",
              'Each against WA*. The paper\'s second "w = 2.0" is read as 1.5.',
              beat, ((*DISC_2_3, "score2"), "wastar", "expansions"), AT_1_5),
    Statement("tiles15", "15-puzzle", "w = 1.5: only Disc-2 takes less time than WA*.",
              "Disc-2 against WA*, and WA* against each other order.",
              alone_beats, ("disc2", "wastar", "time"), AT_1_5),
    Statement("tiles15", "15-puzzle", "An expansion with the trained policy is an order of magnitude slower.",
              "κ, as measured in our program.", slower_per_expansion, ()),
    Statement("tiles15", "15-puzzle", "PrefA* solves very few tasks within w = 1.5.",
              "Fewer than half of its plans cost at most w times the optimum.",
              rarely_within_w, ("prefastar",), AT_1_5),
    Statement("tiles15", "15-puzzle, summary", "Disc-2 and Disc-3 outperform all other algorithms in expansions.",
              "The better of the two against the best of the others, WA* included.",
              leads, (DISC_2_3, "expansions", ALL)),
    Statement("tiles15", "15-puzzle, summary", "Disc-2 and Disc-3 outperform all other algorithms in runtime.",
              "The better of the two against the best of the others, WA* included.", leads, (DISC_2_3, "time", ALL)),
    Statement("tiles15", "15-puzzle, summary", "Score-3 and Score-4 show good results at a higher bound.",
              "At w = 2 the better of the two against the best of the other orders, in expansions.",
              leads, (SCORE_3_4, "expansions"), AT_2),
    Statement("tiles15", "15-puzzle, summary", "and their performance decreases when the bound decreases.",
              "Their expansions relative to those of Disc-2, on single initial states, grow from w = 2 to w = 1.5.",
              gains_between_ws, (SCORE_3_4, "disc2"), scope="domain"),
    Statement("tiles15", "discussion", "The policy solves Korf's first ten problems optimally.",
              "PrefA*'s plans of numbers 1 to 10.", first_are_optimal, ("prefastar", 10), scope="domain"),
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
    """A claim of the paper with its evidence, and the corrected p-values of "supported" and "contradicted"."""

    text: str
    place: str
    reading: str
    hedged: bool
    evidence: list[Evidence]
    p_supported: float = 1.0
    p_contradicted: float = 1.0

    @property
    def testable(self) -> list[Evidence]:
        return [each for each in self.evidence if not each.untestable]

    def count(self, direction: int) -> int:
        """The number of cells that support (1) or contradict (-1) the claim, each by its own p-value."""
        return sum(each.direction == direction and each.p < LEVEL for each in self.testable)

    def p_values(self) -> tuple[float, float]:
        """The p-values of "supported" and "contradicted" before the correction."""
        size = len(self.testable)
        wanted = (size // 2 + 1, -(-size // 2)) if self.hedged else (-(-3 * size // 4), size // 4 + 1)
        directions = zip(wanted, (1, -1), strict=True)
        first, second = (at_least(most, self._p_values(direction)) for most, direction in directions)
        return first, second

    def _p_values(self, direction: int) -> list[float]:
        return [each.p if each.direction == direction else 1.0 for each in self.testable]

    @property
    def verdict(self) -> str:
        if 2 * len(self.testable) < len(self.evidence):
            return "untestable here"
        if self.p_supported < LEVEL:
            return "supported"
        return "contradicted" if self.p_contradicted < LEVEL else "undecided"

    @property
    def reason(self) -> str:
        """Why most cells cannot be tested; empty if the claim is testable."""
        reasons = Counter(each.untestable.partition(" = ")[0] for each in self.evidence if each.untestable)
        return reasons.most_common(1)[0][0] if reasons and self.verdict == VERDICTS[3] else ""


def synthetic_claims(rows: Iterable[Row]) -> list[Claim]:
    return _decided((*SMALL, *GENERAL), Sweep(rows))


def trained_claims(rows: Iterable[Row]) -> list[Claim]:
    return _decided((*KORF, *GENERAL), Sweep(rows))


def _decided(statements: Iterable[Statement], sweep: Sweep) -> list[Claim]:
    """The claims for which the sweep has runs."""
    made = [
        Claim(each.text, each.place, each.reading, each.hedged, evidence)
        for each in statements
        if (evidence := list(_evidence(each, sweep)))
    ]
    corrected = iter(holm([p for claim in made for p in claim.p_values()]))
    return [replace(claim, p_supported=next(corrected), p_contradicted=next(corrected)) for claim in made]


def _evidence(statement: Statement, sweep: Sweep) -> Iterator[Evidence]:
    if not sweep.rows or (statement.domain and not _domains(statement, sweep)):
        return
    if statement.scope == "sweep":
        yield from statement.test(sweep, *statement.arguments)
        return
    for domain in _domains(statement, sweep):
        if statement.scope == "domain":
            yield from statement.test(sweep, domain, *statement.arguments)
            continue
        for cell in filter(statement.where, cells(sweep, domain)):
            yield from statement.test(cell, *statement.arguments)


def _domains(statement: Statement, sweep: Sweep) -> list[str]:
    """The domains that a statement is about: all, or one domain including its variants with other policies."""
    return [each for each in sweep.domains if statement.domain in ("", each, each.partition(" with ")[0])]
