"""Checks a proof that no plan of a PDDL task costs less than a bound. See docs/proofs.md for the format of proofs.

No other code has to be trusted: this module has its own PDDL reader and grounder and shares no code with the planner.
It can be read from top to bottom, and run on its own:

    python check.py domain.pddl problem.pddl bound.proof --plan plan

THEOREM. Let K be a set of states with labels g ≥ 0, and for other states s let L(s) be a lower bound on the cost of a
plan from s. If (1) the initial state is in K with label 0, (2) for every transition of cost c from a state s of K to a
state t, t is in K with g(t) ≤ g(s) + c, or t is not in K and g(s) + c + L(t) ≥ B, and (3) every goal state in K has a
label ≥ B, then no plan costs less than B. The same holds if the initial state is not in K and L of it is at least B.
With B = ∞ there is no plan at all.
Proof. Consider the states that a plan visits. As long as they are in K, (1) and (2) imply that the label of each is at
most the cost of the plan up to it. If all states are in K, the last one is a goal state, and the plan costs at least
its label, which is at least B by (3). Otherwise there is a first transition from a state s in K to a state t outside K:
the plan costs at least g(s) + c up to t, and at least L(t) from t on. By (2) the sum is at least B. ∎

EVIDENCE for L is a list of parts, each with a share. A part has a value in every state and a charge for every action,
such that on every plan from a state the charges of the plan's actions add up to at least the value of the state.
Charges may be negative. If Σ share · charge is at most D times the cost for every action, then a plan from the state
costs at least Σ share · value / D, rounded up to a multiple of the greatest common divisor of all costs. If D = 0 and
Σ share · value is positive, there is no plan from the state. There are two kinds of parts:

A CUT is a set N of conjunctions of literals such that in every goal state a conjunction of N holds. An action crosses N
if it can make a conjunction C of N true while none of N holds: one of its effects makes a literal of C true, each other
literal of C is made true by an effect as well, or holds before and is not deleted, and the precondition, the conditions
of these effects and the literals that hold before neither contain a conjunction of N nor contradict the invariants. The
value of a cut is 1 in states in which no conjunction of N holds, otherwise 0. Its charge is 1 for every action that
crosses it, otherwise 0. Proof: a plan from a state of value 1 contains a first action after which a conjunction C of N
holds. A literal of C was false before it, so an effect made it true, and all that is listed held before it, when no
conjunction of N did. A derived atom is added to N if each of its rules has in its body a literal that is in N alone,
because it cannot become true before one of these literals does.

A TABLE assigns a number t, or ∞, to some sets of certain atoms; the number of a state is that of the set of these atoms
that are true in it. No action leads from a listed set to a set that is not listed, nor from ∞ to a number (sets that
contradict an invariant are excepted), and no goal state has ∞. So a plan from a listed state visits only listed states,
and if the first one has a number, all have. The charge of an action is the largest amount by which it can decrease t,
which may be negative. The value of a state s is t(s) minus the greatest t of a goal state: the plan decreases t by at
least that much in total. Conditions on other atoms are assumed to hold; effects whose conditions depend on other atoms
may happen or not. (Distances in projections, the state equation and potentials have this form: t is the distance, or a
weight for each value of a variable.)

INVARIANTS are groups of atoms of which at most one is true in every reachable state (mutex groups). The checker
verifies that all of them hold in the initial state, and that every action preserves them if all held before it. So a
condition that contradicts them never holds. A condition on a derived atom implies the literals that all rules of the
atom need.

SYMMETRY. A proof may name pairs of objects to be swapped. The swap σ renames them in all atoms of states. The checker
checks that σ maps the set of all actions that change states, with their costs, to itself, and likewise the sets of all
rules, of all goals, and of the groups of the invariants. (It need not map the initial state to itself.) Then σ maps
every path whose states satisfy the invariants to such a path of the same cost, and goal states to goal states. So if no
plan from σ(t) costs less than L, no plan from t does. Therefore r(t) may take the place of t in (1) and (2), where r
applies verified swaps to a state: each one that makes the state a smaller integer, until none does.
Proof. In the proof of the theorem, let s and t be a state of the plan and the next one, and ρ a product of swaps such
that ρ(s) is in K and its label is at most the cost up to s. Initially, ρ(s) is r(s). Then ρ(t) is a successor of ρ(s)
at the same cost. So r(ρ(t)), which is again a product of swaps applied to t, is in K with a label of at most the cost
up to t, or it has a lower bound, which holds for t, too. If the last state s of the plan is reached, ρ(s) is a goal
state in K, and (3) applies to its label. ∎

STATES are sets of the atoms that the proof lists. Effects on other atoms are ignored. Preconditions and goals on other
atoms are assumed to hold, and effects whose conditions depend on them may happen or not. This can only add plans.
"""

from __future__ import annotations

import gzip
import re
import sys
import zlib
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise, product
from math import gcd
from typing import Any

VERSION = "2"
INFINITY = float("inf")
MOST_DIGITS = 300
LARGEST_CONJUNCTION = 3  # with n literals, each made true by one of k effects of an action, kⁿ cases are tried
MOST_ALTERNATIVES = 100_000
DOMAIN_SECTIONS = ":requirements :types :constants :predicates :functions :derived :action"
PROBLEM_SECTIONS = ":domain :requirements :objects :init :goal :metric :length"
OBJECT = ("object",)
FILES = ("domain", "problem")  # default names of the two texts in messages
WORDS = ("and", "or", "not", "imply", "forall", "exists", "when", "=")
CHANGES = ("assign", "increase", "decrease", "scale-up", "scale-down")
TOTAL_COST = ([["total-cost"]], ["total-cost"])
NUMBER = re.compile(r"[+-]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})")
# The grammar of a proof: for every kind of line, the kinds of lines that may directly precede it.
HEADER, EVIDENCE = ["fsplan-proof", "bound", "atom", "never", "one", "task"], "task swap cut table row sum"
BEFORE = {"fsplan-proof": "", "bound": "fsplan-proof", "atom": "bound atom", "never": "bound atom", "row": "table row"}
BEFORE |= dict.fromkeys(("one", "task"), "bound atom never one") | dict.fromkeys(("cut", "table", "sum"), EVIDENCE)
BEFORE |= dict.fromkeys(("g", "b", "end"), EVIDENCE + " g b") | {"swap": "task swap"}

Files = tuple[str, str]
Atom = tuple[str, ...]
Binding = dict[str, str]
Literals = frozenset[int]  # 2·a: atom number a holds; 2·a + 1: it does not
Effect = tuple[Literals, int]  # the condition, and the literal that becomes true
Types = tuple[str, ...]
Typed = list[tuple[str, Types]]
Scope = dict[str, Types]  # variables with their types
Ranges = dict[str, dict[str, Types]]  # variables with their objects


class Malformed(ValueError):
    """The file does not have the format of a proof, or it is a proof for another task."""


class Refuted(Exception):
    """A step of the proof does not hold; the message says which."""


class BadTask(ValueError):
    """PDDL that this reader does not support."""

    exit_code = 31


class Form(list[Any]):
    """A list in a PDDL file. Its items are lower-case words and forms; it begins at `offset` in the file's text."""

    def __init__(self, items: Iterable[Any] = (), file: str = "", text: str = "", offset: int = 0) -> None:
        super().__init__(items)
        self.file, self.text, self.offset = file, text, offset

    def demand(self, condition: object, message: str) -> None:
        """Raises BadTask with the position of this form in the file, unless the condition is true."""
        if not condition:
            *lines, last = self.text[: self.offset + 1].split("\n")
            raise BadTask(f"{self.file}:{len(lines) + 1}:{len(last)}: {message}")

    def forms(self, first: int, count: int | None = None) -> list[Form]:
        """The items from index `first` on. All of them must be forms, and `count` many if it is given."""
        items = self[first:]
        self.demand(count in (None, len(items)), f"expected {count} lists here, found {len(items)}")
        self.demand(all(isinstance(item, Form) for item in items), "found a word, expected a list")
        return items

    def renamed(self, names: Binding) -> Form:
        items = (item.renamed(names) if isinstance(item, Form) else names.get(item, item) for item in self)
        return Form(items, self.file, self.text, self.offset)


def parse(text: str, file: str) -> Form:
    """The only form of a PDDL file. A `;` begins a comment, and a `?` begins a word: `(p?x)` is `(p ?x)`."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    stack = [outer := Form((), file, text)]
    outer.demand("\0" not in text, "found a binary file, expected PDDL")
    for token in re.finditer(r";[^\n]*|[()]|\?[^\s();?]*|[^\s();?]+", text):
        word = token[0].lower()
        if word == "(":
            stack[-1].append(form := Form((), file, text, token.start()))
            stack.append(form)
        elif word == ")":
            stack[-1].demand(len(stack) > 1, "found more ')' than '('")
            stack.pop()
        elif word[0] != ";":
            stack[-1].append(word)
    stack[-1].demand(len(stack) == 1, "this parenthesis is not closed")
    return outer.forms(0, 1)[0]


def sections(root: Form, kind: str, known: str, needed: str) -> tuple[str, dict[str, list[Form]]]:
    """The name in (define (KIND NAME) …), and the sections by keyword."""
    root.demand(root[:1] == ["define"] and root[1:], f"expected (define ({kind} NAME) …)")
    title, *rest = root.forms(1)
    title.demand(len(title) == 2 and title[0] == kind and isinstance(title[1], str), f"expected ({kind} NAME)")
    result: dict[str, list[Form]] = {keyword: [] for keyword in known.split()}
    for form in rest:
        form.demand(form and form[0] in known.split(), f"found another section than {known}")
        form.demand(not result[form[0]] or form[0] in (":action", ":derived"), f"found a second section '{form[0]}'")
        result[form[0]].append(form)
    root.demand(all(result[keyword] for keyword in needed.split()), f"expected the sections {needed}")
    return title[1], result


def typed(form: Form, first: int = 0, variables: bool = True, known: Container[str] | None = None) -> Typed:
    """Reads `a b - t c` as (a, (t,)), (b, (t,)), (c, (object,)); if `known` is given, other types are refused."""
    result, names, items = Typed(), list[str](), iter(form[first:])
    for item in items:
        if item == "-":
            kind = next(items, "-")
            kinds = kind[1:] if isinstance(kind, Form) and kind[:1] == ["either"] else [kind]
            form.demand(kinds and all(isinstance(each, str) and each != "-" for each in kinds), "expected a type")
            form.demand(known is None or all(each in known for each in kinds), f"found an unknown type in {kinds}")
            result += [(name, tuple(dict.fromkeys(kinds))) for name in names]
            names = []
        else:
            is_name = isinstance(item, str) and item[0] != ":" and (item[0] == "?") == variables and item != "?"
            form.demand(is_name, f"expected {'variables (?name)' if variables else 'names'} with their types")
            names.append(item)
    return result + [(name, OBJECT) for name in names]


@dataclass
class Schema:
    """An action, or a rule of a derived predicate, which has one effect and no cost.

    An effect consists of its quantified variables, its condition, its atom, and True if it is an add effect.
    """

    name: str
    parameters: Typed
    precondition: Form
    is_rule: bool = False
    effects: list[tuple[Typed, Form, Form, bool]] = field(default_factory=list)
    costs: list[Fraction | Form] = field(default_factory=list)


class Pddl:
    """A domain and a problem. Undeclared names, misplaced parts and unsupported features are refused."""

    def __init__(self, domain: str, problem: str, files: Files = FILES) -> None:
        self.parents, self.objects = dict[str, Types](object=()), dict[str, Types]()
        self.predicates, self.functions = dict[str, list[Types]](), dict[str, list[Types]]()
        self.schemas, self.init, self.values = list[Schema](), set[Atom](), dict[Atom, Fraction]()
        self._of_type, self._lower = dict[Types, dict[str, Types]](), dict[Types, set[str]]()
        name, parts = sections(parse(domain, files[0]), "domain", DOMAIN_SECTIONS, "")
        readers = {":types": self._types, ":constants": self._objects, ":predicates": self._signatures}
        for keyword, read in (readers | {":functions": self._signatures, ":derived": self._rule}).items():
            for form in parts[keyword]:
                read(form)
        self.derived = {schema.name for schema in self.schemas}
        for form in parts[":action"]:
            self._action(form, next(other for other in parts[":action"] if other[1:2] == form[1:2]))
        self.fluent = {effect[2][0] for schema in self.schemas for effect in schema.effects}
        self._problem(name, *sections(parse(problem, files[1]), "problem", PROBLEM_SECTIONS, ":domain :init :goal"))

    def _problem(self, domain: str, _: str, parts: dict[str, list[Form]]) -> None:
        for form in parts[":domain"]:
            form.demand(form[1:] == [domain], f"this problem is not for the domain '{domain}'")
        for form in parts[":objects"]:
            self._objects(form)
        for form in parts[":init"]:
            self._init(form)
        [self.goal] = parts[":goal"][0].forms(1, 1)
        self._condition(self.goal, {})
        for form in parts[":metric"]:
            form.demand(form[1:2] == ["minimize"] and form[2:] in TOTAL_COST, "expected minimize (total-cost)")
        self.use_costs = bool(parts[":metric"])

    def _types(self, form: Form) -> None:
        """Reads types. A type may be declared again, but its parent may change only from `object` to another type."""
        for name, kinds in typed(form, 1, variables=False):
            above, known = tuple(kind for kind in kinds if kind != name) or OBJECT, self.parents.get(name, OBJECT)
            form.demand(OBJECT in (above, known) or above == known, f"type '{name}' is declared differently before")
            form.demand(name != "object" or above == OBJECT, "'object' has no parent")
            if name != "object":
                self.parents[name] = above if known == OBJECT else known
        for name in [name for above in self.parents.values() for name in above]:
            self.parents.setdefault(name, OBJECT)
        for name, above in self.parents.items():
            form.demand(self._below((name,)).isdisjoint(above), f"type '{name}' is its own ancestor")

    def _variables(self, form: Form, first: int = 0) -> Typed:
        result = typed(form, first, known=self.parents)
        form.demand(len(dict(result)) == len(result), "found a variable twice, expected distinct ones")
        return result

    def _objects(self, form: Form) -> None:
        """Reads objects. An object may be declared again with the same types."""
        for name, kinds in typed(form, 1, variables=False, known=self.parents):
            form.demand({*self.objects.setdefault(name, kinds)} == {*kinds}, f"'{name}' has other types before")

    def _signatures(self, section: Form) -> None:
        """Reads predicates or functions; functions may be followed by `- number`."""
        items, table = iter(section[1:]), self.predicates if section[0] == ":predicates" else self.functions
        for form in items:
            if form == "-" and table is self.functions:
                section.demand(next(items, "") == "number", "expected functions of the type number")
                continue
            section.demand(isinstance(form, Form) and form and isinstance(form[0], str), "expected (name ?argument …)")
            if form[0] == "=" and table is self.predicates:
                continue  # equality is built in, but some domains declare it
            form.demand(form[0] not in WORDS and form[0][0] not in "?:", f"'{form[0]}' is not a name")
            kinds = [kinds for _, kinds in typed(form, 1, known=self.parents)]
            form.demand(table.setdefault(form[0], kinds) == kinds, f"'{form[0]}' is declared differently before")

    def _rule(self, form: Form) -> None:
        head, body = form.forms(1, 2)
        head.demand(head and head[0] in [*self.predicates], "expected a declared predicate")
        parameters = self._variables(head, 1)
        head.demand(len(parameters) == len(self.predicates[head[0]]), f"'{head[0]}' has another number of arguments")
        self._condition(body, dict(parameters))
        atom = Form([head[0], *(name for name, _ in parameters)])
        self.schemas.append(Schema(head[0], parameters, body, is_rule=True, effects=[([], Form(), atom, True)]))

    def _action(self, form: Form, first: Form) -> None:
        """Reads an action; a second definition with the same name must be identical, and is ignored."""
        name, keywords, values = form[1:2], form[2::2], form[3::2]
        form.demand(name and isinstance(name[0], str) and name[0][0] not in ":?", "expected (:action NAME …)")
        form.demand(form == first, "an action of this name is defined differently before")
        known = [":parameters", ":precondition", ":effect"]
        is_sound = all(keywords.count(each) == (each in known) for each in keywords) and len(keywords) == len(values)
        form.demand(is_sound, f"expected {' '.join(known)}, each at most once and with a list")
        form.demand(all(isinstance(value, Form) for value in values), "found a word, expected a list")
        parts = dict(zip(keywords, values, strict=True))
        schema = Schema(name[0], self._variables(parts.get(known[0], Form())), parts.get(known[1], Form()))
        self._condition(schema.precondition, dict(schema.parameters))
        self._effect(schema, parts.get(known[2], Form()), [], Form(), dict(schema.parameters))
        if form is first:
            self.schemas.append(schema)

    def _effect(self, schema: Schema, form: Form, variables: Typed, condition: Form, scope: Scope) -> None:
        """Adds the effects in this form. Quantified variables are renamed, as outer conditions may use their names."""
        head = form[0] if form else "and"
        if head == "and":
            for part in form.forms(1):
                self._effect(schema, part, variables, condition, scope)
        elif head == "forall":
            listed, body = form.forms(1, 2)
            new = {name: f"{name} {len(variables)}" for name, _ in self._variables(listed)}
            more = [(new[name], kinds) for name, kinds in typed(listed)]
            given = condition or Form(["and"])
            self._effect(schema, body.renamed(new), variables + more, given, {**scope, **dict(more)})
        elif head == "when":
            given, body = form.forms(1, 2)
            self._condition(given, scope)
            self._effect(schema, body, variables, Form(["and", condition, given]), scope)
        elif head in CHANGES and head not in self.predicates:
            is_cost = head == "increase" and form[1:2] in TOTAL_COST and len(form) == 3 and not condition
            form.demand(is_cost, "numeric effects other than (increase (total-cost) AMOUNT), or under a condition")
            schema.costs.append(self._amount(form, scope))
        else:
            [atom] = form.forms(1, 1) if head == "not" else [form]
            self._atom(atom, scope)
            atom.demand(atom[0] not in self.derived, f"'{atom[0]}' is derived: no effect may change it")
            schema.effects.append((variables, condition, atom, head != "not"))

    def _amount(self, form: Form, scope: Scope) -> Fraction | Form:
        if isinstance(form[2], str) and NUMBER.fullmatch(form[2]):
            form.demand(Fraction(form[2]) >= 0, "found a negative cost")
            return Fraction(form[2])
        return self._call(form, form[2], scope)

    def _call(self, form: Form, item: Form | str, scope: Scope) -> Form:
        """A function with its arguments; if it has none, the parentheses are optional."""
        call = item if isinstance(item, Form) else Form([item], form.file, form.text, form.offset)
        call.demand(call and call[0] in [*self.functions], "expected a number or a declared function")
        self._arguments(call, self.functions[call[0]], scope)
        return call

    def _condition(self, form: Form, scope: Scope) -> None:
        """Checks that the form is a formula over declared names."""
        head = form[0] if form else "and"
        if head in ("and", "or", "not", "imply"):
            for part in form.forms(1, {"not": 1, "imply": 2}.get(head)):
                self._condition(part, scope)
        elif head in ("forall", "exists"):
            listed, part = form.forms(1, 2)
            self._condition(part, {**scope, **dict(self._variables(listed))})
        elif head == "=":
            form.demand(not any(isinstance(side, str) and NUMBER.fullmatch(side) for side in form), "found a number")
            self._arguments(form, [OBJECT, OBJECT], scope)
        else:
            self._atom(form, scope)

    def _atom(self, form: Form, scope: Scope) -> None:
        form.demand(form and form[0] in [*self.predicates], "expected a declared predicate")
        self._arguments(form, self.predicates[form[0]], scope)

    def _arguments(self, form: Form, allowed: list[Types], scope: Scope) -> None:
        """Checks that arguments are declared and have allowed types; the types of a variable need only overlap."""
        form.demand(len(form) == len(allowed) + 1, f"'{form[0]}' takes {len(allowed)} arguments, found {len(form) - 1}")
        for word, kinds in zip(form[1:], allowed, strict=True):
            form.demand(isinstance(word, str) and (word in scope or word in self.objects), f"found unknown {word!r}")
            own = self._below(scope[word]) if word in scope else {*self.objects[word]}
            form.demand(not own.isdisjoint(self._below(kinds)), f"'{word}' has not the type {' or '.join(kinds)}")

    def _init(self, section: Form) -> None:
        priced = {each[0] for schema in self.schemas for each in schema.costs if isinstance(each, Form)}
        false = set[Atom]()
        for form in section.forms(1):
            if form[:1] == ["="]:
                self._value(form, priced)
                continue
            [atom] = form.forms(1, 1) if form[:1] == ["not"] else [form]
            self._atom(atom, {})
            atom.demand(atom[0] not in self.derived, f"'{atom[0]}' is derived: it cannot stand in :init")
            (self.init if atom is form else false).add(tuple(atom))
        section.demand(self.init.isdisjoint(false), "an atom is said to be true and to be false")

    def _value(self, form: Form, priced: set[str]) -> None:
        is_value = len(form) == 3 and isinstance(form[2], str) and NUMBER.fullmatch(form[2])
        form.demand(is_value, "expected (= (function object …) number)")
        value = Fraction(form[2])
        if form[1:2] in TOTAL_COST:
            form.demand(value == 0, "total-cost starts at 0")
            return
        call = self._call(form, form[1], {})
        form.demand(value >= 0 or call[0] not in priced, "found a negative cost")
        form.demand(self.values.setdefault(tuple(call), value) == value, "this has another value before")

    def _below(self, kinds: Types) -> set[str]:
        """The types and all their subtypes."""
        if kinds not in self._lower:
            below, size = {*kinds}, 0
            while size != len(below):
                size = len(below)
                below |= {kind for kind, above in self.parents.items() if not below.isdisjoint(above)}
            self._lower[kinds] = below
        return self._lower[kinds]

    def objects_of(self, kinds: Types) -> dict[str, Types]:
        if kinds not in self._of_type:
            below = self._below(kinds)
            self._of_type[kinds] = {name: of for name, of in self.objects.items() if not below.isdisjoint(of)}
        return self._of_type[kinds]

    def cost(self, schema: Schema, binding: Binding) -> Fraction:
        if schema.is_rule or not self.use_costs:
            return Fraction(not schema.is_rule)
        return sum((self._price(each, binding) for each in schema.costs), Fraction(0))

    def _price(self, amount: Fraction | Form, binding: Binding) -> Fraction:
        if isinstance(amount, Fraction):
            return amount
        value = self.values.get(call := substitute(amount, binding))
        amount.demand(value is not None, f"({' '.join(call)}) has no value in :init")
        return value or Fraction(0)


@dataclass
class Operator:
    """A ground action with one alternative (disjunct) of its precondition, or a ground rule."""

    name: str
    precondition: Literals
    effects: list[Effect]
    cost: Fraction | int


class Ground:
    """The ground task: actions and rules whose positive preconditions are reachable if delete effects are ignored.

    Each newly reached atom is joined with the atoms reached before it, which yields the new instances of the schemas
    that have such an atom in their preconditions.
    """

    def __init__(self, pddl: Pddl) -> None:
        self.pddl = pddl
        self.number: dict[Atom, int] = {}
        self.actions, self.rules, self._queue = list[Operator](), list[Operator](), list[Atom]()
        self._instances, self._reached, self._joined = set[tuple[object, ...]](), set[Atom](), set[Atom]()
        self._range = [{name: pddl.objects_of(kinds) for name, kinds in each.parameters} for each in pddl.schemas]
        self._index: dict[tuple[str, int, str], list[Atom]] = defaultdict(list)
        self._ground([list(positive_atoms(schema.precondition)) for schema in pddl.schemas])
        self.goal = self.dnf(pddl.goal, {})
        self.atoms = list(self.number)
        self.derived = {number for number, atom in enumerate(self.atoms) if atom[0] in pddl.derived}
        self.start = {self.number[atom] for atom in pddl.init if atom in self.number} - self.derived

    def _ground(self, needs: list[list[Atom]]) -> None:
        for atom in self.pddl.init:
            self._join_with(atom) if atom[0] not in self.pddl.fluent else self._reach(atom)
        triggers: dict[str, list[tuple[int, Atom]]] = defaultdict(list)
        for number, atoms in enumerate(needs):
            for atom in (fluent := [atom for atom in atoms if atom[0] in self.pddl.fluent]):
                triggers[atom[0]].append((number, atom))
            if not fluent:
                self._join(number, atoms, {})
        while self._queue:
            reached = self._queue.pop()
            self._join_with(reached)
            for number, atom in triggers[reached[0]]:
                if (binding := match(atom, reached, {}, self._range[number])) is not None:
                    self._join(number, needs[number], binding)

    def _reach(self, atom: Atom) -> None:
        self._queue += [atom] if atom not in self._reached else []
        self._reached.add(atom)

    def _join_with(self, atom: Atom) -> None:
        self._joined.add(atom)
        for place, name in enumerate(("", *atom[1:])):
            self._index[atom[0], place, name].append(atom)

    def _join(self, number: int, needs: list[Atom], binding: Binding) -> None:
        bound = {substitute(need, binding) for need in needs}
        rest = [atom for atom in bound if "?" in "".join(atom)]
        if not bound.difference(rest) <= self._joined:
            return
        if not rest:
            self._instantiate(number, binding)
            return
        candidates, need = min(((self._candidates(atom), atom) for atom in rest), key=lambda pair: len(pair[0]))
        for atom in list(candidates):
            if (extended := match(need, atom, binding, self._range[number])) is not None:
                self._join(number, [each for each in rest if each != need], extended)

    def _candidates(self, atom: Atom) -> list[Atom]:
        keys = [(atom[0], place, word) for place, word in enumerate(("", *atom[1:])) if word[:1] != "?"]
        return min((self._index.get(key, []) for key in keys), key=len)

    def _instantiate(self, number: int, binding: Binding) -> None:
        schema = self.pddl.schemas[number]
        for chosen in all_values(self._range[number], binding):
            if (key := (number, *chosen.values())) not in self._instances:
                self._instances.add(key)
                self._add(schema, " ".join((schema.name, *chosen.values())), chosen)

    def _add(self, schema: Schema, name: str, binding: Binding) -> None:
        alternatives = self.dnf(schema.precondition, binding)
        effects, cost = [], self.pddl.cost(schema, binding) if alternatives else Fraction(0)
        for variables, when, atom, adds in schema.effects if alternatives else ():
            for bound in self._extensions(variables, binding, when):
                conditions, changed = self.dnf(when, bound), substitute(atom, bound)
                effects += [(condition, self._literal(changed, adds)) for condition in conditions]
                if conditions and adds:
                    self._reach(changed)
        for given in alternatives:
            kept = effective(effects, given)
            (self.rules if schema.is_rule else self.actions).append(Operator(name, given, kept, cost))

    def _extensions(self, variables: Typed, binding: Binding, guard: list[Any]) -> Iterator[Binding]:
        """Extensions of the binding to the variables; some that make a static atom of the guard false are left out."""
        ranges = {name: self.pddl.objects_of(kinds) for name, kinds in variables}
        outer = {name: value for name, value in binding.items() if name not in ranges}
        needs = [substitute(atom, outer) for atom in positive_atoms(guard) if atom[0] not in self.pddl.fluent]
        found = [match(needs[0], atom, {}, ranges) for atom in self._candidates(needs[0])] if needs else [Binding()]
        for known in found:
            for chosen in all_values(ranges, known) if known is not None else ():
                yield {**outer, **chosen}

    def _literal(self, atom: Atom, truth: bool) -> int:
        return 2 * self.number.setdefault(atom, len(self.number)) + (not truth)

    def dnf(self, form: list[Any], binding: Binding, wanted: bool = True) -> list[Literals]:
        """The formula, or its negation if not `wanted`, in disjunctive normal form; static atoms are evaluated."""
        head = form[0] if form else "and"
        if head == "not":
            return self.dnf(form[1], binding, not wanted)
        if head == "imply":
            return self.dnf(["or", ["not", form[1]], form[2]], binding, wanted)
        if head in ("and", "or", "forall", "exists"):
            quantified = head in ("forall", "exists")
            # Bindings with a false guard are skipped: then an `imply` is true, and the body of an `exists` is false.
            guard = form[2] if head == "exists" else form[2][1] if quantified and form[2][:1] == ["imply"] else []
            bindings = self._extensions(typed(form[1]), binding, guard) if quantified else [binding]
            parts, is_conjunction = list[list[Literals]](), (head in ("and", "forall")) == wanted
            decisive = [] if is_conjunction else [frozenset[int]()]  # value of a part that decides the whole formula
            for part in (self.dnf(part, bound, wanted) for bound in bindings for part in form[1 + quantified :]):
                if part == decisive:
                    return part  # the remaining parts need not be expanded
                parts.append(part)
            return conjunction(parts) if is_conjunction else disjunction(parts)
        atom = substitute(form, binding)
        if head == "=" or head not in self.pddl.fluent:
            holds = atom[1] == atom[2] if head == "=" else atom in self.pddl.init
            return [frozenset()] if holds == wanted else []
        return [frozenset([self._literal(atom, wanted)])]

    def name(self, number: int) -> str:
        return f"({' '.join(self.atoms[number])})"


def positive_atoms(form: list[Any]) -> Iterator[Atom]:
    """The atoms among the conjuncts of a formula; all of them must be true for the formula to hold."""
    if form and form[0] == "and":
        for part in form[1:]:
            yield from positive_atoms(part)
    elif form and form[0] not in ("not", "or", "imply", "forall", "exists", "="):
        yield tuple(form)


def match(need: Atom, atom: Atom, binding: Binding, of: Ranges) -> Binding | None:
    """The binding, extended so that `need` becomes `atom`; None if they do not match or a type does not allow it."""
    result = dict(binding)
    for word, name in zip(need[1:], atom[1:], strict=True):
        if (result.setdefault(word, name) if word[0] == "?" else word) != name or name not in of.get(word, (name,)):
            return None
    return result


def all_values(ranges: Ranges, known: Binding) -> Iterator[Binding]:
    """All bindings of the variables to objects in their ranges; variables with a known value keep it."""
    for chosen in product(*([known[name]] if name in known else of for name, of in ranges.items())):
        yield dict(zip(ranges, chosen, strict=True))


def substitute(form: Iterable[str], binding: Binding) -> Atom:
    return tuple([binding.get(word, word) for word in form])


def disjunction(parts: list[list[Literals]]) -> list[Literals]:
    result = {condition for part in parts for condition in part}
    return [frozenset()] if frozenset() in result else list(result)


def conjunction(parts: list[list[Literals]]) -> list[Literals]:
    result = [frozenset[int]().union(*(part[0] for part in parts if len(part) == 1))]
    for part in parts:
        if len(result) * len(part) > MOST_ALTERNATIVES:
            raise ValueError("a condition has too many alternatives")
        result = list({one | other for one in result for other in part}) if len(part) != 1 else result
    return [each for each in result if not any(literal ^ 1 in each for literal in each)]


def effective(effects: list[Effect], precondition: Literals) -> list[Effect]:
    """The effects, without deletions that happen only together with an add effect on the same atom, which prevails."""
    added_if: dict[int, list[Literals]] = defaultdict(list)  # deletion -> conditions of the add effects on its atom
    for condition, literal in (each for each in effects if each[1] % 2 == 0):
        added_if[literal + 1].append(condition)
    return [
        effect
        for effect in effects
        if not any(each <= effect[0] | precondition | {effect[1] ^ 1} for each in added_if.get(effect[1], ()))
    ]


def implied_by_rules(rules: list[Operator]) -> dict[int, Literals]:
    """For every derived atom, the literals that hold whenever it does: those that all its rules need, also indirectly.

    A rule is considered once every derived atom in its body has a rule that was considered, as in a derivation.
    """
    heads, found, before = {rule.effects[0][1] for rule in rules}, dict[int, Literals](), None
    while found != before:
        before = dict(found)
        for rule in rules:
            needs, head = rule.precondition, rule.effects[0][1]
            if (derived := needs & heads) <= found.keys():
                needs = needs.union(*(found[each] for each in derived))
                found[head] = found.get(head, needs) & needs
    return found


def needed_rules(rules: list[Operator]) -> list[Operator]:
    """The rules, without those whose body contains the body of another rule for the same atom: these are redundant."""
    kept: dict[tuple[int, int], set[Literals]] = defaultdict(set)  # bodies by head and first literal
    for head, body in sorted(((rule.effects[0][1], rule.precondition) for rule in rules), key=lambda one: len(one[1])):
        if not any(other <= body for first in (-1, *body) for other in kept.get((head, first), ())):
            kept[head, min(body, default=-1)].add(body)
    return [rule for rule in rules if rule.precondition in kept[rule.effects[0][1], min(rule.precondition, default=-1)]]


class Invariants:
    """Groups of atoms of which at most one is ever true, and atoms that are never true; the constructor checks them."""

    def __init__(self, ground: Ground, groups: list[list[int]], never: set[int]) -> None:
        self.ground, self.groups, self.never = ground, groups, never
        self.implied = implied_by_rules(ground.rules)
        self.groups_of: dict[int, list[int]] = defaultdict(list)
        for group, members in enumerate(groups):
            for number in set(members):
                self.groups_of[number].append(group)
            if len(ground.start.intersection(members)) > 1 or not ground.derived.isdisjoint(members):
                raise Refuted(f"invariant {group} does not hold at the start")
        # Literals contradict each other if they have a mark in common. A literal that never holds has one of its marks
        # twice, so that it contradicts itself.
        self.marks = {2 * atom + 1: [atom] for atom in ground.number.values()}
        for atom in ground.number.values():
            self.marks[2 * atom] = [atom, *([atom] if atom in never else ()), *(~each for each in self.groups_of[atom])]
        if not never.isdisjoint(ground.start | ground.derived):
            raise Refuted("an atom that is said never to be true is true at the start")
        for action in ground.actions:
            for given, literal in self._possible_effects(action):
                if literal % 2 == 0:
                    self._check_addition(action, given, literal // 2)

    def contradict(self, literals: Literals) -> bool:
        """Whether the literals contradict each other or the invariants."""
        if self.implied:
            literals = literals.union(*(self.implied.get(each, ()) for each in literals))
        return len(marks := [mark for literal in literals for mark in self.marks[literal]]) > len(set(marks))

    def _possible_effects(self, operator: Operator) -> Iterator[tuple[Literals, int]]:
        """The operator's effects, each with its condition and the precondition, unless these contradict each other."""
        given = operator.precondition
        for condition, literal in operator.effects if not self.contradict(given) else ():
            if not condition or not self.contradict(given | condition):
                yield given | condition, literal

    def _check_addition(self, action: Operator, given: Literals, added: int) -> None:
        if added in self.never:
            raise Refuted(f"({action.name}) adds {self.ground.name(added)}, which is said never to be true")
        for group in self.groups_of.get(added, ()):
            held = [each // 2 for each in given if each % 2 == 0 and group in self.groups_of.get(each // 2, ())]
            for other in held or self.groups[group]:
                if other != added and not self.is_deleted(action, given | {2 * other}, 2 * other + 1):
                    raise Refuted(f"({action.name}) breaks invariant {group} with {self.ground.name(other)}")
            for condition, literal in action.effects:
                clashes = literal % 2 == 0 and literal != 2 * added and group in self.groups_of.get(literal // 2, ())
                if clashes and not self.contradict(given | condition):
                    raise Refuted(f"({action.name}) breaks invariant {group} by adding two of its atoms")

    def is_deleted(self, action: Operator, given: Literals, literal: int) -> bool:
        """Whether the action makes the literal true in all states in which the given literals hold."""
        deleting = (when for when, effect in action.effects if effect == literal)
        return any(all(self.contradict(given | {n ^ 1}) for n in when) for when in deleting) or self.contradict(given)

    def simplify(self) -> set[int]:
        """Removes operators, effects and goals whose conditions contradict the invariants or are unreachable.

        Returns the literals that always hold.
        """
        ground = self.ground
        first = ground.start | {rule.effects[0][1] // 2 for rule in ground.rules if not rule.precondition}
        reached = {2 * number + (number not in first) for number in range(len(ground.atoms))}
        steps = [step for each in ground.actions + ground.rules for step in self._possible_effects(each)]
        size = 0
        while size != len(reached):
            size = len(reached)
            steps = [(given, literal) for given, literal in steps if literal not in reached]
            reached.update(literal for given, literal in steps if given <= reached)
        constant = {literal for literal in reached if literal ^ 1 not in reached}
        for operators in (ground.actions, ground.rules):
            possible = [each for each in operators if self._is_possible(each.precondition, reached)]
            for each in possible:
                changed = {literal for _, literal in each.effects}
                kept = [effect for effect in each.effects if self._matters(each, *effect, reached, changed)]
                needed = [(self._needed(condition - constant, each), literal) for condition, literal in kept]
                each.effects, each.precondition = effective(needed, each.precondition), each.precondition - constant
            operators[:] = possible
        ground.rules = needed_rules([rule for rule in ground.rules if rule.effects])
        ground.goal = [goal - constant for goal in ground.goal if self._is_possible(goal, reached)]
        return constant

    def _needed(self, condition: Literals, operator: Operator) -> Literals:
        """The literals of an effect's condition that the precondition does not imply."""
        return frozenset(each for each in condition if not self.contradict(operator.precondition | {each ^ 1}))

    def _matters(
        self, operator: Operator, condition: Literals, literal: int, reached: set[int], changed: set[int]
    ) -> bool:
        """Whether the effect can change a state; an add effect also matters if it can override a delete effect."""
        given, opposite = operator.precondition | condition, literal ^ 1
        can_happen = literal in reached and (not condition or self._is_possible(given, reached))
        prevents = literal % 2 == 0 and opposite in changed
        return can_happen and (prevents or opposite in given or self._is_possible(given | {opposite}, reached))

    def _is_possible(self, condition: Literals, reached: set[int]) -> bool:
        return condition <= reached and not self.contradict(condition)


def strata(rules: list[Operator], derived: set[int]) -> list[list[Operator]]:
    """The rules in groups (strata), such that the rules of an atom precede all rules that use its negation."""
    level = dict.fromkeys(derived, 0)
    for _ in range(len(level) + 1):
        before = dict(level)
        for rule in rules:
            head = rule.effects[0][1] // 2
            below = (level[each // 2] + each % 2 for each in rule.precondition if each // 2 in level)
            level[head] = max(level[head], *below, 0)
        if level == before:
            groups = sorted({*level.values()})
            return [[rule for rule in rules if level[rule.effects[0][1] // 2] == each] for each in groups]
    raise BadTask("a derived predicate depends on its own negation")


@dataclass
class Step:
    """A condition and its effect: if all bits of `true` and none of `false` are set, `adds` are set, `deletes` cleared.

    It represents actions, their conditional effects, rules and, without an effect, goals.
    """

    true: int = 0
    false: int = 0
    adds: int = 0
    deletes: int = 0
    cost: Fraction | int = 0
    name: str = ""
    conditional: list[Step] = field(default_factory=list)
    uncertain: bool = False  # a conditional effect whose condition has atoms without a bit: it may happen or not
    actions: list[int] = field(default_factory=list)
    charge: float = -INFINITY

    def holds(self, state: int) -> bool:
        return state & self.true == self.true and not state & self.false

    def looks(self, swapped: Callable[[int], int] = int) -> tuple[object, ...]:
        """Conditions and effects, after a permutation of the bits."""
        bits = [swapped(each) for each in (self.true, self.false, self.adds, self.deletes)]
        return *bits, self.uncertain, frozenset(part.looks(swapped) for part in self.conditional)


class Space:
    """States as integers with a bit for every listed atom; `full` adds higher bits for derived atoms.

    Conditions on atoms without a bit are assumed to hold, but effects that depend on them are uncertain. Only the
    `chosen` actions have steps. With `merge`, actions with the same conditions and effects share one step.
    """

    def __init__(self, ground: Ground, bits: dict[int, int], width: int, chosen: Iterable[int], merge: bool) -> None:
        self.ground, self.bit = ground, bits
        self.start = mask(bit for number, bit in bits.items() if number in ground.start)
        bits |= {number: width + place for place, number in enumerate(sorted(ground.derived))}
        self.rules = [[self._operator(rule) for rule in rules] for rules in strata(self._known_rules(), ground.derived)]
        self.goal = [self._step(goal) for goal in ground.goal]
        self.steps: dict[int, list[Step]] = defaultdict(list)  # by the highest bit of `Step.true`; -1 if it is 0
        alike: dict[object, Step] = {}
        for number in chosen:
            step = self._operator(ground.actions[number])
            alike.setdefault(step.looks() if merge else number, step).actions.append(number)
        for step in alike.values():
            self.steps[step.true.bit_length() - 1].append(step)

    def _known_rules(self) -> list[Operator]:
        """Removes the bits of derived atoms with a rule on an atom without a bit; returns the rules of the others."""
        size, rules = -1, self.ground.rules
        while size != len(self.bit):
            size = len(self.bit)
            for rule in rules:
                if any(literal // 2 not in self.bit for literal in rule.precondition):
                    self.bit.pop(rule.effects[0][1] // 2, None)
        return [rule for rule in rules if rule.effects[0][1] // 2 in self.bit]

    def _step(self, condition: Literals) -> Step:
        step = Step()
        for literal in condition:
            bit = self.bit.get(literal // 2)
            if bit is not None:
                step.true |= (1 - literal % 2) << bit
                step.false |= literal % 2 << bit
            step.uncertain |= bit is None
        return step

    def _operator(self, operator: Operator) -> Step:
        step = self._step(operator.precondition)
        step.uncertain, step.name, step.cost, parts = False, operator.name, operator.cost, {frozenset[int](): step}
        for condition, literal in operator.effects:
            if (bit := self.bit.get(literal // 2)) is not None:
                part = parts[condition] = parts.get(condition) or self._step(condition)
                part.adds |= (1 - literal % 2) << bit
                part.deletes |= literal % 2 << bit
        step.conditional = [part for part in parts.values() if part is not step]
        return step

    def full(self, state: int) -> int:
        """The state with the bits of its derived atoms."""
        for rules in self.rules:
            before = -1
            while state != before:
                before = state
                for rule in rules:
                    state |= rule.adds if rule.holds(state) else 0
        return state

    def looks(self, swapped: Callable[[int], int]) -> tuple[object, ...]:
        """All steps, rules and goals after a permutation of the bits, to be compared with those before it."""
        steps = [
            step for steps in self.steps.values() for step in steps if step.adds or step.deletes or step.conditional
        ]
        rules = {rule.looks(swapped) for rules in self.rules for rule in rules}
        goals = {(swapped(goal.true), swapped(goal.false)) for goal in self.goal}
        return {(step.cost, step.looks(swapped)) for step in steps}, rules, goals

    def is_goal(self, state: int) -> bool:
        return any(goal.holds(full) for full in (self.full(state),) for goal in self.goal)

    def successors(self, state: int) -> Iterator[tuple[Step, int]]:
        full = self.full(state)
        for bit, steps in self.steps.items():
            for step in steps if bit < 0 or full >> bit & 1 else ():
                if step.holds(full):
                    outcomes = [(step.adds, step.deletes)]
                    for part in step.conditional:
                        if part.holds(full):
                            more = [(adds | part.adds, deletes | part.deletes) for adds, deletes in outcomes]
                            outcomes = list({*outcomes, *more}) if part.uncertain else more
                            if len(outcomes) > MOST_ALTERNATIVES:
                                raise Refuted(f"({step.name}) has too many outcomes: its effects need left out atoms")
                    for adds, deletes in outcomes:
                        yield step, state & ~deletes | adds


class Swap:
    """A permutation of bits that exchanges some pairs of bits."""

    def __init__(self, image: dict[int, int]) -> None:
        self.lower: dict[int, int] = defaultdict(int)  # lower bits of the exchanged pairs, by distance
        for bit, other in image.items():
            self.lower[other - bit] |= 1 << bit if bit < other else 0

    def __call__(self, state: int) -> int:
        for distance, lower in self.lower.items():
            if lower:
                different = (state ^ state >> distance) & lower
                state ^= different | different << distance
        return state


class Conjunctions:
    """A set of conjunctions of literals: single literals, and larger conjunctions, indexed by their literals."""

    def __init__(self, members: Iterable[Literals]) -> None:
        self.single, self.larger = set[int](), defaultdict[int, list[Literals]](list)
        for member in members:
            for literal in member:
                self.larger[literal].append(member) if len(member) > 1 else self.single.add(literal)

    def any_in(self, literals: Literals) -> bool:
        """Whether one of the conjunctions is a subset of the literals."""
        if not self.single.isdisjoint(literals):
            return True
        return any(each <= literals for one in literals for each in self.larger.get(one, ()))


@dataclass
class Cut:
    """A cut: its value is 1 in states in which none of its conjunctions holds, otherwise 0.

    A single literal holds if a bit of `true` is clear or one of `false` is set. A larger conjunction is two masks:
    the bits that it needs to be set, and those together with the bits that it needs to be clear.
    """

    true: int
    false: int
    larger: list[tuple[int, int]]
    charges: dict[int, int]  # by action number; 0 for actions that are missing

    def value(self, state: int) -> float:
        if state & self.true != self.true or state & self.false:
            return 0
        return int(all(state & both != needed for needed, both in self.larger))


@dataclass
class Table:
    """A function of the bits of a state that are in `mask`; `greatest` is its greatest value in goal states."""

    mask: int
    values: dict[int, float] = field(default_factory=dict)
    last: int = 0
    greatest: float = -INFINITY
    charges: dict[int, int] | None = None

    def value(self, state: int) -> float:
        return self.values[state & self.mask] - self.greatest if state & self.mask in self.values else -INFINITY


@dataclass
class Verdict:
    """The result of a verified proof. `bound` is infinite if there is no plan; `cost` is the cost of the given plan."""

    bound: Fraction | float
    labels: int
    bounds: int
    cost: Fraction | None = None


class Proof:
    """Reads a proof line by line; checks evidence when it is read, and transitions of labelled states at the end."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.unit, self.bound, self.listed, self.state = Fraction(1), INFINITY, 0, 0
        self.table, self.groups, self.never = list[Atom](), list[list[int]](), set[int]()
        self.parts, self.sums = list[Cut | Table](), list[tuple[int, list[tuple[Cut | Table, int]]]]()
        self.labels, self.values = dict[int, float](), dict[int, float]()
        self.swaps, self.looks = list[Swap](), tuple[object, ...]()  # `looks` is `_looks` for the identity permutation

    def check(self, lines: Iterable[str]) -> Verdict:
        last = ""
        for number, line in enumerate(lines, 1):
            try:
                last = self._read(last, *line.split())
            except Refuted as error:
                raise Refuted(f"line {number}: {error}") from None
            except (LookupError, ArithmeticError, TypeError, ValueError) as error:
                raise Malformed(f"line {number}: {line[:60]!r}: {error}") from None
        if last != "end":
            raise Malformed("the last line is not 'end': the file is cut off")
        return Verdict(self.unit * self.bound, len(self.labels), len(self.values))

    def _read(self, last: str, kind: str, *words: str) -> str:
        if last not in BEFORE[kind].split(" "):
            raise ValueError(f"{kind!r} is not expected after {last!r}")
        # If no goal is reachable, every bound holds, so nothing after the header is needed.
        if self.ground.goal or kind in HEADER:
            getattr(self, f"_read_{kind.replace('-', '_')}")(*words)
        return kind

    def _read_fsplan_proof(self, version: str) -> None:
        if version != VERSION:
            raise ValueError(f"version {VERSION} is expected")

    def _read_bound(self, word: str) -> None:
        self.bound = INFINITY if word == "inf" else natural(word)

    def _read_atom(self, *words: str) -> None:
        self.table.append(words)

    def _read_never(self, *words: str) -> None:
        self.never.update(self._members(words))

    def _read_one(self, *words: str) -> None:
        self.groups.append(self._members(words))

    def _members(self, words: tuple[str, ...]) -> list[int]:
        atoms = [self.table[number] for number in increasing(words)]
        return [self.ground.number[atom] for atom in atoms if atom in self.ground.number]

    def _read_task(self, listed: str, unit: str) -> None:
        """Checks the invariants, and creates the state space over the first `listed` atoms of the proof."""
        ground, self.listed, self.unit = self.ground, natural(listed), decimal(unit)
        scaled = [Fraction(action.cost) / self.unit for action in ground.actions]
        if self.listed > len(self.table) or len({*self.table}) < len(self.table) or self.unit == 0:
            raise ValueError("too few atoms, an atom twice, or a unit of 0")
        if any(cost.denominator != 1 for cost in scaled):
            raise ValueError("the unit does not divide every cost")
        for action, cost in zip(ground.actions, scaled, strict=True):
            action.cost = int(cost)
        constant = Invariants(ground, [], set()).simplify()
        self.groups = [[each for each in group if 2 * each + 1 not in constant] for group in self.groups]
        invariants = Invariants(ground, self.groups, self.never)
        size, before = 0, -1
        while size != before:
            constant = invariants.simplify()
            size, before = sum(1 + len(each.effects) for each in ground.actions + ground.rules), size
        if not ground.goal:
            return
        self.invariants = invariants
        self.constant = constant | {-1}  # unreachable atoms get the number -1, so literal -1 is their negation
        atoms = [(ground.number.get(atom, -1), bit) for bit, atom in enumerate(self.table[: self.listed])]
        bits = {atom: bit for atom, bit in atoms if atom >= 0}
        self.space = Space(ground, bits, self.listed, range(len(ground.actions)), merge=False)
        self.step = gcd(*(int(action.cost) for action in ground.actions)) or 1
        self.achievers: dict[int, list[tuple[Literals, int]]] = defaultdict(list)
        for place, action in enumerate(ground.actions):
            for condition, literal in action.effects:
                self.achievers[literal].append((action.precondition | condition | {literal ^ 1}, place))
        at_most_one = ([self.space.bit[each] for each in group if each in self.space.bit] for group in self.groups)
        self.group_bits = [mask(bits) for bits in at_most_one]

    def _read_swap(self, *words: str) -> None:
        """Checks that exchanging the objects of each pair, all pairs at once, maps the space to itself."""
        other = dict(zip(words[::2] + words[1::2], words[1::2] + words[::2], strict=True))
        bit = {atom: place for place, atom in enumerate(self.table[: self.listed])}
        bit |= {self.ground.atoms[number]: place for number, place in self.space.bit.items()}
        renamed = {atom: (atom[0], *(other.get(word, word) for word in atom[1:])) for atom in bit}
        swap = Swap({place: bit.get(renamed[atom], place) for atom, place in bit.items()})
        self.looks = self.looks or self._looks(int)
        if any(other[other[word]] != word for word in words) or self._looks(swap) != self.looks:
            raise Refuted(f"the task changes if these objects are swapped: {' '.join(words)}")
        self.swaps.append(swap)

    def _looks(self, swapped: Callable[[int], int]) -> tuple[object, ...]:
        """The state space and the groups of the invariants after a permutation of the bits, to be compared."""
        return *self.space.looks(swapped), {swapped(group) for group in self.group_bits if group & (group - 1)}

    def _representative(self, state: int) -> int:
        before = -1 if self.swaps else state
        while state != before:
            before = state
            for swap in self.swaps:
                state = min(state, swap(state))
        return state

    def _read_cut(self, *words: str) -> None:
        named = [increasing(word.split("+")) for word in words]
        if any(one >= other for one, other in pairwise(named)) or max(map(len, named), default=1) > LARGEST_CONJUNCTION:
            raise ValueError("the conjunctions of a cut do not increase, or one is too large")
        read = [self._conjunction(each) for each in named]
        self.parts.append(self._cut({each for each in read if each is not None}))

    def _cut(self, conjunctions: set[Literals]) -> Cut:
        """The cut of these conjunctions; if one of them is empty, so always holds, its value is 0 in every state."""
        cut = Conjunctions(conjunctions)
        true, false = (mask(self.space.bit[each // 2] for each in cut.single if each % 2 == sign) for sign in (1, 0))
        if frozenset() in conjunctions:
            return Cut(1, 1, [], {})
        cut.single |= self._derived_from(cut.single)
        if not all(map(cut.any_in, self.ground.goal)):
            raise Refuted("a goal state need not have a conjunction of this cut")
        charges = {by: 1 for each in conjunctions for by in self._crossing(each, cut)}
        return Cut(true, false, [self._masks(each) for each in conjunctions if len(each) > 1], charges)

    def _conjunction(self, named: list[int]) -> Literals | None:
        """The literals that do not always hold; None if one of them never holds."""
        literals = set()
        for each in named:
            number = self.ground.number.get(self.table[each // 2], -1)
            literal = 2 * number + each % 2
            if literal ^ 1 in self.constant:
                return None
            if literal not in self.constant:
                if number not in self.space.bit or number in self.ground.derived:
                    raise Refuted(f"a cut may not have {self.ground.name(number)}")
                literals.add(literal)
        return frozenset(literals)

    def _crossing(self, conjunction: Literals, cut: Conjunctions) -> Iterator[int]:
        """The actions that can make the conjunction true in a state in which no conjunction of the cut holds."""
        for made in conjunction:
            for given, by in self.achievers[made]:
                ways = [self._ways(self.ground.actions[by], given, each) for each in conjunction - {made}]
                before = (given.union(*way) for way in product(*ways))
                if any(not cut.any_in(known) and not self.invariants.contradict(known) for known in before):
                    yield by

    def _ways(self, action: Operator, given: Literals, literal: int) -> list[Literals]:
        """Conditions of which one holds before the action if the literal does after it: an effect's, or the literal."""
        kept = [] if self.invariants.is_deleted(action, given | {literal}, literal ^ 1) else [frozenset([literal])]
        return kept + [condition for condition, made in action.effects if made == literal]

    def _masks(self, conjunction: Literals) -> tuple[int, int]:
        bits = [(self.space.bit[each // 2], each % 2) for each in conjunction]
        return mask(bit for bit, sign in bits if sign == 0), mask(bit for bit, _ in bits)

    def _derived_from(self, literals: set[int]) -> set[int]:
        """The derived atoms all of whose rules need one of the literals or another such atom."""
        found, size = {2 * number for number in self.ground.derived}, -1
        while size != len(found):
            size = len(found)
            for rule in self.ground.rules:
                if rule.precondition.isdisjoint(literals) and rule.precondition.isdisjoint(found):
                    found.discard(rule.effects[0][1])
        return found

    def _read_table(self, *words: str) -> None:
        self.parts.append(Table(self._bits(words)))

    def _read_row(self, value: str, *words: str) -> None:
        table, toggled = self.parts[-1], self._bits(words)
        assert isinstance(table, Table)  # BEFORE allows a row only after a table or another row
        table.last ^= toggled
        if toggled & ~table.mask or table.last in table.values:
            raise ValueError("an atom that the table does not have, or a row twice")
        table.values[table.last] = INFINITY if value == "inf" else natural(value)

    def _charges(self, table: Table) -> dict[int, int]:
        """The charge of each action: the largest decrease of the table's value over all transitions of the action.

        Checks that no transition leads out of the table, or from a dead end (∞) to a number.
        """
        atoms = {number: bit for number, bit in self.space.bit.items() if table.mask >> bit & 1}
        changing = {by for number in atoms for sign in (0, 1) for _, by in self.achievers[2 * number + sign]}
        space = Space(self.ground, atoms, self.listed, sorted(changing), merge=True)
        for state, value in table.values.items():
            if space.is_goal(state):
                table.greatest = max(table.greatest, value)
            for step, after in space.successors(state):
                reached = table.values.get(after)
                if reached is not None and (value < INFINITY or reached == INFINITY):
                    step.charge = max(step.charge, value - reached) if reached < INFINITY else step.charge
                elif not any((both := after & group) & (both - 1) for group in self.group_bits):
                    raise Refuted(f"({step.name}) leads out of a table, or of its dead ends: {self._text(state)}")
        if table.greatest == INFINITY:
            raise Refuted("a goal state is called a dead end")
        steps = [step for steps in space.steps.values() for step in steps if step.charge > -INFINITY]
        return {action: int(step.charge) for step in steps for action in step.actions}

    def _read_sum(self, denominator: str, *words: str) -> None:
        pairs = [word.split(":") for word in words]
        numbers, shares = increasing(number for number, _ in pairs), [natural(share) for _, share in pairs]
        parts = [(self.parts[number], share) for number, share in zip(numbers, shares, strict=True) if share]
        self.sums.append((natural(denominator), parts))
        self._check_charges(*self.sums[-1])

    def _check_charges(self, denominator: int, parts: list[tuple[Cut | Table, int]]) -> None:
        charged: dict[int, int] = defaultdict(int)
        for part, share in parts:
            part.charges = self._charges(part) if part.charges is None else part.charges
            for action, charge in part.charges.items():
                charged[action] += share * charge
        for action, charge in charged.items():
            if charge > denominator * self.ground.actions[action].cost:
                raise Refuted(f"({self.ground.actions[action].name}) is charged more than it costs")

    def _bits(self, words: Iterable[str]) -> int:
        bits = increasing(words)
        if bits and bits[-1] >= self.listed:
            raise ValueError("no such atom in states")
        return mask(bits)

    def _read_g(self, label: str, *toggled: str) -> None:
        self.labels[self._next_state(toggled)] = natural(label)

    def _read_b(self, number: str, *toggled: str) -> None:
        state, (denominator, parts) = self._next_state(toggled), self.sums[natural(number)]
        self.values[state] = self._value(denominator, parts)

    def _next_state(self, toggled: Iterable[str]) -> int:
        self.state ^= self._bits(toggled)
        if self.state in self.labels or self.state in self.values:
            raise ValueError("a state twice")
        return self.state

    def _value(self, denominator: int, parts: list[tuple[Cut | Table, int]]) -> float:
        value = sum(share * part.value(self.state) for part, share in parts)
        if value == INFINITY or (value > 0 and not denominator):
            return INFINITY
        return max(0, -(-value // (denominator * self.step)) * self.step) if value > 0 else 0

    def _read_end(self) -> None:
        space, bound = self.space, self.bound
        start = self._representative(space.start)
        if self.labels.get(start, 1) > 0 and self.values.get(start, -1) < bound:
            raise Refuted("the start has neither label 0 nor evidence for the bound")
        for state, g in self.labels.items():
            if g < bound and space.is_goal(state):
                raise Refuted(f"a goal state has label {g}: {self._text(state)}")
            for step, successor in space.successors(state):
                reached = g + step.cost
                after = self._representative(successor)
                if self.labels.get(after, INFINITY) > reached and reached + self.values.get(after, -INFINITY) < bound:
                    raise Refuted(f"({step.name}) leads, at {reached}, to a state without proof: {self._text(after)}")

    def _text(self, state: int) -> str:
        return " ".join(f"({' '.join(atom)})" for bit, atom in enumerate(self.table[: self.listed]) if state >> bit & 1)


def mask(bits: Iterable[int]) -> int:
    return sum(1 << bit for bit in {*bits})


def increasing(words: Iterable[str]) -> list[int]:
    """The numbers of a set, which must be written in increasing order and without repetition."""
    numbers = [natural(word) for word in words]
    if any(one >= other for one, other in pairwise(numbers)):
        raise ValueError("numbers that stand for a set do not increase")
    return numbers


def natural(word: str) -> int:
    if len(word) > MOST_DIGITS or not (word.isascii() and word.isdecimal()):
        raise ValueError(f"{word[:MOST_DIGITS]!r} is no number from 0 on")
    return int(word)


def decimal(word: str) -> Fraction:
    if not re.fullmatch(r"[0-9.]{1,40}(/[0-9]{1,40})?", word):
        raise ValueError(f"{word[:40]!r} is no decimal number from 0 on")
    return Fraction(word)


def plan_steps(text: str) -> list[str]:
    """The steps `(action argument …)` of a plan; only comments, times `0.5:` and durations `[1]` may surround them."""
    text = re.sub(r";[^\r\n]*", "", text.removeprefix("\ufeff").lower())
    rest = re.sub(r"\([^()]*\)", " ", text)
    if not re.fullmatch(r"(\s|[0-9.]+\s*:|\[\s*[0-9.]+\s*\])*", rest):
        raise Refuted(f"the plan has text that is no step: {' '.join(rest.split())[:60]!r}")
    return [" ".join(words.split()) for words in re.findall(r"\(([^()]*)\)", text)]


def plan_cost(ground: Ground, text: str) -> Fraction:
    """The cost of the plan; raises Refuted if the plan is not valid."""
    names = plan_steps(text)
    basic = {number: number for number in ground.number.values() if number not in ground.derived}
    chosen = [number for number, action in enumerate(ground.actions) if action.name in {*names}]
    space = Space(ground, basic, len(ground.atoms), chosen, merge=False)
    state, cost = space.start, Fraction(0)
    for place, name in enumerate(names, 1):
        found = {(after, step.cost) for step, after in space.successors(state) if step.name == name}
        if len(found) != 1:
            raise Refuted(f"step {place} of the plan, ({name}), is {'ambiguous' if found else 'not applicable'}")
        [(state, paid)] = found
        cost += paid
    if not space.is_goal(state):
        raise Refuted("the plan does not reach a goal")
    return cost


def judged(ground: Ground, lines: Iterable[str], plan: str | None) -> Verdict:
    """Validates the plan and checks the proof, independently of each other; raises Refuted if they disagree.

    The plan is validated first, because checking the proof simplifies the task.
    """
    strata(ground.rules, ground.derived)  # refuses derived predicates that depend on their own negation
    cost = None if plan is None else plan_cost(ground, plan)
    found = Proof(ground).check(lines)
    if cost is not None and cost < found.bound:
        raise Refuted(f"the plan is valid and costs {cost}, but the proof claims at least {found.bound}: it is wrong")
    return replace(found, cost=cost)


def read_task(domain: str, problem: str, files: Files = FILES) -> Ground:
    """The ground task of two PDDL texts, named `files` in messages; raises BadTask if they are not supported."""
    try:
        return Ground(Pddl(domain, problem, files))
    except BadTask:
        raise
    except (LookupError, StopIteration, TypeError, ValueError, ArithmeticError, RuntimeError) as error:
        raise BadTask(f"the checker does not understand this PDDL: {error}") from None


def check(domain: str, problem: str, lines: Iterable[str], plan: str | None = None, files: Files = FILES) -> Verdict:
    """Checks a proof, and a plan if one is given; raises Refuted, Malformed or BadTask if a check fails.

    `files` are the names of domain and problem in messages.
    """
    return judged(read_task(domain, problem, files), lines, plan)


def read_text(path: str) -> str:
    """The text of a file: UTF-8, or else Latin-1."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_lines(path: str) -> Iterator[str]:
    """Yields the lines of a proof file; a file whose name ends in .gz is decompressed."""
    opened = gzip.open if path.endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8", newline="\n") as lines:
            yield from lines
    except (EOFError, UnicodeDecodeError, gzip.BadGzipFile, zlib.error) as error:
        raise Malformed(str(error)) from None


def describe(verdict: Verdict) -> str:
    """The verdict as a line of text for the user."""
    if verdict.bound == INFINITY:
        return "verified: there is no plan"
    known = f"verified: every plan costs at least {shown(verdict.bound)}"
    if verdict.cost is None:
        return known
    ratio = f"ratio {float(verdict.cost / verdict.bound):.4f}" if verdict.bound else "no ratio"
    quality = "it is optimal" if verdict.cost == verdict.bound else ratio
    return f"{known}; the plan is valid and costs {shown(verdict.cost)}: {quality}"


def shown(value: Fraction | float) -> int | float:
    return int(value) if value == int(value) else float(value)


def main(arguments: list[str] | None = None) -> int:
    """The command `fsplan-check`, which `python check.py` also runs; returns its exit code."""
    parser = ArgumentParser(prog="fsplan-check", description="Verifies a proof that no plan costs less than a bound.")
    for name in ("domain", "problem", "proof", "--plan"):
        parser.add_argument(name, metavar="FILE" if name == "--plan" else name.upper())
    given = parser.parse_args(arguments)
    try:
        plan = None if given.plan is None else read_text(given.plan)
        texts = read_text(given.domain), read_text(given.problem)
        print(describe(check(*texts, read_lines(given.proof), plan, (given.domain, given.problem))))
        return 0
    except (Refuted, BadTask, Malformed, OSError) as error:
        status, code = {Refuted: ("refuted", 1), BadTask: ("refused", 31)}.get(type(error), ("malformed", 36))
        print(f"{status}: {error}", file=sys.stderr)
        return code


if __name__ == "__main__":
    sys.exit(main())
