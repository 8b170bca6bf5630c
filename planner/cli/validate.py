"""`fsplan validate`: a plan against its PDDL."""

from __future__ import annotations

import sys

from fsplan.planner.load import read_problem


def run(domain: str, problem: str, plan: str, quiet: bool) -> int:
    from fsplan.planner.plans import plan_text
    from fsplan.planner.validate import validate

    verdict = validate(read_problem((domain, problem)), plan_text(plan))
    if not quiet:
        print(verdict.message, file=sys.stdout if verdict.valid else sys.stderr)
    return 0 if verdict.valid else 1
