"""`--json-stream`: one JSON object per line, written as soon as it is known."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

from fsplan.planner.base.files import STDOUT, drop_stdout


class JsonLines:
    """Writes lines to a file, to stdout for `-`, or nowhere for None.

    After the first write error it writes no more lines, and `failure` has the error.
    """

    def __init__(self, path: str | None) -> None:
        self.path, self.is_stdout = path, path in STDOUT
        self.failure: OSError | None = None
        self._file: Any = None
        if path is not None:
            self._file = sys.stdout if self.is_stdout else open(path, "w", encoding="utf-8")  # noqa: SIM115

    def write(self, record: dict[str, Any]) -> None:
        if self._file is None or self.failure is not None:
            return
        from json import dumps

        try:
            print(dumps(record), file=self._file, flush=True)
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        if self.is_stdout:
            drop_stdout()
        else:
            with suppress(OSError):  # closing tries to write the line again
                self._file.close()
        if not isinstance(error, BrokenPipeError):  # a reader that closes the pipe early is no error
            self.failure = error
