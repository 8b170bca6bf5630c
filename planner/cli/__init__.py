"""The command `fsplan`: `run` executes a command line and returns its exit code (docs/exit-codes.md)."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from threading import current_thread, main_thread
from typing import Any, TextIO

from fsplan.planner.base.files import CONTROLS, drop_stdout


def run(words: list[str], program: Callable[[list[str]], int] | None = None) -> int:
    """Runs one command line, of `fsplan` or of another program, and returns its exit code."""
    _open_streams()
    _clean_up_when_terminated()
    code = 0
    try:
        code = (program or _dispatch)(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("fsplan: interrupted", file=sys.stderr)
        code = 130
    except BrokenPipeError:  # the reader has closed the pipe, as in `fsplan … | head`
        pass
    except Exception as error:
        code = _report(error)
    _leave_stdout()
    return code


def _open_streams() -> None:
    """Replaces closed standard streams, which are None in Python, by streams that discard their output."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        elif getattr(sys, name).isatty():
            setattr(sys, name, VisibleText(getattr(sys, name)))


class VisibleText:
    """Wraps a terminal and makes escape sequences visible; names from untrusted files may contain them."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(text.translate(CONTROLS))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _clean_up_when_terminated() -> None:
    """Turns SIGTERM and SIGHUP into an exception, so that temporary files are removed and workers are stopped."""

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    for each in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(each) is signal.SIG_DFL and current_thread() is main_thread():
            signal.signal(each, leave)


def _leave_stdout() -> None:
    """Discards output that could not be written to stdout.

    Otherwise Python would try to write it again at exit, fail, and replace our exit code by 120.
    """
    try:
        sys.stdout.flush()
    except OSError:
        drop_stdout()


def _dispatch(words: list[str]) -> int:
    """Runs the command. `fsplan DOMAIN PROBLEM` does not import click, which takes as long as solving a small task."""
    if words and all(word.endswith(".pddl") and os.path.isfile(word) for word in words):
        from fsplan.planner.cli.planning import plan

        return plan(tuple(words), {})
    from fsplan.planner.cli.app import run_application

    return run_application(words)


def _report(error: Exception) -> int:
    """Prints an error and returns its exit code; errors that the user cannot fix are bugs and show a traceback."""
    from fsplan.planner.cli.errors import CRITICAL, describe, exit_code

    code = exit_code(error)
    if code is None or "FSPLAN_TRACEBACK" in os.environ:
        sys.excepthook(type(error), error, error.__traceback__)
        return CRITICAL if code is None else code
    text = describe(error)
    print(text if text.startswith("fsplan:") else f"fsplan: {text}", file=sys.stderr)
    return code
