"""Tests of the paper's claims on pairs of runs: two searches from the same initial state, with the same policy.

A cell is a combination of domain, w and accuracy. In a cell, each pair gives the logarithm of a ratio, positive if the
pair supports the claim. The evidence of the cell is the exact sign test of these numbers and the bootstrap interval of
their mean. It supports or contradicts the claim only if both agree. A cell without the data has no evidence.

Times are modelled, because our program is not the paper's: an expansion takes one unit, and κ units more if it calls a
policy. A claim about time is tested with our κ, as measured, and with the paper's, which is about 10.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, inf, log
from statistics import fmean, median

from fsplan.planner.experiments.records import Row
from fsplan.planner.experiments.style import title
from fsplan.planner.experiments.summary import interval
from fsplan.planner.paper.statistics import sign_test, slope
from fsplan.planner.paper.sweep import PAPER_ORDERS, Sweep

PAPER_KAPPA = 10.0
METRIC_TITLES = {"expansions": "expansions", "time": "time", "suboptimality": "cost / optimal cost"}
Found = Iterator["Evidence"]
Logs = Mapping[str, float]  # initial state -> logarithm of a metric


@dataclass(frozen=True)
class Evidence:
    """The evidence of one cell: `direction` is 1 for the claim, -1 against it, else 0; or why the cell is `untestable`.

    p is the p-value before any correction. The ratio is a geometric mean with its 95 % interval, beside the median of
    the ratios and the ratio of the arithmetic means. Pairs are counted as won, lost and equal.
    """

    where: str
    what: str
    direction: int = 0
    p: float = 1.0
    ratio: float | None = None
    band: tuple[float, float] | None = None
    median: float | None = None
    arithmetic: float | None = None
    pairs: tuple[int, int, int] = (0, 0, 0)
    untestable: str = ""


@dataclass(frozen=True)
class Cell:
    """A combination of domain, w and accuracy; the accuracy is None if the policy is not synthetic."""

    sweep: Sweep
    domain: str
    w: float
    accuracy: float | None

    def __str__(self) -> str:
        accuracy = "" if self.accuracy is None else f", accuracy {self.accuracy:g}"
        return f"{self.domain}, w {self.w:g}{accuracy}"

    def rows(self, series: str) -> list[Row]:
        return self.sweep.cell(self.domain, self.w, self.accuracy, series)

    def logs(self, series: str, metric: str, kappa: float = 0.0) -> Logs:
        """The logarithm of the metric for each initial state; several draws for one state are averaged."""
        key = self.domain, self.w, self.accuracy, series, metric, kappa
        if key not in self.sweep.logs:
            self.sweep.logs[key] = self._logs(series, metric, kappa)
        return self.sweep.logs[key]

    def _logs(self, series: str, metric: str, kappa: float) -> Logs:
        found: dict[str, list[float]] = {}
        for row in self.rows(series):
            value = _value(row, metric, kappa)
            if value is not None:
                found.setdefault(row["task"], []).append(log(value))
        return {task: fmean(values) for task, values in found.items()}

    def best(self, series: Sequence[str], metric: str) -> str | None:
        """The series with the least geometric mean."""
        means = [(fmean(logs.values()), name) for name in series if (logs := self.logs(name, metric))]
        return min(means)[1] if means else None

    def worst(self, series: Sequence[str], metric: str) -> str | None:
        means = [(fmean(logs.values()), name) for name in series if (logs := self.logs(name, metric))]
        return max(means)[1] if means else None

    def gains(self, series: Sequence[str], rival: str) -> Logs:
        """For each initial state, the logarithm of the rival's expansions over the geometric mean of the series'."""
        mine, other = [self.logs(name, "expansions") for name in series], self.logs(rival, "expansions")
        return {
            task: other[task] - fmean(each[task] for each in mine)
            for task in other
            if mine and all(task in each for each in mine)
        }

    @cached_property
    def kappas(self) -> list[float]:
        ours = self.sweep.kappa(self.domain)
        return [PAPER_KAPPA] if ours is None else [ours, PAPER_KAPPA]


def _value(row: Row, metric: str, kappa: float) -> float | None:
    if metric == "suboptimality":
        return float(row[metric]) if row[metric] else None
    is_guided = row["policy"] is not None or row["accuracy"] is not None
    expansions = row["expansions"]
    return None if expansions is None else max(1.0, expansions) * (1 + kappa * is_guided)


def cells(sweep: Sweep, domain: str, ws: Sequence[float] | None = None) -> list[Cell]:
    chosen = sweep.ws if ws is None else ws
    return [Cell(sweep, domain, w, accuracy) for w in chosen for accuracy in sweep.accuracies or [None]]


def judge(where: str, what: str, units: Sequence[Sequence[float]], margin: float = 0.0) -> Evidence:
    """The evidence of numbers that support a claim if they exceed the margin; a unit is a list of dependent numbers."""
    means = [fmean(unit) for unit in units]
    if margin == 0 and not any(means):
        return Evidence(where, what, ratio=1.0, pairs=(0, 0, len(means)), untestable="all pairs are equal")
    won, lost = sum(mean > margin for mean in means), sum(mean < margin for mean in means)
    low, high = band = interval(units) or (-inf, inf)
    direction = (low > margin and won > lost) - (high < margin and lost > won)
    pairs = won, lost, len(means) - won - lost
    ratios = exp(fmean(means)), (exp(band[0]), exp(band[1])) if low > -inf else None, exp(median(means))
    return Evidence(where, what, direction, sign_test(won, lost), *ratios, pairs=pairs)


def compare(cell: Cell, better: str, worse: str, metric: str, factor: float = 1.0) -> Found:
    """Tests that the values of `worse` are more than `factor` times those of `better`."""
    found = []
    for kappa in cell.kappas if metric == "time" else [0.0]:
        mine, other = cell.logs(better, metric, kappa), cell.logs(worse, metric, kappa)
        ratios = {task: other[task] - mine[task] for task in mine if task in other}
        if not ratios:
            return
        times = f" by {factor:.3g}×" if factor != 1 else ""
        what = f"{title(better)} before {title(worse)}{times}"
        made = judge(f"{METRIC_TITLES[metric]}, {cell}", what, cell.sweep.units(cell.domain, ratios), log(factor))
        means = fmean(map(exp, other.values())) / fmean(map(exp, mine.values()))
        found.append(replace(made, arithmetic=means))
    yield _for_any_kappa(cell.kappas[0], found, factor)


def _for_any_kappa(ours: float, found: list[Evidence], factor: float) -> Evidence:
    """The evidence that holds for our κ and for the paper's; if they contradict each other, it is untestable.

    With a policy on one side only, the ratio is proportional to 1 + κ or to 1 / (1 + κ).
    """
    if {each.direction for each in found} >= {1, -1}:
        first, last = (log((each.ratio or 1.0) / factor) for each in found)
        turns = (1 + ours) * exp(first if first > last else -first) - 1
        return replace(found[0], untestable=f"turns at κ = {turns:.2g}; ours is {ours:.2g}")
    return max(found, key=lambda each: (each.direction == 0, each.p))


def beat(cell: Cell, better: Sequence[str], worse: str, metric: str, factor: float = 1.0) -> Found:
    """Tests each series in `better` against `worse`."""
    for name in better:
        yield from compare(cell, name, worse, metric, factor)


def beaten(cell: Cell, better: str, worse: Sequence[str], metric: str) -> Found:
    """Tests one series against each of `worse`."""
    for name in worse:
        yield from compare(cell, better, name, metric)


def leads(cell: Cell, leaders: Sequence[str], metric: str, among: Sequence[str] = PAPER_ORDERS) -> Found:
    """Tests that the best series in `leaders` is better than the best of the others, by geometric means."""
    first = cell.best(leaders, metric)
    second = cell.best([name for name in among if name not in leaders], metric)
    if first and second:
        yield from compare(cell, first, second, metric)


def trails(cell: Cell, losers: Sequence[str], metric: str) -> Found:
    """Tests that the best series in `losers` is worse than the worst of the others."""
    first = cell.worst([name for name in PAPER_ORDERS if name not in losers], metric)
    second = cell.best(losers, metric)
    if first and second:
        yield from compare(cell, first, second, metric)


def keeps_up(cell: Cell, series: str, rivals: Sequence[str], metric: str, factor: float) -> Found:
    """Tests that the series needs less than `factor` times as much as the best rival."""
    rival = cell.best(rivals, metric)
    if rival:
        yield from compare(cell, series, rival, metric, 1 / factor)


def alone_beats(cell: Cell, series: str, rival: str, metric: str) -> Found:
    """Tests that this series is better than the rival, and that no other order is."""
    yield from compare(cell, series, rival, metric)
    for name in PAPER_ORDERS:
        if name != series:
            yield from compare(cell, rival, name, metric)


def similar(cell: Cell, pair: Sequence[str], metric: str, factor: float) -> Found:
    """Tests that two series differ by less than the factor: two one-sided tests, as for equivalence."""
    first, second = (cell.logs(name, metric) for name in pair)
    ratios = {task: second[task] - first[task] for task in first if task in second}
    if not ratios:
        return
    where, what = f"{METRIC_TITLES[metric]}, {cell}", f"{title(pair[0])} as {title(pair[1])} within {factor:g}×"
    units = cell.sweep.units(cell.domain, ratios)
    made = judge(where, what, units, 1e-12)
    means, (low, high), margin = [fmean(unit) for unit in units], interval(units) or (-inf, inf), log(factor)
    below = sign_test(sum(each < margin for each in means), sum(each > margin for each in means))
    above = sign_test(sum(each > -margin for each in means), sum(each < -margin for each in means))
    inside = sum(abs(each) < margin for each in means)
    beyond = low > margin or high < -margin
    p = max(below, above) if not beyond else below if low > margin else above
    direction = (low > -margin and high < margin) - beyond
    yield replace(made, direction=direction, p=p, pairs=(inside, len(means) - inside, 0))


def near_the_bound(cell: Cell, names: Sequence[str], share: float) -> Found:
    """Tests that cost / optimal - 1 is more than this share of w - 1, the maximum that w allows."""
    for name in names:
        logs = cell.logs(name, "suboptimality")
        if not logs:
            continue
        what, where = f"{title(name)} above {1 + share * (cell.w - 1):.3g}", f"cost / optimal cost, {cell}"
        series = [*PAPER_ORDERS, "wastar"]
        if not any(any(cell.logs(each, "suboptimality").values()) for each in series):
            yield Evidence(where, what, untestable="every search returns optimal plans only")
        else:
            yield judge(where, what, cell.sweep.units(cell.domain, logs), log(1 + share * (cell.w - 1)))


def exceeds_w(cell: Cell, series: str) -> Found:
    """Tests that some plans cost more than w times the optimum; if none of 60 or more does, this is contradicted."""
    known = [row["suboptimality"] for row in cell.rows(series) if row["suboptimality"] is not None]
    above = sum(value > cell.w + 1e-9 for value in known)
    what = f"{title(series)}: {above} of {len(known)} plans"
    if known and cell.accuracy == 1:
        yield Evidence(str(cell), what, untestable="the plans of a perfect policy are optimal")
    elif known:
        p = 0.0 if above else 0.95 ** len(known)  # probability of no such plan if one plan in twenty exceeded w
        yield Evidence(str(cell), what, 1 if above else -1, p, pairs=(above, len(known) - above, 0))


def rarely_within_w(cell: Cell, series: str) -> Found:
    """Tests that fewer than half of the plans cost at most w times the optimum."""
    known = [row["suboptimality"] for row in cell.rows(series) if row["suboptimality"] is not None]
    within = sum(value <= cell.w + 1e-9 for value in known)
    if known:
        beyond = len(known) - within
        what = f"{title(series)}: {within} of {len(known)} plans are within w"
        direction = (beyond > within) - (beyond < within)
        yield Evidence(str(cell), what, direction, sign_test(beyond, within), pairs=(beyond, within, 0))


def slower_per_expansion(cell: Cell) -> Found:
    """Reports our κ, but as untestable, because the claim is about the paper's program."""
    ours = cell.sweep.kappa(cell.domain)
    if ours is not None:
        yield Evidence(str(cell), f"κ = {ours:.2g} in ours", untestable="it is about the paper's program")


def trend(where: str, what: str, sweep: Sweep, domain: str, steps: Sequence[Logs]) -> Found:
    """Tests that values grow from step to step. The tested numbers are the slopes, one for each initial state."""
    steps = [step for step in steps if step]
    tasks = set(steps[0]).intersection(*steps[1:]) if len(steps) > 1 else set()
    if tasks:
        slopes = {task: slope([step[task] for step in steps]) for task in sorted(tasks)}
        yield judge(where, what, sweep.units(domain, slopes))


def falls_with_accuracy(sweep: Sweep, domain: str, series: str) -> Found:
    for w in sweep.ws:
        steps = [{task: -each for task, each in cell.logs(series, "expansions").items()}
                 for cell in cells(sweep, domain, [w])]  # fmt: skip
        yield from trend(f"{domain}, w {w:g}", f"{title(series)} falls per step of accuracy", sweep, domain, steps)


def gains_with_accuracy(sweep: Sweep, domain: str, series: Sequence[str], rival: str) -> Found:
    for w in sweep.ws:
        steps = [cell.gains(series, rival) for cell in cells(sweep, domain, [w])]
        yield from trend(f"{domain}, w {w:g}", "gain per step of accuracy", sweep, domain, steps)


def gains_with_w(sweep: Sweep, domain: str, series: Sequence[str], rival: str) -> Found:
    for accuracy in sweep.accuracies if sweep.low_ws else []:
        steps = [Cell(sweep, domain, w, accuracy).gains(series, rival) for w in [*sweep.low_ws, *sweep.ws]]
        yield from trend(f"{domain}, accuracy {accuracy:g}", "gain per step of w", sweep, domain, steps)


def gains_between_ws(sweep: Sweep, domain: str, series: Sequence[str], rival: str) -> Found:
    steps = [cell.gains(series, rival) for cell in cells(sweep, domain)]
    yield from trend(domain, f"gain over {title(rival)} per step of w", sweep, domain, steps)


def gains_by_information(sweep: Sweep, order: Sequence[str], series: Sequence[str], rival: str) -> Found:
    """Tests that the gain falls from domain to domain; initial state number i of each domain forms a group."""
    domains = [domain for domain in order if domain in sweep.domains]
    for cell in cells(sweep, domains[0]) if len(domains) == len(order) else []:
        listed = [list(replace(cell, domain=domain).gains(series, rival).values()) for domain in domains]
        slopes = [[-slope(values)] for values in zip(*listed, strict=False)]
        if slopes:
            where = f"w {cell.w:g}" + ("" if cell.accuracy is None else f", accuracy {cell.accuracy:g}")
            yield judge(where, "gain falls per domain", slopes)


def first_are_optimal(sweep: Sweep, domain: str, series: str, count: int) -> Found:
    """Tests that the plans of the first `count` tasks are optimal."""
    costs = {row["task"]: row["suboptimality"] for row in sweep.rows_of(domain, series)}
    numbered = {int(task.rpartition("/")[2]): cost for task, cost in costs.items() if task[-1].isdecimal()}
    if all(number in numbered for number in range(1, count + 1)):
        optimal = sum((numbered[number] or 2) <= 1 for number in range(1, count + 1))
        what = f"{title(series)}: {optimal} of {count} optimal"
        yield Evidence(domain, what, 1 if optimal == count else -1, 0.0, pairs=(optimal, count - optimal, 0))


def break_even(cell: Cell, series: str, rival: str = "wastar") -> tuple[float, float, float] | None:
    """The κ at which a search with a policy takes as long as the rival without one, with its 95 % interval."""
    gains = cell.gains([series], rival)
    band = interval(cell.sweep.units(cell.domain, gains)) if gains else None
    return (exp(fmean(gains.values())) - 1, exp(band[0]) - 1, exp(band[1]) - 1) if band else None
