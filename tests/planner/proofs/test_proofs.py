"""The checker accepts the proofs of lower bounds that the planner writes, and refuses false proofs.

True optimal costs come from an oracle: uniform-cost search with a plain implementation of PDDL (lifted_oracle.py).
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from fractions import Fraction
from math import inf
from pathlib import Path
from random import Random

import pytest
from fuzzing import fresh_sas
from lifted_oracle import cheapest, optimum
from random_tasks import STRIPS, Features, random_task
from support import ROOT, fsplan

import fsplan as api
from fsplan.domains.export import export
from fsplan.pddl import parse_task, write_domain, write_problem
from fsplan.pddl.syntax import Problem
from fsplan.planner._core import ExplicitStateSpace
from fsplan.planner.graphs.explore import DEAD_END, explore
from fsplan.planner.proofs import check_puzzle, check_sas
from fsplan.planner.proofs.check import BadTask, Malformed, Proof, Refuted, Space, check
from fsplan.planner.proofs.puzzle_writer import rules_of
from fsplan.planner.proofs.writer import Parts, ProofWriter, Written, check_provable, write_proof, write_text
from fsplan.planner.sources.pddl import domain_beside, from_pddl
from fsplan.planner.tasks.actions import ActionIndex

MOST_STATES = 200
SEEDS = range(60)


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
        best = optimum(problem, MOST_STATES)
        if best is None:
            continue
        checked += 1
        verdict = check(*texts(problem), proof_of(problem, best, tmp_path / "proof"))
        assert verdict.bound == best, seed
    assert checked > len(SEEDS) // 2


def test_no_bound_above_the_optimum_is_proven(tmp_path: Path) -> None:
    for seed in SEEDS:
        problem = random_task(seed)
        best = optimum(problem, MOST_STATES)
        if best is not None and best < inf:
            verdict = check(*texts(problem), proof_of(problem, best + 5, tmp_path / "proof"))
            assert verdict.bound <= best, seed


def test_the_proof_of_a_search_that_a_limit_ended_is_valid(tmp_path: Path) -> None:
    """A limit may end the search for evidence of a state. The proof must then list this state as open."""
    problem, path = api.example("blocks-8-0"), tmp_path / "a.proof"
    texts = Path(domain_beside(problem)).read_text(), Path(problem).read_text()
    writer, bounds = ProofWriter(api.load(problem), None, None), []
    for seconds in (1e-9, *(1e-5 * 3**exponent for exponent in range(6))):
        search = writer.search([])
        bounds.append(search.prove(10**6, 10**6, seconds))
        write_text(writer.from_search(search, bounds[-1], Parts(writer.atoms)), writer.atoms, path)
        assert check(*texts, path.read_text().splitlines(keepends=True)).bound == bounds[-1]
    assert bounds[0] == 0
    assert 0 < max(bound for bound in bounds if bound is not None) <= 18


def linear_proofs(domain: str, problem: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """The proofs by linear programs, which list only the initial state, with their bounds."""
    task = from_pddl(parse_task(domain, problem))
    writer = ProofWriter(task, None, None)
    for evidence in writer.linear_evidence(10**6):
        proof = writer.of_start(evidence)
        assert proof is not None
        write_text(proof, writer.atoms, path)
        yield evidence.value, path.read_text().splitlines(keepends=True)


def test_linear_programs_are_proven_for_random_tasks(tmp_path: Path) -> None:
    pytest.importorskip("highspy")
    checked = 0
    for seed in SEEDS:
        problem = random_task(seed, Features() if seed % 2 else STRIPS)
        best = optimum(problem, MOST_STATES)
        if best is None or best in (0, inf):
            continue
        for bound, lines in linear_proofs(*texts(problem), tmp_path / "proof"):
            verdict = check(*texts(problem), lines)
            assert verdict.bound == bound <= best, seed
            assert any(line.startswith(("table", "cut")) for line in lines)
            checked += 1
    assert checked > 30


ROAD = """(define (domain road) (:predicates (at ?x) (next ?x ?y))
  (:action drive :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x)))))"""
TRIP = """(define (problem trip) (:domain road) (:objects a b c) (:init (at a) (next a b) (next b a) (next b c))
  (:goal (at c)))"""
TABLE = """fsplan-proof 2
bound 2
atom at a
atom at b
atom at c
one 0 1 2
task 3 1/1
table 0 1 2
row 2 0
row 1 0 1
row 0 1 2
sum 1 0:1
b 0 0
end
"""


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [
        ("bound 2", "bound 3", Refuted),
        ("row 2 0", "row 3 0", Refuted),  # a transition lowers the value by more than its cost
        ("row 0 1 2\n", "", Refuted),  # a transition leads to a state that is not in the table
        ("row 0 1 2", "row inf 1 2", Refuted),  # the goal is listed as a dead end
        ("row 1 0 1", "row inf 0 1", Refuted),  # a transition leads from a claimed dead end to the goal
        ("row 0 1 2", "row 1 1 2", Refuted),  # the value of the goal is not 0
        ("sum 1 0:1", "sum 0 0:1", Refuted),  # this would prove that there is no plan
        ("sum 1 0:1", "sum 1 0:2", Refuted),
        ("sum 1 0:1\n", "sum 1 0:1\nrow 9 0\n", Malformed),  # a row must precede the sum
        ("sum 1 0:1", "sum 1 1:1", Malformed),
        ("task 3 1/1\n", "task 3 1/2\ntask 3 1/1\n", Malformed),  # costs would be counted twice
        ("b 0 0", "b 0 1", Refuted),  # this is not the initial state
        ("one 0 1 2", "one 0 1 1", Malformed),  # sets are written in order, every member once
        ("one 0 1 2", "one 1 0 2", Malformed),
        ("table 0 1 2", "table 0 0 1 2", Malformed),
        ("row 1 0 1", "row 1 1 0", Malformed),
        ("row 1 0 1", "row 1 0 0 1", Malformed),
        ("sum 1 0:1", "sum 1 0:1 0:1", Malformed),
        ("sum 1 0:1", "cut 4 4\nsum 1 0:1", Malformed),
        ("b 0 0", "b 0 0 0", Malformed),
        ("b 0 0\n", "b 0 0\nb 0\n", Malformed),  # a state is listed twice
        ("row 0 1 2\n", "row 0 1 2\nrow 1\n", Malformed),  # a row is listed twice
        ("table 0 1 2", "table 0 1", Malformed),  # a row has an atom that is not in its table
        ("atom at c", "atom at b", Malformed),  # an atom is listed twice
        ("atom at c\n", "atom at c\nbound 9\n", Malformed),
        ("task 3 1/1\n", "task 3 1/1\none 0 1\n", Malformed),
        ("task 3 1/1\n", "", Malformed),
        ("bound 2\n", "", Malformed),
        ("bound 2", "bound 2 1", Malformed),
        ("task 3 1/1", "task 3 1/1 1", Malformed),
        ("end\n", "end\nend\n", Malformed),
        ("end\n", "end 1\n", Malformed),
        ("bound 2", "bound ٢", Malformed),
        ("bound 2", "bound 0_2", Malformed),
        ("task 3 1/1", "task 3 0", Malformed),
        ("task 3 1/1", "task 3 2", Malformed),  # costs are not multiples of the unit
        ("one 0 1 2", "one 0 1", None),
        ("sum 1 0:1", "sum 2 0:2", None),
    ],
)
def test_a_table_by_hand(old: str, new: str, outcome: type[Exception] | None) -> None:
    assert check(ROAD, TRIP, TABLE.splitlines(keepends=True)).bound == 2
    assert TABLE.count(old) == 1
    changed = TABLE.replace(old, new).splitlines(keepends=True)
    if outcome is None:
        assert check(ROAD, TRIP, changed).bound == 2
    else:
        with pytest.raises(outcome):
            check(ROAD, TRIP, changed)


def test_a_plan_that_is_cheaper_than_the_bound_refutes_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan is a second line of defence against an error in the checker: here the checker accepts every step."""
    monkeypatch.setattr(Proof, "_read_end", lambda _: None)
    lines, plan = TABLE.replace("bound 2", "bound 9").splitlines(keepends=True), "(drive a b)\n(drive b c)\n"
    assert check(ROAD, TRIP, lines).bound == 9
    with pytest.raises(Refuted, match="the plan is valid and costs 2, but the proof claims at least 9"):
        check(ROAD, TRIP, lines, plan)
    with pytest.raises(Refuted, match="costs 2, but the proof claims at least inf"):
        check(ROAD, TRIP, [line.replace("bound 9", "bound inf") for line in lines], plan)


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ("(drive a b)", "does not reach a goal"),
        ("(drive b c)", r"step 1 of the plan, \(drive b c\), is not applicable"),
        ("(drive a b)(drive b d)", r"step 2 of the plan"),
        ("(drive a b (drive b c)", "no step"),
        ("drive a b", "no step"),
    ],
)
def test_wrong_plans_are_named(plan: str, reason: str) -> None:
    with pytest.raises(Refuted, match=reason):
        check(ROAD, TRIP, TABLE.splitlines(keepends=True), plan)


PRICED = """(define (domain priced) (:requirements :action-costs) (:predicates (p) (q)) (:functions (total-cost))
  (:action slow :parameters () :precondition () :effect (and (q) (increase (total-cost) {}))))"""
PAID = "(define (problem paid) (:domain priced) (:init) (:goal (q)) (:metric minimize (total-cost)))"


@pytest.mark.parametrize(("cost", "unit", "bound"), [("2.5", "1/2", 5), ("2.5", "0.5", 5), ("100", "10", 10)])
def test_the_cost_of_a_plan_does_not_depend_on_the_unit_of_the_proof(cost: str, unit: str, bound: int) -> None:
    lines = [
        "fsplan-proof 2\n",
        f"bound {bound}\n",
        "atom q\n",
        f"task 1 {unit}\n",
        "cut 0\n",
        f"sum 1 0:{bound}\n",
        "b 0\n",
        "end\n",
    ]
    verdict = check(PRICED.format(cost), PAID, lines, "(slow)")
    assert verdict.bound == verdict.cost == Fraction(cost)


DECIMAL_FUNCTION = """(define (domain d) (:requirements :action-costs) (:predicates (p ?x))
  (:functions (total-cost) (c ?x))
  (:action a :parameters (?x) :precondition () :effect (and (p ?x) (increase (total-cost) (c ?x)))))"""
DECIMAL_VALUE = """(define (problem x) (:domain d) (:objects o) (:init (= (c o) 1.5)) (:goal (p o))
  (:metric minimize (total-cost)))"""
BOTH_CONDITIONAL_AND_NOT = """(define (domain d) (:requirements :adl) (:predicates (p ?x) (q ?x) (r))
  (:action a :parameters (?x) :precondition (not (r)) :effect (and (when (p ?x) (q ?x)) (q ?x)))
  (:action b :parameters (?x) :precondition () :effect (p ?x)))"""
ONE_OF_TWO = "(define (problem x) (:domain d) (:objects o u) (:init) (:goal (and (q o) (q u))))"
DERIVED_CONTRADICTION = """(define (domain d) (:requirements :adl :derived-predicates) (:predicates (p) (q) (d) (e))
  (:derived (d) (and (not (p)) (e)))
  (:derived (d) (and (q) (d)))
  (:derived (e) (or (not (q)) (d)))
  (:action a :parameters () :precondition () :effect (p))
  (:action b :parameters () :precondition () :effect (q)))"""
BOTH = "(define (problem x) (:domain d) (:init) (:goal (and (p) (d))))"
NEEDLESS_RULE = """(define (domain d) (:requirements :adl :derived-predicates) (:predicates (q) (r) (e))
  (:derived (e) (and (not (q)) (r)))
  (:derived (e) (not (q)))
  (:action a :parameters () :precondition () :effect (and (q) (r)))
  (:action b :parameters () :precondition (r) :effect (not (r))))"""
WITHOUT = "(define (problem x) (:domain d) (:init) (:goal (not (e))))"

OVERRIDDEN_DELETION = """(define (domain d) (:requirements :adl :derived-predicates) (:predicates (p) (q) (r) (e))
  (:derived (e) (and (e) (r)))
  (:action never :parameters () :precondition (not (r)) :effect (p))
  (:action idle :parameters () :precondition () :effect (and (not (r)) (when (not (e)) (r))))
  (:action first :parameters () :precondition () :effect (q))
  (:action second :parameters () :precondition (q) :effect (p)))"""
TWO_STEPS = "(define (problem x) (:domain d) (:init (r)) (:goal (p)))"


@pytest.mark.parametrize(
    ("domain", "problem", "bound"),
    [
        (DECIMAL_FUNCTION, DECIMAL_VALUE, Fraction(3, 2)),
        (BOTH_CONDITIONAL_AND_NOT, ONE_OF_TWO, 2),
        (DERIVED_CONTRADICTION, BOTH, inf),
        (NEEDLESS_RULE, WITHOUT, 1),
        (OVERRIDDEN_DELETION, TWO_STEPS, 2),
    ],
    ids=["decimal", "twice", "derived", "needless rule", "overridden deletion"],
)
def test_honest_proofs_are_accepted(domain: str, problem: str, bound: Fraction | float, tmp_path: Path) -> None:
    task = from_pddl(parse_task(domain, problem))
    write_proof(task, None if bound == inf else bound, tmp_path / "proof")
    assert check(domain, problem, (tmp_path / "proof").read_text().splitlines(keepends=True)).bound == bound


def test_rules_without_a_meaning_are_refused_even_if_the_goal_cannot_be_reached() -> None:
    domain = """(define (domain d) (:requirements :derived-predicates) (:predicates (p) (d))
      (:derived (d) (not (d))) (:action a :parameters () :precondition (d) :effect (and)))"""
    problem = "(define (problem x) (:domain d) (:init) (:goal (p)))"
    lines = ["fsplan-proof 2\n", "bound inf\n", "task 0 1\n", "end\n"]
    with pytest.raises(BadTask, match="depends on its own negation"):
        check(domain, problem, lines)


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
    proof.write_text(lie.removesuffix("end\n"))
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


def test_a_size_limit_leaves_the_bound_proven_for_the_initial_state(tmp_path: Path) -> None:
    domain, problem = blocks("blocks-8-0")
    run = fsplan(domain, problem, "--w", 1, "--proof", tmp_path / "a.proof", "--proof-limit", "5kB")
    assert run.returncode == 0
    assert "the limits did not allow a proof of the whole lower bound" in run.stderr
    verified = fsplan("check", domain, problem, tmp_path / "a.proof")
    assert verified.returncode == 0
    assert "at least 13" in verified.stdout


SPENDING = """(define (domain spending) (:requirements :strips)
  (:predicates (coin ?c) (bought ?x))
  (:action buy :parameters (?c ?x) :precondition (coin ?c) :effect (and (bought ?x) (not (coin ?c)))))"""
TWO_COINS = """(define (problem two) (:domain spending) (:objects c d x y z)
  (:init (coin c) (coin d)) (:goal (and (bought x) (bought y) (bought z))))"""


def test_linear_programs_prove_that_there_is_no_plan(tmp_path: Path) -> None:
    """In the delete relaxation, one coin can be spent many times; the state equation limits how often it is spent."""
    pytest.importorskip("highspy")
    task, path = from_pddl(parse_task(SPENDING, TWO_COINS)), tmp_path / "a.proof"
    writer = ProofWriter(task, None, None)
    *_, evidence = writer.linear_evidence(None)
    assert evidence.denominator == 0
    proof = writer.of_start(evidence)
    assert proof is not None
    assert write_text(proof, writer.atoms, path).states == 1
    assert check(SPENDING, TWO_COINS, path.read_text().splitlines(keepends=True)).bound == inf


def test_a_projection_proves_that_there_is_no_plan(tmp_path: Path) -> None:
    pytest.importorskip("highspy")
    domain, problem = map(Path, export("tiles2x3:1,0,2,3,5,4", str(tmp_path)))
    texts = domain.read_text(), problem.read_text()
    writer = ProofWriter(from_pddl(parse_task(*texts)), None, None)
    *_, evidence = writer.linear_evidence(None)
    assert evidence.value is None
    assert evidence.tables
    proof = writer.of_start(evidence)
    assert proof is not None
    write_text(proof, writer.atoms, tmp_path / "a.proof")
    assert check(*texts, (tmp_path / "a.proof").read_text().splitlines(keepends=True)).bound == inf


def test_a_search_proves_that_there_is_no_plan(tmp_path: Path) -> None:
    """The proof lists every reachable state that is not a recognised dead end."""
    domain, problem = map(Path, export("tiles2x3:1,0,2,3,5,4", str(tmp_path)))
    texts = domain.read_text(), problem.read_text()
    writer = ProofWriter(from_pddl(parse_task(*texts)), None, None)
    proof = writer.by_search(None, [])
    assert proof.labels == 360
    write_text(proof, writer.atoms, tmp_path / "a.proof")
    assert check(*texts, (tmp_path / "a.proof").read_text().splitlines(keepends=True)).bound == inf


def test_a_proof_without_a_search_is_written_first(tmp_path: Path) -> None:
    """Once a first proof is written, the file always contains a valid proof, even if the run is stopped."""
    domain, problem = blocks("blocks-8-0")
    texts, path = (Path(domain).read_text(), Path(problem).read_text()), tmp_path / "a.proof"
    bounds: list[int] = []

    def verify(written: Written) -> None:
        bounds.append(written.bound)
        assert check(*texts, path.read_text().splitlines(keepends=True)).bound == written.bound

    assert write_proof(api.load(domain, problem), 18, path, on_written=verify).bound == 18
    assert bounds[0] < bounds[-1] == 18
    assert sorted({*bounds}) == bounds


def test_without_time_no_file_is_written(tmp_path: Path) -> None:
    task = api.load(*blocks("blocks-8-0"))
    with pytest.raises(TimeoutError):
        write_proof(task, 18, tmp_path / "a.proof", time_limit=1e-9)
    assert not [*tmp_path.iterdir()]


def test_only_one_proof_is_written_to_a_pipe(tmp_path: Path) -> None:
    domain, problem = blocks("blocks-8-0")
    run = fsplan(domain, problem, "--w", 1, "--quiet", "--plan-file", tmp_path / "plan", "--proof", "/dev/stdout")
    assert check(Path(domain).read_text(), Path(problem).read_text(), run.stdout.splitlines(keepends=True)).bound == 18


def test_the_checker_imports_nothing_of_fsplan_and_is_short() -> None:
    text = (ROOT / "planner" / "proofs" / "check.py").read_text()
    tree = ast.parse(text)
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not any(name.startswith("fsplan") for name in imported)
    documented = [node for node in ast.walk(tree) if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))]
    strings = [node.body[0] for node in documented if ast.get_docstring(node)]
    prose = {line for node in strings for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    lines = enumerate(text.splitlines(), 1)
    code = [line for number, line in lines if number not in prose and line.strip() and line.lstrip()[0] != "#"]
    assert len(code) <= 980


@pytest.mark.parametrize("puzzle", ["tiles8:random/1", "tiles2x3:random/4", "pancake9:random/3", "pancake:5,2,1,4,3"])
def test_puzzles_have_proofs(puzzle: str, tmp_path: Path) -> None:
    proof = tmp_path / "a.proof"
    task = api.load(puzzle)
    best = api.solve(task, search="astar").cost
    assert write_proof(task, best, proof).bound == best
    found = rules_of(task)
    assert found is not None
    rules, start = found
    native = "gap" if puzzle.startswith("pancake") else "linear_conflict"
    assert rules.bound(start) == task.state_space.evaluate(native, start)[0]
    lines = proof.read_text().splitlines(keepends=True)
    assert check_puzzle.check(rules, start, lines).bound == best
    with pytest.raises(check_puzzle.Refuted):
        check_puzzle.check(rules, start, [lines[0], f"bound {best + 1}\n", *lines[2:]])


@pytest.mark.parametrize("board", [(3, 2), (2, 3), (3, 3)])
def test_puzzles_without_a_solution_have_proofs(board: tuple[int, int]) -> None:
    """Exactly the boards that are not reachable from the goal, half of all boards, are proven unsolvable."""
    rules = check_puzzle.Tiles(*board)
    lines = ["fsplan-puzzle-proof 1\n", "bound inf\n", "end\n"]
    reached, level = {rules.goal()}, [rules.goal()]
    while level:
        level = [
            after for state in level for after in rules.steps(state) if after not in reached and not reached.add(after)
        ]
    random = Random(0)
    for _ in range(200):
        start = tuple(random.sample(rules.goal(), len(rules.goal())))
        if start in reached:
            with pytest.raises(check_puzzle.Refuted):
                check_puzzle.check(rules, start, lines)
        else:
            assert check_puzzle.check(rules, start, lines).bound == inf


def test_the_commands_prove_that_a_puzzle_has_no_solution(tmp_path: Path) -> None:
    puzzle, proof = "tiles15:0,2,1,3,4,5,6,7,8,9,10,11,12,13,14,15", tmp_path / "a.proof"
    run = fsplan(puzzle, "--proof", proof)
    assert run.returncode == 11
    assert "there is no plan" in run.stderr
    assert fsplan("check", puzzle, proof).stdout == "verified: there is no plan\n"
    assert fsplan("check", "tiles15:korf/1", proof).returncode == 1


def test_the_commands_prove_puzzles(tmp_path: Path) -> None:
    proof = tmp_path / "a.proof"
    run = fsplan("tiles8:random/1", "--w", 1, "--proof", proof)
    assert run.returncode == 0
    verified = fsplan("check", "tiles8:random/1", proof)
    assert verified.stdout.startswith("verified: every plan costs at least ")
    assert fsplan("check", "tiles8:random/2", proof).returncode == 1
    proof.write_text("fsplan-puzzle-proof 1\nbound 3\n")
    assert fsplan("check", "tiles8:random/1", proof).returncode == 36


def sas_proof(seed: int, folder: Path) -> tuple[str, float, list[str]]:
    """A random task with derived variables and conditional effects: its text, optimal cost, and a proof of the cost."""
    path = folder / "task.sas"
    path.write_bytes(fresh_sas(Random(seed))["output.sas"])
    task = api.load(str(path))
    graph = explore(task)
    best = inf if graph.h_star[0] == DEAD_END else int(graph.h_star[0])
    write_proof(task, None if best == inf else best, folder / "proof")
    return path.read_text(), best, (folder / "proof").read_text().splitlines(keepends=True)


def optimum_by_checker(text: str) -> float:
    """The optimal cost by uniform-cost search with the checker's own successor function."""
    ground = check_sas.SasGround(text)
    basic = {each: each for each in range(len(ground.atoms)) if each not in ground.derived}
    space = Space(ground, basic, 99, range(len(ground.actions)), merge=False)

    def steps(state: int) -> Iterator[tuple[str, Fraction, int]]:
        return ((step.name, step.cost, after) for step, after in space.successors(state))

    found = cheapest(space.start, space.is_goal, steps)
    assert found is not None
    return float(found[0])


def test_sas_tasks_have_proofs(tmp_path: Path) -> None:
    optima = set()
    for seed in range(80):
        text, best, lines = sas_proof(seed, tmp_path)
        optima.add(best)
        assert optimum_by_checker(text) == best, seed
        assert check_sas.check(text, lines).bound == best, seed
    assert {inf, 0, 1} < optima


def test_the_commands_prove_sas_tasks(tmp_path: Path) -> None:
    sas, proof, plan = tmp_path / "a.sas", tmp_path / "a.proof", tmp_path / "plan"
    sas.write_bytes(fresh_sas(Random(12))["output.sas"])
    assert fsplan(sas, "--w", 1, "--proof", proof, "--plan-file", plan).returncode == 0
    verified = fsplan("check", sas, proof, "--plan", plan)
    assert "it is optimal" in verified.stdout
    plan.write_text("(act 9)\n")
    assert "step 1 of the plan" in fsplan("check", sas, proof, "--plan", plan).stderr
    sas.write_text(sas.read_text().replace("begin_goal", "goal"))
    assert fsplan("check", sas, proof).returncode == 31


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("begin_operator\nact 0", "begin_operator\nact 0\n-1"),
        ("end_state", "0\nend_state"),
        ("begin_state\n0", "begin_state\n3"),
        ("begin_state\n0", "begin_state\n-1"),
        ("begin_rule\n1\n0 1\n2 1 0", "begin_rule\n1\n0 1\n0 1 0"),
        ("begin_rule\n1\n0 1\n2 1 0", "begin_rule\n1\n9 1\n2 1 0"),
        ("begin_version\n3", "begin_version\n2"),
        ("begin_goal\n2\n0 0\n1 1", "begin_goal\n2\n0 0\n0 1"),
    ],
)
def test_the_checker_refuses_sas_files_with_unsupported_parts(old: str, new: str) -> None:
    text = fresh_sas(Random(12))["output.sas"].decode()
    assert old in text
    with pytest.raises(BadTask, match="does not understand"):
        check_sas.check(text.replace(old, new), [])


def test_the_checker_refuses_effects_that_give_a_variable_two_values() -> None:
    operator = "begin_operator\nact 0\n0\n2\n{} 0 -1 0\n0 0 -1 1\n1\nend_operator\n"
    text = fresh_sas(Random(12))["output.sas"].decode()
    before, _, after = text.partition("begin_operator")
    after = after.partition("end_operator\n")[2]
    with pytest.raises(BadTask, match="two values"):
        check_sas.check(before + operator.format("0") + after, [])


def test_tasks_without_proofs_are_refused_before_the_search() -> None:
    space = ExplicitStateSpace(states=2, actions=1, start=0, goals=[1], edges=[(0, 0, 1, 1)])
    with pytest.raises(ValueError, match=r"proofs are of PDDL tasks, \.sas tasks and puzzles"):
        check_provable(api.Task("two states", space, ActionIndex(["step"])))
