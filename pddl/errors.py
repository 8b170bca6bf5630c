"""Errors in PDDL files, with their positions.

A `Fault` is one error at one position. A `Report` collects the faults of one file and raises them together, as a
`PddlError` (invalid PDDL) or an `UnsupportedError` (valid PDDL beyond classical planning).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import NoReturn

    from fsplan.pddl.tokens import Node, PddlText

FAULT_LIMIT = 20
EXCERPT_WIDTH = 100
CANDIDATE_LIMIT = 1000
NAME_LIMIT = 100
CLASSICAL = "fsplan plans for classical tasks"


class Fault:
    """One error in a file. Line and column count from 1; `excerpt` is the line with a caret below it, or empty."""

    __slots__ = ("column", "excerpt", "file", "line", "message", "unsupported")

    def __init__(
        self, message: str, file: str, line: int, column: int, excerpt: str, unsupported: bool = False
    ) -> None:
        self.message, self.file, self.line, self.column = printable(message), file, line, column
        self.excerpt, self.unsupported = excerpt, unsupported

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.message}" + (f"\n{self.excerpt}" if self.excerpt else "")


class PddlError(Exception):
    """Raised for invalid PDDL. `file`, `line` and `column` are the position of the first of its `faults`."""

    exit_code = 31

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = list(faults)
        self.file, self.line, self.column = faults[0].file, faults[0].line, faults[0].column

    def __reduce__(self) -> tuple[type[PddlError], tuple[list[Fault]]]:
        return type(self), (self.faults,)


class UnsupportedError(PddlError):
    """Raised for tasks beyond classical planning: numeric fluents, durative actions, preferences and the like."""

    exit_code = 34


class FileError(PddlError):
    """Raised if a file cannot be read: it does not exist, is a directory, or access is denied."""

    exit_code = 36


class Report:
    """The faults found in one file so far; reading stops when their number reaches FAULT_LIMIT."""

    __slots__ = ("faults", "file")

    def __init__(self, file: PddlText) -> None:
        self.file = file
        self.faults: list[Fault] = []

    def fault(self, message: str, node: Node, child: int = 0, unsupported: bool = False) -> None:
        """Adds a fault at the position of item number `child` of `node`; 0 is its opening parenthesis."""
        line, column, excerpt = self.file.place(node[0], child)
        self.faults.append(Fault(message, self.file.name, line, column, excerpt, unsupported))
        if len(self.faults) >= FAULT_LIMIT:
            self.fail()

    def unsupported(self, feature: str, node: Node, child: int = 0, remedy: str = CLASSICAL) -> None:
        self.fault(f"{feature} not supported: {remedy}", node, child, unsupported=True)

    def line_of(self, at: int) -> int:
        return self.file.place(at, 0)[0]

    def fail(self) -> NoReturn:
        """Raises all faults; unsupported features are listed first, because they often cause the other faults."""
        faults = sorted(self.faults, key=lambda fault: (not fault.unsupported, fault.line, fault.column))
        raise (UnsupportedError if faults[0].unsupported else PddlError)(faults)

    def end(self) -> None:
        if self.faults:
            self.fail()


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name, which suggests the most similar known name, if there is one.

    >>> nearest("claer", ["on", "clear"])
    "; did you mean 'clear'?"
    """
    from difflib import get_close_matches

    if len(name) > NAME_LIMIT:
        return ""
    near = [other for other in known if abs(len(other) - len(name)) <= 2][:CANDIDATE_LIMIT]
    match = get_close_matches(name, near, 1)
    return f"; did you mean '{match[0]}'?" if match else ""


def excerpt(line: str, column: int) -> str:
    """The line with a caret below the column (counted from 1); a long line is cut around the column."""
    start = max(0, min(column - 1 - EXCERPT_WIDTH // 2, len(line) - EXCERPT_WIDTH))
    shown = printable(line[start : start + EXCERPT_WIDTH].replace("\t", " "))
    return f"    {shown}\n    {' ' * (column - 1 - start)}^"


def printable(text: str) -> str:
    """The text with control characters replaced; the middle of a long text is omitted."""
    if len(text) > 4 * NAME_LIMIT:
        text = f"{text[: 2 * NAME_LIMIT]} … {text[-NAME_LIMIT:]}"
    return text if text.isprintable() else "".join([letter if letter.isprintable() else "�" for letter in text])
