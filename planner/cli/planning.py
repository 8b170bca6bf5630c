"""What `fsplan DOMAIN PROBLEM` does: loads, searches, prints. Without options it needs no parser of command lines."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fsplan.planner.cli.json_lines import JsonLines
from fsplan.planner.cli.observers import Observers, observed
from fsplan.planner.cli.progress import Note, ProgressLine
from fsplan.planner.cli.summary import notes, summary
from fsplan.planner.files import STDOUT, check_writable, write
from fsplan.planner.limits import Limits
from fsplan.planner.plans import format_plan

SHARE_OF_SEARCH = 0.6  # of a time limit; the rest is for the proof

if TYPE_CHECKING:
    from fsplan.planner.result import Result
    from fsplan.planner.task import Task


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
    learn: float | None = None,
    reader: str = "fsplan",
) -> int:
    """Plans for the task that the words name; `arguments` are those of `solve`. Returns the exit code."""
    limits = Limits(time_limit, memory_limit)
    for path in filter(None, (plan_file, json, json_stream, trace, proof)):
        check_writable(path)
    from fsplan.planner.load import load_words

    with limits.enforced():
        loaded = load_words(task, reader=reader, limits=limits)
        if proof is not None:
            from fsplan.planner.proof import check_provable

            check_provable(loaded)
        if learn is not None:
            arguments |= learn_first(loaded, arguments, learn, limits, quiet)
        elif not no_library and not arguments.get("paper"):
            arguments |= installed_policy(loaded, arguments)
        search_limits = limits if proof is None else limits.part(SHARE_OF_SEARCH)
        stream = JsonLines(json_stream)
        with observed(loaded, trace, debugger, debugger_any_host) as watch:
            result = _search(loaded, arguments, search_limits, quiet, plan_file, watch, stream)
        written = None if proof is None else _prove(loaded, result, limits, proof, proof_limit)
    unreachable = _unreachable(loaded, result, limits, bool(json or json_stream) or not quiet)
    record = _record(loaded, result, limits, unreachable)
    _print(record, loaded, result, plan_file, json, stream.is_stdout)
    stream.write(record)
    if not quiet:
        print(summary(loaded, result, limits, unreachable), file=sys.stderr)
        if written:
            print(written, file=sys.stderr)
    return result.exit_code


def _uses(arguments: dict[str, Any]) -> tuple[bool, bool]:
    """Whether the chosen search needs a policy, and whether it proves a plan that it is given."""
    from fsplan.planner.request import options_of

    chosen = options_of({name: arguments.get(name) for name in ("search", "order")})
    return chosen.needs_policy(), chosen.proves() == "w"


def learn_first(task: Task, arguments: dict[str, Any], seconds: float, limits: Limits, quiet: bool) -> dict[str, Any]:
    """Learns from this very problem; the plan that it leads to is where the search starts from."""
    from fsplan.planner.cli.errors import UsageError
    from fsplan.planner.policies.relational.on_the_spot import learn_on_the_spot, learned_arguments

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


def _prove(task: Task, result: Result, limits: Limits, path: str, size_limit: int) -> str:
    from fsplan.planner.proof import write_proof

    if result.status == "interrupted" or (result.lower_bound is None and result.status != "unsolvable"):
        return "no proof: the search was interrupted"
    try:
        written = write_proof(
            task,
            result.lower_bound,
            path,
            time_limit=limits.seconds_left(),
            memory_limit=limits.bytes,
            size_limit=size_limit,
        )
    except TimeoutError:
        return "no proof: the time limit leaves no room for one"
    is_whole = written.bound is None or (result.lower_bound is not None and written.bound >= result.lower_bound)
    short = "" if is_whole else "; the limits did not allow a proof of the whole lower bound"
    return f"proof in {path}: {written.text()}{short}"


def installed_policy(task: Task, arguments: dict[str, Any]) -> dict[str, Any]:
    """The policy installed for the task's domain, where none is named and the search can use one."""
    from fsplan.planner.policies.relational.library_folder import folder

    if arguments.get("policy") is not None or not os.path.isdir(folder()):
        return {}
    from fsplan.planner.policies.relational import library

    is_auto = arguments.get("search") in (None, "auto") and "order" not in arguments
    path = library.find(task) if is_auto or _uses(arguments)[0] else None
    return {} if path is None else {"policy": path}


def _search(
    task: Task,
    arguments: dict[str, Any],
    limits: Limits,
    quiet: bool,
    plan_file: str | None,
    watch: Observers,
    stream: JsonLines,
) -> Result:
    from fsplan.planner.search import solve

    line = ProgressLine(not quiet, stream)

    def better(plan: list[str], cost: int, lower_bound: int) -> None:
        line.clear()
        if not quiet:
            print(f"plan of cost {cost}, lower bound {lower_bound}, {limits.used():.2f}s", file=sys.stderr)
        if plan_file:
            with suppress(OSError):  # it is reported at the end, when the plan goes to stdout instead
                write(plan_file, format_plan(plan, cost, task.unit_cost))

    with line.stopped_by_user():
        result = solve(
            task,
            time_limit=limits.begin_search,
            memory_limit=limits.bytes,
            on_progress=line,
            on_incumbent=better if arguments.get("anytime") else None,
            on_expansion=watch if watch.parts else None,
            on_gap=line.show_gap,
            **arguments,
        )
    watch.end(result)
    return result


def _unreachable(task: Task, result: Result, limits: Limits, is_wanted: bool) -> list[tuple[str, ...]] | None:
    """Which goals of a task without a plan cannot be reached, if anybody will read it."""
    if result.status != "unsolvable" or not is_wanted:
        return None
    from fsplan.planner.unsolvable import unreachable_goals

    return unreachable_goals(task, result, limits)


def _record(task: Task, result: Result, limits: Limits, unreachable: list[tuple[str, ...]] | None) -> dict[str, Any]:
    record = result.to_dict() | {"unreachable_goals": unreachable, "notes": list(notes(task))}
    record["statistics"] |= {"total_seconds": round(limits.used(), 6), **task.sizes()}
    return record


def _print(
    record: dict[str, Any], task: Task, result: Result, plan_file: str | None, json: str | None, streamed: bool
) -> None:
    """Files come before stdout, whose reader may have left. If its file cannot be written, the plan goes to stdout."""
    texts: list[tuple[str, str]] = []
    if result.plan is not None and result.cost is not None and (plan_file or not (streamed or json in STDOUT)):
        texts.append((plan_file or "-", format_plan(result.plan, result.cost, task.unit_cost)))
    if json:
        from json import dumps

        texts.append((json, dumps(record, indent=2) + "\n"))
    failure = None
    for path, text in sorted(texts, key=lambda pair: pair[0] in STDOUT):
        try:
            write(path, text)
        except OSError as error:
            failure = failure or error
            if path == plan_file and path not in STDOUT and json not in STDOUT:
                write("-", text)
    if failure:
        raise failure
