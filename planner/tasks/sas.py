"""Reads Fast Downward's translator output (SAS, version 3) as a ground task.

>>> task = read_sas("output.sas")  # doctest: +SKIP
>>> task.action_name(0)  # doctest: +SKIP
'pick-up a'
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fsplan.planner._core import GroundTask, build_task

Fact = tuple[int, int]


LARGEST_NUMBER = 2**31 - 1


class SasError(ValueError):
    """The text is not a SAS task; the message names the line, or the axiom that violates the axiom layers."""


def read_sas(path: str) -> GroundTask:
    """Reads the ground task in the file at `path`."""
    with open(path, encoding="utf-8", newline="") as file:
        return parse_sas(file.read(), path)


def parse_sas(text: str, name: str = "sas") -> GroundTask:
    """Reads the ground task in `text`; errors call the file `name`."""
    reader = _Reader(text.replace("\r\n", "\n").split("\n"))
    try:
        lists = _task(reader)
    except (ValueError, IndexError) as error:
        raise SasError(f"{name}:{reader.line}:{reader.column}: {error}") from error
    try:
        return build_task(**lists)
    except ValueError as error:
        raise SasError(f"{name}: {error}") from error


class _Reader:
    __slots__ = ("column", "line", "lines", "sizes")

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.line, self.column = lines, 0, 1
        self.sizes: list[int] = []  # domain size of each variable, after the variables have been read

    def text(self) -> str:
        """Returns the next line. Lines end with LF or CR LF; as in Fast Downward, a CR alone does not end a line."""
        if self.line >= len(self.lines):
            raise ValueError("the file ends too early")
        self.line += 1
        line = self.lines[self.line - 1]
        self.column = line.find("\r") + 1 or 1
        if "\r" in line:
            raise ValueError("found a carriage return within a line; end lines by \\n or \\r\\n")
        return line.strip()

    def end(self) -> None:
        """Raises an error unless only blank lines follow."""
        while self.line < len(self.lines):
            if found := self.text():
                raise ValueError(f"expected the end of the file, found {found[:40]!r}")

    def number(self) -> int:
        return self.numbers(1)[0]

    def numbers(self, count: int | None = None) -> list[int]:
        words = self.text().split()
        if not all(word.removeprefix("-").isdecimal() and word.isascii() for word in words):
            raise ValueError(f"expected numbers, found {' '.join(words)[:40]!r}")
        found = [int(word) for word in words]
        if count is not None and len(found) != count:
            raise ValueError(f"expected {count} numbers, found {len(found)}")
        for number in found:
            if abs(number) > LARGEST_NUMBER:
                raise ValueError(f"{number} is out of range; numbers go up to {LARGEST_NUMBER}")
        return found

    def expect(self, word: str) -> None:
        found = self.text()
        if found != word:
            raise ValueError(f"expected {word}, found {found!r}")

    def count(self) -> range:
        found = self.number()
        if found < 0:
            raise ValueError(f"expected a count, found {found}")
        return range(found)

    def facts(self) -> list[Fact]:
        return [self.fact(*self.numbers(2)) for _ in self.count()]

    def fact(self, variable: int, value: int) -> Fact:
        if not 0 <= variable < len(self.sizes):
            raise ValueError(f"no variable {variable}; there are {len(self.sizes)}")
        if not 0 <= value < self.sizes[variable]:
            raise ValueError(f"variable {variable} has no value {value}; it has {self.sizes[variable]}")
        return variable, value


def _task(reader: _Reader) -> dict[str, Any]:
    reader.expect("begin_version")
    if reader.number() != 3:
        raise ValueError("only version 3 of the format is read")
    reader.expect("end_version")
    reader.expect("begin_metric")
    metric = reader.number()
    if metric not in (0, 1):
        raise ValueError(f"expected 0 (every action costs 1) or 1 (actions have costs), found {metric}")
    reader.expect("end_metric")
    variables = [_variable(reader) for _ in reader.count()]
    reader.sizes = [len(names) for _, names in variables]
    for _ in reader.count():
        _skip_mutex_group(reader)
    reader.expect("begin_state")
    initial = [reader.fact(variable, reader.number())[1] for variable in range(len(variables))]
    reader.expect("end_state")
    reader.expect("begin_goal")
    goal = reader.facts()
    if len(dict(goal)) < len(goal):
        raise ValueError("the goal names a variable twice")
    reader.expect("end_goal")
    operators = [_operator(reader) for _ in reader.count()]
    rules = [_rule(reader, initial) for _ in reader.count()]
    reader.end()
    return {
        "domain_size": reader.sizes,
        "layer": [layer for layer, _ in variables],
        "initial": initial,
        "fact_names": [name for _, names in variables for name in names],
        "action_names": [name for name, _, _, _ in operators],
        "preconditions": [precondition for _, precondition, _, _ in operators],
        "effects": [effects for _, _, effects, _ in operators],
        "costs": [cost if metric else 1 for _, _, _, cost in operators],
        "rules": rules,
        "goal": goal,
        "unit_cost": not metric,
    }


def _variable(reader: _Reader) -> tuple[int, list[str]]:
    reader.expect("begin_variable")
    reader.text()
    layer = reader.number()
    names = [reader.text() for _ in reader.count()]
    reader.expect("end_variable")
    return layer, names


def _skip_mutex_group(reader: _Reader) -> None:
    reader.expect("begin_mutex_group")
    reader.facts()
    reader.expect("end_mutex_group")


def _operator(reader: _Reader) -> tuple[str, list[Fact], list[tuple[Fact, list[Fact]]], int]:
    reader.expect("begin_operator")
    name = reader.text()
    precondition = reader.facts()
    effects: list[tuple[Fact, list[Fact]]] = []
    for _ in reader.count():
        conditions, variable, before, after = _effect(reader.numbers())
        effects.append((reader.fact(variable, after), [reader.fact(*fact) for fact in conditions]))
        if before != -1:
            precondition.append(reader.fact(variable, before))
    cost = reader.number()
    reader.expect("end_operator")
    return name, sorted(set(precondition)), effects, cost


def _effect(numbers: list[int]) -> tuple[list[Fact], int, int, int]:
    values: Iterator[int] = iter(numbers)
    if not numbers or numbers[0] < 0 or len(numbers) != 4 + 2 * numbers[0]:
        raise ValueError("an effect has the wrong number of fields")
    conditions = [(next(values), next(values)) for _ in range(next(values))]
    return conditions, next(values), next(values), next(values)


def _rule(reader: _Reader, initial: list[int]) -> tuple[Fact, list[Fact]]:
    reader.expect("begin_rule")
    body = reader.facts()
    variable, before, after = reader.numbers(3)
    head = reader.fact(variable, after)
    if before != initial[variable]:  # the initial value of a derived variable is its default
        raise ValueError(f"a rule changes variable {variable} from its default, {initial[variable]}, not from {before}")
    reader.expect("end_rule")
    return head, body
