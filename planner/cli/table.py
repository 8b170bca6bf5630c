"""How a command line is described: once, as data.

Two readers use the description. `fast.py` reads well-formed lines in microseconds; anything else (help, mistakes,
completion) goes to click, built from the same data by `click_app.py`. Importing click costs three times what
starting Python does, and a planner is started often.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Option:
    """`kind` is text, integer, number, flag or many (a repeatable text)."""

    __slots__ = ("choices", "default", "help", "kind", "metavar", "name", "switches")

    def __init__(
        self,
        switches: str,
        help: str,
        kind: str = "text",
        default: Any = None,
        choices: tuple[str, ...] = (),
        metavar: str | None = None,
    ) -> None:
        self.switches = tuple(switches.split("/"))
        self.name = self.switches[0].lstrip("-").replace("-", "_")
        self.help, self.kind, self.choices, self.metavar = help, kind, choices, metavar
        self.default = {"flag": False, "many": ()}.get(kind, default)


class Argument:
    """A positional value; `count` is how many it takes: 1, or -1 for any number (at least one if required)."""

    __slots__ = ("count", "name", "required")

    def __init__(self, name: str, count: int = 1, required: bool = True) -> None:
        self.name, self.count, self.required = name, count, required


class Command:
    """`run` names the function that does the work, as module:function below fsplan.planner; it is imported on use,
    called with one keyword argument a parameter, and returns the exit code."""

    __slots__ = ("arguments", "help", "name", "options", "run")

    def __init__(
        self,
        name: str,
        help: str,
        run: str,
        arguments: tuple[Argument, ...],
        options: tuple[Option, ...] = (),
    ) -> None:
        self.name, self.help, self.run, self.arguments, self.options = name, help, run, arguments, options

    def call(self, values: dict[str, Any]) -> int:
        from importlib import import_module

        module, function = self.run.split(":")
        code: int = getattr(import_module(f"fsplan.planner.{module}"), function)(**values)
        return code
