"""Checker, planner and Fast Downward's translator read the same task from a text, or the checker refuses the text.

scripts/same_task.py tries texts for a given time, and shows that errors built into the checker's parser are found.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from benchmark_tasks import tasks
from fuzzing import changed_sas, fresh_sas
from same_task import Different, OddTexts, compare, compare_sas, spelled
from support import BENCHMARKS

from fsplan.planner.proofs.check import read_text

QUICK = ("blocks", "miconic-fulladl", "psr-small", "movie")
DOMAINS = sorted(path.name for path in BENCHMARKS.iterdir() if path.is_dir()) if BENCHMARKS.is_dir() else []
TASK = """(define (domain d) (:requirements :adl) (:types t - object e - t) (:constants A - t)
(:predicates (p?x - t) (q ?x ?y) (r)) (:functions (total-cost) - number)
(:action go :parameters (?x - t) :precondition (and (p ?x) (forall (?e - e) (q ?e ?x)) (not (= ?x a)))
  :effect (and (not (p ?x)) (forall (?y - t) (when (not (= ?y ?x)) (q ?x ?y))) (increase (total-cost) 2.5)))
(:action back :parameters (?x - t) :precondition (and (not (p ?x))) :effect (and (p ?x) (increase (total-cost) 1))))"""
PROBLEM = """(define (problem one) (:domain d) (:objects b - t c)
(:init (p b) (= (total-cost) 0)) (:goal (and (q b a) (p b))) (:metric minimize (total-cost)))"""


def answers(seeds: range, folder: Path) -> Counter[str]:
    return Counter(compare(*OddTexts(seed).make(), folder).partition(":")[0] for seed in seeds)


def test_programs_agree_on_odd_texts(tmp_path: Path) -> None:
    found = answers(range(300), tmp_path)
    assert found["same"] > 40
    assert found["same, also for Fast Downward"] > 15
    assert found["refused by the checker only"] < 5, found


@pytest.mark.long
def test_programs_agree_on_many_odd_texts(tmp_path: Path) -> None:
    found = answers(range(300, 3300), tmp_path)
    assert found["same"] > 600
    assert found["same, also for Fast Downward"] > 200
    assert found["refused by the checker only"] < 30, found


def sas_answers(seeds: range) -> Counter[str]:
    found = Counter[str]()
    for seed in seeds:
        random = Random(seed)
        text = changed_sas(random, fresh_sas(random))["output.sas"].decode("utf-8", "replace")
        line_end = random.choice(["\n", "\n", "\r\n", "\r"])
        found[compare_sas(text.replace("\n", line_end, random.choice([-1, 9]))).partition(":")[0]] += 1
    return found


def test_programs_agree_on_odd_sas_files() -> None:
    assert sas_answers(range(150))["same"] > 20


@pytest.mark.long
def test_programs_agree_on_many_odd_sas_files() -> None:
    assert sas_answers(range(150, 3000))["same"] > 500


@pytest.mark.parametrize("change", ["", "upper", "\r", "\r\n", "\t\n", "bom", "comments", "\u3000"])
def test_programs_agree_on_different_spellings_of_a_task(change: str, tmp_path: Path) -> None:
    texts = [TASK, PROBLEM]
    if change == "upper":
        texts = [text.upper() for text in texts]
    elif change == "bom":
        texts = ["\ufeff" + text for text in texts]
    elif change == "comments":
        texts = [text.replace("\n", " ; ) ?x (\r") + "; the end" for text in texts]
    elif change:
        texts = [text.replace("\n", change).replace(" ", change[0]) for text in texts]
    assert compare(texts[0], texts[1], tmp_path).startswith("same")


def test_wide_preconditions_and_many_alternatives(tmp_path: Path) -> None:
    numbers = range(60)
    wide = f"(and {' '.join(f'(p{number} ?x)' for number in numbers)})"
    predicates = " ".join(f"(p{number} ?x)" for number in numbers)
    action = f"(:action a :parameters (?x) :precondition {wide} :effect (g))"
    domain = f"(define (domain d) (:predicates {predicates} (g)) {action})"
    init = " ".join(f"(p{number} o)" for number in numbers)
    problem = f"(define (problem p) (:domain d) (:objects o u) (:init {init}) (:goal (g)))"
    assert compare(domain, problem, tmp_path) == "same, also for Fast Downward"
    assert compare(domain.replace("(and ", "(or "), problem, tmp_path) == "same, also for Fast Downward"


def test_a_difference_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import same_task

    machine = same_task.of_checker(TASK, PROBLEM.replace("(p b) (=", "(="))
    monkeypatch.setattr(same_task, "of_checker", lambda domain, problem: machine)
    with pytest.raises(Different):
        compare(TASK, PROBLEM, tmp_path)


def test_texts_are_the_same_for_the_same_seed() -> None:
    assert OddTexts(7).make() == OddTexts(7).make()
    assert spelled(["a", ["b", []], "c"]) == "a (b ()) c"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in DOMAINS]
)
def test_programs_agree_on_the_first_task_of_every_domain(name: str, tmp_path: Path) -> None:
    texts = [read_text(str(path)) for path in tasks(BENCHMARKS / name)[0]]
    assert compare(texts[0], texts[1], tmp_path).startswith("same, also for Fast Downward")
