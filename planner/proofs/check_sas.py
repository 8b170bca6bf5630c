"""Checks a proof that no plan of a task costs less than a bound, for tasks in the `.sas` format of Fast Downward.

The theorem, its proof and the checks are those of check.py; this module only reads the file. Like check.py, it shares
no code with the planner. The atom `varV X` means that variable V has the value X. An effect adds the atom of the new
value and deletes the atoms of the other values. A derived variable is one atom, that of the value that axioms give it;
its default value is the negation of that atom.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from fsplan.planner.proofs.check import BadTask, Ground, Literals, Operator, Verdict, judged

Fact = tuple[int, int]


class Lines:
    """Reads a file line by line."""

    def __init__(self, text: str) -> None:
        self._lines = text.replace("\r\n", "\n").split("\n")
        self.line, self.column = 0, 1

    def text(self) -> str:
        """Returns the next line. Lines end with LF or CR LF; as in Fast Downward, a CR alone does not end a line."""
        self.line += 1
        line = self._lines[self.line - 1]
        self.column = line.find("\r") + 1 or 1
        if "\r" in line:
            raise ValueError("found a carriage return within a line")
        return line.strip()

    def end(self) -> None:
        if any(line.strip() for line in self._lines[self.line :]):
            raise ValueError("expected the end of the file after this line")

    def numbers(self) -> list[int]:
        words = self.text().split()
        if not all(re.fullmatch("-?[0-9]{1,40}", word) for word in words):
            raise ValueError(f"expected numbers, found {' '.join(words)[:40]!r}")
        return [int(word) for word in words]

    def number(self) -> int:
        [number] = self.numbers()
        return number

    def expect(self, *words: str) -> None:
        for word in words:
            if (found := self.text()) != word:
                raise ValueError(f"expected {word}, found {found[:40]!r}")

    def count(self) -> range:
        if (count := self.number()) < 0:
            raise ValueError(f"expected a count, found {count}")
        return range(count)

    def facts(self) -> list[Fact]:
        return [(variable, value) for variable, value in (self.numbers() for _ in self.count())]


class SasGround(Ground):
    """The ground task in a .sas file."""

    def __init__(self, text: str, file: str = "sas") -> None:
        lines = Lines(text)
        try:
            self._read(lines)
        except (LookupError, TypeError, ValueError, RuntimeError) as error:
            place = f"{file}:{lines.line}:{lines.column}"
            raise BadTask(f"{place}: the checker does not understand this .sas file: {error}") from None

    def _read(self, lines: Lines) -> None:
        lines.expect("begin_version", "3", "end_version", "begin_metric")
        self.has_costs = {0: False, 1: True}[lines.number()]
        lines.expect("end_metric")
        self.layers, self.sizes = list[int](), list[int]()
        for _ in lines.count():
            self._variable(lines)
        excluding = [fact for _ in lines.count() for fact in self._mutex_group(lines)]
        lines.expect("begin_state")
        self.initial = [lines.number() for _ in self.sizes]
        lines.expect("end_state", "begin_goal")
        self._number_atoms()
        for fact in excluding:
            self._fact(*fact)
        self.goal = [self._condition(lines.facts())]
        lines.expect("end_goal")
        self.actions = [self._operator(lines) for _ in lines.count()]
        self.rules = [self._rule(lines) for _ in lines.count()]
        lines.end()

    def _variable(self, lines: Lines) -> None:
        lines.expect("begin_variable")
        lines.text()
        self.layers.append(lines.number())
        self.sizes.append(lines.number())
        for _ in range(self.sizes[-1]):
            lines.text()
        lines.expect("end_variable")

    def _mutex_group(self, lines: Lines) -> list[Fact]:
        """Checks that the facts of a mutex group exist. The group is not used: proofs have groups of their own."""
        lines.expect("begin_mutex_group")
        facts = lines.facts()
        lines.expect("end_mutex_group")
        return facts

    def _number_atoms(self) -> None:
        if any(not -1 <= layer < len(self.layers) for layer in self.layers):
            raise ValueError("a layer out of range")
        if any(layer >= 0 and size != 2 for layer, size in zip(self.layers, self.sizes, strict=True)):
            raise ValueError("a derived variable with more than two values")
        if any(not 0 <= value < size for value, size in zip(self.initial, self.sizes, strict=True)):
            raise ValueError("a value of the start out of range")
        facts = [(variable, value) for variable, size in enumerate(self.sizes) for value in range(size)]
        listed = [fact for fact in facts if not self._is_default(*fact)]
        self.atoms = [(f"var{variable}", str(value)) for variable, value in listed]
        self.number = {atom: number for number, atom in enumerate(self.atoms)}
        self.derived = {number for number, (variable, _) in enumerate(listed) if self.layers[variable] >= 0}
        self.start = {number for number, fact in enumerate(listed) if self.initial[fact[0]] == fact[1]} - self.derived

    def _is_default(self, variable: int, value: int) -> bool:
        return self.layers[variable] >= 0 and self.initial[variable] == value

    def _fact(self, variable: int, value: int) -> int:
        """Returns the literal of a fact."""
        if variable < 0 or value < 0:
            raise ValueError("a negative variable or value")
        is_default = self._is_default(variable, value)
        return 2 * self.number[f"var{variable}", str(1 - value if is_default else value)] + is_default

    def _condition(self, facts: list[Fact]) -> Literals:
        if len(dict(facts)) < len(set(facts)):
            raise ValueError("a condition with two values of a variable")
        return frozenset(self._fact(*fact) for fact in facts)

    def _operator(self, lines: Lines) -> Operator:
        lines.expect("begin_operator")
        name, given, changes = lines.text().lower(), lines.facts(), list[tuple[list[Fact], Fact]]()
        for _ in lines.count():
            count, *rest = lines.numbers()
            *conditions, variable, before, after = rest
            if count < 0 or len(conditions) != 2 * count or self.layers[variable] >= 0:
                raise ValueError(f"an effect of ({name})")
            given += [(variable, before)] if before != -1 else []
            changes.append((list(zip(conditions[::2], conditions[1::2], strict=True)), (variable, after)))
        cost = lines.number()
        lines.expect("end_operator")
        if cost < 0 or any(self._clash(given, one, other) for one in changes for other in changes):
            raise ValueError(f"({name}) has a negative cost, or gives a variable two values")
        effects = [effect for when, fact in changes for effect in self._effects(self._condition(when), *fact)]
        return Operator(name, self._condition(given), effects, Fraction(cost if self.has_costs else 1))

    def _clash(self, given: list[Fact], one: tuple[list[Fact], Fact], other: tuple[list[Fact], Fact]) -> bool:
        """Whether two effects can apply together and give a variable two values."""
        if one[1][0] != other[1][0] or one[1] == other[1]:
            return False
        together = {*given, *one[0], *other[0]}
        return len(dict(together)) == len(together)

    def _effects(self, condition: Literals, variable: int, after: int) -> Iterator[tuple[Literals, int]]:
        yield condition, self._fact(variable, after)
        for value in range(self.sizes[variable]):
            if value != after:
                yield condition, self._fact(variable, value) + 1

    def _rule(self, lines: Lines) -> Operator:
        lines.expect("begin_rule")
        facts = lines.facts()
        body = self._condition(facts)
        variable, before, after = lines.numbers()
        lines.expect("end_rule")
        if self.layers[variable] < 0 or before != self.initial[variable] or after == before:
            raise ValueError("a rule that does not change a derived variable from its default")
        if any(self.layers[each[0]] + self._is_default(*each) > self.layers[variable] for each in facts):
            raise ValueError(
                "a rule that reads a variable which is evaluated later, or the default of one of its layer"
            )
        return Operator("rule", body, [(frozenset(), self._fact(variable, after))], Fraction(0))


def check(text: str, lines: Iterable[str], plan: str | None = None, file: str = "sas") -> Verdict:
    """Raises Refuted, Malformed or BadTask unless the lines are a proof; if a plan is given, computes its cost, too.

    `file` is the name of the task's file in messages.
    """
    ground = SasGround(text, file)
    return judged(ground, lines, plan)
