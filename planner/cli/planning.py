"""Implements `fsplan plan`: loads the task, searches, and prints the result. It does not import click."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from fsplan.planner.base.files import check_writable, unfinished_places
from fsplan.planner.base.limits import LimitReached, Limits
from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.findings import Findings
from fsplan.planner.cli.json_lines import JsonLines
from fsplan.planner.cli.observers import Observers, observed
from fsplan.planner.cli.outputs import Outputs
from fsplan.planner.cli.progress import Note, ProgressLine
from fsplan.planner.cli.summary import verdict

LEAST_FOR_PROOF, MOST_FOR_PROOF = 0.4, 0.7  # bounds on the proof's share of the time after loading
PROOF_PER_LOADING = 2.0  # the first proof takes at most about this many times as long as loading the task
LEARN_INSIDE = "auto"  # value of `learn`: learning is a part of the default search
FOLLOW, FOLLOW_READS = "follow", {"search", "policy", "w", "expansion_limit"}  # the search and the options it reads
SHARE_OF_PROVING = 0.9  # share of the remaining time for finding the proof; the rest is for writing it

if TYPE_CHECKING:
    from fsplan.planner.proofs.writer import Written
    from fsplan.planner.search.gap import GapPoint
    from fsplan.planner.search.result import Result
    from fsplan.planner.tasks.task import Task


def plan(
    task: tuple[str, ...],
    arguments: dict[str, Any],
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    plan_file: str | None = None,
    json: str | None = None,
    json_stream: str | None = None,
    trace: str | None = None,
    debugger: str | None = None,
    debugger_any_host: bool = False,
    proof: str | None = None,
    proof_limit: int = 0,
    quiet: bool = False,
    no_library: bool = False,
    learn: float | str | None = None,
    scheduler: str | None = None,
    reader: str = "fsplan",
    grounding: str = "auto",
) -> int:
    """Plans for the task that `task` names and returns the exit code; `arguments` are passed to `solve`."""
    limits = Limits(time_limit, memory_limit)
    for path in filter(None, (plan_file, json, json_stream, trace, proof)):
        check_writable(path)
    from fsplan.planner.sources.load import load_arguments

    with ExitStack() as stack:
        with limits.enforced():
            grounding = grounding_of(grounding, arguments)
            loaded = load_arguments(task, reader=reader, limits=limits, grounding=grounding)
            if not loaded.is_grounded and may_follow(arguments):
                arguments["search"] = FOLLOW
            if proof is not None:
                from fsplan.planner.proofs.writer import check_provable

                check_provable(loaded)
            if isinstance(learn, str):
                arguments |= learn_inside(loaded, arguments, scheduler)
            elif learn is not None:
                arguments |= learn_first(loaded, arguments, learn, limits, quiet)
            elif not no_library and not arguments.get("paper"):
                arguments |= installed_policy(loaded, arguments)
            if scheduler is not None:
                arguments |= {"scheduler": scheduler}
            search_limits = limits if proof is None else limits.part(1 - _share_of_proof(limits))
            findings = Findings(loaded, search_limits, plan_file, json, JsonLines(json_stream), trace)
            watch = stack.enter_context(observed(loaded, trace, debugger, debugger_any_host))
            result = _search(loaded, arguments, search_limits, quiet, watch, findings)
        outputs = Outputs()
        findings.write(result, limits, quiet, outputs)
        watch.end(result, outputs)
    if proof is not None:
        with outputs.attempt(proof):
            written = _prove(loaded, result, limits, proof, proof_limit)
            if not quiet:
                print(written, file=sys.stderr)
    return outputs.exit_code(result.exit_code)


def may_follow(arguments: dict[str, Any]) -> bool:
    """Whether a policy is followed: by the search `follow`, or by the default search without further options."""
    if arguments.get("policy") is None:
        return False
    search, others = arguments.get("search", "auto"), arguments.keys() - FOLLOW_READS
    return search == FOLLOW or (search == "auto" and not others)


def grounding_of(grounding: str, arguments: dict[str, Any]) -> str:
    """Returns the grounding mode; `auto` becomes `all` unless a policy is followed that works without grounding."""
    policy = arguments.get("policy")
    if grounding != "auto" or not isinstance(policy, str) or not may_follow(arguments):
        return "all" if grounding == "auto" else grounding
    from fsplan.planner.policies.registry import kind_of

    if kind_of(policy).name != "domain":
        return "all"
    from fsplan.planner.policies.relational import stored

    return "all" if stored.read(policy).needs_grounding else "auto"


def _uses(arguments: dict[str, Any]) -> tuple[bool, bool]:
    """Returns whether the chosen search needs a policy, and whether it guarantees w and so accepts an incumbent."""
    from fsplan.planner.search.request import options_of

    chosen = options_of({name: arguments.get(name) for name in ("search", "order")})
    return chosen.needs_policy(), chosen.proves() == "w"


def learn_first(task: Task, arguments: dict[str, Any], seconds: float, limits: Limits, quiet: bool) -> dict[str, Any]:
    """Learns a policy on this problem; returns search arguments: the policy, and its plan as the first incumbent."""
    from fsplan.planner.learning.relational.on_the_spot import learn_on_the_spot, learned_arguments

    needs_policy, proves = _uses(arguments)
    if arguments.get("policy") is not None or arguments.get("paper") or not (needs_policy or proves):
        raise UsageError("--learn makes a policy: leave out other policies, --paper, and searches that use none")
    left = limits.seconds_left()
    line = ProgressLine(not quiet)

    def show(text: str) -> None:
        line(Note(text))

    learned = learn_on_the_spot(task, seconds if left is None else min(seconds, left / 2), on_progress=show)
    line.clear()
    if not quiet:
        print(learned.text, file=sys.stderr)
    found = learned_arguments(learned, needs_policy)
    return found if proves else {name: value for name, value in found.items() if name == "policy"}


def learn_inside(task: Task, arguments: dict[str, Any], scheduler: str | None) -> dict[str, Any]:
    """Returns the search argument that adds learning to the parts of the default search."""
    from fsplan.planner.learning.relational.inside import learner

    if any(arguments.get(name) for name in ("search", "order", "policy", "paper")) or scheduler is not None:
        raise UsageError("--learn auto is part of the default search: leave out searches, policies and --scheduler")
    return {"learner": learner(task)}


def _share_of_proof(limits: Limits) -> float:
    """The share of the remaining time for the proof. It grows with the loading time, as the time of a proof does."""
    left = limits.seconds_left()
    needed = 0.0 if left is None else PROOF_PER_LOADING * limits.used() / left
    return min(max(LEAST_FOR_PROOF, needed), MOST_FOR_PROOF)


def _prove(task: Task, result: Result, limits: Limits, path: str, size_limit: int) -> str:
    """Writes the proof within the remaining limits; returns a message about it."""
    from fsplan.planner.proofs.writer import write_proof

    if result.status == "interrupted" or (result.lower_bound is None and result.status != "unsolvable"):
        return "no proof: the search was interrupted"
    found = f"plan of cost {result.cost}" if result.solved else verdict(result)
    unfinished = f"{found}; the proof of its bound was not finished: no file was written"

    def text(written: Written) -> str:
        is_whole = written.bound is None or (result.lower_bound is not None and written.bound >= result.lower_bound)
        short = "" if is_whole else "; the limits did not allow a proof of the whole lower bound"
        return f"proof in {path}: {written.text()}{short}"

    def say_at_deadline(message: str) -> None:
        limits.leave_at_deadline(result.exit_code, message, unfinished=unfinished_places(path))

    try:
        with limits.enforced():
            say_at_deadline(unfinished)
            written = write_proof(
                task,
                result.lower_bound,
                path,
                time_limit=limits.part(SHARE_OF_PROVING).seconds_left(),
                memory_limit=limits.bytes,
                size_limit=size_limit,
                on_written=lambda written: say_at_deadline(text(written)),
            )
    except (TimeoutError, LimitReached, MemoryError):
        return unfinished
    return text(written)


def installed_policy(task: Task, arguments: dict[str, Any]) -> dict[str, Any]:
    """Returns the installed policy of the domain as a search argument, if none is given and the search can use one."""
    from fsplan.planner.policies.relational.library_folder import folder

    if arguments.get("policy") is not None or not os.path.isdir(folder()):
        return {}
    from fsplan.planner.policies.relational import library

    is_auto = arguments.get("search") in (None, "auto") and "order" not in arguments
    path = library.find(task) if is_auto or _uses(arguments)[0] else None
    if path is None or (is_auto and not library.is_to_be_followed(path)):
        return {}
    return {"policy": path}


def _search(
    task: Task,
    arguments: dict[str, Any],
    limits: Limits,
    quiet: bool,
    watch: Observers,
    findings: Findings,
) -> Result:
    from fsplan.planner.search.solve import solve

    line = ProgressLine(not quiet, findings.stream)

    def better(plan: list[str], cost: int, lower_bound: int) -> None:
        line.clear()
        findings.note_plan(plan, cost)
        if not quiet and arguments.get("anytime"):
            print(f"plan of cost {cost}, lower bound {lower_bound}, {limits.used():.2f}s", file=sys.stderr)

    def closer(gap: GapPoint) -> None:
        line.show_gap(gap)
        findings.note_gap(gap)

    def begin() -> float | None:
        seconds = limits.begin_search()
        if "incumbent" in arguments:
            findings.note_plan(*arguments["incumbent"])
        return seconds

    with line.stopped_by_user():
        return solve(
            task,
            time_limit=begin,
            memory_limit=limits.bytes,
            on_progress=line,
            on_incumbent=better,
            on_expansion=watch if watch.parts else None,
            on_gap=closer,
            **arguments,
        )
