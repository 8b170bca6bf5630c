"""Proofs of lower bounds: what is written is verified, and nothing false is.

The truth is the oracle's: uniform-cost search by the plain semantics of PDDL (lifted_oracle.py).
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf
from pathlib import Path
from random import Random

import pytest
from lifted_oracle import Oracle
from random_tasks import STRIPS, Features, random_task
from support import ROOT, fsplan

import fsplan as api
from fsplan.pddl import write_domain, write_problem
from fsplan.pddl.syntax import Problem
from fsplan.planner.check import Malformed, Refuted, check
from fsplan.planner.proof import write_proof
from fsplan.planner.sources.pddl import domain_beside, from_pddl

MOST_STATES = 200
SEEDS = range(60)


def optimum(problem: Problem) -> float | None:
    """The cost of the cheapest plan, infinite without one; None if there are too many states to find out."""
    oracle = Oracle(problem)
    best, queue, count = {oracle.start(): 0}, [(0, 0, oracle.start())], 0
    while queue:
        g, _, state = heappop(queue)
        if g > best[state]:
            continue
        if oracle.is_goal(state):
            return g
        if len(best) > MOST_STATES:
            return None
        for action, binding in oracle.applicable(state):
            after, cost = oracle.successor(state, action, binding), g + oracle.cost(action, binding)
            if cost < best.get(after, inf):
                best[after], count = cost, count + 1
                heappush(queue, (cost, count, after))
    return inf


def texts(problem: Problem) -> tuple[str, str]:
    return write_domain(problem.domain), write_problem(problem)


def proof_of(problem: Problem, bound: float, path: Path) -> list[str]:
    write_proof(from_pddl(problem), None if bound == inf else int(bound), path)
    return path.read_text().splitlines(keepends=True)


@pytest.mark.parametrize("features", [Features(), STRIPS], ids=["adl", "strips"])
def test_the_optimum_of_random_tasks_is_proven_and_verified(features: Features, tmp_path: Path) -> None:
    checked = 0
    for seed in SEEDS:
        problem = random_task(seed, features)
        best = optimum(problem)
        if best is None:
            continue
        checked += 1
        verdict = check(*texts(problem), proof_of(problem, best, tmp_path / "proof"))
        assert verdict.bound == best, seed
    assert checked > len(SEEDS) // 2


def test_no_more_than_the_optimum_is_proven(tmp_path: Path) -> None:
    for seed in SEEDS:
        problem = random_task(seed)
        best = optimum(problem)
        if best is not None and best < inf:
            verdict = check(*texts(problem), proof_of(problem, best + 5, tmp_path / "proof"))
            assert verdict.bound <= best, seed


def changed_words(line: str, random: Random) -> Iterator[str]:
    """The line with a field changed, doubled or left out."""
    words = line.split()
    for place, word in enumerate(words):
        yield " ".join(words[:place] + words[place + 1 :])
        yield " ".join([*words[:place], word, *words[place:]])
        for part in word.split(":"):
            if part.isdecimal():
                for other in {int(part) + 1, abs(int(part) - 1), random.randrange(40)}:
                    yield " ".join([*words[:place], word.replace(part, str(other), 1), *words[place + 1 :]])
        yield " ".join(
            [*words[:place], random.choice(["inf", "-1", "x", "1e9", "9" * 40, "b", "g"]), *words[place + 1 :]]
        )


def mutants(lines: list[str], random: Random) -> Iterator[list[str]]:
    for place, line in enumerate(lines):
        yield lines[:place] + lines[place + 1 :]
        yield [*lines[:place], line, *lines[place:]]
        yield lines[:place]
        for changed in changed_words(line, random):
            yield [*lines[:place], changed + "\n", *lines[place + 1 :]]


def test_changed_proofs_never_show_more_than_the_truth(tmp_path: Path) -> None:
    """Fields, lines and bounds are changed, one at a time; the claimed bound is raised along with the others."""
    counts = {"verified": 0, "refuted": 0, "malformed": 0}
    random = Random(0)
    for seed in range(0, 60, 2):
        problem = random_task(seed)
        best = optimum(problem)
        if best is None or best in (0, inf):
            continue
        lines = proof_of(problem, best, tmp_path / "proof")
        raised = [f"bound {int(best) + 1}\n" if line.startswith("bound") else line for line in lines]
        for mutant in (m for base in (lines, raised) for m in mutants(base, random)):
            if random.random() > 400 / (len(lines) * 30):
                continue
            try:
                verdict = check(*texts(problem), mutant)
                counts["verified"] += 1
                assert verdict.bound <= best, (seed, mutant)
            except Refuted:
                counts["refuted"] += 1
            except Malformed:
                counts["malformed"] += 1
    assert counts["refuted"] > 500, counts
    assert counts["malformed"] > 500, counts


def blocks(name: str = "blocks-8-0") -> tuple[str, str]:
    problem = api.example(name)
    return domain_beside(problem), problem


def test_the_commands_write_and_check(tmp_path: Path) -> None:
    domain, problem = blocks()
    proof, plan = tmp_path / "a.proof", tmp_path / "plan"
    run = fsplan(domain, problem, "--proof", proof, "--plan-file", plan, "--w", 1)
    assert run.returncode == 0
    assert "every plan costs at least 18" in run.stderr
    verified = fsplan("check", domain, problem, proof, "--plan", plan)
    assert verified.returncode == 0
    assert verified.stdout == "verified: every plan costs at least 18; the plan is valid and costs 18: it is optimal\n"
    answer = json.loads(fsplan("check", domain, problem, proof, "--plan", plan, "--json").stdout)
    assert (answer["status"], answer["lower_bound"], answer["cost"], answer["ratio"]) == ("verified", 18, 18, 1.0)

    lie = proof.read_text().replace("bound 18", "bound 19")
    proof.write_text(lie)
    refuted = fsplan("check", domain, problem, proof)
    assert refuted.returncode == 1
    assert refuted.stderr.startswith("refuted: line ")
    proof.write_text(lie[: len(lie) // 2])
    malformed = fsplan("check", domain, problem, proof)
    assert malformed.returncode == 36
    assert malformed.stderr.startswith("malformed: ")


def test_wrong_plans_are_refuted(tmp_path: Path) -> None:
    domain, problem = blocks()
    proof, plan = tmp_path / "a.proof.gz", tmp_path / "plan"
    assert fsplan(domain, problem, "--proof", proof, "--plan-file", plan).returncode == 0
    steps = plan.read_text().splitlines(keepends=True)
    for wrong in (steps[1:], steps[:1], [*steps, "(pick-up nobody)\n"]):
        plan.write_text("".join(wrong))
        run = fsplan("check", domain, problem, proof, "--plan", plan)
        assert run.returncode == 1
        assert run.stderr.startswith("refuted: ")


def test_a_size_limit_leaves_the_bound_of_the_start(tmp_path: Path) -> None:
    domain, problem = blocks("blocks-8-0")
    run = fsplan(domain, problem, "--w", 1, "--proof", tmp_path / "a.proof", "--proof-limit", "12kB")
    assert run.returncode == 0
    assert "the limits did not allow a proof of the whole lower bound" in run.stderr
    verified = fsplan("check", domain, problem, tmp_path / "a.proof")
    assert verified.returncode == 0
    assert "at least 13" in verified.stdout


def test_the_checker_stands_alone_and_is_short() -> None:
    text = (ROOT / "planner" / "check.py").read_text()
    tree = ast.parse(text)
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not any(name.startswith("fsplan") for name in imported)
    documented = [node for node in ast.walk(tree) if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))]
    strings = [node.body[0] for node in documented if ast.get_docstring(node)]
    prose = {line for node in strings for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    lines = enumerate(text.splitlines(), 1)
    code = [line for number, line in lines if number not in prose and line.strip() and line.lstrip()[0] != "#"]
    assert len(code) <= 600
