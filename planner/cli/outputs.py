"""Handles write errors: an output file that cannot be written is reported, and the others are still written."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from fsplan.planner.cli.errors import UsageError, describe


class Outputs:
    """Reports outputs that fail; `exit_code` then returns the code for write errors."""

    def __init__(self) -> None:
        self.failed = False

    @contextmanager
    def attempt(self, path: str | None) -> Iterator[None]:
        """Runs the block; reports an OSError with the name of the file instead of raising it."""
        try:
            yield
        except OSError as error:
            self.report(error, path)

    def report(self, error: OSError, path: str | None) -> None:
        self.failed = True
        text = describe(error)
        named = text if path is None or path in text else f"{path}: {text}"
        print(f"fsplan: {named}", file=sys.stderr)

    def exit_code(self, otherwise: int) -> int:
        return UsageError.exit_code if self.failed else otherwise
