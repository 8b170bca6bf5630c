"""Runs every search with every heuristic on a random PDDL task; compares with a plain oracle and Fast Downward.

The oracle is uniform-cost search on the PDDL syntax tree (lifted_oracle.py). The comparison covers solvability, plan
costs where the search guarantees them (optimal, or within the factor w), and every lower bound. `fsplan.solve` itself
validates each plan.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from math import inf
from pathlib import Path
from random import Random
from subprocess import CalledProcessError
from typing import Any

from downward_oracle import optimal_cost, translate
from lifted_oracle import optimum
from random_tasks import Features, random_task, with_mirror_image, with_twins

import fsplan
from fsplan.pddl import write_domain, write_problem
from fsplan.planner._core import Budget, GroundStateSpace
from fsplan.planner.search import catalogue

MOST_STATES = 300  # limit on the states that the oracle explores
TENTH = Fraction(1, 10)
COST = re.compile(r"(\(increase \(total-cost\) |\(= \((?:price|toll)[^()]*\) )(\d+)\)")
LIMITS = {"time_limit": 10, "expansion_limit": 5000}


def features_of(seed: int) -> Features:
    random = Random(seed)
    return Features(*(random.random() < 0.7 for _ in fields(Features)))


def configurations(seed: int) -> Iterator[dict[str, Any]]:
    """Every search with every heuristic; the orders of FOCAL and the weights alternate."""
    random = Random(seed)
    orders = [order.name for order in catalogue.orders() if order.name != "disc1-profile"]  # needs a trained policy
    heuristics = [each for each in catalogue.heuristics() if each.details["tasks"] == "pddl"]
    for search in catalogue.searches():
        if search.name == "idastar":  # for puzzles
            continue
        for heuristic in heuristics:
            chosen: dict[str, Any] = {"search": search.name, "heuristic": heuristic.name}
            if heuristic.proves == "nothing" and "uncertified" in search.reads:
                chosen["uncertified"] = True
            if "w" in search.reads:
                chosen["w"] = random.choice(["1", "1.2", "1.5", "3"])
            if "order" in search.reads:
                chosen["order"] = random.choice(orders)
            yield chosen


def faults(result: fsplan.Result, search: catalogue.Entry, best: float | Fraction) -> Iterator[str]:
    """Yields every statement of the result that contradicts the optimal cost `best`."""
    if result.lower_bound is not None and result.lower_bound > best:
        yield f"lower bound {result.lower_bound}"
    if result.status == "unsolvable" and best < inf:
        yield "unsolvable"
    if result.cost is None:
        return
    if result.cost < best:
        yield f"cost {result.cost}"
    promised = 1 if search.proves == "optimal" else result.w
    if result.certified and best < inf and result.cost > promised * best:
        yield f"certified cost {result.cost}"


def run(task: fsplan.Task, chosen: dict[str, Any], best: float | Fraction) -> tuple[str, list[str]]:
    """Runs one configuration; returns the status of the result, and the errors found."""
    try:
        result = fsplan.solve(task, **chosen, **LIMITS)
    except (ValueError, TypeError) as error:
        if any(word in str(error) for word in ("admissible", "derived", "lower bound", "conditional")):
            return "refused", []
        return "error", [f"{type(error).__name__}: {error}"]
    except Exception as error:
        return "error", [f"{type(error).__name__}: {error}"]
    return result.status, list(faults(result, catalogue.search(chosen["search"]), best))


def compare_downward(domain: Path, problem: Path, best: float, counts: Counter[str]) -> Iterator[str]:
    """Yields a message if Fast Downward's optimal cost differs. Its translator fails on some tasks: these are
    counted."""
    try:
        theirs = optimal_cost(translate(domain, problem, domain.parent / "sas"), "blind()")
    except CalledProcessError:
        counts["Fast Downward's translator fails"] += 1
        return
    counts["Fast Downward"] += 1
    if (inf if theirs is None else theirs) != best:
        yield f"Fast Downward {theirs}, oracle {best}"


def compare(seed: int, folder: Path, counts: Counter[str], downward: bool, symmetric: bool = False) -> Iterator[str]:
    """Yields the errors on one random task. With `symmetric`, objects are interchangeable and searches merge states."""
    problem = random_task(seed, features_of(seed))
    if symmetric:
        small = seed % 2 == 1 and len(problem.objects) < 5
        problem = with_mirror_image(problem, Random(seed)) if small else with_twins(problem, Random(seed))
    best = optimum(problem, MOST_STATES)
    if best is None:
        counts["too large"] += 1
        return
    counts["tasks"] += 1
    domain_file, problem_file = folder / "domain.pddl", folder / "problem.pddl"
    texts = write_domain(problem.domain), write_problem(problem)
    domain_file.write_text(texts[0])
    problem_file.write_text(texts[1])
    if downward:
        yield from compare_downward(domain_file, problem_file, best, counts)
    true_best: float | Fraction = best
    if seed % 4 == 0 and problem.use_costs:
        counts["decimal costs"] += 1
        true_best = best * TENTH if best < inf else inf
        tenths = [COST.sub(lambda found: f"{found[1]}{int(found[2]) / 10})", text) for text in texts]
        domain_file.write_text(tenths[0])
        problem_file.write_text(tenths[1])
    task = fsplan.load(domain_file, problem_file)
    if symmetric:
        assert isinstance(task.state_space, GroundStateSpace)
        swaps = task.state_space.swaps(Budget())
        counts["tasks with swaps"] += bool(swaps)
        counts["tasks with swaps of several pairs"] += any(len(swap) > 2 for swap in swaps)
    for chosen in configurations(seed):
        chosen["symmetry"] = symmetric
        status, wrong = run(task, chosen, true_best)
        counts[f"runs: {status}"] += 1
        for each in wrong:
            yield f"{chosen}: {each}, the optimum is {true_best}"
