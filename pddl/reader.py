"""Reads PDDL files into a syntax tree.

>>> from fsplan.pddl.tasks import path
>>> problem = read_task(path("blocks-8-0").replace("probBLOCKS-8-0", "domain"), path("blocks-8-0"))
>>> list(problem.domain.actions)
['pick-up', 'put-down', 'stack', 'unstack']
"""

from __future__ import annotations

import gc
import os

from fsplan.pddl.domain_reader import DomainReader
from fsplan.pddl.errors import Report
from fsplan.pddl.problem_reader import ProblemReader
from fsplan.pddl.syntax import Domain, Problem
from fsplan.pddl.tokens import PddlText, nest, read_pddl_text


def read_task(domain_path: str | os.PathLike[str], problem_path: str | os.PathLike[str]) -> Problem:
    """Reads a domain and a problem, each a path or PDDL text; raises `PddlError` with all faults of a file."""
    return read_problem(problem_path, read_domain(domain_path))


def read_domain(path: str | os.PathLike[str]) -> Domain:
    return _domain(read_pddl_text(str(path), "domain"))


def read_problem(path: str | os.PathLike[str], domain: Domain) -> Problem:
    return _problem(read_pddl_text(str(path), "problem"), domain)


def parse_task(
    domain_text: str, problem_text: str, domain_name: str = "domain", problem_name: str = "problem"
) -> Problem:
    """Reads a domain and a problem from text; errors show the given names instead of paths."""
    return parse_problem(problem_text, parse_domain(domain_text, domain_name), problem_name)


def parse_domain(text: str, name: str = "domain") -> Domain:
    return _domain(PddlText(name, text))


def parse_problem(text: str, domain: Domain, name: str = "problem") -> Problem:
    return _problem(PddlText(name, text), domain)


def _domain(file: PddlText) -> Domain:
    report = Report(file)
    with NoCollection():
        domain = DomainReader(report, nest(file)).domain
    report.end()
    return domain


def _problem(file: PddlText, domain: Domain) -> Problem:
    report = Report(file)
    with NoCollection():
        problem = ProblemReader(report, nest(file), domain).problem
    report.end()
    return problem


class NoCollection:
    """Disables the cyclic garbage collector: it would take a third of the time of reading, and trees have no cycles."""

    __slots__ = ("was_enabled",)

    def __enter__(self) -> None:
        self.was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(self, *error: object) -> None:
        if self.was_enabled:
            gc.enable()
