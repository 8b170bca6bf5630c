"""Compares how checker, planner and Fast Downward's translator understand the same PDDL text.

    compare(domain_text, problem_text, folder)   # "same", or why a reader refused; raises Different

Every program's ground task becomes a `Machine`: an initial state, a goal test, and for each state the applicable
actions that change it, by name, with costs and successors. All machines are explored in parallel from their initial
states. Two tasks are the same if, after every sequence of actions, they have the same applicable actions, costs and
goal test. So states of different machines need not be compared atom by atom.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from copy import deepcopy
from dataclasses import fields
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from fast_downward_translator import translator
from ground_view import Simulation
from random_tasks import Features, random_task

from fsplan.pddl import PddlError, parse_task, write_domain, write_problem
from fsplan.pddl.errors import Fault
from fsplan.pddl.normalise import normalise
from fsplan.pddl.whole_costs import with_whole_costs
from fsplan.planner._core import instantiate
from fsplan.planner.proofs.check import BadTask, Form, Pddl, Space, read_task, typed
from fsplan.planner.proofs.check_sas import SasGround
from fsplan.planner.tasks.ground import to_native
from fsplan.planner.tasks.sas import SasError, parse_sas

Moves = dict[str, tuple[Fraction, Any]]
Literal = tuple[Hashable, bool]
MOST_STATES = 40
# Messages by which the planner refuses tasks that are valid but exceed one of its limits. Derived predicates with
# negated cycles are among them: the planner refuses cycles between predicates, the checker only cycles between ground
# atoms.
LIMITS = ("nested more than", "decimals", "costs above", "common denominator", "is derived from the negation of")


class Different(AssertionError):
    """Two programs accept a text as different tasks, or the checker accepts a text that the planner refuses."""


class Machine:
    def __init__(self, start: Any, is_goal: Callable[[Any], bool], moves: Callable[[Any], Moves]) -> None:
        self.start, self.is_goal, self.moves = start, is_goal, moves


def of_checker(domain: str, problem: str) -> Machine:
    ground = read_task(domain, problem)
    basic = {number: number for number in ground.number.values() if number not in ground.derived}
    space = Space(ground, basic, len(ground.atoms), range(len(ground.actions)), merge=False)

    def moves(state: int) -> Moves:
        return unique(
            (step.name, Fraction(step.cost), after) for step, after in space.successors(state) if after != state
        )

    return Machine(space.start, space.is_goal, moves)


def unique(found: Iterable[tuple[str, Fraction, Any]]) -> Moves:
    result: Moves = {}
    for name, cost, after in found:
        if result.setdefault(name, (cost, after)) != (cost, after):
            raise Different(f"({name}) has two outcomes")
    return result


class GroundTask:
    """Ground actions and rules with PDDL semantics: effect conditions refer to the state before; adds override
    deletes."""

    def __init__(self, start: set[Hashable], goal: list[Literal] | None) -> None:
        self.start, self.goal = frozenset(start), goal
        self.actions: list[tuple[str, list[Literal], list[tuple[list[Literal], Literal]], Fraction]] = []
        self.rules: list[tuple[Hashable, list[Literal]]] = []

    def machine(self) -> Machine:
        self.levels = self._levels()
        return Machine(self.start, lambda state: holds(self.goal, self.full(state)), self.moves)

    def _levels(self) -> list[list[tuple[Hashable, list[Literal]]]]:
        level = {head: 0 for head, _ in self.rules}
        for _ in range(len(level) + 1):
            before = dict(level)
            for head, body in self.rules:
                level[head] = max([level[head], *(level[atom] + (not true) for atom, true in body if atom in level)])
            if level == before:
                return [[rule for rule in self.rules if level[rule[0]] == each] for each in sorted(set(level.values()))]
        raise ValueError("a negated cycle")

    def full(self, state: frozenset[Hashable]) -> set[Hashable]:
        true = set(state)
        for rules in self.levels:
            size = -1
            while size != len(true):
                size = len(true)
                true.update(head for head, body in rules if holds(body, true))
        return true

    def moves(self, state: frozenset[Hashable]) -> Moves:
        full = self.full(state)
        return unique(
            (name, cost, after)
            for name, precondition, effects, cost in self.actions
            if holds(precondition, full) and (after := self.after(state, full, effects)) != state
        )

    def after(self, state: frozenset[Hashable], full: set[Hashable], effects: Any) -> frozenset[Hashable]:
        happening = [literal for condition, literal in effects if holds(condition, full)]
        return state - {atom for atom, true in happening if not true} | {atom for atom, true in happening if true}


def holds(condition: list[Literal] | None, true: set[Hashable]) -> bool:
    return condition is not None and all((atom in true) == wanted for atom, wanted in condition)


def of_planner(domain: str, problem: str) -> Machine:
    tree = parse_task(domain, problem)
    unit = tree.cost_denominator()
    try:
        task = instantiate(to_native(normalise(with_whole_costs(tree))))
    except ValueError as error:  # a cost without a value; ground() would raise a PddlError with its position
        raise PddlError([Fault(str(error), "problem", 0, 0, "")]) from None

    def literals(numbers: Iterable[int]) -> list[Literal]:
        return [(number >> 1, not number & 1) for number in numbers]

    result = GroundTask(set(task.initial), literals(task.goal) if task.goal_reachable else None)
    for name, given, effects, cost in zip(task.actions, task.preconditions, task.effects, task.costs, strict=True):
        changes = [(literals(condition), *literals([literal])) for literal, condition in effects]
        result.actions.append((name, literals(given), changes, Fraction(cost, unit)))
    result.rules = [(head, literals(body)) for head, body in task.rules]
    return result.machine()


def of_fast_downward(domain: Path, problem: Path) -> Machine:
    modules = translator()
    modules.options.set_options([str(domain), str(problem)])
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        task = modules.pddl_parser.open(str(domain), str(problem))
        modules.normalize.normalize(task)
        _, atoms, actions, goal, axioms, _ = modules.instantiate.explore(task)

    def literals(found: Iterable[Any]) -> list[Literal]:
        return [((each.predicate, *each.args), not each.negated) for each in found]

    start = {(each.predicate, *each.args) for each in task.init if each in atoms}
    result = GroundTask(start, None if goal is None else literals(goal))
    for action in actions:
        added = [(literals(condition), *literals([atom])) for condition, atom in action.add_effects]
        deleted = [(literals(when), ((atom.predicate, *atom.args), False)) for when, atom in action.del_effects]
        given = literals(action.precondition)
        result.actions.append((action.name.strip("() "), given, added + deleted, Fraction(action.cost)))
    result.rules = [((axiom.effect.predicate, *axiom.effect.args), literals(axiom.condition)) for axiom in axioms]
    return result.machine()


def walk(machines: dict[str, Machine], costs: set[str], most_states: int = MOST_STATES) -> int:
    """Explores the machines in parallel, breadth first, and returns the number of states compared.

    Costs are compared only between the machines named in `costs`.
    """
    names, players = list(machines), list(machines.values())
    start = tuple(machine.start for machine in players)
    queue, seen = deque([start]), {start}
    for _ in range(most_states):
        if not queue:
            break
        states = queue.popleft()
        goals = [machine.is_goal(state) for machine, state in zip(players, states, strict=True)]
        if len(set(goals)) > 1:
            raise Different(f"one calls a state a goal, another does not: {dict(zip(names, goals, strict=True))}")
        moves = [machine.moves(state) for machine, state in zip(players, states, strict=True)]
        for name in {name for each in moves for name in each}:
            missing = [names[place] for place, each in enumerate(moves) if name not in each]
            if missing:
                raise Different(f"({name}) does not change a state of {missing}")
            prices = {each[name][0] for place, each in enumerate(moves) if names[place] in costs}
            if len(prices) > 1:
                raise Different(f"({name}) costs {sorted(map(str, prices))}")
            after = tuple(each[name][1] for each in moves)
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return len(seen)


def compare(domain: str, problem: str, folder: Path, most_states: int = MOST_STATES) -> str:
    """The common result of the readers as text; raises Different if they disagree."""
    machines, refusals = dict[str, Machine](), dict[str, str]()
    for name, reader in (("checker", of_checker), ("planner", of_planner)):
        try:
            machines[name] = reader(domain, problem)
        except (BadTask, PddlError) as error:
            refusals[name] = str(error)
    if "checker" in refusals:
        return f"refused by the checker{'' if 'planner' in refusals else ' only'}: {refusals['checker']}"
    if "planner" in refusals and not any(limit in refusals["planner"] for limit in LIMITS):
        raise Different(f"the checker accepts what the planner refuses: {refusals['planner']}")
    answer, costs = "same" if "planner" in machines else "beyond the planner's limits", {*machines}
    machine = try_fast_downward(domain, problem, folder)
    if machine is not None and not is_misread(domain, problem):
        machines["fast downward"] = machine
        answer += ", also for Fast Downward"
        if "." not in domain + problem and all(len(schema.costs) < 2 for schema in Pddl(domain, problem).schemas):
            costs.add("fast downward")  # otherwise it rounds costs, or uses only an action's last cost effect
    walk(machines, costs, most_states)
    return answer


def compare_sas(text: str) -> str:
    """Compares the checker's and the planner's reading of a .sas file, by action numbers, as names may repeat."""
    try:
        ground = SasGround(text)
    except BadTask as error:
        return f"refused by the checker: {error}"
    try:
        task = parse_sas(text)
    except SasError as error:
        if "out of range" in str(error):  # a limit of the planner's integers
            return "beyond the planner's limits"
        raise Different(f"the checker accepts what the planner refuses: {error}") from None
    simulation = Simulation(task)
    basic = {number: number for number in ground.number.values() if number not in ground.derived}
    space = Space(ground, basic, len(ground.atoms), range(len(ground.actions)), merge=False)

    def of_planner(state: tuple[int, ...]) -> Moves:
        steps = simulation.steps(state)
        return unique((name, Fraction(cost), after) for name, cost, after in steps if after != state)

    def of_checker(state: int) -> Moves:
        steps = [(str(step.actions[0]), Fraction(step.cost), after) for step, after in space.successors(state)]
        return unique((name, cost, after) for name, cost, after in steps if after != state)

    start = simulation.derive(list(task.initial))
    planner = Machine(start, simulation.is_goal, of_planner)
    walk({"checker": Machine(space.start, space.is_goal, of_checker), "planner": planner}, {"checker", "planner"})
    return "same"


def try_fast_downward(domain: str, problem: str, folder: Path) -> Machine | None:
    """The task of Fast Downward's translator; None if it refuses the text, with whatever exception."""
    paths = folder / "domain.pddl", folder / "problem.pddl"
    for path, text in zip(paths, (domain, problem), strict=True):
        path.write_bytes(text.encode())
    try:
        return of_fast_downward(*paths)
    except (Exception, SystemExit):
        return None


def is_misread(domain: str, problem: str) -> bool:
    """Whether Fast Downward reads the text differently from the PDDL standard.

    It confuses a variable in an effect with the outer variable that it hides, evaluates a quantifier over a type
    without objects like its body, reads +3 as a function, and treats `either` in the head of a rule as a type without
    objects. If a type occurs only as a parent, objects of its subtypes do not have the type `object`. Without a metric,
    actions whose costs have no value are dropped.
    """
    pddl = Pddl(domain, problem)
    for call in (call for schema in pddl.schemas for call in schema.costs if isinstance(call, Form)):
        if not pddl.use_costs and {*product([call[0]], *map(pddl.objects_of, pddl.functions[call[0]]))} - {
            *pddl.values
        }:
            return True
    waiting = [(form, frozenset[str]()) for form in nested(domain) + nested(problem) if isinstance(form, list)]
    while waiting:
        form, scope = waiting.pop()
        if form[:1] == [":derived"] and ["either"] in [kind[:1] for kind in form[1]]:
            return True
        declared = dict(typed(Form(form), 1, variables=False)) if form[:1] == [":types"] else {}
        if any(kind not in {*declared, "object"} for kinds in declared.values() for kind in kinds):
            return True
        if any(isinstance(word, str) and word[0] == "+" for word in form):
            return True
        if form[:1] in (["forall"], ["exists"]) and not all(
            pddl.objects_of(kinds) for _, kinds in typed(Form(form[1]))
        ):
            return True
        if form[:1] == ["forall"] or form[:1] == [":action"]:
            own = {word for part in form[1:4] if isinstance(part, list) for word in part if str(word)[0] == "?"}
            if form[0] == "forall" and own & scope:
                return True
            scope |= own
        waiting += [(part, scope) for part in form if isinstance(part, list)]
    return False


def nested(text: str) -> list[Any]:
    """The nested lists of a PDDL text, for changing it; without comments."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"[()]|\?[^\s()?]*|[^\s()?]+", re.sub(r";[^\r\n]*", "", text.lower())):
        if token == "(":
            stack.append([])
        elif token == ")" and len(stack) > 1:
            stack[-2].append(stack.pop())
        elif token != ")":
            stack[-1].append(token)
    return stack[0]


class OddTexts:
    """Random tasks, most of them with a random change, in unusual spelling. The same seed gives the same texts."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def make(self) -> tuple[str, str]:
        random = self.random
        features = Features(*(random.random() < 0.6 for _ in fields(Features)))
        task = random_task(random.randrange(10**9), features)
        domain, problem = nested(write_domain(task.domain)), nested(write_problem(task))
        if random.random() < 0.4:
            self._rename_variables(domain)
        if random.random() < 0.3:
            self._hide_parameter(domain)
        if random.random() < 0.2:
            self._deny(problem)
        for form in domain[0] if random.random() < 0.2 else ():
            if form[0] == ":predicates":
                form += deepcopy(form[1:])
        if random.random() < 0.2:
            old, new = random.choice(["p0", "p1", "d0", "o0", "o1", "type0", "act0", "price"]), random.choice(ODD_NAMES)
            for holder, place in [*places(domain), *places(problem)]:
                holder[place] = new if holder[place] == old else holder[place]
        for _ in range(random.choice([0, 0, 1, 1, 1, 2, 3])):
            self._change(random.choice([domain, domain, problem]))
        return self._write(domain), self._write(problem)

    def _rename_variables(self, form: list[Any]) -> None:
        """Variables of different lists get the same names, so that inner ones hide outer ones."""
        names = self.random.sample(["?x", "?y", "?z", "?w"], 4)
        for holder, place in places(form):
            if re.fullmatch(r"\?.*[0-3]", str(holder[place])):
                holder[place] = names[int(holder[place][-1])]

    def _deny(self, problem: list[Any]) -> None:
        """Adds a negative atom to :init, which is redundant or contradicts another atom, and a value of
        (total-cost)."""
        init = next(form for form in problem[0] if form[0] == ":init")
        init.append(["=", ["total-cost"], self.random.choice(["0", "0", "3"])])
        atoms = [form for form in init[1:] if form[0][0] == "p"]
        if atoms:
            objects = [word for form in atoms for word in form[1:]]
            name, *arguments = self.random.choice(atoms)
            init.append(["not", [name, *(self.random.choice(objects) for _ in arguments)]])

    def _hide_parameter(self, domain: list[Any]) -> None:
        """Adds (when ATOM (forall (?x) ATOM)) to an action with a parameter ?x: the atoms have different variables."""
        actions = [form for form in domain[0] if form[0] == ":action" and ":effect" in form]
        action = self.random.choice(actions) if actions else []
        atoms = [form[at] for form, at in places(action) if isinstance(form[at], list) and is_atom(form[at])]
        if atoms:
            given, changed = self.random.choice(atoms), self.random.choice(atoms)
            name = self.random.choice([word for word in given if word[0] == "?"])
            effect = action.index(":effect") + 1
            hidden = ["when", deepcopy(given), ["forall", [name], deepcopy(changed)]]
            action[effect] = ["and", action[effect], hidden]

    def _change(self, root: list[Any]) -> None:
        random = self.random
        holder, place = random.choice([each for each in places(root) if each[0] is not root])
        item = holder[place]
        alike = [other for within, at in places(root) if is_alike(other := within[at], item)]
        kind = random.randrange(9)
        if kind == 0:
            del holder[place]
        elif kind == 1:
            holder.insert(place, deepcopy(item))
        elif kind == 2:
            holder[place] = random.choice(ODD_WORDS)
        elif kind == 3:
            holder.insert(random.randrange(len(holder) + 1), random.choice(ODD_WORDS))
        elif kind <= 5:
            holder[place] = deepcopy(random.choice(alike))
        elif kind == 6:
            holder.append(deepcopy(random.choice(alike)))
        elif kind == 7 and isinstance(item, list):
            holder[place] = [deepcopy(item) if part == "PART" else part for part in random.choice(WRAPPERS)]
        else:
            self._change_number(root)

    def _change_number(self, root: list[Any]) -> None:
        numbers = [(holder, place) for holder, place in places(root) if str(holder[place]).isdecimal()]
        if numbers:
            holder, place = self.random.choice(numbers)
            holder[place] = self.random.choice(NUMBERS)

    def _write(self, form: list[Any]) -> str:
        """Writes the text with unusual blanks, line ends, upper case and comments, or in the usual style."""
        random, odd = self.random, self.random.random() < 0.5
        blanks = random.choice([BLANKS, ["\r"], ["\r\n"], ["\t"]]) if odd else ["\n", " "]
        text = random.choice(["", "", "\ufeff"]) if odd else ""
        glue = random.choice([0.2, 1]) if odd else 0
        for token in re.findall(r"[()]|[^\s()]+", spelled(form)):
            token = token.upper() if odd and random.random() < 0.1 else token
            glued = random.random() < (glue if token[0] == "?" else 0.5 if token in "()" else 0)
            text += token if glued else random.choice(blanks) + token
        if odd and random.random() < 0.5:  # a comment before an atom, which ends by a carriage return alone
            text = re.sub(r"\([^()\r\n;]*\)", lambda atom: random.choice([";\r", "", ""]) + atom[0] + "\n", text)
        return text + random.choice(["", "\n", "; the end", ";", "\r", "\r; (:init)\r"])


ODD_WORDS = re.findall(
    r"\S+",
    """- ? ?x ?y object either and or not imply forall exists when = increase total-cost o0 o1 p0 p1 d0 type0 type1 act0
    :init :goal :effect :parameters :precondition :action :types 0 1 2.5 -1 + é number minimize""",
)
ODD_NAMES = re.findall(
    r"\S+",
    """increase assign at either number total-cost 3 2.5 object and when = à define minimize preference oneof :x x:y a-b
    o1 p1 type1 problem not""",
)
WRAPPERS: list[list[Any]] = [
    ["not", "PART"], ["and", "PART"], ["or", "PART"], ["imply", "PART", "PART"], ["and", "PART", []], ["and"], ["or"],
    ["forall", ["?x"], "PART"], ["exists", ["?x"], "PART"], ["forall", ["?x", "-", "type0"], "PART"],
    ["forall", [], "PART"],
    ["exists", ["?x", "-", ["either", "type0", "type1"]], ["and", ["=", "?x", "o0"], "PART"]],
    ["when", [], "PART"], ["when", ["=", "o0", "o1"], "PART"], ["either", "PART"], ["either", "PART", "type0"],
    ["PART"],
    ["forall", ["?x"], ["when", ["p0", "?x"], "PART"]], ["when", ["p0", "?x"], ["forall", ["?x"], "PART"]],
]  # fmt: skip
NUMBERS = ["2.5", "0.10", "+3", "-0", "-1", "1e3", "1/2", ".5", "5.", "007", "2147483648", "1_0", "٣", "0.0000000001"]
BLANKS = [" ", " ", "  ", "\n", "\t", "\r", "\r\n", "\f", "\v", "\u00a0", "\u3000"]
BLANKS += ["; (and) \n", ";\r", " ;; ) ?x\r\n", ";é\n"]


def is_atom(form: list[Any]) -> bool:
    """Whether this is an atom with a variable."""
    words = all(isinstance(word, str) for word in form)
    return words and str(form[:1])[2:3] == "p" and any(word[0] == "?" for word in form)


def is_alike(one: Any, other: Any) -> bool:
    """Whether both are of one kind: lists, variables, keywords, or other words."""
    kinds = ["list" if isinstance(each, list) else each[0] if each[0] in "?:" else "word" for each in (one, other)]
    return kinds[0] == kinds[1]


def places(form: list[Any]) -> Iterator[tuple[list[Any], int]]:
    """Every item at every depth, as the list that holds it and its place there."""
    for place, item in enumerate(form):
        yield form, place
        if isinstance(item, list):
            yield from places(item)


def spelled(form: list[Any]) -> str:
    return " ".join(f"({spelled(item)})" if isinstance(item, list) else str(item) for item in form)
