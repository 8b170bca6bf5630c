"""`fsplan check`: verifies a proof of a lower bound against the PDDL, a .sas file, or the rules of a puzzle."""

from __future__ import annotations

import sys
from json import dumps
from typing import TYPE_CHECKING

import click

from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.parameters import Command, json_option, quiet_option

if TYPE_CHECKING:
    from fsplan.planner.proofs.check import Verdict

REFUTED, MALFORMED = 1, 36
SCHEMA = "fsplan-check-1"  # the number increases when a field changes its name or meaning


@click.command("check", cls=Command)
@click.argument("files", nargs=-1, required=True, metavar="TASK PROOF")
@click.option("--plan", type=click.Path(), metavar="FILE", help="A plan to be checked as well; not for puzzles.")
@json_option
@quiet_option
def command(files: tuple[str, ...], plan: str | None, json: bool, quiet: bool) -> int:
    """Verifies a proof that no plan costs less than a bound, as fsplan --proof writes it.

    The checkers are independent of the planner: that of PDDL tasks has its own PDDL reader, works on the PDDL, and can
    be read in an hour (planner/proofs/check.py); those of .sas files (check_sas.py) and of puzzles (check_puzzle.py)
    are short.

    \b
    fsplan check DOMAIN PROBLEM PROOF [--plan FILE]
    fsplan check TASK.sas PROOF [--plan FILE]
    fsplan check tiles8:random/1 PROOF

    Exit code 0: verified; 1: refuted, with the first step that fails; 36: not a proof.
    """
    from fsplan.planner.proofs import check, check_puzzle
    from fsplan.planner.sources.contents import content_of

    *task, proof = files
    if content_of(proof) == "problem":
        raise UsageError(f"{proof} is a problem; name a proof after it: fsplan check DOMAIN PROBLEM PROOF")
    is_puzzle = len(task) == 1 and not task[0].endswith(".sas")
    if len(task) not in (1, 2) or (is_puzzle and plan is not None):
        raise UsageError(
            "fsplan check DOMAIN PROBLEM PROOF [--plan FILE], fsplan check TASK.sas PROOF [--plan FILE], or "
            "fsplan check PUZZLE PROOF"
        )
    try:
        verdict = _verdict_of_puzzle(task[0], proof) if is_puzzle else _verdict(task, proof, plan)
    except (check.Refuted, check_puzzle.Refuted) as error:
        return _failure("refuted", str(error), json, quiet, REFUTED)
    except (check.Malformed, check_puzzle.Malformed) as error:
        hint = f": this is a plan; give it with --plan {proof}" if content_of(proof) == "plan" else f": {error}"
        return _failure("malformed", f"{proof}{hint}", json, quiet, MALFORMED)
    if not quiet:
        _print(_record(verdict), check.describe(verdict), json)
    return 0


def _verdict(task: list[str], proof: str, plan: str | None) -> Verdict:
    from fsplan.planner.proofs import check, check_sas

    plan_text = None if plan is None else check.read_text(plan)
    texts, lines = [check.read_text(file) for file in task], check.read_lines(proof)
    if len(task) == 1:
        return check_sas.check(texts[0], lines, plan_text, task[0])
    return check.check(texts[0], texts[1], lines, plan_text, (task[0], task[1]))


def _verdict_of_puzzle(name: str, proof: str) -> Verdict:
    from fsplan.domains.specs import load
    from fsplan.planner.proofs import check, check_puzzle
    from fsplan.planner.proofs.puzzle_writer import rules_of

    puzzle = rules_of(load(name))
    assert puzzle is not None
    found = check_puzzle.check(*puzzle, check.read_lines(proof))
    return check.Verdict(found.bound, found.labels, 0)


def _failure(status: str, message: str, json: bool, quiet: bool, code: int) -> int:
    if json:
        _print({"status": status, "message": message}, "", json)
    elif not quiet:
        print(f"{status}: {message}", file=sys.stderr)
    return code


def _print(record: dict[str, object], text: str, json: bool) -> None:
    print(dumps({"schema": SCHEMA, **record}, indent=2) if json else text)


def _record(verdict: Verdict) -> dict[str, object]:
    from fsplan.planner.proofs.check import shown

    ratio = _ratio(verdict)
    return {
        "status": "verified",
        "lower_bound": None if verdict.bound == float("inf") else shown(verdict.bound),
        "unsolvable": verdict.bound == float("inf"),
        "cost": None if verdict.cost is None else shown(verdict.cost),
        "ratio": ratio,
        "labelled_states": verdict.labels,
        "bounded_states": verdict.bounds,
    }


def _ratio(verdict: Verdict) -> float | None:
    if verdict.cost is None or not verdict.bound:
        return None
    return float(verdict.cost / verdict.bound)
