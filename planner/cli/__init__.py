"""The command `fsplan`. `main` finds the command, has its words read, runs it, and turns errors into exit codes."""

from __future__ import annotations

import os
import sys


def main() -> None:
    sys.exit(run(sys.argv[1:]))


def run(words: list[str]) -> int:
    """Runs one command line and returns its exit code."""
    if words == ["--version"]:
        from fsplan import __version__

        print(f"fsplan {__version__}")
        return 0
    if "_FSPLAN_COMPLETE" in os.environ:
        return _with_click(words)
    try:
        return _dispatch(words)
    except KeyboardInterrupt:
        print("fsplan: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return _report(error)


def _dispatch(words: list[str]) -> int:
    from fsplan.planner.cli.commands import COMMANDS
    from fsplan.planner.cli.fast import read

    pair = " ".join(words[:2])
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
    """Errors people can act on are told in a sentence; anything else is a bug and keeps its traceback."""
    from fsplan.planner.cli.errors import exit_code

    code = exit_code(error)
    if code is None or "FSPLAN_TRACEBACK" in os.environ:
        raise error
    text = str(error) or type(error).__name__
    print(text if text.startswith("fsplan:") else f"fsplan: {text}", file=sys.stderr)
    return code
