"""Malformed and unusual input files for every parser, with the results that each parser is allowed to give.

    for files in inputs("pddl", seed=1, count=100):
        KINDS["pddl"].run(files)   # "taken" or "refused: why"; every other behaviour raises an exception

Valid files are changed byte by byte, word by word, or by the grammar. The same seed gives the same inputs. A parser may
accept an input or refuse it with a message for the user. For proofs there is an oracle, too: a bound that the checker
accepts must be true. tests/planner/cli/test_fuzz.py tries a fixed number of inputs; scripts/fuzz.py runs for a given
time.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from math import inf
from pathlib import Path
from random import Random
from typing import NamedTuple

from forging import SasTask
from lifted_oracle import optimum
from random_tasks import STRIPS, Features, random_task
from tree_forms import form

import fsplan
from fsplan import domains
from fsplan.pddl import parse_task, write_domain, write_problem
from fsplan.pddl.syntax import Problem
from fsplan.planner.cli.errors import exit_code
from fsplan.planner.plans.plan_files import PlanError
from fsplan.planner.plans.validate import validate
from fsplan.planner.policies.container import PolicyFileError
from fsplan.planner.proofs import check_sas
from fsplan.planner.proofs.check import BadTask, Malformed, Refuted, check
from fsplan.planner.proofs.writer import write_proof
from fsplan.planner.sources.pddl import from_pddl
from fsplan.planner.tasks.sas import SasError, parse_sas
from fsplan.planner.tasks.task import from_ground

WORDS = re.findall(
    r"\S+",
    """( ) - ? ?x and or not imply forall exists when = increase assign total-cost object either define domain
    :action :derived :init :goal :metric :parameters :precondition :effect :types :objects :constants :predicates
    :functions :requirements minimize 0 1 -1 1.5 1e9 99999999999999999999 2147483647 inf nan o0 p0 d0 act0 ; \x00 é""",
)
NUMBERS = ["0", "1", "-1", "2", "3", "7", "100000000", "2147483647", "2147483648", "99999999999999999999", "x", "1.5"]


def changed_bytes(random: Random, data: bytes) -> bytes:
    """The data with a few bytes replaced, removed, inserted or doubled, or truncated."""
    result = bytearray(data)
    for _ in range(random.randint(1, 4)):
        first = random.randrange(len(result) + 1)
        last = min(len(result), first + random.choice([0, 1, 1, 2, 8, 64]))
        kind = random.randrange(5)
        new = {
            0: bytes(random.randrange(256) for _ in range(last - first)),
            1: b"",
            2: result[first:last] * 2,
            3: random.choice([b"\x00", b"\xff", b"\n", b"(", b")", b" ", b"9" * 30]) + result[first:last],
            4: bytes(each ^ 1 << random.randrange(8) for each in result[first:last]),
        }[kind]
        result[first:last] = new
        if random.random() < 0.05:
            del result[random.randrange(len(result) + 1) :]
    return bytes(result)


def changed_words(random: Random, text: str, words: list[str]) -> str:
    """The text with a few words replaced, removed, doubled or exchanged; white space is unchanged."""
    parts = re.findall(r"[()]|[^\s()]+|\s+", text)
    for _ in range(random.randint(1, 5)):
        if not parts:
            break
        place, other = random.randrange(len(parts)), random.randrange(len(parts))
        kind = random.randrange(5)
        if kind == 0:
            parts[place] = random.choice(words)
        elif kind == 1:
            del parts[place]
        elif kind == 2:
            parts.insert(place, parts[other])
        elif kind == 3:
            parts[place], parts[other] = parts[other], parts[place]
        else:
            parts.insert(place, f" {random.choice(words)} ")
    return "".join(parts)


def random_form(random: Random, depth: int = 4) -> str:
    """Nested lists of words that occur in PDDL, in no sensible order."""
    if depth == 0 or random.random() < 0.4:
        return random.choice(WORDS[2:])
    return f"({' '.join(random_form(random, depth - 1) for _ in range(random.randint(0, 5)))})"


def with_random_form(random: Random, text: str) -> str:
    """The text with one of its parenthesised lists replaced by a random list."""
    lists = [found.start() for found in re.finditer(r"\(", text)]
    first = random.choice(lists)
    depth, last = 0, first
    for last in range(first, len(text)):
        depth += (text[last] == "(") - (text[last] == ")")
        if depth == 0:
            break
    return text[:first] + random_form(random) + text[last + 1 :]


Files = dict[str, bytes]  # file name -> content


class Kind(NamedTuple):
    """A kind of input: functions that make valid files, change them, and run the parser."""

    fresh: Callable[[Random], Files]
    change: Callable[[Random, Files], Files]
    run: Callable[[Files], str]


def inputs(kind: str, seed: int, count: int) -> Iterator[Files]:
    for number in range(count):
        random = Random(f"{kind} {seed} {number}")
        yield KINDS[kind].change(random, KINDS[kind].fresh(random))


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def changed_text(random: Random, data: bytes, words: list[str]) -> bytes:
    kind = random.randrange(3)
    if kind == 0 or b"(" not in data:
        return changed_bytes(random, data)
    return (changed_words(random, _text(data), words) if kind == 1 else with_random_form(random, _text(data))).encode()


def some_task(random: Random) -> Problem:
    return random_task(random.randrange(10_000), random.choice([Features(), Features(), STRIPS]))


def fresh_pddl(random: Random) -> Files:
    return pddl_files(some_task(random))


def pddl_files(problem: Problem) -> Files:
    return {"domain.pddl": write_domain(problem.domain).encode(), "problem.pddl": write_problem(problem).encode()}


def changed_pddl(random: Random, files: Files) -> Files:
    name = random.choice(["domain.pddl", "problem.pddl"])
    return {**files, name: changed_text(random, files[name], WORDS)}


def run_pddl(files: Files) -> str:
    try:
        tree = parse_task(_text(files["domain.pddl"]), _text(files["problem.pddl"]))
        assert form(parse_task(write_domain(tree.domain), write_problem(tree))) == form(tree)
        fsplan.solve(from_pddl(tree), w=2, expansion_limit=200, time_limit=5)
    except Exception as error:
        if exit_code(error) not in (20, 21, 31, 34):
            raise
        return f"refused: {error}"
    return "taken"


def fresh_sas(random: Random) -> Files:
    """A small task in SAS with conditional effects, rules in layers, costs and a mutex group."""
    variables, _, rest = SasTask(random).text().partition("0\nbegin_state\n")
    group = "1\nbegin_mutex_group\n2\n0 0\n0 1\nend_mutex_group\nbegin_state\n"
    return {"output.sas": f"{variables}{group}{rest}".encode()}


def changed_sas(random: Random, files: Files) -> Files:
    """Mostly changes numbers, so that many results are still valid tasks."""
    if random.random() < 0.2:
        return {"output.sas": changed_bytes(random, files["output.sas"])}
    lines = _text(files["output.sas"]).split("\n")
    for _ in range(random.randint(0, 2)):
        place, kind = random.randrange(len(lines)), random.randrange(6)
        if kind == 0 and len(lines) > 1:
            del lines[place]
        elif kind == 1:
            lines.insert(place, random.choice(lines))
        else:
            words = lines[place].split(" ")
            words[random.randrange(len(words))] = random.choice(NUMBERS)
            lines[place] = " ".join(words)
    return {"output.sas": "\n".join(lines).encode()}


def solved_sas(files: Files) -> float | str:
    """The optimal cost of a task in SAS, infinite without a plan; or why it is refused."""
    try:
        result = fsplan.astar(from_ground(parse_sas(_text(files["output.sas"])), "fuzzed"), heuristic="blind")
    except (SasError, OverflowError) as error:
        return str(error)
    return inf if result.cost is None else float(result.cost)


def run_sas(files: Files) -> str:
    with suppress(BadTask, Malformed):  # the checker's reader accepts the file or refuses it with a message
        check_sas.check(_text(files["output.sas"]), [])
    answer = solved_sas(files)
    return f"refused: {answer}" if isinstance(answer, str) else "taken"


@cache
def proven(number: int) -> Files | None:
    """A task, the proof of its optimum, and the optimum."""
    problem = random_task(number, Features() if number % 2 else STRIPS)
    best = optimum(problem, 100)
    if best is None or best == 0:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "proof"
        write_proof(from_pddl(problem), None if best == inf else int(best), path)
        return {**pddl_files(problem), "a.proof": path.read_bytes(), "truth": str(best).encode()}


def fresh_proof(random: Random) -> Files:
    files = None
    while files is None:
        files = proven(random.randrange(60))
    return files


def changed_proof(random: Random, files: Files) -> Files:
    text = _text(files["a.proof"])
    if random.random() < 0.5:
        text = re.sub(r"bound (\d{1,9})\n", lambda found: f"bound {int(found[1]) + 1}\n", text, count=1)
    if random.random() < 0.3:
        return {**files, "a.proof": changed_bytes(random, text.encode())}
    words = [*NUMBERS, *re.findall(r"\S+", "g b cut sum table row one never task bound atom end inf 1/2")]
    changed = changed_words(random, text.replace(":", " : "), words).replace(" : ", ":")
    return {**files, "a.proof": changed.encode()}


def run_proof(files: Files) -> str:
    lines = _text(files["a.proof"]).splitlines(keepends=True)
    try:
        verdict = check(_text(files["domain.pddl"]), _text(files["problem.pddl"]), lines)
    except (Refuted, Malformed) as error:
        return f"refused: {error}"
    assert verdict.bound <= float(files["truth"]), f"{verdict.bound} is verified; true is {_text(files['truth'])}"
    return "taken"


@cache
def solved(seed: int) -> Files:
    """A task and a plan for it. Only the plan is changed, so a few hundred tasks are enough."""
    problem = some_task(Random(seed))
    result = fsplan.solve(from_pddl(problem), w=2, expansion_limit=200)
    plan = "".join(f"({step})\n" for step in result.plan or ["act0 o0 o1"])
    return {**pddl_files(problem), "plan": plan.encode()}


def fresh_plan(random: Random) -> Files:
    return solved(random.randrange(300))


def changed_plan(random: Random, files: Files) -> Files:
    return {**files, "plan": changed_text(random, files["plan"], [*WORDS, "act1", "o1", "o2", "o3"])}


def run_plan(files: Files) -> str:
    problem = parse_task(_text(files["domain.pddl"]), _text(files["problem.pddl"]))
    try:
        verdict = validate(problem, _text(files["plan"]))
    except PlanError as error:
        return f"refused: {error}"
    return "taken" if verdict.valid else f"refused: {verdict.message}"


@cache
def shipped_policy() -> bytes:
    folder = Path(domains.__file__).parent / "weights"
    return min(folder.glob("*.safetensors"), key=lambda path: path.stat().st_size).read_bytes()


def changed_policy(random: Random, files: Files) -> Files:
    """Mostly changes the header, which describes the rest of the file."""
    data = files["a.policy"]
    head = min(len(data), 8 + int.from_bytes(data[:8], "little")) if random.random() < 0.8 else len(data)
    return {"a.policy": changed_bytes(random, data[:head]) + data[head:]}


def run_policy(files: Files) -> str:
    from fsplan.planner.policies import files as networks
    from fsplan.planner.policies.relational import stored

    refused = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.policy"
        path.write_bytes(files["a.policy"])
        for read in (lambda path: networks.read(path).native(), stored.read):
            try:
                read(path)
            except PolicyFileError as error:
                refused.append(str(error).replace(folder, ""))
    return "taken" if len(refused) < 2 else f"refused: {refused}"


KINDS = {
    "pddl": Kind(fresh_pddl, changed_pddl, run_pddl),
    "sas": Kind(fresh_sas, changed_sas, run_sas),
    "proof": Kind(fresh_proof, changed_proof, run_proof),
    "plan": Kind(fresh_plan, changed_plan, run_plan),
    "policy": Kind(lambda _random: {"a.policy": shipped_policy()}, changed_policy, run_policy),
}
