"""Reads a well-formed command line without click; gives up (None) on anything else."""

from __future__ import annotations

from fsplan.planner.cli.table import Argument, Command, Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read(command: Command, words: list[str]) -> dict[str, Any] | None:
    """The command's parameters by name, or None where click should have a look.

    >>> from fsplan.planner.cli.commands import COMMANDS
    >>> values = read(COMMANDS["plan"], ["domain.pddl", "problem.pddl", "--w", "1.5"])
    >>> values["task"], values["w"]
    (('domain.pddl', 'problem.pddl'), '1.5')
    """
    by_switch = {switch: option for option in command.options for switch in option.switches}
    values: dict[str, Any] = {option.name: option.default for option in command.options}
    positional: list[str] = []
    remaining = iter(words)
    for word in remaining:
        if not word.startswith("-") or word == "-":
            positional.append(word)
            continue
        switch, equals, text = word.partition("=")
        option = by_switch.get(switch)
        if option is None or (option.kind == "flag" and equals):
            return None
        if not equals and option.kind != "flag":
            text = next(remaining, "")
        if not _store(option, text, values):
            return None
    return values if _place(command.arguments, positional, values) else None


def _store(option: Option, text: str, values: dict[str, Any]) -> bool:
    if option.kind == "flag":
        values[option.name] = True
        return True
    if not text or (option.choices and text not in option.choices):
        return False
    if option.kind == "many":
        values[option.name] = (*values[option.name], text)
        return True
    try:
        values[option.name] = {"integer": int, "number": float}.get(option.kind, str)(text)
    except ValueError:
        return False
    return True


def _place(arguments: tuple[Argument, ...], words: list[str], values: dict[str, Any]) -> bool:
    for position, argument in enumerate(arguments):
        fixed_after = len(arguments) - position - 1
        if argument.count == -1:
            taken, words = words[: len(words) - fixed_after], words[len(words) - fixed_after :]
            if argument.required and not taken:
                return False
            values[argument.name] = tuple(taken)
        else:
            if not words and argument.required:
                return False
            values[argument.name] = words[0] if words else None
            words = words[1:]
    return not words
