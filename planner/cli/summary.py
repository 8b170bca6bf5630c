"""The summary of a run on stderr: result, search, effort, and advice if a limit ended the search."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from fsplan.pddl.names import plural
from fsplan.planner._core import GroundStateSpace, TilesStateSpace
from fsplan.planner.base.quantities import readable_size
from fsplan.planner.search.document import notes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fsplan.planner.base.limits import Limits
    from fsplan.planner.search.result import Result
    from fsplan.planner.tasks.task import Task

MOST_ADVICE = 2
WITHOUT_PLAN = {
    "unsolvable": "unsolvable: proven",
    "not_found": "not found: this search is not complete",
    "timeout": "out of time",
    "memout": "out of memory",
    "expansion_limit": "expansion limit reached",
    "interrupted": "interrupted",
}


def summary(task: Task, result: Result, limits: Limits, unreachable: list[tuple[str, ...]] | None = None) -> str:
    """Returns a few lines of text such as

    solved: cost 18, 18 steps, lower bound 14, proven ratio 1.2857
    focal disc2, lmcut, policy ff, w = 3/2
    146 expanded, 1,024 generated, 1,024 evaluated in 0.010s (14,600/s); 0.095s in all, 30.1 MB

    If a limit ended the search, the three lines are the plan and bound found, the search, and the two most promising
    changes of the options.
    """
    ran, effort = result.description + _origins(result), _effort(result, limits.used())
    if advice := advice_for(task, result, limits):
        return "\n".join([verdict(result), f"{ran}; {effort}", f"try: {'; or '.join(advice)}"])
    lines = [verdict(result), *_reason(task, result, unreachable), *_runs(result), *_end_of_run(result), ran, effort]
    return "\n".join([*lines, *(f"note: {note}" for note in notes(task))])


def verdict(result: Result) -> str:
    if result.plan is None:
        known = result.status != "unsolvable" and result.lower_bound
        bound = f"; every plan costs at least {result.lower_bound}" if known else ""
        return f"{WITHOUT_PLAN[result.status]}{bound}"
    ratio = result.proven_ratio
    proof = f"lower bound {result.lower_bound}" + (f", proven ratio {ratio:.4f}" if ratio else "")
    why = "" if result.status == "solved" else f" ({WITHOUT_PLAN[result.status]})"
    if not result.certified:
        proof += "; w is not certified"
    elif result.cost == result.lower_bound:
        proof = "optimal (proven)"
    return f"solved{why}: cost {result.cost}, {len(result.plan)} steps, {proof}"


def _reason(task: Task, result: Result, unreachable: list[tuple[str, ...]] | None) -> Iterator[str]:
    """Yields the reason why a task is unsolvable: its unreachable goals."""
    if result.status == "unsolvable" and isinstance(task.state_space, TilesStateSpace):
        yield "the goal cannot be reached: the permutation of the tiles has the wrong parity"
    if unreachable is not None:
        from fsplan.planner.search.unsolvable import why_unsolvable

        yield why_unsolvable(unreachable, result)


def _runs(result: Result) -> Iterator[str]:
    """Yields how often runs that sample actions from a policy reached a goal, and at what cost."""
    counts = result.statistics
    if not result.record.get("sample"):
        return
    runs, arrived = counts["unrolled"], counts["arrived"]
    quality = ""
    if arrived:
        mean = counts["arrived_cost"] / arrived
        ratio = f" ({mean / result.lower_bound:.4f} times the lower bound)" if result.lower_bound else ""
        quality = f", mean cost {mean:,.2f}{ratio}"
    yield f"{runs:,} runs, {arrived:,} reached a goal ({arrived / runs:.2%}){quality}"


# Why executing a policy ended without a goal, by the statistic `unrolled_end`, with advice.
ENDS = {
    "circle": "came back to a state that it had visited, after {}: --search follow goes on from there",
    "dead end": "came to a dead end after {}: --search follow goes on from there",
    "step limit": "reached no goal in {}: allow more with --steps",
    "inapplicable action": "chose an action that is not applicable, after {}",
}


def _end_of_run(result: Result) -> Iterator[str]:
    """Yields why a single run of a policy did not reach a goal."""
    counts = result.statistics
    if counts.get("unrolled") == 1 and counts["unrolled_end"] in ENDS:
        yield f"the policy {ENDS[counts['unrolled_end']].format(plural(counts['unrolled_steps'], 'step'))}"


def _origins(result: Result) -> str:
    """Returns which parts of the portfolio found the plan and proved the bound."""
    names = {"plan": result.statistics.get("plan_by"), "bound": result.statistics.get("bound_by")}
    known = [f"{what} by {name}" for what, name in names.items() if name]
    if (before := result.statistics.get("improved_from")) is not None:
        known.append(f"improved from {before} after w was proven")
    if learned := result.statistics.get("learned"):
        known.append(learned)
    return f"; {', '.join(known)}" if known else ""


def _effort(result: Result, total: float) -> str:
    statistics = result.statistics
    search_seconds = statistics["search_seconds"]
    rate = statistics["expanded"] / search_seconds if search_seconds else 0.0
    deepened = f", {statistics['deepened']:,} deepened" if statistics["deepened"] else ""
    return (
        f"{statistics['expanded']:,} expanded, {statistics['generated']:,} generated, "
        f"{statistics['evaluated']:,} evaluated{deepened} in {search_seconds:.3f}s ({rate:,.0f}/s); "
        f"{total:.3f}s in all, {readable_size(statistics['peak_memory_bytes'])}"
    )


def advice_for(task: Task, result: Result, limits: Limits) -> list[str]:
    """Returns the best advice after a limit ended the search; empty otherwise."""
    return list(_advice(task, result, limits))[:MOST_ADVICE] if result.status in ADVISED else []


ADVISED = ("timeout", "memout", "expansion_limit")


def _advice(task: Task, result: Result, limits: Limits) -> Iterator[str]:
    """Yields changes of the options that may help, the most promising first."""
    if result.cost is not None and result.lower_bound:
        met = ceil(100 * result.cost / result.lower_bound) / 100
        yield f"--w {met:g}, which the plan already meets"
    if limits.bytes and _lacked_memory(result, limits.bytes):
        twice = readable_size(2 * limits.bytes).replace(" ", "")
        yield f"--memory-limit {twice} (it had {readable_size(limits.bytes)})"
    if not task.is_grounded:
        yield "--grounding all, for a policy that reads relaxed plans, if the memory suffices"
    if result.record["search"] != "auto" and isinstance(task.state_space, GroundStateSpace):
        yield "no --search: the default runs several"
    elif result.record["heuristic"] != (strongest := task.state_space.strongest_heuristic()):
        yield f"--heuristic {strongest}, better informed and slower per state"
    if result.status == "timeout" and limits.seconds:
        yield f"--time-limit {_longer(result, limits.seconds):g}s (it had {limits.seconds:g}s)"
    if result.status == "expansion_limit":
        yield "a larger --expansion-limit"


def _lacked_memory(result: Result, limit: int) -> bool:
    """Whether memory ran out, or so much was used that `auto` ends searches without bounds (portfolio/table.py)."""
    dropped = result.record["search"] == "auto" and result.statistics["peak_memory_bytes"] > limit / 2
    return result.status == "memout" or dropped


def _longer(result: Result, seconds: float) -> float:
    """Returns a longer time limit: twice as long if the gap improved in the second half of the run, else ten times."""
    history = result.gap_history
    return 2 * seconds if history and history[-1].seconds > seconds / 2 else 10 * seconds
