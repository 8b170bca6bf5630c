"""The command `fsplan`: `main` runs a command line and turns its outcome into an exit code (docs/exit-codes.md)."""

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


def _leave_stdout() -> None:
    """Discards output that stdout does not accept. Python would otherwise try once more at exit, fail, and replace
    our exit code by 120."""
    try:
        sys.stdout.flush()
    except OSError:
        drop_stdout()


def _dispatch(words: list[str]) -> int:
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
