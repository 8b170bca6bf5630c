"""The command `fsplan`. `main` finds the command, has its words read, runs it, and turns errors into exit codes."""

from __future__ import annotations

import os
import sys

from fsplan.planner.files import drop_stdout


def main() -> None:
    sys.exit(run(sys.argv[1:]))


def run(words: list[str]) -> int:
    """Runs one command line and returns its exit code."""
    _open_streams()
    code = 0
    try:
        code = _dispatch(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("fsplan: interrupted", file=sys.stderr)
        code = 130
    except BrokenPipeError:  # whoever reads has seen enough
        pass
    except Exception as error:
        code = _report(error)
    _leave_stdout()
    return code


def _open_streams() -> None:
    """A stream that the caller has closed is None; what is written to it goes nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115


def _leave_stdout() -> None:
    """What stdout does not take is dropped now, lest the interpreter complain of it and change the exit code."""
    try:
        sys.stdout.flush()
    except OSError:
        drop_stdout()


def _dispatch(words: list[str]) -> int:
    if words == ["--version"]:
        from fsplan import __version__

        print(f"fsplan {__version__}")
        return 0
    if "_FSPLAN_COMPLETE" in os.environ:
        return _with_click(words)
    from fsplan.planner.cli.commands import COMMANDS
    from fsplan.planner.cli.fast import read

    pair = " ".join(words[:2])
    if pair not in COMMANDS and words and any(name.startswith(f"{words[0]} ") for name in COMMANDS):
        return _with_click(words)  # `policy` alone, or `policy bogus`
    name, rest = (
        (pair, words[2:])
        if pair in COMMANDS
        else (words[0], words[1:])
        if words and words[0] in COMMANDS
        else ("plan", words)
    )
    values = read(COMMANDS[name], rest)
    return _with_click(words) if values is None else COMMANDS[name].call(values)


def _with_click(words: list[str]) -> int:
    from fsplan.planner.cli.click_app import run as run_click

    return run_click(words)


def _report(error: Exception) -> int:
    """Errors people can act on are told in a sentence; anything else is a bug, told with its traceback."""
    from fsplan.planner.cli.errors import CRITICAL, exit_code

    code = exit_code(error)
    if code is None or "FSPLAN_TRACEBACK" in os.environ:
        sys.excepthook(type(error), error, error.__traceback__)
        return CRITICAL if code is None else code
    text = str(error) or type(error).__name__
    print(text if text.startswith("fsplan:") else f"fsplan: {text}", file=sys.stderr)
    return code
