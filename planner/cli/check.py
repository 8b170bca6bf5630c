"""`fsplan check`: a proof of a lower bound against the PDDL."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

import click

from fsplan.planner.cli.parameters import Command, json_option, quiet_option

if TYPE_CHECKING:
    from fractions import Fraction

    from fsplan.planner.check import Verdict

REFUTED, MALFORMED = 1, 36


@click.command("check", cls=Command)
@click.argument("domain", type=click.Path())
@click.argument("problem", type=click.Path())
@click.argument("proof", type=click.Path())
@click.option("--plan", type=click.Path(), metavar="FILE", help="A plan to be checked as well.")
@json_option
@quiet_option
def command(domain: str, problem: str, proof: str, plan: str | None, json: bool, quiet: bool) -> int:
    """Verifies a proof that no plan costs less than a bound, as fsplan --proof writes it.

    The checker is independent of the planner: it has its own PDDL reader, works on the PDDL, and can be read in an
    hour (planner/check.py).

    Exit code 0: verified; 1: refuted, with the first step that fails; 36: not a proof.
    """
    from fsplan.planner.check import Malformed, Refuted, check
    from fsplan.planner.plans import read_text

    plan_text = None if plan is None else read_text(plan)
    try:
        with _open(proof) as lines:
            verdict = check(read_text(domain), read_text(problem), lines, plan_text)
    except Refuted as error:
        return _failure("refuted", error, json, quiet, REFUTED)
    except (Malformed, EOFError, UnicodeDecodeError) as error:
        return _failure("malformed", error, json, quiet, MALFORMED)
    if not quiet:
        _print(_record(verdict), _text(verdict), json)
    return 0


def _open(path: str) -> TextIO:
    import gzip

    if path.endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8", newline="\n")
    return open(path, encoding="utf-8", newline="\n")


def _failure(status: str, error: Exception, json: bool, quiet: bool, code: int) -> int:
    if json:
        _print({"status": status, "message": str(error)}, "", json)
    elif not quiet:
        print(f"{status}: {error}", file=sys.stderr)
    return code


def _print(record: dict[str, object], text: str, json: bool) -> None:
    from json import dumps

    print(dumps(record) if json else text)


def _record(verdict: Verdict) -> dict[str, object]:
    ratio = _ratio(verdict)
    return {
        "status": "verified",
        "lower_bound": None if verdict.bound == float("inf") else _number(verdict.bound),
        "unsolvable": verdict.bound == float("inf"),
        "cost": None if verdict.cost is None else _number(verdict.cost),
        "ratio": ratio,
        "labelled_states": verdict.labels,
        "bounded_states": verdict.bounds,
    }


def _text(verdict: Verdict) -> str:
    if verdict.bound == float("inf"):
        return "verified: there is no plan"
    known = f"verified: every plan costs at least {_number(verdict.bound)}"
    if verdict.cost is None:
        return known
    ratio = _ratio(verdict)
    quality = "it is optimal" if verdict.cost == verdict.bound else f"ratio {ratio:.4f}" if ratio else "no ratio"
    return f"{known}; the plan is valid and costs {_number(verdict.cost)}: {quality}"


def _ratio(verdict: Verdict) -> float | None:
    if verdict.cost is None or not verdict.bound:
        return None
    return float(verdict.cost / verdict.bound)


def _number(value: Fraction | float) -> int | float:
    return int(value) if value == int(value) else float(value)
