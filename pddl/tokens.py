"""Converts PDDL text to nested lists.

A valid file is converted in one pass with built-in string operations, without storing positions. A list stores only its
number, which is the number of opening parentheses before its own. If an error needs a position, `PddlText.place` scans
the text again.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from fsplan.pddl.errors import Fault, FileError, PddlError, excerpt

# [number, item, …], where an item is a token in lower case or another Node.
Node: TypeAlias = "list[Any]"


FIRST_BLOCK = 2**20


class PddlText:
    """A PDDL text and the name that errors show for it, usually its path."""

    __slots__ = ("_opening", "_tokens", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = _plain(text)
        self._tokens: list[tuple[str, int]] = []
        self._opening: list[int] = []

    def place(self, number: int, child: int) -> tuple[int, int, str]:
        """Line, column and excerpt of item number `child` of list `number`; 0 is its opening parenthesis."""
        return self.place_of_token(self._child_token(number, child))

    def place_of_token(self, token: int) -> tuple[int, int, str]:
        self._scan()
        if not self._tokens:
            return 1, 1, ""
        offset = self._tokens[min(token, len(self._tokens) - 1)][1]
        begin = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        line = self.text[begin : end if end >= 0 else len(self.text)]
        column = offset - begin + 1
        return self.text.count("\n", 0, begin) + 1, column, excerpt(line, column)

    def fail(self, message: str, token: int) -> PddlError:
        line, column, shown = self.place_of_token(token)
        return PddlError([Fault(message, self.name, line, column, shown)])

    def opening_token(self, number: int) -> int:
        self._scan()
        return self._opening[number]

    def _child_token(self, number: int, child: int) -> int:
        self._scan()
        token = self._opening[number]
        depth = 0
        while child > 0 and token + 1 < len(self._tokens):
            token += 1
            mark = self._tokens[token][0]
            if mark == ")":
                depth -= 1
                if depth < 0:  # the list ends before item `child`, so its end is the position of the error
                    break
                continue
            child -= depth == 0
            depth += mark == "("
        return token

    def _scan(self) -> None:
        if self._tokens:
            return

        pattern = re.compile(r";[^\n]*|[()]|\?[^\s();?]*|[^\s();?]+")
        for match in pattern.finditer(self.text):
            mark = match.group()
            if mark[0] == ";":
                continue
            if mark == "(":
                self._opening.append(len(self._tokens))
            self._tokens.append((mark, match.start()))


def is_text(word: str) -> bool:
    """Whether a string is PDDL text, not the path of a file.

    >>> is_text("; blocks\\n(define (domain blocks))"), is_text("domain.pddl")
    (True, False)
    """
    return "(" in word and "define" in word.lower()


def read_pddl_text(path: str, name: str = "PDDL text") -> PddlText:
    """Reads a file (UTF-8, or else Latin-1); if `path` is PDDL text itself, errors show `name` as its path."""
    if is_text(path):
        return PddlText(name, path)
    try:
        with open(path, "rb") as file:
            data = file.read(FIRST_BLOCK)
            if b"\0" in data:  # checked before the rest is read, because a device may be endless
                raise PddlError([Fault("found a binary file, expected PDDL text", path, 0, 0, "")])
            data += file.read()
    except (OSError, ValueError) as error:
        raise FileError([Fault(_reason(error), path, 0, 0, "")]) from None
    if b"\0" in data:
        raise PddlError([Fault("found a binary file, expected PDDL text", path, 0, 0, "")])
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return PddlText(path, text)


def _plain(text: str) -> str:
    """The text with \\n as line ends and without a byte order mark."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removeprefix("\ufeff")


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, IsADirectoryError):
        return "found a directory, expected a PDDL file"
    return f"cannot read the file: {getattr(error, 'strerror', None) or error}"


def words(file: PddlText) -> list[str]:
    """All tokens in lower case, without comments; `?` always begins a new token, because some domains need that."""
    text = file.text.lower()
    if ";" in text:
        text = "\n".join([line.partition(";")[0] for line in text.split("\n")])
    return text.replace("(", " ( ").replace(")", " ) ").replace("?", " ?").split()


def nest(file: PddlText) -> Node:
    """The content of a PDDL file, which must be a single list.

    >>> nest(PddlText("x", "(define (domain d))"))
    [0, 'define', [1, 'domain', 'd']]
    """
    tokens = words(file)
    if not tokens:
        raise file.fail("found an empty file, expected (define …)", 0)
    outer: list[Node] = []
    current: Node = [-1]
    number = 0
    for token in tokens:
        if token == "(":
            outer.append(current)
            current = [number]
            number += 1
        elif token == ")":
            if not outer:
                break
            closed = current
            current = outer.pop()
            current.append(closed)
        else:
            current.append(token)
    if outer:
        raise _unclosed(file, current[0], tokens)
    if len(current) != 2 or isinstance(current[1], str) or tokens.count(")") != number:
        raise _not_one_list(file, tokens)
    only: Node = current[1]
    return only


def _unclosed(file: PddlText, number: int, tokens: list[str]) -> PddlError:
    """The error for a missing ')'.

    Its position is the list that should have been closed before a section begins, or else the innermost open list.
    """
    opened: list[int] = []
    for position, token in enumerate(tokens):
        if token[0] == ":" and tokens[position - 1] == "(" and len(opened) > 2:
            line = file.place_of_token(position)[0]
            message = f"this parenthesis is not closed: found section '{token}' in line {line}, expected ')'"
            return file.fail(message, opened[-2])
        if token == "(":
            opened.append(position)
        elif token == ")":
            opened.pop()
    line = file.place_of_token(len(tokens) - 1)[0]
    message = f"this parenthesis is never closed: found the end of the file in line {line}, expected ')'"
    return file.fail(message, file.opening_token(number))


def _not_one_list(file: PddlText, tokens: list[str]) -> PddlError:
    """The error for text before or after the single list."""
    if tokens[0] != "(":
        return file.fail(f"found '{tokens[0]}', expected '('", 0)
    end, depth = 0, 1
    while depth:
        end += 1
        depth += (tokens[end] == "(") - (tokens[end] == ")")
    line = file.place_of_token(end)[0]
    message = f"found '{tokens[end + 1]}', expected the end of the file: (define …) is closed in line {line}"
    return file.fail(message, end + 1)
