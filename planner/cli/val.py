"""The command `fsplan-validate`: the arguments, printed lines and exit codes of VAL's `Validate`, for programs that
call it, such as Fast Downward's driver and the PDDL extension of VS Code.

Plans are executed step by step in the order of the file, as by `fsplan validate`. A cost that a comment of the plan
states is not compared, because VAL does not read comments.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from fsplan.pddl.costs import Cost
from fsplan.pddl.errors import PddlError
from fsplan.pddl.reader import read_domain, read_problem
from fsplan.pddl.syntax import Problem
from fsplan.planner.cli import run
from fsplan.planner.plans.plan_files import PlanError, Step, read_plan, read_text
from fsplan.planner.plans.validate import PlanExecution, StepError, Unsatisfied

USAGE = """\
fsplan-validate [options] DOMAIN PROBLEM PLAN...   validates plans; the options are those of VAL

  -v      print every step with its effects and, for a plan that fails, what would have to hold
  -a      with -v: do not print what would have to hold
  -s      print only failures
  -S      print only the value of each plan, or "failed"
  -h      print this text
  -t N    with -v: steps without times are reported at the times 0, N, 2 N, … instead of 1, 2, 3, …
  -d, -i  accepted without effect: they concern checks of VAL's own

The exit code is the number of plans that are not valid, at most 100; 255 if the task or an option cannot be used.
"""
MOST_FAILURES = 100


class Unusable(Exception):
    """The options or the task cannot be used; no plan was validated."""

    exit_code = 255


def main() -> NoReturn:
    """Runs the command and ends the process with its exit code."""
    sys.exit(run(sys.argv[1:], validate_as_val))


def validate_as_val(arguments: list[str]) -> int:
    """Validates the plans that the arguments name, prints VAL's lines, and returns the exit code."""
    switches, files = _switches_and_files(arguments)
    if "h" in switches or not files:
        print(USAGE, end="")
        return 0
    problem = _read_task(files[:2])
    if problem is None:
        return 0
    validator = _Validator(problem, switches)
    for plan in files[2:]:
        validator.check(plan)
    validator.summarise()
    return min(len(validator.failed), MOST_FAILURES)


def _switches_and_files(arguments: list[str]) -> tuple[dict[str, str], list[str]]:
    """Splits the arguments into switches with their values and files. As in VAL, only the first letter of a switch
    counts: -vv is -v."""
    switches: dict[str, str] = {}
    rest = list(arguments)
    while rest and rest[0].startswith("-"):
        word = rest.pop(0)
        if word[1:2] not in tuple("vasShtdi"):
            raise Unusable(f"Unrecognised command line switch: {word}; fsplan-validate -h lists the supported ones")
        switches[word[1]] = rest.pop(0) if word[1] == "t" and rest else ""
    return switches, rest


def _read_task(files: list[str]) -> Problem | None:
    """Reads domain and problem; returns None if only a domain is given, which is then checked alone."""
    try:
        domain = read_domain(files[0])
        return read_problem(files[1], domain) if len(files) > 1 else None
    except PddlError as error:
        part = "domain" if error.file == files[0] else "problem"
        readable = os.access(str(error.file), os.R_OK)
        title = f"Problem in {part} definition!" if readable else f"Bad {part} file!"
        raise Unusable(f"{title}\n{error}") from None


def _positive(text: str | None) -> float | None:
    """Returns the value of the option -t; None if it is missing or not positive."""
    try:
        number = float(text or 0)
    except ValueError:
        raise Unusable(f"-t {text}: expected a number") from None
    return number if number > 0 else None


class _Validator:
    """Validates plans one after the other and remembers their names and values for the summary."""

    def __init__(self, problem: Problem, switches: dict[str, str]) -> None:
        self.problem = problem
        self.values_only = "S" in switches
        self.silent = self.values_only or "s" in switches
        self.verbose = "v" in switches and not self.silent
        self.advice = self.verbose and "a" not in switches
        self.interval = _positive(switches.get("t"))
        self.failed: list[str] = []
        self.successful: dict[Cost, list[str]] = {}

    def check(self, path: str) -> None:
        """Validates one plan and prints the report on it."""
        self._progress(f"Checking plan: {path}")
        try:
            steps = read_plan(read_text(path)).steps
        except OSError as error:
            return self._fail(path, "Bad plan file!", f"{path}: {error.strerror}")
        except PlanError as error:
            return self._fail(path, f"{path}: {error}", "Bad plan description!")
        if self.verbose:
            _print_plan(steps)
        execution = PlanExecution(self.problem)
        for number, step in enumerate(steps, 1):
            time = self._time(number, step)
            try:
                self._take(execution, step, time)
            except StepError as error:
                return self._fail_at(path, step, time, error)
        self._progress("Plan executed successfully - checking goal")
        try:
            execution.reach_goal()
        except StepError as error:
            self._fail(path, "Goal not satisfied", "Plan invalid")
            return self._advise("The goal is not satisfied", error.unsatisfied)
        self.successful.setdefault(execution.cost, []).append(path)
        self._progress(f"Plan valid\nFinal value: {execution.cost} ")
        if self.values_only:
            print(execution.cost)
        return None

    def _time(self, number: int, step: Step) -> str:
        """Returns the reported time of a step. VS Code's extension finds the line of a step by it."""
        if step.time:
            return f"{float(step.time):.10g}"
        return str(number) if self.interval is None else f"{(number - 1) * self.interval:.5f}"

    def _take(self, execution: PlanExecution, step: Step, time: str) -> None:
        if not self.verbose:
            return execution.take(step)
        print(f"Checking next happening (time {time})")
        before = execution.world.true_atoms()
        execution.take(step)
        after = execution.world.true_atoms()
        for verb, atoms in (("Deleting", before - after), ("Adding", after - before)):
            for predicate, row in sorted(atoms):
                print(f"{verb} ({' '.join((predicate, *row))})")
        print()
        return None

    def _fail_at(self, path: str, step: Step, time: str, error: StepError) -> None:
        if not error.unsatisfied:  # an unknown action or object, or a wrong number or type of arguments
            return self._fail(path, f"{path}, line {step.line}: {step}: {error}", "Bad plan description!")
        self._progress(f"Plan failed because of unsatisfied precondition in:\n{step}")
        self._fail(path, "\nPlan failed to execute")
        return self._advise(f"{step} has an unsatisfied precondition at time {time}", error.unsatisfied)

    def _fail(self, path: str, *lines: str) -> None:
        self.failed.append(path)
        print("failed" if self.values_only else "\n".join(lines))

    def _progress(self, text: str) -> None:
        if not self.silent:
            print(text)

    def _advise(self, title: str, unsatisfied: list[Unsatisfied]) -> None:
        if not self.advice:
            return
        changes = [_change(each) for each in unsatisfied]
        print(f"\n\nPlan Repair Advice:\n\n{title}")
        if len(changes) == 1:
            print(changes[0])
        else:
            print("(Follow each of:\n    " + "\n    and ".join(changes) + "\n)")

    def summarise(self) -> None:
        """Prints the valid plans by value, the best first, and the plans that failed."""
        if self.successful and not self.silent:
            print("\nSuccessful plans:")
            for value in sorted(self.successful):
                print(f"Value: {value}\n {' '.join(self.successful[value])} ")
            print()
        if self.failed and not self.values_only:
            print(f"\n\nFailed plans:\n {' '.join(self.failed)} ")


def _print_plan(steps: list[Step]) -> None:
    print(f"Plan to validate:\n\nPlan size: {len(steps)}")
    for number, step in enumerate(steps, 1):
        print(f"{step.time or number}:\n{step}\n ")
    print("\nPlan Validation details\n-----------------------\n")


def _change(part: Unsatisfied) -> str:
    """Returns the repair advice for an unsatisfied condition, in VAL's words.

    >>> from fsplan.planner.plans.validate import Unsatisfied
    >>> _change(Unsatisfied("(not (clear a))", {"(clear a)": True}))
    '(Set (clear a) to false)'
    >>> _change(Unsatisfied("(or (p) (q))", {"(p)": False, "(q)": False}))
    '(Satisfy (or (p) (q)))'
    """
    for atom in part.values:
        if part.condition == atom:
            return f"(Set {atom} to true)"
        if part.condition == f"(not {atom})":
            return f"(Set {atom} to false)"
    return f"(Satisfy {part.condition})"


if __name__ == "__main__":
    main()
