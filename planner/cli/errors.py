"""Exit codes of errors; they are Fast Downward's codes if it has one for the error."""

from __future__ import annotations

from typing import Any

from fsplan.pddl.errors import Fault, FileError, PddlError

CRITICAL = 35  # a bug in fsplan


class UsageError(Exception):
    """A command line with incompatible options or arguments; exit code 36."""

    exit_code = 36


def exit_code(error: Exception) -> int | None:
    """Returns the exit code of an error that the user can fix; None for a bug in fsplan."""
    code = getattr(error, "exit_code", None)
    if isinstance(code, int):
        return code
    if isinstance(error, MemoryError):
        return 20
    if isinstance(error, OverflowError):  # a sum of costs exceeds the integer range of the search
        return 34
    if isinstance(error, (ValueError, OSError, ImportError)):
        return 36
    return None


def document(error: Exception) -> dict[str, Any]:
    """Returns an error that the user can fix as a document of the schema `fsplan-explanation-1`."""
    from fsplan.planner.base.limits import LimitReached
    from fsplan.planner.search.explanation import explain_faults, explanation

    if isinstance(error, PddlError) and not isinstance(error, FileError):
        return explain_faults(error)
    file, *place = str(error).split(":", 3)  # the proof checkers, which share no code with the planner, only have text
    if len(place) == 3 and place[0].isdigit() and place[1].isdigit():
        return explain_faults(PddlError([Fault(place[2].strip(), file, int(place[0]), int(place[1]), "")]))
    verdict = "limit" if isinstance(error, (LimitReached, MemoryError)) else "error"
    return explanation(verdict, describe(error))


def describe(error: Exception) -> str:
    """Returns the error message, extended by advice if it has none."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        from fsplan.planner.base.extras import how_to_install

        return how_to_install(error.name.partition(".")[0]) or str(error)
    if isinstance(error, MemoryError):
        return "out of memory while the task was prepared; allow more with --memory-limit, or use a smaller task"
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or f"{type(error).__name__}: FSPLAN_TRACEBACK=1 shows where"
