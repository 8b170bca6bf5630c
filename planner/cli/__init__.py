"""The command `fsplan`: `run` runs a command line and turns its outcome into an exit code (docs/exit-codes.md)."""

from __future__ import annotations

import os
import signal
import sys
from threading import current_thread, main_thread
from typing import Any, TextIO

from fsplan.planner.files import CONTROLS, drop_stdout


def run(words: list[str]) -> int:
    """Runs one command line and returns its exit code."""
    _open_streams()
    _clean_up_when_terminated()
    code = 0
    try:
        code = _dispatch(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("fsplan: interrupted", file=sys.stderr)
        code = 130
    except BrokenPipeError:  # the reader has seen enough, as with `fsplan … | head`
        pass
    except Exception as error:
        code = _report(error)
    _leave_stdout()
    return code


def _open_streams() -> None:
    """A stream that the caller has closed is None in Python; we discard what is written to it."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        elif getattr(sys, name).isatty():
            setattr(sys, name, VisibleText(getattr(sys, name)))


class VisibleText:
    """A terminal to which names from files, which may hold escape sequences, are written so that they can be seen."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(text.translate(CONTROLS))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _clean_up_when_terminated() -> None:
    """SIGTERM and SIGHUP end a command as an exception does: temporary files are removed, workers are stopped."""

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    for each in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(each) is signal.SIG_DFL and current_thread() is main_thread():
            signal.signal(each, leave)


def _leave_stdout() -> None:
    """Discards output that stdout does not accept. Python would otherwise try once more at exit, fail, and replace
    our exit code by 120."""
    try:
        sys.stdout.flush()
    except OSError:
        drop_stdout()


def _dispatch(words: list[str]) -> int:
    """Files of PDDL and nothing else need no parser, whose import would take as long as planning for a small task."""
    if words and all(word.endswith(".pddl") and os.path.isfile(word) for word in words):
        from fsplan.planner.cli.planning import plan

        return plan(tuple(words), {})
    from fsplan.planner.cli.app import run_application

    return run_application(words)


def _report(error: Exception) -> int:
    """Errors that a user can act on are reported in a sentence; all others are bugs and show their traceback."""
    from fsplan.planner.cli.errors import CRITICAL, describe, exit_code

    code = exit_code(error)
    if code is None or "FSPLAN_TRACEBACK" in os.environ:
        sys.excepthook(type(error), error, error.__traceback__)
        return CRITICAL if code is None else code
    text = describe(error)
    print(text if text.startswith("fsplan:") else f"fsplan: {text}", file=sys.stderr)
    return code
