"""Which exit code an error gets: Fast Downward's, where it has one."""

from __future__ import annotations

CRITICAL = 35  # a bug in fsplan


class UsageError(Exception):
    """A command line whose parts do not go together; exit code 36."""

    exit_code = 36


def exit_code(error: Exception) -> int | None:
    """The code of an error that a user can act on; None for a bug in fsplan."""
    code = getattr(error, "exit_code", None)
    if isinstance(code, int):
        return code
    if isinstance(error, MemoryError):
        return 20
    if isinstance(error, OverflowError):  # costs that the search cannot add up
        return 34
    if isinstance(error, (ValueError, OSError, ImportError)):
        return 36
    return None
