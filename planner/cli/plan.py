"""`fsplan DOMAIN PROBLEM`: search, check, print."""

from __future__ import annotations

import signal
import sys

from fsplan.planner.cli.budget import Budget
from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.progress import ProgressLine
from fsplan.planner.files import STDOUT, check_writable, write
from fsplan.planner.load import is_puzzle, load_words, read_problem
from fsplan.planner.quantities import readable_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fsplan.planner.result import Result
    from fsplan.planner.task import Task


# The searches that read an option, for those that not every search does.
DISC1 = ("accuracy", "alpha")
READ_BY = {
    **dict.fromkeys(("lookahead", "k_focal", "fast", "lazy", "fresh", "hedge", "prove", "deepen"), ("focal",)),
    **dict.fromkeys(DISC1, ("focal",)),
    **dict.fromkeys(("policy", "unmasked"), ("focal", "prefastar", "unroll", "optimistic")),
    "preferred": ("prefastar",),
    "ties": ("focal", "astar", "wastar", "gbfs", "prefastar"),
}


def run(task: tuple[str, ...], **options: Any) -> int:
    budget = Budget(options.pop("time_limit"), options.pop("memory_limit"))
    quiet, plan_file, json = options.pop("quiet"), options.pop("plan_file"), options.pop("json")
    reader = options.pop("reader")
    for path in filter(None, (plan_file, json)):
        check_writable(path)
    arguments = search_arguments(options)
    loaded = load_words(task, reader=reader, limits=(budget.seconds, budget.bytes))
    line = ProgressLine(not quiet)
    signal.signal(signal.SIGINT, line.stop)
    result = _search(loaded, arguments, budget, line, quiet, plan_file)
    line.clear()
    if result.plan is not None and not is_puzzle(task[0]) and not task[0].endswith(".sas"):
        check(task, reader, loaded, result)
    _print(loaded, result, budget, plan_file, json)
    if not quiet:
        print(summary(result, budget.used()), file=sys.stderr)
    return result.exit_code


def search_arguments(options: dict[str, Any]) -> dict[str, Any]:
    """The keyword arguments of `solve` that the options stand for; those not given are left to its defaults."""
    given = {name for name, value in options.items() if value}
    order, search = options.pop("focal"), options.pop("search")
    if order and search not in (None, "focal"):
        raise UsageError(f"--focal {order} is a focal search; leave out --search {search}")
    wanted = [word for word in (options.pop("preferred") or "").split(",") if word]
    for word in wanted:
        if word not in ("policy", "ff", "alternate"):
            raise UsageError(f"--preferred {word}: choose from policy, ff, alternate")
    refuse_unread(given, search or "focal", order or "disc2")
    arguments = {
        "policy": with_profile(options.pop("policy"), options.pop("error_profile")),
        "masked": not options.pop("unmasked"),
        "search": search or "focal",
        "order": order,
        "reopen": not options.pop("no_reopen"),
        "alternate": "alternate" in wanted,
        "preferred": next((word for word in wanted if word != "alternate"), None),
        **options,
    }
    return {name: value for name, value in arguments.items() if value is not None}


def refuse_unread(given: set[str], search: str, order: str) -> None:
    """An option that would change nothing is a mistake, and would be told as if it had changed something."""
    for name, readers in READ_BY.items():
        switch = f"--{name.replace('_', '-')}"
        if name in given and search not in readers:
            raise UsageError(f"{switch} is read by --search {', '.join(readers)}; --search {search} does not read it")
        if name in given and name in DISC1 and order != "disc1":
            raise UsageError(f"{switch} is read by --focal disc1; --focal {order} does not read it")


def with_profile(policy: str | None, profile: str | None) -> str | None:
    """
    >>> with_profile("synthetic:0.9", "linear")
    'synthetic:0.9,error_profile=linear'
    """
    if profile is None:
        return policy
    if policy is None or not policy.startswith("synthetic:"):
        raise UsageError("--error-profile shapes a synthetic policy: name one with --policy synthetic:0.9")
    return f"{policy},error_profile={profile}"


def _search(
    task: Task, arguments: dict[str, Any], budget: Budget, line: ProgressLine, quiet: bool, plan_file: str | None
) -> Result:
    from fsplan.planner.search import solve

    def better(plan: list[str], cost: int, lower_bound: int) -> None:
        line.clear()
        if not quiet:
            print(f"plan of cost {cost}, lower bound {lower_bound}, {budget.used():.2f}s", file=sys.stderr)
        if plan_file:
            from contextlib import suppress

            with suppress(OSError):  # it is told at the end, when the plan goes to stdout instead
                write(plan_file, plan_text(task, plan, cost))

    return solve(
        task,
        time_limit=budget.left_for_search,
        memory_limit=budget.bytes or None,
        on_progress=line,
        on_incumbent=better if arguments.get("anytime") else None,
        **arguments,
    )


def check(task: tuple[str, ...], reader: str, loaded: Task, result: Result) -> None:
    """Every plan passes the validator, which knows nothing of grounder and search, before it is printed."""
    from fsplan.planner.validate import validate

    assert result.plan is not None
    assert result.cost is not None
    verdict = validate(loaded.problem or read_problem(task, reader), plan_text(loaded, result.plan, result.cost))
    if not verdict.valid:
        raise RuntimeError(f"fsplan found a plan that is wrong, please report this: {verdict.message}")


def plan_text(task: Task, plan: list[str], cost: int) -> str:
    """The plan in the IPC format."""
    steps = "".join(f"({step})\n" for step in plan)
    return f"{steps}; cost = {cost} ({'unit cost' if task.unit_cost else 'general cost'})\n"


def _print(task: Task, result: Result, budget: Budget, plan_file: str | None, json: str | None) -> None:
    """Files come before stdout, whose reader may have left. A plan that its file does not take goes to stdout."""
    texts: list[tuple[str, str]] = []
    if result.plan is not None and result.cost is not None and (plan_file or json not in STDOUT):
        texts.append((plan_file or "-", plan_text(task, result.plan, result.cost)))
    if json:
        from json import dumps

        record = result.to_json()
        record["statistics"] |= {"total_seconds": round(budget.used(), 6), **task.sizes()}
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


def summary(result: Result, total: float) -> str:
    """A few lines for a person.

    solved: cost 18, lower bound 14, proven ratio 1.2857
    """
    return "\n".join((_verdict(result), _effort(result, total)))


def _verdict(result: Result) -> str:
    if result.plan is None:
        text = {
            "unsolvable": "unsolvable: proven",
            "not_found": "not found: this search is not complete",
            "timeout": "out of time",
            "memout": "out of memory",
            "interrupted": "interrupted",
        }[result.status]
        known = result.status != "unsolvable" and result.lower_bound
        return f"{text}{f'; every plan costs at least {result.lower_bound}' if known else ''}"
    ratio = result.proven_ratio
    proof = f"lower bound {result.lower_bound}" + (f", proven ratio {ratio:.4f}" if ratio else "")
    why = "" if result.status == "solved" else f" ({result.status})"
    if not result.certified:
        proof += "; w is not certified"
    elif result.cost == result.lower_bound:
        proof = "optimal (proven)"
    return f"solved{why}: cost {result.cost}, {len(result.plan)} steps, {proof}"


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
